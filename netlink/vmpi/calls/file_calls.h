/* Functions that the files of MPI-IO's calls share. */
#ifndef PSIM_VMPI_FILE_CALLS_H
#define PSIM_VMPI_FILE_CALLS_H

#include "../collectives/collective.h"
#include "../message/mpi_file.h"
#include "object_calls.h"

/* Every call of an open file begins here. NULL: an unknown handle, *ret is the error. */
struct mpi_file *file_enter(struct vmpi *v, enum call_id call, VMPI_File fh, struct file_part **p, int *ret);

/* The error class of an errno. */
int file_error_class(int failed);

/* Reports errno `failed` of a file by the rank's error handler of it; 0: VMPI_SUCCESS. */
int file_report(struct vmpi *v, VMPI_File fh, const char *what, int failed);

/* The running rank waits until `done`. */
void file_wait(struct vmpi *v, int64_t done);

#endif
