/*
 * Whether a nest's data may be in caches before it runs: a loop around it brings them there, or a scalar loop before it
 * that uses the same arrays. A nest on the array leaves none there, since transfers go by the caches.
 */
#include "nest.hh"

#include "basic-block.h"

static bool same_root(tree a, tree b)
{
	return a == b || (a && b && operand_equal_p(a, b, 0));
}

/* The pointer or object that a reference's address comes from. */
static tree root_of(tree ref)
{
	tree at = get_base_address(ref);
	if (at && TREE_CODE(at) == MEM_REF)
		at = TREE_OPERAND(at, 0);
	while (at && TREE_CODE(at) == SSA_NAME && is_gimple_assign(SSA_NAME_DEF_STMT(at))) {
		gimple *s = SSA_NAME_DEF_STMT(at);
		tree_code code = gimple_assign_rhs_code(s);
		if (code != POINTER_PLUS_EXPR && code != SSA_NAME && !CONVERT_EXPR_CODE_P(code))
			break;
		at = gimple_assign_rhs1(s);
	}
	return at && TREE_CODE(at) == ADDR_EXPR ? get_base_address(TREE_OPERAND(at, 0)) : at;
}

static bool loop_uses(class loop *l, tree root)
{
	basic_block *blocks = get_loop_body(l);
	bool found = false;
	for (unsigned b = 0; b < l->num_nodes && !found; b++)
		for (gimple_stmt_iterator g = gsi_start_bb(blocks[b]); !gsi_end_p(g) && !found; gsi_next(&g)) {
			gimple *s = gsi_stmt(g);
			if (gimple_assign_load_p(s))
				found = same_root(root_of(gimple_assign_rhs1(s)), root);
			else if (gimple_store_p(s))
				found = same_root(root_of(gimple_get_lhs(s)), root);
		}
	free(blocks);
	return found;
}

static bool scalar_loop_uses(const nest &n, tree root, const std::set<class loop *> &on_array)
{
	for (auto l : loops_list(n.fun, 0)) {
		if (loop_depth(l) != 1 || on_array.count(l) || l == n.outer)
			continue;
		if (dominated_by_p(CDI_DOMINATORS, n.outer->header, l->header) && loop_uses(l, root))
			return true;
	}
	return false;
}

bool nest_in_caches(const nest &n, const std::set<class loop *> &on_array)
{
	if (loop_depth(n.outer) > 1)
		return true;
	long most = 0;
	auto dims = [](const family &f) {
		return std::count_if(f.coef.begin(), f.coef.end(), [](tree c) { return c; });
	};
	for (const family &f : n.families)
		most = std::max(most, (long)dims(f));
	if (!dom_info_available_p(CDI_DOMINATORS))
		calculate_dominance_info(CDI_DOMINATORS);
	bool any = false;
	for (const family &f : n.families)
		if (f.lane && dims(f) == most) {
			any = true;
			if (!scalar_loop_uses(n, f.root, on_array))
				return false;
		}
	return any;
}
