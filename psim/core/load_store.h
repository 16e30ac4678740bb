/* The load/store unit's part of a core: queues by slot, store buffer, accesses to be retried, ports. */
#ifndef PSIM_CORE_LOAD_STORE_H
#define PSIM_CORE_LOAD_STORE_H

#include "core_window.h"
#include "held_ports.h"

/* A request that the memory system has refused, and that will be repeated (lsu_retry.c). */
struct retry {
	uint64_t at;       /* cycle of the next attempt */
	uint64_t known_at; /* loads: cycle from which the miss is known, so that consumers are not woken falsely */
	uint64_t since;    /* loads: cycle of the first refusal */
	uint8_t known;     /* flags of enum mem_known */
	uint8_t why;       /* enum mem_refusal: the last reason */
};
/* A refused software prefetch, whose instruction is done. */
struct queued_prefetch {
	uint64_t ea;
	struct retry retry;
	bool strong;
};

enum store_want {
	WANT_NOTHING,
	WANT_LINE,
	WANT_WRITE
}; /* WANT_LINE: ahead of the write; WANT_WRITE: the oldest store was refused */

struct store_entry { /* a committed store that L1D has not written */
	uint64_t ea;
	uint64_t ready; /* cycle in which its line accepts it; CYCLE_NEVER: not yet requested */
	uint8_t size;
	uint8_t level; /* enum mem_level, once `ready` is known */
	uint8_t want;  /* enum store_want */
	bool scatter;  /* of the PEs: each writes at an index of its own from `ea` */
	struct retry retry;
};

/* Sets are by slot. */
enum { STORE_MARK_BITS = 10 };
struct load_store {
	uint64_t want_port[ROB_WORDS_MAX];     /* at Ps, or postponed from an earlier cycle */
	uint64_t load_blocked[ROB_WORDS_MAX];  /* blocked by a store */
	uint64_t store_unknown[ROB_WORDS_MAX]; /* address not yet computed */
	uint64_t stores[ROB_WORDS_MAX];        /* all stores in the window */
	uint64_t new_stores[ROB_WORDS_MAX];    /* address computed in this cycle: their lines are requested */
	/* loads that have read too early, before an older store with an unknown address that writes these bytes: */
	uint64_t early[ROB_WORDS_MAX];
	uint16_t early_store[ROB_WORDS_MAX * 64]; /* the slot of that store; a load that only tries may have one too */
	uint32_t squashed_stores;                 /* stores squashed so far */
	unsigned blocked_count;
	union {
		struct {
			uint32_t want_count;
			uint16_t new_store_count;
			uint16_t squash; /* the oldest of `early` that is squashed in this cycle, + 1; or 0 */
		};
		uint64_t work; /* all of them: 0 where stage_lsu has nothing of them to do */
	};
	uint8_t store_filter[256]; /* stores in flight by hash of 8-byte granule */
	uint16_t
		store_mark[1 << STORE_MARK_BITS]; /* the same by a better one, which saves searches that find nothing */
	struct store_entry *sb;
	unsigned sb_head, sb_mask, sb_count;
	uint64_t written_at; /* cycle of the last write */
	/* refused requests, which wait for a translation or a miss buffer: of slots, and of store buffer entries */
	uint64_t retrying[ROB_WORDS_MAX];
	struct retry retry[ROB_WORDS_MAX * 64];
	unsigned retrying_count, sb_wants;
	struct queued_prefetch *prefetch; /* the prefetch queue, the oldest first */
	unsigned prefetch_count,
		prefetch_waiting; /* prefetch_waiting: slots in `retrying` that wait for room in the queue */
	uint64_t retry_next;      /* first cycle in which a request may be repeated; CYCLE_NEVER: none */
	unsigned ports_busy;      /* L1D ports taken in this cycle */
	unsigned ports_checked;   /* those of them whose access starts in it, for bank conflicts */
	uint64_t port_ea[4];
	uint8_t port_size[4]; /* bytes of the first cycle */
	struct held_ports held;
	unsigned held_before; /* those of them whose access started in an earlier cycle */
	unsigned beat_bytes;  /* that an access moves in a cycle */
};

#endif
