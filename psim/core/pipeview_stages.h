/* Inside the pipeline view: an instruction's times as stages; the two formats. */
#ifndef PSIM_CORE_PIPEVIEW_STAGES_H
#define PSIM_CORE_PIPEVIEW_STAGES_H

#include "pipeview.h"

enum { VIEW_STAGES_MAX = 48, VIEW_LABEL_MAX = 160 };

struct view_stage {
	uint64_t from;
	const char *name;  /* as in the SPARC64 V documents where it is one of theirs */
	char letter;       /* in the text view */
	const char *stall; /* what it waits for in this stage, or NULL */
};

struct view_stages {
	struct view_stage s[VIEW_STAGES_MAX];
	unsigned count;
	uint64_t end; /* the cycle after the last stage */
};

/* `ready`: cycle from which all its operands allowed selection. */
void view_stages(const struct core_config *cfg, const struct view_record *r, uint64_t ready, struct view_stages *s);

/* The instruction as text without tabs, cut to `size`. */
void view_insn_text(const struct view_record *r, char *text, size_t size);

/* ---- the formats: pipeview_kanata.c, pipeview_text.c ---- */
struct kanata;
struct kanata *kanata_create(FILE *out, const struct trace_info *info, struct err *e);
int kanata_add(struct kanata *k, const struct view_record *r, const struct view_stages *s, struct err *e);
/* Writes the rest, ends the log, frees. */
void kanata_finish(struct kanata *k);

struct text_view;
struct text_view *text_view_create(FILE *out, const struct trace_info *info, struct err *e);
void text_view_add(struct text_view *t, const struct view_record *r, const struct view_stages *s);
void text_view_finish(struct text_view *t);

#endif
