/*
 * A channel of the memory: its banks with the earliest clock of each command (dram_bank.c), its queues and scheduler
 * (dram_schedule.c). Used by dram*.c alone. All times are clocks of the memory.
 */
#ifndef PSIM_MEMORY_DRAM_CHANNEL_H
#define PSIM_MEMORY_DRAM_CHANNEL_H

#include "dram.h"
#include "dram_map.h"

#define CLOCK_NEVER UINT64_MAX
#define NO_ROW UINT64_MAX

enum dram_command { COMMAND_PRECHARGE, COMMAND_ACTIVATE, COMMAND_READ, COMMAND_WRITE, COMMAND_REFRESH };

struct dram_bank {
	uint64_t row;                              /* open, or NO_ROW */
	uint64_t activate, precharge, read, write; /* the earliest clock of each; those of the group and rank apart */
	unsigned hits;                             /* accesses of the open row */
};
struct dram_group {
	uint64_t activate, read, write;
};
struct dram_rank {
	uint64_t activate, read, write;
	uint64_t four[4]; /* clocks of the last activations, a ring */
	unsigned oldest;
	uint64_t refresh; /* due in this clock */
	unsigned open;    /* banks with an open row */
	uint64_t since;   /* the first of them has been since then */
};

/* A request in a queue, which is in the order of arrival. */
struct dram_request {
	uint64_t line, at, row; /* at: clock of its arrival */
	unsigned bank;          /* of the channel: rank, group, bank */
	unsigned bursts;        /* read or write commands that remain */
	uint64_t cycle;         /* of the core: of its arrival */
	unsigned owner, source;
	bool begun;      /* it has been counted as a hit or otherwise */
	unsigned passed; /* requests that were served at once while it was the oldest */
};
struct dram_queue {
	struct dram_request *request;
	unsigned count, room;
	unsigned window; /* the scheduler selects among the first so many */
};

/* The command that the scheduler issues next. */
struct dram_plan {
	bool valid;
	uint64_t clock; /* CLOCK_NEVER: none */
	enum dram_command command;
	unsigned bank, rank;
	unsigned index; /* of the request in the queue, unless it is for a refresh */
	bool refresh;
	bool write;    /* of the queue of writes */
	bool draining; /* c->draining from then on */
};

struct dram_channel {
	const struct dram_params *p;
	unsigned banks, group_banks, rank_banks; /* of the channel, a group, a rank */
	unsigned line_bursts, burst_clocks;
	struct dram_bank *bank;
	struct dram_group *group;
	struct dram_rank *rank;
	struct dram_queue reads, writes;
	bool draining; /* writes go first, until a quarter of the queue remains */
	uint64_t time; /* first clock without a command */
	struct dram_plan plan;
	uint8_t *older; /* scratch of the scheduler, for each bank */
	unsigned *wants;
	struct dram_counts *of; /* counts of each owner */
	unsigned owner;         /* whose command is issued */
};

/* ---- dram_bank.c ---- */

/* 0, or -1 where memory is short; dram_channel_finish in either case. */
int dram_channel_init(struct dram_channel *c, const struct dram_params *p, unsigned line_bytes, unsigned reads,
		      unsigned writes, struct dram_counts *of);
void dram_channel_finish(struct dram_channel *c);
/* The earliest clock of a command for a bank; of a refresh, for the bank's rank. */
uint64_t dram_earliest(const struct dram_channel *c, enum dram_command command, unsigned bank);
/* Issues a command in clock `t`; `row`: of an activation. */
void dram_issue(struct dram_channel *c, enum dram_command command, unsigned bank, uint64_t row, uint64_t t);
/* Closes the bank by itself after the read or write command of clock `t`, as early as it may. */
void dram_close(struct dram_channel *c, unsigned bank, uint64_t t);

static inline struct dram_counts *dram_count(const struct dram_channel *c)
{
	return &c->of[c->owner];
}

static inline unsigned dram_rank_of(const struct dram_channel *c, unsigned bank)
{
	return bank / c->rank_banks;
}

/* ---- dram_schedule.c ---- */

/* Adds a request, in its order. */
void dram_queue_add(struct dram_channel *c, struct dram_queue *q, const struct dram_request *r);
void dram_queue_remove(struct dram_queue *q, unsigned n);
/* Makes c->plan valid: the next command, if no request arrives before it. */
void dram_plan_next(struct dram_channel *c);
/* Issues c->plan. True if it was the last read command of a request, which *out has. */
bool dram_step(struct dram_channel *c, struct dram_request *out);
/* Issues all commands of `r`, not before clock `t`; returns the clock of its last read or write command. */
uint64_t dram_serve_first(struct dram_channel *c, const struct dram_request *r, bool write, uint64_t t);
/* The earliest clock, not before `t`, of the last read command of a waiting request. */
uint64_t dram_earliest_read(const struct dram_channel *c, const struct dram_request *r, uint64_t t);

#endif
