/*
 * Internal to the plugin: instructions of the array that the compiler's own code does not use, as asm statements of a
 * kernel (nest_kernel.cc). Integers and pairs of singles are in variables of type double, whose bits they are.
 */
#ifndef PSIM_COMPILER_NEST_ARRAY_CODE_H
#define PSIM_COMPILER_NEST_ARRAY_CODE_H

#include "nest_writer.hh"

/* The assembler's macros of these instructions, once a file. */
void array_macros(compilation &in);

struct array_code_writer : function_writer {
	std::vector<std::pair<tree, tree>> kept; /* integers from outside, and the variables that have them */

	using function_writer::function_writer;

	/* An instruction on registers: `to`, then `in`; each operand's constraint is "e", or "f" of a single. */
	void instruction(const char *text, tree to, std::initializer_list<tree> in, const char *clobber = NULL,
			 bool halves = false);
	tree bits(HOST_WIDE_INT value);
	tree integer_outside(tree value);
	void integer_of_long(tree to, tree value);
	void load_integer(tree to, tree single, bool is_unsigned);
	void store_integer(tree place, tree value);
	void operate(tree to, tree_code code, bool is_unsigned, tree a, tree b);
	void multiply_add(tree to, tree a, tree b, tree c);
	void convert(tree to, bool to_integer, tree from);
	/* `base`: an address in the buffer memories; `at`: a subscript, in a single register or a double one. */
	void gather(const node &k, tree to, tree base, tree at);
	void scatter(const node &k, tree base, tree at, tree value);

	/* Pairs of singles: the same of two lanes, in the halves of a register. */
	std::vector<std::pair<tree, tree>> kept_pairs;
	tree pair_outside(tree value);
	void pair_load(tree to, tree first, tree second);
	void pair_store(tree first, tree second, tree value);
	void pair_operate(tree to, tree_code code, tree a, tree b);
	void pair_multiply_add(tree to, bool minus, tree a, tree b, tree c);

      private:
	const char *constraint(tree v, bool halves) const;
};

#endif
