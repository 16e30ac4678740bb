/*
 * Workloads of ASTRA-sim 1.0 as text: a policy, the number of layers, and a line for each layer. The order of a pass is
 * that of Workload.cc there (iterate_data_parallel and its like); groups are those of its decode_involved_dimensions. A
 * line: name, a number that is not used, then of the forward pass, of input gradients and of weight gradients each the
 * cycles of computation, kind and bytes of communication, last the cycles of the update behind each communication.
 */
#include <string.h>

#include "../../../psim/base/mem.h"
#include "chakra.h"
#include "chakra_parts.h"
#include "replay_read.h"

/* The ranks that communicate: those that differ in the first dimension, in the others, in any. */
enum across { ACROSS_NO, ACROSS_ALL, ACROSS_FIRST, ACROSS_REST };
enum form { FORM_MICRO, FORM_WEIGHTS_FIRST, FORM_INPUTS_FIRST, FORM_DLRM, FORM_DLRM_ENHANCED };

static const struct policy {
	const char *name, *word; /* word: before a number on the first line; NULL: none */
	enum form form;
	enum across forward, input, weight;
} policies[] = {
	{"MICRO", NULL, FORM_MICRO, ACROSS_NO, ACROSS_NO, ACROSS_ALL},
	{"DATA", NULL, FORM_WEIGHTS_FIRST, ACROSS_NO, ACROSS_NO, ACROSS_ALL},
	{"MODEL", NULL, FORM_INPUTS_FIRST, ACROSS_ALL, ACROSS_ALL, ACROSS_NO},
	{"HYBRID_DATA_MODEL", NULL, FORM_INPUTS_FIRST, ACROSS_FIRST, ACROSS_FIRST, ACROSS_REST},
	{"HYBRID_MODEL_DATA", NULL, FORM_INPUTS_FIRST, ACROSS_REST, ACROSS_REST, ACROSS_FIRST},
	{"HYBRID_TRANSFORMER", "model_parallel_NPU_group:", FORM_INPUTS_FIRST, ACROSS_FIRST, ACROSS_FIRST, ACROSS_REST},
	{"HYBRID_DLRM", "", FORM_DLRM, ACROSS_ALL, ACROSS_ALL, ACROSS_ALL},
	{"HYBRID_DLRM_ENHANCED", "", FORM_DLRM_ENHANCED, ACROSS_ALL, ACROSS_ALL, ACROSS_ALL},
};

/* Policies that ASTRA-sim has besides. */
static const char *const others[] = {"HYBRID_TRANSFORMER_FWD_IN_BCKWD", "HYBRID_CUSTOMIZED", "INFERENCE", "ALL"};

enum { LAYERS_MAX = 1 << 20, CYCLES_MAX = 1000000000, OP_NONE = -1 };

/* A phase of a layer. */
struct phase {
	uint64_t cycles, bytes;
	int kind; /* of communication; -1: none */
};
struct layer {
	struct phase forward, input, weight;
	uint64_t update; /* cycles */
	uint32_t line;
	int64_t weights; /* operation behind which the latest weights are there; OP_NONE: none */
};

struct workload {
	struct chakra c; /* groups, configuration, ranks */
	struct lines *lines;
	const struct policy *policy;
	uint64_t number; /* of the first line: ranks of a model, or the last bottom layer */
	struct vec_of(struct layer) layers;
	/* of every rank; `peer` of a collective operation is an enum across */
	struct vec_of(struct goal_op) ops;
	struct vec_of(struct goal_edge) edges;
	struct vec_of(uint32_t) waits; /* what the next computation requires */
	uint32_t line;                 /* of the present layer */
};

/* ---- lines ---- */

static const struct policy *policy_of(const char *text)
{
	size_t length = strcspn(text, " \t\r\n");

	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++)
		if (strlen(policies[i].name) == length && strncmp(policies[i].name, text, length) == 0)
			return &policies[i];
	return NULL;
}

static bool is_other(const char *text)
{
	size_t length = strcspn(text, " \t\r\n");

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strlen(others[i]) == length && strncmp(others[i], text, length) == 0)
			return true;
	return false;
}

bool astra_begins(const char *text)
{
	text += strspn(text, " \t");
	return policy_of(text) || is_other(text);
}

static int read_cycles(struct workload *w, char **rest, const char *what, uint64_t most, uint64_t *value)
{
	char *word = strtok_r(NULL, " \t\r\n", rest), *end;

	if (!word)
		return lines_wrong(w->lines, "no %s, expected a number", what);
	*value = strtoull(word, &end, 10);
	if (*word < '0' || *word > '9' || *end || *value > most)
		return lines_wrong(w->lines, "%s '%.40s': expected a number from 0 to %llu", what, word,
				   (unsigned long long)most);
	return 0;
}

static int read_kind(struct workload *w, char **rest, enum across across, const char *what, int *kind)
{
	static const struct {
		const char *name;
		int kind;
	} kinds[] = {{"NONE", -1},
		     {"ALLREDUCE", GOAL_ALL_REDUCE},
		     {"ALLTOALL", GOAL_ALL_TO_ALL},
		     {"ALLGATHER", GOAL_ALL_GATHER},
		     {"REDUCESCATTER", GOAL_REDUCE_SCATTER}};
	const char *word = strtok_r(NULL, " \t\r\n", rest);

	for (size_t i = 0; word && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].name, word) == 0) {
			*kind = kinds[i].kind;
			if (*kind >= 0 && across == ACROSS_NO)
				return lines_wrong(w->lines, "%s: %s in a workload of %s, expected NONE", what, word,
						   w->policy->name);
			return 0;
		}
	return lines_wrong(w->lines, "%s '%.40s': expected NONE, ALLREDUCE, ALLTOALL, ALLGATHER or REDUCESCATTER", what,
			   word ? word : "");
}

static int read_phase(struct workload *w, char **rest, enum across across, const char *what, struct phase *p)
{
	char name[80];

	snprintf(name, sizeof(name), "computation of %s", what);
	if (read_cycles(w, rest, name, CYCLES_MAX, &p->cycles) < 0)
		return -1;
	snprintf(name, sizeof(name), "communication of %s", what);
	if (read_kind(w, rest, across, name, &p->kind) < 0)
		return -1;
	snprintf(name, sizeof(name), "bytes of %s", what);
	return read_cycles(w, rest, name, GOAL_COLLECTIVE_MAX / w->c.goal->ranks, &p->bytes);
}

static int read_layer(struct workload *w, char *text)
{
	struct layer *l = vec_push(&w->layers, w->c.e);
	char *rest, *name = strtok_r(text, " \t\r\n", &rest);

	if (!l)
		return -1;
	*l = (struct layer){.line = w->lines->number, .weights = OP_NONE};
	if (!name || !strtok_r(NULL, " \t\r\n", &rest))
		return lines_wrong(w->lines, "expected a layer: its name, a number that is not used, and what it does");
	if (read_phase(w, &rest, w->policy->forward, "the forward pass", &l->forward) < 0 ||
	    read_phase(w, &rest, w->policy->input, "input gradients", &l->input) < 0 ||
	    read_phase(w, &rest, w->policy->weight, "weight gradients", &l->weight) < 0 ||
	    read_cycles(w, &rest, "cycles of the update", CYCLES_MAX, &l->update) < 0)
		return -1;
	if ((name = strtok_r(NULL, " \t\r\n", &rest)))
		return lines_wrong(w->lines, "'%.40s' behind the update, expected the end of the line", name);
	return 0;
}

/* Reads the next line that is not empty: 1; 0 at the end; -1 with the error. */
static int next_line(struct workload *w, char *text, int size)
{
	int ret;

	do {
		ret = lines_read(w->lines, text, size);
	} while (ret > 0 && !text[strspn(text, " \t\r\n")]);
	return ret;
}

static int read_first(struct workload *w, char *text)
{
	const char *expected = "expected MICRO, DATA, MODEL, HYBRID_DATA_MODEL, HYBRID_MODEL_DATA, HYBRID_TRANSFORMER, "
			       "HYBRID_DLRM or HYBRID_DLRM_ENHANCED";
	char *rest, *name = strtok_r(text, " \t\r\n", &rest), *word;

	w->policy = policy_of(name);
	if (!w->policy)
		return lines_wrong(w->lines, "policy '%.40s' of ASTRA-sim: not known here, %s", name, expected);
	if (w->policy->word && *w->policy->word) {
		word = strtok_r(NULL, " \t\r\n", &rest);
		if (!word || strcmp(word, w->policy->word) != 0)
			return lines_wrong(w->lines, "expected '%s NUMBER' behind %s", w->policy->word, name);
	}
	if (!w->policy->word)
		return 0;
	return read_cycles(w, &rest, *w->policy->word ? "ranks of a model" : "last bottom layer", LAYERS_MAX,
			   &w->number);
}

static int read_layers(struct workload *w, char *text, int size)
{
	uint64_t count = 0;
	char *end;
	int ret;

	if (read_first(w, text) < 0 || (ret = next_line(w, text, size)) < 0)
		return -1;
	if (ret > 0)
		count = strtoull(text, &end, 10);
	if (count < 1 || count > LAYERS_MAX || end[strspn(end, " \t\r\n")])
		return lines_wrong(w->lines, "expected the number of layers, from 1 to %d", LAYERS_MAX);
	while ((ret = next_line(w, text, size)) > 0)
		if (read_layer(w, text) < 0)
			return -1;
	if (ret == 0 && w->layers.count != count)
		return lines_wrong(w->lines, "%zu lines of layers, expected the %llu that line 2 names",
				   w->layers.count, (unsigned long long)count);
	if (ret == 0 && w->policy->form >= FORM_DLRM && w->number + 1 >= count)
		return lines_wrong(w->lines, "last bottom layer %llu: expected one with a layer behind it",
				   (unsigned long long)w->number);
	return ret;
}

/* ---- operations ---- */

static int64_t add_op(struct workload *w, const struct goal_op *op)
{
	struct goal_op *added = w->ops.count < GOAL_OPS_MAX ? vec_push(&w->ops, w->c.e) : NULL;

	if (!added)
		return w->ops.count < GOAL_OPS_MAX
			       ? -1
			       : lines_wrong(w->lines, "too many operations, expected fewer passes");
	*added = *op;
	added->line = w->line;
	return (int64_t)w->ops.count - 1;
}

static int require(struct workload *w, int64_t from, int64_t to)
{
	struct goal_edge *edge = vec_push(&w->edges, w->c.e);

	if (!edge)
		return -1;
	*edge = (struct goal_edge){(uint32_t)from, (uint32_t)to};
	return 0;
}

/* The next computation requires the operation; OP_NONE: nothing. */
static int await(struct workload *w, int64_t op)
{
	uint32_t *wait = op == OP_NONE ? NULL : vec_push(&w->waits, w->c.e);

	if (op != OP_NONE && !wait)
		return -1;
	if (wait)
		*wait = (uint32_t)op;
	return 0;
}

static uint64_t ps_of(const struct workload *w, uint64_t cycles)
{
	return cycles * (uint64_t)w->c.cfg->chakra.cycle;
}

/* Computes, once all that is awaited has ended; what comes next awaits it. */
static int64_t compute(struct workload *w, uint64_t cycles)
{
	int64_t op = add_op(w, &(struct goal_op){.type = GOAL_CALC, .cpu = CHAKRA_GPU, .size = ps_of(w, cycles)});

	for (size_t i = 0; op >= 0 && i < w->waits.count; i++)
		if (require(w, w->waits.at[i], op) < 0)
			return -1;
	w->waits.count = 0;
	return op < 0 || await(w, op) < 0 ? -1 : op;
}

/* Communicates behind a computation, and updates; *end: when that is done, OP_NONE without communication. */
static int communicate(struct workload *w, const struct layer *l, const struct phase *p, enum across across,
		       int64_t behind, int64_t *end)
{
	struct goal_op op = {
		.type = GOAL_COLL, .cpu = CHAKRA_STREAM, .nic = (uint8_t)p->kind, .size = p->bytes, .peer = across};

	*end = OP_NONE;
	if (p->kind < 0)
		return 0;
	*end = add_op(w, &op);
	if (*end < 0 || (behind != OP_NONE && require(w, behind, *end) < 0))
		return -1;
	if (!l->update)
		return 0;
	behind = *end;
	*end = add_op(w, &(struct goal_op){.type = GOAL_CALC, .cpu = CHAKRA_OTHER, .size = ps_of(w, l->update)});
	return *end < 0 ? -1 : require(w, behind, *end);
}

/* ---- a pass ---- */

static int forward_layer(struct workload *w, size_t i, int64_t *bottom)
{
	struct layer *l = &w->layers.at[i];
	bool dlrm = w->policy->form >= FORM_DLRM;
	int64_t op, end;

	w->line = l->line;
	if (await(w, l->weights) < 0 || (op = compute(w, l->forward.cycles)) < 0)
		return -1;
	if (dlrm && l->forward.kind != GOAL_ALL_TO_ALL)
		end = OP_NONE;
	else if (communicate(w, l, &l->forward, w->policy->forward, op, &end) < 0)
		return -1;
	if (dlrm && i == 0)
		*bottom = end;
	return await(w, !dlrm ? end : i == w->number ? *bottom : OP_NONE);
}

/* Input gradients, then weight gradients; the layer before begins when the former have arrived. */
static int inputs_first(struct workload *w, struct layer *l)
{
	int64_t op, inputs;

	if ((op = compute(w, l->input.cycles)) < 0 || communicate(w, l, &l->input, w->policy->input, op, &inputs) < 0 ||
	    (op = compute(w, l->weight.cycles)) < 0 ||
	    communicate(w, l, &l->weight, w->policy->weight, op, &l->weights) < 0)
		return -1;
	return await(w, inputs);
}

/* Weight gradients, then, but for the first layer, input gradients. */
static int weights_first(struct workload *w, size_t i, int64_t *bottom)
{
	struct layer *l = &w->layers.at[i], *first = &w->layers.at[0];
	int64_t op = compute(w, l->weight.cycles);

	if (op < 0 || communicate(w, l, &l->weight, w->policy->weight, op, &l->weights) < 0)
		return -1;
	if (i == 0)
		return await(w, w->policy->form == FORM_DLRM ? *bottom : OP_NONE);
	if ((op = compute(w, l->input.cycles)) < 0)
		return -1;
	if (w->policy->form < FORM_DLRM || i != w->number + 1)
		return 0;
	return communicate(w, first, &first->input, w->policy->input, op, bottom);
}

static int make_pass(struct workload *w)
{
	int64_t bottom = OP_NONE;

	for (size_t i = 0; i < w->layers.count; i++)
		if (forward_layer(w, i, &bottom) < 0)
			return -1;
	bottom = OP_NONE;
	for (size_t i = w->layers.count; i-- > 0;) {
		w->line = w->layers.at[i].line;
		if ((w->policy->form == FORM_INPUTS_FIRST ? inputs_first(w, &w->layers.at[i])
							  : weights_first(w, i, &bottom)) < 0)
			return -1;
	}
	return 0;
}

/* Only the communication of weight gradients. */
static int make_micro(struct workload *w)
{
	for (size_t i = 0; i < w->layers.count; i++) {
		struct layer *l = &w->layers.at[i];
		int64_t end;

		w->line = l->line;
		if (communicate(w, l, &l->weight, ACROSS_ALL, OP_NONE, &end) < 0)
			return -1;
	}
	return 0;
}

/* ---- ranks ---- */

static int set_dims(struct workload *w)
{
	struct chakra *c = &w->c;
	uint32_t ranks = c->goal->ranks;

	if (chakra_read_dims(c) < 0)
		return -1;
	if (w->policy->word && *w->policy->word) {
		if (!w->number || ranks % w->number)
			return lines_wrong(w->lines,
					   "a model of %llu ranks: expected a divisor of %u, the ranks of the run",
					   (unsigned long long)w->number, ranks);
		c->dims = 2;
		c->dim[0] = (uint32_t)w->number;
		c->dim[1] = ranks / c->dim[0];
	}
	if (w->policy->weight >= ACROSS_FIRST && c->dims < 2)
		return lines_wrong(w->lines,
				   "%s: expected chakra.dims with two sizes or more, of which the first is that of "
				   "its first word",
				   w->policy->name);
	return 0;
}

static int make_workload_rank(struct workload *w, uint32_t rank, struct goal_op *ops)
{
	struct chakra *c = &w->c;
	uint32_t all = (UINT32_C(1) << c->dims) - 1;
	int64_t group[] = {[ACROSS_ALL] = -1, [ACROSS_FIRST] = -1, [ACROSS_REST] = -1};
	const uint32_t mask[] = {[ACROSS_ALL] = all, [ACROSS_FIRST] = 1, [ACROSS_REST] = all & ~UINT32_C(1)};

	c->rank = rank;
	for (size_t i = 0; i < w->ops.count; i++) {
		uint32_t across = w->ops.at[i].peer;
		struct goal_collective what = {.kind = w->ops.at[i].nic};
		int64_t at;

		ops[i] = w->ops.at[i];
		if (ops[i].type != GOAL_COLL)
			continue;
		if (group[across] < 0 && (group[across] = chakra_group_of_dims(c, mask[across])) < 0)
			return -1;
		what.group = (uint32_t)group[across];
		if ((at = goal_collective_add(c->goal, rank, &what, ops[i].size, c->e)) < 0)
			return -1;
		ops[i].peer = (uint32_t)at;
		ops[i].nic = 0;
	}
	return goal_set_rank(c->goal, rank, ops, (uint32_t)w->ops.count, w->edges.at, w->edges.count, c->e);
}

static int make_workload(struct workload *w, char *text, int size)
{
	struct goal_op *ops;
	int ret = 0;

	if (read_layers(w, text, size) < 0 || set_dims(w) < 0)
		return -1;
	for (uint64_t i = 0; i < w->c.cfg->chakra.passes; i++)
		if ((w->policy->form == FORM_MICRO ? make_micro(w) : make_pass(w)) < 0)
			return -1;
	ops = mem_alloc(w->ops.count + 1, sizeof(*ops), w->c.e);
	for (uint32_t i = 0; ops && i < w->c.goal->ranks && ret == 0; i++)
		ret = make_workload_rank(w, i, ops);
	free(ops);
	return ops ? ret : -1;
}

struct goal *astra_read(struct lines *lines, char *text, int size, uint32_t ranks, const struct vmpi_config *cfg,
			struct err *e)
{
	struct workload w = {.c = {.cfg = cfg, .e = e}, .lines = lines};

	if (!ranks) {
		err_set(e, STATUS_USAGE, "%s: a workload of ASTRA-sim is for any ranks, expected -n RANKS",
			lines->name);
		return NULL;
	}
	w.c.goal = goal_create(lines->name, ranks, e);
	if (!w.c.goal)
		return NULL;
	w.c.goal->unit = 1;
	w.c.goal->by_number = true;
	w.c.goal->at_once = (uint32_t)cfg->chakra.streams;
	lines->err = e;
	if (make_workload(&w, text, size) < 0) {
		goal_destroy(w.c.goal);
		w.c.goal = NULL;
	}
	vec_finish(&w.layers);
	vec_finish(&w.ops);
	vec_finish(&w.edges);
	vec_finish(&w.waits);
	return w.c.goal;
}
