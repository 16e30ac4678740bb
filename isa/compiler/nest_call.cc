/*
 * The call in front of a loop: table and data are filled, psim_nest_run called; if it returns 0, the loop runs as it
 * is, else what follows the loop gets the final values from here.
 */
#include "nest_table.hh"

#include "basic-block.h"
#include "cfghooks.h"
#include "gimple-expr.h"
#include "gimplify-me.h"
#include "gimplify.h"
#include "psim_nest.h"
#include "ssa-iterators.h"
#include "stringpool.h"
#include "tree-cfg.h"
#include "tree-dfa.h"
#include "tree-into-ssa.h"
#include "tree-ssa-loop-niter.h"
#include "tree-scalar-evolution.h"
#include "tree-ssa-operands.h"

namespace
{

struct caller : table_writer {
	using table_writer::table_writer;

	/* The call of a function with two arguments and the loop's place: its result. */
	gcall *call_with(const char *name, tree a, tree b)
	{
		char where[300];
		expanded_location at = expand_location(n.where);
		snprintf(where, sizeof where, "%s:%d", at.file ? at.file : "", at.line);
		tree type = build_function_type_list(long_integer_type_node, ptr_type_node, TREE_TYPE(b), ptr_type_node,
						     NULL_TREE);
		gcall *c = gimple_build_call(build_fn_decl(name, type), 3, a, b,
					     build_string_literal(strlen(where) + 1, where));
		gimple_call_set_lhs(c, make_ssa_name(long_integer_type_node));
		gimple_set_location(c, n.where);
		gimple_seq_add_stmt(&seq, c);
		return c;
	}

	tree call(tree data, tree t)
	{
		fill(t, data);
		gcall *c = call_with("psim_nest_run", build_fold_addr_expr(t), build_fold_addr_expr(data));
		resident_call(*n.in, c, data, t, n.region_line != 0);
		return gimple_call_lhs(c);
	}

	/* Iterations of a loop, those of the loops around it, and all lanes, times a number. */
	tree all_times(long number, int loop)
	{
		tree times = ssize_int(number);
		for (int at = loop; at > 0; at = n.loops[at].parent)
			times = fold_build2(MULT_EXPR, ssizetype, times,
					    fold_build2(MAX_EXPR, ssizetype, most(at), ssize_int(0)));
		return fold_build2(MULT_EXPR, ssizetype, times, n.loops[0].count.rest);
	}

	/* Instructions of all lanes, about. */
	tree work()
	{
		tree sum = ssize_int(0);
		for (int l = 0; l < (int)n.loops.size(); l++)
			sum = fold_build2(PLUS_EXPR, ssizetype, sum, all_times(scalar_work(n, l), l));
		return sum;
	}

	/* The part of the work that pays for transfers if data may be in caches: paid_by. */
	tree paid()
	{
		tree sum = ssize_int(0);
		for (size_t f = 0; f < n.families.size(); f++) {
			int bytes = moved_bytes(n, (int)f), loop = varying_loop(n, (int)f);
			if (bytes > 0 && loop >= 0)
				sum = fold_build2(PLUS_EXPR, ssizetype, sum, all_times(paid_by(bytes), loop));
		}
		return sum;
	}

	/* The final value of `name` if the array ran the nest. */
	tree final_value(tree name, tree known, tree data)
	{
		if (known)
			return value(known);
		std::vector<int> nodes = n.values[name];
		std::vector<tree> parts;
		for (int id : nodes)
			for (size_t k = 0; k < n.sums.size(); k++)
				if (is_integer(n.nodes[id]) &&
				    (n.sums[k].node == id || n.nodes[n.sums[k].node].b == id)) {
					tree v = make_ssa_name(long_integer_type_node);
					gimple_seq_add_stmt(&seq, gimple_build_assign(v, word(data, data_sum(n, (int)k),
											      long_integer_type_node)));
					parts.push_back(value(fold_convert(TREE_TYPE(name), v)));
					break;
				} else if (n.sums[k].node == id || n.nodes[n.sums[k].node].b == id) {
					tree v = make_ssa_name(double_type_node);
					gimple_seq_add_stmt(&seq, gimple_build_assign(v, word(data, data_sum(n, (int)k),
											      double_type_node)));
					parts.push_back(n.nodes[id].type == double_type_node
								? v
								: value(fold_convert(n.nodes[id].type, v)));
					break;
				}
		if (parts.size() == 1)
			return parts[0];
		tree v = make_ssa_name(TREE_TYPE(name));
		gimple_seq_add_stmt(&seq, gimple_build_assign(v, COMPLEX_EXPR, parts[0], parts[1]));
		return v;
	}
};

/* Uses of `name` behind the nest become uses of what comes from both ways. */
void replace_outside(nest &n, tree name, tree by, gimple *but)
{
	imm_use_iterator it;
	gimple *s;
	FOR_EACH_IMM_USE_STMT(s, it, name)
	{
		if (s == but || (!is_gimple_debug(s) && flow_bb_inside_loop_p(n.outer, gimple_bb(s))))
			continue;
		if (is_gimple_debug(s))
			continue;
		use_operand_p use;
		FOR_EACH_IMM_USE_ON_STMT(use, it)
		SET_USE(use, by);
		update_stmt(s);
	}
}

} // namespace

/* Without a directive: no call for so few instructions that it would take longer. */
static void make_auto_facts(nest &n)
{
	int number = n.in->numbers++;
	char name[64];
	sprintf(name, "psim_least.%d", number);
	n.least_work = static_long(name, n.in->slow_ones ? -1 : AUTO_LEAST);
	sprintf(name, "psim_warm.%d", number);
	n.warm = static_long(name, n.in_caches);
}

/* Ends block `b` with a comparison of `work`; where it is less, `loop_comes` is next. */
static edge skip_less(basic_block b, gimple_seq seq, tree work, tree least, basic_block loop_comes)
{
	gimple_seq_add_stmt(&seq, gimple_build_cond(GE_EXPR, work, least, NULL_TREE, NULL_TREE));
	gimple_stmt_iterator g = gsi_last_bb(b);
	gsi_insert_seq_after(&g, seq, GSI_CONTINUE_LINKING);
	edge enough = single_succ_edge(b);
	enough->flags = (enough->flags & ~EDGE_FALLTHRU) | EDGE_TRUE_VALUE;
	enough->probability = profile_probability::very_unlikely();
	enough->dest->count = enough->count();
	edge skip = make_edge(b, loop_comes, EDGE_FALSE_VALUE);
	skip->probability = profile_probability::very_likely();
	return skip;
}

/*
 * The tests in front of the call. In a loop, what is left of the work must be worth it, unless slow loops are wanted,
 * too. The first test is with a
 * constant, so that there is no call where GCC learns later how often the loops run. The way to the call is unlikely,
 * so that registers are those of the scalar loop: what the call adds to its own time is little.
 */
static std::vector<edge> skip_few(nest &n, basic_block few, basic_block loop_comes)
{
	caller c(n);
	tree left = c.work();
	if (loop_depth(n.outer) > 1 && !n.in->slow_ones)
		left = fold_build2(MINUS_EXPR, ssizetype, left, c.paid());
	tree work = c.value(left), least = make_ssa_name(long_integer_type_node);
	basic_block again = split_edge(single_succ_edge(few));
	edge never = skip_less(few, c.seq, work, ssize_int(n.in->slow_ones ? -1 : AUTO_LEAST), loop_comes);
	c.seq = NULL;
	gimple_seq_add_stmt(&c.seq, gimple_build_assign(least, n.least_work));
	tree converted = c.value(fold_convert(ssizetype, least));
	return {never, skip_less(again, c.seq, work, converted, loop_comes)};
}

/*
 * Behind the scalar loop of a directive, the comparison with what the array has stored, if the call has said so.
 * Returns the edge from the loop to `after`, and in `compared` the one from the comparison.
 */
static edge compare_behind(nest &n, tree done, basic_block after, edge *compared)
{
	basic_block test = split_edge(single_exit(n.outer)), compare = create_empty_bb(test);
	add_bb_to_loop(compare, loop_outer(n.outer));
	gimple_stmt_iterator g = gsi_last_bb(test);
	gsi_insert_after(
		&g, gimple_build_cond(LT_EXPR, done, build_int_cst(long_integer_type_node, 0), NULL_TREE, NULL_TREE),
		GSI_CONTINUE_LINKING);
	edge leaves = single_succ_edge(test), to = make_edge(test, compare, EDGE_TRUE_VALUE);
	leaves->flags = (leaves->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	leaves->probability = profile_probability::very_likely();
	to->probability = profile_probability::very_unlikely();
	compare->count = to->count();
	gcall *c = gimple_build_call(
		build_fn_decl("psim_nest_compare", build_function_type_list(void_type_node, NULL_TREE)), 0);
	gimple_set_location(c, n.where);
	g = gsi_last_bb(compare);
	gsi_insert_after(&g, c, GSI_CONTINUE_LINKING);
	*compared = make_edge(compare, after, EDGE_FALLTHRU);
	(*compared)->probability = profile_probability::always();
	return leaves;
}

/* The call of all parts: its result, in the seq of `c`. */
static tree call_parts(caller &c, std::vector<nest> &parts)
{
	tree list = c.array(2 * (int)parts.size(), "psim_parts");
	for (size_t k = 0; k < parts.size(); k++) {
		caller of(parts[k]);
		tree data = of.array(data_words(parts[k]), "psim_data"),
		     table = of.array(table_words(parts[k]), "psim_table");
		of.fill(table, data);
		gimple_seq_add_seq(&c.seq, of.seq);
		c.put_address(list, 2 * (int)k, table);
		c.put_address(list, 2 * (int)k + 1, data);
		c.n.in->own_arrays.insert(table);
		c.n.in->own_arrays.insert(data);
	}
	gcall *made = c.call_with("psim_nest_run_parts", build_fold_addr_expr(list),
				  build_int_cst(long_integer_type_node, (long)parts.size()));
	resident_call(*c.n.in, made, list, list, false);
	return gimple_call_lhs(made);
}

/* The call in front of the loop, and the ways around one of both; `parts`: of a loop that has become several nests. */
static void call_before(nest &n, std::vector<nest> *parts)
{
	caller c(n);
	if (n.automatic)
		make_auto_facts(n);
	for (size_t k = 0; parts && k < parts->size(); k++) {
		(*parts)[k].least_work = n.least_work;
		(*parts)[k].warm = n.warm;
	}
	basic_block few = n.automatic ? split_edge(loop_preheader_edge(n.outer)) : NULL;
	basic_block before = split_edge(loop_preheader_edge(n.outer));
	basic_block after = split_edge(single_exit(n.outer));
	tree data = NULL_TREE, done;
	if (parts) {
		done = call_parts(c, *parts);
	} else {
		data = c.array(data_words(n), "psim_data");
		done = c.call(data, c.array(table_words(n), "psim_table"));
	}
	gimple_seq_add_stmt(&c.seq, gimple_build_cond(GT_EXPR, done, build_int_cst(long_integer_type_node, 0),
						      NULL_TREE, NULL_TREE));
	gimple_stmt_iterator g = gsi_last_bb(before);
	gsi_insert_seq_after(&g, c.seq, GSI_CONTINUE_LINKING);
	c.seq = NULL;

	edge scalar = single_succ_edge(before);
	basic_block ran = create_empty_bb(before);
	add_bb_to_loop(ran, loop_outer(n.outer));
	scalar->flags = (scalar->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	scalar->probability = profile_probability::even();
	edge to = make_edge(before, ran, EDGE_TRUE_VALUE);
	to->probability = profile_probability::even();
	ran->count = to->count();
	edge joins = make_edge(ran, after, EDGE_FALLTHRU);
	joins->probability = profile_probability::always();
	basic_block loop_comes = split_edge(scalar);
	nest_place place = {loop_comes,    ran, single_pred_edge(loop_comes), {}, done, loop_depth(n.outer) == 1,
			    !n.region_line};
	if (few)
		place.few = skip_few(n, few, loop_comes);
	n.in->places.push_back(place);
	edge compared = NULL, leaves = n.automatic ? single_exit(n.outer) : compare_behind(n, done, after, &compared);

	for (auto &r : n.results) {
		tree by = make_ssa_name(TREE_TYPE(r.first));
		gphi *phi = create_phi_node(by, after);
		replace_outside(n, r.first, by, phi);
		add_phi_arg(phi, r.first, leaves, UNKNOWN_LOCATION);
		if (compared)
			add_phi_arg(phi, r.first, compared, UNKNOWN_LOCATION);
		add_phi_arg(phi, c.final_value(r.first, r.second, data), joins, UNKNOWN_LOCATION);
	}
	g = gsi_last_bb(ran);
	gsi_insert_seq_after(&g, c.seq, GSI_CONTINUE_LINKING);
}

void nest_call(nest &n)
{
	call_before(n, NULL);
}

void nest_call_parts(nest &whole, std::vector<nest> &parts)
{
	call_before(whole, &parts);
}
