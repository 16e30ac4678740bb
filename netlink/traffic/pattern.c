/* Makes a pattern from its text, and its steps as entries. */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/near.h"
#include "../../psim/base/rng.h"
#include "weighted_pairs.h"
#include "traffic_state.h"

#include "../../psim/base/config/config_sections.h" /* after the struct of the same rows */

static void add_keys(struct config *c, struct pattern_config *target)
{
#define PATTERN(name, check, one_sided, doc)
#include "pattern.def"
#undef PATTERN
}

enum { STREAM_TIMES = 0x5449, STREAM_BURSTS = 0x4255, TEXT_MAX = 512 };

static const struct pattern_kind *pattern_find_kind(const char *name, struct err *e)
{
	char legal[512] = "";
	size_t used = 0;
	unsigned count;
	const struct pattern_kind *kinds = pattern_kinds(&count);

	for (unsigned i = 0; i < count; i++) {
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
		if (used < sizeof(legal))
			used += (size_t)snprintf(legal + used, sizeof(legal) - used, "%s%s", i ? ", " : "",
						 kinds[i].name);
	}
	err_set(e, STATUS_USAGE, "pattern: unknown pattern '%s', expected one of %s", name, legal);
	return NULL;
}

const struct config_use traffic_uses[] = {
#define USE(keys, when) {keys, when, false},
#include "pattern_uses.def"
#undef USE
	{NULL, NULL, false},
};

/* Each pattern's name is a fact: this run's pattern, or another. */
static int state_kind(struct traffic *t, struct err *e)
{
	unsigned count;
	const struct pattern_kind *kinds = pattern_kinds(&count);

	snprintf(t->by_kind, sizeof(t->by_kind), "by %s", t->kind->name);
	for (unsigned i = 0; i < count; i++)
		if (config_fact(t->config, kinds[i].name, &kinds[i] == t->kind || t->mix[i] > 0, t->by_kind, e) < 0)
			return -1;
	return 0;
}

bool traffic_names(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = text; *at;) {
		if (strncmp(at, word, length) == 0 && strchr(":=,", at[length]))
			return true;
		at += strcspn(at, at == text ? ":" : ",");
		at += *at != '\0';
	}
	return false;
}

static bool pattern_is_known(const char *name)
{
	unsigned count;
	const struct pattern_kind *kinds = pattern_kinds(&count);

	for (unsigned i = 0; i < count; i++)
		if (!strcmp(kinds[i].name, name))
			return true;
	return false;
}

/* Reads a weight of a mixture, "uniform=0.9". 1; 0: it is another key; -1 with `e`. */
static int read_weight(struct traffic *t, const char *key, struct err *e)
{
	const char *is = strchr(key, '=');
	unsigned count, i = 0;
	const struct pattern_kind *kinds = pattern_kinds(&count);
	size_t length = is ? (size_t)(is - key) : 0;
	char *end;

	while (i < count && (strlen(kinds[i].name) != length || strncmp(kinds[i].name, key, length) != 0))
		i++;
	if (!is && pattern_is_known(key))
		return err_set(e, STATUS_USAGE, "pattern: mix: %s without a weight, expected for instance %s=0.5", key,
			       key);
	if (!length || i == count)
		return 0;
	t->mix[i] = strtod(is + 1, &end);
	if (end == is + 1 || *end || !(t->mix[i] >= 0) || t->mix[i] > 1e9)
		return err_set(e, STATUS_USAGE, "pattern: mix: %s, expected a weight from 0 to 1e9", key);
	t->mix_sum += t->mix[i];
	return 1;
}

/* Reads "key=value,key=value" over the defaults. */
static int read_keys(struct traffic *t, char *text, struct err *e)
{
	char *next, *key;
	int status = 0;

	t->config = config_create();
	if (!t->config)
		return mem_short(e);
	add_keys(t->config, &t->keys);
	for (key = strtok_r(text, ",", &next); key && !status; key = strtok_r(NULL, ",", &next)) {
		char one[TEXT_MAX];
		int weight = strcmp(t->kind->name, "mix") ? 0 : read_weight(t, key, e);

		if (weight) {
			status = weight < 0 ? -1 : 0;
			continue;
		}

		snprintf(one, sizeof(one), "pattern.%s", key);
		status = config_override(t->config, one, "pattern", e);
	}
	return status ? status : state_kind(t, e);
}

/* Reads "8x8x4". */
static int read_dims(struct traffic *t, struct err *e)
{
	const char *at = t->keys.pattern.dims;
	char *end;

	for (t->dimensions = 0; t->dimensions < GRID_DIMENSIONS_MAX; at = end + 1) {
		unsigned long v = strtoul(at, &end, 10);

		if (end == at || *at == '-' || v < 1 || v > UINT32_MAX || (*end && *end != 'x'))
			break;
		t->dims[t->dimensions++] = (uint32_t)v;
		if (!*end)
			return 0;
	}
	return err_set(e, STATUS_USAGE,
		       "pattern: dims=%s is not a list of sizes, expected for instance 8x8, at most %d sizes",
		       t->keys.pattern.dims, GRID_DIMENSIONS_MAX);
}

/*
 * Sets the grid: key `dims`; else the job's; else the network's, if its nodes are as many as the ranks; else a square,
 * if the number of ranks is one.
 */
static int find_grid(struct traffic *t, struct err *e)
{
	uint64_t product = 1;
	uint32_t side = (uint32_t)sqrt((double)t->ranks);

	if (*t->keys.pattern.dims) {
		if (read_dims(t, e))
			return -1;
		for (unsigned i = 0; i < t->dimensions && product <= t->ranks; i++)
			product *= t->dims[i];
		if (product != t->ranks)
			return err_set(e, STATUS_USAGE,
				       "pattern: dims=%s is not a grid of %" PRIu32
				       " ranks, expected sizes with this product",
				       t->keys.pattern.dims, t->ranks);
		return 0;
	}
	if (t->job && t->job->dimensions) {
		t->dimensions = t->job->dimensions;
		memcpy(t->dims, t->job->dims, t->dimensions * sizeof(t->dims[0]));
		return 0;
	}
	t->dimensions = t->topology->dimensions <= GRID_DIMENSIONS_MAX ? t->topology->dimensions : 0;
	for (unsigned i = 0; i < t->dimensions; i++)
		product *= t->dims[i] = t->topology->dims[i];
	if (t->dimensions && product == t->ranks)
		return 0;
	t->dimensions = 0;
	if (side * side == t->ranks) {
		t->dimensions = 2;
		t->dims[0] = t->dims[1] = side;
	}
	return 0;
}

/*
 * Sets the batches of an open loop in which ranks send for `sends` ps: all of it, or what follows a warm-up that is
 * given; a window that is given follows half of the sends by default.
 */
static void find_batches(struct traffic *t, int64_t sends)
{
	const int64_t warmup = t->keys.pattern.warmup, window = t->keys.pattern.window;
	int64_t length;

	t->measure_ps = warmup ? warmup : window ? sends / 2 : 0;
	length = window ? window : sends > t->measure_ps ? sends - t->measure_ps : sends;
	t->batch_ps = (length + TRAFFIC_BATCHES - 1) / TRAFFIC_BATCHES;
	if (!t->batch_ps)
		t->batch_ps = 1;
}

/* Returns the most messages that a rank sends in the first step. */
static unsigned sends_of_step(const struct traffic *t)
{
	unsigned most = 1;

	for (uint32_t rank = 0; rank < t->ranks; rank++) {
		struct exchange x = {0};

		t->kind->step(t, rank, 0, 0, &x);
		most = x.sends > most ? x.sends : most;
	}
	return most;
}

/*
 * A point of a load curve has as many steps as others have messages: patterns without a number of messages repeat
 * themselves.
 */
static void lengthen(struct traffic *t, const struct traffic_load *x, const char *text)
{
	if (x && t->steps < TRAFFIC_LOAD_MESSAGES && t->steps != t->keys.pattern.messages &&
	    !traffic_names(text, "repeat"))
		t->keys.pattern.repeat *= (uint32_t)((TRAFFIC_LOAD_MESSAGES + t->steps - 1) / t->steps);
}

/* Sets, for an open loop, the mean time between a rank's messages, and the batches of its time. */
static int find_interval(struct traffic *t, struct err *e)
{
	const struct topology *n = t->topology;
	double bytes_per_s = n->class[n->link[n->inject[0]].class].bytes_per_s * n->nics, sends;

	if (t->keys.pattern.load <= 0)
		return 0;
	if (bytes_per_s >= TOPOLOGY_NIC_UNLIMITED)
		return err_set(e, STATUS_USAGE,
			       "pattern: a load is a share of the NICs' bandwidth, which this network does not have, "
			       "expected link.nic_bandwidth too");
	if (t->waits)
		return err_set(e, STATUS_USAGE,
			       "pattern: load=%g with %s, whose nodes wait for each other, expected nodes that send at "
			       "times of their own",
			       t->keys.pattern.load, t->keys.pattern.wait ? "wait=yes" : t->kind->name);
	if (!t->keys.pattern.size)
		return err_set(e, STATUS_USAGE, "pattern: load=%g with size=0, expected messages with data",
			       t->keys.pattern.load);
	if (t->keys.pattern.burst > 0 && (t->keys.pattern.burst < 1 || t->keys.pattern.load >= 1))
		return err_set(
			e, STATUS_USAGE,
			"pattern: burst=%g with load=%g, expected bursts of 1 or more messages, and a load below 1",
			t->keys.pattern.burst, t->keys.pattern.load);
	t->mean_interval_ps = (double)t->keys.pattern.size / (bytes_per_s * t->keys.pattern.load) * 1e12;
	t->outstanding = UINT32_MAX;
	t->bytes_per_s = bytes_per_s;
	sends = fmin(t->mean_interval_ps * sends_of_step(t) * (double)t->steps * t->keys.pattern.repeat,
		     (double)(NET_TIME_NEVER / 4));
	find_batches(t, (int64_t)sends);
	return 0;
}

/* Sets the keys of a point of a load curve. */
static int set_load(struct traffic *t, const struct traffic_load *x, const char *text, struct err *e)
{
	struct pattern_params *p = &t->keys.pattern;

	if (!x)
		return 0;
	if (p->load > 0)
		return err_set(e, STATUS_USAGE, "pattern: load=%g beside --load, expected one of them", p->load);
	p->load = x->load;
	if (!traffic_names(text, "messages"))
		p->messages = TRAFFIC_LOAD_MESSAGES;
	if (p->repeat > UINT32_MAX / x->longer)
		return err_set(e, STATUS_USAGE, "pattern: repeat=%u, expected less", p->repeat);
	p->repeat *= (uint32_t)x->longer;
	return 0;
}

/* Refuses keys that a job does not obey: its figures are those of the whole run. */
static int check_job(const struct traffic *t, struct err *e)
{
	const struct pattern_params *p = &t->keys.pattern;

	if (!t->job || (!p->window && !p->warmup))
		return 0;
	return err_set(e, STATUS_USAGE, "pattern: %s of a job, whose figures are those of its whole run, expected none",
		       p->window ? "window" : "warmup");
}

/* Sets the keys of a job without an end. */
static int set_endless(struct traffic *t, const char *text, struct err *e)
{
	if (!t->job || !t->job->endless)
		return 0;
	if (traffic_names(text, "repeat"))
		return err_set(e, STATUS_USAGE, "pattern: repeat=%u of a job in the background, expected none",
			       t->keys.pattern.repeat);
	t->keys.pattern.repeat = UINT32_MAX;
	t->endless = true;
	return 0;
}

static int pattern_make(struct traffic *t, const char *text, const struct traffic_load *load, struct err *e)
{
	char copy[TEXT_MAX], *keys;

	if (strlen(text) >= sizeof(copy))
		return err_set(e, STATUS_USAGE, "pattern too long, expected at most %d characters", TEXT_MAX - 1);
	strcpy(copy, text);
	keys = strchr(copy, ':');
	if (keys)
		*keys++ = '\0';
	t->kind = pattern_find_kind(copy, e);
	if (!t->kind || read_keys(t, keys ? keys : copy + strlen(copy), e) || set_load(t, load, text, e) ||
	    check_job(t, e) || set_endless(t, text, e) || find_grid(t, e))
		return -1;
	if (t->ranks < 2)
		return err_set(e, STATUS_USAGE, "pattern: %" PRIu32 " ranks, expected at least 2", t->ranks);
	if (t->keys.pattern.root >= t->ranks)
		return err_set(e, STATUS_USAGE, "pattern: root=%u is not a rank, expected 0 to %" PRIu32,
			       t->keys.pattern.root, t->ranks - 1);
	t->outstanding = t->keys.pattern.outstanding;
	t->waits = t->keys.pattern.wait;
	t->overhead = t->keys.pattern.overhead;
	t->copy = t->keys.pattern.copy;
	t->steps = t->keys.pattern.messages;
	if (t->kind->check(t, e))
		return -1;
	if (t->kind->one_sided && t->keys.pattern.wait)
		return err_set(e, STATUS_USAGE,
			       "pattern: wait=yes with %s, whose receivers do not know the senders, expected wait=no",
			       t->kind->name);
	lengthen(t, load, text);
	t->messages *= t->keys.pattern.repeat;
	return find_interval(t, e);
}

/* `x` and `j`: NULL if it is no point of a curve, or no job. */
static struct traffic *traffic_make(const char *text, const struct traffic_load *x, const struct traffic_job *j,
				    const struct topology *n, uint32_t ranks, struct err *e)
{
	struct traffic *t = mem_alloc(1, sizeof(*t), e);

	if (!t)
		return NULL;
	t->topology = n;
	t->ranks = ranks;
	t->job = j;
	if (!pattern_make(t, text, x, e)) {
		t->job = NULL; /* the caller's */
		return t;
	}
	traffic_destroy(t);
	return NULL;
}

struct traffic *traffic_of_load(const char *text, const struct traffic_load *x, const struct topology *n,
				uint32_t ranks, struct err *e)
{
	return traffic_make(text, x, NULL, n, ranks, e);
}

struct traffic *traffic_of_job(const char *text, const struct traffic_job *j, const struct topology *n, uint32_t ranks,
			       struct err *e)
{
	return traffic_make(text, NULL, j, n, ranks, e);
}

void traffic_destroy(struct traffic *t)
{
	if (!t)
		return;
	config_destroy(t->config);
	pairs_destroy(t->pairs);
	free(t->ring);
	free(t->position);
	free(t->file.first);
	free(t->file.entry);
	free(t);
}

struct config *traffic_config(const struct traffic *t)
{
	return t->config;
}

double traffic_injection(const struct traffic *t)
{
	return t->bytes_per_s;
}

uint32_t traffic_ranks(const struct traffic *t)
{
	return t->ranks;
}

uint64_t traffic_messages(const struct traffic *t)
{
	return t->messages;
}

/* The pause before a message of an open loop whose bursts keep its mean interval. */
static double burst_pause(const struct traffic *t, uint32_t rank, uint64_t number, double random)
{
	double each = (double)t->keys.pattern.size / t->bytes_per_s * 1e12, length = t->keys.pattern.burst;

	if (rng_unit(t->keys.pattern.seed, (uint64_t)STREAM_BURSTS << 32 | rank, number) * length >= 1)
		return each;
	return each + random * length * (t->mean_interval_ps - each);
}

/* The pause before a step of `sends` messages. In an open loop its mean is that of as many messages. */
static unsigned pauses(const struct traffic *t, uint32_t rank, uint64_t number, unsigned sends,
		       struct traffic_entry *entry)
{
	int64_t ps = t->keys.pattern.pause;

	if (t->mean_interval_ps > 0) {
		double random = -log1p(-rng_unit(t->keys.pattern.seed, (uint64_t)STREAM_TIMES << 32 | rank, number));

		ps += (int64_t)(sends * (t->keys.pattern.burst > 0 ? burst_pause(t, rank, number, random)
								   : random * t->mean_interval_ps));
	}
	if (ps <= 0)
		return 0;
	entry[0] = (struct traffic_entry){.kind = TRAFFIC_PAUSE, .ps = ps};
	return 1;
}

static unsigned receives(const struct exchange *x, struct traffic_entry *entry)
{
	for (unsigned i = 0; i < x->receives; i++)
		entry[i] = (struct traffic_entry){.kind = TRAFFIC_RECEIVE, .peer = x->from[i]};
	return x->receives;
}

static unsigned file_step(const struct traffic *t, uint32_t rank, uint64_t step, struct traffic_entry *entry)
{
	if (step >= t->file.first[rank + 1] - t->file.first[rank])
		return 0;
	entry[0] = t->file.entry[t->file.first[rank] + step];
	return 1;
}

unsigned traffic_step(const struct traffic *t, uint32_t rank, uint64_t step,
		      struct traffic_entry entry[TRAFFIC_STEP_MAX])
{
	struct exchange x = {.nic = NET_NIC_ANY};
	uint64_t round = step / (t->kind ? t->steps : 1);
	unsigned n;

	if (!t->kind)
		return file_step(t, rank, step, entry);
	if (round >= t->keys.pattern.repeat)
		return 0;
	t->kind->step(t, rank, round, step % t->steps, &x);
	n = x.sends ? pauses(t, rank, step, x.sends, entry) : 0;
	if (x.receive_first)
		n += receives(&x, entry + n);
	for (unsigned i = 0; i < x.sends; i++)
		entry[n++] = (struct traffic_entry){
			.kind = TRAFFIC_SEND,
			.peer = x.to[i],
			.bytes = t->keys.pattern.size,
			.ps = t->keys.pattern.gap,
			.nic = x.nic == NET_NIC_ANY ? x.nic : (x.nic + (int32_t)i) % (int32_t)t->topology->nics,
		};
	if (!x.receive_first && (x.wait || t->keys.pattern.wait)) {
		entry[n++] = (struct traffic_entry){.kind = TRAFFIC_SENDS};
		n += receives(&x, entry + n);
	}
	if (!n)
		entry[n++] = (struct traffic_entry){.kind = TRAFFIC_PAUSE};
	return n;
}

void traffic_list(FILE *out)
{
	struct pattern_config unused;
	struct config *c = config_create();
	unsigned count;
	const struct pattern_kind *kinds = pattern_kinds(&count);

	for (unsigned i = 0; i < count; i++)
		fprintf(out, "%-16s %s\n", kinds[i].name, kinds[i].doc);
	fputc('\n', out);
	add_keys(c, &unused);
	config_list(c, out);
	config_destroy(c);
}

uint32_t *traffic_placement(uint32_t nodes, uint32_t ranks, bool random, uint64_t seed, struct err *e)
{
	uint32_t *node = NULL;

	if (ranks > nodes) {
		err_set(e, STATUS_USAGE, "%" PRIu32 " ranks on %" PRIu32 " nodes, expected at most one rank per node",
			ranks, nodes);
		return NULL;
	}
	node = mem_alloc(nodes, sizeof(*node), e);
	if (!node)
		return NULL;
	for (uint32_t i = 0; i < nodes; i++)
		node[i] = i;
	for (uint32_t i = nodes - 1; random && i; i--) { /* Fisher-Yates shuffle */
		uint32_t k = (uint32_t)rng_below(seed, 0x504c, i, (uint64_t)i + 1), x = node[i];

		node[i] = node[k];
		node[k] = x;
	}
	return node;
}
