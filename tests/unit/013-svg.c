/* Axes, colours and labels of pictures: psim/base/report/svg.h. */
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "psim/base/escape.h"
#include "psim/base/report/svg.h"

static void an_axis_fits_its_data_and_has_round_ticks(void)
{
	/* 10 … 52 with 4 % at each end is 8.32 … 53.68; a fifth of 45.36 is 9.07, nearest round step 10 */
	struct svg_axis a = svg_axis_fit(10, 52, 100, 700, 5);
	char text[32];
	double v;

	CHECK_F64(a.first, 8.32, 1e-12);
	CHECK_F64(a.last, 53.68, 1e-12);
	CHECK_F64(a.step, 10, 1e-12);
	CHECK_F64(svg_axis_at(&a, 8.32), 100, 1e-9);
	CHECK_F64(svg_axis_at(&a, 31), 400, 1e-9);
	CHECK_F64(svg_axis_at(&a, 53.68), 700, 1e-9);
	/* the multiples of 10 between: 10 … 50 */
	CHECK(svg_axis_tick(&a, 0, &v) && fabs(v - 10) < 1e-9);
	CHECK(svg_axis_tick(&a, 4, &v) && fabs(v - 50) < 1e-9);
	CHECK(!svg_axis_tick(&a, 5, &v));
	svg_axis_text(&a, 20, text, sizeof(text));
	CHECK_STR(text, "20");
	/* 0 … 2.94: to 3.0576, not to 3.5; from 0, since nothing is below it; 3.1752 / 6 is 0.53, step 0.5 */
	a = svg_axis_fit(0, 2.94, 0, 1, 6);
	CHECK_F64(a.first, 0, 0);
	CHECK_F64(a.last, 3.0576, 1e-12);
	CHECK(svg_axis_tick(&a, 0, &v) && fabs(v) < 1e-12);
	CHECK(svg_axis_tick(&a, 6, &v) && fabs(v - 3) < 1e-9);
	CHECK(!svg_axis_tick(&a, 7, &v));
	svg_value_text(0.0029412, "s", text, sizeof(text));
	CHECK_STR(text, "2.941 ms");
}

static void an_axis_shows_its_unit_with_a_prefix(void)
{
	/* 1.1 ms … 1.5 ms: 1.084 … 1.516, a quarter is 0.108 ms, step 0.1 */
	struct svg_axis a = svg_axis_fit(1.1e-3, 1.5e-3, 0, 600, 4);
	char text[32];

	CHECK_STR(a.prefix, "m");
	CHECK_F64(a.first, 1.084e-3, 1e-9);
	CHECK_F64(a.last, 1.516e-3, 1e-9);
	svg_axis_text(&a, 1.2e-3, text, sizeof(text));
	CHECK_STR(text, "1.2");
	a = svg_axis_fit(-2e-6, 4e-6, 0, 1, 5);
	CHECK_STR(a.prefix, "\302\265");
	a = svg_axis_fit(2000, 4000, 0, 1, 5);
	CHECK_STR(a.prefix, "k");
}

/* Draws axes of 1 … 1000 (logarithmic) and 0 … 4000. */
static void axes_say_their_scale_and_unit(void)
{
	struct svg_axis x = svg_axis_fit(1, 1000, 0, 100, 5), y = svg_axis_fit(0, 4000, 100, 0, 5);
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	svg_axis_draw_x(f, &x, &y, "size", "B");
	svg_axis_draw_y(f, &x, &y, "time", "s");
	fclose(f);
	CHECK(strstr(text, ">size, logarithmic (kB)<") != NULL);
	CHECK(strstr(text, ">time (ks)<") != NULL);
	free(text);
}

static void a_very_wide_range_has_decades_with_units(void)
{
	/* 3 us / 1.15 = 2.6 us; 150 ms * 1.15 = 172 ms: 10 us, 100 us, 1 ms, 10 ms, 100 ms */
	static const char *const ticks[] = {"10 \302\265s", "100 \302\265s", "1 ms", "10 ms", "100 ms"};
	struct svg_axis a = svg_axis_fit(3e-6, 0.15, 0, 100, 5);
	char text[32];
	double v;

	a.decades = true;
	a.unit = "s";
	for (unsigned n = 0; n < 5; n++) {
		CHECK(svg_axis_tick(&a, n, &v));
		svg_axis_text(&a, v, text, sizeof(text));
		CHECK_STR(text, ticks[n]);
	}
	CHECK(!svg_axis_tick(&a, 5, &v));
}

static void a_wide_range_is_logarithmic(void)
{
	/* 0.5 / 1.15 = 0.43; 20 * 1.15 = 23: ticks 0.5 1 2 5 10 20 */
	struct svg_axis a = svg_axis_fit(0.5, 20, 0, 100, 5);
	static const double ticks[] = {0.5, 1, 2, 5, 10, 20};
	double v;

	CHECK(a.logarithmic);
	for (unsigned n = 0; n < 6; n++) {
		CHECK(svg_axis_tick(&a, n, &v));
		CHECK_F64(v, ticks[n], 1e-12);
	}
	CHECK(!svg_axis_tick(&a, 6, &v));
	/* equal ratios are equal ways */
	CHECK_F64(svg_axis_at(&a, 2) - svg_axis_at(&a, 1), svg_axis_at(&a, 20) - svg_axis_at(&a, 10), 1e-9);
	CHECK(!svg_axis_fit(1.01, 20, 0, 100, 5).logarithmic);
	CHECK(!svg_axis_fit(0, 20, 0, 100, 5).logarithmic);
}

static void a_single_value_has_room_around_it(void)
{
	struct svg_axis a = svg_axis_fit(5, 5, 0, 100, 5), zero = svg_axis_fit(0, 0, 0, 100, 5);

	CHECK(a.first < 5 && a.last > 5);
	CHECK(svg_axis_at(&a, 5) > 0 && svg_axis_at(&a, 5) < 100);
	CHECK(zero.first < zero.last);
}

static void colours_go_from_end_to_end(void)
{
	char text[8];

	svg_colour(0, text);
	CHECK_STR(text, "#a01b9a");
	svg_colour(1, text);
	CHECK_STR(text, "#fa9d3b");
	/* a quarter is in the middle of the second of six parts: (b7+ca)/2 is c0.8, (30+45)/2 3a.8, (8b+7a)/2 82.8 */
	svg_colour(0.25, text);
	CHECK_STR(text, "#c13b83");
	svg_colour(nan(""), text);
	CHECK_STR(text, "#a01b9a");
}

static void each_part_of_the_machine_has_its_colour(void)
{
	CHECK_STR(svg_part("used"), "#0072b2");
	CHECK_STR(svg_part("memory"), "#d55e00");
	CHECK_STR(svg_part("array"), "#e69f00");
	CHECK_STR(svg_part("other"), "#b4bbc8");
	CHECK_STR(svg_part("nothing"), svg_part("other"));
}

static void categories_differ_and_repeat(void)
{
	for (unsigned n = 0; n < 7; n++)
		for (unsigned k = 0; k < n; k++)
			CHECK(strcmp(svg_category(n), svg_category(k)) != 0);
	CHECK_STR(svg_category(7), svg_category(0));
}

static void text_cannot_break_the_picture(void)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	escape_xml(f, "a<b & \"c\"\001>");
	fclose(f);
	CHECK_STR(text, "a&lt;b &amp; &quot;c&quot;\\x01&gt;");
	free(text);
}

static void labels_do_not_cover_each_other(void)
{
	const struct svg_box inside = {0, 0, 200, 200};
	struct svg_box taken[40], box;
	size_t count = 0;

	/* as many labels for one point as find a place; each is off all others and inside */
	while (count < 40 && svg_label_place(100, 100, 30, &inside, taken, count, &box)) {
		for (size_t n = 0; n < count; n++)
			CHECK(!svg_boxes_meet(&box, &taken[n]));
		CHECK(box.x >= 0 && box.y >= 0 && box.x + box.width <= 200 && box.y + box.height <= 200);
		taken[count++] = box;
	}
	CHECK(count > 8 && count < 40);
	/* wider than the picture */
	CHECK(!svg_label_place(100, 100, 201, &inside, NULL, 0, &box));
}

static void a_line_enters_a_box_or_passes_it(void)
{
	const struct svg_box box = {10, 20, 30, 10};

	CHECK(svg_box_on_line(&box, 0, 25, 50, 25));  /* across */
	CHECK(svg_box_on_line(&box, 20, 22, 30, 28)); /* within */
	CHECK(svg_box_on_line(&box, 15, 0, 15, 22));  /* from above to inside */
	CHECK(svg_box_on_line(&box, 0, 10, 20, 30));  /* through a corner: at x = 10 it is at y = 20, at 15 inside */
	CHECK(!svg_box_on_line(&box, 0, 20, 50, 20)); /* along an edge */
	CHECK(!svg_box_on_line(&box, 0, 25, 9, 25));  /* ends before */
	CHECK(!svg_box_on_line(&box, 0, 0, 50, 15));  /* above */
	CHECK(!svg_box_on_line(&box, 30, 0, 60, 30)); /* past a corner: at x = 40 it is at y = 10 */
}

/* The relative luminance of a colour "#rrggbb" (WCAG 2.1). */
static double luminance(const char *text)
{
	static const double weight[] = {0.0722, 0.7152, 0.2126};
	unsigned long rgb = strtoul(text + 1, NULL, 16);
	double sum = 0;

	for (unsigned c = 0; c < 3; c++, rgb >>= 8) {
		double part = (double)(rgb & 0xff) / 255;

		sum += weight[c] * (part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
	}
	return sum;
}

/* Curves of ordered values: the contrast ratio, as WCAG has it, with white and with the dark ground of svg_begin. */
static void ordered_values_are_seen_on_both_grounds(void)
{
	char text[8];

	for (unsigned n = 0; n <= 100; n++) {
		double l;

		svg_colour(n / 100.0, text);
		l = luminance(text);
		CHECK((1 + 0.05) / (l + 0.05) >= 2);
		CHECK((l + 0.05) / (luminance("#14171f") + 0.05) >= 2);
	}
}

static double name_of_y(double first, double last)
{
	struct svg_axis x = svg_axis_fit(0, 1, 100, 200, 5), y = svg_axis_fit(first, last, 100, 0, 5);
	char *text = NULL, *at;
	double left;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	y.decades = y.logarithmic;
	y.unit = y.decades ? "s" : NULL;
	svg_axis_draw_y(f, &x, &y, "time", "");
	fclose(f);
	at = strstr(text, "rotate(-90 ");
	left = at ? strtod(at + strlen("rotate(-90 "), NULL) : 0;
	free(text);
	return left;
}

static void the_name_of_an_axis_is_beside_its_ticks(void)
{
	/* "1.0" is narrow: 54 before the axis. "100 us" is 3 x 7.3 + 4.5 + 2 x 7.3 = 41 wide, a quarter more is 51.25;
	 * 8 are between tick and axis, 6 between name and tick */
	CHECK_F64(name_of_y(0, 1), 100 - 54, 0.06);
	CHECK_F64(name_of_y(3e-6, 0.15), 100 - 8 - 51.25 - 6, 0.06);
}

static const struct tap_test tests[] = {
	{"an axis fits its data and has round ticks", an_axis_fits_its_data_and_has_round_ticks},
	{"axes say their scale and unit", axes_say_their_scale_and_unit},
	{"each part of the machine has its colour", each_part_of_the_machine_has_its_colour},
	{"categories differ and repeat", categories_differ_and_repeat},
	{"an axis shows its unit with a prefix", an_axis_shows_its_unit_with_a_prefix},
	{"a wide range is logarithmic", a_wide_range_is_logarithmic},
	{"a very wide range has decades, each with its unit", a_very_wide_range_has_decades_with_units},
	{"a single value has room around it", a_single_value_has_room_around_it},
	{"colours go from end to end", colours_go_from_end_to_end},
	{"ordered values are seen on both grounds", ordered_values_are_seen_on_both_grounds},
	{"the name of an axis is beside its ticks", the_name_of_an_axis_is_beside_its_ticks},
	{"text cannot break the picture", text_cannot_break_the_picture},
	{"a line enters a box or passes it", a_line_enters_a_box_or_passes_it},
	{"labels do not cover each other", labels_do_not_cover_each_other},
};

int main(void)
{
	return tap_main("svg", tests, TAP_COUNT(tests));
}
