/*
 * Internal to the plugin: statements that store the words of a nest's table and data (nest_table.cc). psim_nest.h says
 * what each word is; the call (nest_call.cc) is behind them.
 */
#ifndef PSIM_COMPILER_NEST_TABLE_H
#define PSIM_COMPILER_NEST_TABLE_H

#include "nest.hh"

struct table_writer {
	nest &n;
	gimple_seq seq = NULL; /* what has been written */

	table_writer(nest &of) : n(of)
	{
	}

	/* A variable of `words` longs. */
	tree array(int words, const char *name);
	tree value(tree v);
	tree word(tree a, int k, tree type);
	void put(tree a, int k, tree v);
	void put(tree a, int k, long v);
	void put_address(tree a, int k, tree object);

	/* The most that a loop counts, whatever the outer ones are at. */
	tree most(int loop);

	/* Fills table and data. */
	void fill(tree table, tree data);

      private:
	long group(const family &f, int l) const;
	bool affine_count(int l) const;
	tree largest(std::vector<tree> weight, bool *known);
	tree extent(const family &f, int l);
	bool joins() const;
	tree range(const family &f, bool up);
	bool exact(int loop) const;
	long inside(int loop) const;
	long flags(const reference &r) const;
	long fixed(const reference &r) const;

	/* Parts of the table; those that begin at word k return the word behind them. */
	void header(tree table);
	int loops(tree table, int k);
	int families(tree table, int k);
	int references(tree table, int k);
	int variants(tree table, int k);
	void chains(tree table, int k);
	void gather(tree table, int k, int ref);
};

/* Words of a nest's table. */
int table_words(const nest &n);

#endif
