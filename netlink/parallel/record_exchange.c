#include "record_exchange.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../psim/base/mem.h"
#include "exchange_state.h"

enum { ALIGN = 8 };

/* ---- creation ---- */
struct exchange *exchange_create(unsigned processes, struct err *e)
{
	struct exchange *x = mem_alloc(1, sizeof(*x), e);

	if (!x)
		return NULL;
	x->processes = processes;
	x->transport = &forked_exchange;
	x->state = forked_exchange_create(processes, e);
	if (x->state)
		return x;
	free(x);
	return NULL;
}

struct exchange *exchange_join(enum mpi_kind kind, struct err *e)
{
	struct exchange *x = mem_alloc(1, sizeof(*x), e);

	if (!x)
		return NULL;
	x->transport = &mpi_exchange;
	x->state = mpi_exchange_create(kind, &x->me, &x->processes, e);
	if (x->state)
		return x;
	free(x);
	return NULL;
}

void exchange_destroy(struct exchange *x)
{
	if (!x)
		return;
	x->transport->destroy(x);
	for (unsigned p = 0; p < x->processes; p++) {
		vec_finish(&x->out[p]);
		vec_finish(&x->in[p]);
	}
	free(x);
}

unsigned exchange_processes(const struct exchange *x)
{
	return x->processes;
}

unsigned exchange_me(const struct exchange *x)
{
	return x->me;
}

void exchange_pass_signal(struct exchange *x, int signal)
{
	if (x->transport->pass_signal)
		x->transport->pass_signal(x, signal);
}

void exchange_watch_signals(struct exchange *x, int (*wanted)(void))
{
	x->wanted = wanted;
}

int exchange_begin(struct exchange *x, struct err *e)
{
	return x->transport->begin(x, e);
}

/* ---- records ---- */
void *exchange_put(struct exchange *x, unsigned to, size_t bytes)
{
	struct bytes *out = &x->out[to];
	void *at;

	bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
	if (vec_reserve(out, bytes, NULL) < 0)
		return NULL;
	at = out->at + out->count;
	out->count += bytes;
	return at;
}

const void *exchange_got(const struct exchange *x, unsigned from, size_t *bytes)
{
	*bytes = x->got[from].bytes;
	return x->got[from].at;
}

/* ---- steps ---- */
void exchange_reduce(struct published *all, const struct published *other)
{
	for (unsigned i = 0; i < sizeof(all->values.least) / sizeof(all->values.least[0]); i++)
		if (other->values.least[i] < all->values.least[i])
			all->values.least[i] = other->values.least[i];
	for (unsigned i = 0; i < sizeof(all->values.sum) / sizeof(all->values.sum[0]); i++)
		all->values.sum[i] += other->values.sum[i];
	all->more |= other->more;
	all->failed = other->failed < all->failed ? other->failed : all->failed;
}

/* Ends all; those that do not return end without exit(3), so files that ranks have left open are written here. */
static void record_exchange_end(struct exchange *x, bool failed)
{
	x->ended = true;
	if (x->me)
		fflush(NULL);
	x->transport->end(x, failed);
}

/* One round; after a failure anywhere all processes end, and the first one returns -1 with its error. */
static int64_t record_exchange_one_round(struct exchange *x, size_t done, struct published *mine, struct err *e)
{
	int64_t bytes = x->transport->round(x, done, mine, e);

	if (bytes < 0 || mine->failed == EXCHANGE_MOST)
		return bytes;
	x->transport->error_of(x, mine->failed, e);
	record_exchange_end(x, true);
	return -1;
}

int exchange_step(struct exchange *x, struct exchange_values *values, struct err *e)
{
	struct published all;
	size_t done = 0;

	for (unsigned p = 0; p < x->processes; p++) {
		x->in[p].count = 0;
		x->got[p] = (struct got){NULL, 0};
	}
	do {
		int64_t bytes;

		all = (struct published){.values = *values, .failed = EXCHANGE_MOST};
		bytes = record_exchange_one_round(x, done, &all, e);
		if (bytes < 0)
			return -1;
		done += (size_t)bytes;
	} while (all.more);
	*values = all.values;
	for (unsigned p = 0; p < x->processes; p++)
		x->out[p].count = 0;
	return 0;
}

int exchange_fail(struct exchange *x, struct err *e)
{
	struct published mine = {.failed = x->me};

	if (x->ended)
		return -1;
	x->failure = *e;
	record_exchange_one_round(x, 0, &mine, e);
	return -1;
}

int exchange_end(struct exchange *x, struct err *e)
{
	struct exchange_values none = {{0}, {0}};

	if (exchange_step(x, &none, e) < 0)
		return -1;
	record_exchange_end(x, false);
	return 0;
}
