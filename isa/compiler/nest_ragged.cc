/*
 * Inner loops that count more in later lanes, as j <= i does. All PEs run them as often as the last lane does. What is
 * computed beyond a lane's own count is in elements of its own in the buffer memory, which nothing reads and memory
 * does not get.
 */
#include "nest_reader.hh"

namespace
{

struct ragged_loops {
	nest &n;
	int some = -1; /* such a loop; all count the same */

	ragged_loops(nest &of) : n(of)
	{
	}

	bool is_in(int loop, int of) const
	{
		for (; loop >= 0; loop = n.loops[loop].parent)
			if (loop == of)
				return true;
		return false;
	}

	/* Returns whether a reference is of an element of its lane and of the one ragged loop that it is in. */
	bool own_element(const reference &ref, const reference &like) const
	{
		int loops = 0;
		for (size_t l = 1; l < n.loops.size(); l++) {
			tree c = ref.at.coef[l];
			bool moves = c && tree_fits_shwi_p(c) && tree_to_shwi(c) == NEST_SIZE;
			if (n.loops[l].ragged && is_in(ref.loop, (int)l) ? !moves : c != NULL_TREE)
				return false;
			loops += moves;
		}
		return loops == 1 && ref.at.coef[0] && ref.size == NEST_SIZE && like.size == NEST_SIZE &&
		       same_tree(ref.at.coef[0], like.at.coef[0]) && same_tree(ref.at.rest, like.at.rest);
	}

	bool stores_apart(const reference &w)
	{
		for (reference &ref : n.refs)
			if (ref.at.root == w.at.root) {
				if (!own_element(ref, w))
					return false;
				ref.ragged = true;
			}
		return true;
	}

	/* Addresses beyond a lane's count are between those of the first and of the last lane. */
	bool addresses_grow(const reference &ref, int loop) const
	{
		tree c = ref.at.coef[loop];
		return !ref.at.coef[0] || !c || (tree_fits_shwi_p(c) && tree_to_shwi(c) > 0);
	}

	bool all()
	{
		for (size_t l = 1; l < n.loops.size(); l++) {
			if (!n.loops[l].ragged)
				continue;
			if (some >= 0 && !same_affine(n.loops[l].count, n.loops[some].count))
				return false;
			some = (int)l;
			if (!n.loops[l].carried.empty())
				return false;
			for (reference &ref : n.refs) {
				if (!is_in(ref.loop, (int)l))
					continue;
				ref.upwards |= ref.at.coef[0] != NULL_TREE;
				if (!addresses_grow(ref, (int)l) || (ref.write && !stores_apart(ref)))
					return false;
			}
		}
		n.ragged = some;
		return true;
	}
};

} // namespace

bool nest_ragged_fits(nest &n)
{
	return ragged_loops(n).all();
}
