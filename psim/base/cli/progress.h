/*
 * Progress on stderr, and signals as flags.
 *
 * On a terminal progress is one line with share done, rate and time left, after the first second;
 * otherwise a line a minute. SIGINT, SIGTERM and SIGHUP set a flag, on which the main loop ends in
 * good order; another one, more than a second later, kills. SIGUSR1 requests a status line at once.
 * Only a program's outermost loop calls this, every some 10000 instructions.
 */
#ifndef PSIM_BASE_PROGRESS_H
#define PSIM_BASE_PROGRESS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct progress {
	const char *program, *unit;
	uint64_t total; /* 0: unknown */
	bool quiet, terminal, shown;
	uint64_t from;            /* units that another run has done: progress_from */
	double start, next;       /* host seconds */
	struct sigaction held[4]; /* actions of the signals to restore */
};

/*
 * Starts the display and catches signals. `unit` is what is counted ("insn"). `quiet` suppresses
 * all lines but keeps the signals. Strings must outlive `p`.
 */
void progress_start(struct progress *p, const char *program, const char *unit, uint64_t total, bool quiet);

/* The first `done` units were done by another run: rate and time left are of the others, from now on. */
void progress_from(struct progress *p, uint64_t done);

/*
 * Reports that `done` units are done, with a short note for the line (NULL if none). Returns false
 * once a signal has requested the run's end.
 */
bool progress_step(struct progress *p, uint64_t done, const char *note);

/* Clears the line and restores the signals' actions. */
void progress_end(struct progress *p);

/* The signal that requested the run's end, 0 if none did. */
int progress_signal(void);
/* The same; 0 if another process of the run has passed it on (sigqueue). */
int progress_signal_own(void);

#endif
