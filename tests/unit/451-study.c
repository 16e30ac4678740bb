/* Studies and their points: energy/explore/study.h, plan.h. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
#include "explore_study.h"

static struct study *opened(const char *text)
{
	struct err e = {0};
	struct study *s = explore_study(text, &e);

	CHECK_STR(e.text, "");
	REQUIRE(s != NULL);
	return s;
}

/* The message without the file's name. */
static void check_refused(const char *text, const char *message)
{
	struct err e = {0};
	struct study *s = explore_study(text, &e);
	const char *colon = strchr(e.text, ':');

	CHECK(s == NULL);
	CHECK_U64(e.status, STATUS_USAGE);
	CHECK_STR(colon ? colon + 1 : e.text, message);
	study_close(s);
}

static void combinations_cross_the_axes_and_keep_pairs_together(void)
{
	struct study *s = opened("[sweep]\ncore.rob_entries = 32, 64\n"
				 "[pair width]\ndecode.width = 1, 2, 4\ncore.commit_width = 2, 3, 5\n"
				 "[sweep]\nl1d.ways = 2, 4\n[traces]\na = x\n");
	char label[STUDY_LABEL_MAX];
	struct err e;

	/* 2 x 3 x 2 */
	CHECK_U64(s->combinations, 12);
	CHECK_U64(study_param_count(s), 4);
	study_label(s, 0, label);
	CHECK_STR(label, "core.rob_entries=32 decode.width=1 core.commit_width=2 l1d.ways=2");
	/* the last axis runs fastest: 7 = 1 * 6 + 0 * 2 + 1 */
	study_label(s, 7, label);
	CHECK_STR(label, "core.rob_entries=64 decode.width=1 core.commit_width=2 l1d.ways=4");
	/* 10 = 1 * 6 + 2 * 2 + 0 */
	CHECK_I64(study_configure(s, 10, &e), 0);
	CHECK_U64(s->core.core.rob_entries, 64);
	CHECK_U64(s->core.decode.width, 4);
	CHECK_U64(s->core.core.commit_width, 5);
	CHECK_U64(s->core.l1d.ways, 2);
	study_close(s);
}

static void set_holds_for_all_points(void)
{
	struct study *s = opened("title = T\n[set]\ntlb.perfect = yes\n"
				 "[sweep]\nl1d.perfect = no, yes\n[traces]\na = x\n");
	struct err e;

	CHECK_STR(s->title, "T");
	for (size_t n = 0; n < 2; n++) {
		CHECK_I64(study_configure(s, n, &e), 0);
		CHECK(s->core.tlb.perfect);
		CHECK(s->core.l1d.perfect == (n == 1));
	}
	study_close(s);
}

static void a_trace_may_depend_on_a_parameter(void)
{
	struct study *s = opened("[sweep]\ncore.fp_pipes = 1, 2\n[traces]\na = /t/x-{core.fp_pipes}-{bpred.kind}.gz\n");
	struct err e;
	char *path;

	CHECK_I64(study_configure(s, 1, &e), 0);
	path = study_trace_path(s, &s->traces.at[0], &e);
	CHECK_STR(path, "/t/x-2-brhis.gz");
	free(path);
	study_close(s);
}

static void mistakes_have_their_line(void)
{
	check_refused("[sweep]\ncore.rob_entires = 1, 2\n[traces]\na = x\n",
		      "2: unknown key rob_entires in section [core], did you mean rob_entries?");
	check_refused("[sweep]\ncore.rob_entries = 1..8\n",
		      "2: core.rob_entries: 1..8 is not a range, expected FIRST..LAST*FACTOR or FIRST..LAST+STEP");
	check_refused("[sweep]\ncore.rob_entries = 1\n[set]\ncore.rob_entries = 2\n",
		      "4: duplicate core.rob_entries, first in line 2, expected it once");
	check_refused("[set]\ncore.rob_entries = 2\n[pair a]\ncore.rob_entries = 1\n",
		      "4: duplicate core.rob_entries, first in line 2, expected it once");
	check_refused("[pair a]\ncore.rob_entries = 16, 32\ndecode.width = 1, 2, 4\n",
		      "3: decode.width has 3 values, expected 2, as many as core.rob_entries in line 2");
	check_refused("[traces]\na = x-{core.nosuch}.gz\n",
		      "2: unknown parameter {core.nosuch}, expected {section.key} from --list-params");
}

static struct plan *planned(struct study *s)
{
	struct err e = {0};
	struct plan *p = plan_create(s, &e);

	CHECK_STR(e.text, "");
	REQUIRE(p != NULL);
	return p;
}

static void points_are_told_apart_by_values_alone(void)
{
	struct study *a = opened("[sweep]\ncore.rob_entries = 32, 64\n[traces]\nh = SAMPLES/hello.trace.gz\n");
	struct study *b = opened("[set]\ncore.rob_entries = 32\n[traces]\nh = SAMPLES/hello.trace.gz\n");
	struct plan *p = planned(a), *q = planned(b);

	CHECK_U64(p->count, 2);
	CHECK_U64(q->count, 1);
	/* another file, another line, the same processor */
	CHECK_HEX(p->hash[0], q->hash[0]);
	CHECK(p->hash[0] != p->hash[1]);
	/* 8488 instructions (docs: psim-trace says so), two points to do */
	CHECK_U64(plan_work(p), 2 * 8488);
	p->points[0].known = true;
	CHECK_U64(plan_work(p), 8488);
	CHECK_U64(plan_known(p), 1);
	plan_destroy(p);
	plan_destroy(q);
	study_close(a);
	study_close(b);
}

static void one_content_is_not_two_traces(void)
{
	struct study *s = opened("[traces]\na = SAMPLES/hello.trace.gz\nb = SAMPLES/../samples/hello.trace.gz\n");
	struct err e = {0};

	CHECK(plan_create(s, &e) == NULL);
	CHECK(strstr(e.text, ":3: trace b has the content of a, expected another trace") != NULL);
	study_close(s);
}

static void every_allocation_may_fail(void)
{
	static const char text[] = "[sweep]\ncore.rob_entries = 32, 64\n[pair p]\ndecode.width = 2, 4\n"
				   "[traces]\nh = SAMPLES/hello.trace.gz\n";

	for (unsigned k = 1;; k++) {
		struct err e = {0};
		struct study *s;
		struct plan *p;

		alloc_fail_at(k);
		s = explore_study(text, &e);
		p = s ? plan_create(s, &e) : NULL;
		if (!alloc_fail_end()) {
			CHECK(p != NULL);
			plan_destroy(p);
			study_close(s);
			break;
		}
		CHECK(p == NULL);
		CHECK(*e.text != '\0');
		study_close(s);
	}
}

/* The first parameter, and one that differs where those before it do not: "yes" alone says no kind. */
static void an_axis_is_named_by_what_tells_its_positions_apart(void)
{
	static const char text[] =
		"[pair prefetch]\nprefetch.enabled = no, yes, yes\nprefetch.kind = stream, stream, ampm\n"
		"prefetch.degree = 1, 2, 3\n[pair width]\ndecode.width = 2, 4\ncore.commit_width = 2, 4\n"
		"[traces]\nh = SAMPLES/hello.trace.gz\n";
	struct err e = {0};
	struct study *s = explore_study(text, &e);
	char value[STUDY_LABEL_MAX];

	CHECK_STR(e.text, "");
	REQUIRE(s != NULL);
	for (size_t n = 0; n < 3; n++)
		CHECK(study_axis_shows(&s->axes.at[0], n) == (n < 2));
	CHECK(study_axis_shows(&s->axes.at[1], 0) && !study_axis_shows(&s->axes.at[1], 1));
	study_axis_value(&s->axes.at[0], 2, value);
	CHECK_STR(value, "yes ampm");
	/* six combinations: the last axis changes first */
	CHECK_U64(study_axis_position(s, 0, 5), 2);
	CHECK_U64(study_axis_position(s, 1, 4), 0);
	study_close(s);
}

static const struct tap_test tests[] = {
	{"an axis is named by what tells its positions apart", an_axis_is_named_by_what_tells_its_positions_apart},
	{"combinations cross the axes and keep pairs together", combinations_cross_the_axes_and_keep_pairs_together},
	{"set holds for all points", set_holds_for_all_points},
	{"a trace may depend on a parameter", a_trace_may_depend_on_a_parameter},
	{"mistakes have their line", mistakes_have_their_line},
	{"points are told apart by values alone", points_are_told_apart_by_values_alone},
	{"one content is not two traces", one_content_is_not_two_traces},
	{"every allocation may fail", every_allocation_may_fail},
};

int main(void)
{
	return tap_main("study", tests, TAP_COUNT(tests));
}
