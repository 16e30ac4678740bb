/*
 * Inner loops that end early, as that of an escape time: while (k < 50 && re * re + im * im < 4). A PE cannot leave a
 * loop by itself. So all run as often as k lets them, and each value that an iteration hands on is chosen: the new one
 * if the condition holds, else the one before. As the condition has nothing but these values, it fails for ever once it
 * has failed. What counts iterations becomes a real number, exact up to 2^53.
 */
#include "nest_reader.hh"

#include "ssa-iterators.h"
#include "tree-cfg.h"

/* Returns whether an edge leaves by a comparison of real numbers. */
static bool by_real_numbers(edge e)
{
	gcond *c = dyn_cast<gcond *>(last_stmt(e->src));
	return c && EDGE_COUNT(e->src->succs) == 2 && is_number(TREE_TYPE(gimple_cond_lhs(c))) &&
	       !is_complex(TREE_TYPE(gimple_cond_lhs(c)));
}

/* The exit that counts; NULL if there is none that has been understood. */
edge reader::exit_of(class loop *l)
{
	auto known = index.find(l);
	if (known != index.end() && breaks.count(known->second))
		return breaks[known->second].counted;
	return single_exit(l);
}

/* Looks for two exits to one block, one of which compares real numbers. */
bool reader::find_break(int id, class loop *l)
{
	auto_vec<edge> exits = get_loop_exit_edges(l);
	if (exits.length() != 2 || exits[0]->dest != exits[1]->dest || EDGE_COUNT(exits[0]->dest->preds) != 2)
		return false;
	bool first = by_real_numbers(exits[0]);
	if (first == by_real_numbers(exits[1]) || exits[first]->src->loop_father != l ||
	    exits[!first]->src->loop_father != l)
		return false;
	break_condition &of = breaks[id];
	of.leaves = exits[!first];
	of.counted = exits[first];
	return true;
}

/* Reads the condition at the end of block `b`. */
bool reader::read_break(int id, basic_block b)
{
	break_condition &of = breaks[id];
	of.condition = as_a<gcond *>(last_stmt(b));
	location_t where = gimple_location(of.condition);
	of.stays_if_true = !(of.leaves->flags & EDGE_TRUE_VALUE);
	of.x = value(gimple_cond_lhs(of.condition));
	of.y = value(gimple_cond_rhs(of.condition));
	if (of.x.size() != 1 || of.y.size() != 1)
		return fail(where, "a value comes from a statement that is not understood");
	return need(UNIT_NUMBER_SELECT, where);
}

/* Makes a real number of each integer that counts the iterations of a loop that ends early. */
bool reader::begin_counts(int id)
{
	if (!breaks.count(id))
		return true;
	class loop *l = n.loops[id].l;
	for (gphi_iterator p = gsi_start_phis(l->header); !gsi_end_p(p); gsi_next(&p)) {
		tree name = gimple_phi_result(p.phi()), step;
		node first(NODE_NUMBER), v(NODE_CARRIED);
		if (!INTEGRAL_TYPE_P(TREE_TYPE(name)) || !step_of(p.phi(), step) || !tree_fits_shwi_p(step))
			continue;
		first.type = v.type = double_type_node;
		if (!affine_of(PHI_ARG_DEF_FROM_EDGE(p.phi(), loop_preheader_edge(l)), first.number,
			       gimple_location(p.phi())))
			return false;
		v.a = add(first);
		n.loops[n.loops[id].parent].body.push_back({v.a, -1});
		v.loop = id;
		int counts = add(v), by = leaf(NODE_CONST, build_real_from_int_cst(double_type_node, step));
		n.loops[id].carried.push_back(counts);
		breaks[id].counts[name] = counts;
		int next = operation(PLUS_EXPR, double_type_node, counts, by);
		n.nodes[counts].b = next;
	}
	return true;
}

/* Returns whether a name that a block computes is used outside of the loop. */
static bool used_behind(class loop *l, basic_block b)
{
	for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g)) {
		tree name = is_gimple_assign(gsi_stmt(g)) ? gimple_assign_lhs(gsi_stmt(g)) : NULL_TREE;
		imm_use_iterator it;
		use_operand_p use;
		if (!name || TREE_CODE(name) != SSA_NAME || !is_number(TREE_TYPE(name)))
			continue;
		FOR_EACH_IMM_USE_FAST(use, it, name)
		if (!is_gimple_debug(USE_STMT(use)) && !flow_bb_inside_loop_p(l, gimple_bb(USE_STMT(use))))
			return true;
	}
	return false;
}

/* Behind the body, the values that are handed on are chosen. */
bool reader::end_break(int id)
{
	if (!breaks.count(id))
		return true;
	const break_condition &of = breaks[id];
	location_t where = gimple_location(of.condition);
	if (used_behind(n.loops[id].l, of.counted->src))
		return fail(where, "a value of the last iteration of a loop that ends by its data");
	for (const step &s : n.loops[id].body) {
		const node *v = s.node < 0 ? NULL : &n.nodes[s.node];
		if (!v || v->ref >= 0)
			return fail(where, "a load, a store or a loop in a loop that ends by its data");
		if (v->kind == NODE_NUMBER && v->number.coef[id])
			return fail(where, "a loop that ends by its data uses the number of its iteration");
	}
	for (int carried : n.loops[id].carried) {
		int next = n.nodes[carried].b, yes = of.stays_if_true ? next : carried;
		int chosen = operation(gimple_cond_code(of.condition), n.nodes[carried].type, yes,
				       of.stays_if_true ? carried : next);
		n.nodes[chosen].x = of.x[0];
		n.nodes[chosen].y = of.y[0];
		n.nodes[carried].b = chosen;
	}
	return true;
}

/* Gives what follows the loop the values that an iteration has begun with, from either exit. */
bool reader::break_results(int id)
{
	if (!breaks.count(id))
		return true;
	break_condition &of = breaks[id];
	for (gphi_iterator p = gsi_start_phis(of.counted->dest); !gsi_end_p(p); gsi_next(&p)) {
		tree name = gimple_phi_result(p.phi()), early = PHI_ARG_DEF_FROM_EDGE(p.phi(), of.leaves),
		     all = PHI_ARG_DEF_FROM_EDGE(p.phi(), of.counted);
		if (virtual_operand_p(name))
			continue;
		gphi *first = TREE_CODE(early) == SSA_NAME ? dyn_cast<gphi *>(SSA_NAME_DEF_STMT(early)) : NULL;
		bool begins = first && gimple_bb(first) == n.loops[id].l->header;
		bool counts = begins && of.counts.count(early);
		affine begin, end;
		if (counts && TREE_CODE(all) == INTEGER_CST) { /* as far as the other exit lets it count */
			tree step;
			if (!step_of(first, step) ||
			    !affine_of(PHI_ARG_DEF_FROM_EDGE(first, loop_preheader_edge(n.loops[id].l)), begin,
				       n.where))
				return false;
			end.rest = fold_build2(PLUS_EXPR, ssizetype, begin.rest,
					       fold_build2(MULT_EXPR, ssizetype, step, n.loops[id].count.rest));
			counts = operand_equal_p(end.rest, fold_convert(ssizetype, all), 0);
		} else {
			counts = counts && all == early;
		}
		if (counts)
			of.counts[name] = of.counts[early];
		else if (begins && all == early && n.values.count(early))
			n.values[name] = n.values[early];
		else
			return fail(gimple_location(of.condition),
				    "a value of the last iteration of a loop that ends by its data");
	}
	return true;
}

/* The real node that counts the iterations of a loop that ends early, of an integer behind it; or -1. */
int reader::counted_by(tree name)
{
	for (const auto &b : breaks) {
		auto at = b.second.counts.find(name);
		class loop *l = n.loops[b.first].l, *now = n.loops[current].l;
		if (at != b.second.counts.end() && l != now && !flow_loop_nested_p(l, now))
			return at->second;
	}
	return -1;
}
