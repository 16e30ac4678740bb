/*
 * Reads GOAL schedules in the binary form of LogGOPSim (Parser.hpp, Graph::serialize_mmap), little-endian and without
 * padding:
 *
 *     u64 magic | u32 ranks | u8 highest CPU | u8 highest NIC | for each rank: u64 begin, u64 end of its graph
 *
 * both counted from behind the magic number. A graph:
 *
 *     u32 operations | u32 roots | u32 root[] | operation[] | u32 target[]
 *     operation: u32 operations it waits for | u8 type | u32 peer | u64 size | u32 tag | u8 CPU | u8 NIC |
 *                u32 number, u32 first target of those that wait for its end | the same of its begin
 *
 * Graphs follow each other, and targets are in the order of the operations; files in which parts overlap are refused,
 * so that a small file needs little memory.
 */
#include <errno.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "replay_goal.h"
#include "replay_read.h"

enum { MAGIC_BYTES = 8, HEAD_BYTES = 6, BOUNDS_BYTES = 16, OP_BYTES = 39 };

struct goal_binary {
	FILE *file;
	struct goal *goal;
	struct err *e;
	const char *path;
	uint64_t bytes, end; /* of the file; of the graphs so far */
	uint32_t rank;       /* of the present graph */
	struct vec_of(struct goal_op) ops;
	struct vec_of(struct goal_edge) edges;
	struct vec_of(uint32_t) waits; /* by operation: what the file says it waits for */
};

static uint64_t little(const unsigned char *at, unsigned bytes)
{
	uint64_t value = 0;

	while (bytes-- > 0)
		value = value << 8 | at[bytes];
	return value;
}

__attribute__((format(printf, 2, 3))) static int binary_wrong(struct goal_binary *b, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	err_vset(b->e, STATUS_BAD_INPUT, format, ap);
	va_end(ap);
	return err_prefix(b->e, "%s:rank %u", b->path, b->rank);
}

static int read_bytes(struct goal_binary *b, unsigned char *to, size_t bytes)
{
	if (fread(to, 1, bytes, b->file) == bytes)
		return 0;
	return err_set(b->e, STATUS_BAD_INPUT, "%s: %s", b->path,
		       ferror(b->file) ? strerror(errno) : "the file ends early, expected a GOAL schedule");
}

static int go_to(struct goal_binary *b, uint64_t place)
{
	if (fseek(b->file, (long)place, SEEK_SET) == 0)
		return 0;
	return err_set(b->e, STATUS_BAD_INPUT, "%s: cannot be read at a place of its own: %s", b->path,
		       strerror(errno));
}

/* Appends the edges from operation `from`, of which the file says number and first target. */
static int add_goal_edges(struct goal_binary *b, uint32_t from, const unsigned char *at, uint32_t flag,
			  uint64_t targets)
{
	uint64_t number = little(at, 4), first = little(at + 4, 4);

	if (number && (first != b->edges.count || number > targets - first))
		return binary_wrong(
			b, "operation %u: its targets are %llu from number %llu, expected some from %zu to %llu", from,
			(unsigned long long)number, (unsigned long long)first, b->edges.count,
			(unsigned long long)targets);
	if (vec_reserve(&b->edges, number, b->e) < 0)
		return -1;
	for (uint64_t i = 0; i < number; i++)
		b->edges.at[b->edges.count++] = (struct goal_edge){from, flag};
	return 0;
}

static int read_binary_op(struct goal_binary *b, uint32_t i, uint64_t targets)
{
	unsigned char at[OP_BYTES];
	struct goal_op *op = vec_push(&b->ops, b->e);
	uint32_t *waits = vec_push(&b->waits, b->e);
	bool any;

	if (!op || !waits || read_bytes(b, at, sizeof(at)) < 0)
		return -1;
	*waits = (uint32_t)little(at, 4);
	*op = (struct goal_op){.type = at[4],
			       .peer = (uint32_t)little(at + 5, 4),
			       .size = little(at + 9, 8),
			       .tag = (uint32_t)little(at + 17, 4),
			       .cpu = at[21],
			       .nic = at[22],
			       .line = i};
	if (op->type < GOAL_SEND || op->type > GOAL_CALC)
		return binary_wrong(b, "operation %u: type %u, expected 1 to 3", i, op->type);
	any = op->type == GOAL_CALC || (op->type == GOAL_RECV && op->peer == GOAL_ANY);
	if (!any && op->peer >= b->goal->ranks)
		return binary_wrong(b, "operation %u: peer %u, expected 0 to %u", i, op->peer, b->goal->ranks - 1);
	if (op->size > GOAL_SIZE_MAX)
		return binary_wrong(b, "operation %u: size %llu, expected at most %llu", i,
				    (unsigned long long)op->size, (unsigned long long)GOAL_SIZE_MAX);
	return add_goal_edges(b, i, at + 23, 0, targets) < 0 ? -1
							     : add_goal_edges(b, i, at + 31, GOAL_ON_START, targets);
}

static int read_targets(struct goal_binary *b)
{
	unsigned char at[4];

	for (size_t i = 0; i < b->edges.count; i++) {
		uint64_t to;

		if (read_bytes(b, at, sizeof(at)) < 0)
			return -1;
		to = little(at, 4);
		if (to >= b->ops.count)
			return binary_wrong(b, "a dependency of operation %llu, expected 0 to %zu",
					    (unsigned long long)to, b->ops.count - 1);
		b->edges.at[i].to |= (uint32_t)to;
	}
	return 0;
}

/* Reads the graph at `from`, of `bytes`. */
static int read_graph(struct goal_binary *b, uint64_t from, uint64_t bytes)
{
	unsigned char at[8] = {0};
	uint64_t count, roots, head;

	if (bytes < sizeof(at))
		return binary_wrong(b, "%llu bytes, expected 8 or more", (unsigned long long)bytes);
	if (go_to(b, from) < 0 || read_bytes(b, at, sizeof(at)) < 0)
		return -1;
	count = little(at, 4);
	roots = little(at + 4, 4);
	head = sizeof(at) + 4 * roots + OP_BYTES * count;
	if (head > bytes || count > GOAL_OPS_MAX)
		return binary_wrong(b, "%llu operations and %llu roots in %llu bytes, expected fewer",
				    (unsigned long long)count, (unsigned long long)roots, (unsigned long long)bytes);
	b->ops.count = b->edges.count = b->waits.count = 0;
	if (go_to(b, from + sizeof(at) + 4 * roots) < 0)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		if (read_binary_op(b, i, (bytes - head) / 4) < 0)
			return -1;
	if (read_targets(b) < 0 ||
	    goal_set_rank(b->goal, b->rank, b->ops.at, (uint32_t)count, b->edges.at, b->edges.count, b->e) < 0)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		if (b->goal->rank[b->rank].ops[i].left != b->waits.at[i])
			return binary_wrong(b, "operation %u: waits for %u others, expected the %u that name it", i,
					    b->waits.at[i], b->goal->rank[b->rank].ops[i].left);
	return 0;
}

static int read_graphs(struct goal_binary *b)
{
	for (b->rank = 0; b->rank < b->goal->ranks; b->rank++) {
		unsigned char at[BOUNDS_BYTES];
		uint64_t begin, end;

		if (go_to(b, MAGIC_BYTES + HEAD_BYTES + (uint64_t)BOUNDS_BYTES * b->rank) < 0 ||
		    read_bytes(b, at, sizeof(at)) < 0)
			return -1;
		begin = little(at, 8);
		end = little(at + 8, 8);
		if (begin < b->end || end < begin || end > b->bytes - MAGIC_BYTES)
			return binary_wrong(
				b, "its graph is from byte %llu to %llu, expected from %llu on, to at most %llu",
				(unsigned long long)begin, (unsigned long long)end, (unsigned long long)b->end,
				(unsigned long long)b->bytes - MAGIC_BYTES);
		b->end = end;
		if (read_graph(b, MAGIC_BYTES + begin, end - begin) < 0)
			return -1;
	}
	return 0;
}

static int read_head(struct goal_binary *b)
{
	unsigned char at[MAGIC_BYTES + HEAD_BYTES];
	uint64_t ranks, magic;
	long bytes;

	if (fseek(b->file, 0, SEEK_END) < 0 || (bytes = ftell(b->file)) < 0 || go_to(b, 0) < 0)
		return err_set(b->e, STATUS_BAD_INPUT, "%s: cannot be read at a place of its own: %s", b->path,
			       strerror(errno));
	b->bytes = (uint64_t)bytes;
	if (read_bytes(b, at, sizeof(at)) < 0)
		return -1;
	magic = little(at, MAGIC_BYTES);
	ranks = little(at + MAGIC_BYTES, 4);
	b->end = HEAD_BYTES + BOUNDS_BYTES * ranks;
	if (magic != GOAL_MAGIC)
		return err_set(b->e, STATUS_BAD_INPUT, "%s: magic number %llu, expected %d of a binary GOAL schedule",
			       b->path, (unsigned long long)magic, GOAL_MAGIC);
	if (ranks < 1 || ranks > REPLAY_RANKS_MAX || MAGIC_BYTES + b->end > b->bytes)
		return err_set(b->e, STATUS_BAD_INPUT, "%s: %llu ranks in %llu bytes, expected 1 to %d", b->path,
			       (unsigned long long)ranks, (unsigned long long)b->bytes, REPLAY_RANKS_MAX);
	b->goal = goal_create(b->path, (uint32_t)ranks, b->e);
	if (!b->goal)
		return -1;
	b->goal->places = GOAL_NUMBERS;
	return 0;
}

struct goal *goal_read_binary(FILE *file, const char *path, struct err *e)
{
	struct goal_binary b = {.file = file, .path = path, .e = e};

	if (read_head(&b) < 0 || read_graphs(&b) < 0) {
		goal_destroy(b.goal);
		b.goal = NULL;
	}
	vec_finish(&b.ops);
	vec_finish(&b.edges);
	vec_finish(&b.waits);
	return b.goal;
}
