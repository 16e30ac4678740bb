/*
 * Events of an OTF2 archive as lines of ours. Of a collective operation the archive has the bytes that a rank sent and
 * received, which Score-P counts for its N ranks as N parts, or N - 1 where the operation was in place.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../message/message.h"
#include "../api/collective_args.h"
#include "otf2_parts.h"

/* A line that is being written. */
struct archive_line {
	struct archive_rank *r;
	const struct archive_event *q;
	const struct archive_comm_def *comm;
	char *out;
	size_t size, length;
	struct err *e;
	bool failed;
};

__attribute__((format(printf, 2, 3))) static void line_fail(struct archive_line *l, const char *format, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	if (!l->failed)
		err_set(l->e, STATUS_BAD_INPUT, "%s: rank %u, event %u: %s", l->r->archive->path, l->r->rank,
			l->q->number, text);
	l->failed = true;
}

__attribute__((format(printf, 2, 3))) static void line_write(struct archive_line *l, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(l->out + l->length, l->size - l->length, format, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= l->size - l->length)
		line_fail(l, "too many ranks for its line, expected fewer");
	else
		l->length += (size_t)n;
}

/* Finds the communicator, of which the rank must be one. */
static void find_comm(struct archive_line *l, OTF2_CommRef comm)
{
	const struct archive *a = l->r->archive;

	for (size_t low = 0, high = a->comms.count; low < high;) {
		size_t middle = (low + high) / 2;

		if (a->comms.at[middle].ref == comm) {
			l->comm = &a->comms.at[middle];
			break;
		}
		if (a->comms.at[middle].ref < comm)
			low = middle + 1;
		else
			high = middle;
	}
	if (!l->comm || (l->comm->local && l->comm->local[l->r->rank] == UINT32_MAX))
		line_fail(l, "communicator %u, expected one of groups of MPI's ranks that has this rank", comm);
}

/* Settings that most lines have. */
static void write_settings(struct archive_line *l)
{
	if (!l->comm->world)
		line_write(l, " comm=%td", l->comm - l->r->archive->comms.at);
	if (l->q->begins)
		line_write(l, " req=%u", l->q->slot);
}

static void check_root(struct archive_line *l, uint32_t rank)
{
	if (rank >= l->comm->size)
		line_fail(l, "rank %u of a communicator of %u, expected less", rank, l->comm->size);
}

static void check_peer(struct archive_line *l, const struct archive_event *q)
{
	check_root(l, q->peer);
	if (q->tag > VMPI_TAG_UB_VALUE)
		line_fail(l, "tag %u, expected at most %d", q->tag, VMPI_TAG_UB_VALUE);
}

/* Writes bytes as elements, whose sizes are powers of 2 from `element` on. */
static void write_bytes(struct archive_line *l, uint64_t bytes, uint64_t element)
{
	while (bytes / element > INT_MAX && bytes % (2 * element) == 0 && element < INT_MAX / 2)
		element *= 2;
	if (bytes / element > INT_MAX)
		line_fail(l, "%llu bytes, expected at most 2147483647 elements", (unsigned long long)bytes);
	else if (element == 1)
		line_write(l, " %llu", (unsigned long long)bytes);
	else
		line_write(l, " %llux%llu", (unsigned long long)(bytes / element), (unsigned long long)element);
}

static void write_message(struct archive_line *l)
{
	static const char *const sends[] = {
#define SEND(name, begin, init, mode, event, MODE) #event,
#include "../api/send_calls.def"
	};

	check_peer(l, l->q);
	line_write(l, "%s %u %u", l->q->kind == ARCHIVE_SEND ? sends[l->q->mode] : "recv", l->q->peer, l->q->tag);
	write_bytes(l, l->q->sent, 1);
	write_settings(l);
}

/* A blocking send and the receive behind it, if both are of one call; else NULL. */
static const struct archive_event *received_with(const struct archive_rank *r)
{
	const struct archive_event *q = &r->queue.at[r->first];

	return q->kind == ARCHIVE_SEND && !q->begins && r->first + 1 < r->queue.count && q[1].joined &&
			       q[1].kind == ARCHIVE_RECV && q[1].comm == q->comm
		       ? q + 1
		       : NULL;
}

static void write_exchange(struct archive_line *l, const struct archive_event *recv)
{
	check_peer(l, l->q);
	check_peer(l, recv);
	line_write(l, "sendrecv %u %u", l->q->peer, l->q->tag);
	write_bytes(l, l->q->sent, 1);
	line_write(l, " %u %u", recv->peer, recv->tag);
	write_bytes(l, recv->sent, 1);
	write_settings(l);
}

/* ---- nsim's own forms ---- */

/* Writes the form, which must have this name, and no settings but its own. */
static void write_own(struct archive_line *l, const char *name)
{
	size_t length = strlen(name);
	const char *own = l->q->own;

	if (strncmp(own, name, length) != 0 || (own[length] && own[length] != ' '))
		line_fail(l, "\"%.80s\" as nsim's form of an event, expected %s", own, name);
	for (const char *c = own; (c = strchr(c, '=')); c++)
		if (!((c - own > 3 && strncmp(c - 3, " op", 3) == 0) ||
		      (c - own > 6 && strncmp(c - 6, " check", 6) == 0)))
			line_fail(l, "\"%.80s\" as nsim's form of an event, expected no settings", own);
	line_write(l, "%s", own);
}

static void write_probe(struct archive_line *l, const char *own)
{
	char source[16], tag[16], more;
	unsigned comm;

	if (sscanf(own, "probe %15s %15s comm=%u%c", source, tag, &comm, &more) != 3) {
		line_fail(l, "\"%.80s\" as nsim's form of a call, expected probe SOURCE TAG comm=NUMBER", own);
		return;
	}
	find_comm(l, comm);
	if (l->failed)
		return;
	line_write(l, "probe %s %s", source, tag);
	write_settings(l);
}

/* An event of a window. */
static void write_window(struct archive_line *l)
{
	static const char *const names[] = {
#define EVENT(...)
#define WINDOW_EVENT(name, ...) #name,
#include "events.def"
	};
	size_t length = strcspn(l->q->own, " ");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i]) != length || strncmp(names[i], l->q->own, length) != 0)
			continue;
		write_own(l, names[i]);
		if (strcmp(names[i], "window") == 0) {
			line_write(l, " new=%u", l->q->window);
			find_comm(l, l->q->comm);
			if (!l->failed)
				write_settings(l);
			return;
		}
		line_write(l, " win=%u", l->q->window);
		if (l->q->begins)
			line_write(l, " req=%u", l->q->slot);
		return;
	}
	line_fail(l, "\"%.80s\" as nsim's form of an event, expected one of a window", l->q->own);
}

/* ---- collective operations ---- */

/* The operations: their events, what writes the words of one (NULL: it has none), whether it has a root. */
static void write_equal(struct archive_line *l);
static void write_vector(struct archive_line *l);
enum { COLLECTIVES = OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK + 10 };
static const struct archive_collective {
	const char *name;
	void (*write)(struct archive_line *l);
	bool rooted;
} collectives[COLLECTIVES + 1] = {
#define MANY (BIT(IN_COUNTS) | BIT(OUT_COUNTS))
#define ONE (BIT(IN_COUNT) | BIT(OUT_COUNT))
#define COLLECTIVE(name, begin, arguments, doc)
#define TRACED(name, begin, arguments, doc, start, event, otf2, ...) \
	[OTF2_COLLECTIVE_OP_##otf2] = {#event, \
				       HAS(arguments) & MANY  ? write_vector \
				       : HAS(arguments) & ONE ? write_equal \
							      : NULL, \
				       HAS(arguments) & BIT(ROOT)},
#include "../api/collective_calls.def"
#undef COLLECTIVE
#undef MANY
#undef ONE
	[OTF2_COLLECTIVE_OP_ALLTOALLW] = {"alltoallv", write_vector, false},
	[OTF2_COLLECTIVE_OP_CREATE_HANDLE] = {"barrier", NULL, false},
	[OTF2_COLLECTIVE_OP_DESTROY_HANDLE] = {"barrier", NULL, false},
	[OTF2_COLLECTIVE_OP_ALLOCATE] = {"barrier", NULL, false},
	[OTF2_COLLECTIVE_OP_DEALLOCATE] = {"barrier", NULL, false},
	[OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE] = {"barrier", NULL, false},
	[OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE] = {"barrier", NULL, false},
};

/* Returns the part of each rank in an amount that is of all of them, or of all but this one. */
static uint64_t one_part(const struct archive_line *l, uint64_t bytes)
{
	uint64_t ranks = l->comm->size;

	if (ranks == 1)
		return bytes;
	for (uint64_t unit = 4; unit; unit /= 4)
		for (uint64_t others = ranks; others >= ranks - 1; others--)
			if (bytes % (others * unit) == 0)
				return bytes / others;
	return bytes / ranks;
}

/* Returns the part of each rank in an operation with a root: the root has `all`, another rank `own`. */
static uint64_t rooted_part(const struct archive_line *l, uint64_t all, uint64_t own)
{
	return own || l->comm->size == 1 ? own : all / (l->comm->size - 1);
}

/* The operand of a scan: rank r of N sends N - r of them and receives r + 1, or one less of each in place. */
static uint64_t scan_part(const struct archive_line *l)
{
	uint64_t at = l->comm->local  ? l->comm->local[l->r->rank]
		      : l->comm->self ? 0
				      : l->r->rank,
		 left = l->comm->size - 1 - at;

	if (l->q->op == OTF2_COLLECTIVE_OP_SCAN && l->q->sent % (left + 1) == 0 && l->q->received % (at + 1) == 0 &&
	    l->q->sent / (left + 1) == l->q->received / (at + 1))
		return l->q->received / (at + 1);
	return at ? l->q->received / at : left ? l->q->sent / left : l->q->sent;
}

/* Elements of a reduction have 8 bytes where that can be. */
static void write_operand(struct archive_line *l, uint64_t bytes)
{
	write_bytes(l, bytes, bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 1);
}

/* A list of equal parts, or with `most` of receives, each of which may have all. */
static void write_list(struct archive_line *l, uint64_t bytes, bool most)
{
	uint64_t each = bytes / l->comm->size, more = bytes % l->comm->size;

	if (each >= INT_MAX)
		line_fail(l, "%llu bytes of a rank, expected at most 2147483647", (unsigned long long)each);
	for (uint32_t i = 0; i < l->comm->size && !l->failed; i++)
		line_write(l, "%s%llu", i ? "," : " ",
			   most ? (unsigned long long)INT_MAX : (unsigned long long)(each + (i < more)));
}

static void write_vector(struct archive_line *l)
{
	const struct archive_event *q = l->q;

	line_write(l, "%s", collectives[q->op].name);
	switch (q->op) {
	case OTF2_COLLECTIVE_OP_GATHERV:
		write_bytes(l, q->sent, 1);
		write_list(l, q->received, true);
		break;
	case OTF2_COLLECTIVE_OP_SCATTERV:
		write_list(l, q->sent, false);
		line_write(l, " %d", INT_MAX);
		break;
	case OTF2_COLLECTIVE_OP_ALLGATHERV:
		write_bytes(l, one_part(l, q->sent), 1);
		write_list(l, q->received, false);
		break;
	case OTF2_COLLECTIVE_OP_REDUCE_SCATTER: write_list(l, q->sent, false); break;
	default: write_list(l, q->sent, false); write_list(l, 0, true);
	}
}

static void write_equal(struct archive_line *l)
{
	const struct archive_event *q = l->q;
	uint64_t bytes;

	line_write(l, "%s", collectives[q->op].name);
	switch (q->op) {
	case OTF2_COLLECTIVE_OP_BCAST: write_bytes(l, rooted_part(l, q->sent, q->received), 1); break;
	case OTF2_COLLECTIVE_OP_SCATTER:
	case OTF2_COLLECTIVE_OP_GATHER:
		bytes = q->op == OTF2_COLLECTIVE_OP_SCATTER ? rooted_part(l, q->sent, q->received)
							    : rooted_part(l, q->received, q->sent);
		write_bytes(l, bytes, 1);
		write_bytes(l, bytes, 1);
		break;
	case OTF2_COLLECTIVE_OP_ALLGATHER:
	case OTF2_COLLECTIVE_OP_ALLTOALL:
		write_bytes(l, one_part(l, q->sent), 1);
		write_bytes(l, one_part(l, q->received), 1);
		break;
	case OTF2_COLLECTIVE_OP_REDUCE: write_operand(l, rooted_part(l, q->received, q->sent)); break;
	case OTF2_COLLECTIVE_OP_SCAN:
	case OTF2_COLLECTIVE_OP_EXSCAN: write_operand(l, scan_part(l)); break;
	default: write_operand(l, one_part(l, q->sent));
	}
}

/* Writes an operation as nsim has it, or as the archive describes it. */
static void write_collective(struct archive_line *l)
{
	const struct archive_collective *c = &collectives[l->q->op < COLLECTIVES ? l->q->op : COLLECTIVES];

	if (!c->name) {
		line_fail(l, "collective operation %u, expected 0 to 22", l->q->op);
		return;
	}
	if (l->q->own)
		write_own(l, c->name);
	else if (!c->write)
		line_write(l, "%s", c->name);
	else
		c->write(l);
	if (c->rooted) {
		check_root(l, l->q->peer);
		line_write(l, " root=%u", l->q->peer);
	}
	write_settings(l);
}

/* ---- lines ---- */

/* Reads until the first event is whole; what follows it too if that may belong to it. */
static int fill_queue(struct archive_rank *r, struct err *e)
{
	size_t next;

	for (;;) {
		while (r->first < r->queue.count && r->queue.at[r->first].kind == ARCHIVE_DROPPED &&
		       !r->queue.at[r->first].gap)
			r->first++;
		next = r->first;
		if (r->ended)
			return 0;
		if (next < r->queue.count && !r->queue.at[next].open) {
			const struct archive_event *q = &r->queue.at[next];
			/* its receive, or its request, is in an event behind it */
			bool more = (q->kind == ARCHIVE_SEND || q->kind == ARCHIVE_WINDOW) && !q->begins;

			if (q->kind != ARCHIVE_WAIT && (!more || next + 1 < r->queue.count))
				return 0;
			for (next++; next < r->queue.count && r->queue.at[next].joined;)
				next++;
			if (next < r->queue.count)
				return 0;
		}
		if (archive_read(r, e) < 0)
			return -1;
	}
}

static void write_archive_event(struct archive_line *l)
{
	struct archive_rank *r = l->r;

	switch (l->q->kind) {
	case ARCHIVE_SEND:
	case ARCHIVE_RECV:
	case ARCHIVE_COLLECTIVE:
		find_comm(l, l->q->comm);
		if (l->failed)
			break;
		if (l->q->kind == ARCHIVE_COLLECTIVE) {
			write_collective(l);
		} else if (received_with(r)) {
			write_exchange(l, received_with(r));
			r->first++;
		} else {
			write_message(l);
		}
		break;
	case ARCHIVE_WINDOW: write_window(l); break;
	case ARCHIVE_PROBE: write_probe(l, l->q->own); break;
	case ARCHIVE_WAIT:
		line_write(l, "wait %u", l->q->slot);
		while (r->first + 1 < r->queue.count && r->queue.at[r->first + 1].joined)
			line_write(l, " %u", r->queue.at[++r->first].slot);
		break;
	default: break;
	}
}

int archive_next(struct archive *a, uint32_t rank, char *out, size_t size, uint32_t *number, struct err *e)
{
	struct archive_rank *r = &a->rank[rank];
	struct archive_event *q;
	struct archive_line l = {.r = r, .out = out, .size = size, .e = e};

	if (fill_queue(r, e) < 0)
		return -1;
	if (r->first == r->queue.count)
		return 0;
	l.q = q = &r->queue.at[r->first];
	*number = q->number;
	*out = '\0';
	if (q->gap) {
		line_write(&l, "compute %lld.%012lld", (long long)(q->gap / 1000000000000),
			   (long long)(q->gap % 1000000000000));
		q->gap = 0;
		return 1;
	}
	if (q->kind == ARCHIVE_END)
		return 0;
	write_archive_event(&l);
	r->first++;
	return l.failed ? -1 : 1;
}
