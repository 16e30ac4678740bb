/* Points run and kept: energy/explore/explore_run.h, store.h. */
#include "tap.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "energy/explore/explore_run.h"
#include "energy/explore/simulate.h"
#include "core_run.h"
#include "explore_study.h"

/* Eight points of 8488 instructions. */
static const char eight[] = "[sweep]\ncore.rob_entries = 16, 32, 64, 128\ndecode.width = 2, 4\n"
			    "[traces]\nhello = SAMPLES/hello.trace.gz\n";

struct bench {
	char path[64];
	struct study *study;
	struct plan *plan;
};

static void begin(struct bench *b, const char *text)
{
	struct err e = {0};
	int fd;

	strcpy(b->path, "/tmp/psim-results-XXXXXX");
	fd = mkstemp(b->path);
	REQUIRE(fd >= 0);
	close(fd);
	b->study = explore_study(text, &e);
	CHECK_STR(e.text, "");
	REQUIRE(b->study != NULL);
	b->plan = plan_create(b->study, &e);
	CHECK_STR(e.text, "");
	REQUIRE(b->plan != NULL);
}

static void end(struct bench *b)
{
	char name[80];

	unlink(b->path);
	snprintf(name, sizeof(name), "%s-wal", b->path);
	unlink(name);
	snprintf(name, sizeof(name), "%s-shm", b->path);
	unlink(name);
	plan_destroy(b->plan);
	study_close(b->study);
}

static int run(struct bench *b, const struct run_options *o, struct run_outcome *out)
{
	struct err e = {0};
	struct store *s = store_open(b->path, true, &e);
	int ret = s ? store_load(s, b->plan, &e) : -1;

	if (ret == 0)
		ret = run_points(b->plan, s, o, out, &e);
	CHECK_I64(store_close(s, &e), 0);
	CHECK_STR(e.text, "");
	return ret;
}

static void forget(struct bench *b)
{
	for (size_t n = 0; n < b->plan->count; n++) {
		b->plan->points[n].known = false;
		memset(&b->plan->points[n].figures, 0, sizeof(b->plan->points[n].figures));
	}
}

/* Returns the result of a query of one number. */
static int64_t asked(const struct bench *b, const char *sql)
{
	sqlite3_stmt *q = NULL;
	int64_t answer = -1;
	sqlite3 *db;

	if (sqlite3_open(b->path, &db) == SQLITE_OK && sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK &&
	    sqlite3_step(q) == SQLITE_ROW)
		answer = sqlite3_column_int64(q, 0);
	sqlite3_finalize(q);
	sqlite3_close(db);
	return answer;
}

static void check_same(const struct bench *a, const struct bench *b)
{
	CHECK_U64(a->plan->count, b->plan->count);
	for (size_t n = 0; n < a->plan->count; n++) {
		CHECK(a->plan->points[n].known && b->plan->points[n].known);
		CHECK(!memcmp(&a->plan->points[n].figures, &b->plan->points[n].figures, sizeof(struct figures)));
	}
}

static void a_point_is_what_the_processor_says_of_it(void)
{
	struct bench b;
	struct run_options o = {.jobs = 2};
	struct run_outcome out;
	struct figures alone;
	struct err e = {0};

	begin(&b, eight);
	CHECK_I64(run(&b, &o, &out), 0);
	CHECK_U64(out.done, 8);
	/* simulated here, in this process, without pipe and database */
	CHECK_I64(study_configure(b.study, 5, &e), 0);
	CHECK_I64(simulate(&b.study->core, &b.plan->files.at[0], &(struct simulate_options){.runs = 1}, &alone, &e), 0);
	CHECK(!memcmp(&alone, &b.plan->points[5].figures, sizeof(alone)));
	CHECK_F64(alone.value[FIGURE_instructions], 8488, 0);
	/* 2 GHz */
	CHECK_F64(alone.value[FIGURE_seconds], alone.value[FIGURE_cycles] / 2e9, 1e-15);
	end(&b);
}

static void results_do_not_depend_on_the_number_of_jobs(void)
{
	struct bench one, many;
	struct run_outcome out;

	begin(&one, eight);
	begin(&many, eight);
	CHECK_I64(run(&one, &(struct run_options){.jobs = 1}, &out), 0);
	CHECK_I64(run(&many, &(struct run_options){.jobs = 5}, &out), 0);
	check_same(&one, &many);
	end(&one);
	end(&many);
}

static void what_is_kept_is_not_simulated_again(void)
{
	struct bench b;
	struct run_options o = {.jobs = 2};
	struct run_outcome out;

	begin(&b, eight);
	CHECK_I64(run(&b, &o, &out), 0);
	forget(&b);
	CHECK_I64(run(&b, &o, &out), 0);
	CHECK_U64(out.done, 0);
	CHECK_U64(plan_known(b.plan), 8);
	end(&b);
}

/* Kills this process as soon as three points are done. */
static bool kill_at_three(void *user, uint64_t instructions, const char *note)
{
	(void)user;
	(void)instructions;
	if (!strncmp(note, "3 of", 4))
		kill(getpid(), SIGKILL);
	return true;
}

static void a_killed_run_goes_on_with_nothing_lost_or_doubled(void)
{
	struct bench killed, whole;
	struct run_outcome out;
	int status = 0;
	pid_t pid;

	begin(&killed, eight);
	begin(&whole, eight);
	CHECK_I64(run(&whole, &(struct run_options){.jobs = 1}, &out), 0);
	pid = fork();
	if (pid == 0) {
		run(&killed, &(struct run_options){.jobs = 1, .step = kill_at_three}, &out);
		_exit(0);
	}
	REQUIRE(pid > 0);
	CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	CHECK_I64(asked(&killed, "SELECT count(*) FROM point"), 3);
	CHECK_I64(run(&killed, &(struct run_options){.jobs = 1}, &out), 0);
	CHECK_U64(out.done, 5);
	check_same(&killed, &whole);
	CHECK_I64(asked(&killed, "SELECT count(*) FROM point"), 8);
	CHECK_I64(asked(&killed, "SELECT count(*) FROM trace"), 1);
	/* the values of a parameter: each of the eight configurations has it once */
	CHECK_I64(asked(&killed, "SELECT count(*) FROM parameter WHERE name = 'core.rob_entries'"), 8);
	CHECK_I64(asked(&killed, "SELECT count(*) FROM parameter WHERE name = 'decode.width' AND value = '2'"), 4);
	end(&killed);
	end(&whole);
}

static bool stop_at_two(void *user, uint64_t instructions, const char *note)
{
	(void)user;
	(void)instructions;
	return strncmp(note, "2 of", 4) != 0;
}

static void a_run_that_is_asked_to_stop_keeps_what_is_done(void)
{
	struct bench b;
	struct run_outcome out;

	begin(&b, eight);
	CHECK_I64(run(&b, &(struct run_options){.jobs = 1, .step = stop_at_two}, &out), 0);
	CHECK(out.stopped);
	CHECK_U64(out.done, 2);
	CHECK_I64(asked(&b, "SELECT count(*) FROM point"), 2);
	end(&b);
}

static void a_point_that_fails_does_not_stop_the_others(void)
{
	/* the damage is behind what trace_open reads */
	static const char text[] = "[sweep]\ncore.rob_entries = 32, 64\n[traces]\nhello = SAMPLES/hello.trace.gz\n"
				   "bad = SAMPLES/../../tests/bad/trace/columns.trace.gz\n";
	struct bench b;
	struct run_outcome out;

	begin(&b, text);
	CHECK_I64(run(&b, &(struct run_options){.jobs = 3}, &out), 0);
	CHECK_U64(out.done, 2);
	CHECK_U64(out.failed, 2);
	CHECK_U64(out.first.status, STATUS_BAD_INPUT);
	CHECK(!strncmp(out.first.text, "core.rob_entries=32 of bad: ", 28));
	CHECK(strstr(out.first.text, "columns.trace.gz:offset ") != NULL);
	CHECK_I64(asked(&b, "SELECT count(*) FROM point"), 2);
	end(&b);
}

/* Many runs that begin at one time make one file: SQLite lets some of them fail at once while another changes the
 * journal's mode. */
static void many_runs_begin_one_file(void)
{
	enum { ROUNDS = 12, RUNS = 8 };
	struct bench b;

	begin(&b, eight);
	for (unsigned round = 0; round < ROUNDS; round++) {
		unlink(b.path);
		for (unsigned run = 0; run < RUNS; run++) {
			pid_t child = fork();

			REQUIRE(child >= 0);
			if (child == 0) {
				struct err e = {0};
				struct store *s = store_open(b.path, true, &e);

				if (!s || store_close(s, &e) < 0)
					printf("# %s\n", e.text);
				fflush(stdout);
				_exit(e.status);
			}
		}
		for (unsigned run = 0; run < RUNS; run++) {
			int status = -1;

			REQUIRE(wait(&status) > 0);
			CHECK_I64(status, 0);
		}
		CHECK_I64(asked(&b, "SELECT count(*) FROM point"), 0);
	}
	end(&b);
}

static void what_is_no_result_file_is_refused(void)
{
	static const char other[] = "CREATE TABLE t (x)", later[] = "PRAGMA user_version = 9";
	struct bench b;
	struct run_outcome out;
	struct err e = {0};
	FILE *f;

	begin(&b, eight);
	f = fopen(b.path, "w");
	for (int n = 0; n < 1000; n++)
		fputs("no database\n", f);
	fclose(f);
	CHECK(store_open(b.path, true, &e) == NULL);
	CHECK_U64(e.status, STATUS_BAD_INPUT);
	CHECK(strstr(e.text, "expected results of psim-explore") != NULL);
	unlink(b.path);
	asked(&b, other);
	CHECK(store_open(b.path, true, &e) == NULL);
	CHECK_U64(e.status, STATUS_BAD_INPUT);
	CHECK(strstr(e.text, "another kind of database") != NULL);
	unlink(b.path);
	CHECK(store_open(b.path, false, &e) == NULL);
	CHECK_U64(e.status, STATUS_FAILED);
	CHECK_I64(run(&b, &(struct run_options){.jobs = 2}, &out), 0);
	asked(&b, later);
	CHECK(store_open(b.path, true, &e) == NULL);
	CHECK(strstr(e.text, "results in format 9, expected format 7") != NULL);
	end(&b);
}

/* A trace of `fmas` SIMD multiply-adds for `pes` PEs of 64 KiB, in FOLDER/PES.trace.gz. */
static void simd_trace(const char *folder, unsigned pes, unsigned fmas)
{
	static const char *const args[] = {"test"};
	const struct trace_info info = {
		.program = "test",
		.args = args,
		.arg_count = 1,
		.recorder = "453",
		.pes = pes,
		.sbm_bytes = 65536,
	};
	const uint32_t fma = W_FMADDD(2, 4, 6, 2);
	uint32_t words[64];
	struct trace_maker m;
	char path[80];

	for (unsigned n = 0; n < fmas; n++)
		words[n] = fma;
	trace_maker_start(&m, &info);
	m.simd = true;
	trace_maker_straight(&m, 0x10000, words, fmas, NULL);
	trace_close(trace_maker_open(&m));
	snprintf(path, sizeof(path), "%s/%u.trace.gz", folder, pes);
	CHECK_I64(rename(m.path, path), 0);
	trace_maker_finish(&m);
}

/* Removes what simd_trace made for `count` arrays. */
static void remove_traces(const char *folder, const unsigned *pes, unsigned count)
{
	char path[80];

	for (unsigned n = 0; n < count; n++) {
		snprintf(path, sizeof(path), "%s/%u.trace.gz", folder, pes[n]);
		unlink(path);
	}
	rmdir(folder);
}

static void each_array_has_its_trace(void)
{
	static const unsigned pes[] = {2, 4};
	struct run_options o = {.jobs = 2};
	struct run_outcome out;
	char folder[] = "/tmp/psim-arrays-XXXXXX", text[300];
	struct bench b;

	REQUIRE(mkdtemp(folder) != NULL);
	simd_trace(folder, 2, 60);
	simd_trace(folder, 4, 30);
	snprintf(text, sizeof(text),
		 "[set]\ntlb.perfect = yes\nl1i.perfect = yes\n[sweep]\nsimd.pes = 2, 4\n"
		 "[traces]\nfma = %s/{simd.pes}.trace.gz\n",
		 folder);
	begin(&b, text);
	CHECK_U64(b.plan->files.count, 2);
	CHECK_U64(b.plan->files.at[0].pes, 2);
	CHECK_U64(b.plan->files.at[1].pes, 4);
	CHECK_I64(run(&b, &o, &out), 0);
	/* the same work: 60 instructions of two PEs, 30 of four; chains of 8 cycles each */
	CHECK_F64(b.plan->points[0].figures.value[FIGURE_instructions], 60, 0);
	CHECK_F64(b.plan->points[1].figures.value[FIGURE_instructions], 30, 0);
	CHECK_F64(b.plan->points[0].figures.value[FIGURE_cycles] - b.plan->points[1].figures.value[FIGURE_cycles],
		  30 * 8, 0);
	CHECK(b.plan->points[0].figures.value[FIGURE_area_mm2] < b.plan->points[1].figures.value[FIGURE_area_mm2]);
	end(&b);
	remove_traces(folder, pes, 2);
}

static void what_does_not_fit_is_skipped(void)
{
	static const unsigned pes[] = {4};
	char folder[] = "/tmp/psim-arrays-XXXXXX", text[200];
	struct study *study;
	struct plan *plan;
	struct err e = {0};

	REQUIRE(mkdtemp(folder) != NULL);
	simd_trace(folder, 4, 8);
	snprintf(text, sizeof(text), "[sweep]\nsimd.pes = 4, 8\n[traces]\nfma = %s/4.trace.gz\n", folder);
	study = explore_study(text, &e);
	REQUIRE(study != NULL);
	/* a trace of another array: one of two combinations is left */
	plan = plan_create(study, &e);
	REQUIRE(plan != NULL);
	CHECK_U64(plan->live, 1);
	CHECK_U64(plan_work(plan), plan->files.at[0].length);
	REQUIRE(plan->skips.count == 1);
	CHECK_U64(plan->skips.at[0].combination, 1);
	CHECK(strstr(plan->skips.at[0].why, ":4: trace fma: simd.pes = 8, but the trace was recorded with 4 PEs") !=
	      NULL);
	plan_destroy(plan);
	study_close(study);
	/* values that do not go together, and an FMA beyond the node; nothing left is a mistake */
	study = explore_study("[sweep]\nfetch.width_bytes = 32, 24\nlatency.fp_fma = 4, 8\n[traces]\n"
			      "hello = SAMPLES/hello.trace.gz\n",
			      &e);
	REQUIRE(study != NULL);
	plan = plan_create(study, &e);
	REQUIRE(plan != NULL);
	CHECK_U64(plan->live, 1);
	REQUIRE(plan->skips.count == 3);
	CHECK(strstr(plan->skips.at[0].why, "path fp_fma (FP multiply-add): its logic must be 2.000 times") != NULL);
	CHECK_STR(plan->skips.at[1].why, plan->skips.at[2].why);
	plan_destroy(plan);
	study_close(study);
	study = explore_study("[sweep]\nlatency.fp_fma = 3, 4\n[traces]\nhello = SAMPLES/hello.trace.gz\n", &e);
	REQUIRE(study != NULL);
	CHECK(plan_create(study, &e) == NULL);
	CHECK_U64(e.status, STATUS_USAGE);
	CHECK(strstr(e.text, "(latency.fp_fma=3)") != NULL);
	study_close(study);
	remove_traces(folder, pes, 1);
}

static void cores_of_a_chip_all_run_the_trace(void)
{
	struct run_options o = {.jobs = 2, .check = true};
	struct run_outcome out;
	struct figures *one, *two;
	struct bench b;

	begin(&b, "[sweep]\nchip.cores = 1, 2\n[traces]\nhello = SAMPLES/hello.trace.gz\n");
	CHECK_U64(plan_work(b.plan), 8488 + 2 * 8488);
	CHECK_I64(run(&b, &o, &out), 0);
	one = &b.plan->points[0].figures;
	two = &b.plan->points[1].figures;
	CHECK_F64(two->value[FIGURE_instructions], 2 * 8488, 0);
	/* the cores' misses share a channel: it takes longer, but not twice as long */
	CHECK(two->value[FIGURE_cycles] > one->value[FIGURE_cycles]);
	CHECK(two->value[FIGURE_cycles] < 2 * one->value[FIGURE_cycles]);
	/* 210.714 mm2 and a second core of 74.308 (420-area.c) */
	CHECK_F64(two->value[FIGURE_area_mm2], 285.022, 3e-3);
	/* neither predictor nor caches know of the other core: misses a thousand instructions are the same */
	CHECK_F64(two->value[FIGURE_branch_mpki], one->value[FIGURE_branch_mpki], 1e-9);
	CHECK_F64(two->value[FIGURE_l2_mpki], one->value[FIGURE_l2_mpki], 1e-9);
	end(&b);
}

static const struct tap_test tests[] = {
	{"a point is what the processor says of it", a_point_is_what_the_processor_says_of_it},
	{"results do not depend on the number of jobs", results_do_not_depend_on_the_number_of_jobs},
	{"what is kept is not simulated again", what_is_kept_is_not_simulated_again},
	{"a killed run goes on with nothing lost or doubled", a_killed_run_goes_on_with_nothing_lost_or_doubled},
	{"a run that is asked to stop keeps what is done", a_run_that_is_asked_to_stop_keeps_what_is_done},
	{"a point that fails does not stop the others", a_point_that_fails_does_not_stop_the_others},
	{"many runs begin one file", many_runs_begin_one_file},
	{"what is no result file is refused", what_is_no_result_file_is_refused},
	{"all cores of a chip run the trace", cores_of_a_chip_all_run_the_trace},
	{"each array has the trace that was recorded for it", each_array_has_its_trace},
	{"what does not fit is skipped, and told", what_does_not_fit_is_skipped},
};

int main(void)
{
	return tap_main("explore-run", tests, TAP_COUNT(tests));
}
