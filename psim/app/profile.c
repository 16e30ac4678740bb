#include "profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/near.h"

static int by_pc(const void *a, const void *b)
{
	const struct profile_insn *x = a, *y = b;

	return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static void add_detail(struct core_detail *to, const struct core_detail *from)
{
	for (unsigned n = 0; n < STALL_COUNT; n++)
		to->lost[n] += from->lost[n];
	for (unsigned n = 0; n < CORE_DETAIL_LEVELS; n++)
		to->level[n] += from->level[n];
	to->latency += from->latency;
	to->timed += from->timed;
	to->mispredicted += from->mispredicted;
}

/*
 * Gathers the instructions by address, adding the counts of an address that is in several blocks. What has no counts
 * was not executed: with segments, a core numbers the instructions of warm-up parts too (feed.c).
 */
static int profile_gather(struct profile *p, const struct core *c, struct err *e)
{
	size_t count = core_profile_count(c), out = 0;
	struct profile_insn *all = malloc((count + 1) * sizeof(*all));

	p->insns = all;
	p->functions.at = malloc((count + 1) * sizeof(*p->functions.at));
	p->loops.at = malloc((count + 1) * sizeof(*p->loops.at));
	p->details = calloc(count + 1, core_detail(c, 0) ? sizeof(*p->details) : 1);
	if (!all || !p->functions.at || !p->loops.at || !p->details)
		return err_set(e, STATUS_FAILED, "profile: out of memory for %zu instructions", count);
	for (size_t n = 0; n < count; n++) {
		struct core_profile i;

		core_profile(c, (uint32_t)n, &i);
		all[n] = (struct profile_insn){i.pc, i.committed, i.lost, i.insn, NULL};
		if (core_detail(c, 0)) {
			all[n].detail = &p->details[n];
			*all[n].detail = *core_detail(c, (uint32_t)n);
		}
	}
	qsort(all, count, sizeof(*all), by_pc);
	for (size_t n = 0; n < count; n++) {
		if (!profile_slots(&all[n]))
			continue;
		if (out && all[out - 1].pc == all[n].pc) {
			all[out - 1].committed += all[n].committed;
			all[out - 1].lost += all[n].lost;
			if (all[n].detail)
				add_detail(all[out - 1].detail, all[n].detail);
		} else {
			all[out++] = all[n];
		}
	}
	p->count = out;
	return 0;
}

static void find_functions(struct profile *p)
{
	struct places *f = &p->functions;
	struct place *last = NULL;

	for (size_t n = 0; n < p->count; n++) {
		const struct profile_insn *i = &p->insns[n];
		const struct trace_symbol *s = trace_symbol_at(p->info, i->pc);

		if (!last || last->symbol != s) {
			last = &f->at[f->count++];
			*last = (struct place){.from = i->pc, .symbol = s};
			last->passes = i->committed;
		}
		last->to = i->pc + 4;
		last->committed += i->committed;
		last->lost += i->lost;
		last->self += profile_slots(i);
	}
}

/*
 * Returns whether the instruction is a direct branch to an earlier address, which closes a loop. The loop includes its
 * delay slot.
 */
static bool closes_loop(const struct profile_insn *i, uint64_t *target)
{
	*target = i->pc + (uint64_t)(int64_t)i->insn->imm;
	return i->insn->flags & INSN_CTI && !(i->insn->flags & (INSN_INDIRECT | INSN_CALL)) && *target <= i->pc &&
	       i->committed;
}

/* Orders loops by first address; outer before inner if they begin at the same address. */
static int by_extent(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to > y->to ? -1 : x->to < y->to;
}

/* Merges loops with the same first address: the loop extends to the last branch to it. */
static void merge_loops(struct places *l)
{
	size_t out = 0;

	qsort(l->at, l->count, sizeof(*l->at), by_extent);
	for (size_t n = 0; n < l->count; n++) {
		if (out && l->at[out - 1].from == l->at[n].from)
			l->at[out - 1].passes += l->at[n].passes;
		else
			l->at[out++] = l->at[n];
	}
	l->count = out;
}

size_t profile_first(const struct profile *p, uint64_t pc)
{
	size_t low = 0, high = p->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (p->insns[mid].pc < pc)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Sums each loop's slots. `sums` has count + 1 entries: the prefix sums over the instructions. */
static void sum_loops(struct profile *p, uint64_t *sums, bool lost)
{
	for (size_t n = 0; n < p->count; n++)
		sums[n + 1] = sums[n] + (lost ? p->insns[n].lost : p->insns[n].committed);
	for (size_t n = 0; n < p->loops.count; n++) {
		struct place *l = &p->loops.at[n];
		uint64_t sum = sums[profile_first(p, l->to)] - sums[profile_first(p, l->from)];

		*(lost ? &l->lost : &l->committed) = sum;
	}
}

/*
 * Counts each loop's slots outside its inner loops. Loops are sorted by first address,
 * so the last one that contains an instruction is the innermost if they nest; if they
 * overlap, it is the one that begins last.
 */
static void count_self(struct profile *p, uint64_t *open)
{
	struct places *l = &p->loops;
	size_t depth = 0, next = 0;

	for (size_t n = 0; n < p->count; n++) {
		const struct profile_insn *i = &p->insns[n];

		while (next < l->count && l->at[next].from <= i->pc)
			open[depth++] = next++;
		while (depth && l->at[open[depth - 1]].to <= i->pc)
			depth--;
		if (depth)
			l->at[open[depth - 1]].self += profile_slots(i);
	}
}

static int find_loops(struct profile *p, struct err *e)
{
	struct places *l = &p->loops;
	uint64_t target, *work;

	for (size_t n = 0; n < p->count; n++) {
		const struct profile_insn *i = &p->insns[n];

		if (closes_loop(i, &target))
			l->at[l->count++] = (struct place){
				.from = target,
				.to = i->pc + 8,
				.passes = i->committed,
				.symbol = trace_symbol_at(p->info, target),
			};
	}
	merge_loops(l);
	work = calloc(p->count + 1, sizeof(*work));
	if (!work)
		return err_set(e, STATUS_FAILED, "profile: out of memory for %zu instructions", p->count);
	sum_loops(p, work, false);
	sum_loops(p, work, true);
	count_self(p, work);
	free(work);
	return 0;
}

static int by_slots(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

void profile_forget_details(struct profile *p)
{
	for (size_t n = 0; n < p->count; n++)
		p->insns[n].detail = NULL;
}

int profile_make(struct profile *p, const struct core *c, const struct core_config *cfg, const struct trace_info *info,
		 struct err *e)
{
	*p = (struct profile){.info = info, .width = cfg->core.commit_width, .cycles = core_stats(c)->cycles};
	if (profile_gather(p, c, e) < 0)
		return -1;
	find_functions(p);
	if (find_loops(p, e) < 0)
		return -1;
	qsort(p->functions.at, p->functions.count, sizeof(*p->functions.at), by_slots);
	qsort(p->loops.at, p->loops.count, sizeof(*p->loops.at), by_slots);
	return 0;
}

void profile_free(struct profile *p)
{
	free(p->insns);
	free(p->details);
	free(p->functions.at);
	free(p->loops.at);
	*p = (struct profile){0};
}

/* ---- places ---- */
void place_name(const struct place *l, char text[PLACE_NAME])
{
	if (!l->symbol)
		snprintf(text, PLACE_NAME, "0x%" PRIx64, l->from);
	else if (l->symbol->address == l->from)
		snprintf(text, PLACE_NAME, "%s", l->symbol->name);
	else
		snprintf(text, PLACE_NAME, "%s+0x%" PRIx64, l->symbol->name, l->from - l->symbol->address);
}

void place_source(const struct profile *p, const struct place *l, char text[PLACE_SOURCE])
{
	const struct trace_line *first = NULL;
	uint32_t low = UINT32_MAX, high = 0;

	*text = '\0';
	for (size_t n = profile_first(p, l->from); n < p->count && p->insns[n].pc < l->to; n++) {
		const struct trace_line *line = trace_line_at(p->info, p->insns[n].pc);

		first = first ? first : line;
		if (!line || line->file != first->file)
			continue;
		low = line->line < low ? line->line : low;
		high = line->line > high ? line->line : high;
	}
	if (first && low == high)
		snprintf(text, PLACE_SOURCE, "%s:%" PRIu32, trace_line_file(p->info, first), low);
	else if (first)
		snprintf(text, PLACE_SOURCE, "%s:%" PRIu32 "-%" PRIu32, trace_line_file(p->info, first), low, high);
}

/* The loop that begins at an address, else the smallest one around it, else its function; NULL: not executed. */
static const struct place *place_around(const struct profile *p, uint64_t pc)
{
	const struct place *best = NULL;

	for (size_t n = 0; n < p->loops.count; n++) {
		const struct place *l = &p->loops.at[n];

		if (l->from == pc)
			return l;
		if (l->from <= pc && pc < l->to && (!best || l->to - l->from < best->to - best->from))
			best = l;
	}
	for (size_t n = 0; n < p->functions.count && !best; n++)
		if (p->functions.at[n].from <= pc && pc < p->functions.at[n].to)
			best = &p->functions.at[n];
	return best;
}

/* The place around the instruction of a source line that has the most slots; NULL: none. */
static const struct place *place_of_line(const struct profile *p, const char *file, uint64_t number)
{
	const struct profile_insn *best = NULL;

	for (size_t n = 0; n < p->count; n++) {
		const struct profile_insn *i = &p->insns[n];
		const struct trace_line *line = trace_line_at(p->info, i->pc);

		if (line && line->line == number && strcmp(trace_line_file(p->info, line), file) == 0 &&
		    (!best || profile_slots(i) > profile_slots(best)))
			best = i;
	}
	return best ? place_around(p, best->pc) : NULL;
}

/* Reads "name+0x40" or "0x10040". */
static bool read_address(const struct trace_info *info, const char *name, uint64_t *pc)
{
	const char *plus = strrchr(name, '+'), *digits = plus ? plus + 1 : name;
	uint64_t base = plus ? UINT64_MAX : 0;
	char *end;

	for (unsigned n = 0; plus && n < info->symbol_count; n++)
		if (strlen(info->symbols[n].name) == (size_t)(plus - name) &&
		    strncmp(info->symbols[n].name, name, (size_t)(plus - name)) == 0)
			base = info->symbols[n].address;
	if (base == UINT64_MAX || strncmp(digits, "0x", 2) != 0)
		return false;
	*pc = base + strtoull(digits, &end, 16);
	return !*end;
}

/* Returns whether `symbol` is GCC's variant of function `name`: name.constprop.0, name.isra.0 … */
static bool is_variant(const char *symbol, const char *name)
{
	size_t length = strlen(name);

	return strncmp(symbol, name, length) == 0 && symbol[length] == '.';
}

int place_check(const struct trace_info *info, const char *name, struct err *e)
{
	const char *colon = strrchr(name, ':');
	struct near near = near_start(name);
	const char *variant = NULL;
	uint64_t pc;

	if (read_address(info, name, &pc))
		return 0;
	for (unsigned n = 0; n < info->symbol_count; n++) {
		if (strcmp(info->symbols[n].name, name) == 0)
			return 0;
		if (is_variant(info->symbols[n].name, name))
			variant = info->symbols[n].name;
		near_offer(&near, info->symbols[n].name);
	}
	near.best = variant ? variant : near.best;
	for (unsigned n = 1; colon && n <= info->file_count; n++) {
		const char *file = trace_line_file(info, &(struct trace_line){.file = n});

		if (strlen(file) == (size_t)(colon - name) && strncmp(file, name, strlen(file)) == 0)
			return 0;
	}
	return err_set(
		e, STATUS_USAGE,
		"--annotate %s: unknown%s%s%s, expected a function, a loop of the table loops (name+0x40), an address "
		"(0x10040)%s",
		name, near.best ? "; did you mean '" : "", near.best ? near.best : "", near.best ? "'?" : "",
		info->line_count ? " or a line (file.c:12)" : "; the trace has no source lines");
}

const struct place *place_find(const struct profile *p, const char *name, struct err *e)
{
	const char *colon = strrchr(name, ':');
	const struct place *found = NULL;
	char file[PLACE_NAME];
	uint64_t pc;

	for (size_t n = 0; n < p->functions.count && !found; n++)
		if (p->functions.at[n].symbol && strcmp(p->functions.at[n].symbol->name, name) == 0)
			found = &p->functions.at[n];
	if (!found && read_address(p->info, name, &pc))
		found = place_around(p, pc);
	if (!found && colon && (size_t)(colon - name) < sizeof(file)) {
		snprintf(file, sizeof(file), "%.*s", (int)(colon - name), name);
		found = place_of_line(p, file, strtoull(colon + 1, NULL, 10));
	}
	if (!found)
		err_set(e, STATUS_USAGE,
			"--annotate %s: nothing of that was executed in the simulated part, expected a row of the "
			"table functions or loops",
			name);
	return found;
}
