/*
 * Internal to the plugin: nests whose inner loops are not affine (nest_uniform.cc reads them, nest_uniform_kernel.cc
 * writes their functions).
 *
 * All PEs run the same instructions, so bounds, conditions and addresses may be any integers that are the same for all
 * lanes. An integer is coef * lane + a rest that the scalar core computes, by the program's own statements for lane 0.
 * A pointer comes from roots, pointers of the function; each root is accessed either by lanes, with one coefficient, or
 * as broadcast data.
 */
#ifndef PSIM_COMPILER_NEST_UNIFORM_H
#define PSIM_COMPILER_NEST_UNIFORM_H

#include "nest.hh"
#include "nest_reader.hh"

/* The facts about an integer or pointer. */
struct uniform_value {
	bool open = true;      /* nothing yet */
	tree coef = NULL_TREE; /* NULL_TREE is 0 */
	std::set<int> roots;
};

struct uniform_reader {
	nest &n;
	reader r;
	bool changed = false;
	std::map<tree, uniform_value> values; /* of names in the nest */
	std::map<tree, tree> loaded; /* names that are loaded, and the values as the function has them before */

	uniform_reader(nest &to) : n(to), r(to)
	{
	}

	/* Reads the nest of loop `l`. Returns false with n.refused set if it cannot run on the array. */
	bool read(class loop *l);

	uniform_value value_of(tree t, location_t where);
	uniform_value address_of(tree t, location_t where);
	uniform_value operation(tree_code code, tree type, tree a, tree b, location_t where);
	uniform_value product(const uniform_value &v, const uniform_value &w, tree a, tree b, location_t where);
	uniform_value uniform_operation(tree_code code, const uniform_value &v, const uniform_value &w,
					location_t where);
	uniform_value not_understood(const uniform_value &v, const uniform_value &w, location_t where);
	uniform_value scaled(const uniform_value &v, tree_code code, tree by, location_t where);
	uniform_value converted(tree type, tree from, location_t where);
	int root_of(tree pointer);
	void note(tree name, const uniform_value &v, location_t where);
	bool phi(gphi *p);
	bool lane_phi(gphi *p);
	bool integer(gimple *s);
	bool statement(gimple *s);
	bool block(basic_block b);
	bool reference(tree t, bool write, location_t where);
	bool references(basic_block b);
};

/* Returns whether a call says only which value is likely. */
bool uniform_expected(gimple *s);

/* The pointer or object that `pointer`, known before the nest, is computed from. */
tree uniform_root(tree pointer);

#endif
