/*
 * Conditions on real numbers inside a nest's loop (reader::choice). Both arms are computed, and each value behind them
 * is chosen by the PE's own comparison.
 */
#include "nest_reader.hh"

#include "tree-cfg.h"
#include "tree-eh.h"

/* Returns whether `b` is an arm: one way in, from `from`, and one way out. */
static bool is_arm(basic_block b, basic_block from)
{
	return single_pred_p(b) && single_pred(b) == from && single_succ_p(b);
}

/*
 * Reads an arm's statements. It may load only from where the loop loads or stores in any case, or what cannot trap, as
 * the array's transfers do not know conditions.
 */
bool reader::choice_arm(basic_block b)
{
	for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g)) {
		gimple *s = gsi_stmt(g);
		bool load =
			is_gimple_assign(s) && gimple_assign_load_p(s) && is_number(TREE_TYPE(gimple_assign_lhs(s)));
		size_t before = n.refs.size();
		if (is_gimple_assign(s) && gimple_vdef(s))
			return fail(gimple_location(s), "a store under a condition");
		if (!statement(s))
			return false;
		for (size_t k = before; load && k < n.refs.size(); k++)
			if ((size_t)n.refs[k].base == k && tree_could_trap_p(gimple_assign_rhs1(s)))
				return fail(gimple_location(s),
					    "a load under a condition, of what is not used without it");
	}
	return true;
}

/* Reads a value behind the arms. */
bool reader::choice_result(gphi *phi, edge yes, gcond *c, const std::vector<int> &x, const std::vector<int> &y)
{
	tree name = gimple_phi_result(phi);
	edge other = EDGE_PRED(gimple_bb(phi), EDGE_PRED(gimple_bb(phi), 0) == yes);
	if (is_integer(TREE_TYPE(name)))
		choices[phi] = {yes, gimple_cond_code(c), x[0], y[0]}; /* read where it is used */
	if (!is_number(TREE_TYPE(name)))
		return virtual_operand_p(name) || INTEGRAL_TYPE_P(TREE_TYPE(name)) || POINTER_TYPE_P(TREE_TYPE(name)) ||
		       fail(gimple_location(c), "%s", number_refusal(TREE_TYPE(name)));
	std::vector<int> a = value(PHI_ARG_DEF_FROM_EDGE(phi, yes)), b = value(PHI_ARG_DEF_FROM_EDGE(phi, other)),
			 nodes;
	if (a.empty() || a.size() != b.size())
		return fail(gimple_location(c), "a value comes from a statement that is not understood");
	for (size_t k = 0; k < a.size(); k++) {
		nodes.push_back(operation(gimple_cond_code(c), part_type(TREE_TYPE(name)), a[k], b[k]));
		n.nodes[nodes[k]].x = x[0];
		n.nodes[nodes[k]].y = y[0];
	}
	n.values[name] = nodes;
	return true;
}

bool reader::choice(basic_block *b)
{
	gcond *c = dyn_cast<gcond *>(last_stmt(*b));
	location_t where = gimple_location(last_stmt(*b));
	bool data = c && is_integer(TREE_TYPE(gimple_cond_lhs(c))) &&
		    (from_data(gimple_cond_lhs(c), 0) || from_data(gimple_cond_rhs(c), 0));
	if (!c || EDGE_COUNT((*b)->succs) != 2 || (!data && !is_number(TREE_TYPE(gimple_cond_lhs(c)))) ||
	    is_complex(TREE_TYPE(gimple_cond_lhs(c))))
		return uneven(where, "a condition inside the loop");
	edge yes, no;
	extract_true_false_edges_from_block(*b, &yes, &no);
	bool two_arms =
		is_arm(yes->dest, *b) && is_arm(no->dest, *b) && single_succ(yes->dest) == single_succ(no->dest);
	basic_block join = two_arms ? single_succ(yes->dest) : is_arm(yes->dest, *b) ? no->dest : yes->dest;
	for (edge *e : {&yes, &no})
		if ((*e)->dest != join && (!is_arm((*e)->dest, *b) || single_succ((*e)->dest) != join))
			return fail(where, "a condition within a condition");
	if (EDGE_COUNT(join->preds) != 2 || join == n.loops[current].l->header)
		return fail(where, "a condition within a condition");
	if (!need(UNIT_NUMBER_SELECT, where))
		return false;
	std::vector<int> x, y;
	if (data) {
		x.resize(1);
		y.resize(1);
		if (!need(UNIT_NUMBER_INTEGER, where))
			return false;
		if (!integer_comparison(gimple_cond_code(c), gimple_cond_lhs(c), gimple_cond_rhs(c), NULL, &x[0],
					&y[0]))
			x.clear();
	} else {
		x = value(gimple_cond_lhs(c));
		y = value(gimple_cond_rhs(c));
	}
	if (x.size() != 1 || y.size() != 1)
		return fail(where, "a value comes from a statement that is not understood");
	for (edge *e : {&yes, &no})
		if ((*e)->dest != join) {
			if (!choice_arm((*e)->dest))
				return false;
			*e = single_succ_edge((*e)->dest);
		}
	for (gphi_iterator p = gsi_start_phis(join); !gsi_end_p(p); gsi_next(&p))
		if (!choice_result(p.phi(), yes, c, x, y))
			return false;
	*b = join;
	return true;
}
