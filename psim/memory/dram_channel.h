/*
 * A channel of the memory: its banks with the earliest clock of each command (dram_bank.c), its queues and what
 * schedulers share (dram_schedule.c), the schedulers (dram_first_ready.c, dram_in_turn.c). Used by dram*.c alone. All
 * times are clocks of the memory.
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
	uint64_t entered; /* clock from which it is in its bank's queue, where the scheduler has such; or CLOCK_NEVER */
	bool begun;       /* it has been counted as a hit or otherwise */
	unsigned passed;  /* requests that were served at once while it was the oldest */
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
	bool write;        /* of the queue of writes */
	unsigned draining; /* c->draining from then on */
};

struct dram_channel {
	const struct dram_params *p;
	unsigned banks, group_banks, rank_banks; /* of the channel, a group, a rank */
	unsigned line_bursts, burst_clocks;
	struct dram_bank *bank;
	struct dram_group *group;
	struct dram_rank *rank;
	struct dram_queue reads, writes;
	const struct dram_scheduler_kind *scheduler;
	unsigned draining; /* writes go: those that still do so, or just whether; as the scheduler has it */
	uint64_t time;     /* first clock without a command */
	uint64_t settled;  /* requests that have entered before this clock have done so for good */
	unsigned turn;     /* bank of the last request's command */
	struct dram_plan plan;
	uint8_t *older; /* scratch of the scheduler, for each bank */
	unsigned *wants;
	uint64_t *first;
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

static inline unsigned dram_in_window(const struct dram_queue *q)
{
	return q->count < q->window ? q->count : q->window;
}

static inline bool dram_is_open_for(const struct dram_channel *c, const struct dram_request *r)
{
	return c->bank[r->bank].row == r->row;
}

static inline bool dram_refresh_is_due(const struct dram_channel *c, const struct dram_request *r, uint64_t t)
{
	return c->rank[dram_rank_of(c, r->bank)].refresh <= t;
}

/* ---- schedulers ---- */

/* DRAM_X of DRAM_SCHEDULERS in core_config.h has the row DRAM_X_kind. */
struct dram_scheduler_kind {
	/* Makes c->plan valid: the next command, if no request arrives before it. */
	void (*plan)(struct dram_channel *c);
};
#define DRAM_SCHEDULER_ROW(id, name) extern const struct dram_scheduler_kind id##_kind;
DRAM_SCHEDULERS(DRAM_SCHEDULER_ROW)
#undef DRAM_SCHEDULER_ROW

const struct dram_scheduler_kind *dram_scheduler_kind(const struct dram_params *p);

/* ---- dram_schedule.c ---- */

enum { ORDER_REFRESH, ORDER_REQUESTS }; /* of commands that may go in the same clock: the smaller first */

/* A choice among the commands that may go. */
struct dram_choice {
	uint64_t t;    /* no command goes before this clock */
	uint64_t wake; /* the first clock behind it with another state: an arrival, a refresh */
	struct dram_plan best;
	uint64_t order;    /* of the best */
	bool write;        /* commands are for requests of the writes */
	unsigned draining; /* as c->draining, in clock t */
};

void dram_wake_at(struct dram_choice *k, uint64_t clock);
/* Wakes at the first arrival behind k->t, among the first `count` requests. */
void dram_wake_for(const struct dram_queue *q, unsigned count, struct dram_choice *k);
/*
 * Takes the command, if it may go earlier than the best, or in the same clock with a smaller order. `index`: of the
 * request in its queue.
 */
void dram_offer(const struct dram_channel *c, struct dram_choice *k, enum dram_command command, unsigned bank,
		uint64_t order, unsigned index);
/* Refreshes that are due: a rank's open banks are precharged, then it is refreshed. */
void dram_offer_refreshes(const struct dram_channel *c, struct dram_choice *k);

/* Adds a request, in its order. */
void dram_queue_add(struct dram_channel *c, struct dram_queue *q, const struct dram_request *r);
void dram_queue_remove(struct dram_queue *q, unsigned n);
/* Issues c->plan. True if it was the last read command of a request, which *out has. */
bool dram_step(struct dram_channel *c, struct dram_request *out);
/* Issues all commands of `r`, not before clock `t`; returns the clock of its last read or write command. */
uint64_t dram_serve_first(struct dram_channel *c, const struct dram_request *r, bool write, uint64_t t);
/* The earliest clock, not before `t`, of the last read command of a waiting request. */
uint64_t dram_earliest_read(const struct dram_channel *c, const struct dram_request *r, uint64_t t);

#endif
