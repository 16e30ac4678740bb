/* Patterns and pattern files; private to this folder. */
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

/* Destinations and sources of a rank's messages in a step. */
enum { EXCHANGE_MAX = 33 };
struct exchange {
	unsigned sends, receives;
	uint32_t to[EXCHANGE_MAX], from[EXCHANGE_MAX];
	int32_t nic;              /* of the first send, the others have the next ones; or NET_NIC_ANY */
	bool receive_first, wait; /* if false, the key `wait` decides */
};

struct pattern_kind {
	const char *name, *doc;
	/* Checks further rules; sets steps, messages and concurrent sends. 0, or -1 with `e`. */
	int (*check)(struct traffic *t, struct err *e);
	/* Fills `x`, which is zeroed; `step` < t->steps. */
	void (*step)(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x);
	bool one_sided; /* receivers do not know the senders, so they cannot wait */
};

enum { GRID_DIMENSIONS_MAX = 8, PATTERN_KINDS_MAX = 32 };

/* A rank's entries of a file: entry[first[rank] … first[rank + 1] - 1]. */
struct file_queues {
	size_t *first;
	struct traffic_entry *entry;
};

struct traffic {
	uint32_t ranks;
	unsigned outstanding;
	bool waits;        /* some entry is TRAFFIC_RECEIVE */
	bool endless;      /* its caller ends it */
	uint64_t messages; /* 0: unknown */
	int64_t overhead;  /* ps of a rank's processor for a message, at each end */
	double copy;       /* bytes/s of the same; 0: copying takes no time */
	/* a pattern */
	const struct pattern_kind *kind;
	struct pattern_config keys;
	struct config *config;         /* of these keys */
	char by_kind[40];              /* "by ring": why a key is unused */
	const struct traffic_job *job; /* while it is made; NULL: none */
	const struct topology *topology;
	uint64_t steps; /* of a round */
	unsigned dimensions;
	uint32_t dims[GRID_DIMENSIONS_MAX];
	double mean_interval_ps;       /* between messages of a rank; open loop only */
	double bytes_per_s;            /* injection bandwidth of a rank; open loop only */
	int64_t measure_ps, batch_ps;  /* begin and length of batches (traffic.h); 0: no open loop */
	double mix[PATTERN_KINDS_MAX]; /* mix: weights, by the kinds' places in their table */
	double mix_sum;
	struct pairs *pairs;       /* pairs */
	uint32_t *ring, *position; /* random_ring: rank at a position, position of a rank */
	/* a file */
	struct file_queues file;
};

/* Returns the table in pattern_kinds.c, in the order of pattern.def. */
const struct pattern_kind *pattern_kinds(unsigned *count);

#endif
