/* Models and numbers on several processes: what each has used, added up in the first one. */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "models_state.h"

enum { NAME_BYTES = 256 }; /* longer names of missing models and numbers are cut */
enum used_kind { USED_MODEL, USED_NUMBER, USED_MISSED };

/* A row that a process has used; that of a missing one has its name. */
struct used {
	enum used_kind kind;
	uint32_t row;
	union {
		struct entry model; /* without what pointers lead to */
		struct missed missed;
	} of;
	char name[NAME_BYTES];
};

void models_note_turns(struct models *m, const struct vmpi *v)
{
	m->turns = v;
}

void models_forget(struct models *m)
{
	for (size_t i = 0; i < m->entries.count; i++) {
		struct entry *n = &m->entries.at[i];

		*n = (struct entry){.name = n->name,
				    .path = n->path,
				    .model = n->model,
				    .factor = n->factor,
				    .option = n->option,
				    .assigned = n->assigned};
	}
	for (size_t i = 0; i < m->numbers.count; i++)
		m->numbers.at[i].read = false;
	while (m->missed_count)
		free(m->missed[--m->missed_count].name);
	m->turns = NULL;
}

static char *put_used(char *to, const struct used *u)
{
	if (to)
		memcpy(to, u, sizeof(*u));
	return to ? to + sizeof(*u) : NULL;
}

size_t models_results(const struct models *m, void *out)
{
	size_t rows = 0;
	char *to = out;

	for (uint32_t i = 0; i < m->entries.count; i++)
		if (m->entries.at[i].read) {
			to = put_used(to, &(struct used){.kind = USED_MODEL, .row = i, .of.model = m->entries.at[i]});
			rows++;
		}
	for (uint32_t i = 0; i < m->numbers.count; i++)
		if (m->numbers.at[i].read) {
			to = put_used(to, &(struct used){.kind = USED_NUMBER, .row = i});
			rows++;
		}
	for (uint32_t i = 0; i < m->missed_count; i++) {
		struct used u = {.kind = USED_MISSED, .row = i, .of.missed = m->missed[i]};

		snprintf(u.name, sizeof(u.name), "%s", m->missed[i].name);
		to = put_used(to, &u);
		rows++;
	}
	return rows * sizeof(struct used);
}

/* ---- adding ---- */

static void add_watch(struct entry *n, const struct entry *from)
{
	n->watch.times += from->watch.times;
	if (from->warn && (!n->warn || step_order_before(&from->first_turn, &n->first_turn))) {
		n->warn = true;
		n->first = from->first;
		n->first_turn = from->first_turn;
	}
	for (unsigned i = 0; i < MODEL_VARIABLES_MAX; i++) {
		const struct model_outside *other = &from->watch.furthest[i], *own = &n->watch.furthest[i];

		if (other->factor > own->factor || (other->factor > 0 && !(own->factor > other->factor) &&
						    step_order_before(&from->furthest[i], &n->furthest[i]))) {
			n->watch.furthest[i] = *other;
			n->furthest[i] = from->furthest[i];
		}
	}
}

static void add_model(struct entry *n, const struct entry *from)
{
	n->read = true;
	n->calls += from->calls;
	n->seconds += from->seconds;
	n->error += from->error;
	add_watch(n, from);
}

/* Inserts a name in the order of first requests; those of one process are in its order. */
static int add_missed(struct models *m, const struct missed *from, const char *name, struct err *e)
{
	struct missed row = *from;
	unsigned at = 0, i = 0;

	while (i < m->missed_count && (m->missed[i].number != row.number || strcmp(m->missed[i].name, name) != 0))
		i++;
	if (i < m->missed_count) {
		if (!step_order_before(&row.turn, &m->missed[i].turn))
			return 0;
		free(m->missed[i].name);
		memmove(&m->missed[i], &m->missed[i + 1], (--m->missed_count - i) * sizeof(row));
	}
	row.name = mem_copy_text(name, e);
	if (!row.name)
		return -1;
	while (at < m->missed_count && !step_order_before(&row.turn, &m->missed[at].turn))
		at++;
	if (m->missed_count == MISSED_MAX)
		free(at < MISSED_MAX ? m->missed[--m->missed_count].name : row.name);
	if (at == MISSED_MAX)
		return 0;
	memmove(&m->missed[at + 1], &m->missed[at], (m->missed_count++ - at) * sizeof(row));
	m->missed[at] = row;
	return 0;
}

int models_add_results(struct models *m, const void *results, size_t bytes, struct err *e)
{
	const char *at = results, *end = at + bytes;

	for (; at < end; at += sizeof(struct used)) {
		struct used u;

		memcpy(&u, at, sizeof(u));
		if (u.kind == USED_MODEL)
			add_model(&m->entries.at[u.row], &u.of.model);
		else if (u.kind == USED_NUMBER)
			m->numbers.at[u.row].read = true;
		else if (add_missed(m, &u.of.missed, u.name, e) < 0)
			return -1;
	}
	return 0;
}
