#include "power_bins.h"

enum { FIRST_INTERVAL_PS = 31250, BINS_AUTOMATIC = 256, BINS_MOST = 65536 };

void power_bins_init(struct power_bins *b, int64_t interval)
{
	*b = (struct power_bins){.interval = interval ? interval : FIRST_INTERVAL_PS,
				 .most = interval ? BINS_MOST : BINS_AUTOMATIC};
}

void power_bins_finish(struct power_bins *b)
{
	vec_finish(&b->bin);
}

static void power_bin_add(struct power_bin *to, const struct power_bin *more)
{
	for (unsigned i = 0; i < POWER_STATES; i++)
		to->ps[i] += more->ps[i];
	to->model_j += more->model_j;
	to->model_bytes += more->model_bytes;
	to->message_bytes += more->message_bytes;
}

/* Makes one of two bins, everywhere. */
static void double_interval(struct power_bins *b)
{
	for (size_t i = 1; i < b->bin.count; i++) {
		struct power_bin more = b->bin.at[i];

		if (i % 2 == 0)
			b->bin.at[i / 2] = more;
		else
			power_bin_add(&b->bin.at[i / 2], &more);
	}
	b->bin.count = (b->bin.count + 1) / 2;
	b->interval *= 2;
}

void power_bins_widen(struct power_bins *b, int64_t interval)
{
	while (b->interval < interval)
		double_interval(b);
}

void power_bins_end(struct power_bins *b, size_t rows)
{
	while (rows && b->bin.count > rows) {
		struct power_bin *last = &b->bin.at[b->bin.count - 1];

		power_bin_add(last - 1, last);
		b->bin.count--;
	}
}

/* Makes bins up to that of `time`. False: memory is short. */
static bool reach(struct power_bins *b, int64_t time)
{
	struct err e;

	while ((size_t)(time / b->interval) >= b->most)
		double_interval(b);
	while (b->bin.count <= (size_t)(time / b->interval)) {
		struct power_bin *at = vec_push(&b->bin, &e);

		if (!at) {
			b->short_of_memory = true;
			return false;
		}
		*at = (struct power_bin){0};
	}
	return true;
}

/* The end of the part of [from, to) in the bin of `from`. */
static int64_t part_end(const struct power_bins *b, int64_t from, int64_t to)
{
	int64_t end = (from / b->interval + 1) * b->interval;

	return end < to ? end : to;
}

void power_bins_add_time(struct power_bins *b, enum power_state state, int64_t from, int64_t to)
{
	if (from >= to || !reach(b, to - 1))
		return;
	while (from < to) {
		int64_t end = part_end(b, from, to);

		b->bin.at[from / b->interval].ps[state] += (sum128)(end - from);
		from = end;
	}
}

void power_bins_add_model(struct power_bins *b, int64_t from, int64_t to, double joules, double bytes)
{
	double all = (double)(to - from);

	if (!reach(b, to > from ? to - 1 : to))
		return;
	if (from >= to) {
		b->bin.at[from / b->interval].model_j += joules;
		b->bin.at[from / b->interval].model_bytes += bytes;
	}
	while (from < to) {
		int64_t end = part_end(b, from, to);
		struct power_bin *at = &b->bin.at[from / b->interval];

		at->model_j += joules * ((double)(end - from) / all);
		at->model_bytes += bytes * ((double)(end - from) / all);
		from = end;
	}
}

void power_bins_add_bytes(struct power_bins *b, int64_t time, double bytes)
{
	if (reach(b, time))
		b->bin.at[time / b->interval].message_bytes += bytes;
}
