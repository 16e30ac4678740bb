/* Outputs of a run: the report's file, the files of RUN_OUTPUTS, and the records for them. */
#ifndef PSIM_NETLINK_RUN_OUTPUTS_H
#define PSIM_NETLINK_RUN_OUTPUTS_H

#include "../../../psim/base/report/out.h"
#include "../../log/log.h"
#include "../../traffic/matrix.h"
#include "../../traffic/pattern_writer.h"
#include "run_inputs.h"
#include "run_machine.h"

struct run_outputs {
	struct out *report;
	struct {
#define OUTPUT(option, name) struct out *name;
		RUN_OUTPUTS(OUTPUT)
#undef OUTPUT
	} file;                        /* NULL: not requested */
	struct net_log *log;           /* NULL: neither timelines nor series */
	struct comm_matrix *matrix;    /* matrix of --matrix */
	struct pattern_writer *writer; /* pattern of --write-pattern */
	bool matrix_short;             /* out of memory for the matrix */
	struct err matrix_error;
};

/* Opens all outputs before the run, so that a file that cannot be written is reported at once. 0, or -1 with `e`. */
int outputs_open(struct run_outputs *out, const struct run_inputs *in, const struct run_machine *m, struct err *e);

/* Adds a message to the matrix; if memory is short, outputs_close reports it. */
void outputs_add_message(struct run_outputs *out, uint32_t src, uint32_t dst, uint64_t bytes);

/* Begins all outputs but the report again, before the run is repeated. 0, or -1 with `e`. */
int outputs_again(struct run_outputs *out, const struct run_inputs *in, const struct run_machine *m, struct err *e);

/* Keeps the first error of outputs, and removes the file that one of them did not complete. */
void output_failed(struct out **file, const struct err *why, struct err *first);

/* Writes matrix, log and the picture of the series. One that fails costs no other; *first gets the first error. */
void outputs_write(struct run_outputs *out, const struct settings *s, struct err *first);

/* Closes all files except the report's; *first gets the first error. */
void outputs_close(struct run_outputs *out, struct err *first);

/* Removes the files of a failed run, and frees all. */
void outputs_finish(struct run_outputs *out);

#endif
