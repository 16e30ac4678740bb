/*
 * State of the process that ranks may change, and on which the simulator's own files depend: the folder, the umask,
 * descriptors 1 and 2. Ranks share one state, and the simulator has another: they change places when the main loop
 * begins and ends. Names of outputs hold from the folder in which the simulator was started.
 */
#ifndef PSIM_VMPI_PROCESS_STATE_H
#define PSIM_VMPI_PROCESS_STATE_H

#include <stdbool.h>
#include <sys/types.h>

enum { PROCESS_OUTPUTS = 2 }; /* descriptors from 1 on */

struct process_state {
	bool known;                     /* process_state_finish has something to close */
	int folder, ranks_folder;       /* the simulator's, -1: unknown; the ranks', -1: the same */
	mode_t mask, ranks_mask;        /* umask */
	int out[PROCESS_OUTPUTS];       /* copies of the simulator's; -1: closed */
	int ranks_out[PROCESS_OUTPUTS]; /* the ranks', where `own_out`; -1: closed */
	bool own_out[PROCESS_OUTPUTS];
};

/* Takes the present state for both. Call once before ranks or constructors of their program run. */
void process_state_create(struct process_state *p);
/* The simulator's state holds afterwards. */
void process_state_finish(struct process_state *p);

/* Ranks begin to run, or stop. */
void process_state_begin(const struct process_state *p);
void process_state_end(struct process_state *p);

#endif
