/* Internal to the pipeline view: an instruction's times as stages, and the interface of a format's writer. */
#ifndef PSIM_VIEW_PIPEVIEW_STAGES_H
#define PSIM_VIEW_PIPEVIEW_STAGES_H

#include "pipeview.h"

enum { VIEW_STAGES_MAX = 48, VIEW_LABEL_MAX = 160 };

struct view_stage {
	uint64_t from;
	const char *name;  /* that of the SPARC64 V documents, if they have it */
	char letter;       /* in the text view */
	const char *stall; /* stall in this stage, or NULL */
};

struct view_stages {
	struct view_stage s[VIEW_STAGES_MAX];
	unsigned count;
	uint64_t end; /* the cycle after the last stage */
};

/* Converts the times of `r` to stages. `ready`: cycle from which its operands allow selection. */
void view_stages(const struct core_config *cfg, const struct view_record *r, uint64_t ready, struct view_stages *s);

/* Writes the disassembled instruction, without tabs, cut to `size`. */
void view_insn_text(const struct view_record *r, char *text, size_t size);

/* A format's writer: kanata_writer is that of VIEW_KANATA. */
struct view_writer {
	void *(*create)(FILE *out, const struct trace_info *info, struct err *e);
	int (*add)(void *state, const struct view_record *r, const struct view_stages *s, struct err *e);
	/* Writes the rest, ends the log, frees. */
	void (*finish)(void *state);
};
#define VIEW_WRITER(id, name) extern const struct view_writer name##_writer;
VIEW_FORMATS(VIEW_WRITER)
#undef VIEW_WRITER

#endif
