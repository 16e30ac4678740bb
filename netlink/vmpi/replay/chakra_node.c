/* Attributes of a node, whatever form its file has: chakra_parts.h. */
#include <stddef.h>
#include <string.h>

#include "chakra_parts.h"

/* Attributes with whole numbers, and other names of them. */
static const struct attribute {
	const char *name;
	size_t at;
} attributes[] = {
#define ATTRIBUTE(name) \
	{ \
#name, offsetof(struct chakra_node, name) \
	}
	ATTRIBUTE(is_cpu_op),
	ATTRIBUTE(num_ops),
	ATTRIBUTE(tensor_size),
	ATTRIBUTE(comm_type),
	ATTRIBUTE(comm_size),
	ATTRIBUTE(comm_src),
	ATTRIBUTE(comm_dst),
	ATTRIBUTE(comm_tag),
	ATTRIBUTE(root),
#undef ATTRIBUTE
	{"root_rank", offsetof(struct chakra_node, root)},
};

static const struct attribute *attribute_of(const char *name)
{
	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		if (strcmp(attributes[i].name, name) == 0)
			return &attributes[i];
	return NULL;
}

bool chakra_keeps(const char *name)
{
	return attribute_of(name) != NULL;
}

int chakra_wrong(const struct chakra *c, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	err_vset(c->e, STATUS_BAD_INPUT, format, ap);
	va_end(ap);
	if (c->in_node)
		return err_prefix(c->e, "%s:node %llu", c->path, (unsigned long long)c->node.id);
	return err_prefix(c->e, "%s", c->path);
}

void chakra_begin_node(struct chakra *c)
{
	struct chakra_node *n = &c->node, old = *n;

	*n = (struct chakra_node){
		.type = -1, .data_deps = old.data_deps, .ctrl_deps = old.ctrl_deps, .values = old.values};
	n->data_deps.count = n->ctrl_deps.count = n->values.count = 0;
	c->in_node = true;
}

int chakra_set_whole(struct chakra *c, const char *name, int64_t value)
{
	const struct attribute *a = attribute_of(name);

	if (!a && (strcmp(name, "pg_name") == 0 || strcmp(name, "comm_group") == 0)) {
		snprintf(c->node.group, sizeof(c->node.group), "%lld", (long long)value);
		return 0;
	}
	if (!a)
		return 0;
	if (value < 0)
		return chakra_wrong(c, "%s %lld: expected 0 or more", name, (long long)value);
	*(struct chakra_number *)(void *)((char *)&c->node + a->at) = (struct chakra_number){true, value};
	return 0;
}

static int set_comm_type(struct chakra *c, const char *text)
{
	for (int i = 0; i < GOAL_COLLECTIVE_KINDS; i++)
		if (strcmp(goal_kind_name((unsigned)i), text) == 0) {
			c->node.comm_type = (struct chakra_number){true, i};
			return 0;
		}
	return chakra_wrong(c, "comm_type '%.40s': unknown, expected ALL_REDUCE or another of et_def.proto", text);
}

int chakra_set_text(struct chakra *c, const char *name, const char *text, size_t length)
{
	if (strcmp(name, "comm_type") == 0)
		return set_comm_type(c, text);
	if (strcmp(name, "pg_name") != 0 && strcmp(name, "comm_group") != 0)
		return 0;
	if (length >= CHAKRA_TEXT_MAX || strlen(text) != length)
		return chakra_wrong(c, "%s: a name of %zu characters, expected at most %d and none of zero", name,
				    length, CHAKRA_TEXT_MAX - 1);
	memcpy(c->node.group, text, length + 1);
	return 0;
}

int chakra_set_involved(struct chakra *c, bool involved)
{
	if (c->node.dims == CHAKRA_DIMS_MAX)
		return chakra_wrong(c, "involved_dim: more than %d dimensions, expected fewer", CHAKRA_DIMS_MAX);
	c->node.involved |= (uint32_t)involved << c->node.dims++;
	return 0;
}

int chakra_set_values(struct chakra *c, const char *text, size_t length)
{
	c->node.values.count = 0;
	if (vec_reserve(&c->node.values, length + 1, c->e) < 0)
		return -1;
	memcpy(c->node.values.at, text, length);
	c->node.values.at[length] = '\0';
	c->node.values.count = length + 1;
	return 0;
}
