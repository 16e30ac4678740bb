/* The pipeline of the hottest loops as a table of the report: data of a page's pictures. Internal to the report. */
#ifndef PSIM_APP_PIPELINE_REPORT_H
#define PSIM_APP_PIPELINE_REPORT_H

#include "profile.h"
#include "../pipe_trace/pipe_trace_samples.h"

/*
 * Adds the table pipeline: for each of the places the instructions of one sample, in the order of commit. The cell
 * `stages` has name and length of each stage, and behind a second comma what it waits for: "IA,1;IT,1;RS,7,operands".
 */
void pipeline_report(const struct pipe_trace_samples *s, const struct place *const *places, unsigned count,
		     const struct trace_info *info, struct report *r);

#endif
