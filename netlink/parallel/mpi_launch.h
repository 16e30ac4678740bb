/*
 * How this process was started: by the mpirun of an MPI, with others, or alone. mpirun says it in environment
 * variables; no MPI is loaded for it.
 */
#ifndef PSIM_NETLINK_MPI_LAUNCH_H
#define PSIM_NETLINK_MPI_LAUNCH_H

enum mpi_kind { MPI_KIND_NONE, MPI_KIND_MPICH, MPI_KIND_OPENMPI };

/* Returns the kind of MPI, and the number of this process and of all; MPI_KIND_NONE: alone, me 0 of 1. */
enum mpi_kind mpi_launched(unsigned *me, unsigned *processes);

/*
 * Returns how many tasks srun of SLURM has started without an MPI between them, as without --mpi, where this process is
 * the first; else 1. Each is a run of its own.
 */
unsigned mpi_launched_apart(void);

#endif
