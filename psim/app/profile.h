/* The profile of a run: its instructions by address, their functions and loops. Internal to the report. */
#ifndef PSIM_APP_PROFILE_H
#define PSIM_APP_PROFILE_H

#include "../core/core.h"

struct profile_insn {
	uint64_t pc, committed, lost;
	const struct insn *insn;
	struct core_detail *detail; /* NULL without */
};

struct place {             /* a function or a loop */
	uint64_t from, to; /* addresses [from, to) */
	uint64_t committed, lost, passes;
	uint64_t self; /* slots of instructions that are in no inner loop */
	const struct trace_symbol *symbol;
};

struct places {
	struct place *at;
	size_t count;
};

struct profile {
	struct profile_insn *insns; /* ascending by address, each once */
	size_t count;
	struct core_detail *details;    /* storage of insns[].detail */
	struct places functions, loops; /* sorted by `self`, most first */
	const struct trace_info *info;
	double width; /* commit slots of a cycle */
	uint64_t cycles;
};

/* Makes the profile of the run so far. 0, or -1 with `e` without memory; profile_free is due in both cases. */
int profile_make(struct profile *p, const struct core *c, const struct core_config *cfg, const struct trace_info *info,
		 struct err *e);
void profile_free(struct profile *p);

/* Leaves out latencies, causes and levels of instructions. */
void profile_forget_details(struct profile *p);

/* The number of the first instruction at or behind an address. */
size_t profile_first(const struct profile *p, uint64_t pc);

/* Commit slots that the instruction used, or that were lost while it was the oldest. */
static inline uint64_t profile_slots(const struct profile_insn *i)
{
	return i->committed + i->lost;
}

enum { PLACE_NAME = 160, PLACE_SOURCE = 160 }; /* sizes of texts */

/* Writes "name", "name+0x40", or the address if no symbol covers it. */
void place_name(const struct place *l, char text[PLACE_NAME]);

/* Writes "file.c:12-17", the lines of the place that are in the file of its first line; "" if they are unknown. */
void place_source(const struct profile *p, const struct place *l, char text[PLACE_SOURCE]);

/* Checks before a run that the program has --annotate's NAME. 0, or -1 with `e`. */
int place_check(const struct trace_info *info, const char *name, struct err *e);

/* Finds a place by --annotate's NAME. NULL and `e` if the run has none. */
const struct place *place_find(const struct profile *p, const char *name, struct err *e);

#endif
