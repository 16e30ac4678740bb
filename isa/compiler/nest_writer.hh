/*
 * Internal to the plugin: what writes a function of a nest's data in GENERIC (nest_kernel.cc, nest_uniform_kernel.cc).
 */
#ifndef PSIM_COMPILER_NEST_WRITER_H
#define PSIM_COMPILER_NEST_WRITER_H

#include "nest.hh"

#include "fold-const.h"
#include "gimple-expr.h"
#include "tree-iterator.h"

/* Bases of the memory that a kernel accesses: what differs does not overlap. */
enum { BASE_DATA = 1, BASE_SUMS, BASE_UNIFORM, BASE_FAMILY };

struct function_writer {
	nest &n;
	tree fn = NULL_TREE, data = NULL_TREE, list = NULL_TREE, vars = NULL_TREE;
	tree head = NULL_TREE;   /* statements before the loops */
	std::vector<tree> longs; /* words of the data that are in variables */

	/* `name`: of the function; it takes the data's address. */
	function_writer(nest &of, const char *name);

	/* Gives the function to the compiler. */
	void finish();

	tree variable(tree type)
	{
		tree v = build_decl(UNKNOWN_LOCATION, VAR_DECL, NULL_TREE, type);
		DECL_ARTIFICIAL(v) = DECL_IGNORED_P(v) = 1;
		DECL_CONTEXT(v) = fn;
		DECL_CHAIN(v) = vars;
		vars = v;
		return v;
	}

	void put(tree statement)
	{
		append_to_statement_list_force(statement, &list);
	}
	void set(tree to, tree value)
	{
		put(build2(MODIFY_EXPR, void_type_node, to, value));
	}

	tree memory(tree type, tree address, int base)
	{
		tree m = build2(MEM_REF, type, fold_convert(build_pointer_type(type), address),
				build_int_cst(ptr_type_node, 0));
		MR_DEPENDENCE_CLIQUE(m) = 1;
		MR_DEPENDENCE_BASE(m) = (unsigned short)base;
		return m;
	}

	tree at(tree address, HOST_WIDE_INT offset)
	{
		return fold_build_pointer_plus_hwi(address, offset);
	}

	/* A word of the data, in a variable that is loaded before the loops. */
	tree word(int number, tree type)
	{
		if ((int)longs.size() <= number)
			longs.resize(number + 1);
		if (!longs[number]) {
			longs[number] = variable(type);
			append_to_statement_list_force(build2(MODIFY_EXPR, void_type_node, longs[number],
							      memory(type, at(data, 8 * number), BASE_DATA)),
						       &head);
		}
		return longs[number];
	}

	tree outside(tree value)
	{
		if (CONSTANT_CLASS_P(value))
			return value;
		tree of = TREE_TYPE(value), type = SCALAR_FLOAT_TYPE_P(of) ? part_type(of) : ssizetype;
		return word(data_outside(n, nest_outside(n, value)), type);
	}

	tree plus(tree a, tree b)
	{
		return fold_build2(PLUS_EXPR, ssizetype, a, b);
	}
	tree times(tree a, tree b)
	{
		return fold_build2(MULT_EXPR, ssizetype, a, b);
	}

	/* A value that is copied from memory to memory goes through a register of the array all the same. */
	void keep_real(tree v)
	{
		tree out = build_tree_list(build_tree_list(NULL_TREE, build_string(3, "=e")), v);
		tree in = build_tree_list(build_tree_list(NULL_TREE, build_string(2, "0")), v);
		tree a = build5(ASM_EXPR, void_type_node, build_string(1, ""), out, in, NULL_TREE, NULL_TREE);
		put(a);
	}

	tree called(internal_fn function, tree a)
	{
		return build_call_expr_internal_loc(UNKNOWN_LOCATION, function, TREE_TYPE(a), 1, a);
	}

	tree label()
	{
		tree l = create_artificial_label(UNKNOWN_LOCATION);
		DECL_CONTEXT(l) = fn;
		return l;
	}

	void here(tree l)
	{
		put(build1(LABEL_EXPR, void_type_node, l));
	}
	void go_if(tree condition, tree l)
	{
		put(build3(COND_EXPR, void_type_node, condition, build1(GOTO_EXPR, void_type_node, l), NULL_TREE));
	}
	tree less(tree a, tree b)
	{
		return fold_build2(LT_EXPR, boolean_type_node, a, b);
	}
	tree not_less(tree a, tree b)
	{
		return fold_build2(GE_EXPR, boolean_type_node, a, b);
	}
};

#endif
