/* What patterns and pattern files are made of; for the files of this folder. */
#ifndef PSIM_NETLINK_TRAFFIC_STATE_H
#define PSIM_NETLINK_TRAFFIC_STATE_H

#include "../../psim/base/config/config.h"
#include "traffic.h"

/* The keys, from the rows of pattern.def. */
struct pattern_config {
#define SECTION(name, doc) struct pattern_params {
#define P(field, type, initial, min, max, unit, doc) PARAM_CTYPE_##type(field);
#define E(field, initial, choices, doc) unsigned field;
#define END(name) \
	} \
	name;
#define PATTERN(name, check, one_sided, doc)
#include "pattern.def"
#undef SECTION
#undef P
#undef E
#undef END
#undef PATTERN
};

/* Where a rank's messages of a step go and where those come from that go to it. */
enum { EXCHANGE_MAX = 33 };
struct exchange {
	unsigned sends, receives;
	uint32_t to[EXCHANGE_MAX], from[EXCHANGE_MAX];
	int32_t nic;              /* of the first send, the others have the next ones; or NET_NIC_ANY */
	bool receive_first, wait; /* otherwise as the key `wait` says */
};

struct pattern_kind {
	const char *name, *doc;
	/* Further rules; steps, messages and sends that go together. 0, or -1 with `e`. */
	int (*check)(struct traffic *t, struct err *e);
	/* Fills `x`, which is empty; `step` < t->steps. */
	void (*step)(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x);
	bool one_sided; /* who sends to a rank is not known: no waiting for it */
};

enum { GRID_DIMENSIONS_MAX = 8 };

/* A rank's entries of a file: entry[first[rank] … first[rank + 1] - 1]. */
struct file_queues {
	size_t *first;
	struct traffic_entry *entry;
};

struct traffic {
	uint32_t ranks;
	unsigned outstanding;
	bool waits;        /* there are entries TRAFFIC_RECEIVE */
	uint64_t messages; /* 0: not known */
	int64_t overhead;  /* ps of a rank's processor for a message, at each end */
	double copy;       /* bytes/s of it; 0: no time */
	/* a pattern */
	const struct pattern_kind *kind;
	struct pattern_config keys;
	const struct topology *topology;
	uint64_t steps; /* of a round */
	unsigned dimensions;
	uint32_t dims[GRID_DIMENSIONS_MAX];
	double mean_interval_ps;                /* of a load */
	double bytes_per_s;                     /* what a rank can inject; likewise */
	int64_t window_begin_ps, window_end_ps; /* what is measured; equal: no load */
	uint32_t *ring, *position;              /* random_ring: rank at a position, position of a rank */
	/* a file */
	struct file_queues file;
};

/* pattern_kinds.c: the table, in the order of pattern.def. */
const struct pattern_kind *pattern_kinds(unsigned *count);

#endif
