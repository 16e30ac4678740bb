/* Tables of times and the table engine: netlink/times, netlink/engine/analytic. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "net_maker.h"
#include "netlink/times/times.h"

struct file {
	char path[40];
};

static struct file file_of(const char *text)
{
	struct file made = {"/tmp/psim-times-XXXXXX"};
	int fd = mkstemp(made.path);
	FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;

	REQUIRE(f != NULL);
	fputs(text, f);
	fclose(f);
	return made;
}

static struct times *read_text(const char *text, struct err *e)
{
	struct file f = file_of(text);
	struct times *t = times_read(f.path, e);

	unlink(f.path);
	return t;
}

#define HEAD "message-times 1\n"
#define P2P \
	"# times of messages\n" \
	"table p2p\n" \
	"bytes  0    1KiB  2KiB\n" \
	"1      2us  3us   5us   # neighbours\n" \
	"\n" \
	"5      4us  5us   9us\n"

static void what_stands_in_the_table_comes_out(void)
{
	struct times *t = read_text(HEAD P2P "table bcast\nbytes 8\n64 1.5ms\n", NULL);
	const struct times_table *p2p;

	REQUIRE(t != NULL);
	p2p = times_find(t, "p2p");
	REQUIRE(p2p != NULL);
	CHECK_I64(times_at(p2p, 1, 0), 2000000);
	CHECK_I64(times_at(p2p, 1, 1024), 3000000);
	CHECK_I64(times_at(p2p, 1, 2048), 5000000);
	CHECK_I64(times_at(p2p, 5, 1024), 5000000);
	CHECK_I64(times_at(times_find(t, "bcast"), 64, 8), INT64_C(1500000000));
	CHECK(times_find(t, "allreduce") == NULL);
	times_destroy(t);
	times_destroy(NULL);
}

static void between_the_lines_it_is_linear(void)
{
	struct times *t = read_text(HEAD P2P, NULL);
	const struct times_table *p2p;

	REQUIRE(t != NULL);
	p2p = times_find(t, "p2p");
	CHECK_I64(times_at(p2p, 1, 512), 2500000);
	CHECK_I64(times_at(p2p, 1, 1536), 4000000);
	CHECK_I64(times_at(p2p, 3, 0), 3000000);
	CHECK_I64(times_at(p2p, 2, 1536), 4750000); /* 4 us, and a quarter of the way to 7 us */
	/* beyond the last size as between the last two: 2 us, and 4 us, a KiB */
	CHECK_I64(times_at(p2p, 1, 4096), 9000000);
	CHECK_I64(times_at(p2p, 5, 3072), 13000000);
	/* beyond the rows as in the last of them */
	CHECK_I64(times_at(p2p, 0, 1024), 3000000);
	CHECK_I64(times_at(p2p, 9, 1024), 5000000);
	times_destroy(t);
}

/*
 * Powers of two 10, 20, 30 us, the others 100 us at 3 and 180 us at 7: 140 us at 5, half way, though 4 and 8 have
 * 20 and 30; 16 and 9 have the nearest of their class. Without others 5 is a quarter of the way from 4 to 8.
 */
static void powers_of_two_and_other_numbers_do_not_mix(void)
{
	static const struct {
		unsigned ranks;
		int64_t us;
		enum times_rows_taken taken;
	} rows[] = {{2, 10, TIMES_BETWEEN},  {4, 20, TIMES_BETWEEN},  {3, 100, TIMES_BETWEEN}, {5, 140, TIMES_BETWEEN},
		    {6, 160, TIMES_BETWEEN}, {7, 180, TIMES_BETWEEN}, {9, 180, TIMES_NEAREST}, {16, 30, TIMES_NEAREST}};
	struct times *t = read_text(HEAD "table a\nbytes 0\n2 10us\n3 100us\n4 20us\n7 180us\n8 30us\n"
					 "table b\nbytes 0\n4 20us\n8 30us\n",
				    NULL);
	enum times_rows_taken taken;

	REQUIRE(t != NULL);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CHECK_I64(times_at_ranks(times_find(t, "a"), rows[i].ranks, 0, &taken), rows[i].us * 1000000);
		CHECK_I64(taken, rows[i].taken);
	}
	CHECK_I64(times_at_ranks(times_find(t, "b"), 5, 0, &taken), 22500000);
	CHECK_I64(taken, TIMES_OTHERS);
	times_destroy(t);
}

static void one_column_or_row_is_a_table_too(void)
{
	struct times *t = read_text(HEAD "table a\nbytes 100\n2 7us\ntable b\nbytes 0 10\n1 9us 5us\n", NULL);

	REQUIRE(t != NULL);
	CHECK_I64(times_at(times_find(t, "a"), 1, 0), 7000000);
	CHECK_I64(times_at(times_find(t, "a"), 9, 1e9), 7000000);
	CHECK_I64(times_at(times_find(t, "b"), 1, 5), 7000000);
	CHECK_I64(times_at(times_find(t, "b"), 1, 20), 5000000); /* falling times do not fall on */
	times_destroy(t);
}

/* Returns the message behind FILE:. */
static const char *complaint(const char *text)
{
	static struct err e;
	struct times *t = read_text(text, &e);

	times_destroy(t);
	if (t)
		return NULL;
	CHECK_U64(e.status, STATUS_BAD_INPUT);
	return strchr(e.text, ':') + 1;
}

static void mistakes_have_their_line(void)
{
	CHECK_STR(complaint(""), "1: no table in it, expected \"message-times 1\" and then \"table NAME\"");
	CHECK_STR(complaint("times 1\n"), "1: no table of times, expected \"message-times 1\" at its beginning");
	CHECK_STR(complaint("message-times 2\n"),
		  "1: no table of times, expected \"message-times 1\" at its beginning");
	CHECK_STR(complaint(HEAD "1 2us\n"), "2: \"1\", expected \"table NAME\"");
	CHECK_STR(complaint(HEAD "bytes 1\n"), "2: a line \"bytes\" before any \"table NAME\"");
	CHECK_STR(complaint(HEAD "table\n"), "2: expected \"table NAME\", a name of at most 31 letters");
	CHECK_STR(complaint(HEAD "table a\n1 2us\n"), "3: \"1\", expected \"bytes SIZE…\"");
	CHECK_STR(complaint(HEAD "table a\n"), "2: table a has no line \"bytes\"");
	CHECK_STR(complaint(HEAD "table a\nbytes\n"), "3: no sizes, expected \"bytes SIZE…\"");
	CHECK_STR(complaint(HEAD "table a\nbytes 1\n"), "3: table a has no rows");
	CHECK_STR(complaint(HEAD "table a\nbytes 1\n\ntable b\n"), "5: table a has no rows");
	CHECK_STR(complaint(HEAD "table a\nbytes 1\n1 2us\ntable a\n"), "5: a second table a");
	CHECK_STR(complaint(HEAD "table a\nbytes 1 1\n"), "3: 1 bytes after 1, expected ascending sizes");
	CHECK_STR(complaint(HEAD "table a\nbytes 1\n2 1us\n2 1us\n"), "5: row 2 after 2, expected ascending numbers");
	CHECK_STR(complaint(HEAD "table a\nbytes 1 2\n1 1us\n"), "4: 1 times, expected 2: one for each size");
	CHECK_STR(complaint(HEAD "table a\nbytes 1\n1 1\n"), "4: \"1\" has no unit, expected one of s, ms, us, ns, ps");
	CHECK_STR(complaint(HEAD "table a\nbytes x\n"), "3: x is not a number, expected 0 to 1024 TiB");
	CHECK_STR(complaint(HEAD "\x01\n"), "2: control character 0x01");
}

static void a_missing_file_is_told(void)
{
	struct err e;

	CHECK(times_read("/no/such/file", &e) == NULL);
	CHECK_STR(e.text, "/no/such/file: cannot open: No such file or directory");
	CHECK_U64(e.status, STATUS_BAD_INPUT);
}

static void the_engine_looks_up_distance_and_size(void)
{
	struct file f = file_of(HEAD P2P);
	char parameters[80];
	struct net_made m;

	snprintf(parameters, sizeof(parameters), "table.file=%s", f.path);
	m = net_must("table", "kind=torus dims=12", parameters);
	net_send(&m, 0, 1, 0, 5, 512); /* 5 links: 4.5 us */
	net_send(&m, 0, 2, 0, 11, 512);
	net_send(&m, 0, 3, 0, 0, 512); /* no link: as row 1 */
	unlink(f.path);
	CHECK_STR(net_next(&m), "SENT 1 at 0");
	CHECK_STR(net_next(&m), "SENT 2 at 0");
	CHECK_STR(net_next(&m), "SENT 3 at 0");
	CHECK_STR(net_next(&m), "DELIVERED 2 at 2500000");
	CHECK_STR(net_next(&m), "DELIVERED 3 at 2500000");
	CHECK_STR(net_next(&m), "DELIVERED 1 at 4500000");
	net_unmake(&m);
}

static void an_engine_without_its_table_is_refused(void)
{
	struct net_made m = net_must("table", "kind=torus dims=4", "");
	struct net_setup s = {.topology = m.topology, .config = &m.config};
	struct file f = file_of(HEAD "table bcast\nbytes 8\n64 1.5ms\n");
	struct err e;

	CHECK(m.kind->create(&s, &e) == NULL);
	CHECK_STR(e.text, "table.file is empty, expected a file with times (docs/formats/times-format.md)");
	snprintf(m.config.table.file, sizeof(m.config.table.file), "%s", f.path);
	CHECK(m.kind->create(&s, &e) == NULL);
	CHECK(strstr(e.text, ": no table p2p, expected one with the times of messages") != NULL);
	unlink(f.path);
	net_unmake(&m);
}

static void short_memory_is_an_error(void)
{
	struct file f = file_of(HEAD P2P);

	for (unsigned k = 1;; k++) {
		struct times *t;
		struct err e;

		alloc_fail_at(k);
		t = times_read(f.path, &e);
		if (!alloc_fail_end()) {
			CHECK(t != NULL && k > 4);
			times_destroy(t);
			break;
		}
		CHECK(t == NULL);
		times_destroy(t);
	}
	unlink(f.path);
}

static const struct tap_test tests[] = {
	{"what stands in the table comes out", what_stands_in_the_table_comes_out},
	{"between the lines it is linear", between_the_lines_it_is_linear},
	{"powers of two and other numbers do not mix", powers_of_two_and_other_numbers_do_not_mix},
	{"one column or row is a table too", one_column_or_row_is_a_table_too},
	{"mistakes have their line", mistakes_have_their_line},
	{"a missing file is told", a_missing_file_is_told},
	{"the engine looks up distance and size", the_engine_looks_up_distance_and_size},
	{"an engine without its table is refused", an_engine_without_its_table_is_refused},
	{"short memory is an error", short_memory_is_an_error},
};

int main(void)
{
	return tap_main("table engine", tests, TAP_COUNT(tests));
}
