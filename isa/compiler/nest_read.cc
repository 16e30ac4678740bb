/*
 * From GIMPLE to a nest. A nest's loops contain assignments and further loops, one after the other; integers are
 * affine in the loops' indices, and real values are nodes.
 */
#include "nest.hh"

#include "nest_reader.hh"
#include "stringpool.h"
#include "internal-fn.h"
#include "tree-cfg.h"
#include "options.h"
#include "flags.h"

bool reader::fail(location_t at, const char *format, ...)
{
	if (!n.refused.empty())
		return false;
	char text[256];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	n.refused = text;
	n.refused_at = at == UNKNOWN_LOCATION ? n.where : at;
	return false;
}

bool reader::uneven(location_t at, const char *why)
{
	n.not_affine |= n.refused.empty();
	return fail(at, "%s", why);
}

const char *const array_unit_text[UNIT_COUNT] = {
#define U(name, text, what) text,
#include "array_unit.def"
#undef U
};
const char *const array_unit_what[UNIT_COUNT] = {
#define U(name, text, what) what,
#include "array_unit.def"
#undef U
};

bool reader::need(array_unit_number unit, location_t at)
{
	n.needs |= 1u << unit;
	return n.in->units >> unit & 1 ||
	       fail(at, "%s, for which PEs need -fpsim-units=%s", array_unit_what[unit], array_unit_text[unit]);
}

bool reader::inside(tree name) const
{
	basic_block b = gimple_bb(SSA_NAME_DEF_STMT(name));
	return b && flow_bb_inside_loop_p(n.outer, b);
}

int reader::add(const node &v)
{
	n.nodes.push_back(v);
	return (int)n.nodes.size() - 1;
}

/* ---- real values ---- */

static bool is_real(tree type)
{
	return SCALAR_FLOAT_TYPE_P(type) && (TYPE_MODE(type) == DFmode || TYPE_MODE(type) == SFmode);
}

bool is_complex(tree type)
{
	return TREE_CODE(type) == COMPLEX_TYPE && is_real(TREE_TYPE(type));
}

const char *number_refusal(tree type)
{
	tree part = TREE_CODE(type) == COMPLEX_TYPE ? TREE_TYPE(type) : type;
	if (SCALAR_FLOAT_TYPE_P(part))
		return "a real number of more than 8 bytes";
	if (INTEGRAL_TYPE_P(part))
		return "an integer that is data, beside an inner loop that is not affine";
	return "a value that is no real or complex number";
}

tree part_type(tree type)
{
	if (INTEGRAL_TYPE_P(type))
		return long_integer_type_node;
	return TYPE_MODE(is_complex(type) ? TREE_TYPE(type) : type) == SFmode ? float_type_node : double_type_node;
}

int size_of_part(tree type)
{
	if (INTEGRAL_TYPE_P(type))
		return TYPE_PRECISION(type) / 8;
	return part_type(type) == float_type_node ? NEST_SINGLE_SIZE : NEST_SIZE;
}

bool is_number(tree type)
{
	return is_real(type) || is_complex(type);
}

int reader::leaf(node_kind kind, tree value)
{
	node v(kind);
	v.value = value;
	v.type = part_type(TREE_TYPE(value));
	return add(v);
}

int reader::operation(tree_code code, tree type, int a, int b)
{
	node v(NODE_OP);
	v.code = code;
	v.type = type;
	v.a = a;
	v.b = b;
	int id = add(v);
	n.loops[current].body.push_back({id, -1});
	return id;
}

/* The nodes of an operand: one, of a complex number two; none if it is unknown. */
std::vector<int> reader::value(tree t)
{
	switch (TREE_CODE(t)) {
	case REAL_CST: return {leaf(NODE_CONST, t)};
	case COMPLEX_CST: return {leaf(NODE_CONST, TREE_REALPART(t)), leaf(NODE_CONST, TREE_IMAGPART(t))};
	case SSA_NAME: break;
	default: return {};
	}
	auto known = n.values.find(t);
	if (known != n.values.end())
		return known->second;
	std::vector<int> nodes;
	if (!inside(t)) {
		tree type = TREE_TYPE(t);
		if (is_complex(type))
			nodes = {leaf(NODE_OUTSIDE, build1(REALPART_EXPR, TREE_TYPE(type), t)),
				 leaf(NODE_OUTSIDE, build1(IMAGPART_EXPR, TREE_TYPE(type), t))};
		else
			nodes = {leaf(NODE_OUTSIDE, t)};
	} else if (gphi *phi = dyn_cast<gphi *>(SSA_NAME_DEF_STMT(t))) {
		if (gimple_phi_num_args(phi) == 1)
			nodes = value(gimple_phi_arg_def(phi, 0));
	}
	if (!nodes.empty())
		n.values[t] = nodes;
	return nodes;
}

/* A node as an expression of values from outside, or NULL_TREE. */
tree reader::outside_tree(int id)
{
	const node v = n.nodes[id];
	switch (v.kind) {
	case NODE_CONST:
	case NODE_OUTSIDE: return v.value;
	case NODE_NUMBER:
		for (tree c : v.number.coef)
			if (c)
				return NULL_TREE;
		return fold_build1(FLOAT_EXPR, v.type, v.number.rest);
	case NODE_OP: {
		if (v.type == long_integer_type_node)
			return NULL_TREE;
		tree a = outside_tree(v.a), b = v.b < 0 ? NULL_TREE : outside_tree(v.b);
		if (!a || (v.b >= 0 && !b) || v.function != IFN_LAST || v.x >= 0)
			return NULL_TREE;
		return v.b < 0 ? fold_build1(v.code, v.type, a) : fold_build2(v.code, v.type, a, b);
	}
	default: return NULL_TREE;
	}
}

/* Real operations. A division of values from outside is theirs. */
bool reader::real_operation(gimple *s, tree_code code)
{
	tree lhs = gimple_assign_lhs(s), type = part_type(TREE_TYPE(lhs));
	std::vector<int> a = value(gimple_assign_rhs1(s)), b;
	bool two = gimple_num_ops(s) > 2;
	if (two)
		b = value(gimple_assign_rhs2(s));
	if (a.size() != 1 || (two && b.size() != 1))
		return fail(gimple_location(s), "a value comes from a statement that is not understood");
	if (code == RDIV_EXPR) {
		tree x = outside_tree(a[0]), y = outside_tree(b[0]);
		if (x && y) {
			n.values[lhs] = {leaf(NODE_OUTSIDE, fold_build2(RDIV_EXPR, type, x, y))};
			return true;
		}
		if (!need(UNIT_NUMBER_DIVIDE, gimple_location(s)))
			return false;
	}
	n.values[lhs] = {operation(code, type, a[0], two ? b[0] : -1)};
	return true;
}

internal_fn array_function(gimple *s)
{
	tree lhs = gimple_call_lhs(s);
	if (!lhs || !is_real(TREE_TYPE(lhs)))
		return IFN_LAST;
	switch (gimple_call_combined_fn(s)) {
	case CFN_BUILT_IN_SQRT:
	case CFN_BUILT_IN_SQRTF:
	case CFN_SQRT: return IFN_SQRT;
	default: return IFN_LAST;
	}
}

/* A call of a function that the array may do. It sets no errno, as the scalar loop does for a negative number. */
bool reader::real_call(gimple *s)
{
	tree lhs = gimple_call_lhs(s);
	if (!need(UNIT_NUMBER_DIVIDE, gimple_location(s)))
		return false;
	std::vector<int> a = value(gimple_call_arg(s, 0));
	if (a.size() != 1)
		return fail(gimple_location(s), "a value comes from a statement that is not understood");
	int id = operation(ERROR_MARK, part_type(TREE_TYPE(lhs)), a[0], -1);
	n.nodes[id].function = array_function(s);
	n.values[lhs] = {id};
	return true;
}

bool reader::complex_product(gimple *s, tree lhs, const std::vector<int> &a, const std::vector<int> &b)
{
	if (flag_complex_method == 2)
		return fail(gimple_location(s), "a complex product compares with NaN without -fcx-limited-range");
	tree type = part_type(TREE_TYPE(lhs));
	int rr = operation(MULT_EXPR, type, a[0], b[0]), ii = operation(MULT_EXPR, type, a[1], b[1]);
	int ri = operation(MULT_EXPR, type, a[0], b[1]);
	int ir = a == b ? ri : operation(MULT_EXPR, type, a[1], b[0]);
	int re = operation(MINUS_EXPR, type, rr, ii);
	n.values[lhs] = {re, operation(PLUS_EXPR, type, ri, ir)};
	return true;
}

bool reader::complex_operation(gimple *s, tree_code code)
{
	tree lhs = gimple_assign_lhs(s), type = part_type(TREE_TYPE(lhs));
	bool two = gimple_num_ops(s) > 2;
	std::vector<int> a = value(gimple_assign_rhs1(s)), b;
	if (two)
		b = value(gimple_assign_rhs2(s));
	if (code == COMPLEX_EXPR && a.size() == 1 && b.size() == 1) {
		n.values[lhs] = {a[0], b[0]};
		return true;
	}
	if (a.size() != 2 || (two && b.size() != 2))
		return fail(gimple_location(s), "a complex value comes from a statement that is not understood");
	switch (code) {
	case PLUS_EXPR:
	case MINUS_EXPR: {
		int re = operation(code, type, a[0], b[0]);
		n.values[lhs] = {re, operation(code, type, a[1], b[1])};
		return true;
	}
	case NEGATE_EXPR:
	case PAREN_EXPR: {
		int re = operation(code, type, a[0], -1);
		n.values[lhs] = {re, operation(code, type, a[1], -1)};
		return true;
	}
	case CONJ_EXPR: n.values[lhs] = {a[0], operation(NEGATE_EXPR, type, a[1], -1)}; return true;
	case MULT_EXPR: return complex_product(s, lhs, a, b);
	default: return fail(gimple_location(s), "division of complex numbers, which the array has not");
	}
}

/* Between single and double precision, part by part. */
bool reader::conversion(gimple *s)
{
	tree lhs = gimple_assign_lhs(s), from = gimple_assign_rhs1(s), type = part_type(TREE_TYPE(lhs));
	std::vector<int> a = value(from);
	if (!is_number(TREE_TYPE(from)) || a.empty() || is_complex(TREE_TYPE(from)) != is_complex(TREE_TYPE(lhs)))
		return fail(gimple_location(s), "a value comes from a statement that is not understood");
	for (int &k : a)
		if (part_type(TREE_TYPE(from)) != type)
			k = operation(NOP_EXPR, type, k, -1);
	n.values[lhs] = a;
	return true;
}

bool number_is_exact(tree type, const affine &a)
{
	auto small = [](tree t) { return !t || (tree_fits_shwi_p(t) && absu_hwi(tree_to_shwi(t)) < 1 << 16); };
	bool all = small(a.rest) || TYPE_PRECISION(type) <= 32;
	for (tree c : a.coef)
		all &= small(c);
	return all;
}

bool reader::number_assign(gimple *s)
{
	tree_code code = gimple_assign_rhs_code(s);
	tree lhs = gimple_assign_lhs(s), rhs = gimple_assign_rhs1(s);
	switch (code) {
	case PLUS_EXPR:
	case MINUS_EXPR:
	case MULT_EXPR:
	case RDIV_EXPR:
	case NEGATE_EXPR:
	case PAREN_EXPR:
	case COMPLEX_EXPR:
	case CONJ_EXPR: return is_complex(TREE_TYPE(lhs)) ? complex_operation(s, code) : real_operation(s, code);
	case ABS_EXPR:
		return real_operation(s, code);
	CASE_CONVERT:
		return conversion(s);
	case FLOAT_EXPR: {
		int counted = counted_by(rhs);
		if (counted >= 0) {
			bool same = n.nodes[counted].type == part_type(TREE_TYPE(lhs));
			n.values[lhs] = {same ? counted : operation(NOP_EXPR, part_type(TREE_TYPE(lhs)), counted, -1)};
			return true;
		}
		node v(NODE_NUMBER);
		v.type = part_type(TREE_TYPE(lhs));
		if (from_data(rhs, 0))
			return integer_to_real(s);
		if (!affine_of(rhs, v.number, gimple_location(s)))
			return false;
		if (v.number.coef[0] && !interchanges && !number_is_exact(TREE_TYPE(rhs), v.number))
			return fail(gimple_location(s), "a real value comes from the number of the iteration, which "
							"may be more than a PE can count");
		n.values[lhs] = {add(v)};
		n.loops[current].body.push_back({n.values[lhs][0], -1});
		return true;
	}
	case REALPART_EXPR:
	case IMAGPART_EXPR: {
		std::vector<int> a = value(TREE_OPERAND(rhs, 0));
		if (a.size() != 2)
			break;
		n.values[lhs] = {a[code == IMAGPART_EXPR]};
		return true;
	}
	default: {
		std::vector<int> a = value(rhs);
		if (a.empty() || !gimple_assign_single_p(s))
			break;
		n.values[lhs] = a;
		return true;
	}
	}
	return fail(gimple_location(s), "an operation that the array has not: %s", get_tree_code_name(code));
}

/* ---- memory ---- */

/* Where a reference is; with PEs that gather, also by a subscript that is data. */
bool reader::reference_address(tree t, reference &r, location_t where)
{
	if (!(n.in->units & UNIT_GATHER))
		return address_of(t, r.at, where);
	{
		attempt quiet(*this);
		if (address_of(t, r.at, where))
			return true;
	}
	reference gathered = r;
	if (gathered_address(t, gathered, where)) {
		r = gathered;
		return true;
	}
	return n.refused.empty() && address_of(t, r.at, where); /* says why not */
}

/* The reference of a part of `t`: its number, or -1. */
int reader::reference_of(tree t, int part, bool write, location_t where)
{
	reference r;
	r.size = size_of_part(TREE_TYPE(t));
	r.write = write;
	if (!reference_address(t, r, where))
		return -1;
	r.at.rest = fold_build2(PLUS_EXPR, ssizetype, r.at.rest, ssize_int(part * r.size));
	r.read = !write;
	r.write = write;
	r.loop = current;
	r.where = where;
	if (write && !r.at.coef[0] && !r.at.data && !interchanges) {
		n.one_place |= n.refused.empty();
		fail(where, "every iteration stores to the same place");
		return -1;
	}
	r.base = (int)n.refs.size();
	for (size_t k = 0; k < n.refs.size() && r.base == (int)n.refs.size(); k++)
		if (n.refs[k].size == r.size && same_affine(n.refs[k].at, r.at))
			r.base = (int)k;
	n.refs.push_back(r);
	return (int)n.refs.size() - 1;
}

bool reader::load(gimple *s)
{
	tree lhs = gimple_assign_lhs(s), rhs = gimple_assign_rhs1(s);
	std::vector<int> nodes;
	for (int k = 0; k < 1 + is_complex(TREE_TYPE(lhs)); k++) {
		node v(NODE_LOAD);
		v.type = part_type(TREE_TYPE(lhs));
		v.ref = reference_of(rhs, k, false, gimple_location(s));
		if (v.ref < 0 || !subscript(v.ref, v.a))
			return false;
		nodes.push_back(add(v));
		n.loops[current].body.push_back({nodes.back(), -1});
	}
	n.values[lhs] = nodes;
	return true;
}

bool reader::store(gimple *s)
{
	tree lhs = gimple_assign_lhs(s);
	if (gimple_assign_single_p(s) && INTEGRAL_TYPE_P(TREE_TYPE(lhs)))
		return integer_store(s);
	if (!gimple_assign_single_p(s) || !is_number(TREE_TYPE(lhs)))
		return fail(gimple_location(s), "%s", number_refusal(TREE_TYPE(lhs)));
	std::vector<int> from = value(gimple_assign_rhs1(s));
	if (from.empty())
		return fail(gimple_location(s), "copies memory to memory or stores a value that is not understood");
	for (size_t k = 0; k < from.size(); k++) {
		node v(NODE_STORE);
		v.ref = reference_of(lhs, (int)k, true, gimple_location(s));
		v.a = from[k];
		if (v.ref < 0 || !subscript(v.ref, v.b))
			return false;
		n.loops[current].body.push_back({add(v), -1});
	}
	return true;
}

/* ---- statements ---- */

static const char *name_of_call(gimple *s)
{
	if (gimple_call_internal_p(s))
		return internal_fn_name(gimple_call_internal_fn(s));
	tree f = gimple_call_fndecl(s);
	return f && DECL_NAME(f) ? IDENTIFIER_POINTER(DECL_NAME(f)) : "a function";
}

bool reader::refuse_call(gimple *s)
{
	if (gimple_call_internal_p(s, IFN_GOMP_SIMD_ORDERED_START))
		return fail(gimple_location(s), "a block of ordered simd");
	if (gimple_call_internal_p(s, IFN_GOMP_SIMD_LANE) && gimple_call_num_args(s) == 3) /* its condition */
		return fail(n.where, "an if clause whose condition is not a constant");
	return fail(gimple_location(s), "call of %s", name_of_call(s));
}

bool reader::statement(gimple *s)
{
	if (is_gimple_debug(s) || simd_mark_is(s))
		return true;
	if (gimple_clobber_p(s)) {
		if (VAR_P(gimple_assign_lhs(s)))
			locals.insert(gimple_assign_lhs(s));
		return true;
	}
	switch (gimple_code(s)) {
	case GIMPLE_LABEL:
	case GIMPLE_NOP:
	case GIMPLE_PREDICT:
	case GIMPLE_COND: return true;
	case GIMPLE_CALL:
		if (array_function(s) != IFN_LAST)
			return real_call(s);
		return refuse_call(s);
	case GIMPLE_ASSIGN: break;
	default: return fail(gimple_location(s), "a statement that is no assignment");
	}
	if (gimple_has_volatile_ops(s))
		return fail(gimple_location(s), "volatile access");
	if (gimple_vdef(s))
		return store(s);
	tree lhs = gimple_assign_lhs(s), type = TREE_TYPE(lhs);
	if (is_number(type))
		return gimple_assign_load_p(s) ? load(s) : number_assign(s);
	if (INTEGRAL_TYPE_P(type) && gimple_assign_load_p(s))
		return integer_load(s);
	if (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type))
		return true; /* read where it is used */
	return fail(gimple_location(s), "%s", number_refusal(type));
}

/* ---- loops ---- */

/* Returns whether a block's statements are integer arithmetic alone. */
bool reader::quiet(basic_block b)
{
	for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g)) {
		gimple *s = gsi_stmt(g);
		if (is_gimple_debug(s) || simd_mark_is(s))
			continue;
		if (gimple_vdef(s) || gimple_code(s) == GIMPLE_CALL)
			return false;
		if (is_gimple_assign(s) && is_number(TREE_TYPE(gimple_assign_lhs(s))))
			return false;
		if (is_gimple_assign(s) && n.values.count(gimple_assign_lhs(s))) /* an integer that is data */
			return false;
	}
	return true;
}

bool reader::carried_values(int id)
{
	class loop *l = n.loops[id].l;
	for (gphi_iterator p = gsi_start_phis(l->header); !gsi_end_p(p); gsi_next(&p)) {
		tree name = gimple_phi_result(p.phi()), type = TREE_TYPE(name);
		if (virtual_operand_p(name) || integer_carried(id, p.phi()) || INTEGRAL_TYPE_P(type) ||
		    POINTER_TYPE_P(type))
			continue;
		std::vector<int> first = value(PHI_ARG_DEF_FROM_EDGE(p.phi(), loop_preheader_edge(l))), nodes;
		if (!is_number(type) || first.empty())
			return fail(gimple_location(p.phi()), "a value of a type that the array has not is carried on");
		for (int a : first) {
			node v(NODE_CARRIED);
			v.type = part_type(type);
			v.a = a;
			v.loop = id;
			nodes.push_back(add(v));
			n.loops[id].carried.push_back(nodes.back());
		}
		n.values[name] = nodes;
	}
	return true;
}

/* Reads the carried values after an iteration. */
bool reader::carried_ends(int id)
{
	class loop *l = n.loops[id].l;
	for (gphi_iterator p = gsi_start_phis(l->header); !gsi_end_p(p); gsi_next(&p)) {
		auto mine = n.values.find(gimple_phi_result(p.phi()));
		if (mine == n.values.end() || p.phi() == row_phi)
			continue;
		if (INTEGRAL_TYPE_P(TREE_TYPE(mine->first))) {
			if (!integer_carried_end(id, p.phi()))
				return false;
			continue;
		}
		std::vector<int> nodes = mine->second;
		std::vector<int> next = value(PHI_ARG_DEF_FROM_EDGE(p.phi(), loop_latch_edge(l)));
		if (next.size() != nodes.size())
			return fail(n.where, "a value is carried on in a way that is not understood");
		for (size_t k = 0; k < nodes.size(); k++)
			n.nodes[nodes[k]].b = next[k];
	}
	return true;
}

/* The body from block `b` on, in order. Blocks in front of the exit or behind it do something, not both. */
bool reader::body(int id, edge exit)
{
	class loop *l = n.loops[id].l;
	bool before = false, after = false, passed = false;
	for (basic_block b = l->header;;) {
		if (b->loop_father != l) {
			class loop *inner = b->loop_father;
			if (loop_outer(inner) != l || b != inner->header)
				return fail(n.where, "loops that are not nested");
			int in = loop_of(inner, id);
			if (in < 0)
				return false;
			current = id;
			n.loops[id].body.push_back({-1, in});
			(passed ? after : before) = true;
			b = exit_of(inner)->dest;
			continue;
		}
		for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g); gsi_next(&g))
			if (!statement(gsi_stmt(g)))
				return false;
		if (!quiet(b) && !breaks.count(id) &&
		    !(id == row_loop && b == l->header)) /* what computes alone may do so in front of an exit */
			(passed ? after : before) = true;
		if (b == l->latch)
			break;
		if (breaks.count(id) && b == breaks[id].leaves->src) {
			if (!read_break(id, b))
				return false;
			b = EDGE_SUCC(b, EDGE_SUCC(b, 0) == breaks[id].leaves)->dest;
		} else if (b == exit->src) {
			passed = true;
			b = EDGE_SUCC(b, EDGE_SUCC(b, 0) == exit)->dest;
		} else if (single_succ_p(b)) {
			b = single_succ(b);
		} else if (!choice(&b)) {
			return false;
		} else {
			(passed ? after : before) = true;
		}
		if (b == l->header)
			break;
	}
	if (before && after)
		return uneven(gimple_location(last_stmt(exit->src)), "the exit is in the middle of the loop");
	n.loops[id].at_end = before;
	return true;
}

/* Reads a loop: its number, or -1. */
int reader::loop_of(class loop *l, int parent)
{
	edge exit = exit_of(l);
	int id = (int)n.loops.size();
	if (parent >= 0 && !exit && find_break(id, l))
		exit = breaks[id].counted;
	if (!exit || EDGE_COUNT(exit->src->succs) != 2 || !is_a<gcond *>(last_stmt(exit->src))) {
		fail(place_of(l), "a loop with no exit or more than one");
		return -1;
	}
	if (id == LOOPS_MAX) {
		fail(n.where, "more than %d loops", LOOPS_MAX);
		return -1;
	}
	n.loops.emplace_back();
	n.loops[id].l = l;
	n.loops[id].parent = parent;
	index[l] = id;
	current = id;
	if (!begin_rows(id, exit) || !carried_values(id) || !begin_counts(id) || !body(id, exit))
		return -1;
	current = id;
	if (!carried_ends(id) || !end_break(id) || !(id == row_loop ? end_rows(id) : count_of(id, exit)))
		return -1;
	return break_results(id) ? id : -1;
}

bool nest_read(nest &n, class loop *l)
{
	nest other = n;
	reader r(n);
	n.outer = l;
	r.collect_stores();
	if (r.loop_of(l, -1) == 0 && r.gathers_fit() && r.sums() && r.results() && r.families())
		return nest_ragged_fits(n) || r.fail(n.where, "the number of iterations differs between the PEs");
	if (!n.one_place || !nest_read_private(other, l))
		return false;
	n = other;
	return true;
}
