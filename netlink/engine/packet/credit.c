/* Pending credits from the third on. */
#include "credit.h"

static uint32_t *later_of(const struct net_engine *n, const struct packet_vc *v)
{
	return &n->later[v - n->vc];
}

/* Moves the first entry of the list to the row's second place. */
void packet_take_later(struct net_engine *n, struct packet_vc *v)
{
	uint32_t *later = later_of(n, v), i = *later;

	v->back_at[1] = CREDIT(n, i)->time;
	v->back_next = CREDIT(n, i)->bytes & CREDIT_MOST;
	*later = CREDIT(n, i)->next;
	v->more = *later != 0;
	packet_pool_give(&n->credits, i);
}

/*
 * Inserts a credit in order of time, after those of the same time: a short packet, or one over a faster link, may
 * leave an input before one that began earlier. If the credit becomes the first, the links that wait for it are
 * rescheduled.
 */
void packet_queue_credit(struct net_engine *n, struct packet_vc *v, uint32_t bytes, int64_t time)
{
	uint32_t *at = later_of(n, v), i;
	struct packet_credit last = {.time = v->back_at[1], .bytes = v->back_next};

	if (time >= v->back_at[1]) {
		last = (struct packet_credit){.time = time, .bytes = bytes};
	} else if (time >= v->back_at[0]) {
		v->back_at[1] = time;
		v->back_next = bytes & CREDIT_MOST;
	} else {
		v->back_at[1] = v->back_at[0];
		v->back_next = v->back;
		v->back_at[0] = time;
		v->back = bytes;
		packet_wake(n, (uint32_t)((size_t)(v - n->vc) / n->vcs), time);
	}
	if (last.time == NET_TIME_NEVER)
		return;
	i = packet_pool_take(n, &n->credits);
	if (!i)
		return;
	while (*at && CREDIT(n, *at)->time <= last.time)
		at = &CREDIT(n, *at)->next;
	last.next = *at;
	*CREDIT(n, i) = last;
	*at = i;
	v->more = true;
}

int64_t packet_held(const struct net_engine *n, const struct packet_vc *v, int64_t capacity, int64_t now)
{
	int64_t bytes = capacity - v->credit;

	if (v->back_at[0] <= now)
		bytes -= v->back;
	if (v->back_at[1] <= now)
		bytes -= v->back_next;
	for (uint32_t c = *later_of(n, v); c && CREDIT(n, c)->time <= now; c = CREDIT(n, c)->next)
		bytes -= CREDIT(n, c)->bytes;
	return bytes;
}

int64_t packet_credit_in_all(const struct net_engine *n, const struct packet_vc *v)
{
	int64_t sum = v->credit;

	sum += v->back_at[0] < NET_TIME_NEVER ? v->back : 0;
	sum += v->back_at[1] < NET_TIME_NEVER ? v->back_next : 0;
	for (uint32_t c = *later_of(n, v); c; c = CREDIT(n, c)->next)
		sum += CREDIT(n, c)->bytes;
	return sum;
}
