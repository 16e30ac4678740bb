/* Events of ranks for the logs: states with their places in the program, phases, moments, messages. */
#include <stdlib.h>

#include "../../../psim/base/hash.h"
#include "../../../psim/base/mem.h"
#include "program_run.h"

enum { PLACES_FIRST = 64 };

/* ---- places ---- */

static struct run_place *place_in(struct run_place *at, uint32_t room, const void *where)
{
	uint64_t i = hash_place((uintptr_t)where, 32);

	while (at[i & (room - 1)].where && at[i & (room - 1)].where != where)
		i++;
	return &at[i & (room - 1)];
}

static int widen_places(struct run_places *p)
{
	uint32_t room = p->room ? 2 * p->room : PLACES_FIRST;
	struct run_place *at = mem_alloc(room, sizeof(*at), NULL);

	if (!at)
		return -1;
	for (uint32_t i = 0; i < p->room; i++)
		if (p->at[i].where)
			*place_in(at, room, p->at[i].where) = p->at[i];
	free(p->at);
	p->at = at;
	p->room = room;
	return 0;
}

/* Returns the text of a place, which lives as long as the run; NULL: unknown, or memory is short. */
static const char *place_text(struct run *run, const void *where)
{
	struct run_places *p = &run->places;
	struct run_place *to;
	char text[200];

	if (!where || (2 * p->count >= p->room && widen_places(p) < 0))
		return NULL;
	to = place_in(p->at, p->room, where);
	if (!to->where) {
		vmpi_where_text(run->vmpi, where, text, sizeof(text));
		to->text = mem_copy_text(text, NULL);
		to->where = to->text ? where : NULL;
		p->count += to->text != NULL;
	}
	return to->text;
}

void run_places_finish(struct run_places *p)
{
	for (uint32_t i = 0; i < p->room; i++)
		free(p->at[i].text);
	free(p->at);
	*p = (struct run_places){0};
}

/* ---- events ---- */

static void note_state(void *user, const struct vmpi_state *s)
{
	static const enum net_log_kind kinds[] = {
		[VMPI_STATE_CALLS] = NET_LOG_CALLS, [VMPI_STATE_COMPUTES] = NET_LOG_COMPUTES,
		[VMPI_STATE_ENDS] = NET_LOG_ENDS,   [VMPI_STATE_WAITS] = NET_LOG_WAITS,
		[VMPI_STATE_LAST] = NET_LOG_LAST,   [VMPI_STATE_CONTINUES] = NET_LOG_CONTINUES,
	};
	struct run *run = user;

	net_log_state(run->out.log, &(struct net_log_state){.kind = kinds[s->kind],
							    .rank = s->rank,
							    .node = s->node,
							    .time_ps = s->time,
							    .name = s->name,
							    .at = place_text(run, s->where)});
}

static void note_phase(void *user, uint32_t rank, int64_t time, const char *name)
{
	const struct run *run = user;

	if (run->analysis)
		analysis_phase(run->analysis, rank, time, name);
	if (run->out.log)
		net_log_phase(run->out.log, rank, run->machine.node_of[rank], time, *name ? name : NULL);
}

static void note_event(void *user, uint32_t rank, int64_t time, const char *name)
{
	const struct run *run = user;

	net_log_event(run->out.log, rank, run->machine.node_of[rank], time, name);
}

static void note_message(void *user, const struct vmpi_passing *m)
{
	const struct run *run = user;

	if (run->analysis)
		analysis_message(run->analysis, m);
	if (!run->out.log || !net_log_wants_events(run->out.log))
		return;
	net_log_arrow(run->out.log, &(struct net_log_arrow){.time_ps = m->time,
							    .serial = m->serial,
							    .bytes = m->bytes,
							    .src = m->src,
							    .dst = m->dst,
							    .node = run->machine.node_of[m->received ? m->dst : m->src],
							    .tag = m->tag,
							    .received = m->received});
}

void run_log_start(struct run *run)
{
	run->observer.phase = note_phase;
	if (inputs_have_page(&run->in))
		run->observer.message = note_message;
	if (!run->out.log || !net_log_wants_events(run->out.log))
		return;
	run->observer.state = note_state;
	run->observer.event = note_event;
	run->observer.message = note_message;
}
