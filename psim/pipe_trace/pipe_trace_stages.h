/* Internal to the pipe trace: an instruction's times as stages, and the interface of a format's writer. */
#ifndef PSIM_PIPE_TRACE_STAGES_H
#define PSIM_PIPE_TRACE_STAGES_H

#include "pipe_trace.h"

enum { PIPE_TRACE_STAGES_MAX = 48, PIPE_TRACE_LABEL_MAX = 160 };

struct pipe_trace_stage {
	uint64_t from;
	const char *name;  /* that of the SPARC64 V documents, if they have it */
	char letter;       /* in the text format */
	const char *stall; /* stall in this stage, or NULL */
};

struct pipe_trace_stages {
	struct pipe_trace_stage s[PIPE_TRACE_STAGES_MAX];
	unsigned count;
	uint64_t end; /* the cycle after the last stage */
};

/* Converts the times of `r` to stages. `ready`: cycle from which its operands allow selection. */
void pipe_trace_stages(const struct core_config *cfg, const struct pipe_trace_record *r, uint64_t ready,
		       struct pipe_trace_stages *s);

/* Writes the disassembled instruction, without tabs, cut to `size`. */
void pipe_trace_insn_text(const struct pipe_trace_record *r, char *text, size_t size);

/* A format's writer: kanata_writer is that of PIPE_TRACE_KANATA. */
struct pipe_trace_writer {
	void *(*create)(FILE *out, const struct trace_info *info, struct err *e);
	int (*add)(void *state, const struct pipe_trace_record *r, const struct pipe_trace_stages *s, struct err *e);
	/* Writes the rest, ends the log, frees. */
	void (*finish)(void *state);
};
#define PIPE_TRACE_WRITER(id, name) extern const struct pipe_trace_writer name##_writer;
PIPE_TRACE_FORMATS(PIPE_TRACE_WRITER)
#undef PIPE_TRACE_WRITER

#endif
