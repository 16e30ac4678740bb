/*
 * Subscripts that are data, as x[column[k]]: PEs that gather look them up in a copy of the array, which each PE has as
 * far as subscripts reach. The routine finds that out from the array of subscripts before it runs the nest
 * (psim_nest_gather.c).
 */
#include "nest_reader.hh"

#include "value-range.h"
#include "value-query.h"

/* The name that has been loaded, of a number that is nothing but that in more bits. */
tree reader::widened_data(tree t) const
{
	for (tree at = t; TREE_CODE(at) == SSA_NAME && inside(at);) {
		if (n.values.count(at))
			return at;
		gassign *s = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(at));
		if (!s || !CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(s)) ||
		    !is_integer(TREE_TYPE(gimple_assign_rhs1(s))) ||
		    TYPE_PRECISION(TREE_TYPE(at)) < TYPE_PRECISION(TREE_TYPE(gimple_assign_rhs1(s))))
			break;
		at = gimple_assign_rhs1(s);
		if (TYPE_PRECISION(TREE_TYPE(at)) == 32 && !TYPE_UNSIGNED(TREE_TYPE(at)) &&
		    TYPE_PRECISION(TREE_TYPE(t)) < 64)
			break; /* which may become a large one */
	}
	return t;
}

/* An integer that is affine, or, while `gathering`, an affine number and a multiple of one that is data. */
bool reader::affine_of(tree t, affine &to, location_t where)
{
	if (!gathering || TREE_CODE(t) != SSA_NAME || !is_integer(TREE_TYPE(t)) || !from_data(t, 0))
		return affine_sum(t, to, where);
	if (!n.values.count(t)) {
		attempt quiet(*this);
		if (affine_sum(t, to, where))
			return true;
	}
	affine_clear(to);
	to.data = widened_data(t);
	to.data_by = ssize_int(1);
	return true;
}

/* The least and the largest value of data that is not loaded; false if they are not known. */
static bool known_range(tree name, HOST_WIDE_INT *low, HOST_WIDE_INT *high)
{
	int_range_max range;
	if (!get_range_query(cfun)->range_of_expr(range, name) || range.undefined_p() || range.varying_p())
		return false;
	wide_int least = range.lower_bound(), most = range.upper_bound();
	if (!wi::fits_shwi_p(most) || !wi::fits_uhwi_p(most) || wi::neg_p(least, TYPE_SIGN(TREE_TYPE(name))))
		return false;
	*low = least.to_uhwi();
	*high = most.to_uhwi();
	return *high < HOST_WIDE_INT_1 << 24;
}

/* Notes how the routine finds the range of a subscript. */
bool reader::subscript_range(reference &r, location_t where)
{
	if (row_phi && r.at.data == gimple_phi_result(row_phi)) {
		r.of_row = true;
		for (tree c : r.at.coef)
			if (c)
				return fail(where, "an index that counts in a loop over a row");
		return true;
	}
	auto known = n.values.find(r.at.data);
	const node *v = known == n.values.end() ? NULL : &n.nodes[known->second[0]];
	if (v && v->kind == NODE_LOAD) {
		r.subscript = v->ref;
		return true;
	}
	return known_range(r.at.data, &r.low, &r.high) ||
	       fail(where, "a subscript that is computed from data, and whose range is not known");
}

/* The node of a subscript, in elements; -1 if the nest is refused. */
int reader::subscript_node(const reference &r, location_t where)
{
	if (!tree_fits_shwi_p(r.at.data_by) || tree_to_shwi(r.at.data_by) % r.size || tree_to_shwi(r.at.data_by) <= 0) {
		fail(where, "a subscript that is loaded, of elements that are not a multiple of a number apart");
		return -1;
	}
	if (r.of_row && tree_to_shwi(r.at.data_by) == r.size)
		return row_index();
	HOST_WIDE_INT by = tree_to_shwi(r.at.data_by) / r.size;
	int id = data_of(r.at.data);
	if (id < 0) {
		fail(where, "a subscript that the array does not compute");
		return -1;
	}
	bool loaded = n.nodes[id].kind == NODE_LOAD && by == 1;
	if (!loaded && !need(UNIT_NUMBER_INTEGER, where))
		return -1;
	id = extended(id, TREE_TYPE(r.at.data), NULL);
	return by == 1 ? id : integer_operation(MULT_EXPR, id, integer_constant(by), FORM_64, NULL);
}

bool reader::subscript(int ref, int &node)
{
	if (!n.refs[ref].at.data)
		return true;
	reference r = n.refs[ref];
	node = subscript_node(r, r.where);
	return node >= 0;
}

/* The address of what a subscript that is data selects. */
bool reader::gathered_address(tree t, reference &r, location_t where)
{
	gathering = true;
	bool good = address_of(t, r.at, where);
	gathering = false;
	if (!good || !r.at.data)
		return false;
	if (r.write)
		return fail(where, "a store by a subscript that is loaded: PEs do not share their results");
	if (!need(UNIT_NUMBER_GATHER, where))
		return false;
	if (r.at.coef[0])
		return fail(where, "a subscript that is loaded, beside the number of the iteration");
	if (interchanges || n.region_line)
		return fail(where, "a subscript that is loaded, of an array that stays or of loops that move");
	return subscript_range(r, where);
}

/* Returns whether the subscripts of a nest that has been read are of arrays that it only reads. */
bool reader::gathers_fit()
{
	for (const reference &g : n.refs) {
		if (!g.at.data)
			continue;
		for (const reference &w : n.refs)
			if (w.write &&
			    (w.at.root == g.at.root || (g.subscript >= 0 && w.at.root == n.refs[g.subscript].at.root)))
				return fail(g.where, "an array that is stored to and read by subscripts that are data");
	}
	return true;
}

/* Marks loads of 4 bytes that are subscripts alone: PEs take them as they are. */
void nest_mark_subscripts(nest &n)
{
	for (size_t id = 0; id < n.nodes.size(); id++) {
		node &v = n.nodes[id];
		int as_subscript = 0;
		if (v.kind != NODE_LOAD || !is_integer(v) || n.refs[v.ref].size != NEST_SINGLE_SIZE)
			continue;
		for (const node &user : n.nodes)
			as_subscript += (user.kind == NODE_LOAD && user.a == (int)id) ||
					(user.kind == NODE_STORE && user.b == (int)id);
		v.subscript = as_subscript > 0 && as_subscript == uses_of(n, (int)id);
	}
}
