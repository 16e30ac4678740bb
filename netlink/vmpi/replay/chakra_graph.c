/*
 * Nodes of a rank's trace become a graph of operations. A rank has a CPU, a GPU, a stream of communication, memory, and
 * a place of what nothing waits for, as receives: each is a CPU of the graph.
 */
#include <string.h>

#include "../../../psim/base/mem.h"
#include "chakra_parts.h"

/* ps of an operation: of 10^12 us, or as much of a roofline. */
#define CHAKRA_PS_MAX INT64_C(1000000000000000000)
#define CHAKRA_MICROS_MAX (UINT64_C(1000000000000))

/* ---- computation ---- */

/* Time of a kernel whose operations and bytes the node has: whichever takes longer (Williams et al., 2009). */
static int roofline(struct chakra *c, double operations, double bytes, uint64_t *ps)
{
	double peak = c->cfg->machine.peak, memory = c->cfg->chakra.memory, seconds;

	if ((operations > 0 && peak <= 0) || (bytes > 0 && memory <= 0))
		return chakra_wrong(c, "kernels by a roofline: expected machine.peak and chakra.memory");
	seconds = operations > 0 ? operations / peak : 0;
	if (bytes > 0 && bytes / memory > seconds)
		seconds = bytes / memory;
	if (!(seconds * 1e12 < (double)CHAKRA_PS_MAX))
		return chakra_wrong(c, "a kernel of %g seconds, expected at most 1e6", seconds);
	*ps = (uint64_t)(seconds * 1e12 + 0.5);
	return 0;
}

static int set_node_time(struct chakra *c, struct goal_op *op, bool memory)
{
	const struct chakra_node *n = &c->node;
	bool counted = memory ? n->tensor_size.given : n->num_ops.given || n->tensor_size.given;

	op->type = GOAL_CALC;
	if (n->micros > CHAKRA_MICROS_MAX)
		return chakra_wrong(c, "%llu us: expected at most 10^12", (unsigned long long)n->micros);
	op->size = n->micros * 1000000;
	if (c->cfg->chakra.kernels == CHAKRA_KERNELS_RECORDED || n->is_cpu_op.value || !counted)
		return 0;
	return roofline(c, memory ? 0 : (double)n->num_ops.value, (double)n->tensor_size.value, &op->size);
}

/* ---- communication ---- */

static int set_node_message(struct chakra *c, struct goal_op *op, bool send)
{
	const struct chakra_node *n = &c->node;
	const struct chakra_number *peer = send ? &n->comm_dst : &n->comm_src,
				   *own = send ? &n->comm_src : &n->comm_dst;

	op->type = send ? GOAL_SEND : GOAL_RECV;
	if (!n->comm_size.given || !peer->given)
		return chakra_wrong(c, "no %s, expected it of a message",
				    n->comm_size.given ? (send ? "comm_dst" : "comm_src") : "comm_size");
	if (own->given && own->value != c->rank)
		return chakra_wrong(c, "%s %lld: expected %u, the rank of the file", send ? "comm_src" : "comm_dst",
				    (long long)own->value, c->rank);
	if (peer->value >= c->goal->ranks)
		return chakra_wrong(c, "%s %lld: expected 0 to %u", send ? "comm_dst" : "comm_src",
				    (long long)peer->value, c->goal->ranks - 1);
	if ((uint64_t)n->comm_size.value > GOAL_SIZE_MAX)
		return chakra_wrong(c, "comm_size %lld: expected at most %llu", (long long)n->comm_size.value,
				    (unsigned long long)GOAL_SIZE_MAX);
	op->size = (uint64_t)n->comm_size.value;
	op->peer = (uint32_t)peer->value;
	op->tag = (uint32_t)n->comm_tag.value;
	return 0;
}

/* The operation joins those of its group when all nodes are sorted: until then `peer` is the group, `tag` the root. */
static int set_node_collective(struct chakra *c, struct goal_op *op)
{
	const struct chakra_node *n = &c->node;
	int64_t group = chakra_group(c);
	uint64_t ranks;

	if (group < 0)
		return -1;
	ranks = c->goal->groups.at[group].size;
	if (!n->comm_type.given)
		return chakra_wrong(c, "no comm_type, expected that of the collective operation");
	if (n->comm_type.value >= GOAL_COLLECTIVE_KINDS)
		return chakra_wrong(c, "comm_type %lld: unknown, expected 0 to %d", (long long)n->comm_type.value,
				    GOAL_COLLECTIVE_KINDS - 1);
	if (!n->comm_size.given && n->comm_type.value != GOAL_BARRIER)
		return chakra_wrong(c, "no comm_size, expected the bytes that a rank gives");
	if ((uint64_t)n->comm_size.value > GOAL_COLLECTIVE_MAX / ranks)
		return chakra_wrong(c, "comm_size %lld: expected at most %llu for %llu ranks",
				    (long long)n->comm_size.value, (unsigned long long)(GOAL_COLLECTIVE_MAX / ranks),
				    (unsigned long long)ranks);
	if ((uint64_t)n->root.value >= ranks)
		return chakra_wrong(c, "root %lld: expected 0 to %llu", (long long)n->root.value,
				    (unsigned long long)ranks - 1);
	*op = (struct goal_op){.type = GOAL_COLL,
			       .cpu = CHAKRA_STREAM,
			       .nic = (uint8_t)n->comm_type.value,
			       .size = (uint64_t)n->comm_size.value,
			       .peer = (uint32_t)group,
			       .tag = (uint32_t)n->root.value,
			       .line = op->line};
	return 0;
}

/* ---- nodes ---- */

/* The host's part of communication is a computation of the recorded time. */
static int set_operation(struct chakra *c, struct goal_op *op)
{
	int64_t type = c->node.type;

	op->cpu = c->node.is_cpu_op.value ? CHAKRA_CPU : CHAKRA_GPU;
	switch (type) {
	case CHAKRA_METADATA:
	case CHAKRA_INVALID:
		op->cpu = CHAKRA_OTHER;
		op->type = GOAL_CALC;
		return type == CHAKRA_METADATA ? chakra_read_process_groups(c) : 0;
	case CHAKRA_COMP: return set_node_time(c, op, false);
	case CHAKRA_MEM_LOAD:
	case CHAKRA_MEM_STORE: op->cpu = CHAKRA_MEMORY; return set_node_time(c, op, true);
	case CHAKRA_SEND:
	case CHAKRA_RECV:
	case CHAKRA_COLL:
		if (c->node.is_cpu_op.value)
			return set_node_time(c, op, false);
		op->cpu = type == CHAKRA_RECV ? CHAKRA_OTHER : CHAKRA_STREAM;
		return type == CHAKRA_COLL ? set_node_collective(c, op) : set_node_message(c, op, type == CHAKRA_SEND);
	default: return chakra_wrong(c, "type %lld: unknown, expected 0 to %d", (long long)type, CHAKRA_TYPES - 1);
	}
}

static int add_deps(struct chakra *c, const uint64_t *from, size_t count, uint32_t to, bool control)
{
	if (vec_reserve(&c->deps, count, c->e) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		c->deps.at[c->deps.count++] = (struct chakra_dep){from[i], to, control};
	return 0;
}

int chakra_end_node(struct chakra *c)
{
	struct chakra_node *n = &c->node;
	uint32_t number = (uint32_t)c->ops.count;
	struct goal_op op = {.line = n->id < UINT32_MAX ? (uint32_t)n->id : UINT32_MAX}, *added;
	struct chakra_id *id;

	if (number == GOAL_OPS_MAX)
		return chakra_wrong(c, "more than %u nodes, expected fewer", GOAL_OPS_MAX);
	if (set_operation(c, &op) < 0)
		return -1;
	added = vec_push(&c->ops, c->e);
	id = vec_push(&c->ids, c->e);
	if (!added || !id)
		return -1;
	*added = op;
	*id = (struct chakra_id){n->id, number};
	if (c->cfg->chakra.dependencies == CHAKRA_DEPENDENCIES_ALL &&
	    add_deps(c, n->ctrl_deps.at, n->ctrl_deps.count, number, true) < 0)
		return -1;
	c->in_node = false;
	return add_deps(c, n->data_deps.at, n->data_deps.count, number, false);
}

/* ---- the graph ---- */

static int compare_ids(const void *a, const void *b)
{
	const struct chakra_id *x = a, *y = b;

	return x->id != y->id ? (x->id < y->id ? -1 : 1) : x->number < y->number ? -1 : 1;
}

static const struct chakra_id *find_id(const struct chakra *c, uint64_t id)
{
	size_t from = 0, to = c->ids.count;

	while (from < to) {
		size_t i = from + (to - from) / 2;

		if (c->ids.at[i].id == id)
			return &c->ids.at[i];
		if (c->ids.at[i].id < id)
			from = i + 1;
		else
			to = i;
	}
	return NULL;
}

/* Sorts the operations by their nodes' ids, in whose order ASTRA-sim, too, begins those that are ready. */
static int sort_nodes(struct chakra *c)
{
	size_t count = c->ops.count;

	if (count)
		qsort(c->ids.at, count, sizeof(*c->ids.at), compare_ids);
	c->sorted.count = 0;
	if (vec_reserve(&c->sorted, count, c->e) < 0)
		return -1;
	c->sorted.count = count;
	for (size_t i = 0; i < count; i++) {
		if (i && c->ids.at[i].id == c->ids.at[i - 1].id)
			return chakra_wrong(c, "two nodes of id %llu, expected one",
					    (unsigned long long)c->ids.at[i].id);
		c->sorted.at[i] = c->ops.at[c->ids.at[i].number];
	}
	return 0;
}

/* The collective operations join those of their groups, in the order of ids. */
static int add_collectives(struct chakra *c)
{
	for (size_t i = 0; i < c->sorted.count; i++) {
		struct goal_op *op = &c->sorted.at[i];
		const struct goal_collective what = {.group = op->peer, .root = op->tag, .kind = op->nic};
		int64_t at;

		if (op->type != GOAL_COLL)
			continue;
		at = goal_collective_add(c->goal, c->rank, &what, op->size, c->e);
		if (at < 0)
			return err_prefix(c->e, "%s:node %llu", c->path, (unsigned long long)c->ids.at[i].id);
		op->peer = (uint32_t)at;
		op->nic = 0;
		op->tag = 0;
	}
	return 0;
}

/* `place`: by number in the file, that among the sorted ones. */
static int add_chakra_edges(struct chakra *c, const uint32_t *place)
{
	c->edges.count = 0;
	if (vec_reserve(&c->edges, c->deps.count, c->e) < 0)
		return -1;
	for (size_t i = 0; i < c->deps.count; i++) {
		const struct chakra_dep *d = &c->deps.at[i];
		const struct chakra_id *from = find_id(c, d->from);
		uint32_t to = place[d->to];

		if (!from)
			return chakra_wrong(c, "node %llu requires node %llu by %s, expected one of the file's%s",
					    (unsigned long long)c->ids.at[to].id, (unsigned long long)d->from,
					    d->control ? "ctrl_deps" : "data_deps",
					    d->control ? ", or chakra.dependencies=data" : "");
		c->edges.at[c->edges.count++] = (struct goal_edge){(uint32_t)(from - c->ids.at), to};
	}
	return 0;
}

/* Fails if operations never begin: those of a cycle, and what requires them. `left` has room for all. */
static int check_cycles(const struct chakra *c, const struct goal_rank *r, uint32_t *left, uint32_t *ready)
{
	uint32_t count = 0, i = 0;

	for (uint32_t k = 0; k < r->count; k++) {
		left[k] = r->ops[k].left;
		if (!left[k])
			ready[count++] = k;
	}
	for (uint32_t next = 0; next < count; next++)
		for (uint32_t k = r->ops[ready[next]].edges; k < r->ops[ready[next] + 1].edges; k++)
			if (--left[r->edges[k]] == 0)
				ready[count++] = r->edges[k];
	if (count == r->count)
		return 0;
	while (!left[i])
		i++;
	return chakra_wrong(c, "node %llu and %u more never begin: what they require is a cycle, expected none",
			    (unsigned long long)c->ids.at[i].id, r->count - count - 1);
}

/* With memory for two numbers by node. */
static int make_rank_graph(struct chakra *c, uint32_t *numbers)
{
	uint32_t count = (uint32_t)c->ops.count;

	for (uint32_t i = 0; i < count; i++)
		numbers[c->ids.at[i].number] = i;
	if (add_collectives(c) < 0 || add_chakra_edges(c, numbers) < 0 ||
	    goal_set_rank(c->goal, c->rank, c->sorted.at, count, c->edges.at, c->edges.count, c->e) < 0)
		return -1;
	return check_cycles(c, &c->goal->rank[c->rank], numbers, numbers + count);
}

int chakra_end_rank(struct chakra *c)
{
	uint32_t *numbers;
	int ret;

	c->in_node = false;
	if (sort_nodes(c) < 0)
		return -1;
	numbers = mem_alloc(2 * c->ops.count + 1, sizeof(*numbers), c->e);
	if (!numbers)
		return -1;
	ret = make_rank_graph(c, numbers);
	free(numbers);
	c->ops.count = c->ids.count = c->deps.count = c->names.count = 0;
	return ret;
}
