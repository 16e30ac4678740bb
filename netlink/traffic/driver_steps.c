/* Traffic that its caller runs step by step, beside others on one network: traffic.h. */
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "driver_state.h"

struct traffic_steps {
	struct traffic_setup setup;
	struct driver driver;
};

struct traffic_steps *traffic_steps_create(const struct traffic_setup *s, struct err *e)
{
	struct traffic_steps *t = mem_alloc(1, sizeof(*t), e);

	if (!t)
		return NULL;
	t->setup = *s;
	if (driver_prepare(&t->driver, &t->setup, e) || driver_start(&t->driver, e)) {
		traffic_steps_destroy(t);
		return NULL;
	}
	return t;
}

int traffic_steps_notice(struct traffic_steps *t, const struct net_notice *x, struct err *e)
{
	return driver_notice(&t->driver, x, e);
}

int64_t traffic_steps_next(const struct traffic_steps *t)
{
	return t->driver.timers.count ? t->driver.timers.at[0].time_ps : NET_TIME_NEVER;
}

int traffic_steps_pauses(struct traffic_steps *t, int64_t now_ps, struct err *e)
{
	return driver_timers(&t->driver, now_ps, e);
}

bool traffic_steps_over(const struct traffic_steps *t)
{
	const struct driver *d = &t->driver;

	for (uint32_t i = 0; i < d->result->ranks; i++)
		if (d->rank[i].wait != WAIT_OVER || d->rank[i].active)
			return false;
	return true;
}

struct traffic_result *traffic_steps_end(struct traffic_steps *t, bool complete, struct err *e)
{
	struct traffic_result *result = t->driver.result;

	result->complete = complete;
	if (driver_end(&t->driver, e))
		return NULL;
	t->driver.result = NULL;
	return result;
}

void traffic_steps_destroy(struct traffic_steps *t)
{
	if (!t)
		return;
	driver_finish(&t->driver);
	free(t);
}
