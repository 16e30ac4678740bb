/*
 * The words of lines of a trace (docs/formats/replay-format.md). There is one writer for nsim and nsim-record: both
 * include this file, after ARGUMENT_TYPE (call_arguments.h) and LINE_HOST, the type of the object that has the facts,
 * and define the functions of facts.
 */
#ifndef PSIM_VMPI_TRACE_LINE_H
#define PSIM_VMPI_TRACE_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include "collective_args.h"

/* Operations of reductions, and communicators without a number, as lines have them. */
enum line_op { LINE_OP_OF_MPI, LINE_OP_OWN, LINE_OP_ORDERED };
enum line_comm { LINE_COMM_NONE = -3, LINE_COMM_SELF, LINE_COMM_WORLD };

#ifdef LINE_HOST

/* ---- facts ---- */

/* Bytes of an element of the type, and of the basic elements of which it is made (1: of several kinds). 0: no data. */
long long line_type_size(LINE_HOST host, ARGUMENT_TYPE(Datatype) type);
long long line_basic_size(LINE_HOST host, ARGUMENT_TYPE(Datatype) type);
/* Ranks of the communicator; whether `root` is the rank that calls; its number, or an enum line_comm. */
int line_ranks(LINE_HOST host, ARGUMENT_TYPE(Comm) comm);
bool line_is_root(LINE_HOST host, ARGUMENT_TYPE(Comm) comm, int root);
int line_comm_number(LINE_HOST host, ARGUMENT_TYPE(Comm) comm);
enum line_op line_op(LINE_HOST host, ARGUMENT_TYPE(Op) op);

/* A window's number; below 0: none. Bytes of a displacement in a rank's part of it; 0: it has no memory of its own. */
int line_window_number(LINE_HOST host, ARGUMENT_TYPE(Win) win);
long long line_window_unit(LINE_HOST host, ARGUMENT_TYPE(Win) win, int rank);
/* Ranks of a group; its rank `i` as one of the window. */
int line_group_size(LINE_HOST host, ARGUMENT_TYPE(Group) group);
int line_group_rank(LINE_HOST host, ARGUMENT_TYPE(Group) group, int i, ARGUMENT_TYPE(Win) win);
/* Bytes from one element to the next, and where the data of the first one begin. */
struct line_extent {
	long long bytes, lower;
};
struct line_extent line_extent(LINE_HOST host, ARGUMENT_TYPE(Datatype) type);

/* ---- words ---- */

static inline void put_peer(FILE *out, int peer, int tag)
{
	if (peer == ARGUMENT_TYPE(PROC_NULL))
		fputs(" none", out);
	else if (peer == ARGUMENT_TYPE(ANY_SOURCE))
		fputs(" any", out);
	else
		fprintf(out, " %d", peer);
	if (tag == ARGUMENT_TYPE(ANY_TAG))
		fputs(" any", out);
	else
		fprintf(out, " %d", tag);
}

/* COUNTxSIZE; a type without data has no elements. */
static inline void put_elements(FILE *out, long long count, long long size)
{
	fprintf(out, " %lld", size ? count : 0);
	if (size > 1)
		fprintf(out, "x%lld", size);
}

static inline void put_part(FILE *out, LINE_HOST host, long long count, ARGUMENT_TYPE(Datatype) type)
{
	put_elements(out, count, line_type_size(host, type));
}

/* Puts counts for each rank: a type without data has zeros. */
static inline void put_parts(FILE *out, LINE_HOST host, const int *counts, long long size, ARGUMENT_TYPE(Comm) comm)
{
	int ranks = line_ranks(host, comm);

	for (int i = 0; i < ranks; i++)
		fprintf(out, "%s%d", i ? "," : " ", size ? counts[i] : 0);
	if (size > 1)
		fprintf(out, "x%lld", size);
}

static inline void put_comm(FILE *out, LINE_HOST host, ARGUMENT_TYPE(Comm) comm)
{
	int number = line_comm_number(host, comm);

	if (number == LINE_COMM_SELF)
		fputs(" comm=self", out);
	else if (number >= 0)
		fprintf(out, " comm=%d", number);
}

/* The words of a send or a receive. */
static inline void put_transfer(FILE *out, LINE_HOST host, int peer, int tag, long long count,
				ARGUMENT_TYPE(Datatype) type, ARGUMENT_TYPE(Comm) comm)
{
	put_peer(out, peer, tag);
	put_part(out, host, count, type);
	put_comm(out, host, comm);
}

/* ---- collective operations ---- */

/* Elements that a rank gives or gets, in all or by rank. */
struct line_part {
	const int *counts;
	int count;
	bool many, there; /* there: else it counts at another rank alone, or is nothing */
	ARGUMENT_TYPE(Datatype) type;
};

static inline struct line_part part_in(const struct collective_args *a, bool root)
{
	return (struct line_part){.counts = a->in_counts,
				  .count = a->in_count,
				  .many = a->has & BIT(IN_COUNTS),
				  .there = root || !(a->has & BIT(IN_ROOT)),
				  .type = a->in_type};
}

static inline struct line_part part_out(const struct collective_args *a, bool root)
{
	return (struct line_part){.counts = a->out_counts,
				  .count = a->out_count,
				  .many = a->has & BIT(OUT_COUNTS),
				  .there = root || !(a->has & BIT(OUT_ROOT)),
				  .type = a->out_type};
}

static inline void put_line_part(FILE *out, LINE_HOST host, const struct line_part *p, ARGUMENT_TYPE(Comm) comm)
{
	long long size = p->there ? line_type_size(host, p->type) : 0;

	if (p->many)
		put_parts(out, host, p->counts, size, comm);
	else
		put_elements(out, p->count, size);
}

/* A rank that gives no buffer gives from where it gets, or gets where it gives, if both are counted in one way. */
static inline void part_in_place(struct line_part *p, const struct line_part *other)
{
	if (p->many == other->many)
		*p = *other;
	p->there = p->many == other->many;
}

static inline void put_two_parts(FILE *out, LINE_HOST host, const struct collective_args *a)
{
	bool root = !(a->has & BIT(ROOT)) || line_is_root(host, a->comm, a->root);
	struct line_part in = part_in(a, root), to = part_out(a, root);

	if (a->in == ARGUMENT_TYPE(IN_PLACE) && !(a->has & BIT(IN_ROOT)))
		part_in_place(&in, &to);
	else if (a->out == ARGUMENT_TYPE(IN_PLACE) && !(a->has & BIT(OUT_ROOT)))
		part_in_place(&to, &in);
	put_line_part(out, host, &in, a->comm);
	put_line_part(out, host, &to, a->comm);
}

/* The words of an event behind its name. */
static inline void put_collective(FILE *out, LINE_HOST host, const struct collective_args *a)
{
	static const char *const ops[] = {"", " op=own", " op=ordered"};
	struct line_part all = part_out(a, true);

	if (a->has & (BIT(IN_COUNT) | BIT(IN_COUNTS))) {
		put_two_parts(out, host, a);
	} else if (a->has & BIT(BOTH)) { /* a broadcast goes by basic elements, whatever the type */
		long long size = line_type_size(host, a->out_type);
		long long basic = size ? line_basic_size(host, a->out_type) : 0;

		put_elements(out, basic ? a->out_count * (size / basic) : 0, basic);
	} else if (a->has & (BIT(OUT_COUNT) | BIT(OUT_COUNTS))) {
		put_line_part(out, host, &all, a->comm);
	}
	if (a->root)
		fprintf(out, " root=%d", a->root);
	if (a->has & BIT(OP))
		fputs(ops[line_op(host, a->op)], out);
	put_comm(out, host, a->comm);
}

/* ---- windows ---- */

static inline void put_window(FILE *out, LINE_HOST host, ARGUMENT_TYPE(Win) win)
{
	int number = line_window_number(host, win);

	if (number >= 0)
		fprintf(out, " win=%d", number);
}

/* Where an operation is, in bytes, and what it moves there. */
static inline void put_access(FILE *out, LINE_HOST host, int rank, long long disp, int count,
			      ARGUMENT_TYPE(Datatype) type, ARGUMENT_TYPE(Win) win)
{
	struct line_extent extent;
	long long unit, over, at = 0;

	if (rank == ARGUMENT_TYPE(PROC_NULL)) {
		fputs(" none 0 0", out);
		return;
	}
	extent = line_extent(host, type);
	unit = line_window_unit(host, win, rank);
	over = (count - 1) * extent.bytes;
	if (unit && count && line_type_size(host, type))
		at = disp * unit + extent.lower + (over < 0 ? over : 0);
	fprintf(out, " %d %lld", rank, at);
	put_part(out, host, count, type);
}

static inline void put_group(FILE *out, LINE_HOST host, ARGUMENT_TYPE(Group) group, ARGUMENT_TYPE(Win) win)
{
	int ranks = line_group_size(host, group);

	if (!ranks)
		fputs(" none", out);
	for (int i = 0; i < ranks; i++)
		fprintf(out, "%s%d", i ? "," : " ", line_group_rank(host, group, i, win));
}

static inline void put_lock(FILE *out, int rank, int type)
{
	fprintf(out, " %d %s", rank, type == ARGUMENT_TYPE(LOCK_SHARED) ? "shared" : "exclusive");
}

static inline void put_unchecked(FILE *out, int assertion)
{
	if (assertion & ARGUMENT_TYPE(MODE_NOCHECK))
		fputs(" check=no", out);
}

#endif
#endif
