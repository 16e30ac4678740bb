/*
 * Events of an OTF2 archive as lines of ours. Of a collective operation the archive has the bytes that a rank sent and
 * received, which Score-P counts for its N ranks as N parts, or N - 1 where the operation was in place.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../message/message.h"
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
static void find_comm(struct archive_line *l)
{
	const struct archive *a = l->r->archive;

	for (size_t low = 0, high = a->comms.count; low < high;) {
		size_t middle = (low + high) / 2;

		if (a->comms.at[middle].ref == l->q->comm) {
			l->comm = &a->comms.at[middle];
			break;
		}
		if (a->comms.at[middle].ref < l->q->comm)
			low = middle + 1;
		else
			high = middle;
	}
	if (!l->comm || (l->comm->local && l->comm->local[l->r->rank] == UINT32_MAX))
		line_fail(l, "communicator %u, expected one of groups of MPI's ranks that has this rank", l->q->comm);
}

/* Settings that most lines have. */
static void write_settings(struct archive_line *l)
{
	if (!l->comm->world)
		line_write(l, " comm=%td", l->comm - l->r->archive->comms.at);
	if (l->q->begins)
		line_write(l, " req=%u", l->q->slot);
}

static void check_peer(struct archive_line *l)
{
	if (l->q->peer >= l->comm->size)
		line_fail(l, "rank %u of a communicator of %u, expected less", l->q->peer, l->comm->size);
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
	check_peer(l);
	if (l->q->tag > VMPI_TAG_UB_VALUE)
		line_fail(l, "tag %u, expected at most %d", l->q->tag, VMPI_TAG_UB_VALUE);
	line_write(l, "%s %u %u", l->q->kind == ARCHIVE_SEND ? "send" : "recv", l->q->peer, l->q->tag);
	write_bytes(l, l->q->sent, 1);
	write_settings(l);
}

/* ---- collective operations ---- */

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

	switch (q->op) {
	case OTF2_COLLECTIVE_OP_GATHERV:
		line_write(l, "gatherv");
		write_bytes(l, q->sent, 1);
		write_list(l, q->received, true);
		break;
	case OTF2_COLLECTIVE_OP_SCATTERV:
		line_write(l, "scatterv");
		write_list(l, q->sent, false);
		line_write(l, " %d", INT_MAX);
		break;
	case OTF2_COLLECTIVE_OP_ALLGATHERV:
		line_write(l, "allgatherv");
		write_bytes(l, one_part(l, q->sent), 1);
		write_list(l, q->received, false);
		break;
	case OTF2_COLLECTIVE_OP_REDUCE_SCATTER:
		line_write(l, "reduce_scatter");
		write_list(l, q->sent, false);
		break;
	default:
		line_write(l, "alltoallv");
		write_list(l, q->sent, false);
		write_list(l, 0, true);
	}
}

static void write_equal(struct archive_line *l)
{
	static const char *const names[] = {[OTF2_COLLECTIVE_OP_BCAST] = "bcast",
					    [OTF2_COLLECTIVE_OP_GATHER] = "gather",
					    [OTF2_COLLECTIVE_OP_SCATTER] = "scatter",
					    [OTF2_COLLECTIVE_OP_ALLGATHER] = "allgather",
					    [OTF2_COLLECTIVE_OP_ALLTOALL] = "alltoall",
					    [OTF2_COLLECTIVE_OP_REDUCE] = "reduce",
					    [OTF2_COLLECTIVE_OP_ALLREDUCE] = "allreduce",
					    [OTF2_COLLECTIVE_OP_SCAN] = "scan",
					    [OTF2_COLLECTIVE_OP_EXSCAN] = "exscan",
					    [OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK] = "reduce_scatter_block"};
	const struct archive_event *q = l->q;
	uint64_t bytes;

	line_write(l, "%s", names[q->op]);
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

static void write_collective(struct archive_line *l)
{
	bool rooted = false;

	switch (l->q->op) {
	case OTF2_COLLECTIVE_OP_BCAST:
	case OTF2_COLLECTIVE_OP_GATHER:
	case OTF2_COLLECTIVE_OP_SCATTER:
	case OTF2_COLLECTIVE_OP_REDUCE:
		rooted = true;
		write_equal(l);
		break;
	case OTF2_COLLECTIVE_OP_GATHERV:
	case OTF2_COLLECTIVE_OP_SCATTERV:
		rooted = true;
		write_vector(l);
		break;
	case OTF2_COLLECTIVE_OP_ALLGATHERV:
	case OTF2_COLLECTIVE_OP_ALLTOALLV:
	case OTF2_COLLECTIVE_OP_ALLTOALLW:
	case OTF2_COLLECTIVE_OP_REDUCE_SCATTER: write_vector(l); break;
	case OTF2_COLLECTIVE_OP_ALLGATHER:
	case OTF2_COLLECTIVE_OP_ALLTOALL:
	case OTF2_COLLECTIVE_OP_ALLREDUCE:
	case OTF2_COLLECTIVE_OP_SCAN:
	case OTF2_COLLECTIVE_OP_EXSCAN:
	case OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK: write_equal(l); break;
	case OTF2_COLLECTIVE_OP_BARRIER:
	case OTF2_COLLECTIVE_OP_CREATE_HANDLE:
	case OTF2_COLLECTIVE_OP_DESTROY_HANDLE:
	case OTF2_COLLECTIVE_OP_ALLOCATE:
	case OTF2_COLLECTIVE_OP_DEALLOCATE:
	case OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE:
	case OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE: line_write(l, "barrier"); break;
	default: line_fail(l, "collective operation %u, expected 0 to 22", l->q->op);
	}
	if (rooted) {
		check_peer(l);
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
			if (r->queue.at[next].kind != ARCHIVE_WAIT)
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
		find_comm(l);
		if (l->failed)
			break;
		if (l->q->kind == ARCHIVE_COLLECTIVE)
			write_collective(l);
		else
			write_message(l);
		break;
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
