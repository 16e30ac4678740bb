/* Lists and ranges of parameter values: energy/explore/values.h. */
#include "tap.h"

#include <string.h>

#include "energy/explore/values.h"
#include "alloc_fail.h"

static const struct param entries = {"core", "entries", PARAM_UINT, "64", 1, 1024, NULL, "entries", "", 0};
static const struct param size = {"l1d", "size", PARAM_SIZE, "128 KiB", 64, 1 << 30, NULL, "bytes", "", 0};
static const struct param volts = {"energy", "voltage", PARAM_REAL, "1", 0.3, 3, NULL, "V", "", 0};
static const struct param choice = {"bpred", "kind", PARAM_ENUM, "a", 0, 0, "a|b|c", "", "", 0};
static const struct param flag = {"l1d", "perfect", PARAM_BOOL, "no", 0, 0, NULL, "", "", 0};

static const struct param delay = {"memory", "latency", PARAM_DELAY, "60 ns", 1, 1000, NULL, "", "", 0};

/* The values joined by "; ", or the message. */
static const char *listed(const struct param *p, const char *text, char out[1200])
{
	struct values v = {0};
	struct err e;

	out[0] = '\0';
	if (values_read(p, text, true, &v, &e) < 0)
		snprintf(out, 1200, "%s", e.text);
	else
		for (size_t n = 0; n < v.count; n++)
			snprintf(out + strlen(out), 1200 - strlen(out), "%s%s", n ? "; " : "", v.at[n]);
	values_finish(&v);
	return out;
}

#define CHECK_LISTED(p, text, expected) \
	do { \
		char out_[1200]; \
		CHECK_STR(listed((p), (text), out_), (expected)); \
	} while (0)

static void lists_keep_their_order(void)
{
	CHECK_LISTED(&entries, "64", "64");
	CHECK_LISTED(&entries, "64, 32 ,128", "64; 32; 128");
	CHECK_LISTED(&choice, "c, a", "c; a");
	CHECK_LISTED(&flag, "no, yes", "no; yes");
	CHECK_LISTED(&size, "64 KiB, 1 MiB", "64 KiB; 1 MiB");
}

static void geometric_ranges_multiply(void)
{
	CHECK_LISTED(&entries, "16..256*2", "16; 32; 64; 128; 256");
	/* 3 * 4^3 = 192 is beyond 100 */
	CHECK_LISTED(&entries, "3..100*4", "3; 12; 48");
	CHECK_LISTED(&entries, "5..5*2", "5");
	CHECK_LISTED(&size, "64 KiB..1 MiB*4", "64 KiB; 256 KiB; 1 MiB");
	/* 4, 6, 9, 13.5 to the nearest, away from zero: 14 */
	CHECK_LISTED(&entries, "4..14*1.5", "4; 6; 9; 14");
	/* 1, 1.25, 1.5625, 1.95 -> 1, 1, 2, 2: each once */
	CHECK_LISTED(&entries, "1..2*1.25", "1; 2");
}

static void arithmetic_ranges_add(void)
{
	CHECK_LISTED(&entries, "4..16+4", "4; 8; 12; 16");
	CHECK_LISTED(&entries, "4 .. 15 + 4", "4; 8; 12");
	CHECK_LISTED(&size, "64 KiB..192 KiB+64 KiB", "64 KiB; 128 KiB; 192 KiB");
	/* a step below the least voltage is a step; tenths come out as tenths, the last one too */
	CHECK_LISTED(&volts, "0.8..1.2+0.1", "0.8; 0.9; 1; 1.1; 1.2");
	CHECK_LISTED(&delay, "30 ns..0.06 us+15 ns, 120 cycles", "30 ns; 45 ns; 60 ns; 120 cycles");
	CHECK_LISTED(&delay, "30 cycles..120 cycles*2", "30 cycles; 60 cycles; 120 cycles");
	CHECK_LISTED(&delay, "30 ns..120 cycles*2",
		     "120 cycles has another unit than the range, "
		     "expected all in time or all in cycles");
	CHECK_LISTED(&entries, "1, 4..8+2, 100", "1; 4; 6; 8; 100");
}

static void mistakes_say_what_was_expected(void)
{
	CHECK_LISTED(&entries, "64, many", "many is not a number, expected 1 to 1024 entries");
	CHECK_LISTED(&entries, "16..2048*2", "2048 is out of range, expected 1 to 1024 entries");
	CHECK_LISTED(&entries, "64, 32..128*2", "64 is repeated, expected each value once");
	CHECK_LISTED(&entries, "16..256", "16..256 is not a range, expected FIRST..LAST*FACTOR or FIRST..LAST+STEP");
	CHECK_LISTED(&entries, "256..16*2", "descending range from 256 to 16, expected an ascending one");
	CHECK_LISTED(&entries, "16..256*1", "factor 1, expected a number above 1");
	CHECK_LISTED(&entries, "16..256*x", "factor x, expected a number above 1");
	CHECK_LISTED(&entries, "16..256+0", "step 0, expected a number above 0");
	CHECK_LISTED(&choice, "a..c+1", "a..c+1 is a range, expected a list of values");
	CHECK_LISTED(&entries, "1..1024+1", "too many values, expected at most 1000");
	CHECK_LISTED(&entries, "64,", "nothing is not a number, expected 1 to 1024 entries");
}

static void values_may_repeat_where_they_are_not_to_be_distinct(void)
{
	struct values v = {0};
	struct err e;

	CHECK_I64(values_read(&entries, "1, 1, 2, 1..2+1", false, &v, &e), 0);
	CHECK_U64(v.count, 5);
	CHECK_STR(v.at[1], "1");
	CHECK_STR(v.at[4], "2");
	values_finish(&v);
}

static void every_allocation_may_fail(void)
{
	for (unsigned k = 1;; k++) {
		struct values v = {0};
		struct err e;
		int ret;

		alloc_fail_at(k);
		ret = values_read(&entries, "1..20+1", true, &v, &e);
		if (!alloc_fail_end()) {
			CHECK_I64(ret, 0);
			values_finish(&v);
			break;
		}
		CHECK_I64(ret, -1);
		values_finish(&v);
	}
}

static const struct tap_test tests[] = {
	{"lists keep their order", lists_keep_their_order},
	{"geometric ranges multiply", geometric_ranges_multiply},
	{"arithmetic ranges add", arithmetic_ranges_add},
	{"mistakes say what was expected", mistakes_say_what_was_expected},
	{"values may repeat where they are not to be distinct", values_may_repeat_where_they_are_not_to_be_distinct},
	{"every allocation may fail", every_allocation_may_fail},
};

int main(void)
{
	return tap_main("values", tests, TAP_COUNT(tests));
}
