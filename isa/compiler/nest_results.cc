/* Results of a nest, which are sums over the lanes and indices; and references that move together. */
#include "nest_reader.hh"

#include "ssa-iterators.h"
#include "real.h"

/*
 * Returns whether node `id` is node `target` plus or minus something, or its `code`; marks the nodes on the way.
 */

bool reader::chain(int id, int target, std::vector<bool> &in, tree_code code)
{
	const node &v = n.nodes[id];
	in[id] = true;
	if (id == target)
		return true;
	if (v.kind == NODE_CARRIED)
		return v.loop != 0 && v.b >= 0 && chain(v.a, target, in, code) && chain(v.b, id, in, code);
	if (v.kind != NODE_OP || v.x >= 0 || (v.code != code && (code != PLUS_EXPR || v.code != MINUS_EXPR)))
		return false;
	std::vector<bool> left = in;
	if (chain(v.a, target, left, code)) {
		in = left;
		return true;
	}
	return v.code == code && chain(v.b, target, in, code);
}

/* Returns whether an iteration uses a node, rather than what follows the loop alone. */
bool reader::used(int id)
{
	for (const node &v : n.nodes)
		if (v.a == id || v.b == id || v.x == id || v.y == id)
			return true;
	return false;
}

/* The operation of a sum over the lanes. */
static tree_code sum_code(const nest &n, int id)
{
	int at = n.nodes[id].b;
	while (is_integer(n.nodes[id]) && at >= 0 && at != id && n.nodes[at].kind == NODE_CARRIED)
		at = n.nodes[at].b;
	tree_code code = at < 0 ? ERROR_MARK : n.nodes[at].code;
	return is_integer(n.nodes[id]) && (code == BIT_XOR_EXPR || code == BIT_IOR_EXPR) ? code : PLUS_EXPR;
}

/* Every value that an iteration of the lanes' loop hands to the next has to be a sum. */
bool reader::sums()
{
	for (int id : n.loops[0].carried) {
		std::vector<bool> in(n.nodes.size());
		const node &v = n.nodes[id];
		if (!used(id))
			return fail(n.where, "the last iteration's value of a variable is used after the loop");
		tree_code code = sum_code(n, id);
		if (!chain(v.b, id, in, code))
			return fail(n.where, "an iteration needs a value of the one before it that is not a sum");
		const node &first = n.nodes[v.a];
		if (first.kind != NODE_CONST || !(is_integer(first) ? integer_zerop : real_zerop)(first.value))
			return fail(n.where, "a value is carried from iteration to iteration without reduction(+:...)");
		for (size_t k = 0; k < n.nodes.size(); k++) {
			const node &u = n.nodes[k];
			for (int operand : {u.a, u.b, u.x, u.y})
				if (operand >= 0 && in[operand] && !in[k])
					return fail(n.where, "a sum over the iterations is used inside of the loop");
			/* x + x of the sum itself */
			if (in[k] && u.kind == NODE_OP && u.a == u.b)
				return fail(n.where,
					    "an iteration needs a value of the one before it that is not a sum");
		}
		n.sums.push_back({id, code});
	}
	return true;
}

bool used_in_nest(const nest &n, tree name, bool inside)
{
	use_operand_p use;
	imm_use_iterator it;
	FOR_EACH_IMM_USE_FAST(use, it, name)
	{
		gimple *s = USE_STMT(use);
		if (is_gimple_debug(s))
			continue;
		if (flow_bb_inside_loop_p(n.outer, gimple_bb(s)) == inside)
			return true;
	}
	return false;
}

static bool used_outside(const nest &n, tree name)
{
	return used_in_nest(n, name, false);
}

static bool is_index_type(tree type)
{
	return INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type);
}

/* A name that is used after the nest. */
bool reader::result(tree name)
{
	location_t where = gimple_location(SSA_NAME_DEF_STMT(name));
	gphi *phi = dyn_cast<gphi *>(SSA_NAME_DEF_STMT(name));
	bool end = n.loops[0].at_end;
	auto number = n.values.find(name);
	if (number != n.values.end()) {
		for (int id : number->second) {
			bool is_sum = false;
			for (const sum &s : n.sums)
				is_sum |= end ? n.nodes[s.node].b == id : s.node == id;
			if (!is_sum)
				return fail(where, "the last iteration's value of a variable is used after the loop");
		}
		n.results.push_back({name, NULL_TREE});
		return true;
	}
	tree same = is_index_type(TREE_TYPE(name)) ? invariant(name) : NULL_TREE;
	if (same) { /* as n - 1 of a loop's bound, which a later loop has, too */
		n.results.push_back({name, same});
		return true;
	}
	bool direct = gimple_bb(SSA_NAME_DEF_STMT(name))->loop_father == n.outer && (end || phi);
	tree left = name, step;
	affine a;
	/* what is no index is as the last iteration leaves it */
	bool late = direct && phi && !end && gimple_bb(phi) == n.outer->header && !step_of(phi, step);
	if (late)
		left = PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(n.outer));
	if (direct) {
		attempt quiet(*this);
		direct = affine_of(left, a, where);
	}
	if (!direct)
		return fail(where, "the last iteration's value of a variable is used after the loop");
	for (size_t l = 1; l < a.coef.size(); l++)
		if (a.coef[l])
			return fail(where, "the last iteration's value of a variable is used after the loop");
	tree last = n.loops[0].count.rest;
	if (end || late)
		last = fold_build2(MINUS_EXPR, ssizetype, last, ssize_int(1));
	if (a.coef[0])
		a.rest = fold_build2(PLUS_EXPR, ssizetype, a.rest, fold_build2(MULT_EXPR, ssizetype, a.coef[0], last));
	n.results.push_back({name, fold_convert(TREE_TYPE(name), a.rest)});
	return true;
}

bool reader::results()
{
	basic_block *blocks = get_loop_body(n.outer);
	bool good = true;
	for (unsigned b = 0; b < n.outer->num_nodes && good; b++) {
		for (gphi_iterator p = gsi_start_phis(blocks[b]); !gsi_end_p(p) && good; gsi_next(&p)) {
			tree name = gimple_phi_result(p.phi());
			if (!virtual_operand_p(name) && used_outside(n, name))
				good = result(name);
		}
		for (gimple_stmt_iterator g = gsi_start_bb(blocks[b]); !gsi_end_p(g) && good; gsi_next(&g)) {
			ssa_op_iter it;
			tree name;
			FOR_EACH_SSA_TREE_OPERAND(name, gsi_stmt(g), it, SSA_OP_DEF)
			if (good && used_outside(n, name))
				good = result(name);
		}
	}
	free(blocks);
	return good;
}

/* Returns whether a step is a store of a lane's one element. */
static bool stores_element(const nest &n, const step &s)
{
	if (s.node < 0 || n.nodes[s.node].kind != NODE_STORE)
		return false;
	const std::vector<tree> &coef = n.refs[n.nodes[s.node].ref].at.coef;
	for (size_t l = 1; l < coef.size(); l++)
		if (coef[l])
			return false;
	return coef[0] != NULL_TREE;
}

/*
 * Marks the last statement of an iteration if it stores what the store in front of it has stored to the same array.
 * Where both are at one place, it does not matter which one is the last.
 */
static void mark_twin(nest &n)
{
	std::vector<step> accesses; /* what the body of loop 0 has beside arithmetic */
	for (const step &s : n.loops[0].body)
		if (s.loop >= 0 || n.nodes[s.node].ref >= 0)
			accesses.push_back(s);
	if (accesses.size() < 2)
		return;
	const step &last = accesses[accesses.size() - 1], &before = accesses[accesses.size() - 2];
	if (!stores_element(n, last) || !stores_element(n, before))
		return;
	const node &v = n.nodes[last.node], &w = n.nodes[before.node];
	reference &twin = n.refs[v.ref];
	bool alone = v.a == w.a && twin.at.root == n.refs[w.ref].at.root && twin.size == n.refs[w.ref].size;
	for (size_t k = 0; k < n.refs.size(); k++)
		alone &= (int)k == v.ref || n.refs[k].family != twin.family;
	twin.twin = alone;
}

/* References of one pointer with the same strides move as one. */
bool reader::families()
{
	for (reference &r : n.refs) {
		r.at.coef.resize(n.loops.size());
		for (size_t k = 0; k < n.families.size() && r.family < 0; k++) {
			bool same = n.families[k].root == r.at.root && n.families[k].size == r.size &&
				    n.families[k].gathered == (r.at.data != NULL_TREE);
			for (size_t l = 0; l < n.loops.size() && same; l++)
				same = same_tree(n.families[k].coef[l], r.at.coef[l]);
			if (same)
				r.family = (int)k;
		}
		if (r.family >= 0)
			continue;
		r.family = (int)n.families.size();
		n.families.push_back({r.at.root, r.size, r.at.coef, r.at.coef[0] != NULL_TREE, r.at.data != NULL_TREE});
	}
	mark_twin(n);
	for (nest_loop &l : n.loops)
		l.count.coef.resize(n.loops.size());
	for (node &v : n.nodes)
		if (v.kind == NODE_NUMBER)
			v.number.coef.resize(n.loops.size());
	bool stores = !n.sums.empty();
	for (const reference &r : n.refs)
		stores |= r.write;
	return stores || fail(n.where, "it stores nothing and sums nothing");
}

static void rotate(std::vector<tree> &coef)
{
	if (!coef.empty()) {
		coef.push_back(coef[0]);
		coef.erase(coef.begin());
	}
}

/* Loop 0, the one around, becomes the last one; the lanes' loop becomes 0. */
static void make_stream(nest &n)
{
	int last = (int)n.loops.size() - 1;
	auto moved = [last](int l) { return l < 0 ? l : l == 0 ? last : l - 1; };
	n.loops.push_back(n.loops[0]);
	n.loops.erase(n.loops.begin());
	for (nest_loop &l : n.loops) {
		l.parent = moved(l.parent);
		rotate(l.count.coef);
		for (step &s : l.body)
			s.loop = moved(s.loop);
	}
	n.loops[0].parent = -1;
	n.loops[last].body.clear();
	for (node &v : n.nodes) {
		v.loop = moved(v.loop);
		rotate(v.number.coef);
	}
	for (reference &r : n.refs) {
		r.loop = moved(r.loop);
		rotate(r.at.coef);
	}
	for (family &f : n.families) {
		rotate(f.coef);
		f.lane = f.coef[0] != NULL_TREE;
	}
	n.stream = last;
}

/* Returns whether loop 0 does nothing but run loop 1, and hands nothing on. */
static bool only_around(const nest &n)
{
	return n.sums.empty() && n.loops[0].body.size() == 1 && !n.loops[0].at_end && n.loops[0].carried.empty() &&
	       n.loops[1].carried.empty() && !n.loops[1].at_end;
}

/* Returns whether lanes and iterations of the loop around them are alike, and store at places of their own. */
static bool stream_is_even(const nest &n)
{
	auto moves = [&n](const std::vector<tree> &coef) { return coef[0] || coef[n.stream]; };
	for (const reference &r : n.refs)
		if (r.private_copy || (r.at.data && r.at.coef[n.stream]) ||
		    (r.write && (!r.at.coef[0] || !r.at.coef[n.stream] || r.at.data)))
			return false;
	for (const nest_loop &l : n.loops)
		if (moves(l.count.coef) || n.row_loop >= 0)
			return false;
	for (const node &v : n.nodes)
		if (v.kind == NODE_NUMBER && moves(v.number.coef))
			return false;
	return true;
}

bool nest_read_stream(nest &n, class loop *l)
{
	class loop *around = loop_outer(l);
	if (!around || !loop_outer(around) || !nest_read(n, around) || n.loops[1].l != l || !only_around(n))
		return false;
	make_stream(n);
	return stream_is_even(n);
}
