/*
 * A trace as gem5's TraceCPU reads it: R. Jagtap, S. Diestelhorst, A. Hansson, M. Jung, N. Wehn, "Exploring system
 * performance using elastic traces: fast, accurate and portable", SAMOS 2016. Two files: instructions with their
 * dependences (src/proto/inst_dep_record.proto of gem5), and fetches (packet.proto).
 */
#ifndef PSIM_TRACES_VIEW_ELASTIC_H
#define PSIM_TRACES_VIEW_ELASTIC_H

#include <stdio.h>

#include "../../psim/base/vec.h"
#include "executed.h"

enum { ELASTIC_WINDOW = 192, ELASTIC_UNITS = REG_COUNT + EXECUTED_WINDOWS * 16, ELASTIC_GRANULES = 1024 };

/* A page of the program and its frame, which are numbered in the order of first use; frame 0: free. */
struct elastic_page {
	uint64_t page, frame;
};

struct elastic {
	FILE *data, *fetch;             /* either may be NULL */
	uint64_t seq;                   /* of the last instruction; the first is 1 */
	uint64_t line;                  /* fetched last, plus one */
	uint64_t writer[ELASTIC_UNITS]; /* the last instruction that wrote a register; 0: none */
	struct {
		uint64_t granule, seq;
	} stored[ELASTIC_GRANULES]; /* the last store to eight bytes, by hash */
	struct elastic_page *pages;
	uint64_t room, frames;
	bool no_memory;
};

/* Writes the heads of both files. */
void elastic_begin(struct elastic *e, FILE *data, FILE *fetch);
/* executed_writer. `elastic`: a struct elastic; files record errors. */
void elastic_write(void *elastic, const struct executed_insn *x, bool taken, uint64_t next);
/* Frees the tables. 0, or -1 with `e`: memory was short. */
int elastic_end(struct elastic *e, struct err *err);

#endif
