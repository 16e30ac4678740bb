/*
 * Regions of target data: the block of `target data`, and what is between `target enter data` and `target exit data`
 * in one block of the source. Their clauses say which arrays stay in the buffer memories, and which of them memory
 * gets at the end. Under -fopenmp-simd the front ends skip these directives, and cpplib knows them, so that no plugin
 * can take them: they are read in the source.
 */
#include "nest.hh"

#include "psim_nest.h"

#include "input.h"
#include "nest_source.hh"
#include "tree-dfa.h"

namespace
{

struct map_item {
	std::string name;
	bool back; /* memory gets it at the end */
	mutable bool used;
};

struct region {
	int line, end;
	std::vector<map_item> maps;
};

struct region_reader {
	source_text source;
	std::vector<region> regions;
	std::set<int> *told; /* lines that have had their message */

	region_reader(const char *file, int first, int last, std::set<int> *t) : source(file, first, last), told(t)
	{
	}

	void tell(int line, const char *format, const char *what)
	{
		if (!told->insert(line).second)
			return;
		fprintf(stderr, "%s:%d: ", source.file, line);
		fprintf(stderr, format, what);
		fputc('\n', stderr);
	}

	/* The items of a map clause's argument. */
	void read_map(int line, std::string of, region &r)
	{
		std::string type = "tofrom";
		size_t colon = find_outside(of, ':');
		if (colon != std::string::npos) {
			type = last_word(of.substr(0, colon));
			of.erase(0, colon + 1);
		}
		std::set<std::string> known = {"to", "from", "tofrom", "alloc", "release", "delete"};
		if (!known.count(type))
			tell(line, "map: unknown type '%s', expected to, from, tofrom, alloc, release or delete",
			     type.c_str());
		for (const std::string &item : split_list(of))
			r.maps.push_back(
				{item_name(item), type == "from" || type == "tofrom" || !known.count(type), false});
	}

	void read_maps(int line, const std::string &text, region &r)
	{
		for (const auto &c : clauses_of(text))
			if (c.first == "map")
				read_map(line, c.second, r);
	}

	/* Finds the target exit data of an array in the same block. */
	bool exit_of(map_item &item, int line, int *end)
	{
		for (int depth = 0; line <= source.last; line++) {
			directive d = source.directive_at(line);
			if (depth == 0 && d.is("target exit data")) {
				region exit = {line, line, {}};
				read_maps(line, d.text, exit);
				for (const map_item &m : exit.maps)
					if (m.name == item.name) {
						item.back = m.back;
						*end = line > *end ? line : *end;
						return true;
					}
			}
			source_text::depth step = source.depth_of(line);
			if (depth + step.least < 0)
				return false;
			depth += step.change;
		}
		return false;
	}

	void read_enter(int line, const directive &d)
	{
		region r = {line, line, {}}, kept = {line, line, {}};
		read_maps(line, d.text, r);
		for (map_item &m : r.maps)
			if (exit_of(m, line + d.lines, &kept.end))
				kept.maps.push_back(m);
			else
				tell(line,
				     "'%s' does not stay in the array: expected target exit data for it in the same "
				     "block",
				     m.name.c_str());
		if (!kept.maps.empty())
			regions.push_back(kept);
	}

	/* Memory has to have what target update brings back. */
	void read_update(const directive &d, std::vector<std::pair<int, std::string>> &updated, int line)
	{
		for (const auto &c : clauses_of(d.text))
			if (c.first == "from")
				for (const std::string &item : split_list(c.second))
					updated.push_back({line, item_name(item)});
	}

	void read()
	{
		std::vector<std::pair<int, std::string>> updated;
		for (int line = source.first; line <= source.last; line++) {
			directive d = source.directive_at(line);
			if (d.is("target data")) {
				region r = {line, source.block_end(line, d), {}};
				read_maps(line, d.text, r);
				regions.push_back(r);
			} else if (d.is("target enter data")) {
				read_enter(line, d);
			} else if (d.is("target update")) {
				read_update(d, updated, line);
			}
		}
		for (region &r : regions)
			for (map_item &m : r.maps)
				for (const auto &u : updated)
					m.back |= u.second == m.name && r.line < u.first && u.first <= r.end;
	}
};

} // namespace

/* Regions by file and line of a function. Procedures may be in each other, so each line has one message. */
struct region_table {
	std::map<std::pair<std::string, int>, std::vector<region>> known;
	std::map<std::string, std::set<int>> told;
	const std::vector<region> none;
};

compilation::compilation() : regions(new region_table)
{
}

namespace
{

/* The regions of a function, outer ones first. */
const std::vector<region> &regions_of(region_table &table, function *fun, const char **file)
{
	expanded_location first = expand_location(DECL_SOURCE_LOCATION(fun->decl));
	expanded_location last = expand_location(fun->function_end_locus);
	*file = first.file;
	if (!first.file || !last.file || strcmp(first.file, last.file))
		return table.none;
	auto key = std::make_pair(std::string(first.file), first.line);
	auto found = table.known.find(key);
	if (found != table.known.end())
		return found->second;
	region_reader r(first.file, first.line, last.line, &table.told[first.file]);
	r.read();
	return table.known[key] = r.regions;
}

/* The regions that a place is in, outer ones first. */
std::vector<const region *> regions_around(const compilation &in, function *fun, location_t where)
{
	const char *file;
	std::vector<const region *> found;
	const std::vector<region> &all = regions_of(*in.regions, fun, &file);
	expanded_location at = expand_location(outer_place(where));
	for (const region &r : all)
		if (at.file && !strcmp(at.file, file) && r.line < at.line && at.line <= r.end)
			found.push_back(&r);
	return found;
}

} // namespace

std::string source_name(tree t)
{
	for (;;) {
		switch (TREE_CODE(t)) {
		case SSA_NAME: {
			tree v = SSA_NAME_VAR(t);
			if (v && DECL_NAME(v)) {
				t = v;
				continue;
			}
			gassign *s = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(t));
			if (!s)
				return "";
			t = gimple_assign_rhs1(s);
			continue;
		}
		case VAR_DECL:
		case PARM_DECL:
		case RESULT_DECL: {
			std::string name = DECL_NAME(t) ? IDENTIFIER_POINTER(DECL_NAME(t)) : "";
			return name.substr(0, name.find('.')); /* Fortran's a.0 is the data of a */
		}
		case COMPONENT_REF: {
			std::string of = source_name(TREE_OPERAND(t, 0));
			tree field = DECL_NAME(TREE_OPERAND(t, 1));
			std::string name = field ? IDENTIFIER_POINTER(field) : "";
			/* a descriptor of Fortran */
			return name == "data" || name == "_data" || of.empty() ? of : of + "." + name;
		}
		default:
			if (!EXPR_P(t) || TREE_OPERAND_LENGTH(t) == 0 || !TREE_OPERAND(t, 0))
				return "";
			t = TREE_OPERAND(t, 0);
		}
	}
}

location_t outer_place(location_t at)
{
	location_t found = at;
	for (tree b = LOCATION_BLOCK(at); b && TREE_CODE(b) == BLOCK; b = BLOCK_SUPERCONTEXT(b))
		if (inlined_function_outer_scope_p(b))
			found = BLOCK_SOURCE_LOCATION(b);
	return found;
}

int resident_block(compilation &in, function *fun, location_t where)
{
	std::vector<const region *> around = regions_around(in, fun, where);
	return around.empty() ? 0 : around.back()->line;
}

int resident_map(const nest &n, int family)
{
	std::vector<const region *> around = regions_around(*n.in, n.fun, n.where);
	tree root = n.families[family].root;
	std::string name = root ? source_name(root) : "";
	int found = NEST_MOVES;
	bool any = false;
	for (const region *r : around)
		for (const map_item &m : r->maps) {
			any = true;
			if (m.name != name)
				continue;
			m.used = true;
			if (found == NEST_MOVES)
				found = m.back ? NEST_STAYS : r->line;
		}
	return any && !name.empty() ? found : NEST_STAYS;
}

void resident_unused(compilation &in, function *fun)
{
	const char *file;
	for (const region &r : regions_of(*in.regions, fun, &file))
		for (const map_item &m : r.maps)
			if (!m.used)
				fprintf(stderr, "%s:%d: map: no loop on the array uses '%s'\n", file, r.line,
					m.name.c_str());
}

std::vector<std::pair<int, int>> resident_forgetting(compilation &in, function *fun)
{
	const char *file;
	std::vector<std::pair<int, int>> found;
	for (const region &r : regions_of(*in.regions, fun, &file))
		for (const map_item &m : r.maps)
			if (!m.back && (found.empty() || found.back().first != r.line))
				found.push_back({r.line, r.end});
	return found;
}
