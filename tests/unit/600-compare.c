/* Reports read back, and two of them side by side: psim/report/. */
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "psim/report/compare.h"

static char path[2][40];

static void write_file(int n, const char *text)
{
	FILE *f;
	int fd;

	strcpy(path[n], "/tmp/psim-compare-XXXXXX");
	fd = mkstemp(path[n]);
	f = fd >= 0 ? fdopen(fd, "w") : NULL;
	REQUIRE(f != NULL);
	fputs(text, f);
	fclose(f);
}

static void read_file(struct result *r, int n, const char *text)
{
	struct err e = {0};

	write_file(n, text);
	CHECK_I64(result_read(r, path[n], &e), 0);
	CHECK_STR(e.text, "");
	unlink(path[n]);
}

static double number(const struct result *r, const char *name)
{
	const struct result_value *v = result_find(r, name);

	return v && !v->text ? v->number : -1;
}

static void values_have_the_names_of_their_places(void)
{
	struct result r;

	read_file(&r, 0,
		  "{\"core\": {\"ipc\": 1.5, \"deep\": {\"x\": 2, \"none\": null}},"
		  " \"loops\": [{\"place\": \"f\", \"ipc\": 3}, {\"place\": \"f\", \"ipc\": 4}, "
		  "{\"place\": \"g.h\", \"ipc\": 5}],"
		  " \"list\": [6, {\"n\": 7}], \"kind\": \"big\", \"on\": true,"
		  " \"units\": {\"core.ipc\": \"insn/cycle\", \"loops.ipc\": \"1\"}}");
	/* core: 3, loops: 3 x 2, list: 2, kind, on */
	CHECK_U64(r.count, 13);
	CHECK_F64(number(&r, "core.ipc"), 1.5, 0);
	CHECK_F64(number(&r, "core.deep.x"), 2, 0);
	CHECK(isnan(number(&r, "core.deep.none")));
	CHECK_F64(number(&r, "loops.f.ipc"), 3, 0);
	CHECK_F64(number(&r, "loops.f#2.ipc"), 4, 0);
	CHECK_F64(number(&r, "loops.g.h.ipc"), 5, 0);
	CHECK_F64(number(&r, "list.0"), 6, 0);
	CHECK_F64(number(&r, "list.1.n"), 7, 0);
	CHECK_STR(result_find(&r, "kind")->text, "big");
	CHECK_STR(result_find(&r, "on")->text, "true");
	CHECK_STR(result_find(&r, "core.ipc")->unit, "insn/cycle");
	CHECK_STR(result_find(&r, "loops.f#2.ipc")->unit, "1");
	CHECK_STR(result_find(&r, "list.0")->unit, "");
	CHECK(result_find(&r, "units.core.ipc") == NULL);
	result_finish(&r);
}

/* psim/base/renamed.def has the names of the last release. */
static void a_report_of_the_last_release_has_present_names(void)
{
	struct result r;

	read_file(&r, 0,
		  "{\"dispatch\": {\"stall_fetch_port\": 5}, \"occupancy\": [{\"structure\": \"store ports\", "
		  "\"entries\": 16}],"
		  " \"units\": {\"dispatch.stall_fetch_port\": \"cycles\"}}");
	CHECK_F64(number(&r, "dispatch.stall_load_queue"), 5, 0);
	CHECK_STR(result_find(&r, "dispatch.stall_load_queue")->unit, "cycles");
	CHECK_F64(number(&r, "occupancy.store queue.entries"), 16, 0);
	CHECK_STR(result_find(&r, "occupancy.store queue.structure")->text, "store queue");
	result_finish(&r);
}

static void check_refused(const char *text, const char *message)
{
	struct err e = {0};
	struct result r;

	write_file(0, text);
	CHECK_I64(result_read(&r, path[0], &e), -1);
	CHECK_U64(e.status, STATUS_BAD_INPUT);
	CHECK(!strncmp(e.text, path[0], strlen(path[0])));
	CHECK(strstr(e.text, message) != NULL);
	result_finish(&r);
	unlink(path[0]);
}

static void what_is_no_report_is_refused(void)
{
	char deep[400] = "", name[1400];

	for (int n = 0; n < 40; n++)
		strcat(deep, "{\"a\":");
	strcat(deep, "1");
	for (int n = 0; n < 40; n++)
		strcat(deep, "}");
	memset(name, 'n', sizeof(name));
	snprintf(name, 3, "{\"");
	name[2] = 'n';
	snprintf(name + 1200, 10, "\": 1}");
	check_refused("", ":1: not JSON");
	check_refused("{\n\"a\": 1", ":2: not JSON");
	check_refused("{\"a\": 1, \"a\": 2}", "duplicate object key");
	check_refused("[1, 2]", "expected a JSON object");
	check_refused(deep, "nesting too deep, expected at most 32 levels");
	check_refused(name, "name too long, expected at most 1024 bytes");
}

static void every_allocation_of_a_reader_may_fail(void)
{
	write_file(0, "{\"a\": 1, \"t\": [{\"name\": \"x\", \"y\": 2, \"z\": \"text\"}]}");
	for (unsigned k = 1; k < 100; k++) {
		struct err e = {0};
		struct result r;
		int result;

		alloc_fail_at(k);
		result = result_read(&r, path[0], &e);
		result_finish(&r);
		if (!alloc_fail_end()) {
			CHECK_I64(result, 0);
			CHECK(k > 5);
			unlink(path[0]);
			return;
		}
		CHECK_I64(result, -1);
		CHECK_U64(e.status, STATUS_FAILED);
	}
	CHECK(!"more allocations than expected");
}

/* The table of differences as CSV, without its first line. */
static void check_compared(const char *a, const char *b, struct compare_options o, size_t rows, const char *csv)
{
	struct report *r = report_create();
	struct result result[2];
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	read_file(&result[0], 0, a);
	read_file(&result[1], 1, b);
	CHECK_U64(compare_results(result, 2, &o, r), rows);
	CHECK_I64(report_write(r, REPORT_CSV, f, NULL), 0);
	fclose(f);
	CHECK_STR(strchr(text, '\n') + 1, csv);
	free(text);
	report_destroy(r);
	result_finish(&result[0]);
	result_finish(&result[1]);
}

static void only_what_differs_is_listed(void)
{
	/* from 4 to 5: a quarter more; what one lacks is "-"; run and host are not compared */
	check_compared("{\"run\": {\"a\": 1}, \"x\": {\"same\": 1, \"more\": 4, \"gone\": 2, "
		       "\"t\": \"p\"}, \"units\": {\"x.more\": \"J\"}}",
		       "{\"run\": {\"a\": 2}, \"x\": {\"same\": 1, \"more\": 5, \"t\": \"q\", "
		       "\"new\": 3}, \"host\": {\"b\": 1}}",
		       (struct compare_options){0}, 4,
		       "differences,name,0,x.more,\n"
		       "differences,a,0,4,\n"
		       "differences,b,0,5,\n"
		       "differences,ratio,0,1.25,\n"
		       "differences,change,0,25,%\n"
		       "differences,unit,0,J,\n"
		       "differences,name,1,x.gone,\n"
		       "differences,a,1,2,\n"
		       "differences,b,1,-,\n"
		       "differences,ratio,1,,\n"
		       "differences,change,1,,%\n"
		       "differences,unit,1,,\n"
		       "differences,name,2,x.t,\n"
		       "differences,a,2,p,\n"
		       "differences,b,2,q,\n"
		       "differences,ratio,2,,\n"
		       "differences,change,2,,%\n"
		       "differences,unit,2,,\n"
		       "differences,name,3,x.new,\n"
		       "differences,a,3,-,\n"
		       "differences,b,3,3,\n"
		       "differences,ratio,3,,\n"
		       "differences,change,3,,%\n"
		       "differences,unit,3,,\n");
}

static void small_changes_can_be_left_out(void)
{
	static const char a[] = "{\"x\": 100, \"y\": -100, \"z\": 0, \"n\": null}";
	static const char b[] = "{\"x\": 101, \"y\": -102, \"z\": 0, \"n\": null}";

	/* x: 1 %, which is within 1; y: -100 to -102 is 2 % less */
	check_compared(a, b, (struct compare_options){.within_percent = 1}, 1,
		       "differences,name,0,y,\n"
		       "differences,a,0,-100,\n"
		       "differences,b,0,-102,\n"
		       "differences,ratio,0,1.02,\n"
		       "differences,change,0,-2,%\n"
		       "differences,unit,0,,\n");
	check_compared(a, b, (struct compare_options){.within_percent = 2}, 0, "");
	/* from nothing to something is more than any percentage */
	check_compared("{\"z\": 0}", "{\"z\": 1}", (struct compare_options){.within_percent = 1e6, .as_text = true}, 1,
		       "differences,name,0,z,\n"
		       "differences,a,0,0,\n"
		       "differences,b,0,1,\n"
		       "differences,ratio,0,,\n"
		       "differences,change,0,,%\n"
		       "differences,unit,0,,\n");
}

static void a_part_can_be_chosen(void)
{
	check_compared("{\"co\": {\"x\": 1}, \"core\": {\"x\": 1}}", "{\"co\": {\"x\": 2}, \"core\": {\"x\": 2}}",
		       (struct compare_options){.only = "co"}, 1,
		       "differences,name,0,co.x,\n"
		       "differences,a,0,1,\n"
		       "differences,b,0,2,\n"
		       "differences,ratio,0,2,\n"
		       "differences,change,0,100,%\n"
		       "differences,unit,0,,\n");
}

/*
 * 4 s beside 1 s: four times faster. The second is of a chip, without energy; the first has no name, so that of its
 * file replaces it.
 */
static void two_runs_are_a_line_each(void)
{
	char first[] = "a.json", second[] = "b.json", *const files[2] = {first, second};
	struct report *r = report_create();
	struct result x[2];
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	read_file(&x[0], 0, "{\"core\": {\"seconds\": 4, \"ipc\": 1.5, \"energy_j\": 3}}");
	read_file(&x[1], 1,
		  "{\"trace\": {\"program\": \"p\"}, \"chip\": {\"seconds\": 1, \"ipc\": 2, \"area_mm2\": 7}}");
	CHECK_U64(compare_kind_of_all(x, 2), COMPARE_PROCESSOR);
	compare_short(x, 2, files, r);
	CHECK_I64(report_write(r, REPORT_CSV, f, NULL), 0);
	fclose(f);
	CHECK_STR(strchr(text, '\n') + 1,
		  "runs,program,0,a.json,\nruns,seconds,0,4,s\nruns,ipc,0,1.5,insn/cycle\nruns,gflops,0,,GFlop/s\n"
		  "runs,share_of_peak,0,,%\nruns,energy_j,0,3,J\nruns,power_w,0,,W\nruns,area_mm2,0,,mm2\n"
		  "runs,speed_up,0,1,\nruns,program,1,p,\nruns,seconds,1,1,s\nruns,ipc,1,2,insn/cycle\n"
		  "runs,gflops,1,,GFlop/s\nruns,share_of_peak,1,,%\nruns,energy_j,1,,J\nruns,power_w,1,,W\n"
		  "runs,area_mm2,1,7,mm2\nruns,speed_up,1,4,\n");
	free(text);
	report_destroy(r);
	result_finish(&x[0]);
	result_finish(&x[1]);
	read_file(&x[0], 0, "{\"terms\": {\"seconds\": 1}}");
	CHECK_U64(compare_kind_of(&x[0]), COMPARE_OTHER);
	result_finish(&x[0]);
}

/* Checks the tables of two systems as CSV, without the line of titles. */
static void check_systems(const struct result x[2], const char *expected)
{
	char first[] = "a.json", second[] = "b.html", *const files[2] = {first, second}, *text = NULL;
	struct report *r = report_create();
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	compare_short(x, 2, files, r);
	compare_parts_side(x, 2, false, r);
	CHECK_I64(report_write(r, REPORT_CSV, f, NULL), 0);
	fclose(f);
	CHECK_STR(strchr(text, '\n') + 1, expected);
	free(text);
	report_destroy(r);
}

/*
 * A program of 4 s, 3 of them computation, 1 J; and a page of traffic of 1 s, which has no path. Then the second is a
 * program of 2 s: of the 2 s less, computation saves 2 and latency 1, and the link costs 1.
 */
static void systems_are_a_line_each_and_their_parts_add_up(void)
{
	struct result x[2];

	read_file(&x[0], 0,
		  "{\"program\": {\"seconds\": 4, \"compute\": 3, \"wait\": 1, \"messages\": 8}, \"power\": "
		  "{\"energy\": 1, "
		  "\"power\": 0.25}, \"bounds\": [{\"part\": \"computation\", \"time\": 3}, {\"part\": \"latency\", "
		  "\"time\": 1}]}");
	read_file(&x[1], 1,
		  "<!DOCTYPE html>\nconst report = [{\"n\": \"network\", \"d\": \"\", \"i\": [{\"n\": \"seconds\", "
		  "\"d\": \"\", \"u\": "
		  "\"s\", \"v\": 1}]}, {\"n\": \"link_use\", \"d\": \"\", \"i\": [{\"n\": \"most\", \"d\": \"\", "
		  "\"u\": \"%\", \"v\": "
		  "50}]}, {\"n\": \"t\", \"c\": [[\"x\", \"W\"], [\"y\", \"\"]], \"r\": [[\"k\", 2], [\"l\", 3]]}];\n");
	CHECK_F64(number(&x[1], "t.l.y"), 3, 0);
	CHECK_STR(result_find(&x[1], "network.seconds")->unit, "s");
	check_systems(x, "runs,program,0,a.json,\nruns,seconds,0,4,s\nruns,compute,0,3,s\nruns,wait,0,1,s\n"
			 "runs,messages,0,8,\nruns,bytes,0,,bytes\nruns,link_most,0,,%\nruns,energy_j,0,1,J\n"
			 "runs,power_w,0,0.25,W\nruns,speed_up,0,1,\nruns,program,1,b.html,\nruns,seconds,1,1,s\n"
			 "runs,compute,1,,s\nruns,wait,1,,s\nruns,messages,1,,\nruns,bytes,1,,bytes\n"
			 "runs,link_most,1,50,%\nruns,energy_j,1,,J\nruns,power_w,1,,W\nruns,speed_up,1,4,\n");
	result_finish(&x[1]);
	read_file(&x[1], 1,
		  "{\"program\": {\"seconds\": 2}, \"bounds\": [{\"part\": \"link\", \"time\": 1}, {\"part\": "
		  "\"latency\", "
		  "\"time\": 0}, {\"part\": \"computation\", \"time\": 1}]}");
	CHECK_U64(compare_kind_of_all(x, 2), COMPARE_SYSTEM);
	check_systems(x,
		      "runs,program,0,a.json,\nruns,seconds,0,4,s\nruns,compute,0,3,s\nruns,wait,0,1,s\n"
		      "runs,messages,0,8,\nruns,bytes,0,,bytes\nruns,link_most,0,,%\nruns,energy_j,0,1,J\n"
		      "runs,power_w,0,0.25,W\nruns,speed_up,0,1,\nruns,program,1,b.html,\nruns,seconds,1,2,s\n"
		      "runs,compute,1,,s\nruns,wait,1,,s\nruns,messages,1,,\nruns,bytes,1,,bytes\n"
		      "runs,link_most,1,,%\nruns,energy_j,1,,J\nruns,power_w,1,,W\nruns,speed_up,1,2,\n"
		      "time_parts,part,0,computation,\ntime_parts,a,0,3,s\ntime_parts,b,0,1,s\n"
		      "time_parts,difference,0,-2,s\ntime_parts,share,0,100,%\ntime_parts,part,1,latency,\n"
		      "time_parts,a,1,1,s\ntime_parts,b,1,0,s\ntime_parts,difference,1,-1,s\n"
		      "time_parts,share,1,50,%\ntime_parts,part,2,link,\ntime_parts,a,2,0,s\n"
		      "time_parts,b,2,1,s\ntime_parts,difference,2,1,s\ntime_parts,share,2,-50,%\n"
		      "time_parts,part,3,all,\ntime_parts,a,3,4,s\ntime_parts,b,3,2,s\ntime_parts,difference,3,-2,s\n"
		      "time_parts,share,3,100,%\n");
	result_finish(&x[0]);
	result_finish(&x[1]);
}

/* Pages whose data is none, is cut, or has other forms. */
static void damaged_pages_are_refused(void)
{
	static const struct {
		const char *page, *message;
	} rows[] = {
		{"<html>\n</html>\n", "a page without a report, expected a page of --html or JSON of --json"},
		{"<\nconst report = [{\"n\":\n", "damaged page: not JSON: "},
		{"<\nconst report = {};\n", "damaged page: a group without items, "},
		{"<\nconst report = [3];\n", "damaged page: an item without a name, "},
		{"<\nconst report = [{\"n\": \"a\", \"c\": [[\"x\", \"\"]], \"r\": [[]]}];\n",
		 "damaged page: a: a row without a cell for each column, "},
		{"<\nconst report = [{\"n\": \"a\", \"c\": [[\"x\", \"\"]]}];\n",
		 "damaged page: a: a table without columns or rows, "},
		{"<\nconst report = [{\"n\": \"a\", \"c\": [[]], \"r\": []}];\n",
		 "damaged page: a: a column without a name, "},
		{"<\nconst report = [{\"n\": \"a\", \"v\": []}];\n",
		 "damaged page: a value that is neither number nor text, "},
	};

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		struct result r;
		struct err e = {0};

		write_file(0, rows[n].page);
		CHECK_I64(result_read(&r, path[0], &e), -1);
		CHECK(strstr(e.text, rows[n].message) != NULL);
		CHECK_U64(e.status, STATUS_BAD_INPUT);
		result_finish(&r);
		unlink(path[0]);
	}
}

/*
 * Three reports: what is configured comes first; the largest change of the time, 4 s, is -75 %, to 1 s, and not +50 %,
 * to 6 s; a value that one lacks, or that only the last has, is a row.
 */
static void three_reports_have_a_column_each(void)
{
	struct compare_options o = {.only = NULL};
	struct report *r = report_create();
	struct result x[3];
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	read_file(&x[0], 0, "{\"core\": {\"seconds\": 4, \"ipc\": 2}, \"config\": {\"core\": {\"rob\": 64}}}");
	read_file(&x[1], 1, "{\"core\": {\"seconds\": 6, \"ipc\": 2}, \"config\": {\"core\": {\"rob\": 32}}}");
	read_file(&x[2], 1, "{\"core\": {\"seconds\": 1, \"new\": 5}, \"config\": {\"core\": {\"rob\": 64}}}");
	CHECK_U64(compare_results(x, 3, &o, r), 4);
	CHECK_U64(compare_results(x, 3, &o, NULL), 4);
	CHECK_I64(report_write(r, REPORT_CSV, f, NULL), 0);
	fclose(f);
	CHECK_STR(strchr(text, '\n') + 1,
		  "differences,name,0,config.core.rob,\ndifferences,a,0,64,\ndifferences,b,0,32,\n"
		  "differences,c,0,64,\ndifferences,change,0,-50,%\ndifferences,unit,0,,\n"
		  "differences,name,1,core.seconds,\ndifferences,a,1,4,\ndifferences,b,1,6,\n"
		  "differences,c,1,1,\ndifferences,change,1,-75,%\ndifferences,unit,1,,\n"
		  "differences,name,2,core.ipc,\ndifferences,a,2,2,\ndifferences,b,2,2,\n"
		  "differences,c,2,-,\ndifferences,change,2,0,%\ndifferences,unit,2,,\n"
		  "differences,name,3,core.new,\ndifferences,a,3,-,\ndifferences,b,3,-,\n"
		  "differences,c,3,5,\ndifferences,change,3,,%\ndifferences,unit,3,,\n");
	free(text);
	report_destroy(r);
	for (unsigned n = 0; n < 3; n++)
		result_finish(&x[n]);
}

/* The tables that a comparison of numbered rows makes, as CSV. */
static void check_rows(const char *a, const char *b, size_t changed, const char *csv)
{
	struct compare_options o = {.without_rows = true};
	struct report *r = report_create();
	struct result result[2];
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	read_file(&result[0], 0, a);
	read_file(&result[1], 1, b);
	CHECK_U64(compare_results(result, 2, &o, r), 0);
	CHECK_U64(compare_rows(&result[0], &result[1], &o, NULL), changed);
	report_destroy(r);
	r = report_create();
	CHECK_U64(compare_rows(&result[0], &result[1], &o, r), changed);
	CHECK_I64(report_write(r, REPORT_CSV, f, NULL), 0);
	fclose(f);
	CHECK_STR(strchr(text, '\n') + 1, csv);
	free(text);
	report_destroy(r);
	result_finish(&result[0]);
	result_finish(&result[1]);
}

static void numbered_rows_are_summed_up_by_column(void)
{
	/* means of t: 2 and 3, of w: 4 and 4; rank 1's t changed by 2, rank 2's by 1 */
	check_rows("{\"ranks\": [{\"t\": 1, \"w\": 4}, {\"t\": 2, \"w\": 4}, {\"t\": 3, \"w\": 4}],"
		   " \"units\": {\"ranks.t\": \"s\"}}",
		   "{\"ranks\": [{\"t\": 1, \"w\": 4}, {\"t\": 4, \"w\": 4}, {\"t\": 4, \"w\": 4}]}", 2,
		   "rows,column,0,ranks.t,\n"
		   "rows,rows,0,3,\n"
		   "rows,changed,0,2,\n"
		   "rows,mean_a,0,2,\n"
		   "rows,mean_b,0,3,\n"
		   "rows,ratio,0,1.5,\n"
		   "rows,unit,0,s,\n"
		   "largest,name,0,ranks.1.t,\n"
		   "largest,a,0,2,\n"
		   "largest,b,0,4,\n"
		   "largest,ratio,0,2,\n"
		   "largest,unit,0,s,\n"
		   "largest,name,1,ranks.2.t,\n"
		   "largest,a,1,3,\n"
		   "largest,b,1,4,\n"
		   "largest,ratio,1,1.3333333333333333,\n"
		   "largest,unit,1,s,\n");
	check_rows("{\"ranks\": [{\"t\": 1}]}", "{\"ranks\": [{\"t\": 1}]}", 0, "");
	/* a row that only one has counts, and is in no mean */
	check_rows("{\"ranks\": [{\"t\": 1}]}", "{\"ranks\": [{\"t\": 1}, {\"t\": 9}]}", 1,
		   "rows,column,0,ranks.t,\n"
		   "rows,rows,0,1,\n"
		   "rows,changed,0,1,\n"
		   "rows,mean_a,0,1,\n"
		   "rows,mean_b,0,1,\n"
		   "rows,ratio,0,1,\n"
		   "rows,unit,0,,\n");
}

static const struct tap_test tests[] = {
	{"values have the names of their places", values_have_the_names_of_their_places},
	{"a report of the last release has present names", a_report_of_the_last_release_has_present_names},
	{"what is no report is refused", what_is_no_report_is_refused},
	{"only what differs is listed", only_what_differs_is_listed},
	{"numbered rows are summed up by column", numbered_rows_are_summed_up_by_column},
	{"small changes can be left out", small_changes_can_be_left_out},
	{"a part can be chosen", a_part_can_be_chosen},
	{"two runs are a line each", two_runs_are_a_line_each},
	{"systems are a line each, and their parts add up", systems_are_a_line_each_and_their_parts_add_up},
	{"damaged pages are refused", damaged_pages_are_refused},
	{"three reports have a column each", three_reports_have_a_column_each},
	{"every allocation of a reader may fail", every_allocation_of_a_reader_may_fail},
};

int main(void)
{
	return tap_main("compare", tests, TAP_COUNT(tests));
}
