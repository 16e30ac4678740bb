/* Phases of ranks, by name: what each rank did in each of them. */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "world.h"

struct phase_share rank_share(const struct vmpi *v, uint32_t rank)
{
	const struct rank *r = &v->ranks[rank];

	return (struct phase_share){.time = r->now,
				    .computed = r->computed,
				    .waited = r->waited,
				    .late = r->late,
				    .asleep = r->asleep,
				    .modelled = r->modelled,
				    .flops = r->flops,
				    .joules = r->joules,
				    .memory_bytes = r->memory_bytes};
}

static void add_since(struct phase_share *to, const struct phase_share *now, const struct phase_share *mark)
{
	to->time += now->time - mark->time;
	to->computed += now->computed - mark->computed;
	to->waited += now->waited - mark->waited;
	to->late += now->late - mark->late;
	to->asleep += now->asleep - mark->asleep;
	to->modelled += now->modelled - mark->modelled;
	to->flops += now->flops - mark->flops;
	to->joules += now->joules - mark->joules;
	to->memory_bytes += now->memory_bytes - mark->memory_bytes;
}

struct phase_share phase_share(const struct vmpi *v, uint32_t rank, unsigned phase)
{
	struct phase_share sum = v->seen.phases[phase].of[rank], now = rank_share(v, rank);

	if (v->ranks[rank].phase == phase)
		add_since(&sum, &now, &v->ranks[rank].mark);
	return sum;
}

static int add_phase(struct vmpi *v, const char *name)
{
	struct phase *p = &v->seen.phases[v->seen.phase_count];

	p->name = mem_copy_text(name, &v->err);
	p->of = mem_alloc(v->size, sizeof(*p->of), &v->err);
	if (v->divided)
		p->first = v->divided->turn;
	if (!p->name || !p->of)
		rank_stop(v);
	return (int)v->seen.phase_count++;
}

/* Returns the phase's number, and adds the phase if its name is new. -1: the run has failed. */
static int phase_lookup(struct vmpi *v, const char *name)
{
	for (unsigned i = 0; i < v->seen.phase_count; i++)
		if (strcmp(v->seen.phases[i].name, name) == 0)
			return (int)i;
	if (v->seen.phase_count == PHASES_MAX) {
		rank_error(v, 0, VMPI_ERR_ARG, "phase '%.32s': expected at most %d different names", name,
			   PHASES_MAX - 1);
		return -1;
	}
	return add_phase(v, name);
}

/* Adds the first phase, for ranks in no phase. */
static int begin_phases(struct vmpi *v)
{
	v->seen.phases = mem_alloc(PHASES_MAX, sizeof(*v->seen.phases), &v->err);
	if (v->seen.phases)
		return add_phase(v, "");
	rank_stop(v);
}

void phase_enter(struct vmpi *v, struct rank *r, const char *name)
{
	const struct vmpi_observer *o = v->setup.observer;
	uint32_t i = r->world;
	int phase = v->seen.phases || begin_phases(v) == 0 ? phase_lookup(v, name) : -1;

	if (phase < 0)
		return;
	v->seen.phases[r->phase].of[i] = phase_share(v, i, r->phase);
	r->mark = rank_share(v, i);
	r->phase = (uint16_t)phase;
	if (o && o->phase)
		o->phase(o->user, i, r->now, v->seen.phases[phase].name);
}

/* ---- vmpi.h ---- */

unsigned vmpi_phases(const struct vmpi *v)
{
	return v->seen.phase_count;
}

const char *vmpi_phase_name(const struct vmpi *v, unsigned phase)
{
	return *v->seen.phases[phase].name ? v->seen.phases[phase].name : "-";
}

struct vmpi_activity vmpi_activity(const struct vmpi *v, uint32_t rank, uint32_t phase)
{
	struct phase_share s = phase == VMPI_ALL_PHASES ? rank_share(v, rank) : phase_share(v, rank, phase);

	return (struct vmpi_activity){.time = s.time,
				      .computed = s.computed,
				      .waited = s.waited,
				      .modelled = s.modelled,
				      .asleep = s.asleep,
				      .joules = s.joules,
				      .memory_bytes = s.memory_bytes,
				      .flops = s.flops};
}

/* ---- several processes ---- */

/* A phase's results; its name follows, then the shares of the ranks there, in order. */
struct phase_results {
	struct step_order first;
	uint64_t name; /* bytes, with those that fill 8 */
};

static size_t name_bytes(const struct phase *p)
{
	return (strlen(p->name) + 8) / 8 * 8;
}

static char *write_phase(const struct vmpi *v, unsigned i, char *to)
{
	const struct phase *p = &v->seen.phases[i];
	struct phase_results head = {p->first, name_bytes(p)};

	memcpy(to, &head, sizeof(head));
	memset(to + sizeof(head), 0, head.name);
	memcpy(to + sizeof(head), p->name, strlen(p->name));
	to += sizeof(head) + head.name;
	for (uint32_t k = 0; k < v->size; k++) {
		struct phase_share share;

		if (!v->divided->here[k])
			continue;
		share = phase_share(v, k, i);
		memcpy(to, &share, sizeof(share));
		to += sizeof(share);
	}
	return to;
}

size_t phases_results(const struct vmpi *v, void *out)
{
	size_t bytes = sizeof(uint64_t), ranks = 0;
	char *to = out;

	for (uint32_t k = 0; k < v->size; k++)
		ranks += v->divided->here[k];
	for (unsigned i = 0; i < v->seen.phase_count; i++)
		bytes += sizeof(struct phase_results) + name_bytes(&v->seen.phases[i]) +
			 ranks * sizeof(struct phase_share);
	if (!to)
		return bytes;
	memcpy(to, &(uint64_t){v->seen.phase_count}, sizeof(uint64_t));
	to += sizeof(uint64_t);
	for (unsigned i = 0; i < v->seen.phase_count; i++)
		to = write_phase(v, i, to);
	return bytes;
}

enum { SHARES_FINAL = UINT16_MAX }; /* phase of a rank whose shares are complete */

/* Adds what the ranks here did in their phases until now, which are then in none. */
static void close_phases(struct vmpi *v)
{
	for (uint32_t k = 0; v->seen.phases && k < v->size; k++) {
		struct rank *r = &v->ranks[k];

		if (!v->divided->here[k] || r->phase == SHARES_FINAL)
			continue;
		v->seen.phases[r->phase].of[k] = phase_share(v, k, r->phase);
		r->phase = SHARES_FINAL;
	}
}

/* The number of the phase of another process, which is added if its name is new. -1: too many, or memory is short. */
static int join_phase(struct vmpi *v, const struct phase_results *p)
{
	const char *name = (const char *)(p + 1);
	int i = 0;

	while ((unsigned)i < v->seen.phase_count && strcmp(v->seen.phases[i].name, name) != 0)
		i++;
	if (i == PHASES_MAX)
		return -1;
	if ((unsigned)i == v->seen.phase_count) {
		i = add_phase(v, name);
		if (i < 0)
			return -1;
		v->seen.phases[i].first = p->first;
	}
	if (step_order_before(&p->first, &v->seen.phases[i].first))
		v->seen.phases[i].first = p->first;
	return i;
}

int phases_add(struct vmpi *v, unsigned from, const void *results)
{
	const char *at = results;
	uint64_t count;

	memcpy(&count, at, sizeof(count));
	at += sizeof(count);
	if (count && !v->seen.phases && begin_phases(v) < 0)
		return -1;
	close_phases(v);
	for (; count; count--) {
		const struct phase_results *p = (const void *)at;
		int phase = join_phase(v, p);

		if (phase < 0)
			return v->failed ? -1 : 1;
		at += sizeof(*p) + p->name;
		for (uint32_t k = 0; k < v->size; k++) {
			if (v->divided->partition.owner[v->ranks[k].node] != from)
				continue;
			memcpy(&v->seen.phases[phase].of[k], at, sizeof(struct phase_share));
			at += sizeof(struct phase_share);
			v->ranks[k].phase = SHARES_FINAL;
		}
	}
	return 0;
}

/* The first one, of ranks in no phase, stays; those of one turn are in the order in which its process named them. */
void phases_order(struct vmpi *v)
{
	close_phases(v);
	for (unsigned i = 2; i < v->seen.phase_count; i++)
		for (unsigned k = i; k > 1 && step_order_before(&v->seen.phases[k].first, &v->seen.phases[k - 1].first);
		     k--) {
			struct phase swap = v->seen.phases[k];

			v->seen.phases[k] = v->seen.phases[k - 1];
			v->seen.phases[k - 1] = swap;
		}
}

void phases_finish(struct vmpi *v)
{
	for (unsigned i = 0; v->seen.phases && i < PHASES_MAX; i++) {
		free(v->seen.phases[i].name);
		free(v->seen.phases[i].of);
	}
	free(v->seen.phases);
}
