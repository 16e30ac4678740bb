/*
 * Where a region of target data ends, arrays that memory need not get are forgotten (map of type to or alloc). The end
 * is marked by an empty volatile asm statement before OpenMP is lowered, behind the last statement whose line is in
 * the region; later it becomes a call of psim_nest_forget.
 */
#include "nest.hh"

#include "gimple-walk.h"
#include "input.h"
#include "nest_reader.hh"

#define MARK "! psim end "

int forget_mark_line(gimple *s)
{
	gasm *a = dyn_cast<gasm *>(s);
	return a && startswith(gimple_asm_string(a), MARK) ? atoi(gimple_asm_string(a) + strlen(MARK)) : 0;
}

namespace
{
struct lines {
	const char *file;
	int from, to;
	bool any = false, all = true; /* of a statement: its lines are known; they are in the range */
};

/* The sequences of statements in a statement. */
std::vector<gimple_seq *> parts_of(gimple *s)
{
	switch (gimple_code(s)) {
	case GIMPLE_BIND: return {gimple_bind_body_ptr(as_a<gbind *>(s))};
	case GIMPLE_TRY: return {gimple_try_eval_ptr(s), gimple_try_cleanup_ptr(s)};
	case GIMPLE_OMP_FOR:
	case GIMPLE_OMP_SCAN: return {gimple_omp_body_ptr(s)};
	default: return {};
	}
}

void look_at(gimple *s, lines &l)
{
	expanded_location at = expand_location(gimple_location(s));
	if (at.file && at.line > 0) {
		l.any = true;
		l.all &= !strcmp(at.file, l.file) && l.from <= at.line && at.line <= l.to;
	}
	for (gimple_seq *part : parts_of(s))
		for (gimple_stmt_iterator g = gsi_start(*part); !gsi_end_p(g); gsi_next(&g))
			look_at(gsi_stmt(g), l);
}

/* Puts `mark` behind the last statement of a sequence, or of one in it, that is in the lines. */
bool mark_end(gimple_seq *seq, const lines &of, gimple *mark)
{
	gimple_stmt_iterator last = gsi_none();
	for (gimple_stmt_iterator g = gsi_start(*seq); !gsi_end_p(g); gsi_next(&g)) {
		lines l = of;
		look_at(gsi_stmt(g), l);
		if (l.any && l.all)
			last = g;
	}
	if (gsi_end_p(last)) {
		for (gimple_stmt_iterator g = gsi_start(*seq); !gsi_end_p(g); gsi_next(&g))
			for (gimple_seq *part : parts_of(gsi_stmt(g)))
				if (mark_end(part, of, mark))
					return true;
		return false;
	}
	for (gimple_stmt_iterator g = last; !gsi_end_p(g); gsi_next(&g)) /* where loops and conditions go on */
		if (gimple_code(gsi_stmt(g)) == GIMPLE_LABEL)
			last = g;
		else if (gsi_stmt(g) != gsi_stmt(last))
			break;
	gimple_set_location(mark, gimple_location(gsi_stmt(last)));
	gsi_insert_after(&last, mark, GSI_SAME_STMT);
	return true;
}
} // namespace

void forget_marks(compilation &in, function *fun)
{
	gimple_seq body = gimple_body(fun->decl);
	for (const auto &r : resident_forgetting(in, fun)) {
		char text[32];
		snprintf(text, sizeof text, MARK "%d", r.first);
		gasm *a = gimple_build_asm_vec(ggc_strdup(text), NULL, NULL, NULL, NULL);
		gimple_asm_set_volatile(a, true);
		expanded_location at = expand_location(DECL_SOURCE_LOCATION(fun->decl));
		mark_end(&body, {at.file, r.first + 1, r.second}, a);
	}
	gimple_set_body(fun->decl, body);
}

/* The marks of a function that others have been inlined into are its own only. */
void forget_calls(compilation &in, function *fun, bool keeps)
{
	basic_block b;
	FOR_EACH_BB_FN(b, fun)
	for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g);) {
		gimple *s = gsi_stmt(g);
		int line = forget_mark_line(s);
		if (!line) {
			gsi_next(&g);
			continue;
		}
		if (keeps && outer_place(gimple_location(s)) == gimple_location(s)) {
			tree type = build_function_type_list(void_type_node, long_integer_type_node, NULL_TREE);
			gcall *c = gimple_build_call(build_fn_decl("psim_nest_forget", type), 1,
						     build_int_cst(long_integer_type_node, line));
			gimple_set_location(c, gimple_location(s));
			gsi_insert_before(&g, c, GSI_SAME_STMT);
			resident_passes(in, c);
		}
		unlink_stmt_vdef(s);
		gsi_remove(&g, true);
		release_defs(s);
	}
}
