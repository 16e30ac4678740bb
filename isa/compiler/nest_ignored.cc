/*
 * Loops with a directive that stay on the scalar core without being tried, a line for each: directives of loops that
 * have no simd, which -fopenmp-simd skips (their text is read in the source, as that of regions is), and directives
 * of loops that GCC leaves out because they never run.
 */
#include "nest.hh"

#include "diagnostic-core.h"
#include "gimple-walk.h"
#include "cgraph.h"
#include "options.h"
#include "nest_source.hh"

namespace
{
/* The words of a directive in front of its clauses. */
struct construct {
	std::set<std::string> words;
	std::string name;

	construct(const std::string &text)
	{
		static const std::set<std::string> known = {"target", "teams",  "distribute", "parallel",
							    "for",    "do",     "loop",       "simd",
							    "masked", "master", "taskloop",   "paralleldo"};
		for (size_t at = 0; at < text.size();) {
			size_t end = text.find(' ', at);
			std::string word = text.substr(at, end == std::string::npos ? end : end - at);
			if (!known.count(word))
				break;
			words.insert(word);
			name += (name.empty() ? "" : " ") + word;
			at = end == std::string::npos ? text.size() : end + 1;
		}
	}

	bool has_one_of(std::initializer_list<const char *> of) const
	{
		for (const char *word : of)
			if (words.count(word))
				return true;
		return false;
	}

	bool of_loop() const
	{
		return has_one_of({"for", "do", "paralleldo", "distribute", "taskloop"});
	}
};

/* Why a construct brings no loop to the array, or nothing. With -fopenmp, threads share the loops of `parallel for`. */
std::string reason_of(const construct &c)
{
	if (!flag_openmp && !flag_openmp_simd)
		return c.of_loop() || c.has_one_of({"simd", "loop"})
			       ? "'" + c.name + "' with -fno-openmp-simd, which skips directives"
			       : "";
	if (c.has_one_of({"simd", "loop"}) || !c.of_loop() ||
	    (flag_openmp && !c.has_one_of({"target", "teams", "distribute"})))
		return "";
	return "'" + c.name + "' without simd, expected '" + c.name + " simd'";
}

struct line_set {
	const char *file;
	std::set<int> lines;
};

tree add_line(gimple_stmt_iterator *g, bool *handled, walk_stmt_info *info)
{
	line_set &found = *(line_set *)info->info;
	expanded_location at = expand_location(gimple_location(gsi_stmt(*g)));
	*handled = false;
	if (at.file && !strcmp(at.file, found.file))
		found.lines.insert(at.line);
	return NULL_TREE;
}

/* Lines of the function's statements: the preprocessor may have left out others. */
std::set<int> lines_of(function *fun, const char *file)
{
	line_set found = {file, {}};
	walk_stmt_info info = {};
	info.info = &found;
	walk_gimple_seq(gimple_body(fun->decl), add_line, NULL, &info);
	return found.lines;
}

tree tell_simd(tree *t, int *, void *)
{
	if (TREE_CODE(*t) == OMP_SIMD || TREE_CODE(*t) == OMP_LOOP)
		nest_message(EXPR_LOCATION(*t), NEVER_RUNS);
	return NULL_TREE;
}

tree tell_simd_statement(gimple_stmt_iterator *g, bool *handled, walk_stmt_info *)
{
	gomp_for *f = dyn_cast<gomp_for *>(gsi_stmt(*g));
	*handled = false;
	if (f && gimple_omp_for_kind(f) == GF_OMP_FOR_KIND_SIMD)
		nest_message(gimple_location(f), NEVER_RUNS);
	return NULL_TREE;
}

/*
 * A function that GCC leaves out, before it is lowered; one in another function is in GIMPLE. As with
 * -Wunused-function, one that is declared inline may be unused.
 */
void tell_unused(cgraph_node *node, void *)
{
	tree decl = node->decl;
	if (!optimize || TREE_CODE(decl) != FUNCTION_DECL || DECL_DECLARED_INLINE_P(decl) ||
	    DECL_IN_SYSTEM_HEADER(decl) || seen_error())
		return;
	walk_stmt_info info = {};
	walk_gimple_seq(gimple_body(decl), tell_simd_statement, NULL, &info);
	if (DECL_SAVED_TREE(decl))
		walk_tree_without_duplicates(&DECL_SAVED_TREE(decl), tell_simd, NULL);
}
} // namespace

void ignored_in(compilation &in, function *fun)
{
	expanded_location first = expand_location(DECL_SOURCE_LOCATION(fun->decl));
	expanded_location last = expand_location(fun->function_end_locus);
	if (in.every_loop || !first.file || !last.file || strcmp(first.file, last.file))
		return; /* -fpsim-auto tries these loops too */
	source_text source(first.file, first.line, last.line);
	std::set<int> lines;
	for (int line = first.line; line <= last.line; line++) {
		directive d = source.directive_at(line);
		std::string reason = d.text.empty() ? "" : reason_of(construct(d.text));
		if (reason.empty())
			continue;
		if (lines.empty())
			lines = lines_of(fun, first.file);
		if (lines.count(line) || lines.count(source.code_from(line + d.lines)))
			fprintf(stderr, "%s:%d: not on the array: %s\n", first.file, line, reason.c_str());
	}
}

void ignored_functions()
{
	symtab->add_cgraph_removal_hook(tell_unused, NULL);
}

void ignored_at_end(void *, void *in)
{
	if (!seen_error())
		for (location_t at : ((compilation *)in)->unseen)
			nest_message(at, NEVER_RUNS);
}
