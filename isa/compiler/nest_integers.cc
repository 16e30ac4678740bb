/*
 * Integers that a nest computes with, on PEs that have them (reader::data_of). A PE holds an integer in 64 bits of a
 * register. Of one of 32 bits the upper half is known or not (integer_form); what needs it extends the number first:
 * comparisons, shifts to the right, conversions. Nodes are made where a value is used, as most integers are indices.
 */
#include "nest_reader.hh"

#include "tree-cfg.h"

bool is_integer(tree type)
{
	return INTEGRAL_TYPE_P(type) && (TYPE_PRECISION(type) == 32 || TYPE_PRECISION(type) == 64) &&
	       TREE_CODE(type) != BOOLEAN_TYPE;
}

static integer_form form_of(tree type)
{
	return TYPE_PRECISION(type) == 64 ? FORM_64 : TYPE_UNSIGNED(type) ? FORM_UNSIGNED : FORM_SIGNED;
}

/* Returns whether a number of `form` is extended as its type says. */
static bool fits(integer_form form, tree type)
{
	integer_form wanted = form_of(type);
	return wanted == FORM_64 || form == FORM_SMALL || form == wanted;
}

reader::attempt::attempt(reader &of) : r(of), refused(of.n.refused), at(of.n.refused_at)
{
	not_affine = r.n.not_affine;
	one_place = r.n.one_place;
	r.n.refused.clear();
}

/* A try leaves no reason why the nest is refused. */
reader::attempt::~attempt()
{
	r.n.refused = refused;
	r.n.refused_at = at;
	r.n.not_affine = not_affine;
	r.n.one_place = one_place;
}

int reader::integer_node(const node &v, integer_form form, class loop *l)
{
	int id = add(v);
	n.nodes[id].type = long_integer_type_node;
	n.nodes[id].form = form;
	auto in = l ? index.find(l) : index.end();
	if (v.kind != NODE_CONST && v.kind != NODE_OUTSIDE)
		n.loops[in == index.end() ? current : in->second].body.push_back({id, -1});
	return id;
}

int reader::integer_constant(HOST_WIDE_INT value)
{
	node v(NODE_CONST);
	v.value = build_int_cst(long_integer_type_node, value);
	return integer_node(v, value >= 0 && value < HOST_WIDE_INT_1 << 31 ? FORM_SMALL : FORM_64, NULL);
}

int reader::integer_operation(tree_code code, int a, int b, integer_form form, class loop *l)
{
	node v(NODE_OP);
	v.code = code;
	v.a = a;
	v.b = b;
	return integer_node(v, form, l);
}

/* The number with its upper half as its type has it. */
int reader::extended(int id, tree type, class loop *l)
{
	if (id < 0 || fits(n.nodes[id].form, type))
		return id;
	if (TYPE_UNSIGNED(type))
		return integer_operation(BIT_AND_EXPR, id, integer_constant(0xffffffff), FORM_UNSIGNED, l);
	int half = integer_constant(32), up = integer_operation(LSHIFT_EXPR, id, half, FORM_64, l);
	return integer_operation(RSHIFT_EXPR, up, half, FORM_SIGNED, l);
}

/* a if x `code` y, else b */
int reader::integer_choice(tree_code code, int x, int y, int a, int b, class loop *l)
{
	integer_form form = n.nodes[a].form == FORM_SMALL ? n.nodes[b].form : n.nodes[a].form;
	bool same = n.nodes[b].form == form || n.nodes[b].form == FORM_SMALL;
	int id = integer_operation(code, a, b, same ? form : FORM_64, l);
	n.nodes[id].x = x;
	n.nodes[id].y = y;
	return id;
}

/* Returns whether an integer comes from the loop's data, not from indices alone. */
bool reader::from_data(tree t, int depth)
{
	if (TREE_CODE(t) != SSA_NAME || !inside(t) || depth > 16)
		return false;
	if (n.values.count(t))
		return true;
	gassign *s = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(t));
	if (!s)
		return choices.count(dyn_cast<gphi *>(SSA_NAME_DEF_STMT(t))) > 0;
	if (gimple_assign_load_p(s))
		return !invariant(t);
	if (gimple_assign_rhs_code(s) == FIX_TRUNC_EXPR)
		return true;
	for (unsigned k = 1; k < gimple_num_ops(s); k++)
		if (gimple_op(s, k) && from_data(gimple_op(s, k), depth + 1))
			return true;
	return false;
}

/* The node of a number that is affine in the loops' indices, or -1. */
int reader::integer_number(tree t, class loop *l)
{
	node v(NODE_NUMBER);
	attempt quiet(*this);
	if (!affine_of(t, v.number, n.where) || v.number.root)
		return -1;
	if (v.number.coef[0] && !interchanges && !number_is_exact(TREE_TYPE(t), v.number))
		return -1;
	return integer_node(v, TYPE_UNSIGNED(TREE_TYPE(t)) ? FORM_64 : form_of(TREE_TYPE(t)), l);
}

/* A comparison as the operands of a choice. False if it is not understood. */
bool reader::integer_comparison(tree_code code, tree a, tree b, class loop *l, int *x, int *y)
{
	tree type = TREE_TYPE(a);
	if (!is_integer(type))
		return false;
	*x = extended(data_of(a), type, l);
	*y = extended(data_of(b), type, l);
	if (*x < 0 || *y < 0)
		return false;
	if (TYPE_UNSIGNED(type) && TYPE_PRECISION(type) == 64 && code != EQ_EXPR && code != NE_EXPR) {
		int sign = integer_constant(HOST_WIDE_INT_MIN); /* the PEs compare with a sign */
		*x = integer_operation(BIT_XOR_EXPR, *x, sign, FORM_64, l);
		*y = integer_operation(BIT_XOR_EXPR, *y, sign, FORM_64, l);
	}
	return true;
}

/* The smaller or larger one of two, or a magnitude. */
int reader::integer_least(tree_code code, tree type, tree p, tree q, class loop *l)
{
	int a = extended(data_of(p), type, l), b, x, y;
	if (a < 0)
		return -1;
	if (code == ABS_EXPR) {
		int zero = integer_constant(0), minus = integer_operation(MINUS_EXPR, zero, a, FORM_64, l);
		return extended(integer_choice(LT_EXPR, a, zero, minus, a, l), type, l);
	}
	b = extended(data_of(q), type, l);
	if (b < 0 || !integer_comparison(LT_EXPR, p, q, l, &x, &y))
		return -1;
	return integer_choice(code == MIN_EXPR ? LT_EXPR : GT_EXPR, x, y, a, b, l);
}

/* The upper half of what two numbers give bit by bit. */
static integer_form bits_form(tree_code code, integer_form a, integer_form b)
{
	if (code == BIT_AND_EXPR && (a == FORM_SMALL || b == FORM_SMALL))
		return FORM_SMALL;
	if (code == BIT_AND_EXPR && (a == FORM_UNSIGNED || b == FORM_UNSIGNED))
		return FORM_UNSIGNED;
	if (a == FORM_SMALL || b == FORM_SMALL)
		return a == FORM_SMALL ? b : a;
	return a == b ? a : FORM_64;
}

int reader::integer_binary(gassign *s, tree type, class loop *l)
{
	tree_code code = gimple_assign_rhs_code(s);
	int a = data_of(gimple_assign_rhs1(s)), b = data_of(gimple_assign_rhs2(s));
	if (a < 0 || b < 0)
		return -1;
	switch (code) {
	case PLUS_EXPR:
	case MINUS_EXPR:
	case MULT_EXPR: {
		bool kept = TYPE_OVERFLOW_UNDEFINED(type) && fits(n.nodes[a].form, type) && fits(n.nodes[b].form, type);
		return integer_operation(code, a, b, kept ? form_of(type) : FORM_64, l);
	}
	case BIT_AND_EXPR:
	case BIT_IOR_EXPR:
	case BIT_XOR_EXPR: return integer_operation(code, a, b, bits_form(code, n.nodes[a].form, n.nodes[b].form), l);
	case LSHIFT_EXPR: return integer_operation(code, a, b, FORM_64, l);
	case RSHIFT_EXPR: {
		int id = integer_operation(code, extended(a, type, l), b, form_of(type), l);
		n.nodes[id].is_unsigned = TYPE_UNSIGNED(type);
		return id;
	}
	default: return -1;
	}
}

/* A number in another type. */
int reader::integer_converted(tree from, tree type, class loop *l)
{
	tree source = TREE_TYPE(from);
	int a, x, y;
	if (TREE_CODE(source) == BOOLEAN_TYPE) {
		gassign *s = TREE_CODE(from) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(from)) : NULL;
		if (!s || TREE_CODE_CLASS(gimple_assign_rhs_code(s)) != tcc_comparison ||
		    !compared(gimple_assign_rhs_code(s), gimple_assign_rhs1(s), gimple_assign_rhs2(s), l, &x, &y))
			return -1;
		return integer_choice(gimple_assign_rhs_code(s), x, y, integer_constant(1), integer_constant(0), l);
	}
	if (!is_integer(source))
		return -1;
	a = data_of(from);
	return TYPE_PRECISION(type) > TYPE_PRECISION(source) ? extended(a, source, l) : a;
}

/* The operands of a comparison of integers or of real numbers. */
bool reader::compared(tree_code code, tree a, tree b, class loop *l, int *x, int *y)
{
	if (!(n.in->units & UNIT_SELECT))
		return false;
	if (!is_number(TREE_TYPE(a)))
		return integer_comparison(code, a, b, l, x, y);
	std::vector<int> p = value(a), q = value(b);
	if (p.size() != 1 || q.size() != 1)
		return false;
	*x = p[0];
	*y = q[0];
	n.needs |= UNIT_SELECT;
	return true;
}

int reader::integer_assign(gassign *s, tree type, class loop *l)
{
	tree a = gimple_assign_rhs1(s);
	tree_code code = gimple_assign_rhs_code(s);
	switch (code) {
	case SSA_NAME:
	case INTEGER_CST:
		return data_of(a);
	CASE_CONVERT:
		return integer_converted(a, type, l);
	case FIX_TRUNC_EXPR: {
		std::vector<int> from = value(a);
		if (from.size() != 1)
			return -1;
		return integer_operation(code, from[0], -1, FORM_64, l);
	}
	case NEGATE_EXPR:
	case BIT_NOT_EXPR: {
		int of = data_of(a), with = integer_constant(code == NEGATE_EXPR ? 0 : -1);
		if (of < 0)
			return -1;
		bool kept = fits(n.nodes[of].form, type) && !TYPE_UNSIGNED(type) &&
			    (code == BIT_NOT_EXPR || TYPE_OVERFLOW_UNDEFINED(type));
		return code == NEGATE_EXPR
			       ? integer_operation(MINUS_EXPR, with, of, kept ? form_of(type) : FORM_64, l)
			       : integer_operation(BIT_XOR_EXPR, of, with, kept ? form_of(type) : FORM_64, l);
	}
	case MIN_EXPR:
	case MAX_EXPR:
	case ABS_EXPR:
		if (!(n.in->units & UNIT_SELECT))
			return -1;
		n.needs |= UNIT_SELECT;
		return integer_least(code, type, a, gimple_num_ops(s) > 2 ? gimple_assign_rhs2(s) : NULL_TREE, l);
	default: return gimple_assign_rhs_class(s) == GIMPLE_BINARY_RHS ? integer_binary(s, type, l) : -1;
	}
}

/* A value behind a condition whose arms have been read (nest_select.cc). */
int reader::integer_behind(gphi *phi, class loop *l)
{
	auto of = choices.find(phi);
	if (of == choices.end())
		return gimple_phi_num_args(phi) == 1 ? data_of(gimple_phi_arg_def(phi, 0)) : -1;
	edge other = EDGE_PRED(gimple_bb(phi), EDGE_PRED(gimple_bb(phi), 0) == of->second.yes);
	int a = data_of(PHI_ARG_DEF_FROM_EDGE(phi, of->second.yes)), b = data_of(PHI_ARG_DEF_FROM_EDGE(phi, other));
	if (a < 0 || b < 0)
		return -1;
	return integer_choice(of->second.code, of->second.x, of->second.y, a, b, l);
}

int reader::data_of(tree t)
{
	tree type = TREE_TYPE(t);
	if (!is_integer(type))
		return -1;
	if (TREE_CODE(t) == INTEGER_CST)
		return integer_constant(tree_to_shwi(fold_convert(ssizetype, t)));
	if (TREE_CODE(t) != SSA_NAME)
		return -1;
	auto known = n.values.find(t);
	if (known != n.values.end())
		return known->second.size() == 1 ? known->second[0] : -1;
	auto made = integers.find(t);
	if (made != integers.end())
		return made->second;
	tree outside = invariant(t);
	if (outside) {
		node v(NODE_OUTSIDE);
		v.value = fold_convert(long_integer_type_node, outside);
		return integers[t] = integer_node(v, form_of(type), NULL);
	}
	class loop *l = gimple_bb(SSA_NAME_DEF_STMT(t))->loop_father;
	int counted = counted_by(t), id;
	if (counted >= 0)
		return integer_operation(FIX_TRUNC_EXPR, counted, -1, FORM_64, NULL);
	id = from_data(t, 0) ? -1 : integer_number(t, l);
	if (id < 0) {
		gimple *s = SSA_NAME_DEF_STMT(t);
		if (gphi *phi = dyn_cast<gphi *>(s))
			id = integer_behind(phi, l);
		else if (is_gimple_assign(s) && !gimple_assign_load_p(s))
			id = integer_assign(as_a<gassign *>(s), type, l);
	}
	if (id >= 0)
		integers[t] = id;
	return id;
}

/* The same for what is used; says why it is not there. */
int reader::integer_used(tree t, location_t where)
{
	if (!need(UNIT_NUMBER_INTEGER, where))
		return -1;
	int id = data_of(t);
	if (id < 0)
		fail(where, "an integer that the array does not compute: from a quotient, a rest, or a number of fewer "
			    "than 4 bytes");
	return id;
}

/* A load of an integer that may be data; indices are read where they are used. */
bool reader::integer_load(gimple *s)
{
	tree lhs = gimple_assign_lhs(s);
	if (!(n.in->units & (UNIT_INTEGER | UNIT_GATHER)) || !is_integer(TREE_TYPE(lhs)) || invariant(lhs))
		return true;
	node v(NODE_LOAD);
	{
		attempt quiet(*this);
		v.ref = reference_of(gimple_assign_rhs1(s), 0, false, gimple_location(s));
	}
	if (v.ref < 0 || !subscript(v.ref, v.a))
		return v.ref < 0;
	v.is_unsigned = TYPE_UNSIGNED(TREE_TYPE(lhs));
	n.values[lhs] = {integer_node(v, form_of(TREE_TYPE(lhs)), NULL)};
	return true;
}

bool reader::integer_store(gimple *s)
{
	tree lhs = gimple_assign_lhs(s);
	if (!is_integer(TREE_TYPE(lhs)))
		return fail(gimple_location(s), "an integer of fewer than 4 bytes");
	node v(NODE_STORE);
	v.a = integer_used(gimple_assign_rhs1(s), gimple_location(s));
	if (v.a < 0)
		return false;
	v.ref = reference_of(lhs, 0, true, gimple_location(s));
	return v.ref >= 0 && subscript(v.ref, v.b) && integer_node(v, FORM_64, NULL) >= 0;
}

/* A real number from an integer that is no index. */
bool reader::integer_to_real(gimple *s)
{
	tree lhs = gimple_assign_lhs(s), rhs = gimple_assign_rhs1(s);
	int from = integer_used(rhs, gimple_location(s));
	if (from < 0)
		return false;
	if (TYPE_UNSIGNED(TREE_TYPE(rhs)) && TYPE_PRECISION(TREE_TYPE(rhs)) == 64)
		return fail(gimple_location(s), "a real number from an unsigned integer of 64 bits");
	n.values[lhs] = {operation(FLOAT_EXPR, part_type(TREE_TYPE(lhs)), extended(from, TREE_TYPE(rhs), NULL), -1)};
	return true;
}

/* An integer that a loop hands on and that does not count: false if there is none. */
bool reader::integer_carried(int id, gphi *phi)
{
	tree name = gimple_phi_result(phi), type = TREE_TYPE(name), step;
	if (!(n.in->units & UNIT_INTEGER) || !is_integer(type) || step_of(phi, step))
		return false;
	int parent = n.loops[id].parent, first;
	current = parent < 0 ? id : parent;
	first = data_of(PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(n.loops[id].l)));
	if (id > 0)
		first = extended(first, type, NULL);
	current = id;
	if (first < 0)
		return false;
	node v(NODE_CARRIED);
	v.type = long_integer_type_node;
	v.a = first;
	v.loop = id;
	v.form = id > 0 ? form_of(type) : FORM_64; /* a sum over the lanes is cut at its end */
	n.values[name] = {add(v)};
	n.loops[id].carried.push_back(n.values[name][0]);
	n.needs |= UNIT_INTEGER;
	return true;
}

/* Makes the value that the next iteration gets. */
bool reader::integer_carried_end(int id, gphi *phi)
{
	tree next = PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(n.loops[id].l));
	int mine = n.values[gimple_phi_result(phi)][0], b = data_of(next);
	if (id > 0)
		b = extended(b, TREE_TYPE(next), NULL);
	if (b < 0)
		return fail(n.where, "a value is carried on in a way that is not understood");
	n.nodes[mine].b = b;
	return true;
}
