/* An event of a trace, as the functions that make its call see it. */
#ifndef PSIM_VMPI_REPLAY_CALL_H
#define PSIM_VMPI_REPLAY_CALL_H

#include "../message/message.h"
#include "../message/collective_events.h"
#include "replay_read.h"
#include "replay_simgrid.h"

struct replay;

enum { WORDS_MOST = 8, WORDS_ANY = 1000 /* the event reads its line */ };

/* A request, and what its operation holds until the rank has waited for it. */
struct replay_request {
	VMPI_Request handle;
	int *held[4];
	bool makes;     /* it ends with a communicator, whose handle held[0] is */
	long long made; /* by its number in the trace */
};
/* A communicator or window by its number in the trace. */
struct replay_comm {
	long long id;
	int handle;
};
struct replay_rank {
	struct vec_of(struct replay_request) requests; /* by number */
	struct vec_of(struct replay_comm) comms;       /* that the rank has made */
	struct vec_of(struct replay_comm) windows;     /* likewise */
	struct vec_of(VMPI_Request) waits;             /* of its present wait */
	int *held[4];                                  /* of its present call, if that blocks */
	struct simgrid_rank simgrid;
	uint32_t line; /* of its present event */
};

/* An event: its words and settings. */
struct replay_call {
	struct vmpi *v;
	struct replay *p;
	struct replay_rank *r;
	uint32_t line;
	char *word[WORDS_MOST], *rest; /* rest: all words, of an event of WORDS_ANY; else NULL */
	unsigned words;
	VMPI_Comm comm;
	long long made; /* new=: number of the communicator or window; -1: none */
	VMPI_Win win;   /* win=; 0: none */
	bool unchecked; /* check=no */
	int root;
	VMPI_Op op;            /* 0: a predefined one */
	VMPI_Request *request; /* req=; NULL: the call blocks */
	size_t number;         /* of req= */
	int **held;            /* by the rank, or by the request */
	unsigned holds;
};

/* A part of a buffer: "1000", "1000x8", "10,20,30x8". */
struct replay_part {
	int *counts, *places; /* by rank; NULL: one count */
	int count;
	VMPI_Datatype type;
};

/* Ends the run at the line. */
__attribute__((format(printf, 2, 3), noreturn)) void replay_wrong(const struct replay_call *c, const char *format, ...);
__attribute__((noreturn)) void replay_short(const struct replay_call *c); /* of memory */

/* A number at the begin of `text`, which ends there, or at *end. */
long long replay_number_at(const struct replay_call *c, const char *text, const char **end, long long least,
			   long long most, const char *what);
/* Word `i` as a number. */
long long replay_number(const struct replay_call *c, unsigned i, long long least, long long most, const char *what);
/* Memory for a number by rank, until the operation is done. */
int *replay_hold(struct replay_call *c, size_t count);
/* Reads word `i`; with `many` it is a count for each rank of the communicator. */
struct replay_part replay_part_at(struct replay_call *c, unsigned i, bool many);

/* ---- replay_window.c ---- */

/* Makes a group of ranks of `all`, which the first word lists; the caller releases it. */
VMPI_Group replay_group(struct replay_call *c, const struct group *all);
/* win=: makes the window that of the call. */
void replay_read_window(struct replay_call *c, const char *text);
/* Events of windows. */
#define EVENT(...)
#define WINDOW_EVENT(name, ...) int replay_##name(struct replay_call *c);
#include "events.def"

#endif
