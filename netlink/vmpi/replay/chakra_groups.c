/*
 * Groups of ranks in Chakra's traces: by name, as a METADATA_NODE of PyTorch's process groups or the file of
 * chakra.groups has them, or by the dimensions of involved_dim.
 */
#include <string.h>

#include "../../../psim/base/json_file.h"
#include "../../../psim/base/mem.h"
#include "chakra_parts.h"

int chakra_name_group(struct chakra *c, const char *name, const uint32_t *members, uint32_t count, bool common)
{
	int64_t group = goal_group_of(c->goal, name, members, count, c->e);
	struct chakra_name *added;

	if (group < 0)
		return -1;
	added = common ? vec_push(&c->common, c->e) : vec_push(&c->names, c->e);
	if (!added)
		return -1;
	snprintf(added->text, sizeof(added->text), "%s", name);
	added->group = (uint32_t)group;
	return 0;
}

/* ---- lists of ranks ---- */

/* Adds a list's ranks as a group; an empty one is of all ranks. `seen`: zeros, by rank, which are left so. */
static int add_list(struct chakra *c, const char *name, const json_t *list, bool common, uint32_t *member, char *seen)
{
	size_t count = json_array_size(list);
	int ret = 0;

	for (size_t i = 0; i < count && ret == 0; i++) {
		const json_t *rank = json_array_get(list, i);
		json_int_t value = json_is_integer(rank) ? json_integer_value(rank) : -1;

		if (value < 0 || value >= c->goal->ranks || seen[value])
			ret = chakra_wrong(c,
					   "group '%s': entry %zu is no rank or one again, expected ranks from 0 to %u",
					   name, i, c->goal->ranks - 1);
		else
			seen[member[i] = (uint32_t)value] = 1;
	}
	if (ret == 0)
		ret = chakra_name_group(c, name, count ? member : NULL, count ? (uint32_t)count : c->goal->ranks,
					common);
	return ret;
}

static int add_ranks(struct chakra *c, const char *name, const json_t *list, bool common)
{
	size_t count = json_array_size(list);
	uint32_t *member;
	char *seen;
	int ret = -1;

	if (!json_is_array(list) || count > c->goal->ranks || strlen(name) >= CHAKRA_TEXT_MAX)
		return chakra_wrong(c, "group '%.60s': expected a list of at most %u ranks", name, c->goal->ranks);
	member = mem_alloc(count + 1, sizeof(*member), c->e);
	seen = mem_alloc(c->goal->ranks, 1, c->e);
	if (member && seen)
		ret = add_list(c, name, list, common, member, seen);
	free(member);
	free(seen);
	return ret;
}

/* ---- sources ---- */

/* "[{"pg_name": "1", "ranks": [0, 1]}, …]", as PyTorch records it, perhaps in quotes and brackets. */
int chakra_read_process_groups(struct chakra *c)
{
	const char *text = c->node.values.count ? c->node.values.at : "", *from = strstr(text, "[{"), *end;
	json_t *all;
	int ret = 0;

	for (end = from; end && strstr(end, "}]"); end = strstr(end, "}]") + 2)
		;
	if (!from || end == from || !strstr(text, "\"pg_name\""))
		return 0;
	all = json_loadb(from, (size_t)(end - from), JSON_REJECT_DUPLICATES, NULL);
	if (!all)
		return chakra_wrong(c, "process groups: not JSON, expected a list of {\"pg_name\": …, \"ranks\": […]}");
	for (size_t i = 0; i < json_array_size(all) && ret == 0; i++) {
		const json_t *group = json_array_get(all, i);
		const char *name = json_string_value(json_object_get(group, "pg_name"));

		ret = name ? add_ranks(c, name, json_object_get(group, "ranks"), false)
			   : chakra_wrong(c, "process group %zu: no pg_name, expected a text", i);
	}
	json_decref(all);
	return ret;
}

int chakra_read_groups(struct chakra *c, const char *path)
{
	json_t *all = json_file_read(path, "groups of ranks by name", c->e);
	const char *name;
	json_t *list;
	int ret = 0;

	if (!all)
		return -1;
	json_object_foreach(all, name, list) if (ret == 0 && add_ranks(c, name, list, true) < 0) ret = -1;
	json_decref(all);
	return ret;
}

/* ---- dimensions ---- */

int chakra_read_dims(struct chakra *c)
{
	const char *at = c->cfg->chakra.dims;
	uint64_t all = 1;

	while (*at) {
		char *end;
		unsigned long size = strtoul(at, &end, 10);

		if (end == at || size < 1 || size > c->goal->ranks || c->dims == CHAKRA_DIMS_MAX ||
		    (*end && *end != 'x'))
			return err_set(c->e, STATUS_USAGE, "chakra.dims '%s': expected sizes of 1 to %u, as 8x4",
				       c->cfg->chakra.dims, c->goal->ranks);
		c->dim[c->dims++] = (uint32_t)size;
		all *= size;
		if (all > c->goal->ranks)
			break;
		at = *end ? end + 1 : end;
	}
	if (c->dims && all != c->goal->ranks)
		return err_set(c->e, STATUS_USAGE, "chakra.dims '%s': expected sizes with a product of %u, the ranks",
			       c->cfg->chakra.dims, c->goal->ranks);
	return 0;
}

/* Returns whether two ranks differ in dimensions of `mask` only. */
static bool is_beside(const struct chakra *c, uint32_t a, uint32_t b, uint32_t mask)
{
	for (unsigned i = 0; i < c->dims; i++) {
		if (!(mask >> i & 1) && a % c->dim[i] != b % c->dim[i])
			return false;
		a /= c->dim[i];
		b /= c->dim[i];
	}
	return true;
}

int64_t chakra_group_of_dims(struct chakra *c, uint32_t mask)
{
	uint32_t *member = mem_alloc(c->goal->ranks, sizeof(*member), c->e), count = 0;
	char name[64];
	int64_t group;
	int n = snprintf(name, sizeof(name), "dimensions ");

	if (!c->dims || mask == (UINT32_C(1) << c->dims) - 1) {
		free(member);
		return goal_group_of(c->goal, "all", NULL, c->goal->ranks, c->e);
	}
	if (!member)
		return -1;
	for (unsigned i = 0; i < c->dims; i++)
		name[n++] = mask >> i & 1 ? '1' : '0';
	name[n] = '\0';
	for (uint32_t i = 0; i < c->goal->ranks; i++)
		if (is_beside(c, c->rank, i, mask))
			member[count++] = i;
	group = goal_group_of(c->goal, name, member, count, c->e);
	free(member);
	return group;
}

/* ---- the group of a node ---- */

static bool group_has(const struct goal_group *g, uint32_t rank)
{
	bool has = !g->member;

	for (uint32_t i = 0; i < g->size && !has; i++)
		has = g->member[i] == rank;
	return has;
}

/* The latest of the name in the file, else in chakra.groups; -1: none. */
static int64_t group_of_name(const struct chakra *c, const char *name)
{
	for (size_t i = c->names.count; i-- > 0;)
		if (strcmp(c->names.at[i].text, name) == 0)
			return c->names.at[i].group;
	for (size_t i = c->common.count; i-- > 0;)
		if (strcmp(c->common.at[i].text, name) == 0)
			return c->common.at[i].group;
	return -1;
}

int64_t chakra_group(struct chakra *c)
{
	const struct chakra_node *n = &c->node;
	uint32_t all = (UINT32_C(1) << c->dims) - 1, named = (UINT32_C(1) << n->dims) - 1;
	int64_t group = *n->group ? group_of_name(c, n->group) : -1;

	if (group < 0 && *n->group && strcmp(n->group, "0") != 0)
		return chakra_wrong(
			c, "group '%s': unknown, expected one of the file's process groups or of chakra.groups",
			n->group);
	if (group < 0 && !*n->group && n->dims) {
		if (n->involved != named && !c->dims)
			return chakra_wrong(c, "involved_dim names some dimensions: expected chakra.dims, their sizes");
		return chakra_group_of_dims(c, n->involved == named ? all : n->involved & all);
	}
	if (group < 0)
		group = goal_group_of(c->goal, "all", NULL, c->goal->ranks, c->e);
	if (group >= 0 && !group_has(&c->goal->groups.at[group], c->rank))
		return chakra_wrong(c, "group '%s' has no rank %u, expected one that has", n->group, c->rank);
	return group;
}
