/*
 * Loops over a row of data, as for (k = start[i]; k < start[i + 1]; k++) of a sparse matrix in compressed rows, on PEs
 * that gather, compare and have integers. All lanes run as often as the longest row of those at the same time; where a
 * row has ended, each value stays. Each PE has the elements of its own rows, and counts them from its first one on.
 */
#include "nest_reader.hh"

#include "tree-cfg.h"

const char *const loaded_bounds_refusal = "an inner loop whose bounds are loaded, for which PEs need "
					  "-fpsim-units=select,integer,gather";

/* The load of a bound: its node, or -1. */
static int loaded_bound(reader &r, tree name)
{
	if (TREE_CODE(name) != SSA_NAME || !is_integer(TREE_TYPE(name)))
		return -1;
	auto at = r.n.values.find(r.widened_data(name));
	int id = at == r.n.values.end() ? -1 : at->second[0];
	return id >= 0 && r.n.nodes[id].kind == NODE_LOAD && r.n.nodes[id].a < 0 ? id : -1;
}

/* The counter of a loop over a row: the exit is taken where it is not less than the end. */
gphi *reader::row_counter(class loop *l, edge exit, tree *end)
{
	gcond *c = as_a<gcond *>(last_stmt(exit->src));
	tree_code code = gimple_cond_code(c);
	tree k = gimple_cond_lhs(c), e = gimple_cond_rhs(c), step;
	if (exit->flags & EDGE_TRUE_VALUE)
		code = invert_tree_comparison(code, false);
	if (code == GT_EXPR) {
		std::swap(k, e);
		code = LT_EXPR;
	}
	gphi *phi = TREE_CODE(k) == SSA_NAME ? dyn_cast<gphi *>(SSA_NAME_DEF_STMT(k)) : NULL;
	if (exit->src != l->header || (code != LT_EXPR && code != NE_EXPR) || !phi || gimple_bb(phi) != l->header ||
	    !is_integer(TREE_TYPE(k)) || !step_of(phi, step) || !integer_onep(step))
		return NULL;
	*end = e;
	return phi;
}

bool reader::begin_rows(int id, edge exit)
{
	class loop *l = n.loops[id].l;
	tree end;
	if (interchanges || n.region_line || row_loop >= 0 || n.loops[id].parent != 0)
		return true;
	gphi *phi = row_counter(l, exit, &end);
	tree from = phi ? PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(l)) : NULL_TREE;
	if (from && (n.in->units & NEST_ROW_UNITS) != NEST_ROW_UNITS && from_data(from, 0))
		return uneven(gimple_location(last_stmt(exit->src)), loaded_bounds_refusal);
	int begin = from && (n.in->units & NEST_ROW_UNITS) == NEST_ROW_UNITS ? loaded_bound(*this, from) : -1;
	if (begin < 0)
		return true;
	row_loop = id;
	row_phi = phi;
	row_end = end;
	n.row_loop = id;
	n.row_begin = n.nodes[begin].ref;
	n.needs |= NEST_ROW_UNITS;
	node first(NODE_FIRST), k(NODE_CARRIED);
	current = 0;
	row_first = integer_node(first, FORM_64, NULL);
	k.a = integer_operation(MINUS_EXPR, begin, row_first, FORM_64, NULL);
	current = id;
	k.type = long_integer_type_node;
	k.loop = id;
	row_k = add(k);
	n.loops[id].carried.push_back(row_k);
	n.values[gimple_phi_result(phi)] = {row_k};
	return true;
}

/* The end of a lane's row, which its loop loads in each iteration; it is loaded once in front of it. */
bool reader::find_row_end()
{
	int end = loaded_bound(*this, row_end);
	location_t where = gimple_location(row_phi);
	if (end < 0)
		return fail(where, "a row whose end is not loaded");
	std::vector<step> &body = n.loops[row_loop].body;
	for (size_t s = 0; s < body.size(); s++)
		if (body[s].node == end) {
			body.erase(body.begin() + s);
			n.loops[0].body.push_back({end, -1});
			break;
		}
	reference &at = n.refs[n.nodes[end].ref];
	at.loop = 0;
	n.row_end = n.nodes[end].ref;
	for (int ref : {n.row_begin, n.row_end})
		for (size_t c = 0; c < n.refs[ref].at.coef.size(); c++)
			if ((n.refs[ref].at.coef[c] != NULL_TREE) != (c == 0))
				return fail(where, "a row whose bounds are not one for each iteration");
	row_stop = integer_operation(MINUS_EXPR, end, row_first, FORM_64, n.loops[0].l);
	return true;
}

/* The place of the present element among those of the PE; where the row has ended, that of some element. */
int reader::row_index()
{
	if (row_place >= 0)
		return row_place;
	if (row_stop < 0 && !find_row_end())
		return -1;
	node any(NODE_FIRST);
	any.is_unsigned = true;
	int some = integer_node(any, FORM_64, n.loops[0].l);
	return row_place = integer_choice(LT_EXPR, row_k, row_stop, row_k, some, n.loops[row_loop].l);
}

/* Behind the body: the next element; where the row has ended, all else stays. */
bool reader::end_rows(int id)
{
	location_t where = gimple_location(row_phi);
	if (row_stop < 0 && !find_row_end())
		return false;
	for (const step &s : n.loops[id].body) {
		const node *v = s.node < 0 ? NULL : &n.nodes[s.node];
		if (!v || v->kind == NODE_STORE)
			return fail(where, "a store or a loop in a loop over a row");
		if ((v->kind == NODE_NUMBER && v->number.coef[id]) || (v->ref >= 0 && n.refs[v->ref].at.coef[id]))
			return fail(where, "an index that counts in a loop over a row");
	}
	int next = integer_operation(PLUS_EXPR, row_k, integer_constant(1), FORM_64, NULL);
	n.nodes[row_k].b = next;
	for (int carried : n.loops[id].carried) {
		if (carried == row_k)
			continue;
		node v = node(NODE_OP);
		v.code = LT_EXPR;
		v.type = n.nodes[carried].type;
		v.form = n.nodes[carried].form;
		v.a = n.nodes[carried].b;
		v.b = carried;
		v.x = row_k;
		v.y = row_stop;
		int chosen = add(v);
		n.nodes[carried].b = chosen;
		n.loops[id].body.push_back({chosen, -1});
	}
	affine_clear(n.loops[id].count);
	n.loops[id].count.rest = ssize_int(1); /* the routine counts */
	return true;
}
