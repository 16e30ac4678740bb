/* Instructions of the array that the compiler's own code does not use (nest_array_code.hh). */
#include "nest_array_code.hh"

#include "cgraph.h"
#include "psim_nest.h"

/*
 * As in psim_simd.h: the assembler does not know all of these instructions, and a register's field is found by its
 * name. docs/models/simd-isa.md has the encodings.
 */
static const char macros[] =
	".macro psim_nest_d name, reg\n"
	"\t.set \\name, -1\n"
	"\t.irp n, 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,40,42,44,46,48,50,52,54,56,58,60,62\n"
	"\t.ifc \\reg, %f\\n\n\t.set \\name, (\\n & 30) | (\\n >> 5)\n\t.endif\n"
	"\t.endr\n"
	"\t.if \\name < 0\n\t.error \"not a double register: \\reg\"\n\t.endif\n"
	".endm\n"
	".macro psim_nest_op2 opf, rs1, rs2, rd\n"
	"\tpsim_nest_d psim_a, \\rs1\n\tpsim_nest_d psim_b, \\rs2\n\tpsim_nest_d psim_c, \\rd\n"
	"\t.word 0x81b00000 | psim_c << 25 | psim_a << 14 | \\opf << 5 | psim_b\n"
	".endm\n"
	".macro psim_nest_op3 var, rs1, rs2, rs3, rd\n"
	"\tpsim_nest_d psim_a, \\rs1\n\tpsim_nest_d psim_b, \\rs2\n\tpsim_nest_d psim_c, \\rs3\n"
	"\tpsim_nest_d psim_e, \\rd\n"
	"\t.word 0x81b80000 | psim_e << 25 | psim_a << 14 | psim_c << 9 | \\var << 7 | psim_b\n"
	".endm\n"
	".macro psim_nest_f name, reg\n"
	"\t.set \\name, -1\n"
	"\t.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
	"\t.ifc \\reg, %f\\n\n\t.set \\name, \\n\n\t.endif\n"
	"\t.endr\n"
	"\t.if \\name < 0\n\t.error \"not a single register: \\reg\"\n\t.endif\n"
	".endm\n"
	".macro psim_nest_r name, reg\n"
	"\t.set \\name, -1\n\t.set psim_number, 0\n"
	"\t.irp r, %g0,%g1,%g2,%g3,%g4,%g5,%g6,%g7,%o0,%o1,%o2,%o3,%o4,%o5,%sp,%o7,"
	"%l0,%l1,%l2,%l3,%l4,%l5,%l6,%l7,%i0,%i1,%i2,%i3,%i4,%i5,%fp,%i7\n"
	"\t.ifc \\reg, \\r\n\t.set \\name, psim_number\n\t.endif\n"
	"\t.set psim_number, psim_number + 1\n"
	"\t.endr\n"
	"\t.if \\name < 0\n\t.error \"not an integer register: \\reg\"\n\t.endif\n"
	".endm\n"
	".macro psim_nest_gather opf, base, index, data, how_index, how_data\n"
	"\tpsim_nest_r psim_a, \\base\n\tpsim_nest_\\how_index psim_b, \\index\n"
	"\tpsim_nest_\\how_data psim_c, \\data\n"
	"\t.word 0x81b00000 | psim_c << 25 | psim_a << 14 | \\opf << 5 | psim_b\n"
	".endm\n"
	".macro psim_nest_cmpx rs1, rs2\n"
	"\tpsim_nest_d psim_a, \\rs1\n\tpsim_nest_d psim_b, \\rs2\n"
	"\t.word 0x81b03600 | psim_a << 14 | psim_b\n"
	".endm\n";

void array_macros(compilation &in)
{
	if (!in.has_macros)
		symtab->finalize_toplevel_asm(build_string(sizeof macros, macros));
	in.has_macros = true;
}

const char *array_code_writer::constraint(tree v, bool halves) const
{
	return halves || TREE_TYPE(v) == float_type_node ? "f" : "e";
}

void array_code_writer::instruction(const char *text, tree to, std::initializer_list<tree> in, const char *clobber,
				    bool halves)
{
	/* of two instructions, the first may not overwrite what the second reads */
	std::string out = std::string(halves ? "=&" : "=") + constraint(to, halves);
	tree outputs = build_tree_list(build_tree_list(NULL_TREE, build_string((int)out.size() + 1, out.c_str())), to),
	     inputs = NULL_TREE;
	tree clobbers =
		clobber ? build_tree_list(NULL_TREE, build_string((int)strlen(clobber) + 1, clobber)) : NULL_TREE;
	std::vector<tree> list(in);
	array_macros(*n.in);
	for (size_t k = list.size(); k-- > 0;)
		inputs = tree_cons(build_tree_list(NULL_TREE, build_string(2, constraint(list[k], halves))), list[k],
				   inputs);
	put(build5(ASM_EXPR, void_type_node, build_string((int)strlen(text), text), outputs, inputs, clobbers,
		   NULL_TREE));
}

/* A constant's bits as a double; NULL_TREE if the compiler cannot keep them, as of some NaN. */
tree array_code_writer::bits(HOST_WIDE_INT value)
{
	unsigned char is[8], back[8];
	native_encode_expr(build_int_cst(long_integer_type_node, value), is, 8);
	tree real = native_interpret_expr(double_type_node, is, 8);
	if (!real || native_encode_expr(real, back, 8) != 8 || memcmp(is, back, 8))
		return NULL_TREE;
	return real;
}

/* An integer from outside in a register of the array: each PE loads it from the kernel's data. */
tree array_code_writer::integer_outside(tree value)
{
	tree constant = TREE_CODE(value) == INTEGER_CST ? bits(tree_to_shwi(value)) : NULL_TREE;
	if (constant)
		return constant;
	for (const auto &k : kept)
		if (operand_equal_p(k.first, value, 0))
			return k.second;
	tree v = variable(double_type_node);
	HOST_WIDE_INT offset = 8 * (HOST_WIDE_INT)data_outside(n, nest_outside(n, value));
	append_to_statement_list_force(
		build2(MODIFY_EXPR, void_type_node, v, memory(double_type_node, at(data, offset), BASE_DATA)), &head);
	kept.push_back({value, v});
	return v;
}

/* A number of the scalar core, to all PEs. */
void array_code_writer::integer_of_long(tree to, tree value)
{
	tree number = variable(long_integer_type_node);
	set(number, fold_convert(long_integer_type_node, value));
	set(to, build1(VIEW_CONVERT_EXPR, double_type_node, number));
}

/* One of 32 bits is loaded to the upper half of a register, and from there to all of it. */
void array_code_writer::load_integer(tree to, tree single, bool is_unsigned)
{
	tree upper = variable(double_type_node);
	tree outputs = build_tree_list(build_tree_list(NULL_TREE, build_string(3, "=f")), upper);
	tree inputs = build_tree_list(build_tree_list(NULL_TREE, build_string(2, "m")), single);
	put(build5(ASM_EXPR, void_type_node, build_string(9, "ld\t%1, %0"), outputs, inputs, NULL_TREE, NULL_TREE));
	operate(to, RSHIFT_EXPR, is_unsigned, upper, bits(32));
}

/* The lower half of a register. */
void array_code_writer::store_integer(tree place, tree value)
{
	tree copy = variable(double_type_node);
	set(copy, value);
	tree outputs = build_tree_list(build_tree_list(NULL_TREE, build_string(3, "=m")), place);
	tree inputs = build_tree_list(build_tree_list(NULL_TREE, build_string(2, "f")), copy);
	put(build5(ASM_EXPR, void_type_node, build_string(10, "st\t%R1, %0"), outputs, inputs, NULL_TREE, NULL_TREE));
}

void array_code_writer::operate(tree to, tree_code code, bool is_unsigned, tree a, tree b)
{
	switch (code) {
	case PLUS_EXPR: return instruction("psim_nest_op2 0x042, %1, %2, %0", to, {a, b});
	case MINUS_EXPR: return instruction("psim_nest_op2 0x046, %1, %2, %0", to, {a, b});
	case BIT_AND_EXPR: return instruction("psim_nest_op2 0x070, %1, %2, %0", to, {a, b});
	case BIT_IOR_EXPR: return instruction("psim_nest_op2 0x07c, %1, %2, %0", to, {a, b});
	case BIT_XOR_EXPR: return instruction("psim_nest_op2 0x06c, %1, %2, %0", to, {a, b});
	case LSHIFT_EXPR: return instruction("psim_nest_op2 0x106, %1, %2, %0", to, {a, b});
	case RSHIFT_EXPR:
		return instruction(is_unsigned ? "psim_nest_op2 0x107, %1, %2, %0" : "psim_nest_op2 0x10f, %1, %2, %0",
				   to, {a, b});
	default: return multiply_add(to, a, b, bits(0));
	}
}

void array_code_writer::multiply_add(tree to, tree a, tree b, tree c)
{
	instruction("psim_nest_op3 0, %1, %2, %3, %0", to, {a, b, c});
}

/* Between an integer of 64 bits and a real number. */
void array_code_writer::convert(tree to, bool to_integer, tree from)
{
	bool single = TREE_TYPE(to_integer ? from : to) == float_type_node;
	if (to_integer)
		instruction(single ? "fstox\t%1, %0" : "fdtox\t%1, %0", to, {from});
	else
		instruction(single ? "fxtos\t%1, %0" : "fxtod\t%1, %0", to, {from});
}

/* One of 4 bytes is in a single register, or in the upper half of one with an integer. */
void array_code_writer::gather(const node &k, tree to, tree base, tree at)
{
	bool single = n.refs[k.ref].size == NEST_SINGLE_SIZE, whole = is_integer(k) && single && !k.subscript;
	bool short_index = TREE_TYPE(at) == float_type_node;
	char text[80];
	tree result = variable(whole ? double_type_node : TREE_TYPE(to)), place = variable(ptr_type_node);
	set(place, base);
	sprintf(text, "psim_nest_gather 0x%x, %%1, %%2, %%0, %c, %c", 0x1b8 + single + 2 * !short_index,
		short_index ? 'f' : 'd', single ? 'f' : 'd');
	tree out = build_tree_list(build_tree_list(NULL_TREE, build_string(3, single ? "=f" : "=e")), result);
	tree inputs = tree_cons(build_tree_list(NULL_TREE, build_string(2, short_index ? "f" : "e")), at, NULL_TREE);
	inputs = tree_cons(build_tree_list(NULL_TREE, build_string(2, "r")), place, inputs);
	array_macros(*n.in);
	put(build5(ASM_EXPR, void_type_node, build_string((int)strlen(text), text), out, inputs, NULL_TREE, NULL_TREE));
	if (whole)
		operate(to, RSHIFT_EXPR, k.is_unsigned, result, bits(32));
	else
		set(to, result);
}

void array_code_writer::scatter(const node &k, tree base, tree at, tree value)
{
	bool single = n.refs[k.ref].size == NEST_SINGLE_SIZE, short_index = TREE_TYPE(at) == float_type_node;
	char text[80];
	tree copy = variable(TREE_TYPE(value)), place = variable(ptr_type_node), inputs = NULL_TREE;
	set(copy, value);
	set(place, base);
	sprintf(text, "psim_nest_gather 0x%x, %%0, %%1, %s, %c, %c", 0x1bc + single + 2 * !short_index,
		single && is_integer(k) ? "%R2" : "%2", short_index ? 'f' : 'd', single ? 'f' : 'd');
	inputs = tree_cons(build_tree_list(NULL_TREE, build_string(2, single ? "f" : "e")), copy, NULL_TREE);
	inputs = tree_cons(build_tree_list(NULL_TREE, build_string(2, short_index ? "f" : "e")), at, inputs);
	inputs = tree_cons(build_tree_list(NULL_TREE, build_string(2, "r")), place, inputs);
	array_macros(*n.in);
	tree a = build5(ASM_EXPR, void_type_node, build_string((int)strlen(text), text), NULL_TREE, inputs,
			build_tree_list(NULL_TREE, build_string(7, "memory")), NULL_TREE);
	ASM_VOLATILE_P(a) = 1;
	put(a);
}

/* A number of the scalar core, in both halves. */
tree array_code_writer::pair_outside(tree value)
{
	for (const auto &k : kept_pairs)
		if (operand_equal_p(k.first, value, 0))
			return k.second;
	tree v = variable(double_type_node), single = variable(float_type_node), from = outside(value);
	std::swap(list, head); /* in front of the loops */
	set(single, from);
	instruction("fmovs\t%1, %0\n\tfmovs\t%1, %R0", v, {single}, NULL, true);
	std::swap(list, head);
	kept_pairs.push_back({value, v});
	return v;
}

void array_code_writer::pair_load(tree to, tree first, tree second)
{
	tree pair = variable(double_type_node), inputs = NULL_TREE;
	for (tree from : {second, first})
		inputs = tree_cons(build_tree_list(NULL_TREE, build_string(2, "m")), from, inputs);
	tree out = build_tree_list(build_tree_list(NULL_TREE, build_string(3, "=f")), pair);
	const char *text = "ld\t%1, %0\n\tld\t%2, %R0";
	put(build5(ASM_EXPR, void_type_node, build_string((int)strlen(text), text), out, inputs, NULL_TREE, NULL_TREE));
	set(to, pair);
}

void array_code_writer::pair_store(tree first, tree second, tree value)
{
	tree copy = variable(double_type_node);
	set(copy, value);
	for (tree place : {first, second}) {
		tree out = build_tree_list(build_tree_list(NULL_TREE, build_string(3, "=m")), place);
		tree in = build_tree_list(build_tree_list(NULL_TREE, build_string(2, "f")), copy);
		const char *text = place == first ? "st\t%1, %0" : "st\t%R1, %0";
		put(build5(ASM_EXPR, void_type_node, build_string((int)strlen(text), text), out, in, NULL_TREE,
			   NULL_TREE));
	}
}

void array_code_writer::pair_operate(tree to, tree_code code, tree a, tree b)
{
	switch (code) {
	case PLUS_EXPR: return instruction("psim_nest_op2 0x1a8, %1, %2, %0", to, {a, b});
	case MINUS_EXPR: return instruction("psim_nest_op2 0x1a9, %1, %2, %0", to, {a, b});
	case MULT_EXPR: return instruction("psim_nest_op2 0x1aa, %1, %2, %0", to, {a, b});
	case NEGATE_EXPR: {
		tree result = variable(double_type_node);
		instruction("fnegs\t%1, %0\n\tfnegs\t%R1, %R0", result, {a}, NULL, true);
		return set(to, result);
	}
	default: return set(to, a);
	}
}

/* c + a b, or c - a b */
void array_code_writer::pair_multiply_add(tree to, bool minus, tree a, tree b, tree c)
{
	instruction(minus ? "psim_nest_op3 3, %1, %2, %3, %0" : "psim_nest_op3 2, %1, %2, %3, %0", to, {a, b, c});
}
