/*
 * Blocks of target data: the arrays of their nests stay in the buffer memories, so memory may be out of date until
 * psim_nest_release or psim_nest_touch has been called. That depends on calls of psim_nest_run only: in front of each
 * statement that can be reached from one and may use memory of doubles is such a call. Where a block ends matters
 * to no result. The front ends leave no trace of the directive under -fopenmp-simd, so blocks are found in the source.
 */
#include "nest.hh"

#include "basic-block.h"
#include "cfghooks.h"
#include "gimple-expr.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "input.h"
#include "options.h"
#include "tree-cfg.h"
#include "tree-dfa.h"
#include "alias.h"

/* ---- blocks ---- */

/* The text behind "#pragma omp" or "!$omp", in small letters with single blanks; empty if the line has no directive. */
static std::string directive_of(const std::string &line)
{
	std::string text;
	for (char c : line)
		if (!ISSPACE(c) || (!text.empty() && text.back() != ' '))
			text += ISSPACE(c) ? ' ' : TOLOWER(c);
	for (const char *start : {"#pragma omp ", "# pragma omp ", "!$omp "})
		if (!text.compare(0, strlen(start), start))
			return text.substr(strlen(start));
	return "";
}

static bool begins(const std::string &text, const char *with)
{
	size_t n = strlen(with);
	return !text.compare(0, n, with) && (text.size() == n || !(ISALNUM(text[n]) || text[n] == '_'));
}

static std::string line_of(const char *file, int line)
{
	char_span text = location_get_source_line(file, line);
	return text ? std::string(text.get_buffer(), text.length()) : "";
}

static bool continued(const std::string &line)
{
	return !line.empty() && line.back() == '\\';
}

/* The statement behind a directive of C, without comments and literals. */
struct statement_end {
	int depth = 0;
	bool in_comment = false;

	/* Returns whether the statement ends in a line. */
	bool in(const std::string &line)
	{
		for (size_t k = 0; k < line.size(); k++) {
			char c = line[k], next = k + 1 < line.size() ? line[k + 1] : 0;
			if (in_comment) {
				in_comment = !(c == '*' && next == '/');
				k += !in_comment;
			} else if (c == '/' && next == '/') {
				return false;
			} else if (c == '/' && next == '*') {
				in_comment = true;
				k++;
			} else if (c == '"' || c == '\'') {
				for (k++; k < line.size() && line[k] != c; k++)
					k += line[k] == '\\';
			} else if (c == '{' || c == '(') {
				depth++;
			} else if (c == '}' || c == ')') {
				depth--;
				if (c == '}' && depth <= 0)
					return true;
			} else if (c == ';' && depth == 0) {
				return true;
			}
		}
		return false;
	}
};

/* The last line of the block of C whose directive is in a line. */
static int block_end_c(const char *file, int line, int last)
{
	statement_end statement;
	bool preprocessor = true;
	for (bool more = true; line <= last; line++) {
		std::string text = line_of(file, line);
		size_t first = text.find_first_not_of(" \t");
		if (!more)
			preprocessor = first != std::string::npos && text[first] == '#';
		more = preprocessor && continued(text);
		if (!preprocessor && statement.in(text))
			return line;
	}
	return last;
}

static int block_end_fortran(const char *file, int line, int last)
{
	int depth = 0;
	for (; line <= last; line++) {
		std::string text = directive_of(line_of(file, line));
		depth += begins(text, "target data");
		depth -= begins(text, "end target data") || begins(text, "endtarget data");
		if (depth == 0)
			return line;
	}
	return last;
}

/* The line of the innermost block of a function that a line of it is in, or 0. */
static int block_of_line(const char *file, int from, int line, int last)
{
	for (int start = line - 1; start >= from; start--) {
		std::string text = line_of(file, start);
		if (!begins(directive_of(text), "target data"))
			continue;
		bool fortran = text.find('#') == std::string::npos;
		if ((fortran ? block_end_fortran : block_end_c)(file, start, last) >= line)
			return start;
	}
	return 0;
}

/* The place in the function itself of what may come from an inlined one. */
static location_t outer_place(location_t at)
{
	location_t found = at;
	for (tree b = LOCATION_BLOCK(at); b && TREE_CODE(b) == BLOCK; b = BLOCK_SUPERCONTEXT(b))
		if (inlined_function_outer_scope_p(b))
			found = BLOCK_SOURCE_LOCATION(b);
	return found;
}

int kept_block(function *fun, location_t where)
{
	expanded_location first = expand_location(DECL_SOURCE_LOCATION(fun->decl));
	expanded_location last = expand_location(fun->function_end_locus), at = expand_location(outer_place(where));
	if (!at.file || !first.file || !last.file)
		return 0;
	if (!strcmp(at.file, first.file) && first.line <= at.line && at.line <= last.line)
		return block_of_line(first.file, first.line, at.line, last.line);
	return 0;
}

/* ---- what uses memory ---- */

namespace
{
struct known_call {
	bool keep;
};
std::map<gimple *, known_call> nest_calls;
std::set<tree> own_arrays; /* tables and data of the calls */

enum touching { TOUCHES_NOTHING, TOUCHES_PLACE, TOUCHES_ALL };

bool may_be_doubles(tree ref)
{
	tree base = get_base_address(ref);
	if (base && DECL_P(base) &&
	    (own_arrays.count(base) || (auto_var_in_fn_p(base, current_function_decl) && !TREE_ADDRESSABLE(base) &&
					!AGGREGATE_TYPE_P(TREE_TYPE(base)))))
		return false;
	alias_set_type of = get_alias_set(ref);
	return alias_sets_conflict_p(of, get_alias_set(double_type_node)) ||
	       alias_sets_conflict_p(of, get_alias_set(complex_double_type_node));
}

bool is_reference(tree t)
{
	return t && !is_gimple_reg(t) && (DECL_P(t) || REFERENCE_CLASS_P(t)) && TREE_CODE(t) != FUNCTION_DECL &&
	       TREE_CODE(t) != LABEL_DECL && TREE_CODE(t) != CONST_DECL;
}

/* A statement's use of memory; `ref` becomes the place, `store` whether it is stored to. */
touching touches(gimple *s, tree *ref, bool *store)
{
	if (is_gimple_debug(s) || nest_calls.count(s) || gimple_clobber_p(s))
		return TOUCHES_NOTHING;
	if (is_gimple_call(s)) {
		if (gimple_call_internal_p(s))
			return gimple_call_lhs(s) && is_reference(gimple_call_lhs(s)) ? TOUCHES_ALL : TOUCHES_NOTHING;
		return gimple_call_flags(s) & ECF_CONST ? TOUCHES_NOTHING : TOUCHES_ALL;
	}
	if (gimple_code(s) == GIMPLE_RETURN || gimple_code(s) == GIMPLE_RESX)
		return TOUCHES_ALL;
	if (gasm *a = dyn_cast<gasm *>(s))
		return gimple_asm_volatile_p(a) || gimple_asm_noutputs(a) ? TOUCHES_ALL : TOUCHES_NOTHING;
	if (!is_gimple_assign(s))
		return TOUCHES_NOTHING;
	tree to = gimple_assign_lhs(s), from = gimple_assign_rhs1(s);
	if (VAR_P(to) && DECL_HARD_REGISTER(to)) /* a call behind it would change the register */
		return TOUCHES_ALL;
	bool stores = is_reference(to) && may_be_doubles(to);
	bool loads = gimple_assign_single_p(s) && is_reference(from) && may_be_doubles(from);
	if (stores && loads)
		return TOUCHES_ALL;
	*ref = stores ? to : from;
	*store = stores;
	if (!stores && !loads)
		return TOUCHES_NOTHING;
	tree size = TYPE_SIZE_UNIT(TREE_TYPE(*ref));
	return size && TREE_CODE(size) == INTEGER_CST && TREE_CODE(*ref) != BIT_FIELD_REF &&
			       TREE_CODE(*ref) != REALPART_EXPR && TREE_CODE(*ref) != IMAGPART_EXPR
		       ? TOUCHES_PLACE
		       : TOUCHES_ALL;
}

/* ---- where arrays may be kept ---- */

struct guards {
	function *fun;
	bool report;
	std::set<class loop *> keeping;          /* loops with a call that keeps arrays */
	std::map<gimple *, touching> in_front;   /* of a statement */
	std::map<edge, location_t> at_preheader; /* of loops without such a call: everything */
	std::map<basic_block, bool> leaves;      /* arrays may be kept at the end of a block */

	guards(function *f, bool r) : fun(f), report(r)
	{
	}

	static gimple *call_of(basic_block b)
	{
		for (gimple_stmt_iterator g = gsi_last_bb(b); !gsi_end_p(g); gsi_prev(&g))
			if (nest_calls.count(gsi_stmt(g)))
				return gsi_stmt(g);
		return NULL;
	}

	/* The outermost loop around a block that has no call which keeps arrays, or NULL. */
	class loop *free_loop(basic_block b)
	{
		class loop *found = NULL;
		for (class loop *l = b->loop_father; l && loop_outer(l) && !keeping.count(l); l = loop_outer(l))
			found = l;
		return found;
	}

	static edge entry_of(class loop *l)
	{
		edge e, only = NULL;
		edge_iterator it;
		FOR_EACH_EDGE(e, it, l->header->preds)
		if (!flow_bb_inside_loop_p(l, e->src)) {
			if (only)
				return NULL;
			only = e;
		}
		return only;
	}

	void find_places()
	{
		basic_block b;
		FOR_EACH_BB_FN(b, fun)
		for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g)) {
			gimple *s = gsi_stmt(g);
			tree ref;
			bool store;
			touching t = touches(s, &ref, &store);
			if (t == TOUCHES_NOTHING)
				continue;
			class loop *l = free_loop(b);
			edge entry = l ? entry_of(l) : NULL;
			if (entry)
				at_preheader.insert({entry, outer_place(gimple_location(s))});
			else
				in_front[s] = l ? TOUCHES_ALL : t;
		}
	}

	bool along(edge e)
	{
		if (at_preheader.count(e))
			return false;
		gimple *call = call_of(e->src);
		return leaves[e->src] && (!call || (e->flags & EDGE_TRUE_VALUE));
	}

	bool enters(basic_block b)
	{
		edge e;
		edge_iterator it;
		FOR_EACH_EDGE(e, it, b->preds)
		if (along(e))
			return true;
		return false;
	}

	/* Returns whether arrays may be kept behind a statement, if they may be in front of it. */
	bool behind(gimple *s, bool kept)
	{
		auto call = nest_calls.find(s);
		if (call != nest_calls.end())
			return call->second.keep;
		auto place = in_front.find(s);
		return place != in_front.end() && place->second == TOUCHES_ALL ? false : kept;
	}

	void follow()
	{
		for (bool changed = true; changed;) {
			basic_block b;
			changed = false;
			FOR_EACH_BB_FN(b, fun)
			{
				bool kept = enters(b);
				for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g))
					kept = behind(gsi_stmt(g), kept);
				changed |= kept && !leaves[b];
				leaves[b] |= kept;
			}
		}
	}

	tree place_text(location_t at)
	{
		char where[300];
		expanded_location x = expand_location(at);
		snprintf(where, sizeof where, "%s:%d", x.file ? x.file : "", x.line);
		return build_string_literal(strlen(where) + 1, where);
	}

	gimple *release(location_t at)
	{
		tree type = build_function_type_list(void_type_node, ptr_type_node, NULL_TREE);
		gimple *c = gimple_build_call(build_fn_decl("psim_nest_release", type), 1, place_text(at));
		gimple_set_location(c, at);
		return c;
	}

	void touch(gimple_stmt_iterator *g, tree ref, bool store)
	{
		tree type = build_function_type_list(void_type_node, ptr_type_node, long_integer_type_node,
						     long_integer_type_node, ptr_type_node, NULL_TREE);
		tree base = get_base_address(ref);
		if (base && DECL_P(base))
			TREE_ADDRESSABLE(base) = 1;
		tree at = force_gimple_operand_gsi(g, build_fold_addr_expr(unshare_expr(ref)), true, NULL_TREE, true,
						   GSI_SAME_STMT);
		location_t where = outer_place(gimple_location(gsi_stmt(*g)));
		gimple *c = gimple_build_call(build_fn_decl("psim_nest_touch", type), 4, at,
					      fold_convert(long_integer_type_node, TYPE_SIZE_UNIT(TREE_TYPE(ref))),
					      build_int_cst(long_integer_type_node, store), place_text(where));
		gimple_set_location(c, where);
		gsi_insert_before(g, c, GSI_SAME_STMT);
	}

	void tell(location_t at, bool all)
	{
		if (report && at != UNKNOWN_LOCATION)
			nest_message(
				at,
				all ? "the scalar core may use what stays in the buffer memories: all is written back"
				    : "the scalar core may use what stays in the buffer memories: such an array is "
				      "written back");
	}

	void put_in_front(basic_block b)
	{
		bool kept = enters(b);
		for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g)) {
			gimple *s = gsi_stmt(g);
			auto place = in_front.find(s);
			if (kept && place != in_front.end()) {
				tree ref = NULL_TREE;
				bool store = false, all = place->second == TOUCHES_ALL;
				touches(s, &ref, &store);
				if (all)
					gsi_insert_before(&g, release(outer_place(gimple_location(s))), GSI_SAME_STMT);
				else
					touch(&g, ref, store);
				if (gimple_code(s) != GIMPLE_RETURN)
					tell(outer_place(gimple_location(s)), all);
			}
			kept = behind(s, kept);
		}
	}

	void put()
	{
		std::vector<std::pair<edge, location_t>> entries;
		for (auto &p : at_preheader)
			if (call_of(p.first->src) ? leaves[p.first->src] && (p.first->flags & EDGE_TRUE_VALUE)
						  : leaves[p.first->src])
				entries.push_back(p);
		basic_block b;
		FOR_EACH_BB_FN(b, fun)
		put_in_front(b);
		for (auto &p : entries) {
			gsi_insert_on_edge_immediate(p.first, release(p.second));
			tell(p.second, true);
		}
	}
};

} // namespace

void kept_call(gimple *call, tree data, tree table, bool keep)
{
	nest_calls[call] = {keep};
	own_arrays.insert(data);
	own_arrays.insert(table);
}

void kept_guards(function *fun, bool report)
{
	guards g(fun, report);
	bool any = false;
	for (auto &c : nest_calls)
		for (class loop *l = c.second.keep ? gimple_bb(c.first)->loop_father : NULL; l; l = loop_outer(l)) {
			g.keeping.insert(l);
			any = true;
		}
	if (any) {
		g.find_places();
		g.follow();
		g.put();
	}
	nest_calls.clear();
	own_arrays.clear();
}
