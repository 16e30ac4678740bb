/* SimGrid's time-independent traces: replay_simgrid.h. */
#include "replay_simgrid.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line under translation: its words from the action on. */
struct action {
	struct simgrid_rank *s;
	uint32_t rank, ranks;
	int element;
	char *rest; /* words that were not read yet */
	char *out;  /* the event so far */
	size_t size, length;
	double *flops;
	struct err *e;
	bool failed;
};

static void action_fail(struct action *a, const char *what)
{
	if (!a->failed)
		err_set(a->e, STATUS_BAD_INPUT, "%s", what);
	a->failed = true;
}

static void action_is_unknown(struct action *a, const char *name)
{
	if (!a->failed)
		err_set(a->e, STATUS_BAD_INPUT, "unknown action '%.40s', expected one of SimGrid's traces", name);
	a->failed = true;
}

__attribute__((format(printf, 2, 3))) static void action_write(struct action *a, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(a->out + a->length, a->size - a->length, format, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= a->size - a->length)
		action_fail(a, "the line is too long");
	else
		a->length += (size_t)n;
}

static char *action_word(struct action *a)
{
	return strtok_r(NULL, " \t\r\n", &a->rest);
}

/* The next number; `otherwise` if there is none. Sizes may be written as 1e6. */
static double action_number(struct action *a, double otherwise, bool needed)
{
	char *word = action_word(a), *end;
	double value;

	if (!word) {
		if (needed)
			action_fail(a, "the action has too few words");
		return otherwise;
	}
	value = strtod(word, &end);
	if (*end || end == word || !(value >= -1 && value <= 1e18)) {
		action_fail(a, "expected numbers behind the action");
		return otherwise;
	}
	return value;
}

static long long action_count(struct action *a)
{
	double value = action_number(a, 0, true);

	if (value < 0 || value > 2147483647)
		action_fail(a, "a count: expected 0 to 2147483647");
	return (long long)value;
}

/* Bytes of an element by the number of its type (smpi_datatype.cpp); without one those of the trace. */
static int action_type(struct action *a)
{
	static const int bytes[] = {8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4,  8,  8, 16,
				    4, 1, 1, 2, 4, 8, 1, 2, 4, 8, 8, 16, 32, 8, 8};
	double id = action_number(a, -1, false);

	if (id < 0)
		return a->element;
	if (id >= (double)(sizeof(bytes) / sizeof(bytes[0])) || id != (double)(int)id) {
		action_fail(a, "number of a datatype: expected 0 to 29");
		return 1;
	}
	return bytes[(int)id];
}

/* ---- requests ---- */

static void action_begin(struct action *a, int src, int dst, int tag)
{
	struct simgrid_rank *s = a->s;
	struct simgrid_request *q = NULL;
	size_t i = 0;

	while (i < s->requests.count && s->requests.at[i].used)
		i++;
	q = i < s->requests.count ? &s->requests.at[i] : vec_push(&s->requests, a->e);
	if (!q) {
		a->failed = true;
		return;
	}
	*q = (struct simgrid_request){true, src, dst, tag, s->begun++};
	action_write(a, " req=%zu", i);
}

/* Waits for the oldest of these ends. */
static void action_wait(struct action *a)
{
	int src = (int)action_number(a, 0, true), dst = (int)action_number(a, 0, true),
	    tag = (int)action_number(a, 0, true);
	struct simgrid_request *oldest = NULL;

	for (size_t i = 0; i < a->s->requests.count; i++) {
		struct simgrid_request *q = &a->s->requests.at[i];

		if (q->used && q->src == src && q->dst == dst && q->tag == tag && (!oldest || q->order < oldest->order))
			oldest = q;
	}
	if (!oldest)
		return; /* a test has found it complete */
	action_write(a, "wait %td", oldest - a->s->requests.at);
	oldest->used = false;
}

static void action_waitall(struct action *a)
{
	action_write(a, "wait");
	for (size_t i = 0; i < a->s->requests.count; i++)
		if (a->s->requests.at[i].used) {
			action_write(a, " %zu", i);
			a->s->requests.at[i].used = false;
		}
}

/* ---- actions ---- */

static void action_message(struct action *a, bool send, bool begins)
{
	int peer = (int)action_number(a, 0, true), tag = (int)action_number(a, 0, true);
	long long count = action_count(a);
	int bytes = action_type(a);

	action_write(a, send ? "send" : "recv");
	if (peer < 0)
		action_write(a, " any");
	else
		action_write(a, " %d", peer);
	if (tag < 0)
		action_write(a, " any");
	else
		action_write(a, " %d", tag);
	action_write(a, " %lldx%d", count, bytes);
	if (begins && send)
		action_begin(a, (int)a->rank, peer, tag);
	else if (begins)
		action_begin(a, peer, (int)a->rank, tag);
}

static void action_sendrecv(struct action *a)
{
	long long sends = action_count(a), receives;
	int dst = (int)action_number(a, 0, true), src, of_sends;

	receives = action_count(a);
	src = (int)action_number(a, 0, true);
	of_sends = action_type(a);
	action_write(a, "sendrecv %d 0 %lldx%d %d 0 %lldx%d", dst, sends, of_sends, src, receives, action_type(a));
}

/* Counts of all ranks, kept until the type is known. */
static void action_counts(struct action *a, char *text, size_t size)
{
	size_t length = 0;

	for (uint32_t i = 0; i < a->ranks && !a->failed && length < size; i++)
		length += (size_t)snprintf(text + length, size - length, "%s%lld", i ? "," : "", action_count(a));
	if (length >= size)
		action_fail(a, "the line is too long");
}

/* Operations with a part sent and one received, of which either may be a list; what they are is in the table below. */
static void action_exchange(struct action *a, const char *name, char sends, char receives, bool root, bool sizes)
{
	static const size_t half = 1 << 20;
	char *parts[2] = {a->out + a->size - 2 * half, a->out + a->size - half};
	int at = 0, type;

	for (int i = 0; i < 2; i++) {
		if (sizes)
			action_number(a, 0, true); /* of the buffer */
		if ((i ? receives : sends) == 'l')
			action_counts(a, parts[i], half);
		else
			snprintf(parts[i], half, "%lld", action_count(a));
	}
	if (root)
		at = (int)action_number(a, 0, false);
	type = action_type(a);
	a->size -= 2 * half;
	action_write(a, "%s %sx%d", name, parts[0], type);
	action_write(a, " %sx%d", parts[1], action_type(a));
	a->size += 2 * half;
	if (root)
		action_write(a, " root=%d", at);
}

static void action_reduction(struct action *a, const char *name, bool root)
{
	long long count = action_count(a);
	int at;

	*a->flops = action_number(a, 0, true);
	at = root ? (int)action_number(a, 0, false) : 0;
	action_write(a, "%s %lldx%d", name, count, action_type(a));
	if (root)
		action_write(a, " root=%d", at);
}

static void action_reduce_scatter(struct action *a)
{
	static const size_t half = 1 << 20;
	char *counts = a->out + a->size - half;

	action_counts(a, counts, half);
	*a->flops = action_number(a, 0, true);
	a->size -= half;
	action_write(a, "reduce_scatter %sx%d", counts, action_type(a));
	a->size += half;
}

static void action_bcast(struct action *a)
{
	long long count = action_count(a);
	int root = (int)action_number(a, 0, false);

	action_write(a, "bcast %lldx%d root=%d", count, action_type(a), root);
}

static void translate(struct action *a, const char *name)
{
	static const char *const silent[] = {"init",     "finalize", "comm_size", "comm_split",
					     "comm_dup", "test",     "location"};

	for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++)
		if (strcmp(name, silent[i]) == 0)
			return;
	if (strcmp(name, "compute") == 0)
		*a->flops = action_number(a, 0, true);
	else if (strcmp(name, "sleep") == 0)
		action_write(a, "compute %.12g", action_number(a, 0, true));
	else if (strcmp(name, "send") == 0 || strcmp(name, "isend") == 0)
		action_message(a, true, *name == 'i');
	else if (strcmp(name, "recv") == 0 || strcmp(name, "irecv") == 0)
		action_message(a, false, *name == 'i');
	else if (strcmp(name, "sendRecv") == 0)
		action_sendrecv(a);
	else if (strcmp(name, "wait") == 0)
		action_wait(a);
	else if (strcmp(name, "waitall") == 0)
		action_waitall(a);
	else if (strcmp(name, "barrier") == 0)
		action_write(a, "barrier");
	else if (strcmp(name, "bcast") == 0)
		action_bcast(a);
	else if (strcmp(name, "reduce") == 0)
		action_reduction(a, name, true);
	else if (strcmp(name, "allreduce") == 0 || strcmp(name, "scan") == 0 || strcmp(name, "exscan") == 0)
		action_reduction(a, name, false);
	else if (strcmp(name, "reducescatter") == 0)
		action_reduce_scatter(a);
	else if (strcmp(name, "gather") == 0 || strcmp(name, "scatter") == 0)
		action_exchange(a, name, 'n', 'n', true, false);
	else if (strcmp(name, "allgather") == 0 || strcmp(name, "alltoall") == 0)
		action_exchange(a, name, 'n', 'n', false, false);
	else if (strcmp(name, "gatherv") == 0 || strcmp(name, "allgatherv") == 0)
		action_exchange(a, name, 'n', 'l', *name == 'g', false);
	else if (strcmp(name, "scatterv") == 0)
		action_exchange(a, name, 'l', 'n', true, false);
	else if (strcmp(name, "alltoallv") == 0)
		action_exchange(a, name, 'l', 'l', false, true);
	else
		action_is_unknown(a, name);
}

bool simgrid_begins(const char *text)
{
	text += strspn(text, " \t");
	return strncmp(text, "init", 4) == 0 && strchr(" \t\r\n", text[4]);
}

int simgrid_event(struct simgrid_rank *s, uint32_t rank, uint32_t ranks, int element, char *line, char *out,
		  size_t size, double *flops, struct err *e)
{
	struct action a = {.s = s,
			   .rank = rank,
			   .ranks = ranks,
			   .element = element,
			   .out = out,
			   .size = size,
			   .flops = flops,
			   .e = e};
	char *name = strtok_r(line, " \t\r\n", &a.rest);

	*out = '\0';
	*flops = 0;
	if (!name)
		action_fail(&a, "expected an action");
	else
		translate(&a, name);
	return a.failed ? -1 : 0;
}
