/*
 * The plugin: simd loops of C and Fortran go to the SIMD array (README.md).
 *
 *     -fplugin=psim_simd.so [-fplugin-arg-psim_simd-report | -explain | -auto | -slow | -regroup | -units=LIST]...
 */
#include "nest.hh"

#include "psim_nest.h"

#include "context.h"
#include "cfgloop.h"
#include "cgraph.h"
#include "diagnostic-core.h"
#include "options.h"
#include "plugin-version.h"
#include "tree-cfg.h"
#include "tree-into-ssa.h"
#include "tree-ssa-loop-manip.h"
#include "tree-ssa-loop-niter.h"
#include "tree-scalar-evolution.h"

int plugin_is_GPL_compatible;

void nest_message(location_t where, const char *format, ...)
{
	expanded_location at = expand_location(where);
	va_list list;
	fprintf(stderr, "%s:%d: ", at.file ? at.file : "?", at.line);
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fputc('\n', stderr);
}

/* How a nest runs on the array, but for where it is. */
static std::string how_on_array(const nest &n)
{
	std::string how = std::to_string(n.lanes_at_once) + " at a time";
	if (n.pairs)
		how += " in pairs";
	if (n.jam_loop)
		how += ", with " + std::to_string(n.jam) + " iterations of loop " + std::to_string(n.jam_loop);
	int dealt = 0, broadcast = 0, gathered = 0, stay = 0;
	for (size_t k = 0; k < n.families.size(); k++) {
		(n.families[k].lane ? dealt : n.families[k].gathered ? gathered : broadcast)++;
		stay += n.region_line && n.families[k].lane && resident_map(n, (int)k) != NEST_MOVES;
	}
	if (n.survey)
		how += ", inner loops of any kind";
	if (n.ragged >= 0)
		how += ", rows that grow";
	if (n.stream)
		how += ", iteration by iteration of the loop around";
	if (n.beside)
		how += " of the loop around it";
	if (n.interchanged)
		how += ", outside of " + std::to_string(n.interchanged) + (n.interchanged == 1 ? " loop" : " loops") +
		       " around it";
	how += "; " + std::to_string(dealt) + " arrays dealt, " + std::to_string(broadcast) + " broadcast, " +
	       (gathered ? std::to_string(gathered) + " gathered, " : "") + std::to_string(n.sums.size()) + " sums";
	if (n.region_line)
		how += "; " +
		       (stay == dealt ? std::string("arrays stay")
				      : std::to_string(stay) + (stay == 1 ? " array stays" : " arrays stay")) +
		       " in the block of line " + std::to_string(n.region_line);
	return how;
}

static void nest_report(const nest &n)
{
	nest_message(n.where, "on the array: %s", how_on_array(n).c_str());
}

/* The call is a way around the loop. */
static void after_call()
{
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);
	calculate_dominance_info(CDI_DOMINATORS);
}

static void put_on_array(nest &n)
{
	nest_mark_subscripts(n);
	n.regrouped = n.in->regroup || flag_associative_math;
	if (n.regrouped)
		nest_reassociate(n);
	nest_plan(n);
	nest_kernels(n);
	nest_call(n);
	after_call();
}

/* In a region, the loop around `l` as the one over lanes: what it distributes can stay, which streams' data cannot. */
static bool nest_read_staying(nest &around, class loop *l)
{
	class loop *outer = loop_outer(l);
	nest n = around;
	if (!around.region_line || !outer || !loop_outer(outer) || !nest_read(n, outer) || !n.sums.empty())
		return false;
	location_t place = place_of(outer); /* of collapse, it is unknown */
	if (place != UNKNOWN_LOCATION && resident_block(*around.in, around.fun, place) != around.region_line)
		return false;
	for (const reference &r : n.refs)
		if (r.private_copy)
			return false;
	n.beside = true;
	around = n;
	return true;
}

/* Reads the nest of loop `l` and the loops around it, as a stream or with the lanes outside of these. */
static bool nest_read_around(nest &around, class loop *l)
{
	if (nest_read_staying(around, l))
		return true;
	nest stream = around;
	stream.region_line = 0;
	if (nest_read_stream(stream, l)) {
		around = stream;
		return true;
	}
	return nest_read_interchanged(around, l);
}

/* A nest of a loop, with the facts of another one. */
static nest nest_like(const nest &facts)
{
	nest n = {};
	n.in = facts.in;
	n.fun = facts.fun;
	n.where = facts.where;
	n.automatic = facts.automatic;
	n.region_line = facts.region_line;
	n.safelen = facts.safelen;
	return n;
}

/* A loop without a directive, as several nests. */
static bool compile_parts(const nest &facts, class loop *l)
{
	nest whole = nest_like(facts);
	std::vector<nest> parts;
	if (!facts.automatic || flag_generate_lto || !nest_distribute(whole, l, parts))
		return false;
	whole.in->on_array.insert(l);
	for (nest &n : parts) {
		nest_mark_subscripts(n);
		n.regrouped = n.in->regroup || flag_associative_math;
		if (n.regrouped)
			nest_reassociate(n);
		nest_plan(n);
		nest_kernels(n);
	}
	nest_call_parts(whole, parts);
	after_call();
	std::string how;
	for (const nest &n : parts)
		how += (how.empty() ? "" : "; then ") + how_on_array(n);
	if (whole.in->report)
		nest_message(whole.where, "on the array, %d nests: %s", (int)parts.size(), how.c_str());
	for (const nest &n : parts)
		if (n.in->explain)
			nest_explain(n);
	return true;
}

/*
 * A loop that is no affine nest: with inner loops of any kind, as several nests, or not at all; then a message says
 * why. Returns whether it runs on the array.
 */
static bool compile_other(const nest &n, class loop *l)
{
	nest more = nest_like(n);
	if (n.not_affine && !n.automatic && nest_uniform(more, l)) {
		n.in->on_array.insert(l);
		nest_call(more);
		after_call();
		if (n.in->report)
			nest_report(more);
		if (n.in->explain)
			nest_explain(more);
		return true;
	}
	if (compile_parts(n, l))
		return true;
	bool uses_units = n.refused.find("-fpsim-units=") != std::string::npos ||
			  more.refused.find("it is loaded in the loop") != std::string::npos;
	const nest &why = n.not_affine && !n.automatic && !uses_units ? more : n;
	if (!n.automatic || n.in->report)
		nest_tell_refused(*n.in,
				  LOCATION_LOCUS(why.refused_at) == UNKNOWN_LOCATION ? why.where : why.refused_at,
				  why.refused.c_str());
	return false;
}

/* Returns whether a loop without a directive sums over its iterations in an order that is not to change. */
static bool ordered_sum(const nest &n)
{
	return n.automatic && !n.sums.empty() && !flag_associative_math;
}

/* The condition comes first, so that the latch follows each iteration. */
static bool has_one_iteration(class loop *l)
{
	edge exit;
	return integer_onep(find_loop_niter_by_eval(l, &exit));
}

/* A nest of loop `l`, not read yet. */
static nest new_nest(compilation &in, function *fun, class loop *l, location_t where, bool automatic)
{
	nest n = {};
	n.in = &in;
	n.fun = fun;
	n.where = where;
	n.automatic = automatic;
	n.region_line = automatic ? 0 : resident_block(in, fun, where);
	n.safelen = automatic ? 0 : simd_mark_safelen(simd_mark_of(l));
	if (flag_generate_lto) /* the linker's compiler has no plugin that would check the kernels */
		n.refused = "-flto", n.refused_at = n.where;
	else if (!automatic && has_one_iteration(l))
		n.refused = "it has one iteration", n.refused_at = n.where;
	return n;
}

/* Puts a nest on the array, and with it the one of the loop around it if there is one. */
static void put_both(nest &n, nest *around)
{
	compilation &in = *n.in;
	in.on_array.insert(n.outer);
	put_on_array(n);
	if (around) { /* which has the nest's own call for when iterations of it depend on each other */
		put_on_array(*around);
		in.places.back().leaves = false;
	}
	const nest &told = around ? *around : n;
	if (in.report)
		nest_report(told);
	if (in.explain)
		nest_explain(told);
	if (!n.automatic)
		nest_tell_slow(told);
}

/*
 * Compiles a loop for the array, or says why not. Returns whether the function has changed. `taken` becomes whether the
 * loops in it are left alone.
 */
static bool compile(compilation &in, function *fun, class loop *l, location_t where, bool automatic, bool &taken)
{
	nest n = new_nest(in, fun, l, where, automatic);
	if (!n.refused.empty() || !nest_read(n, l))
		return taken = compile_other(n, l);
	if (ordered_sum(n)) {
		if (in.report)
			nest_tell_refused(in, n.where, "a sum over the iterations without reduction(+:...)");
		return false;
	}
	nest around = nest_like(n);
	bool more = nest_read_around(around, l);
	n.in_caches = automatic && nest_in_caches(n, in.on_array);
	around.in_caches = more && automatic && nest_in_caches(around, in.on_array);
	taken = true;
	if (nest_never_worth(n) && (!more || nest_never_worth(around))) {
		if (in.report)
			nest_tell_refused(in, n.where, "it is not expected to be faster there");
		return false; /* nor are the loops in it */
	}
	put_both(n, more ? &around : NULL);
	return true;
}

location_t place_of(class loop *l)
{
	edge exit = single_exit(l);
	gimple *s = last_stmt(exit ? exit->src : l->header);
	return s ? gimple_location(s) : UNKNOWN_LOCATION;
}

static const pass_data nests_data = {GIMPLE_PASS,
				     "psim_nests",
				     OPTGROUP_LOOP,
				     TV_NONE,
				     PROP_cfg | PROP_ssa,
				     0,
				     0,
				     0,
				     TODO_update_ssa | TODO_cleanup_cfg};

namespace
{
struct candidate {
	int number;
	location_t where;
	bool automatic; /* no directive */
};

/* The line of a loop's condition, or that of the function for a loop without one. */
location_t place_or_function(class loop *l, function *fun)
{
	location_t at = place_of(l);
	return at == UNKNOWN_LOCATION ? DECL_SOURCE_LOCATION(fun->decl) : at;
}

bool in_one_of(class loop *l, const std::set<int> &taken)
{
	for (; l; l = loop_outer(l))
		if (taken.count(l->num))
			return true;
	return false;
}

/* Returns whether a loop with a directive is in `l`. */
bool around_one_of(class loop *l, const std::vector<candidate> &loops, function *fun)
{
	for (const candidate &c : loops)
		if (!c.automatic && flow_loop_nested_p(l, get_loop(fun, c.number)))
			return true;
	return false;
}

struct nests_pass : gimple_opt_pass {
	compilation &in;

	nests_pass(gcc::context *c, compilation &of) : gimple_opt_pass(nests_data, c), in(of)
	{
	}
	/* Loops with a directive, and others if wanted. */
	std::vector<candidate> candidates(function *fun)
	{
		std::vector<candidate> loops;
		for (auto l : loops_list(fun, 0)) {
			gimple *mark = simd_mark_of(l);
			if (mark)
				loops.push_back({l->num, gimple_location(mark), false});
			else if (in.every_loop && optimize)
				loops.push_back({l->num, place_or_function(l, fun), true});
		}
		/* outer loops first: the loops inside them run in the scalar form of these; then by place */
		std::stable_sort(loops.begin(), loops.end(), [fun](const candidate &a, const candidate &b) {
			class loop *x = get_loop(fun, a.number), *y = get_loop(fun, b.number);
			int a_depth = loop_depth(x), b_depth = loop_depth(y);
			return a_depth != b_depth ? a_depth < b_depth : x->header->index < y->header->index;
		});
		return loops;
	}

	/* Compiles a function's loops for the array. Returns whether it has changed. */
	bool compile_loops(function *fun)
	{
		bool changed = false;
		std::set<int> taken;
		loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
		in.on_array.clear();
		in.places.clear();
		std::vector<candidate> loops = candidates(fun);
		for (const candidate &c : loops) {
			class loop *l = get_loop(fun, c.number);
			if (c.automatic && (in_one_of(l, taken) || around_one_of(l, loops, fun)))
				continue;
			bool took = false;
			changed |= compile(in, fun, l, c.where, c.automatic, took);
			if (took)
				taken.insert(c.number);
		}
		if (changed) {
			mark_virtual_operands_for_renaming(fun);
			loops_state_set(LOOPS_NEED_FIXUP);
		}
		loop_optimizer_finalize();
		simd_marks_remove(fun);
		resident_guards(in, fun);
		if (in.report)
			resident_unused(in, fun);
		return changed;
	}

	/* The same in a copy of the function, which stays as it is but for a jump to the copy. */
	bool compile_copy(function *fun, cgraph_node *copy)
	{
		push_cfun(DECL_STRUCT_FUNCTION(copy->decl));
		bool changed = compile_loops(cfun), leaves = changed && nest_leave(in, cfun);
		if (changed)
			version_finish(copy);
		pop_cfun();
		simd_marks_remove(fun);
		forget_calls(in, fun, false);
		if (!changed) {
			version_drop(in, copy);
			return false;
		}
		version_choose(fun, copy, leaves);
		mark_virtual_operands_for_renaming(fun);
		loops_state_set(LOOPS_NEED_FIXUP);
		return true;
	}

	unsigned execute(function *fun) override
	{
		if (!loops_for_fn(fun) || in.made.count(fun->decl))
			return 0;
		simd_marks_seen(in, fun);
		loop_optimizer_init(LOOPS_NORMAL);
		bool any = !candidates(fun).empty();
		loop_optimizer_finalize();
		cgraph_node *copy = any ? version_make(in, fun) : NULL;
		bool changed = copy ? compile_copy(fun, copy) : compile_loops(fun);
		if (changed && !copy && in.report)
			nest_message(DECL_SOURCE_LOCATION(fun->decl),
				     "without an array, loops of '%s' may be slower than without the plugin: it has "
				     "variable arguments or addresses of labels",
				     IDENTIFIER_POINTER(DECL_NAME(fun->decl)));
		return changed ? TODO_update_ssa | TODO_cleanup_cfg : 0;
	}
};
} // namespace

/* Reads the names of units, with commas between them. */
static bool take_units(compilation &in, const char *names)
{
	for (const char *at = names ? names : ""; at; at = *at ? at + 1 : NULL) {
		size_t length = strcspn(at, ",");
		unsigned unit = 0;
		while (unit < UNIT_COUNT &&
		       (strlen(array_unit_text[unit]) != length || memcmp(array_unit_text[unit], at, length)))
			unit++;
		if (unit == UNIT_COUNT) {
			std::string known;
			for (const char *text : array_unit_text)
				known += (known.empty() ? "" : ", ") + std::string(text);
			error("%<-fpsim-units=%s%>: unknown unit %<%.*s%>, expected %s", names ? names : "",
			      (int)length, at, known.c_str());
			return false;
		}
		in.units |= 1u << unit;
		at += length;
	}
	return true;
}

static bool take(compilation &in, const plugin_argument &a)
{
	if (!strcmp(a.key, "units"))
		return take_units(in, a.value);

	bool *option = !strcmp(a.key, "report")    ? &in.report
		       : !strcmp(a.key, "explain") ? &in.explain
		       : !strcmp(a.key, "auto")    ? &in.every_loop
		       : !strcmp(a.key, "slow")    ? &in.slow_ones
		       : !strcmp(a.key, "regroup") ? &in.regroup
						   : NULL;
	if (!option) {
		error("unknown argument %qs of the plugin, expected %qs, %qs, %qs, %qs or %qs", a.key, "report",
		      "explain", "auto", "slow", "regroup");
		return false;
	}
	*option = true;
	return true;
}

int plugin_init(plugin_name_args *info, plugin_gcc_version *version)
{
	if (!plugin_default_version_check(version, &gcc_version)) {
		error("the plugin is for GCC %s, not %s: rebuild it", gcc_version.basever, version->basever);
		return 1;
	}
	compilation *in = new compilation; /* as long as the compiler runs */
	for (int k = 0; k < info->argc; k++)
		if (!take(*in, info->argv[k]))
			return 1;
	register_pass_info marks = {simd_marks_pass(g, *in), "omplower", 1, PASS_POS_INSERT_BEFORE};
	register_pass_info nests = {new nests_pass(g, *in), "profile_estimate", 1, PASS_POS_INSERT_AFTER};
	register_pass_info check = {kernel_check_pass(g, *in), "sched2", 1, PASS_POS_INSERT_AFTER};
	register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &marks);
	register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &nests);
	register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &check);
	register_callback(info->base_name, PLUGIN_FINISH_UNIT, ignored_at_end, in);
	ignored_functions();
	return 0;
}
