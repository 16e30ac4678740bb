#include "kanata_check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 4 };

struct reader {
	struct kanata_log *log;
	unsigned line;
	uint64_t cycle, retired;
	bool timed, any; /* C= came; a command came */
	bool ended[KANATA_INSNS];
};

__attribute__((format(printf, 2, 3))) static int wrong(struct reader *r, const char *format, ...)
{
	char what[150];
	va_list ap;

	va_start(ap, format);
	vsnprintf(what, sizeof(what), format, ap);
	va_end(ap);
	snprintf(r->log->error, sizeof(r->log->error), "line %u: %s", r->line, what);
	return -1;
}

/* Digits only. */
static int number(struct reader *r, const char *text, uint64_t *out)
{
	if (!*text || text[strspn(text, "0123456789")])
		return wrong(r, "'%.40s' is not a number", text);
	*out = strtoull(text, NULL, 10);
	return 0;
}

/* The instruction that a command is about: begun, not ended. */
static struct kanata_insn *alive(struct reader *r, const char *text)
{
	uint64_t id = 0;

	if (number(r, text, &id))
		return NULL;
	if (id >= r->log->count) {
		wrong(r, "instruction %" PRIu64 " has not begun", id);
		return NULL;
	}
	if (r->ended[id]) {
		wrong(r, "instruction %" PRIu64 " has ended", id);
		return NULL;
	}
	return &r->log->insn[id];
}

static struct kanata_stage *open_stage(struct kanata_insn *i, int lane)
{
	for (unsigned n = 0; n < i->stage_count; n++)
		if (i->stage[n].lane == lane && i->stage[n].to == UINT64_MAX)
			return &i->stage[n];
	return NULL;
}

static int command_time(struct reader *r, bool start, const char *text)
{
	uint64_t n = 0;

	if (number(r, text, &n))
		return -1;
	if (start && (r->timed || r->any))
		return wrong(r, "C= is not the first command");
	if (!start && !n)
		return wrong(r, "no time passes");
	r->cycle += n;
	r->timed = true;
	return 0;
}

static int command_begin(struct reader *r, char *const f[])
{
	uint64_t id = 0, thread = 0;
	struct kanata_insn *i;

	if (number(r, f[0], &id))
		return -1;
	if (id != r->log->count || id == KANATA_INSNS)
		return wrong(r, "id %" PRIu64 ", expected %u", id, r->log->count);
	i = &r->log->insn[r->log->count++];
	memset(i, 0, sizeof(*i));
	i->begin = r->cycle;
	return number(r, f[1], &i->number) || number(r, f[2], &thread) ? -1 : 0;
}

static int command_label(struct reader *r, char *const f[])
{
	struct kanata_insn *i = alive(r, f[0]);
	char *into;
	size_t size, n;

	if (!i)
		return -1;
	if (strcmp(f[1], "0") && strcmp(f[1], "1"))
		return wrong(r, "label of type %.20s", f[1]);
	into = *f[1] == '0' ? i->label : i->detail;
	size = *f[1] == '0' ? sizeof(i->label) : sizeof(i->detail);
	n = strlen(into);
	snprintf(into + n, size - n, "%s", f[2]);
	return 0;
}

static int command_stage(struct reader *r, bool start, char *const f[])
{
	struct kanata_insn *i = alive(r, f[0]);
	struct kanata_stage *s;
	uint64_t lane = 0;

	if (!i || number(r, f[1], &lane))
		return -1;
	if (lane >= KANATA_LANES || !*f[2] || strlen(f[2]) >= KANATA_NAME)
		return wrong(r, "lane %s, stage '%.40s'", f[1], f[2]);
	s = open_stage(i, (int)lane);
	if (start) {
		if (s)
			return wrong(r, "%s begins, but %s has not ended", f[2], s->name);
		if (i->stage_count == KANATA_STAGES)
			return wrong(r, "too many stages");
		s = &i->stage[i->stage_count++];
		snprintf(s->name, sizeof(s->name), "%s", f[2]);
		s->lane = (int)lane;
		s->from = r->cycle;
		s->to = UINT64_MAX;
		return 0;
	}
	if (!s || strcmp(s->name, f[2]))
		return wrong(r, "%s ends, but %s is open", f[2], s ? s->name : "nothing");
	if (s->from >= r->cycle)
		return wrong(r, "%s takes no time", f[2]);
	s->to = r->cycle;
	return 0;
}

static int command_retire(struct reader *r, char *const f[])
{
	struct kanata_insn *i = alive(r, f[0]);
	uint64_t retire = 0;

	if (!i || number(r, f[1], &retire))
		return -1;
	for (int lane = 0; lane < KANATA_LANES; lane++)
		if (open_stage(i, lane))
			return wrong(r, "ends in stage %s", open_stage(i, lane)->name);
	if (strcmp(f[2], "0") && strcmp(f[2], "1"))
		return wrong(r, "ends with type %.20s", f[2]);
	if (*f[2] == '0' && retire != r->retired++)
		return wrong(r, "retirement id %" PRIu64 ", expected %" PRIu64, retire, r->retired - 1);
	i->end = r->cycle;
	r->ended[i - r->log->insn] = true;
	return 0;
}

static int command_wake(struct reader *r, char *const f[])
{
	struct kanata_insn *i = alive(r, f[0]);
	uint64_t producer = 0;

	if (!i || number(r, f[1], &producer))
		return -1;
	if (producer >= r->log->count || producer == (uint64_t)(i - r->log->insn))
		return wrong(r, "producer %" PRIu64 " is not one", producer);
	if (strcmp(f[2], "0"))
		return wrong(r, "arrow of type %.20s", f[2]);
	if (i->wakes < KANATA_WAKES)
		i->producer[i->wakes++] = producer;
	return 0;
}

/* f[0] is the command. */
static int command(struct reader *r, char *const f[], unsigned count)
{
	static const struct {
		const char *name;
		unsigned fields;
	} commands[] = {{"C=", 2}, {"C", 2}, {"I", 4}, {"L", 4}, {"S", 4}, {"E", 4}, {"R", 4}, {"W", 4}};
	unsigned n = 0;

	while (n < 8 && strcmp(commands[n].name, f[0]))
		n++;
	if (n == 8)
		return wrong(r, "unknown command '%.20s'", f[0]);
	if (count != commands[n].fields)
		return wrong(r, "%s with %u fields", f[0], count);
	if (n > 1 && !r->timed)
		return wrong(r, "%s before any time", f[0]);
	switch (n) {
	case 0:
	case 1: return command_time(r, n == 0, f[1]);
	case 2: return command_begin(r, f + 1);
	case 3: return command_label(r, f + 1);
	case 4:
	case 5: return command_stage(r, n == 4, f + 1);
	case 6: return command_retire(r, f + 1);
	default: return command_wake(r, f + 1);
	}
}

static int check_line(struct reader *r, char *line)
{
	char *f[FIELDS + 1];
	unsigned count = 0;

	if (++r->line == 1)
		return strcmp(line, "Kanata\t0004") ? wrong(r, "no header") : 0;
	for (char *p = line; p && count <= FIELDS; count++) {
		f[count] = p;
		p = strchr(p, '\t');
		if (p)
			*p++ = '\0';
	}
	if (command(r, f, count))
		return -1;
	r->any = true;
	return 0;
}

int kanata_check(const char *text, struct kanata_log *log)
{
	struct reader r = {.log = log};
	char *copy = strdup(text), *next = copy;
	int result = 0;

	log->count = 0;
	*log->error = '\0';
	while (copy && !result && *next) {
		char *line = next, *end = strchr(line, '\n');

		if (!end) {
			result = wrong(&r, "the last line is cut");
			break;
		}
		*end = '\0';
		next = end + 1;
		result = check_line(&r, line);
	}
	if (!result && !r.line)
		result = wrong(&r, "empty");
	for (unsigned n = 0; n < log->count && !result; n++)
		if (!r.ended[n])
			result = wrong(&r, "instruction %u has not ended", n);
	free(copy);
	return result;
}

const struct kanata_stage *kanata_find(const struct kanata_insn *i, int lane, const char *name, unsigned n)
{
	for (unsigned k = 0; k < i->stage_count; k++)
		if (i->stage[k].lane == lane && !strcmp(i->stage[k].name, name) && !n--)
			return &i->stage[k];
	return NULL;
}
