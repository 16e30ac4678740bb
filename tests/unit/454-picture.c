/* The picture of a design space: energy/explore/picture.h. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
#include "energy/explore/picture.h"
#include "explore_study.h"
#include "psim/base/report/svg.h"

struct scene {
	struct study *study;
	struct plan *plan;
	struct designs designs;
};

/* Six designs by hand; the last one is beaten by all others, the first five are a front. */
static void begin(struct scene *s)
{
	struct err e = {0};

	*s = (struct scene){0};
	s->study = explore_study("title = A < B\n[sweep]\ncore.rob_entries = 16..64*2\ndecode.width = 2, 4\n"
				 "[traces]\nh = SAMPLES/hello.trace.gz\n",
				 &e);
	CHECK_STR(e.text, "");
	REQUIRE(s->study != NULL);
	s->plan = plan_create(s->study, &e);
	REQUIRE(s->plan != NULL);
	for (size_t n = 0; n < s->plan->count; n++) {
		struct figures *f = &s->plan->points[n].figures;

		s->plan->points[n].known = true;
		f->value[FIGURE_seconds] = n == 5 ? 9 : 1 + (double)n;
		f->value[FIGURE_system_j] = n == 5 ? 9 : 5 - (double)n;
		f->value[FIGURE_area_mm2] = n == 5 ? 9 : 3;
		f->value[FIGURE_system_low_j] = f->value[FIGURE_system_j] - 1;
		f->value[FIGURE_system_high_j] = f->value[FIGURE_system_j] + 3;
		f->value[FIGURE_area_low_mm2] = f->value[FIGURE_area_mm2] - 1;
		f->value[FIGURE_area_high_mm2] = f->value[FIGURE_area_mm2] + 3;
	}
	CHECK_I64(designs_make(s->plan, NULL, OVER_SUM, &s->designs, &e), 0);
}

static void end(struct scene *s)
{
	designs_finish(&s->designs);
	plan_destroy(s->plan);
	study_close(s->study);
}

static char *drawn(const struct scene *s, int colour, unsigned panels)
{
	const struct picture_panel panel[] = {{&s->designs, "one"}, {&s->designs, "two"}};
	const struct picture p = {
		s->plan, panel, panels, colour, CRITERION_time, CRITERION_energy, "time, energy and area"};
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int ret = picture_write(&p, f, NULL);

	fclose(f);
	if (ret == 0)
		return text;
	free(text);
	return NULL;
}

static unsigned count(const char *text, const char *word)
{
	unsigned n = 0;

	for (; (text = strstr(text, word)) != NULL; text += strlen(word))
		n++;
	return n;
}

static void each_design_is_a_dot_and_those_of_the_front_are_ringed_and_named(void)
{
	struct scene s;
	char *text;

	begin(&s);
	text = drawn(&s, -1, 1);
	REQUIRE(text != NULL);
	/* a dot shows its values when pointed at */
	CHECK_U64(count(text, "</title></circle>"), 6);
	CHECK_U64(count(text, "class=\"ring\" stroke-width=\"1.5\"><title>"), 5);
	CHECK_U64(count(text, "fill-opacity"), 1);
	CHECK_U64(count(text, "class=\"label\""), 5);
	CHECK(strstr(text, ">16 \302\267 2</text>") != NULL);
	/* products 5, 8, 9, 8, 5: the least is the first's, whose values are in the note too */
	CHECK(strstr(text, "1 s, 5 J (4 to 8), 3.0 mm2 (2.0 to 6.0), 5 J s") != NULL);
	CHECK(strstr(text, "A &lt; B") != NULL);
	/* from low to high reading: five of the front, and the legend's */
	CHECK_U64(count(text, "class=\"reading\""), 5 + 1);
	CHECK_U64(count(text, "<svg "), 1);
	CHECK_U64(count(text, "</svg>"), 1);
	CHECK_U64(count(text, "<g "), count(text, "</g>"));
	free(text);
	end(&s);
}

static void colours_tell_area_or_a_parameter(void)
{
	struct scene s;
	char *area, *entries;

	begin(&s);
	area = drawn(&s, -1, 1);
	entries = drawn(&s, 0, 1);
	REQUIRE(area != NULL && entries != NULL);
	/* five of the least area and one of the greatest, and the ends of the legend */
	CHECK_U64(count(area, "fill=\"#a01b9a\""), 6);
	CHECK_U64(count(area, "fill=\"#fa9d3b\""), 2);
	/* 16 twice, 64 twice, each once in the legend */
	CHECK_U64(count(entries, "fill=\"#a01b9a\""), 3);
	CHECK_U64(count(entries, "fill=\"#fa9d3b\""), 3);
	free(area);
	free(entries);
	end(&s);
}

static void repeated_values_of_a_pair_have_one_colour(void)
{
	struct scene s = {0};
	struct err e = {0};
	char *text;

	s.study = explore_study("[pair size]\ncore.rob_entries = 16, 32, 64, 128, 256\n"
				"decode.width = 2, 4, 2, 8, 4\n[traces]\nh = SAMPLES/hello.trace.gz\n",
				&e);
	CHECK_STR(e.text, "");
	REQUIRE(s.study != NULL);
	s.plan = plan_create(s.study, &e);
	REQUIRE(s.plan != NULL);
	for (size_t n = 0; n < s.plan->count; n++) {
		s.plan->points[n].known = true;
		for (unsigned f = 0; f < FIGURE_COUNT; f++)
			s.plan->points[n].figures.value[f] = 1 + (double)n;
	}
	CHECK_I64(designs_make(s.plan, NULL, OVER_SUM, &s.designs, &e), 0);
	text = drawn(&s, 1, 1);
	REQUIRE(text != NULL);
	/* three different values: the ends of the ramp are 2 (twice) and 8 (once), and each once in the legend */
	CHECK_U64(count(text, "fill=\"#a01b9a\""), 2 + 1);
	CHECK_U64(count(text, "fill=\"#fa9d3b\""), 1 + 1);
	/* five designs and three rows of the legend, each in one of three colours */
	CHECK_U64(count(text, "r=\"5\" fill=\"#"), 8);
	free(text);
	end(&s);
}

static void a_colour_is_area_or_something_that_varies(void)
{
	struct scene s;
	struct err e;

	begin(&s);
	CHECK_I64(picture_colour(s.study, "area", &e), -1);
	CHECK_I64(picture_colour(s.study, "decode.width", &e), 1);
	CHECK_I64(picture_colour(s.study, "l1d.ways", &e), -2);
	CHECK_U64(e.status, STATUS_USAGE);
	end(&s);
}

/* Returns whether a label of the picture is on the line from x1, y1 to x2, y2. */
static bool label_on(const char *text, double x1, double y1, double x2, double y2)
{
	for (const char *at = text; (at = strstr(at, "class=\"label\"")) != NULL; at++) {
		const char *begin = at, *shown = strchr(at, '>') + 1;
		struct svg_box box;
		char label[64], anchor[8];

		while (strncmp(begin, "<text ", 6) != 0)
			begin--;
		CHECK_I64(sscanf(begin, "<text x=\"%lf\" y=\"%lf\"", &box.x, &box.y), 2);
		snprintf(label, sizeof(label), "%.*s", (int)strcspn(shown, "<"), shown);
		/* a line may end at its edge; places are written with one decimal */
		box.width = svg_label_width(label) - 0.4;
		CHECK_I64(sscanf(at, "class=\"label\" text-anchor=\"%7[a-z]\"", anchor), 1);
		box.x -= !strcmp(anchor, "end") ? box.width + 0.4 : !strcmp(anchor, "middle") ? box.width / 2 : 0;
		box.height = SVG_LABEL_HEIGHT - 0.4;
		box.x += 0.2;
		box.y -= SVG_LABEL_HEIGHT - 3 - 0.2;
		if (svg_box_on_line(&box, x1, y1, x2, y2))
			return true;
	}
	return false;
}

/* 24 designs close together, so that labels need lines to their dots: no label is on such a line, or on a range. */
static void no_label_is_on_a_line(void)
{
	unsigned lines = 0, leaders = 0;
	struct scene s = {0};
	struct err e = {0};
	char *text;

	s.study = explore_study(
		"[sweep]\ncore.rob_entries = 16..128*2\ndecode.width = 2, 4\nl1d.size = 32 KiB..128 KiB*2\n"
		"[traces]\nh = SAMPLES/hello.trace.gz\n",
		&e);
	CHECK_STR(e.text, "");
	REQUIRE(s.study != NULL);
	s.plan = plan_create(s.study, &e);
	REQUIRE(s.plan != NULL);
	for (size_t n = 0; n < s.plan->count; n++) {
		struct figures *f = &s.plan->points[n].figures;

		s.plan->points[n].known = true;
		f->value[FIGURE_seconds] = n == 23 ? 4 : 1 + 0.02 * (double)n;
		f->value[FIGURE_system_j] = n == 23 ? 1 : 5 - 0.02 * (double)n;
		f->value[FIGURE_area_mm2] = 3;
		f->value[FIGURE_system_low_j] = f->value[FIGURE_system_j] - 1;
		f->value[FIGURE_system_high_j] = f->value[FIGURE_system_j] + 3;
	}
	CHECK_I64(designs_make(s.plan, NULL, OVER_SUM, &s.designs, &e), 0);
	text = drawn(&s, -1, 1);
	REQUIRE(text != NULL);
	CHECK(count(text, "class=\"label\"") > 3 && count(text, "class=\"label\"") < 24);
	for (const char *at = text; (at = strstr(at, "<line ")) != NULL; at++) {
		double x1, y1, x2, y2;
		char class[16];

		if (sscanf(at, "<line x1=\"%lf\" y1=\"%lf\" x2=\"%lf\" y2=\"%lf\" class=\"%15[a-z]", &x1, &y1, &x2, &y2,
			   class) != 5 ||
		    (strcmp(class, "leader") != 0 && strcmp(class, "reading") != 0))
			continue;
		lines++;
		leaders += !strcmp(class, "leader");
		CHECK(!label_on(text, x1, y1, x2, y2));
	}
	CHECK(lines >= 24 && leaders > 0);
	free(text);
	end(&s);
}

static void no_label_is_on_the_front(void)
{
	double x1, y1, x2, y2;
	const char *path;
	struct err e = {0};
	struct scene s;
	char *text;

	begin(&s);
	designs_finish(&s.designs);
	/* the front is level from 1 s to 5 s at 5 J; the third design, smaller and so named, is above its middle */
	for (size_t n = 0; n < s.plan->count; n++) {
		struct figures *f = &s.plan->points[n].figures;

		f->value[FIGURE_seconds] = n == 0 ? 1 : n == 1 ? 5 : n == 2 ? 3 : 9;
		f->value[FIGURE_system_j] = n == 0 ? 5 : n == 1 ? 1 : n == 2 ? 5.05 : 9;
		f->value[FIGURE_area_mm2] = n == 2 ? 2 : 3;
	}
	CHECK_I64(designs_make(s.plan, NULL, OVER_SUM, &s.designs, &e), 0);
	text = drawn(&s, -1, 1);
	REQUIRE(text != NULL);
	CHECK_U64(count(text, "class=\"label\""), 3);
	path = text;
	/* other paths of this class have no such steps */
	do {
		path = strstr(path, "<path class=\"line\" d=\"M");
		REQUIRE(path != NULL);
		path = strchr(path, 'M');
	} while (sscanf(path, "M%lf,%*fV%lfH%lfV%lf", &x1, &y1, &x2, &y2) != 4);
	CHECK(x1 < x2 && y1 < y2);
	CHECK(!label_on(text, x1, y1, x2, y1));
	free(text);
	end(&s);
}

static void panels_stand_below_each_other(void)
{
	struct scene s;
	char *one, *two;

	begin(&s);
	one = drawn(&s, -1, 1);
	two = drawn(&s, -1, 2);
	REQUIRE(one != NULL && two != NULL);
	CHECK(strstr(one, "height=\"600\"") != NULL);
	CHECK(strstr(two, "height=\"1200\"") != NULL);
	CHECK_U64(count(two, "</title></circle>"), 12);
	free(one);
	free(two);
	end(&s);
}

static void without_results_it_says_so(void)
{
	struct scene s;
	char *text;

	begin(&s);
	s.designs.count = 0;
	text = drawn(&s, -1, 1);
	REQUIRE(text != NULL);
	CHECK(strstr(text, "no design has results") != NULL);
	CHECK(strstr(text, "nan") == NULL && strstr(text, "inf") == NULL);
	free(text);
	end(&s);
}

static void every_allocation_may_fail(void)
{
	struct scene s;

	begin(&s);
	for (unsigned k = 1;; k++) {
		const struct picture_panel panel = {&s.designs, "one"};
		const struct picture p = {
			s.plan, &panel, 1, -1, CRITERION_time, CRITERION_energy, "time, energy and area"};
		FILE *f = fopen("/dev/null", "w");
		int ret, failed;

		alloc_fail_at(k);
		ret = picture_write(&p, f, NULL);
		failed = alloc_fail_end();
		fclose(f);
		CHECK_I64(ret, failed ? -1 : 0);
		if (!failed)
			break;
	}
	end(&s);
}

static const struct tap_test tests[] = {
	{"each design is a dot, and those of the front are ringed and named",
	 each_design_is_a_dot_and_those_of_the_front_are_ringed_and_named},
	{"colours tell area or a parameter", colours_tell_area_or_a_parameter},
	{"repeated values of a pair have one colour", repeated_values_of_a_pair_have_one_colour},
	{"a colour is area or something that varies", a_colour_is_area_or_something_that_varies},
	{"no label is on a line", no_label_is_on_a_line},
	{"no label is on the front", no_label_is_on_the_front},
	{"panels stand below each other", panels_stand_below_each_other},
	{"without results it says so", without_results_it_says_so},
	{"every allocation may fail", every_allocation_may_fail},
};

int main(void)
{
	return tap_main("picture", tests, TAP_COUNT(tests));
}
