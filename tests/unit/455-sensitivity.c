/*
 * Sensitivity of a study's figures to its parameters, and the picture of it: energy/explore/sensitivity.h,
 * tornado.h.
 */
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
#include "energy/explore/tornado.h"
#include "explore_study.h"

/* 3 x 2 x 2 combinations: window 16, 64, 256; width 2, 4; forwarding yes, no. */
static struct study *open_cube(void)
{
	struct err e = {0};
	struct study *s = explore_study("[sweep]\ncore.rob_entries = 16, 64, 256\n[pair width]\ndecode.width = 2, 4\n"
					"core.commit_width = 2, 4\n[sweep]\nlsu.forwarding = yes, no\n"
					"[traces]\nh = SAMPLES/hello.trace.gz\n",
					&e);

	CHECK_STR(e.text, "");
	REQUIRE(s != NULL);
	return s;
}

/*
 * Adds a design; time falls with the square root of the window, energy grows with the width, area is 3 or,
 * forwarding, 6.
 */
static void add_design(struct designs *d, size_t window, size_t width, size_t forwarding)
{
	static const double time[] = {8, 4, 2}, energy[] = {1, 8}, area[] = {6, 3};
	struct design *x = vec_push(d, NULL);

	REQUIRE(x != NULL);
	*x = (struct design){.combination = window * 4 + width * 2 + forwarding};
	x->value[CRITERION_time] = time[window];
	x->value[CRITERION_energy] = energy[width];
	x->value[CRITERION_area] = area[forwarding];
	x->value[CRITERION_energy_delay] = time[window] * energy[width];
}

static void add_all(struct designs *d)
{
	for (size_t n = 0; n < 12; n++)
		add_design(d, n / 4, n / 2 % 2, n % 2);
}

static void check_effect(const struct effect *x, size_t axis, size_t least, size_t most, double ratio, size_t lines)
{
	CHECK_U64(x->axis, axis);
	CHECK_U64(x->least, least);
	CHECK_U64(x->most, most);
	CHECK_F64(x->ratio, ratio, 1e-12);
	CHECK_U64(x->lines, lines);
}

/*
 * By hand: four times the window halves time, an elasticity of -1/2; twice the width is 8 times the energy, one of
 * 3.
 */
static void in_a_whole_grid_each_axis_has_its_ratio_and_elasticity(void)
{
	struct study *s = open_cube();
	struct designs d = {0};
	struct sensitivity x;

	add_all(&d);
	CHECK_I64(sensitivity_find(s, &d, &x, NULL), 0);
	CHECK_U64(x.count, 3);
	check_effect(&x.effects[CRITERION_time][0], 0, 2, 0, 4, 4);
	CHECK_F64(x.effects[CRITERION_time][0].elasticity, -0.5, 1e-12);
	/* levels 8, 4, 2 have the geometric mean 4 */
	CHECK_F64(x.effects[CRITERION_time][0].low, 0.5, 1e-12);
	CHECK_F64(x.effects[CRITERION_time][0].high, 2, 1e-12);
	check_effect(&x.effects[CRITERION_energy][0], 1, 0, 1, 8, 6);
	CHECK_F64(x.effects[CRITERION_energy][0].elasticity, 3, 1e-12);
	/* a choice has no elasticity */
	check_effect(&x.effects[CRITERION_area][0], 2, 1, 0, 2, 6);
	CHECK(isnan(x.effects[CRITERION_area][0].elasticity));
	/* the product: width first, since 8 is more than 4 */
	check_effect(&x.effects[CRITERION_energy_delay][0], 1, 0, 1, 8, 6);
	check_effect(&x.effects[CRITERION_energy_delay][1], 0, 2, 0, 4, 4);
	/* width does not change time; equal effects are in the study's order */
	check_effect(&x.effects[CRITERION_time][1], 1, 0, 0, 1, 6);
	check_effect(&x.effects[CRITERION_time][2], 2, 0, 0, 1, 6);
	sensitivity_finish(&x);
	designs_finish(&d);
	study_close(s);
}

/* Only designs that differ in one axis alone are compared: a missing corner leaves the ratios as they are. */
static void missing_designs_do_not_bias_the_others(void)
{
	struct study *s = open_cube();
	struct designs d = {0};
	struct sensitivity x;

	/* the widest machines of the smallest window are missing: a mean over all would favour them */
	for (size_t n = 0; n < 12; n++)
		if (n / 2 != 1)
			add_design(&d, n / 4, n / 2 % 2, n % 2);
	CHECK_I64(sensitivity_find(s, &d, &x, NULL), 0);
	check_effect(&x.effects[CRITERION_time][0], 0, 2, 0, 4, 4);
	check_effect(&x.effects[CRITERION_energy][0], 1, 0, 1, 8, 4);
	check_effect(&x.effects[CRITERION_energy][1], 0, 0, 0, 1, 4);
	sensitivity_finish(&x);
	designs_finish(&d);
	study_close(s);
}

/* From 16 to 256 there is one line, from 16 to 64 another one, and none from 64 to 256: the ratios still chain. */
static void values_without_a_neighbour_are_reached_from_others(void)
{
	struct study *s = open_cube();
	struct designs d = {0};
	struct sensitivity x;

	add_design(&d, 0, 0, 0);
	add_design(&d, 2, 0, 0);
	add_design(&d, 0, 1, 1);
	add_design(&d, 1, 1, 1);
	CHECK_I64(sensitivity_find(s, &d, &x, NULL), 0);
	check_effect(&x.effects[CRITERION_time][0], 0, 2, 0, 4, 2);
	/* no two designs differ in the width alone */
	check_effect(&x.effects[CRITERION_energy][1], 1, 0, 0, 1, 0);
	sensitivity_finish(&x);
	designs_finish(&d);
	study_close(s);
}

static char *draw(const struct study *s, const struct sensitivity *x, unsigned blocks)
{
	const struct tornado_block block[] = {{x, "one"}, {x, "two"}};
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	CHECK_I64(tornado_write(s, block, blocks, f, NULL), 0);
	fclose(f);
	return text;
}

static unsigned count_words(const char *text, const char *word)
{
	unsigned n = 0;

	for (; (text = strstr(text, word)) != NULL; text += strlen(word))
		n++;
	return n;
}

static void the_picture_has_a_bar_for_each_axis_and_criterion(void)
{
	struct study *s = open_cube();
	struct designs d = {0};
	struct sensitivity x;
	char *text;

	add_all(&d);
	CHECK_I64(sensitivity_find(s, &d, &x, NULL), 0);
	text = draw(s, &x, 2);
	CHECK_U64(count_words(text, "</title></rect>"), 2 * 3 * CRITERION_COUNT);
	CHECK_U64(count_words(text, ">pair width<"), 2 * CRITERION_COUNT);
	CHECK_U64(count_words(text, "0.5 to 2, ratio 4"), 2 * 2); /* time and the product, of the window */
	CHECK(strstr(text, "nan") == NULL);
	free(text);
	sensitivity_finish(&x);
	designs_finish(&d);
	study_close(s);
}

static void short_memory_is_an_error(void)
{
	struct study *s = open_cube();
	struct designs d = {0};
	unsigned failures = 0;

	add_all(&d);
	for (unsigned n = 1; n < 100; n++) {
		struct sensitivity x;
		struct err e = {0};
		int ret;

		alloc_fail_at(n);
		ret = sensitivity_find(s, &d, &x, &e);
		alloc_fail_end();
		if (ret == 0) {
			sensitivity_finish(&x);
			break;
		}
		CHECK(strncmp(e.text, "out of memory", 13) == 0);
		failures++;
	}
	CHECK(failures > 4 && failures < 99);
	designs_finish(&d);
	study_close(s);
}

static const struct tap_test tests[] = {
	{"in a whole grid each axis has its ratio and elasticity",
	 in_a_whole_grid_each_axis_has_its_ratio_and_elasticity},
	{"missing designs do not bias the others", missing_designs_do_not_bias_the_others},
	{"values without a neighbour are reached from others", values_without_a_neighbour_are_reached_from_others},
	{"the picture has a bar for each axis and criterion", the_picture_has_a_bar_for_each_axis_and_criterion},
	{"short memory is an error", short_memory_is_an_error},
};

int main(void)
{
	return tap_main("sensitivity", tests, TAP_COUNT(tests));
}
