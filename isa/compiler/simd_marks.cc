/*
 * A loop with a simd directive gets an empty volatile asm statement at the start of its body before the directive is
 * lowered. GCC's own mark is lost for loops with reductions where the vector length is one. The statement's text says
 * how many iterations the directive permits at the same time.
 */
#include "nest.hh"

#include "gimple-walk.h"
#include "context.h"
#include "omp-general.h"
#include "options.h"
#include "nest_reader.hh"

#define MARK "! psim simd "

static bool is_loop_mark(gimple *s)
{
	gasm *a = dyn_cast<gasm *>(s);
	return a && !strncmp(gimple_asm_string(a), MARK, strlen(MARK));
}

long simd_mark_safelen(gimple *s)
{
	return s ? atol(gimple_asm_string(as_a<gasm *>(s)) + strlen(MARK)) : 0;
}

bool simd_mark_is(gimple *s)
{
	return is_loop_mark(s) || forget_mark_line(s);
}

gimple *simd_mark_of(class loop *l)
{
	basic_block *blocks = get_loop_body(l);
	gimple *found = NULL;
	for (unsigned b = 0; b < l->num_nodes && !found; b++) {
		if (blocks[b]->loop_father != l)
			continue;
		for (gimple_stmt_iterator g = gsi_start_bb(blocks[b]); !gsi_end_p(g); gsi_next(&g))
			if (is_loop_mark(gsi_stmt(g)))
				found = gsi_stmt(g);
	}
	free(blocks);
	return found;
}

void simd_marks_seen(compilation &in, function *fun)
{
	basic_block b;
	FOR_EACH_BB_FN(b, fun)
	for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g))
		if (is_loop_mark(gsi_stmt(g)))
			in.unseen.erase(get_pure_location(gimple_location(gsi_stmt(g))));
}

bool simd_marks_remove(function *fun)
{
	basic_block b;
	bool any = false;
	FOR_EACH_BB_FN(b, fun)
	for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g);) {
		if (is_loop_mark(gsi_stmt(g))) {
			gsi_remove(&g, true);
			any = true;
		} else {
			gsi_next(&g);
		}
	}
	return any;
}

static tree find_ordered(gimple_stmt_iterator *g, bool *handled, walk_stmt_info *info)
{
	gimple *s = gsi_stmt(*g);
	*handled = false;
	if (gimple_code(s) == GIMPLE_OMP_ORDERED || gimple_code(s) == GIMPLE_OMP_SCAN)
		*(bool *)info->info = true;
	return NULL_TREE;
}

/* Returns whether iterations hand on values in their order, in a block of `ordered simd` or with `scan`. */
static bool in_order(gomp_for *f)
{
	bool any = false;
	walk_stmt_info info = {};
	info.info = &any;
	walk_gimple_seq(gimple_omp_body(f), find_ordered, NULL, &info);
	return any;
}

/* How many iterations a directive permits at the same time: enum nest_safelen, or a number (OpenMP 5.2, 10.4). */
static long safelen_of(gomp_for *f)
{
	tree clauses = gimple_omp_for_clauses(f), at_most = omp_find_clause(clauses, OMP_CLAUSE_SAFELEN),
	     only_if = omp_find_clause(clauses, OMP_CLAUSE_IF), order = omp_find_clause(clauses, OMP_CLAUSE_ORDER);
	if (in_order(f) || (only_if && !integer_nonzerop(OMP_CLAUSE_IF_EXPR(only_if))))
		return 1;
	if (at_most && tree_fits_shwi_p(OMP_CLAUSE_SAFELEN_EXPR(at_most)))
		return tree_to_shwi(OMP_CLAUSE_SAFELEN_EXPR(at_most));
	return order ? NEST_CONCURRENT : NEST_CHUNK;
}

static tree mark(gimple_stmt_iterator *g, bool *handled, walk_stmt_info *info)
{
	gomp_for *f = dyn_cast<gomp_for *>(gsi_stmt(*g));
	*handled = false;
	if (!f || gimple_omp_for_kind(f) != GF_OMP_FOR_KIND_SIMD)
		return NULL_TREE;
	if (!optimize) {
		nest_message(gimple_location(f), "not on the array: -O0, expected -O1 or more");
		return NULL_TREE;
	}
	char text[64];
	sprintf(text, MARK "%ld", safelen_of(f));
	gasm *a = gimple_build_asm_vec(text, NULL, NULL, NULL, NULL); /* which copies the text */
	gimple_asm_set_volatile(a, true);
	gimple_set_location(a, gimple_location(f));
	((compilation *)info->info)->unseen.insert(get_pure_location(gimple_location(f)));
	gimple_seq body = NULL;
	gimple_seq_add_stmt(&body, a);
	gimple_seq_add_seq(&body, gimple_omp_body(f));
	gimple_omp_set_body(f, body);
	return NULL_TREE;
}

static const pass_data marks_data = {GIMPLE_PASS, "psim_marks", OPTGROUP_NONE, TV_NONE, PROP_gimple_any, 0, 0, 0, 0};

namespace
{
struct marks_pass : gimple_opt_pass {
	compilation &in;

	marks_pass(gcc::context *c, compilation &of) : gimple_opt_pass(marks_data, c), in(of)
	{
	}
	unsigned execute(function *fun) override
	{
		ignored_in(in, fun);
		if (!flag_openmp && !flag_openmp_simd)
			return 0;
		walk_stmt_info info = {};
		info.info = &in;
		if (optimize)
			forget_marks(in, fun);
		gimple_seq body = gimple_body(fun->decl);
		walk_gimple_seq_mod(&body, mark, NULL, &info);
		gimple_set_body(fun->decl, body);
		return 0;
	}
};
} // namespace

opt_pass *simd_marks_pass(gcc::context *c, compilation &in)
{
	return new marks_pass(c, in);
}
