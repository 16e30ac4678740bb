/*
 * What delays a loop of the scalar core that has few instructions: each iteration of s += a[k] * b[k] needs the sum of
 * the one before it. The array computes several lanes at a time, and does not wait.
 */
#include "nest.hh"

#include "psim_nest.h"

namespace
{

struct chain_finder {
	const nest &n;
	const nest_loop &l;
	int loop, from; /* the node that the chain begins with */
	std::vector<int> known;

	chain_finder(const nest &of, int in, int start)
	    : n(of), l(of.loops[in]), loop(in), from(start), known(of.nodes.size(), UNKNOWN)
	{
	}

	/* Cycles from `from` to a node; NONE if it does not depend on it within the loop's body. */
	int to(int id)
	{
		if (id < 0)
			return NONE;
		if (id == from)
			return 0;
		if (known[id] != UNKNOWN)
			return known[id];
		const node &v = n.nodes[id];
		known[id] = NONE;
		if (v.kind != NODE_OP || !in_body(id))
			return NONE;
		int longest = NONE;
		for (int operand : {v.a, v.b, v.x, v.y})
			longest = std::max(longest, to(operand));
		return known[id] = longest == NONE ? NONE : longest + latency(id);
	}

      private:
	enum { UNKNOWN = -2, NONE = -1 };

	bool in_body(int id) const
	{
		for (const step &s : l.body)
			if (s.node == id)
				return true;
		return false;
	}

	/* A product that becomes a multiply-add takes its time there. */
	int latency(int id) const
	{
		const node &v = n.nodes[id];
		bool single = v.type == float_type_node;
		if (v.function != IFN_LAST)
			return single ? NEST_SINGLE_ROOT : NEST_ROOT;
		if (v.x >= 0)
			return NEST_COMPARES;
		if (v.code == RDIV_EXPR)
			return single ? NEST_SINGLE_DIVIDE : NEST_DIVIDE;
		if (v.code == NEGATE_EXPR || v.code == ABS_EXPR || v.code == PAREN_EXPR)
			return NEST_MOVES_REAL;
		if (joins_sum(n, l, id))
			return 0;
		for (int operand : {v.a, v.b})
			if (operand >= 0 && joins_sum(n, l, operand))
				return NEST_ADDS + NEST_MULTIPLIES;
		return v.code == MULT_EXPR ? NEST_MULTIPLIES : NEST_ADDS;
	}
};

/* Returns whether a load reads in each iteration of `loop` what the store has stored in it or in the one before it. */
bool reads_stored(const reference &load, const reference &store, int loop)
{
	if (load.family != store.family || load.loop != loop || store.loop != loop)
		return false;
	tree apart = fold_build2(MINUS_EXPR, ssizetype, store.at.rest, load.at.rest);
	tree by = store.at.coef[loop] ? store.at.coef[loop] : ssize_int(0);
	return operand_equal_p(apart, by, 0);
}

} // namespace

int chain_of(const nest &n, int loop)
{
	int longest = 0;
	for (int id : n.loops[loop].carried)
		longest = std::max(longest, chain_finder(n, loop, id).to(n.nodes[id].b));
	for (const step &load : n.loops[loop].body) {
		if (load.node < 0 || n.nodes[load.node].kind != NODE_LOAD)
			continue;
		chain_finder find(n, loop, load.node);
		for (const step &s : n.loops[loop].body) {
			if (s.node < 0 || n.nodes[s.node].kind != NODE_STORE ||
			    !reads_stored(n.refs[n.nodes[load.node].ref], n.refs[n.nodes[s.node].ref], loop))
				continue;
			longest = std::max(longest, find.to(n.nodes[s.node].a));
		}
	}
	return longest;
}

int scalar_work(const nest &n, int loop)
{
	nest_work w = work_of(n, loop);
	return std::max(w.arithmetic + w.loads + w.stores, chain_of(n, loop) * NEST_WARM_INSNS / NEST_WARM_CYCLES);
}
