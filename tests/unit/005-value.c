/* Configuration values as text: psim/base/config/value.h. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "psim/base/config/value.h"

static struct param row(enum param_type type, double min, double max, const char *unit)
{
	return (struct param){"s", "k", type, "", min, max, NULL, unit, "", 0};
}

/* The text of the error that reading `text` gives, or NULL. */
static const char *complaint(struct param p, const char *text)
{
	static struct err e;
	union {
		unsigned u;
		uint64_t size;
		double real;
		int64_t time;
		bool on;
		char text[PARAM_TEXT_MAX];
	} field;

	return value_read(&p, text, &field, &e) ? e.text : NULL;
}

static void a_count_may_carry_its_unit(void)
{
	struct param p = row(PARAM_UINT, 1, 1024, "entries");
	unsigned v = 0;

	CHECK_I64(value_read(&p, "64", &v, NULL), 0);
	CHECK_U64(v, 64);
	CHECK_I64(value_read(&p, "65 entries", &v, NULL), 0);
	CHECK_U64(v, 65);
	CHECK_STR(complaint(p, "65 ways"), "65 ways is not a number, expected 1 to 1024 entries");
}

static void both_bounds_are_legal(void)
{
	struct param p = row(PARAM_UINT, 1, 1024, "entries");

	CHECK_STR(complaint(p, "1"), NULL);
	CHECK_STR(complaint(p, "1024"), NULL);
	CHECK_STR(complaint(p, "0"), "0 is out of range, expected 1 to 1024 entries");
	CHECK_STR(complaint(p, "1025"), "1025 is out of range, expected 1 to 1024 entries");
	CHECK_STR(complaint(p, "-1"), "-1 is out of range, expected 1 to 1024 entries");
}

static void a_count_is_whole(void)
{
	CHECK_STR(complaint(row(PARAM_UINT, 0, 10, ""), "1.5"), "1.5 is not a whole number");
	CHECK_STR(complaint(row(PARAM_UINT, 0, 10000, ""), "1e3"), NULL);
}

static void what_is_not_a_number_is_refused(void)
{
	struct param p = row(PARAM_REAL, -1e9, 1e9, "");
	static const char *const texts[] = {"", "x", "nan", "inf", "-inf", "0x10", "--1", ".", "1e999", "1,5", "1 2"};

	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const char *c = complaint(p, texts[i]);

		CHECK(c && strstr(c, "is not a number"));
	}
}

static void a_count_fills_its_32_bits_and_no_more(void)
{
	struct param p = row(PARAM_UINT, 0, 1e12, "");
	unsigned v = 0;

	CHECK_I64(value_read(&p, "4294967295", &v, NULL), 0); /* 2^32 - 1 */
	CHECK_U64(v, 4294967295u);
	CHECK(complaint(p, "4294967296") != NULL);
}

static void sizes_are_binary(void)
{
	struct param p = row(PARAM_SIZE, 0, 0x1p63, "bytes");
	static const struct {
		const char *text;
		uint64_t bytes;
	} cases[] = {
		{"64", 64},         {"64 B", 64},     {"64 bytes", 64},      {"128 KiB", 131072},
		{"6 MiB", 6291456}, {"1.5KiB", 1536}, {"1 GiB", 1073741824}, {"1 TiB", 1099511627776},
		{"0", 0},
	};
	uint64_t v;

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		v = 1;
		CHECK_I64(value_read(&p, cases[i].text, &v, NULL), 0);
		CHECK_U64(v, cases[i].bytes);
	}
}

static void a_size_keeps_all_its_bits(void)
{
	struct param p = row(PARAM_SIZE, 0, 0x1p64, "bytes");
	uint64_t v = 0;

	CHECK_I64(value_read(&p, "9007199254740993", &v, NULL), 0); /* 2^53 + 1: not a double */
	CHECK_U64(v, 9007199254740993u);
	CHECK_I64(value_read(&p, "18446744073709551615", &v, NULL), 0); /* 2^64 - 1 */
	CHECK_U64(v, UINT64_MAX);
	CHECK(complaint(p, "18446744073709551616") != NULL); /* 2^64 */
	CHECK(complaint(p, "16777216 TiB") != NULL);         /* 2^24 * 2^40 = 2^64 */
}

static void an_unknown_unit_brings_the_list(void)
{
	struct param p = row(PARAM_SIZE, 0, 1e9, "bytes");

	CHECK_STR(complaint(p, "64 KB"), "\"64 KB\" has the unknown unit \"KB\", expected one of "
					 "TiB, GiB, MiB, KiB, bytes, B");
	CHECK_STR(complaint(p, "0.3 B"), "0.3 B is not a whole number of bytes");
}

static void times_are_picoseconds(void)
{
	struct param p = row(PARAM_TIME, 0, 1e18, "ps");
	static const struct {
		const char *text;
		int64_t ps;
	} cases[] = {
		{"4 ps", 4},     {"10 ns", 10000}, {"1.5 us", 1500000}, {"2 ms", 2000000000}, {"1 s", 1000000000000},
		{"0.1 ns", 100}, {"0", 0},
	};
	int64_t v;

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		v = 1;
		CHECK_I64(value_read(&p, cases[i].text, &v, NULL), 0);
		CHECK_I64(v, cases[i].ps);
	}
	CHECK_STR(complaint(p, "10"), "\"10\" has no unit, expected one of s, ms, us, ns, ps");
	CHECK_STR(complaint(p, "0.5 ps"), "0.5 ps is not a whole number of ps");
}

static void ranges_are_told_in_units(void)
{
	CHECK_STR(complaint(row(PARAM_SIZE, 1024, 1048576, "bytes"), "1 GiB"),
		  "1 GiB is out of range, expected 1 KiB to 1 MiB");
	CHECK_STR(complaint(row(PARAM_FREQ, 1e6, 1e11, "Hz"), "1 kHz"),
		  "1 kHz is out of range, expected 1 MHz to 100 GHz");
	CHECK_STR(complaint(row(PARAM_TIME, 1000, 1e6, "ps"), "1 ps"), "1 ps is out of range, expected 1 ns to 1 us");
}

static void frequencies_are_hertz(void)
{
	struct param p = row(PARAM_FREQ, 1, 1e12, "Hz");
	double v = 0;

	CHECK_I64(value_read(&p, "2.6 GHz", &v, NULL), 0);
	CHECK_F64(v, 2.6e9, 0);
	CHECK_I64(value_read(&p, "2e9", &v, NULL), 0);
	CHECK_F64(v, 2e9, 0);
}

static void rates_are_bytes_a_second(void)
{
	struct param p = row(PARAM_RATE, 1, 1e15, "bytes/s");
	static const struct {
		const char *text;
		double bytes_per_s;
	} cases[] = {
		{"4 GB/s", 4e9},    {"154 MB/s", 1.54e8},    {"10 Gbit/s", 1.25e9}, /* 10 / 8 */
		{"8 kbit/s", 1000}, {"1 GiB/s", 1073741824}, {"2e9", 2e9},
	};
	double v;

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		v = 0;
		CHECK_I64(value_read(&p, cases[i].text, &v, NULL), 0);
		CHECK_F64(v, cases[i].bytes_per_s, 0);
	}
	CHECK_STR(complaint(p, "4 GB"),
		  "\"4 GB\" has the unknown unit \"GB\", expected one of TB/s, GB/s, MB/s, kB/s, B/s, "
		  "TiB/s, GiB/s, MiB/s, KiB/s, Tbit/s, Gbit/s, Mbit/s, kbit/s");
	CHECK_STR(complaint(row(PARAM_RATE, 1e3, 1e12, "bytes/s"), "1 B/s"),
		  "1 B/s is out of range, expected 1 kB/s to 1 TB/s");
}

static void some_are_given_in_time_or_in_cycles(void)
{
	struct param delay = row(PARAM_DELAY, 1, 1000, ""), flow = row(PARAM_FLOW, 0.5, 1000, "");
	struct clocked v = {0};
	char text[40];

	CHECK_I64(value_read(&delay, "0.06 us", &v, NULL), 0);
	CHECK(v.value == 60 && !v.in_cycles);
	value_write(&delay, &v, text, sizeof(text));
	CHECK_STR(text, "60 ns");
	CHECK_I64(value_read(&delay, "120cycles", &v, NULL), 0);
	CHECK(v.value == 120 && v.in_cycles);
	value_write(&delay, &v, text, sizeof(text));
	CHECK_STR(text, "120 cycles");
	CHECK_I64(value_read(&flow, "8000 MB/s", &v, NULL), 0);
	CHECK(v.value == 8 && !v.in_cycles);
	CHECK_I64(value_read(&flow, "3.2 B/cycle", &v, NULL), 0);
	CHECK(v.value == 3.2 && v.in_cycles);
	value_write(&flow, &v, text, sizeof(text));
	CHECK_STR(text, "3.2 B/cycle");
	CHECK_STR(complaint(delay, "120"), "\"120\" has no unit, expected one of cycles, s, ms, us, ns, ps");
	CHECK_STR(complaint(delay, "2 us"), "2 us is out of range, expected 1 to 1000 ns or cycles");
	CHECK_STR(complaint(flow, "0.4 B/cycle"), "0.4 B/cycle is out of range, expected 0.5 to 1000 GB/s or B/cycle");
	CHECK_STR(complaint(flow, "x B/cycle"), "x B/cycle is not a number, expected 0.5 to 1000 B/cycle");
	CHECK_STR(complaint(flow, "4 cycles"),
		  "\"4 cycles\" has the unknown unit \"cycles\", expected one of B/cycle, "
		  "TB/s, GB/s, MB/s, kB/s, B/s, TiB/s, GiB/s, MiB/s, KiB/s, Tbit/s, Gbit/s, Mbit/s, kbit/s");
}

static void switches_have_four_spellings(void)
{
	struct param p = row(PARAM_BOOL, 0, 0, "");
	static const char *const on[] = {"yes", "true", "on", "1"}, *const off[] = {"no", "false", "off", "0"};
	bool v;

	for (unsigned i = 0; i < 4; i++) {
		v = false;
		CHECK(!value_read(&p, on[i], &v, NULL) && v);
		CHECK(!value_read(&p, off[i], &v, NULL) && !v);
	}
	CHECK_STR(complaint(p, "maybe"), "\"maybe\" is not a switch, expected yes or no");
}

static void a_choice_is_a_whole_word(void)
{
	struct param p = row(PARAM_ENUM, 0, 0, "");
	unsigned v = 9;

	p.choices = "ideal|partial|none";
	CHECK(!value_read(&p, "none", &v, NULL));
	CHECK_U64(v, 2);
	CHECK(!value_read(&p, "ideal", &v, NULL));
	CHECK_U64(v, 0);
	CHECK_STR(complaint(p, "part"), "unknown value \"part\", expected one of ideal|partial|none");
	CHECK(complaint(p, "") != NULL);
	CHECK(complaint(p, "ideal|partial") != NULL);
}

static void text_that_a_file_could_not_hold_is_refused(void)
{
	struct param p = row(PARAM_TEXT, 0, 0, "");
	char longest[PARAM_TEXT_MAX + 1];

	memset(longest, 'x', sizeof(longest));
	longest[PARAM_TEXT_MAX] = 0; /* one too many */
	CHECK(complaint(p, longest) != NULL);
	longest[PARAM_TEXT_MAX - 1] = 0;
	CHECK_STR(complaint(p, longest), NULL);
	CHECK_STR(complaint(p, "a;b#c"), NULL);
	CHECK(complaint(p, "a ;b") != NULL);
	CHECK(complaint(p, "#b") != NULL);
	CHECK(complaint(p, "a\nb") != NULL);
}

static void a_refused_value_changes_nothing(void)
{
	struct param p = row(PARAM_UINT, 1, 10, "");
	unsigned v = 7;

	CHECK_I64(value_read(&p, "11", &v, NULL), -1);
	CHECK_U64(v, 7);
}

static const char *written(enum param_type type, const void *field)
{
	static char text[VALUE_TEXT_MAX];
	struct param p = row(type, 0, 0, "");

	p.choices = "a|bb|c";
	value_write(&p, field, text, sizeof(text));
	return text;
}

static void values_are_written_in_their_largest_unit(void)
{
	CHECK_STR(written(PARAM_UINT, &(unsigned){64}), "64");
	CHECK_STR(written(PARAM_SIZE, &(uint64_t){131072}), "128 KiB");
	CHECK_STR(written(PARAM_SIZE, &(uint64_t){1536}), "1536");
	CHECK_STR(written(PARAM_SIZE, &(uint64_t){0}), "0");
	CHECK_STR(written(PARAM_FREQ, &(double){2e9}), "2 GHz");
	CHECK_STR(written(PARAM_FREQ, &(double){0.5}), "0.5 Hz");
	CHECK_STR(written(PARAM_RATE, &(double){1.54e8}), "154 MB/s");
	CHECK_STR(written(PARAM_RATE, &(double){0}), "0 B/s");
	CHECK_STR(written(PARAM_TIME, &(int64_t){10000}), "10 ns");
	CHECK_STR(written(PARAM_TIME, &(int64_t){1}), "1 ps");
	CHECK_STR(written(PARAM_TIME, &(int64_t){0}), "0");
	CHECK_STR(written(PARAM_REAL, &(double){0.1}), "0.1");
	CHECK_STR(written(PARAM_BOOL, &(bool){true}), "yes");
	CHECK_STR(written(PARAM_ENUM, &(unsigned){1}), "bb");
	CHECK_STR(written(PARAM_TEXT, "some text"), "some text");
}

/* Reals and frequencies that are awkward in decimal. */
static void what_is_written_reads_back_to_the_bit(void)
{
	static const double values[] = {0.1, 1.0 / 3, 1e-300, 123456789.123456789, 2.6e9, 1e9 / 3, 4.9999999e5};
	struct param real = row(PARAM_REAL, 0, 1e300, ""), frequency = row(PARAM_FREQ, 0, 1e300, "Hz"),
		     rate = row(PARAM_RATE, 0, 1e300, "bytes/s");

	for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		char text[VALUE_TEXT_MAX];
		double back = 0;

		value_write(&real, &values[i], text, sizeof(text));
		CHECK_I64(value_read(&real, text, &back, NULL), 0);
		CHECK_F64(back, values[i], 0);
		value_write(&frequency, &values[i], text, sizeof(text));
		CHECK_I64(value_read(&frequency, text, &back, NULL), 0);
		CHECK_F64(back, values[i], 0);
		value_write(&rate, &values[i], text, sizeof(text));
		CHECK_I64(value_read(&rate, text, &back, NULL), 0);
		CHECK_F64(back, values[i], 0);
	}
}

static const struct tap_test tests[] = {
	{"a count may carry its unit", a_count_may_carry_its_unit},
	{"both bounds of a range are legal", both_bounds_are_legal},
	{"a count is a whole number", a_count_is_whole},
	{"what is not a decimal number is refused", what_is_not_a_number_is_refused},
	{"a count fills its 32 bits and no more", a_count_fills_its_32_bits_and_no_more},
	{"sizes are in binary units", sizes_are_binary},
	{"a size keeps all its 64 bits", a_size_keeps_all_its_bits},
	{"an unknown unit brings the list of known ones", an_unknown_unit_brings_the_list},
	{"times are picoseconds and need a unit", times_are_picoseconds},
	{"ranges are told in units", ranges_are_told_in_units},
	{"frequencies are hertz", frequencies_are_hertz},
	{"rates are bytes a second", rates_are_bytes_a_second},
	{"some are given in time or in cycles", some_are_given_in_time_or_in_cycles},
	{"a switch has four spellings each way", switches_have_four_spellings},
	{"a choice is a whole word of its list", a_choice_is_a_whole_word},
	{"text that a file could not hold is refused", text_that_a_file_could_not_hold_is_refused},
	{"a refused value changes nothing", a_refused_value_changes_nothing},
	{"values are written in their largest unit", values_are_written_in_their_largest_unit},
	{"what is written reads back to the bit", what_is_written_reads_back_to_the_bit},
};

int main(void)
{
	return tap_main("value", tests, TAP_COUNT(tests));
}
