/* What the two halves of a log share: series (log_series.c) and events (log.c). */
#ifndef PSIM_NETLINK_LOG_PARTS_H
#define PSIM_NETLINK_LOG_PARTS_H

#include "log.h"

struct log_series {
	const struct topology *t;
	int64_t interval, next;
	bool widening;
	unsigned width;      /* doubles in a row */
	double *at;
	uint32_t rows, room;
};

void log_series_init(struct log_series *s, const struct net_log_setup *setup);
void log_series_finish(struct log_series *s);
int log_series_add(struct log_series *s, const struct net_log_class *classes,
                   const uint32_t fill[NET_LOG_FILL_CLASSES], const double *filled);
void log_series_report(const struct log_series *s, struct report *r);

#endif
