/*
 * Arrays that each lane has for itself: an iteration of the lanes' loop reads only what it has stored there. Such are
 * arrays that are declared in the loop, and those of which an inner loop stores all elements in front of the loops that
 * load them. They get a stride of the lanes, and are in the buffer memories alone; the last lane's are what the loop
 * leaves.
 */
#include "nest_reader.hh"

namespace
{

struct own_arrays {
	reader &r;
	nest &n;

	own_arrays(reader &of) : r(of), n(of.n)
	{
	}

	bool is_in(int loop, int of) const
	{
		for (; loop >= 0; loop = n.loops[loop].parent)
			if (loop == of)
				return true;
		return false;
	}

	/* The first node that accesses the array; nodes are in the program's order. */
	const node *first_of(tree root) const
	{
		for (const node &v : n.nodes)
			if (v.ref >= 0 && n.refs[v.ref].at.root == root)
				return &v;
		return NULL;
	}

	/* Returns whether a loop counts the same whatever the loops around it are at. */
	bool counts_alike(int loop) const
	{
		for (tree c : n.loops[loop].count.coef)
			if (c)
				return false;
		return !n.loops[loop].at_end;
	}

	/* Returns whether a reference moves with one loop only, by one element. */
	bool one_by_one(const reference &ref, int loop) const
	{
		for (size_t l = 0; l < ref.at.coef.size(); l++) {
			tree c = ref.at.coef[l];
			if ((int)l == loop ? !c || !tree_fits_shwi_p(c) || tree_to_shwi(c) != ref.size : c != NULL_TREE)
				return false;
		}
		return true;
	}

	/* Returns whether `ref` is of the element that loop `filled` has just stored, or of one in a loop behind it. */
	bool follows(const reference &ref, const reference &filled) const
	{
		int loop = filled.loop;
		if (!same_tree(ref.at.rest, filled.at.rest) || ref.size != filled.size)
			return false;
		if (is_in(ref.loop, loop))
			return one_by_one(ref, loop);
		int behind = ref.loop;
		while (behind > 0 && n.loops[behind].parent != n.loops[loop].parent)
			behind = n.loops[behind].parent;
		return behind > loop && one_by_one(ref, behind) && counts_alike(behind) &&
		       same_tree(n.loops[behind].count.rest, n.loops[loop].count.rest);
	}

	/* The bytes of an array that an inner loop fills before it is read, or NULL_TREE. */
	tree filled_bytes(tree root) const
	{
		const node *first = first_of(root);
		const reference &filled = n.refs[first->ref];
		if (first->kind != NODE_STORE || filled.loop == 0 || !one_by_one(filled, filled.loop))
			return NULL_TREE;
		for (int l = filled.loop; l >= 0; l = n.loops[l].parent)
			if (!counts_alike(l))
				return NULL_TREE;
		for (const reference &ref : n.refs)
			if (ref.at.root == root && !follows(ref, filled))
				return NULL_TREE;
		tree count = fold_build2(MAX_EXPR, ssizetype, n.loops[filled.loop].count.rest, ssize_int(1));
		return fold_build2(MULT_EXPR, ssizetype, count, ssize_int(filled.size));
	}

	tree local_bytes(tree root) const
	{
		tree size = r.locals.count(root) ? TYPE_SIZE_UNIT(TREE_TYPE(root)) : NULL_TREE;
		return size && tree_fits_shwi_p(size) ? ssize_int(tree_to_shwi(size)) : NULL_TREE;
	}

	/* Gives the lanes' copies of an array a stride, a multiple of 8 bytes. */
	bool take(tree root)
	{
		tree bytes = local_bytes(root);
		bool local = bytes != NULL_TREE;
		if (!local)
			bytes = filled_bytes(root);
		if (!bytes)
			return false;
		bytes = fold_build2(PLUS_EXPR, ssizetype, bytes, ssize_int(NEST_SIZE - 1));
		bytes = fold_build2(BIT_AND_EXPR, ssizetype, bytes, ssize_int(-NEST_SIZE));
		for (reference &ref : n.refs)
			if (ref.at.root == root) {
				ref.at.coef[0] = bytes;
				ref.private_copy = true;
				ref.last = !local;
			}
		return true;
	}

	bool all()
	{
		for (size_t k = 0; k < n.refs.size(); k++) {
			const reference &w = n.refs[k];
			if (!w.write || w.at.coef[0])
				continue;
			for (const reference &ref : n.refs)
				if (ref.at.root == w.at.root && ref.at.coef[0])
					return false; /* also an element of the lane */
			if (!take(w.at.root))
				return false;
		}
		return true;
	}
};

} // namespace

bool nest_read_private(nest &n, class loop *l)
{
	reader r(n);
	n.outer = l;
	r.interchanges = true;
	r.collect_stores();
	return r.loop_of(l, -1) == 0 && r.sums() && r.results() && own_arrays(r).all() && r.families() &&
	       nest_same_in_all_lanes(n);
}
