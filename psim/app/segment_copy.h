/*
 * The process of a segment (psim -j): a copy of the first process, which sends records, and rows over time.
 *
 * A row ends at a multiple of so many cycles of the run. A copy does not know how many cycles of the run were before
 * it, until it is known to be in the true state. So it leaves twins behind: a twin is a copy of the copy that waits.
 * When the copy has its cycle from the first process, it makes rows from there on, and its twins make those before:
 * each simulates from its place to that of the next one, the last one first.
 *
 * The true state may be a mirror image of the copy's (segments.h). Then the copy's records count until an instruction
 * needs the first pipe of the unit. So a copy leaves a stand-in behind, a copy of the copy that waits, for each unit of
 * which no instruction has needed the first pipe; a later one replaces it. It simulates from its place on, in the
 * mirror image, if the first process wants that.
 */
#ifndef PSIM_APP_SEGMENT_COPY_H
#define PSIM_APP_SEGMENT_COPY_H

#include <sys/types.h>

#include "../segments/segments.h"
#include "../../traces/trace.h"

enum { MIRRORED_UNITS = 2, STAND_INS_EACH = 8 }; /* bits of SEGMENT_MIRROR_*; places of stand-ins in a run */

/* The head of what a copy or a twin sends: the words of a record follow. */
struct segment_head {
	uint64_t words;  /* 0: a copy has failed, and ends; a twin: it was the last, and all rows were sent */
	uint64_t behind; /* of a row: the records of the copy before it */
	pid_t stands[MIRRORED_UNITS]; /* of a record: the stand-ins that have been left there; 0: none */
	bool failed;
	struct err err; /* failed */
};

/* An order of the first process to a copy. */
struct segment_order {
	bool goes_on;         /* behind a sync point, as this mirror image: */
	unsigned char mirror; /* SEGMENT_MIRROR_* */
	uint64_t record;      /* else the cycle of the run, `cycle`, at its record of this number */
	uint64_t cycle;
};

enum { TWINS_EACH = 16, TWINS_MOST = TWINS_EACH + SEGMENT_SYNCS + 1 };

struct segment_twin {
	uint64_t from; /* cycle of the process at which it waits */
	int order;     /* where it reads its order */
};

/* The rows of a process. */
struct segment_rows {
	uint64_t interval;              /* cycles of a row; 0: none are wanted */
	bool known;                     /* the cycle of the run is: */
	uint64_t ahead;                 /* what it is more than that of the process */
	uint64_t next;                  /* cycle of the process at which the next row ends */
	uint64_t records;               /* made by the process */
	uint64_t at[SEGMENT_SYNCS + 1]; /* while not known, cycles of the process at them */
	uint64_t apart;                 /* instructions from one twin to the next, at least */
	uint64_t last_instructions;     /* where the last one is */
	struct segment_twin twin[TWINS_MOST];
	unsigned twins;
};

struct segment_copy {
	struct core *core;
	struct trace_reader *trace;
	uint64_t end;    /* the first segment behind its own: there it waits at sync points */
	bool follows;    /* the first process, from where that has ended */
	int fd, rows_fd; /* to the first process; rows_fd: of twins, -1 without rows */
	struct segment_rows rows;
	int stand_in[MIRRORED_UNITS];  /* the sockets of stand-ins to the first process; -1: none are left */
	pid_t stands[MIRRORED_UNITS];  /* the last of them; 0: none */
	uint64_t first_pipe, stand_at; /* units in which instructions have needed it; the segment of the next ones */
};

/* Makes the rows of a process that begins the run. */
void segment_rows_begin(struct segment_rows *rows, uint64_t interval, uint64_t apart);
/*
 * Goes on to the next record, the end of a row, or at most a step: core_run's result. *ret_record: the record, or a
 * row; or NULL.
 */
int segment_go_on(struct core *c, struct segment_rows *rows, const struct segment_record **ret_record,
		  size_t *ret_words, struct err *e);

/* Simulates the segment, and on. */
__attribute__((noreturn)) void segment_copy_run(struct segment_copy *copy);

#endif
