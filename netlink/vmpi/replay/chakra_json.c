/*
 * Nodes in JSON. A file is one object with all nodes in a list, "workload_graph" or "nodes", or an object for each
 * node, one behind the other, as chakra_jsonizer writes them (protobuf's MessageToJson). Names of fields are those of
 * et_def.proto or, from MessageToJson, without underscores; the feeder's own files have "Id", "Name" and "NodeType",
 * and attributes beside them.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include <jansson.h>

#include "../../../psim/base/input.h"
#include "chakra_parts.h"

/* A field by one of its names; NULL: none has it. */
static const json_t *field(const json_t *node, const char *name, const char *second, const char *third)
{
	const json_t *value = json_object_get(node, name);

	if (!value && second)
		value = json_object_get(node, second);
	return value || !third ? value : json_object_get(node, third);
}

/* A whole number, which MessageToJson writes as a text if it has 64 bits. */
static bool json_whole(const json_t *value, int64_t *whole)
{
	const char *text = json_string_value(value);
	char *end;

	if (json_is_boolean(value)) {
		*whole = json_is_true(value);
		return true;
	}
	if (json_is_integer(value)) {
		*whole = json_integer_value(value);
		return true;
	}
	if (json_is_real(value)) {
		double real = json_real_value(value);

		*whole = real > -9e18 && real < 9e18 ? (int64_t)real : 0;
		return real > -9e18 && real < 9e18 && (double)*whole == real;
	}
	if (!text || !*text)
		return false;
	errno = 0;
	*whole = strtoll(text, &end, 10);
	return !errno && !*end;
}

static int read_whole_field(struct chakra *c, const json_t *value, const char *what, uint64_t *whole)
{
	int64_t signed_value;

	if (!value)
		return 0;
	if (!json_whole(value, &signed_value) || signed_value < 0)
		return chakra_wrong(c, "%s: expected a whole number of 0 or more", what);
	*whole = (uint64_t)signed_value;
	return 0;
}

static int add_dep(struct chakra *c, const json_t *value, const char *what, bool control)
{
	uint64_t *dep = control ? vec_push(&c->node.ctrl_deps, c->e) : vec_push(&c->node.data_deps, c->e);

	return dep ? read_whole_field(c, value, what, dep) : -1;
}

/* A list of ids, or a single one. */
static int read_deps(struct chakra *c, const json_t *value, const char *what, bool control)
{
	int ret = 0;

	if (value && !json_is_array(value))
		return add_dep(c, value, what, control);
	for (size_t i = 0; i < json_array_size(value) && ret == 0; i++)
		ret = add_dep(c, json_array_get(value, i), what, control);
	return ret;
}

/* ---- attributes ---- */

static int read_involved(struct chakra *c, const json_t *value)
{
	const json_t *list = json_is_object(value) ? json_object_get(value, "values") : value;

	for (size_t i = 0; i < json_array_size(list); i++)
		if (chakra_set_involved(c, json_is_true(json_array_get(list, i))) < 0)
			return -1;
	return 0;
}

static int read_value(struct chakra *c, const char *name, const json_t *value)
{
	const char *text = json_string_value(value);
	int64_t whole;

	if (strcmp(name, "involved_dim") == 0)
		return read_involved(c, value);
	if (chakra_keeps(name) && !(text && strcmp(name, "comm_type") == 0 && !json_whole(value, &whole))) {
		if (!json_whole(value, &whole))
			return chakra_wrong(c, "%s: expected a whole number", name);
		return chakra_set_whole(c, name, whole);
	}
	if (text)
		return chakra_set_text(c, name, text, json_string_length(value));
	return json_is_integer(value) ? chakra_set_whole(c, name, json_integer_value(value)) : 0;
}

/* Returns whether a field of an attribute has its value, and is none of those beside it. */
static bool is_value(const char *field_name)
{
	return strcmp(field_name, "name") != 0 && strcmp(field_name, "doc_string") != 0 &&
	       strcmp(field_name, "docString") != 0 && strcmp(field_name, "type") != 0;
}

/* Returns whether a field of a node is an attribute, as the feeder's own files have it. */
static bool is_attribute(const char *field_name)
{
	return chakra_keeps(field_name) || strcmp(field_name, "pg_name") == 0 ||
	       strcmp(field_name, "comm_group") == 0 || strcmp(field_name, "involved_dim") == 0;
}

/* {"name": "comm_size", "int64_val": "1048576"}: the value is beside the name, by whatever type. */
static int read_attribute(struct chakra *c, const json_t *attribute)
{
	const char *name = json_string_value(json_object_get(attribute, "name")), *key;
	const json_t *value;

	if (!name)
		return chakra_wrong(c, "an attribute without a name, expected one");
	json_object_foreach((json_t *)(uintptr_t)attribute, key, value)
	{
		if (is_value(key))
			return read_value(c, name, value);
	}
	/* MessageToJson leaves out no value that a oneof has: one that is not there is no value */
	return chakra_keeps(name) ? chakra_wrong(c, "%s: no value, expected one", name) : 0;
}

static int read_attributes(struct chakra *c, const json_t *node)
{
	const json_t *list = field(node, "attr", "attrs", NULL), *value;
	const char *key;

	for (size_t i = 0; i < json_array_size(list); i++)
		if (read_attribute(c, json_array_get(list, i)) < 0)
			return -1;
	json_object_foreach((json_t *)(uintptr_t)node, key, value)
	{
		if (is_attribute(key) && read_value(c, key, value) < 0)
			return -1;
	}
	return 0;
}

/* ---- nodes ---- */

static int read_type(struct chakra *c, const json_t *value)
{
	static const char *const names[] = {"INVALID_NODE", "METADATA_NODE",  "MEM_LOAD_NODE",  "MEM_STORE_NODE",
					    "COMP_NODE",    "COMM_SEND_NODE", "COMM_RECV_NODE", "COMM_COLL_NODE"};
	const char *text = json_string_value(value);

	if (json_is_integer(value)) {
		c->node.type = json_integer_value(value);
		return 0;
	}
	for (int i = 0; text && i < CHAKRA_TYPES; i++)
		if (strcmp(names[i], text) == 0) {
			c->node.type = i;
			return 0;
		}
	if (text)
		return chakra_wrong(c, "type '%.40s': unknown, expected COMP_NODE or another of et_def.proto", text);
	return chakra_wrong(c, "no type, expected COMP_NODE or another of et_def.proto");
}

static int read_inputs(struct chakra *c, const json_t *inputs)
{
	const json_t *values = json_object_get(inputs, "values");

	if (json_is_array(values))
		values = json_array_get(values, 0);
	return json_is_string(values) ? chakra_set_values(c, json_string_value(values), json_string_length(values)) : 0;
}

static int read_json_node(struct chakra *c, const json_t *node)
{
	chakra_begin_node(c);
	if (!json_is_object(node)) {
		c->in_node = false;
		return chakra_wrong(c, "node number %zu is no object, expected one", c->ops.count);
	}
	if (read_whole_field(c, field(node, "id", "Id", NULL), "id", &c->node.id) < 0 ||
	    read_type(c, field(node, "type", "NodeType", NULL)) < 0 ||
	    read_deps(c, field(node, "data_deps", "dataDeps", NULL), "data_deps", false) < 0 ||
	    read_deps(c, field(node, "ctrl_deps", "ctrlDeps", NULL), "ctrl_deps", true) < 0 ||
	    read_whole_field(c, field(node, "duration_micros", "durationMicros", "runtime"), "duration_micros",
			     &c->node.micros) < 0 ||
	    read_inputs(c, json_object_get(node, "inputs")) < 0 || read_attributes(c, node) < 0)
		return -1;
	return chakra_end_node(c);
}

/* ---- files ---- */

/* An object of the file: all nodes, or one, or the metadata before them. */
static int read_object(struct chakra *c, const json_t *object)
{
	const json_t *list = field(object, "workload_graph", "nodes", NULL);
	int ret = 0;

	if (list && !json_is_array(list))
		return chakra_wrong(c, "nodes: expected a list");
	for (size_t i = 0; i < json_array_size(list) && ret == 0; i++)
		ret = read_json_node(c, json_array_get(list, i));
	if (list || (!field(object, "type", "NodeType", NULL) && !field(object, "id", "Id", NULL)))
		return ret;
	return read_json_node(c, object);
}

static int json_wrong(struct chakra *c, FILE *file, const json_error_t *error, int line)
{
	c->in_node = false;
	if (errno == ENOMEM)
		return err_set(c->e, STATUS_FAILED, "%s: out of memory", c->path);
	if (ferror(file))
		return err_set(c->e, err_errno(STATUS_BAD_INPUT), "%s: cannot read: %s", c->path, input_failure());
	return err_set(c->e, STATUS_BAD_INPUT, "%s:%d: not JSON: %s; expected nodes of a Chakra trace", c->path,
		       line + error->line, error->text);
}

/* Skips blanks, counting lines, and returns the next character, which is not read yet. */
static int peek(FILE *file, int *line)
{
	int next;

	while ((next = getc(file)) == ' ' || next == '\t' || next == '\r' || next == '\n')
		*line += next == '\n';
	if (next != EOF)
		ungetc(next, file);
	return next;
}

int chakra_read_json(struct chakra *c, FILE *file)
{
	int line = 0, ret = 0;
	bool some = false;

	while (ret == 0 && peek(file, &line) != EOF) {
		json_error_t error;
		json_t *object;

		errno = 0;
		object = json_loadf(file, JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &error);
		if (!object)
			return json_wrong(c, file, &error, line);
		line += error.line > 0 ? error.line - 1 : 0;
		c->in_node = false;
		some = true;
		ret = json_is_object(object) ? read_object(c, object)
					     : chakra_wrong(c, "a value that is no object, expected nodes");
		json_decref(object);
	}
	if (ret == 0 && ferror(file))
		return err_set(c->e, err_errno(STATUS_BAD_INPUT), "%s: cannot read: %s", c->path, input_failure());
	return ret == 0 && !some ? chakra_wrong(c, "no node, expected those of a Chakra trace") : ret;
}
