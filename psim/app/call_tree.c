#include "call_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/mem.h"
#include "../base/report/report.h"
#include "../base/vec.h"

enum {
	FRAMES_MAX = 1 << 20, /* calls that have not returned; of those beyond, the return is seen as a jump */
	NODES_MAX = 1 << 20,  /* functions called beyond are part of their callers */
};

/* Calls that have less of the run are no rows: pages of many functions would be large. */
static const double LEAST_SHARE = 0.0005;

/* Instructions of a block that are of one function. */
struct stretch {
	const struct trace_symbol *symbol;
	uint64_t address;
	uint32_t insns;
	double slots; /* of one execution */
};

struct stretches { /* of a block, kept as its `user` */
	struct stretches *older;
	uint32_t count;
	struct stretch at[];
};

struct frame {
	uint64_t back; /* where the call returns to */
	uint32_t node; /* the caller */
};

struct walk {
	struct call_tree *tree;
	const struct profile *profile;
	struct vec_of(struct frame) frames;
	struct stretches *stretches;
	uint32_t node; /* the function that is executed; 0: none yet */
	bool inside;   /* of the part that was simulated */
	uint64_t left; /* its instructions that are left */
	struct err *e;
};

/* ---- nodes ---- */
/* The active function `symbol`, `node` or one that has called it; 0: none. */
static uint32_t active_node(const struct call_tree *t, uint32_t node, const struct trace_symbol *symbol)
{
	while (node && t->nodes.at[node].symbol != symbol)
		node = t->nodes.at[node].parent;
	return node;
}

/* The callee `symbol` of a node, which becomes the first of its callees; a new one unless it has been called. */
static int callee(struct walk *w, uint32_t caller, const struct stretch *s, uint32_t *node)
{
	struct call_tree *t = w->tree;
	uint32_t before = 0, n = t->nodes.at[caller].child;

	while (n && t->nodes.at[n].symbol != s->symbol) {
		before = n;
		n = t->nodes.at[n].next;
	}
	if (n && before) {
		t->nodes.at[before].next = t->nodes.at[n].next;
	} else if (!n) {
		struct call_node *made = t->nodes.count < NODES_MAX ? vec_push(&t->nodes, w->e) : NULL;

		*node = caller;
		if (!made)
			return t->nodes.count < NODES_MAX ? -1 : 0;
		n = (uint32_t)t->nodes.count - 1;
		*made = (struct call_node){.symbol = s->symbol, .address = s->address, .parent = caller};
	}
	if (t->nodes.at[caller].child != n) {
		t->nodes.at[n].next = t->nodes.at[caller].child;
		t->nodes.at[caller].child = n;
	}
	*node = n;
	return 0;
}

/* Enters a function from `caller`; that of an active one is its recursion. */
static int enter_function(struct walk *w, uint32_t caller, const struct stretch *s, bool counts)
{
	uint32_t node = active_node(w->tree, caller, s->symbol);

	if (!node && callee(w, caller, s, &node) < 0)
		return -1;
	w->node = node;
	if (counts && w->inside)
		w->tree->nodes.at[node].calls++;
	return 0;
}

/* ---- blocks ---- */
static double slots_of(const struct profile *p, uint64_t pc)
{
	size_t n = profile_first(p, pc);

	if (n == p->count || p->insns[n].pc != pc || !p->insns[n].committed)
		return 0;
	return (double)profile_slots(&p->insns[n]) / (double)p->insns[n].committed;
}

/* Divides a block by function. NULL without memory. */
static const struct stretches *stretches_of(struct walk *w, struct trace_block *b)
{
	struct stretches *all = b->user;

	if (all)
		return all;
	all = mem_alloc(1, sizeof(*all) + b->count * sizeof(all->at[0]), w->e);
	if (!all)
		return NULL;
	*all = (struct stretches){.older = w->stretches};
	for (uint32_t n = 0; n < b->count; n++) {
		const uint64_t pc = b->pc + 4 * (uint64_t)n;
		const struct trace_symbol *symbol = trace_symbol_at(w->profile->info, pc);

		if (!n || all->at[all->count - 1].symbol != symbol)
			all->at[all->count++] = (struct stretch){.symbol = symbol, .address = pc};
		all->at[all->count - 1].insns++;
		all->at[all->count - 1].slots += slots_of(w->profile, pc);
	}
	b->user = w->stretches = all;
	return all;
}

/* The control transfer that ended a block, and its address; NULL: none. */
static const struct insn *last_transfer(const struct trace_block *b, uint64_t *pc)
{
	for (uint32_t n = b->count; n-- > 0 && n + 2 >= b->count;)
		if (b->insns[n].flags & INSN_CTI) {
			*pc = b->pc + 4 * (uint64_t)n;
			return &b->insns[n];
		}
	return NULL;
}

/* Returns to the caller that continues at `pc`; false: none does. */
static bool take_return(struct walk *w, uint64_t pc)
{
	for (size_t n = w->frames.count; n-- > 0;)
		if (w->frames.at[n].back == pc) {
			w->node = w->frames.at[n].node;
			w->frames.count = n;
			return true;
		}
	return false;
}

static int take_call(struct walk *w, uint64_t back, const struct stretch *s)
{
	struct frame *f = w->frames.count < FRAMES_MAX ? vec_push(&w->frames, w->e) : NULL;

	if (!f && w->frames.count < FRAMES_MAX)
		return -1;
	if (f)
		*f = (struct frame){back, w->node};
	return enter_function(w, w->node, s, true);
}

/* Goes on in another function without a call: as a tail call, in place of the present one. */
static int take_jump(struct walk *w, const struct stretch *s, bool counts)
{
	if (w->node && w->tree->nodes.at[w->node].symbol == s->symbol)
		return 0;
	return enter_function(w, w->frames.count ? w->frames.at[w->frames.count - 1].node : 0, s, counts && w->node);
}

/* Follows the control transfer at the end of block `before` to the function at the begin of the next one. */
static int follow_transfer(struct walk *w, const struct trace_block *before, uint64_t pc, const struct stretch *s)
{
	uint64_t at = 0;
	const struct insn *i = before ? last_transfer(before, &at) : NULL;
	bool call = i && i->flags & INSN_CALL && pc != at + 8, back = i && i->flags & INSN_RETURN;

	if (call)
		return take_call(w, at + 8, s);
	if (i && i->flags & INSN_INDIRECT && (back || w->tree->nodes.at[w->node].symbol != s->symbol) &&
	    take_return(w, pc))
		return 0;
	return take_jump(w, s, !back);
}

static int take_block(struct walk *w, const struct trace_block *before, struct trace_block *b, bool warm_up)
{
	const struct stretches *all = stretches_of(w, b);

	if (!all)
		return -1;
	for (uint32_t n = 0; n < all->count; n++) {
		const struct stretch *s = &all->at[n];
		struct call_node *node;

		if ((n ? take_jump(w, s, true) : follow_transfer(w, before, b->pc, s)) < 0)
			return -1;
		if (!w->inside || warm_up)
			continue;
		node = &w->tree->nodes.at[w->node];
		node->insns += s->insns;
		node->slots += s->slots;
		w->left -= s->insns < w->left ? s->insns : w->left;
	}
	return 0;
}

/* ---- the walk ---- */
static int walk_trace(struct walk *w, struct trace_reader *trace, const struct call_part *part)
{
	struct trace_block *before = NULL;
	struct trace_step step;
	unsigned depth = 0;
	int event;

	w->inside = !part->region;
	w->left = part->insns;
	while (w->left && (event = trace_next(trace, &step, w->e)) != TRACE_END) {
		if (event < 0)
			return -1;
		if (event == TRACE_RUN) {
			if (take_block(w, before, step.block, step.warm_up) < 0)
				return -1;
			before = step.block;
		} else if (part->region && strcmp(step.name, part->region) == 0) {
			depth += event == TRACE_REGION_BEGIN ? 1 : depth ? -1U : 0;
			w->inside = depth;
		}
	}
	return 0;
}

/* Sums each node's callees: a callee has a larger number than its caller. */
static void sum_callees(struct call_tree *t)
{
	for (size_t n = 0; n < t->nodes.count; n++) {
		t->nodes.at[n].all_insns = t->nodes.at[n].insns;
		t->nodes.at[n].all_slots = t->nodes.at[n].slots;
	}
	for (size_t n = t->nodes.count; n-- > 1;) {
		struct call_node *parent = &t->nodes.at[t->nodes.at[n].parent];

		parent->all_insns += t->nodes.at[n].all_insns;
		parent->all_slots += t->nodes.at[n].all_slots;
	}
}

int call_tree_make(struct call_tree *t, const struct profile *p, const struct call_part *part, struct err *e)
{
	struct walk w = {.tree = t, .profile = p, .e = e};
	struct trace_reader *trace = trace_open(part->path, e);
	struct call_node *root;
	int ret = -1;

	*t = (struct call_tree){0};
	root = trace ? vec_push(&t->nodes, e) : NULL;
	if (root) {
		*root = (struct call_node){0};
		ret = part->skip ? trace_seek(trace, part->skip, e) : 0;
	}
	if (ret == 0)
		ret = walk_trace(&w, trace, part);
	if (ret == 0)
		sum_callees(t);
	while (w.stretches) {
		struct stretches *old = w.stretches;

		w.stretches = old->older;
		free(old);
	}
	vec_finish(&w.frames);
	trace_close(trace);
	return ret;
}

void call_tree_free(struct call_tree *t)
{
	vec_finish(&t->nodes);
}

/* ---- the table ---- */
/* The most expensive node last; of two alike the one with the smaller number. */
static int by_all_slots(const void *a, const void *b)
{
	const struct call_node *x = *(const struct call_node *const *)a, *y = *(const struct call_node *const *)b;

	if (x->all_slots != y->all_slots)
		return x->all_slots < y->all_slots ? -1 : 1;
	return x > y ? -1 : x < y;
}

/* Orders the callees of each node, the most expensive first. 0, or -1 with `e`. */
static int order_callees(struct call_tree *t, struct err *e)
{
	struct call_node **all = mem_alloc(t->nodes.count, sizeof(struct call_node *), e);

	if (!all)
		return -1;
	for (size_t n = 0; n < t->nodes.count; n++) {
		all[n] = &t->nodes.at[n];
		t->nodes.at[n].child = 0;
	}
	qsort(all, t->nodes.count, sizeof(struct call_node *), by_all_slots);
	for (size_t n = 0; n < t->nodes.count; n++) {
		if (all[n] == t->nodes.at) /* has no caller */
			continue;
		all[n]->next = t->nodes.at[all[n]->parent].child;
		t->nodes.at[all[n]->parent].child = (uint32_t)(all[n] - t->nodes.at);
	}
	free(all);
	return 0;
}

static void call_row(const struct profile *p, const struct call_node *c, unsigned depth, struct report *r)
{
	const struct place place = {.from = c->symbol ? c->symbol->address : c->address, .symbol = c->symbol};
	const double all = (double)p->cycles, cycles = c->all_slots / p->width;
	char name[PLACE_NAME];

	place_name(&place, name);
	report_cell_text(r, name);
	report_cell_u64(r, depth);
	report_cell_u64(r, c->calls);
	report_cell_u64(r, c->all_insns);
	report_cell_f64(r, cycles);
	report_cell_f64(r, all > 0 ? 100 * cycles / all : 0);
	report_cell_f64(r, all > 0 ? 100 * c->slots / p->width / all : 0);
	report_cell_f64(r, cycles > 0 ? (double)c->all_insns / cycles : 0);
}

/* Adds a row for each node of at least LEAST_SHARE of the run. */
static void call_rows(const struct profile *p, const struct call_tree *t, struct report *r)
{
	const double least = LEAST_SHARE * p->width * (double)p->cycles;
	uint32_t node = t->nodes.at[0].child;
	unsigned depth = 0;

	while (node) {
		const struct call_node *c = &t->nodes.at[node];
		bool shown = c->all_slots > 0 && c->all_slots >= least;

		if (shown)
			call_row(p, c, depth, r);
		if (shown && c->child) {
			node = c->child;
			depth++;
			continue;
		}
		/* the callees behind one that is too small are smaller */
		while (node && !(shown && t->nodes.at[node].next)) {
			node = t->nodes.at[node].parent;
			depth -= depth ? 1 : 0;
			shown = true;
		}
		node = node ? t->nodes.at[node].next : 0;
	}
}

int call_tree_report(const struct profile *p, const struct call_part *part, struct report *r, struct err *e)
{
	static const struct report_column columns[] = {
		{"place", ""},        {"depth", ""},  {"calls", "times"}, {"instructions", "insns"},
		{"cycles", "cycles"}, {"share", "%"}, {"self", "%"},      {"ipc", "insn/cycle"},
	};
	struct call_tree tree;
	int ret = call_tree_make(&tree, p, part, e);

	if (ret == 0)
		ret = order_callees(&tree, e);
	if (ret == 0) {
		report_table(r, "calls",
			     "cycles by caller, with what it calls; self: without; an instruction costs the mean of "
			     "all its executions; calls below 0.05 % of the run are in their callers alone",
			     columns, sizeof(columns) / sizeof(columns[0]));
		call_rows(p, &tree, r);
		report_table_end(r);
	}
	call_tree_free(&tree);
	return ret;
}
