/* Parts of a run's time, and states over time: netlink/analysis/bounds.h, timeline_cells.h. Sums are by hand. */
#include "tap.h"

#include "netlink/analysis/bounds.h"
#include "netlink/analysis/timeline_cells.h"

static int64_t all_of(const int64_t ps[BOUNDS])
{
	int64_t sum = 0;

	for (int i = 0; i < BOUNDS; i++)
		sum += ps[i];
	return sum;
}

static void computation_is_mean_excess_and_turns(void)
{
	struct bound_figures f = {.work = 100, .mean = 30, .most = 70};
	int64_t ps[BOUNDS];

	bounds_divide(&f, ps);
	CHECK_I64(ps[BOUND_COMPUTATION], 30);
	CHECK_I64(ps[BOUND_IMBALANCE], 40);
	CHECK_I64(ps[BOUND_DEPENDENCE], 30);
	CHECK_I64(all_of(ps), 100);
	f.work = 50; /* less than the busiest rank has */
	bounds_divide(&f, ps);
	CHECK_I64(ps[BOUND_IMBALANCE], 20);
	CHECK_I64(ps[BOUND_DEPENDENCE], 0);
	CHECK_I64(all_of(ps), 50);
	f.work = 20; /* less than the mean */
	bounds_divide(&f, ps);
	CHECK_I64(ps[BOUND_COMPUTATION], 20);
	CHECK_I64(all_of(ps), 20);
}

static void one_link_has_the_contention_of_messages(void)
{
	struct bound_figures f = {.overhead = 1,
				  .latency = 2,
				  .transfer = 20,
				  .copies = 5,
				  .contention = 78,
				  .together = 3,
				  .links = {.busiest = "0-1", .most_ps = 50, .mean_ps = 25}};
	int64_t ps[BOUNDS];

	bounds_divide(&f, ps); /* half of the messages' 100, twice the mean: just enough */
	CHECK_I64(ps[BOUND_LINK], 78);
	CHECK_I64(ps[BOUND_CONTENTION], 0);
	CHECK_I64(ps[BOUND_BANDWIDTH], 15);
	CHECK_I64(ps[BOUND_COPIES], 5);
	CHECK_I64(all_of(ps), 104);
	f.links.mean_ps = 26;
	bounds_divide(&f, ps);
	CHECK_I64(ps[BOUND_LINK], 0);
	CHECK_I64(ps[BOUND_CONTENTION], 78);
	f.links = (struct bound_links){.busiest = "0-1", .most_ps = 49, .mean_ps = 1};
	CHECK(!bounds_one_link(&f));
	f.links.most_ps = 0; /* the engine does not know */
	f.contention = f.transfer = f.latency = 0;
	CHECK(!bounds_one_link(&f));
}

static int64_t sum_of(const struct cells *c, uint32_t row, uint32_t kind)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < c->columns; i++)
		sum += cells_at(c, row, i, kind);
	return sum;
}

static void cells_widen_and_nothing_is_lost(void)
{
	struct cells c;
	struct err e;

	REQUIRE(cells_init(&c, 2, 8, 3, &e) == 0);
	cells_add(&c, 0, 0, 700, 0);
	cells_add(&c, 1, 100, 2500, 2);
	CHECK_I64(c.interval, 1000);
	CHECK_I64(cells_at(&c, 1, 0, 2), 900);
	CHECK_I64(cells_at(&c, 1, 2, 2), 500);
	cells_add(&c, 0, 7500, 8000, 1); /* ends with the last column */
	CHECK_I64(c.interval, 1000);
	CHECK_I64(cells_at(&c, 0, 7, 1), 500);
	cells_add(&c, 0, 7999, 8001, 0);
	CHECK_I64(c.interval, 2000);
	CHECK_I64(cells_at(&c, 1, 0, 2), 1900);
	CHECK_I64(cells_at(&c, 1, 1, 2), 500);
	CHECK_I64(cells_at(&c, 0, 3, 1), 500);
	CHECK_I64(cells_at(&c, 0, 3, 0), 1);
	CHECK_I64(cells_at(&c, 0, 4, 0), 1);
	cells_add(&c, 1, 3000, INT64_C(1000000000000), 0);
	CHECK_I64(sum_of(&c, 0, 0), 702);
	CHECK_I64(sum_of(&c, 0, 1), 500);
	CHECK_I64(sum_of(&c, 1, 2), 2400);
	CHECK_I64(sum_of(&c, 1, 0), INT64_C(1000000000000) - 3000);
	cells_finish(&c);
}

static const struct tap_test tests[] = {
	{"computation is mean, excess and turns", computation_is_mean_excess_and_turns},
	{"one link has the contention of messages", one_link_has_the_contention_of_messages},
	{"cells widen, and nothing is lost", cells_widen_and_nothing_is_lost},
};

int main(void)
{
	return tap_main("bounds", tests, TAP_COUNT(tests));
}
