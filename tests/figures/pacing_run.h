/*
 * One run of a program of phases (a2at.h) on the system of a configuration file, and a file that keeps what
 * runs gave, so that a study that was ended goes on where it was.
 */
#ifndef PSIM_TESTS_PACING_RUN_H
#define PSIM_TESTS_PACING_RUN_H

#include "a2at.h"

enum { PHASE_ENDS_MAX = 512, MIB = 1 << 20, SEEDS = 5 /* by default */ };
#define JITTER_PS 200000 /* for a spread: phases begin up to 200 ns later */

/* One run's parameters beside those of the file. */
struct variant {
	unsigned n;
	bool cube; /* n x n x n nodes with 6 NICs instead of n x n with 4 */
	uint64_t bytes;
	int64_t jitter_ps;
	int64_t late_ps; /* of node 0 */
	uint64_t seed;
	const char *overrides; /* with blanks between them, or NULL */
};

struct study {
	const char *config;    /* file */
	const char *overrides; /* of all runs, or NULL */
	const char *kept;      /* file of results, or NULL */
	uint64_t bytes;        /* of a message */
	double least_bias;     /* that experiments 3 and 4 try, up to 3 */
	unsigned seeds;        /* of a spread */
	unsigned found, run;   /* results that were there, and that were not */
	bool missed;
};

/*
 * Runs `p` and frees it; or takes the result from the file. `phase_end`: room for the phases' ends, at most
 * PHASE_ENDS_MAX, or NULL. Ends the program with a message where the run fails.
 */
struct a2at_result study_run(struct study *s, const struct variant *v, struct a2at_program *p, double *phase_end);

/* Runs `p`, frees it, and draws links and buffers over time. Nothing is kept. */
struct a2at_result study_draw(struct study *s, const struct variant *v, struct a2at_program *p, const char *title,
			      FILE *out);

/* Milliseconds without jitter, and the least and most over seeds with it (0: not known). */
struct spread {
	double plain, least, most;
};
/* Returns the spread over seeds, for the study's messages; frees `p`. */
struct spread spread_of(struct study *s, struct a2at_program *p, int64_t jitter_ps);

/* Prints a figure beside the paper's; more than 15 % away is missed. */
void study_row(struct study *s, const char *what, double paper, struct spread ours, const char *unit);

/* Milliseconds of an all-to-all with the study's messages if no packet waits: (hops + bias) x a packet's time each. */
double study_free_ms(const struct study *s, unsigned n, double bias);

/* Experiments 3 and, unless `alone_only`, 4: a bias of its own for each phase of 9 x 9. pacing_sequences.c */
void study_sequences(struct study *s, double step, bool alone_only);

/* Prints the time of each phase alone over its bias: figure 16. */
void study_phases(struct study *s, double step);

/* Draws figures 17 to 19 into a folder: links and buffers over time in experiments 3 and 4. */
void study_draw_tuned(struct study *s, const char *folder, double step);

#endif
