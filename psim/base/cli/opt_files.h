/* Files that a command line names: no output may be an input, or another output; those of a run that fails. */
#ifndef PSIM_BASE_OPT_FILES_H
#define PSIM_BASE_OPT_FILES_H

#include "opt_rows.h"

/*
 * Compares the outputs (OPT_WRITES, opt_common.files) with each other, and with all inputs: OPT_READS, OPT_READS_EACH,
 * operands, and what the configuration read and names. An input may be a part of a word: the FILE of NAME=FILE,
 * VALUES:FILE and FILE*FACTOR. Of the words behind `stop_at_operand` the first is an input. Notes in p->common what is
 * there now. 0, or -1 with `e`.
 */
int opt_files_check(const struct opt_program *p, const struct opt_rows *rows, char *operands[], int count,
		    struct err *e);

/* Prints a line for each output that opt_files_check found otherwise: the run has completed it. */
void opt_files_tell(const struct opt_program *p);

#endif
