/*
 * How many lanes and how many iterations of an inner loop a kernel computes at a time: so many that sums are used
 * again only after the latency of a multiply-add, and that a loaded value serves several operations; so few that the
 * values fit into the array's registers.
 */
#include "nest.hh"

#include "psim_nest.h"

static const int REGISTERS = 28;      /* of 32: some are for what is on its way */
static const int PAIR_REGISTERS = 26; /* loads and stores of pairs need those whose halves have names */

/* Returns whether loop `in` is loop `of` or in it. */
static bool within(const nest &n, int in, int of)
{
	for (; in >= 0; in = n.loops[in].parent)
		if (in == of)
			return true;
	return false;
}

/* Returns whether two references of a family are parts of one element of `loop`, as real and imaginary parts are. */
static bool beside(const reference &a, const reference &b, int loop)
{
	tree by = a.at.coef[loop], apart = fold_build2(MINUS_EXPR, ssizetype, a.at.rest, b.at.rest);
	if (!by || !tree_fits_shwi_p(by) || !tree_fits_shwi_p(apart))
		return false;
	return absu_hwi(tree_to_shwi(apart)) + a.size <= absu_hwi(tree_to_shwi(by));
}

int array_of(const nest &n, int family)
{
	for (int k = 0; k < family; k++)
		if (n.families[k].root == n.families[family].root)
			return k;
	return family;
}

/* Returns whether two references access one array, by other loops; both are within `loop`. */
static bool other_shape(const nest &n, const reference &a, const reference &b, int loop)
{
	return a.family != b.family && array_of(n, a.family) == array_of(n, b.family) && within(n, a.loop, loop) &&
	       within(n, b.loop, loop);
}

/* Returns whether all loops in `loop` count the same in each of its iterations, and test their exits first. */
static bool same_counts_within(const nest &n, int loop)
{
	for (int l = 1; l < (int)n.loops.size(); l++)
		if (l != loop && within(n, l, loop) && (n.loops[l].count.coef[loop] || n.loops[l].at_end))
			return false;
	return true;
}

/* Returns whether iterations of `loop` touch what reference `w` stores only at an address of their own. */
static bool stores_apart(const nest &n, const reference &w, int loop)
{
	for (const reference &r : n.refs)
		if (r.family == w.family && r.base != w.base && within(n, r.loop, loop) && !beside(w, r, loop))
			return false;
	for (const reference &r : n.refs)
		if (other_shape(n, w, r, loop))
			return false;
	return true;
}

/* Returns whether reference `w`, in `loop`, stores once at each place that an iteration of it has. */
static bool stores_once(const nest &n, const reference &w, int loop)
{
	if (!w.at.coef[loop])
		return false;
	for (int l = 1; l < (int)n.loops.size(); l++)
		if (l != loop && within(n, l, loop) && w.at.coef[l])
			return false;
	return true;
}

/*
 * Whether iterations of `loop` may be interleaved: nothing is handed from one to the next, inner loops count the same
 * in all of them, and what they store is stored once, at an address of their own.
 */
static bool may_jam(const nest &n, int loop)
{
	if (loop == 0 || loop == n.stream || !n.loops[loop].carried.empty() || n.loops[loop].at_end ||
	    !same_counts_within(n, loop))
		return false;
	for (const reference &w : n.refs)
		if (w.write && (!stores_apart(n, w, loop) || (within(n, w.loop, loop) && !stores_once(n, w, loop))))
			return false;
	return true;
}

/* Marks the nodes whose value differs between lanes, and between iterations of loop n.jam_loop. */
static void differences(nest &n)
{
	for (node &v : n.nodes)
		v.lane = v.jam = false;
	for (bool change = true; change;) {
		change = false;
		for (node &v : n.nodes) {
			bool lane = v.kind == NODE_STORE || v.kind == NODE_FIRST ||
				    (v.kind == NODE_CARRIED && v.loop == 0),
			     jam = false;
			if (v.ref >= 0) {
				lane |= n.refs[v.ref].at.coef[0] != NULL_TREE;
				jam |= n.jam_loop && n.refs[v.ref].at.coef[n.jam_loop];
			}
			if (v.kind == NODE_NUMBER) {
				lane |= v.number.coef[0] != NULL_TREE;
				jam |= n.jam_loop && v.number.coef[n.jam_loop];
			}
			for (int operand : {v.a, v.b, v.x, v.y})
				if (operand >= 0) {
					lane |= n.nodes[operand].lane;
					jam |= n.nodes[operand].jam;
				}
			change |= lane != v.lane || jam != v.jam;
			v.lane = lane;
			v.jam = jam;
		}
	}
}

static int copies(const node &v, int lanes, int jam)
{
	return (v.lane ? lanes : 1) * (v.jam ? jam : 1);
}

/* Returns whether a stored value stays in a register in the loop of its store, which does not move its address. */
static bool stays_in_register(const nest &n, const node &v)
{
	return v.kind == NODE_STORE && n.refs[v.ref].loop > 0 && !n.refs[v.ref].at.coef[n.refs[v.ref].loop];
}

/* Returns whether a load is of such a value, in the same loop. */
static bool loads_sum(const nest &n, const node &load)
{
	for (const node &v : n.nodes)
		if (stays_in_register(n, v) && n.refs[v.ref].base == n.refs[load.ref].base &&
		    n.refs[v.ref].loop == n.refs[load.ref].loop)
			return true;
	return false;
}

/*
 * Registers that the innermost loops need at most: carried values, values from outside, what is loaded in one loop.
 * Loads of the same address are one.
 */
static int registers(const nest &n, int lanes, int jam)
{
	int most = 0;
	for (const nest_loop &l : n.loops) {
		int here = 0;
		std::vector<int> seen;
		for (const step &s : l.body) {
			if (s.node < 0 || n.nodes[s.node].kind != NODE_LOAD)
				continue;
			const node &v = n.nodes[s.node];
			bool again = loads_sum(n, v);
			for (int b : seen)
				again |= b == n.refs[v.ref].base;
			seen.push_back(n.refs[v.ref].base);
			here += again ? 0 : copies(v, lanes, jam);
		}
		if (here > 4 * lanes * jam)
			here = 4 * lanes * jam; /* used one after the other */
		most = here > most ? here : most;
	}
	for (const node &v : n.nodes) {
		if (v.kind == NODE_CARRIED)
			most += copies(v, lanes, jam);
		if (v.kind == NODE_OUTSIDE)
			most++;
	}
	/* sums that are kept in memory are in registers in an inner loop that does not move them */
	for (const node &v : n.nodes)
		if (stays_in_register(n, v))
			most += copies(v, lanes, jam);
	return most;
}

static int statements(const nest &n)
{
	int count = 0;
	for (const nest_loop &l : n.loops)
		for (const step &s : l.body)
			count += s.node >= 0;
	return count;
}

/* The loop whose iterations are interleaved: the parent of an innermost loop, or an innermost loop. */
static int jam_candidate(const nest &n)
{
	int best = 0;
	for (size_t l = 1; l < n.loops.size(); l++) {
		int depth = 0;
		for (size_t k = 1; k < n.loops.size(); k++)
			depth += n.loops[k].parent == (int)l;
		if (may_jam(n, (int)l) && (!best || depth > 0))
			best = (int)l;
	}
	return best;
}

bool is_integer(const node &v)
{
	return v.type == long_integer_type_node;
}

int uses_of(const nest &n, int id)
{
	int count = 0;
	for (const node &v : n.nodes)
		count += (v.a == id) + (v.b == id) + (v.x == id) + (v.y == id);
	return count;
}

/* The place of a node in a loop's body, or -1. */
static int place_in(const nest_loop &l, int id)
{
	for (size_t k = 0; k < l.body.size(); k++)
		if (l.body[k].node == id)
			return (int)k;
	return -1;
}

void nest_reassociate(nest &n)
{
	for (nest_loop &l : n.loops)
		for (size_t k = 0; k < l.body.size(); k++) {
			if (l.body[k].node < 0)
				continue;
			node &v = n.nodes[l.body[k].node];
			if (v.kind != NODE_OP || v.code != PLUS_EXPR)
				continue;
			if (n.nodes[v.a].kind == NODE_OP && n.nodes[v.b].kind != NODE_OP)
				std::swap(v.a, v.b);
			node &in = n.nodes[v.b];
			int from = place_in(l, v.b);
			if (in.kind != NODE_OP || (in.code != PLUS_EXPR && in.code != MINUS_EXPR) || from < 0 ||
			    uses_of(n, v.b) != 1)
				continue;
			int x = v.a, inner = v.b;
			v.code = in.code;
			v.a = inner;
			v.b = in.b;
			in.code = PLUS_EXPR;
			in.b = in.a;
			in.a = x;
			l.body.erase(l.body.begin() + from);
			l.body.insert(l.body.begin() + (k - 1), {inner, -1});
		}
}

/* Returns whether a product becomes a multiply-add: it has one use, a sum or difference of the same loop. */
bool joins_sum(const nest &n, const nest_loop &l, int id)
{
	if (n.nodes[id].kind != NODE_OP || n.nodes[id].code != MULT_EXPR || uses_of(n, id) != 1)
		return false;
	for (const step &s : l.body) {
		if (s.node < 0)
			continue;
		const node &v = n.nodes[s.node];
		bool sum = v.kind == NODE_OP && (v.code == PLUS_EXPR || v.code == MINUS_EXPR);
		if (is_integer(v) && v.code != PLUS_EXPR)
			continue;
		/* of two products, one joins */
		if (sum && (v.a == id || (v.b == id && n.nodes[v.a].code != MULT_EXPR)))
			return true;
	}
	return false;
}

/* Cycles for which an operation occupies its unit: dividers are not pipelined, in PEs as in the scalar core. */
static int cycles_of(const node &v)
{
	bool single = v.type == float_type_node;
	if (v.function != IFN_LAST)
		return single ? NEST_SINGLE_ROOT : NEST_ROOT;
	if (v.x >= 0) /* a comparison and a move */
		return 2;
	return v.code != RDIV_EXPR ? 1 : single ? NEST_SINGLE_DIVIDE : NEST_DIVIDE;
}

nest_work work_of(const nest &n, int loop)
{
	const nest_loop &l = n.loops[loop];
	nest_work w = {0, 0, 0, 0};
	std::vector<int> seen;
	for (const step &s : l.body) {
		if (s.node < 0)
			continue;
		const node &v = n.nodes[s.node];
		if (v.kind == NODE_OP)
			w.arithmetic += joins_sum(n, l, s.node) ? 0 : cycles_of(v);
		if (v.kind == NODE_OP && (v.function != IFN_LAST || v.code == RDIV_EXPR))
			w.divider += cycles_of(v);
		if (v.kind == NODE_STORE)
			w.stores++;
		if (v.kind != NODE_LOAD || std::find(seen.begin(), seen.end(), n.refs[v.ref].base) != seen.end())
			continue;
		seen.push_back(n.refs[v.ref].base);
		w.loads++;
	}
	return w;
}

int registers_of(const nest &n, const variant &v)
{
	nest of = n;
	nest_take(of, v);
	return registers(of, v.pairs ? v.lanes / 2 : v.lanes, v.jam);
}

void nest_take(nest &n, const variant &v)
{
	n.pairs = v.pairs;
	n.lanes_at_once = v.lanes;
	n.jam = v.jam;
	n.jam_loop = v.jam_loop;
	differences(n);
}

/* Returns whether a node can be computed for two lanes at once. */
static bool pairs_node(const nest &n, const node &v)
{
	if (v.kind == NODE_STORE)
		return v.b < 0 && n.nodes[v.a].type == float_type_node;
	if (v.kind == NODE_OP && (v.x >= 0 || v.function != IFN_LAST ||
				  (v.code != PLUS_EXPR && v.code != MINUS_EXPR && v.code != MULT_EXPR &&
				   v.code != NEGATE_EXPR && v.code != PAREN_EXPR)))
		return false;
	return v.type == float_type_node && v.kind != NODE_NUMBER && !(v.kind == NODE_LOAD && v.a >= 0) &&
	       !(v.kind == NODE_CARRIED && v.loop == 0);
}

/* Singles of two lanes in a register, if all of the nest are such numbers. */
static void plan_pairs(nest &n, int loop)
{
	static const int shapes[][2] = {{4, 4}, {8, 2}, {4, 2}, {8, 1}, {4, 1}, {2, 1}};
	if (!(n.in->units & UNIT_SINGLE) || !n.sums.empty())
		return;
	for (const node &v : n.nodes)
		if (!pairs_node(n, v))
			return;
	for (const auto &shape : shapes) {
		if (n.variants.size() == 2 || (shape[1] > 1 && !loop) || statements(n) * shape[0] * shape[1] > 400 ||
		    registers(n, shape[0], shape[1]) > PAIR_REGISTERS)
			continue;
		if (!n.variants.empty() && 4 * shape[0] * shape[1] > n.variants.back().lanes * n.variants.back().jam)
			continue;
		n.variants.push_back({2 * shape[0], shape[1] > 1 ? loop : 0, shape[1], NULL_TREE, NULL_TREE});
		n.variants.back().pairs = true;
	}
}

void nest_plan(nest &n)
{
	static const int shapes[][2] = {{4, 4}, {8, 2}, {2, 4}, {4, 2}, {8, 1}, {2, 2}, {4, 1}, {2, 1}};
	int loop = jam_candidate(n);
	n.jam_loop = loop;
	differences(n);
	plan_pairs(n, loop);
	for (const auto &shape : shapes) {
		if ((shape[1] > 1 && !loop) || statements(n) * shape[0] * shape[1] > 400)
			continue;
		if (registers(n, shape[0], shape[1]) > REGISTERS)
			continue;
		/* at least half the registers less than the variant before it */
		if (!n.variants.empty() && !n.variants.back().pairs &&
		    2 * shape[0] * shape[1] > n.variants.back().lanes * n.variants.back().jam)
			continue;
		n.variants.push_back({shape[0], shape[1] > 1 ? loop : 0, shape[1], NULL_TREE, NULL_TREE});
	}
	n.variants.push_back({1, 0, 1, NULL_TREE, NULL_TREE});
}
