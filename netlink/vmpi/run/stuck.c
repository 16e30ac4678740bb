/* Describes a deadlock: which rank waits for which, and where. */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../host/loaded.h"
#include "../host/mpi_program.h"
#include "../host/rank_thread.h"
#include "../message/message.h"
#include "stuck.h"

static uint32_t world_of(const struct vmpi *v, const struct rank *r, VMPI_Comm comm, int32_t peer)
{
	const struct comm *c = comm_find(&v->comms, comm);

	return !c || c->self ? r->world : group_world(comm_peers(c), (uint32_t)peer);
}

static struct want want_of_probe(const struct vmpi *v, const struct rank *r)
{
	const struct wait *w = r->wait;
	struct want want = {.known = true, .tag = w->tag, .any = w->source == VMPI_ANY_SOURCE};

	if (!want.any)
		want.peer = world_of(v, r, w->comm, w->source);
	return want;
}

/* Messages of collective operations have no tag that the program knows. */
static bool in_collective(const struct vmpi *v, const struct request *q)
{
	const struct comm *c = comm_find(&v->comms, q->comm);

	return c && q->ctx != c->ctx;
}

struct want stuck_want(struct vmpi *v, const struct rank *r)
{
	uint32_t own = r->world;

	if (r->state != RANK_WAITING || !r->wait || globals_enter(&v->loaded->globals, own, NULL) < 0)
		return (struct want){0};
	if (r->wait->kind == WAIT_PROBE)
		return want_of_probe(v, r);
	for (int i = 0; i < r->wait->count; i++) {
		VMPI_Request handle = r->wait->requests[i];
		const struct request *q;

		if (handle <= 0 || (uint32_t)handle >= v->msg.requests.made)
			continue;
		q = request_at(v, (uint32_t)handle);
		if (q->state != REQUEST_PENDING || q->rank != own)
			continue;
		if (q->kind >= REQUEST_COLLECTIVE)
			return (struct want){0};
		if (q->peer == VMPI_ANY_SOURCE)
			return (struct want){.known = true, .any = true, .tag = q->tag};
		return (struct want){.known = true,
				     .send = q->kind == REQUEST_SEND,
				     .tag = in_collective(v, q) ? -1 : q->tag,
				     .peer = world_of(v, r, q->comm, q->peer)};
	}
	return (struct want){0};
}

/* ---- several processes ---- */

/* Returns the wait of rank `i`. */
static struct want known_want(struct vmpi *v, uint32_t i)
{
	if (v->divided && v->divided->wants && (v->divided->wants_own || rank_is_away(v, i)))
		return v->divided->wants[i];
	return stuck_want(v, &v->ranks[i]);
}

/* The waits of other ranks are known in their processes; addresses count from the program's. */
struct away_wait {
	struct want want;
	uint64_t where;
	int32_t status;
	uint16_t call;
	uint8_t state;
};

/* The threads here that wait, besides those of main: writes them to `to` (NULL: nothing), and returns their number. */
static size_t thread_waits(struct vmpi *v, struct thread_wait *to)
{
	size_t count = 0;

	for (uint32_t i = 0; v->threads && i < v->size; i++)
		for (const struct rank *r = NULL; (r = thread_next(v, i, r));) {
			if (r->state != RANK_WAITING)
				continue;
			if (to)
				to[count] = (struct thread_wait){
					.want = stuck_want(v, r),
					.where = r->where ? (uintptr_t)r->where - program_base(v) : 0,
					.rank = i,
					.number = (uint32_t)count,
					.call = r->call,
				};
			count++;
		}
	return count;
}

size_t vmpi_waits(struct vmpi *v, void *out)
{
	struct away_wait *to = out;
	size_t count = 0;

	for (uint32_t i = 0; i < v->size; i++) {
		const struct rank *r = &v->ranks[i];

		if (rank_is_away(v, i))
			continue;
		if (to)
			to[count] = (struct away_wait){
				.want = known_want(v, i),
				.where = r->where ? (uintptr_t)r->where - program_base(v) : 0,
				.status = r->status,
				.call = r->call,
				.state = r->state,
			};
		count++;
	}
	return count * sizeof(*to) + thread_waits(v, to ? (void *)&to[count] : NULL) * sizeof(struct thread_wait);
}

static int add_threads(struct vmpi *v, const struct thread_wait *w, const void *end, struct err *e)
{
	for (; w != end; w++) {
		struct thread_wait *to = vec_push(&v->divided->threads, e);

		if (!to)
			return -1;
		*to = *w;
	}
	return 0;
}

int vmpi_add_waits(struct vmpi *v, unsigned from, const void *waits, size_t bytes, struct err *e)
{
	const struct away_wait *w = waits;

	if (!v->divided->wants)
		v->divided->wants = mem_alloc(v->size, sizeof(*v->divided->wants), e);
	if (!v->divided->wants)
		return -1;
	for (uint32_t i = 0; i < v->size; i++) {
		struct rank *r = &v->ranks[i];

		if (v->divided->partition.owner[r->node] != from)
			continue;
		v->divided->wants[i] = w->want;
		r->where = w->where ? (const void *)(uintptr_t)(w->where + program_base(v)) : NULL;
		r->status = w->status;
		r->call = w->call;
		r->state = w->state;
		v->ended += v->divided->wants_own && w->state == RANK_ENDED;
		w++;
	}
	return add_threads(v, (const void *)w, (const char *)waits + bytes, e);
}

/* Writes "MPI_Recv from rank 2, tag 5, at main (x.c:12)". */
static void stuck_describe(struct vmpi *v, const struct rank *r, const struct want *w, char *text, size_t size)
{
	char place[128], tag[32] = "", peer[48] = "any rank";

	rank_place(v, r->world, r->where, place, sizeof(place));
	if (!w->any)
		snprintf(peer, sizeof(peer), "rank %u%s", w->peer,
			 v->ranks[w->peer].state == RANK_ENDED ? " (which has ended)" : "");
	if (w->tag >= 0)
		snprintf(tag, sizeof(tag), ", tag %d", w->tag);
	if (!w->known)
		snprintf(text, size, "in %s at %s", call_name(v, r->call), place);
	else
		snprintf(text, size, "in %s at %s: %s %s%s", call_name(v, r->call), place,
			 w->send ? "unreceived send to" : "receive from", peer, tag);
}

/* The rank that a rank waits for; -1: none. */
static int64_t next_of(const struct want *wants, uint32_t i)
{
	return wants[i].known && !wants[i].any ? (int64_t)wants[i].peer : -1;
}

/* Returns a rank on a cycle of the wait-for graph; -1: there is none. */
static int64_t stuck_find_cycle(const struct vmpi *v, const struct want *wants, uint32_t *mark)
{
	for (uint32_t first = 0; first < v->size; first++) {
		int64_t at = first;

		while (at >= 0 && !mark[at]) {
			mark[at] = first + 1;
			at = next_of(wants, (uint32_t)at);
		}
		if (at >= 0 && mark[at] == first + 1)
			return at;
	}
	return -1;
}

static unsigned print_cycle(struct vmpi *v, const struct want *wants, uint32_t start, FILE *out, unsigned lines)
{
	uint32_t length = 1;
	unsigned used = 1;
	int64_t at = start;
	char text[400];

	while ((at = next_of(wants, (uint32_t)at)) != start)
		length++;
	if (length == 1)
		fprintf(out, "rank %u waits for itself:\n", start);
	else
		fprintf(out, "%u ranks wait for each other:\n", length);
	do {
		uint32_t i = (uint32_t)at;

		if (used + 1 >= lines && length > lines - 1) {
			fprintf(out, "  ... and %u more\n", length - (used - 1));
			return used + 1;
		}
		stuck_describe(v, &v->ranks[i], &wants[i], text, sizeof(text));
		fprintf(out, "  rank %u %s\n", i, text);
		used++;
		at = next_of(wants, i);
	} while (at != start);
	return used;
}

/*
 * Ranks that wait in the same call at the same place, for the same distance or the same peer, are reported together.
 */
static bool stuck_alike(const struct vmpi *v, const struct want *wants, uint32_t a, uint32_t b)
{
	const struct want *p = &wants[a], *q = &wants[b];

	return v->ranks[a].call == v->ranks[b].call && v->ranks[a].where == v->ranks[b].where && p->known == q->known &&
	       p->any == q->any && p->send == q->send && p->tag == q->tag &&
	       (p->peer == q->peer || p->peer - a == q->peer - b);
}

static void print_groups(struct vmpi *v, const struct want *wants, FILE *out, unsigned lines)
{
	char text[400];
	uint32_t listed = 0;

	for (uint32_t i = 0; i < v->size && lines; i++) {
		uint32_t last = i;

		if (v->ranks[i].state != RANK_WAITING)
			continue;
		while (last + 1 < v->size && v->ranks[last + 1].state == RANK_WAITING &&
		       stuck_alike(v, wants, i, last + 1))
			last++;
		stuck_describe(v, &v->ranks[i], &wants[i], text, sizeof(text));
		listed += last - i + 1;
		if (lines == 1 && listed < v->size - v->ended) {
			fprintf(out, "  ... and %u ranks more\n", v->size - v->ended - listed + last - i + 1);
			return;
		}
		if (last == i)
			fprintf(out, "  rank %u %s\n", i, text);
		else
			fprintf(out, "  ranks %u to %u, the first %s\n", i, last, text);
		i = last;
		lines--;
	}
}

static int by_rank(const void *a, const void *b)
{
	const struct thread_wait *p = a, *q = b;

	if (p->rank != q->rank)
		return p->rank < q->rank ? -1 : 1;
	return p->number < q->number ? -1 : p->number > q->number;
}

/* The threads that wait besides that of main, of all processes. */
static void print_threads(struct vmpi *v, FILE *out, unsigned lines)
{
	size_t here = thread_waits(v, NULL), away = v->divided ? v->divided->threads.count : 0, count = here + away;
	struct thread_wait *w = count ? mem_alloc(count, sizeof(*w), NULL) : NULL;
	size_t shown = count < lines ? count : lines > 1 ? lines - 1 : 0;
	char text[400];

	if (!w)
		return;
	thread_waits(v, w);
	if (away)
		memcpy(w + here, v->divided->threads.at, away * sizeof(*w));
	qsort(w, count, sizeof(*w), by_rank);
	for (size_t i = 0; i < shown; i++) {
		const void *where = w[i].where ? (const void *)(uintptr_t)(w[i].where + program_base(v)) : NULL;
		const struct rank r = {.world = w[i].rank, .where = where, .call = w[i].call};

		stuck_describe(v, &r, &w[i].want, text, sizeof(text));
		fprintf(out, "  rank %u, a thread: %s\n", w[i].rank, text);
	}
	if (shown < count)
		fprintf(out, "  ... and %zu threads more\n", count - shown);
	free(w);
}

void vmpi_stuck(struct vmpi *v, FILE *out, unsigned lines)
{
	struct want *wants = mem_alloc(v->size, sizeof(*wants), NULL);
	uint32_t *mark = mem_alloc(v->size, sizeof(*mark), NULL);
	int64_t cycle;

	if (!wants || !mark) {
		free(wants);
		free(mark);
		return;
	}
	for (uint32_t i = 0; i < v->size; i++)
		wants[i] = known_want(v, i);
	cycle = stuck_find_cycle(v, wants, mark);
	if (cycle >= 0)
		print_cycle(v, wants, (uint32_t)cycle, out, lines);
	else
		print_groups(v, wants, out, lines);
	print_threads(v, out, lines);
	free(wants);
	free(mark);
}
