#include "network.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/escape.h"
#include "../../psim/base/mem.h"

enum { RESOURCES_MAX = 1 << 24, CHANNELS_MAX = 1 << 26, PORTS_MAX = 1 << 16 };

struct network *network_create(const char *file, struct err *e)
{
	struct network *n = mem_alloc(1, sizeof(*n), e);

	if (n)
		n->file = file;
	return n;
}

void network_destroy(struct network *n)
{
	if (!n)
		return;
	free(n->kinds);
	free(n->resources);
	free(n->inputs);
	free(n->outputs);
	free(n->classes);
	free(n->nodes);
	free(n->node_of);
	free(n->index);
	free(n->errors);
	free(n);
}

/* Records a mistake; all are reported together. */
__attribute__((format(printf, 3, 4))) static int network_mistake(struct network *n, int line, const char *format, ...)
{
	char text[512], plain[1024], *all;
	va_list ap;
	int length;

	if (n->error_count++ >= NETWORK_MESSAGE_ERRORS)
		return 0;
	length = snprintf(text, sizeof(text), "%s:%d: ", n->file, line);
	va_start(ap, format);
	vsnprintf(text + length, sizeof(text) - (size_t)length, format, ap);
	va_end(ap);
	size_t old = n->errors ? strlen(n->errors) : 0;
	escape_copy(plain, sizeof(plain), text); /* a line, whatever the file's name is */
	all = mem_resize(n->errors, old + strlen(plain) + 2, 1, NULL);
	if (!all)
		return 0; /* counted even if it cannot be recorded */
	sprintf(all + old, "%s%s", old ? "\n" : "", plain);
	n->errors = all;
	return 0;
}

static struct network_kind *network_find_kind(const struct network *n, const char *name)
{
	for (uint32_t k = 0; k < n->kind_count; k++)
		if (!strcmp(n->kinds[k].name, name))
			return &n->kinds[k];
	return NULL;
}

/* Writes "pu(3,4)" of a reference, whether or not the resource exists. */
static const char *reference(char *buffer, size_t size, const char *name, unsigned dims, const int64_t *index)
{
	size_t used = (size_t)snprintf(buffer, size, "%s(", name);

	for (unsigned d = 0; d < dims && used < size; d++)
		used += (size_t)snprintf(buffer + used, size - used, "%s%" PRId64, d ? "," : "", index[d]);
	if (used < size)
		snprintf(buffer + used, size - used, ")");
	return buffer;
}

void network_at(struct network *n, int line)
{
	n->statement = line;
}

int network_kind(struct network *n, int line, const char *name, bool node, unsigned dims, const int64_t *size,
		 struct err *e)
{
	struct network_kind *all = mem_resize(n->kinds, n->kind_count + 1, sizeof(*all), e), *k;
	uint64_t count = 1;

	if (!all)
		return -1;
	n->kinds = all;
	k = &all[n->kind_count++];
	*k = (struct network_kind){.name = name, .node = node, .dims = dims, .line = line, .first = n->resource_count};
	for (unsigned d = 0; d < dims; d++) {
		if (size[d] < 1 || size[d] > RESOURCES_MAX)
			return network_mistake(n, line, "size %u of %s is %" PRId64 ", expected 1 to %d", d + 1, name,
					       size[d], RESOURCES_MAX);
		k->size[d] = size[d];
		count *= (uint64_t)size[d];
		if (count + n->resource_count > RESOURCES_MAX)
			return err_set(e, STATUS_BAD_INPUT,
				       "%s:%d: %s has too many elements, expected at most %d in all", n->file, line,
				       name, RESOURCES_MAX);
	}
	struct network_resource *r = mem_resize(n->resources, n->resource_count + count, sizeof(*r), e);
	if (!r)
		return -1;
	n->resources = r;
	memset(r + n->resource_count, 0, count * sizeof(*r));
	for (uint64_t c = 0; c < count; c++)
		r[n->resource_count + c].kind = n->kind_count - 1;
	k->count = (uint32_t)count;
	n->resource_count += (uint32_t)count;
	return 0;
}

/* Returns the resource of a reference, or records what is wrong with it and returns NETWORK_NONE. */
static uint32_t network_find(struct network *n, int line, const char *name, unsigned dims, const int64_t *index)
{
	const struct network_kind *k = network_find_kind(n, name);
	uint32_t place = 0, step = 1;
	char text[160];

	if (!k || k->dims != dims)
		return network_mistake(n, line, "%s: expected a node or switch with %u indices", name,
				       k ? k->dims : dims),
		       NETWORK_NONE;
	for (unsigned d = 0; d < dims; d++) {
		if (index[d] < 0 || index[d] >= k->size[d]) {
			network_mistake(n, line, "%s: index %u is out of range, expected 0 to %" PRId64,
					reference(text, sizeof(text), name, dims, index), d + 1, k->size[d] - 1);
			return NETWORK_NONE;
		}
		place += (uint32_t)index[d] * step;
		step *= (uint32_t)k->size[d];
	}
	return k->first + place;
}

int network_size(struct network *n, int line, const char *name, unsigned dims, const int64_t *index, int64_t inputs,
		 int64_t outputs, int64_t vcs, struct err *e)
{
	uint32_t id = network_find(n, line, name, dims, index);
	char text[160];

	(void)e;
	if (id == NETWORK_NONE)
		return 0;
	struct network_resource *r = &n->resources[id];
	reference(text, sizeof(text), name, dims, index);
	if (r->size_line)
		return network_mistake(n, line, "%s already has a size, given in line %d", text, r->size_line);
	r->size_line = line;
	if (inputs < 0 || inputs > PORTS_MAX || outputs < 0 || outputs > PORTS_MAX)
		return network_mistake(n, line,
				       "%s has %" PRId64 " inputs and %" PRId64 " outputs, expected 0 to %d each", text,
				       inputs, outputs, PORTS_MAX);
	if (vcs < 1 || vcs > NETWORK_VCS_MAX)
		return network_mistake(n, line, "%s has %" PRId64 " virtual channels, expected 1 to %d", text, vcs,
				       NETWORK_VCS_MAX);
	r->inputs = (uint32_t)inputs;
	r->outputs = (uint32_t)outputs;
	r->vcs = (uint16_t)vcs;
	n->progress++;
	return 0;
}

int network_class(struct network *n, int line, const char *name, int64_t clocks, int64_t flit_clocks, struct err *e)
{
	struct network_class *all = mem_resize(n->classes, n->class_count + 1, sizeof(*all), e);

	if (!all)
		return -1;
	n->classes = all;
	all[n->class_count++] = (struct network_class){name, 0, 1, line};
	if (clocks < 0 || clocks > NETWORK_CLOCKS_MAX)
		return network_mistake(n, line, "link %s of %" PRId64 " clocks, expected 0 to %d", name, clocks,
				       NETWORK_CLOCKS_MAX);
	if (flit_clocks < 1 || flit_clocks > NETWORK_CLOCKS_MAX)
		return network_mistake(n, line, "link %s of %" PRId64 " clocks a flit, expected 1 to %d", name,
				       flit_clocks, NETWORK_CLOCKS_MAX);
	all[n->class_count - 1].clocks = (uint32_t)clocks;
	all[n->class_count - 1].flit_clocks = (uint32_t)flit_clocks;
	return 0;
}

/* Assigns every resource its part of the arrays of channels. */
int network_layout(struct network *n, struct err *e)
{
	uint64_t inputs = 0, outputs = 0;

	n->node_of = mem_alloc(n->resource_count + 1, sizeof(*n->node_of), e);
	n->nodes = mem_alloc(n->resource_count + 1, sizeof(*n->nodes), e);
	if (!n->node_of || !n->nodes)
		return -1;
	for (uint32_t r = 0; r < n->resource_count; r++) {
		struct network_resource *x = &n->resources[r];
		bool node = n->kinds[x->kind].node;
		x->first_input = (uint32_t)inputs;
		x->first_output = (uint32_t)outputs;
		inputs += x->inputs;
		outputs += x->outputs;
		if (inputs > CHANNELS_MAX || outputs > CHANNELS_MAX)
			return err_set(e, STATUS_BAD_INPUT, "%s: too many channels, expected at most %d", n->file,
				       CHANNELS_MAX);
		n->node_of[r] = node ? n->node_count : NETWORK_NONE;
		if (node)
			n->nodes[n->node_count++] = r;
		if (x->vcs > n->vcs)
			n->vcs = x->vcs;
	}
	n->input_count = (uint32_t)inputs;
	n->output_count = (uint32_t)outputs;
	n->inputs = mem_alloc(inputs + 1, sizeof(*n->inputs), e);
	n->outputs = mem_alloc(outputs + 1, sizeof(*n->outputs), e);
	if (!n->inputs || !n->outputs)
		return -1;
	for (uint32_t r = 0; r < n->resource_count; r++) {
		const struct network_resource *x = &n->resources[r];
		for (uint32_t k = 0; k < x->inputs; k++)
			n->inputs[x->first_input + k] = (struct network_channel){.resource = r, .peer = NETWORK_NONE};
		for (uint32_t k = 0; k < x->outputs; k++)
			n->outputs[x->first_output + k] = (struct network_channel){.resource = r, .peer = NETWORK_NONE};
	}
	n->sized = true;
	return 0;
}

/* Returns the channel at one end of a connection, or NETWORK_NONE. */
static uint32_t find_channel(struct network *n, int line, const struct network_end *end, bool output)
{
	uint32_t id = network_find(n, line, end->name, end->dims, end->index);
	char text[160];

	if (id == NETWORK_NONE)
		return NETWORK_NONE;
	const struct network_resource *r = &n->resources[id];
	uint32_t count = output ? r->outputs : r->inputs;
	if (!r->size_line)
		return NETWORK_NONE; /* network_finish reports it */
	if (end->port < 0 || end->port >= count) {
		network_mistake(n, line, "%s.%c(%" PRId64 "): no such %s, it has %u",
				reference(text, sizeof(text), end->name, end->dims, end->index), output ? 'o' : 'i',
				end->port, output ? "output" : "input", count);
		return NETWORK_NONE;
	}
	return (output ? r->first_output : r->first_input) + (uint32_t)end->port;
}

int network_connect(struct network *n, int line, const struct network_end *output, const struct network_end *input,
		    uint32_t class, struct err *e)
{
	uint32_t from = find_channel(n, line, output, true), to = find_channel(n, line, input, false);
	char text[192];

	(void)e;
	if (from == NETWORK_NONE || to == NETWORK_NONE)
		return 0;
	if (n->outputs[from].peer != NETWORK_NONE)
		return network_mistake(n, line, "%s is connected twice, first in line %d",
				       network_channel_name(n, true, from, text, sizeof(text)), n->outputs[from].line);
	if (n->inputs[to].peer != NETWORK_NONE)
		return network_mistake(n, line, "%s is connected twice, first in line %d",
				       network_channel_name(n, false, to, text, sizeof(text)), n->inputs[to].line);
	n->outputs[from].peer = to;
	n->outputs[from].line = line;
	n->outputs[from].class = class;
	n->inputs[to].peer = from;
	n->inputs[to].line = line;
	n->progress++;
	return 0;
}

int network_route(struct network *n, int line, const char *name, unsigned dims, routing_fn *route, struct err *e)
{
	struct network_kind *k = network_find_kind(n, name);

	(void)e;
	if (!k || k->dims != dims)
		return network_mistake(n, line, "%s: expected a node or switch with %u indices", name,
				       k ? k->dims : dims);
	if (k->route)
		return network_mistake(n, line, "%s already has a routing, given in line %d", name, k->route_line);
	k->route = route;
	k->route_line = line;
	return 0;
}

static void say_unconnected(struct network *n, int line, const char *channel)
{
	network_mistake(n, line, "%s is not connected, expected a connection, or fewer ports in switch_size", channel);
}

static void check_link(struct network *n, uint32_t output)
{
	char a[192], b[192];
	const struct network_channel *o = &n->outputs[output];

	if (o->peer == NETWORK_NONE) {
		say_unconnected(n, n->resources[o->resource].size_line,
				network_channel_name(n, true, output, a, sizeof(a)));
		return;
	}
	unsigned here = n->resources[o->resource].vcs, there = n->resources[n->inputs[o->peer].resource].vcs;
	if (here != there)
		network_mistake(n, o->line, "%s has %u virtual channels and %s has %u, expected the same number",
				network_channel_name(n, true, output, a, sizeof(a)), here,
				network_channel_name(n, false, o->peer, b, sizeof(b)), there);
}

static int make_index(struct network *n, struct err *e)
{
	n->index = mem_alloc((size_t)n->resource_count * NETWORK_DIMS_MAX, sizeof(*n->index), e);
	if (!n->index)
		return -1;
	for (uint32_t r = 0; r < n->resource_count; r++)
		network_index(n, r, n->index + (size_t)r * NETWORK_DIMS_MAX);
	return 0;
}

int network_finish(struct network *n, struct err *e)
{
	char text[192];

	for (uint32_t r = 0; r < n->resource_count; r++)
		if (!n->resources[r].size_line)
			network_mistake(n, n->kinds[n->resources[r].kind].line, "%s has no switch_size",
					network_resource_name(n, r, text, sizeof(text)));
	for (uint32_t o = 0; o < n->output_count; o++)
		check_link(n, o);
	for (uint32_t i = 0; i < n->input_count; i++)
		if (n->inputs[i].peer == NETWORK_NONE)
			say_unconnected(n, n->resources[n->inputs[i].resource].size_line,
					network_channel_name(n, false, i, text, sizeof(text)));
	for (uint32_t k = 0; k < n->kind_count; k++)
		if (!n->kinds[k].route)
			network_mistake(n, n->kinds[k].line, "%s has no routing", n->kinds[k].name);
	if (n->sized && n->node_count < 2)
		network_mistake(n, 1, "the network has %u nodes, expected at least 2", n->node_count);
	if (!n->error_count)
		return make_index(n, e);
	if (n->error_count > 1)
		return err_set(e, STATUS_BAD_INPUT, "%.*s (and %u more)",
			       (int)strcspn(n->errors ? n->errors : "", "\n"), n->errors ? n->errors : "",
			       n->error_count - 1);
	return err_set(e, STATUS_BAD_INPUT, "%s", n->errors ? n->errors : "errors in the description");
}

void network_index(const struct network *n, uint32_t resource, int32_t index[NETWORK_DIMS_MAX])
{
	const struct network_kind *k = &n->kinds[n->resources[resource].kind];
	uint32_t place = resource - k->first;

	for (unsigned d = 0; d < k->dims; d++) {
		index[d] = (int32_t)(place % (uint32_t)k->size[d]);
		place /= (uint32_t)k->size[d];
	}
}

char *network_resource_name(const struct network *n, uint32_t resource, char *buffer, unsigned size)
{
	const struct network_kind *k = &n->kinds[n->resources[resource].kind];
	int32_t index[NETWORK_DIMS_MAX];
	int64_t wide[NETWORK_DIMS_MAX];

	network_index(n, resource, index);
	for (unsigned d = 0; d < k->dims; d++)
		wide[d] = index[d];
	reference(buffer, size, k->name, k->dims, wide);
	return buffer;
}

char *network_channel_name(const struct network *n, bool output, uint32_t channel, char *buffer, unsigned size)
{
	uint32_t resource = (output ? n->outputs : n->inputs)[channel].resource;
	const struct network_resource *r = &n->resources[resource];
	size_t used;

	network_resource_name(n, resource, buffer, size);
	used = strlen(buffer);
	snprintf(buffer + used, size - used, ".%c(%u)", output ? 'o' : 'i',
		 channel - (output ? r->first_output : r->first_input));
	return buffer;
}
