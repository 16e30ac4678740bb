/* Reads a trace of all ranks, whose lines are in any order, and gives each rank its own ones. */
#ifndef PSIM_VMPI_REPLAY_READ_H
#define PSIM_VMPI_REPLAY_READ_H

#include <stdbool.h>

#include "../../../psim/base/lines.h"
#include "../../../psim/base/vec.h"

enum { REPLAY_LINE_MAX = 4 << 20, REPLAY_RANKS_MAX = 1 << 24, REPLAY_LACKS_MAX = 1024, REPLAY_LACK_MAX = 80 };

/* A line that was read ahead of its rank. */
struct replay_line {
	struct replay_line *next;
	uint32_t number, bytes; /* bytes: in the file */
	char text[];
};
struct replay_queue {
	struct replay_line *first, *last;
};

enum replay_format {
	REPLAY_EVENTS,      /* ours */
	REPLAY_SIMGRID,     /* actions of SimGrid's time-independent traces */
	REPLAY_GOAL,        /* a GOAL schedule, of which the first line is in `text` */
	REPLAY_GOAL_BINARY, /* a binary one, unread */
	REPLAY_ARCHIVE,     /* an OTF2 archive, unread */
	REPLAY_CHAKRA,      /* files of an execution trace, none of which is open */
	REPLAY_WORKLOAD,    /* a workload of ASTRA-sim, of which the first line is in `text` */
};

/* Calls of the recorded run that the trace does not have. */
struct replay_lack {
	uint64_t count;
	char name[REPLAY_LACK_MAX];
};

struct replay_reader {
	char *path;
	FILE *file;
	struct lines lines;
	struct vec_of(struct replay_lack) lacks;
	bool unread;      /* the line in `text` is the next one */
	char *text, *own; /* of REPLAY_LINE_MAX characters: the line that was read; a copy for the caller */
	uint32_t ranks;
	enum replay_format format;
	int element;                /* of SimGrid's: bytes of an element without a type */
	struct replay_queue *ahead; /* by rank */
	uint64_t kept;              /* bytes of the lines there */
	const bool *here;           /* by rank: others' lines are skipped; NULL: all are here */
};

/* Opens a file, and reads its number of ranks. 0, or -1 with `e`; finish in both cases. */
int replay_reader_open(struct replay_reader *r, const char *path, struct err *e);
void replay_reader_finish(struct replay_reader *r);

/*
 * The rank's next event without its number, which the caller may change until the next call: 1; 0 at the end of the
 * trace; -1 with `e`. *number is its line.
 */
int replay_reader_next(struct replay_reader *r, uint32_t rank, char **text, uint32_t *number, struct err *e);

/*
 * How much of the file ranks have taken, and its size, in bytes; false: that is not known, as of a pipe, a compressed
 * file or another format.
 */
bool replay_reader_taken(const struct replay_reader *r, uint64_t *taken, uint64_t *size);

#endif
