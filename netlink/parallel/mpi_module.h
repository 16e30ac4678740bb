/*
 * A module that calls an MPI library for the simulator: one for each kind of MPI, loaded while a run needs it. Its
 * symbols are seen by no one else: simulated programs have functions of the same names.
 */
#ifndef PSIM_NETLINK_MPI_MODULE_H
#define PSIM_NETLINK_MPI_MODULE_H

#include <stddef.h>

/* Functions that all processes call in the same order. An error of MPI ends all with the library's message. */
struct mpi_module {
	/* Starts MPI, and gets the number of this process, of all, and of those on this host. Nonzero: failed. */
	int (*begin)(int *me, int *processes, int *here);
	/*
	 * Gives process p the `bytes` at `out + p * bytes`, and gets those at `in + p * bytes`. Polls so often before
	 * it leaves the core to others.
	 */
	void (*all_to_all)(const void *out, void *in, size_t bytes, int polls);
	/* Sends each process out_bytes[p], and receives in_bytes[p]; none to itself. Polls as above. */
	void (*deliver)(const void *const *out, const size_t *out_bytes, void *const *in, const size_t *in_bytes,
			int polls);
	/* Gets the `bytes` at `data` of process `from`. */
	void (*broadcast)(void *data, size_t bytes, int from);
	/* Ends all processes at once. */
	void (*abort)(int status);
	void (*end)(void);
};

/* Name of the one symbol of a module: a const struct mpi_module. */
#define MPI_MODULE_SYMBOL "psim_mpi_module"

#endif
