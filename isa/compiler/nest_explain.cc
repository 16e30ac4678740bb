/*
 * -fpsim-explain: what is known of a nest when its kernels are written, a line for each loop, array and kernel. Trees
 * are written as the program has them, without conversions.
 */
#include "nest.hh"

#include "psim_nest.h"

namespace
{

enum { DEPTH = 8 }; /* of an expression; deeper parts are ... */

std::string text_of(tree t, int depth);

/* A product's constant factor, and the others as text. */
void factors_of(tree t, int depth, HOST_WIDE_INT *by, std::string *others)
{
	while (CONVERT_EXPR_P(t))
		t = TREE_OPERAND(t, 0);
	gassign *s = TREE_CODE(t) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(t)) : NULL;
	bool named = TREE_CODE(t) == SSA_NAME && SSA_NAME_VAR(t) && DECL_NAME(SSA_NAME_VAR(t));
	if (s && !named && depth < DEPTH && CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(s))) {
		factors_of(gimple_assign_rhs1(s), depth + 1, by, others);
	} else if (tree_fits_shwi_p(t)) {
		*by *= tree_to_shwi(t);
	} else if (TREE_CODE(t) == MULT_EXPR) {
		factors_of(TREE_OPERAND(t, 0), depth + 1, by, others);
		factors_of(TREE_OPERAND(t, 1), depth + 1, by, others);
	} else if (s && !named && depth < DEPTH && gimple_assign_rhs_code(s) == MULT_EXPR) {
		factors_of(gimple_assign_rhs1(s), depth + 1, by, others);
		factors_of(gimple_assign_rhs2(s), depth + 1, by, others);
	} else {
		std::string one = text_of(t, depth + 1);
		*others += (others->empty() ? "" : " ") + (one.find(' ') == std::string::npos ? one : "(" + one + ")");
	}
}

std::string product_text(tree t, int depth)
{
	HOST_WIDE_INT by = 1;
	std::string others;
	factors_of(t, depth, &by, &others);
	if (others.empty() || by != 1)
		others = std::to_string((long)by) + (others.empty() ? "" : " " + others);
	return others;
}

std::string operation_text(tree_code code, tree a, tree b, int depth)
{
	std::string x = text_of(a, depth + 1), y = b ? text_of(b, depth + 1) : "";
	switch (code) {
	case PLUS_EXPR:
	case POINTER_PLUS_EXPR:
		if (x == "0" || y == "0")
			return x == "0" ? y : x;
		return y[0] == '-' ? x + " - " + y.substr(1) : x + " + " + y;
	case MINUS_EXPR:
	case POINTER_DIFF_EXPR:
		return y == "0" ? x : x + " - " + (y.find(' ') == std::string::npos ? y : "(" + y + ")");
	case NEGATE_EXPR: return "-(" + x + ")";
	case MAX_EXPR: return "max(" + x + ", " + y + ")";
	case MIN_EXPR: return "min(" + x + ", " + y + ")";
	case TRUNC_DIV_EXPR:
	case EXACT_DIV_EXPR: return "(" + x + ") / " + y;
	default: return "...";
	}
}

std::string text_of(tree t, int depth)
{
	while (CONVERT_EXPR_P(t))
		t = TREE_OPERAND(t, 0);
	if (tree_fits_shwi_p(t))
		return std::to_string((long)tree_to_shwi(t));
	if (TREE_CODE(t) == ADDR_EXPR || TREE_CODE(t) == MEM_REF || TREE_CODE(t) == COMPONENT_REF || DECL_P(t)) {
		std::string name = source_name(t);
		return name.empty() ? "..." : name;
	}
	if (depth > DEPTH)
		return "...";
	if (TREE_CODE(t) == MULT_EXPR)
		return product_text(t, depth);
	if (EXPR_P(t))
		return operation_text(TREE_CODE(t), TREE_OPERAND(t, 0),
				      TREE_OPERAND_LENGTH(t) > 1 ? TREE_OPERAND(t, 1) : NULL_TREE, depth);
	if (TREE_CODE(t) != SSA_NAME)
		return "...";
	gassign *s = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(t));
	if (SSA_NAME_VAR(t) && DECL_NAME(SSA_NAME_VAR(t)))
		return IDENTIFIER_POINTER(DECL_NAME(SSA_NAME_VAR(t)));
	if (!s)
		return "...";
	tree_code code = gimple_assign_rhs_code(s);
	if (code == MULT_EXPR)
		return product_text(t, depth);
	if (CONVERT_EXPR_CODE_P(code) || gimple_assign_single_p(s))
		return text_of(gimple_assign_rhs1(s), depth + 1);
	return operation_text(code, gimple_assign_rhs1(s), gimple_num_ops(s) > 2 ? gimple_assign_rhs2(s) : NULL_TREE,
			      depth);
}

/* A loop's index as the program names it, or the loop's number. */
std::string index_name(const nest &n, int loop)
{
	class loop *l = n.loops[loop].l;
	for (gphi_iterator p = gsi_start_phis(l->header); !gsi_end_p(p); gsi_next(&p)) {
		tree name = gimple_phi_result(p.phi()), v = SSA_NAME_VAR(name);
		if (!virtual_operand_p(name) && INTEGRAL_TYPE_P(TREE_TYPE(name)) && v && DECL_NAME(v) &&
		    !DECL_IGNORED_P(v))
			return IDENTIFIER_POINTER(DECL_NAME(v));
	}
	return "i" + std::to_string(loop);
}

/* rest + the sum of coefficients times indices */
std::string affine_text(const nest &n, const affine &a)
{
	std::string text = text_of(a.rest, 0);
	for (size_t l = 0; l < a.coef.size() && l < n.loops.size(); l++) {
		if (!a.coef[l])
			continue;
		std::string by = product_text(a.coef[l], 0), index = index_name(n, (int)l);
		bool minus = by[0] == '-';
		by = minus ? by.substr(1) : by;
		text = (text == "0" ? std::string(minus ? "-" : "") : text + (minus ? " - " : " + ")) +
		       (by == "1" ? "" : by + " ") + index;
	}
	if (a.data) {
		std::string by = product_text(a.data_by, 0);
		text += " + " + (by == "1" ? "" : by + " ") + "(" + text_of(a.data, 0) + ")";
	}
	return text;
}

void explain_loops(const nest &n)
{
	for (size_t l = 0; l < n.loops.size(); l++) {
		nest_work w = work_of(n, (int)l);
		std::string what = l == 0                   ? "lanes"
				   : (int)l == n.stream     ? "the loop around, one iteration after the other"
				   : n.loops[l].parent == 0 ? "in each lane"
							    : "in loop " + std::to_string(n.loops[l].parent);
		nest_message(n.where, "loop %d, %s: %s, %s iterations; %d operations, %d loads, %d stores", (int)l,
			     index_name(n, (int)l).c_str(), what.c_str(), affine_text(n, n.loops[l].count).c_str(),
			     w.arithmetic, w.loads, w.stores);
	}
}

void explain_arrays(const nest &n)
{
	for (size_t r = 0; r < n.refs.size(); r++) {
		bool read = false, write = false;
		const reference &first = n.refs[r];
		if (first.base != (int)r)
			continue; /* with the first reference of its address */
		for (const reference &other : n.refs)
			if (other.base == (int)r) {
				read |= other.read;
				write |= other.write;
			}
		nest_message(first.where, "array %d: %d bytes at %s: %s, %s", array_of(n, first.family), first.size,
			     affine_text(n, first.at).c_str(),
			     first.private_copy              ? "one for each lane"
			     : n.families[first.family].lane ? "dealt"
			     : first.of_row                  ? "elements of rows"
			     : first.at.data                 ? "a copy in each PE"
							     : "broadcast",
			     !write ? "read"
			     : read ? "read and stored"
				    : "stored");
	}
}

} // namespace

void nest_explain(const nest &n)
{
	explain_loops(n);
	explain_arrays(n);
	for (const variant &v : n.variants) {
		std::string more = v.jam_loop ? " by " + std::to_string(v.jam) + " iterations of loop " +
							std::to_string(v.jam_loop)
					      : "";
		if (!n.survey)
			more += ", about " + std::to_string(registers_of(n, v)) + " registers";
		nest_message(n.where, "%s: %d %s%s", IDENTIFIER_POINTER(DECL_NAME(v.kernel)), v.lanes,
			     v.lanes == 1 ? "lane" : "lanes", more.c_str());
	}
}

namespace
{

/* Parts of reasons, and what would run on the array. */
const struct {
	const char *reason, *needs;
} advice[] = {
	{"-fpsim-units=", NULL}, /* says it */
	{"it is loaded in the loop", "subscripts that are sums of loop indices, or of one integer that is loaded"},
	{"PEs do not share", "a loop over the results' places, which gathers what belongs there"},
	{"whose range is not known", "a subscript that is loaded as it is, or cut by & with a constant"},
	{"of fewer than 4 bytes", "integers of 4 or 8 bytes: sums, products, shifts, bits, comparisons"},
	{"beside an inner loop that is not affine", "inner loops that count"},
	{"is not affine", "subscripts that are sums of loop indices by constants"},
	{"not known beforehand", "an inner loop that counts, or that also ends by real numbers"},
	{"ends by its data", "an inner loop that loads and stores nothing, and hands on all that is used behind it"},
	{"no real or complex number", "data of 4 or 8 bytes that are real or complex numbers"},
	{"more than 8 bytes", "data of 4 or 8 bytes that are real or complex numbers"},
	{"a condition inside the loop",
	 "a condition on real numbers whose arms store nothing, and -fpsim-units=select"},
	{"a condition within a condition", "conditions one after the other, as of a variable that both choose"},
	{"under a condition", "loads and stores in front of the condition or behind it"},
	{"no exit or more than one", "one exit, or in an inner loop a second one that compares real numbers"},
	{"to the same place", "iterations that store to places of their own, or reduction(+:...)"},
	{"without reduction(+:...)", "reduction(+:...), or -ffast-math for a loop without a directive"},
	{"that is not a sum", "iterations that need nothing of those before them"},
	{"differs between the PEs", "inner loops that count the same in all iterations, or more in later ones"},
	{"the last iteration's value", "an array in place of the variable, or a sum"},
	{"an if clause", "an if around two loops, one of which has the directive"},
	{"call of", "a function that is inlined: static inline with the attribute always_inline"},
	{"not expected to be faster", "more operations for each byte that moves, or -fpsim-auto=all"},
};

} // namespace

void nest_tell_refused(const compilation &in, location_t where, const char *reason)
{
	nest_message(where, "not on the array: %s", reason);
	for (const auto &a : advice) {
		if (!strstr(reason, a.reason))
			continue;
		if (in.explain && a.needs)
			nest_message(where, "it would need: %s", a.needs);
		return;
	}
}
