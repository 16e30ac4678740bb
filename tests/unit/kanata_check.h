/*
 * A checker of Kanata 0004 logs, written from the format's description
 * (docs/kanata-log-format.md of the Konata viewer) and not from our writer.
 *
 * What it demands: the header; commands with their number of fields; C= once and
 * first; time that goes on only; ids 0, 1, 2 … in order of their I; every other
 * command about an instruction that has begun and not ended; a stage of a lane
 * ended, under its name and in a later cycle, before the lane's next one begins
 * and before R; arrows from instructions that are known; R for all of them, with
 * retirement ids in order.
 */
#ifndef PSIM_TESTS_KANATA_CHECK_H
#define PSIM_TESTS_KANATA_CHECK_H

#include <stdint.h>

enum { KANATA_INSNS = 4096, KANATA_STAGES = 64, KANATA_LANES = 2, KANATA_NAME = 24, KANATA_WAKES = 8 };

struct kanata_stage {
	char name[KANATA_NAME];
	int lane;
	uint64_t from, to; /* cycles [from, to) */
};

struct kanata_insn {
	uint64_t number, begin, end; /* id in the simulator; cycles of I and R */
	char label[200], detail[400];
	struct kanata_stage stage[KANATA_STAGES];
	unsigned stage_count;
	uint64_t producer[KANATA_WAKES];
	unsigned wakes;
};

struct kanata_log {
	struct kanata_insn insn[KANATA_INSNS];
	unsigned count;
	char error[200]; /* "" or "line 12: what is wrong" */
};

/* Reads `text` (NUL-terminated) into `log`. 0, or -1 with log->error. */
int kanata_check(const char *text, struct kanata_log *log);

/* Returns the n-th stage of that name in that lane, or NULL. */
const struct kanata_stage *kanata_find(const struct kanata_insn *i, int lane, const char *name, unsigned n);

#endif
