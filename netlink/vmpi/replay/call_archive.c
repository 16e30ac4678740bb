/*
 * Calls of a recording for an OTF2 archive. A rank's call is written when it has ended. Of several processes the first
 * one has the archive: the others hand over their ranks' calls, with what only their process knows, and the first one
 * writes all in the order of turns, which is that of one process.
 */
#include "call_archive.h"

#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../message/message.h"
#include "otf2_write.h"

struct archive_rank {
	char *begun; /* the line of the call under way; NULL: none */
	uint32_t request;
	uint64_t made;
	struct group *group;
	struct vec_of(struct archive_received) received;
};

struct call_archive {
	struct vmpi *v;
	struct archive_writer *writer; /* NULL: the first process has it */
	struct archive_rank *rank;
	struct vec_of(uint64_t) known; /* keys of communicators whose ranks this process has handed over */
};

/* A call on its way to the first process. Messages, members of a group, and the line follow. */
struct call_on_its_way {
	int64_t from, to;
	uint64_t made;
	uint32_t rank, call, request, received, members;
	bool has_group;
};

/* ---- a call under way ---- */

struct call_archive *call_archive_create(struct vmpi *v, const char *folder, struct err *e)
{
	struct call_archive *a = mem_alloc(1, sizeof(*a), e);
	char name[NODE_NAME_MAX];

	if (!a)
		return NULL;
	a->v = v;
	a->rank = mem_alloc(v->size, sizeof(*a->rank), e);
	if (a->rank && (!v->divided || !v->divided->partition.me))
		a->writer = archive_writer_create(folder, v->size, e);
	for (uint32_t i = 0; a->writer && i < v->size; i++)
		archive_writer_place(a->writer, i, v->ranks[i].node, rank_node_name(v, v->ranks[i].node, name));
	if (a->rank && (a->writer || (v->divided && v->divided->partition.me)))
		return a;
	call_archive_finish(a, true, NULL);
	return NULL;
}

int call_archive_line(struct call_archive *a, uint32_t rank, const char *line)
{
	struct archive_rank *r = &a->rank[rank];

	free(r->begun);
	r->begun = mem_copy_text(line, &a->v->err);
	return r->begun ? 0 : -1;
}

void call_archive_request(struct call_archive *a, uint32_t rank, uint32_t request)
{
	a->rank[rank].request = request;
}

void call_archive_made(struct call_archive *a, uint32_t rank, uint64_t key, struct group *group)
{
	a->rank[rank].made = key;
	a->rank[rank].group = group;
}

int call_archive_received(struct call_archive *a, uint32_t request, const struct request *q)
{
	struct archive_received *got = vec_push(&a->rank[a->v->current->world].received, &a->v->err);

	if (!got)
		return -1;
	*got = (struct archive_received){request, q->source, q->got_tag, q->bytes};
	return 0;
}

/* ---- a call that has ended ---- */

/* Returns whether the first process has the ranks of this communicator from here; notes it as known. */
static bool is_handed_over(struct call_archive *a, uint64_t key)
{
	uint64_t *new;

	for (size_t i = a->known.count; i > 0; i--)
		if (a->known.at[i - 1] == key)
			return true;
	new = vec_push(&a->known, NULL);
	if (new) /* else its ranks go there again */
		*new = key;
	return false;
}

static int call_hand_over(struct call_archive *a, const struct archive_call *call)
{
	const struct group *g = call->group && !is_handed_over(a, call->made) ? call->group : NULL;
	size_t received = call->received_count * sizeof(*call->received), length = strlen(call->line) + 1;
	size_t members = g ? g->size * sizeof(uint32_t) : 0;
	size_t bytes = sizeof(struct call_on_its_way) + received + members + length;
	struct call_on_its_way *way = mem_alloc(bytes, 1, &a->v->err);
	uint32_t *member;

	if (!way)
		return -1;
	*way = (struct call_on_its_way){
		.from = call->from,
		.to = call->to,
		.made = call->made,
		.rank = call->rank,
		.call = call->call,
		.request = call->request,
		.received = (uint32_t)call->received_count,
		.members = g ? g->size : 0,
		.has_group = g != NULL,
	};
	if (received)
		memcpy(way + 1, call->received, received);
	member = (uint32_t *)(void *)((char *)(way + 1) + received);
	for (uint32_t i = 0; i < way->members; i++)
		member[i] = group_world(g, i);
	memcpy(member + way->members, call->line, length);
	remote_write(a->v, WRITTEN_CALL, (const char *)way, bytes);
	free(way);
	return 0;
}

int call_archive_done(struct call_archive *a, int64_t from)
{
	const struct rank *at = a->v->current;
	struct archive_rank *r = &a->rank[at->world];
	const struct archive_call call = {
		.rank = at->world,
		.from = from,
		.to = at->now,
		.call = at->call,
		.line = r->begun,
		.request = r->request,
		.made = r->made,
		.group = r->group,
		.received = r->received.at,
		.received_count = r->received.count,
	};
	int ret = 0;

	if (call.line)
		ret = a->v->divided ? call_hand_over(a, &call) : archive_write_call(a->writer, &call, &a->v->err);
	free(r->begun);
	r->begun = NULL;
	r->received.count = 0;
	return ret;
}

void call_archive_pass(struct call_archive *a, const void *record)
{
	const struct call_on_its_way *way = record;
	const struct archive_received *received = (const void *)(way + 1);
	const uint32_t *member = (const void *)(received + way->received);
	struct archive_call call = {
		.rank = way->rank,
		.from = way->from,
		.to = way->to,
		.call = way->call,
		.line = (const char *)(member + way->members),
		.request = way->request,
		.made = way->made,
		.received = received,
		.received_count = way->received,
	};
	struct err e; /* the writer fails at its end too */

	if (way->has_group) {
		uint32_t *world = mem_alloc(way->members, sizeof(*world), &e);

		if (world)
			memcpy(world, member, way->members * sizeof(*world));
		call.group = world ? group_create(way->members, world, &e) : NULL;
	}
	archive_write_call(a->writer, &call, &e);
	group_drop(call.group);
}

/* ---- the end ---- */

void call_archive_ended(struct call_archive *a, uint32_t rank, int64_t time)
{
	if (a->writer)
		archive_write_end(a->writer, rank, time);
}

int call_archive_finish(struct call_archive *a, bool keep, struct err *e)
{
	int ret = a->writer ? archive_writer_finish(a->writer, keep, e) : 0;

	for (uint32_t i = 0; a->rank && i < a->v->size; i++) {
		free(a->rank[i].begun);
		vec_finish(&a->rank[i].received);
	}
	free(a->rank);
	vec_finish(&a->known);
	free(a);
	return ret;
}
