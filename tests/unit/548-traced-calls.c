/* Traces of real MPI programs: numbers of requests, parts of ranks as one file (netlink/tracer). */
#include "tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "netlink/tracer/trace_part.h"
#include "netlink/tracer/traced_requests.h"

static void requests(void)
{
	struct traced_requests *t = traced_requests_create();
	int64_t number;

	REQUIRE(t != NULL);
	CHECK_I64(traced_request_add(t, 70), 0);
	CHECK_I64(traced_request_add(t, 71), 1);
	CHECK_I64(traced_request_add(t, 70), 2); /* a handle twice: the oldest goes first */
	CHECK_I64(traced_request_end(t, 70), 0);
	CHECK_I64(traced_request_end(t, 70), 2);
	CHECK_I64(traced_request_end(t, 70), -1);
	CHECK_I64(traced_request_add(t, 72), 2); /* the number that was free last */

	CHECK_I64(traced_request_keep(t, 80, "send 1 2 3"), 0);
	CHECK_I64(traced_request_end(t, 80), -1); /* it is not under way */
	CHECK_STR(traced_request_start(t, 80, &number), "send 1 2 3");
	CHECK_I64(number, 0);
	CHECK(traced_request_start(t, 80, &number) == NULL);
	CHECK_I64(traced_request_end(t, 80), 0);
	CHECK_STR(traced_request_start(t, 80, &number), "send 1 2 3");
	traced_request_forget(t, 80);
	CHECK_I64(traced_request_end(t, 80), -1);
	CHECK(traced_request_start(t, 80, &number) == NULL);

	CHECK_I64(traced_request_add(t, 90), 3); /* of two events, which end one after the other; 0 was forgotten */
	CHECK_I64(traced_request_add_second(t, 90), 4);
	CHECK(traced_request_is_paired(t, 90));
	CHECK_I64(traced_request_end(t, 90), 3);
	CHECK(!traced_request_is_paired(t, 90));
	CHECK_I64(traced_request_end(t, 90), 4);
	CHECK_I64(traced_request_end(t, 90), -1);
	CHECK_I64(traced_request_add_second(t, 90), -1);

	CHECK_I64(traced_request_end(t, 71), 1);
	CHECK_I64(traced_request_end(t, 72), 2);
	traced_requests_destroy(t);
}

static void write_text(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	REQUIRE(f != NULL);
	fputs(text, f);
	fclose(f);
}

/* Returns the content; free it. NULL: no such file. */
static char *read_text(const char *name)
{
	FILE *f = fopen(name, "r");
	char *text = f ? calloc(1, 1 << 20) : NULL;

	if (text)
		(void)!fread(text, 1, (1 << 20) - 1, f);
	if (f)
		fclose(f);
	return text;
}

/* A folder for the parts. */
struct place {
	char folder[32], file[48], part[3][64];
};

static void place_make(struct place *p)
{
	strcpy(p->folder, "/tmp/traced-XXXXXX");
	REQUIRE(mkdtemp(p->folder) != NULL);
	snprintf(p->file, sizeof(p->file), "%s/t", p->folder);
	for (int n = 0; n < 3; n++)
		snprintf(p->part[n], sizeof(p->part[n]), "%s.%d", p->file, n);
}

static void place_remove(struct place *p)
{
	for (int n = 0; n < 3; n++)
		unlink(p->part[n]);
	unlink(p->file);
	CHECK_I64(rmdir(p->folder), 0);
}

/* By time, and of one time by rank; a line that was cut is left out. */
static void parts_by_time(void)
{
	struct place p;
	char *text;
	struct err e;

	place_make(&p);
	write_text(p.part[0], "100 0 barrier\n300 0 send 1 7 8\n");
	write_text(p.part[1], "50 1 compute 0.1\n300 1 recv 0 7 8\n400 1 bar");
	write_text(p.part[2], "");
	CHECK_I64(trace_parts_join(p.file, 3, "lacks 2 MPI_Comm_spawn\n", &e), 0);
	text = read_text(p.file);
	CHECK_STR(text ? text : "",
		  "ranks 3\nlacks 2 MPI_Comm_spawn\n1 compute 0.1\n0 barrier\n0 send 1 7 8\n1 recv 0 7 8\n");
	free(text);
	for (int n = 0; n < 3; n++)
		CHECK(access(p.part[n], F_OK) < 0);
	place_remove(&p);
}

/* A line longer than what is read at once: a list of a count for each of 30000 ranks. */
static void long_lines(void)
{
	struct place p;
	char *line = calloc(1, 70000), *text;
	struct err e;

	REQUIRE(line != NULL);
	place_make(&p);
	strcpy(line, "9 0 alltoallv ");
	memset(line + strlen(line), '1', 66000);
	strcat(line, "\n");
	write_text(p.part[0], line);
	write_text(p.part[1], "8 1 barrier\n10 1 barrier\n");
	CHECK_I64(trace_parts_join(p.file, 2, "", &e), 0);
	text = read_text(p.file);
	REQUIRE(text != NULL);
	CHECK_U64(strlen(text), strlen("ranks 2\n1 barrier\n1 barrier\n") + strlen(line + 2));
	CHECK(strstr(text, line + 2) == text + strlen("ranks 2\n1 barrier\n"));
	free(text);
	free(line);
	place_remove(&p);
}

/* A part that is missing is named; the other parts stay, and there is no file. */
static void part_missing(void)
{
	struct place p;
	struct err e;
	char *text;

	place_make(&p);
	write_text(p.part[0], "100 0 barrier\n");
	CHECK_I64(trace_parts_join(p.file, 2, "", &e), -1);
	CHECK_I64(e.status, STATUS_FAILED);
	CHECK(strstr(e.text, "/t.1: No such file or directory, expected the part of rank 1") != NULL);
	CHECK(access(p.part[0], F_OK) == 0);
	CHECK(access(p.file, F_OK) < 0);
	/* an older trace stays */
	write_text(p.file, "ranks 1\n");
	CHECK_I64(trace_parts_join(p.file, 2, "", &e), -1);
	text = read_text(p.file);
	CHECK_STR(text ? text : "", "ranks 1\n");
	free(text);
	place_remove(&p);
}

static void a_part(void)
{
	struct trace_part part;
	struct place p;
	char *text, *end;
	long long from, to;

	place_make(&p);
	CHECK_I64(trace_part_begin(&part, p.file, 2), 0);
	part.last = trace_now() - 2000000000; /* two seconds of computation */
	trace_line_begin(&part);
	fputs(" barrier", part.out);
	trace_line_end(&part);
	CHECK_I64(trace_part_end(&part), 0);
	text = read_text(p.part[2]);
	REQUIRE(text != NULL);
	from = strtoll(text, &end, 10);
	CHECK(!strncmp(end, " 2 compute 2.0", strlen(" 2 compute 2.0")));
	end = strchr(end, '\n');
	REQUIRE(end != NULL);
	to = strtoll(end, &end, 10);
	CHECK(to - from >= 2000000000);
	CHECK_STR(end, " 2 barrier\n");
	free(text);
	place_remove(&p);
}

static const struct tap_test tests[] = {
	{"numbers of requests", requests},     {"parts by time", parts_by_time},
	{"lines of any length", long_lines},   {"a part that is missing", part_missing},
	{"a part has time and calls", a_part},
};

int main(void)
{
	return tap_main("traced calls", tests, TAP_COUNT(tests));
}
