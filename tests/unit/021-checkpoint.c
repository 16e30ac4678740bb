/* Parts of a run in a file: psim/base/cli/checkpoint.h. The clock is the test's own (the linker's --wrap). */
#include "tap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"
#include "psim/base/cli/checkpoint.h"
#include "psim/base/version.h"

static double seconds = 1000; /* what the clock shows */

int __wrap_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
	(void)clock;
	t->tv_sec = (time_t)seconds;
	t->tv_nsec = 0;
	return 0;
}

static const uint64_t odd[10] = {0, 1, 0xffffffffffffffff, 16, 255, 6, 7, 8, 9, 0x123456789abcdef0};

/* Begins a checkpoint of the run `trace`, in file a.ck. */
static void begin(struct checkpoint *k, uint64_t minutes, const char *trace)
{
	const struct checkpoint_options o = {in_folder("a.ck"), minutes};
	struct err e;

	CHECK(checkpoint_begin(k, &o, "prog", &e) == 0);
	CHECK(checkpoint_is(k, &e, "trace", "%s", trace) == 0);
	CHECK(checkpoint_is(k, &e, "length", "%u", 7u) == 0);
}

static bool file_is_there(void)
{
	return access(in_folder("a.ck"), F_OK) == 0;
}

/* Reads the file; returns its size. */
static size_t contents(char *text, size_t room)
{
	FILE *f = fopen(in_folder("a.ck"), "r");
	size_t size = f ? fread(text, 1, room, f) : 0;

	if (f)
		fclose(f);
	return size;
}

static void replace(const char *text, size_t size)
{
	FILE *f = fopen(in_folder("a.ck"), "w");

	CHECK(f && fwrite(text, 1, size, f) == size && fclose(f) == 0);
}

static void write_two_parts(void)
{
	struct checkpoint k;
	struct err e;

	begin(&k, 0, "1a2b");
	CHECK(checkpoint_add(&k, "plan", odd, 0, &e) == 0);
	CHECK(checkpoint_add(&k, "sync-4", odd, 10, &e) == 0);
	checkpoint_finish(&k);
}

/* All but the digest, whose 32 digits the format leaves to the program. */
static void the_file_is_that_of_the_page(void)
{
	char expected[1000], text[1000] = "";
	size_t size;

	write_two_parts();
	size = contents(text, sizeof(text) - 1);
	snprintf(expected, sizeof(expected),
		 "psim-checkpoint 1\nprogram prog\nversion %s\nis trace 1a2b\nis length 7\n"
		 "part plan 0\npart sync-4 10\n 0 1 ffffffffffffffff 10 ff 6 7 8\n 9 123456789abcdef0\nend 2 ",
		 version_text());
	CHECK_U64(size, strlen(expected) + 33);
	text[strlen(expected)] = '\0';
	CHECK_STR(text, expected);
}

static void parts_are_read_back(void)
{
	struct checkpoint k;
	struct err e;

	write_two_parts();
	begin(&k, 0, "1a2b");
	CHECK_I64(checkpoint_read(&k, &e), 1);
	CHECK_U64(k.parts.count, 2);
	CHECK(!checkpoint_find(&k, "sync-5"));
	REQUIRE(checkpoint_find(&k, "sync-4") != NULL);
	CHECK_U64(checkpoint_find(&k, "sync-4")->count, 10);
	CHECK(memcmp(checkpoint_find(&k, "sync-4")->words, odd, sizeof(odd)) == 0);
	checkpoint_done(&k);
	CHECK(!file_is_there());
	checkpoint_finish(&k);
	begin(&k, 0, "1a2b");
	CHECK_I64(checkpoint_read(&k, &e), 0);
	checkpoint_finish(&k);
}

/* Reads the file, which is wrong. */
static void is_refused(const char *trace, const char *why)
{
	struct checkpoint k;
	struct err e = {0};

	begin(&k, 0, trace);
	CHECK_I64(checkpoint_read(&k, &e), -1);
	CHECK_U64(e.status, STATUS_BAD_INPUT);
	CHECK_U64(k.parts.count, 0);
	CHECK(strstr(e.text, why) != NULL && !strchr(e.text, '\n'));
	checkpoint_finish(&k);
}

static void another_run_is_refused(void)
{
	write_two_parts();
	is_refused("9999", "a.ck:4: of a run with trace 1a2b, expected trace 9999: ");
	CHECK(file_is_there());
}

static void every_cut_is_refused(void)
{
	char text[1000];
	size_t size;

	write_two_parts();
	size = contents(text, sizeof(text));
	for (size_t n = 0; n < size; n++) {
		replace(text, n);
		is_refused("1a2b", ": remove the file, or name another one");
	}
	CHECK(file_is_there());
}

static void every_changed_byte_is_refused(void)
{
	char text[1000];
	size_t size;

	write_two_parts();
	size = contents(text, sizeof(text));
	for (size_t n = 0; n < size; n++) {
		const int bit = 1 << n % 8;

		text[n] = (char)(text[n] ^ bit);
		replace(text, size);
		is_refused("1a2b", "a.ck:");
		text[n] = (char)(text[n] ^ bit);
	}
	text[size] = 'x';
	replace(text, size + 1);
	is_refused("1a2b", "more behind its line 'end'");
}

/* Ten minutes: 599 s after the begin it is not yet written, then it is; and the next time 600 s later. */
static void it_is_written_every_so_many_minutes(void)
{
	struct checkpoint k;
	struct err e;

	remove(in_folder("a.ck"));
	begin(&k, 10, "1a2b");
	seconds += 599;
	CHECK(checkpoint_add(&k, "a", odd, 1, &e) == 0);
	CHECK(!file_is_there());
	seconds += 1;
	CHECK(checkpoint_add(&k, "b", odd, 1, &e) == 0);
	CHECK(file_is_there());
	remove(in_folder("a.ck"));
	seconds += 599;
	CHECK(checkpoint_add(&k, "c", odd, 1, &e) == 0);
	CHECK(!file_is_there());
	checkpoint_write(&k); /* the run is interrupted */
	CHECK(file_is_there());
	remove(in_folder("a.ck"));
	checkpoint_write(&k); /* it lacks no part */
	CHECK(!file_is_there());
	checkpoint_finish(&k);
}

/* The folder is gone: the run goes on. stderr has the warning, once. */
static void a_failed_write_ends_no_run(void)
{
	const struct checkpoint_options o = {in_folder("sub/a.ck"), 0};
	char said[400] = "";
	struct checkpoint k;
	FILE *file = tmpfile();
	int held = dup(STDERR_FILENO);
	struct err e;

	REQUIRE(file != NULL);
	CHECK(checkpoint_begin(&k, &o, "prog", &e) == 0);
	CHECK_I64(checkpoint_read(&k, &e), -1); /* where it cannot be written, a run does not begin */
	dup2(fileno(file), STDERR_FILENO);
	CHECK(checkpoint_add(&k, "a", odd, 1, &e) == 0 && checkpoint_add(&k, "b", odd, 1, &e) == 0);
	dup2(held, STDERR_FILENO);
	close(held);
	rewind(file);
	CHECK(fread(said, 1, sizeof(said) - 1, file) > 0);
	fclose(file);
	CHECK(strncmp(said, "prog: warning: ", 15) == 0 && strchr(said, '\n') == said + strlen(said) - 1);
	mkdir(in_folder("sub"), 0777);
	checkpoint_write(&k);
	CHECK(access(o.path, F_OK) == 0);
	checkpoint_done(&k);
	checkpoint_finish(&k);
	rmdir(in_folder("sub"));
}

static void options_without_effect_are_refused(void)
{
	struct checkpoint k;
	struct err e;

	CHECK(checkpoint_begin(&k, &(struct checkpoint_options){NULL, 5}, "prog", &e) < 0);
	CHECK(checkpoint_begin(&k, &(struct checkpoint_options){"-", 5}, "prog", &e) < 0);
	CHECK(checkpoint_begin(&k, &CHECKPOINT_OPTIONS_DEFAULT, "prog", &e) == 0);
	CHECK(checkpoint_add(&k, "a", odd, 1, &e) == 0);
	CHECK_U64(k.parts.count, 0);
	checkpoint_finish(&k);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"the file is that of its page", the_file_is_that_of_the_page},
		{"parts are read back, and the file goes when the run is done", parts_are_read_back},
		{"a file of another run is refused, with the line", another_run_is_refused},
		{"a file that ends early is refused, wherever", every_cut_is_refused},
		{"a file with a changed byte is refused, whichever", every_changed_byte_is_refused},
		{"the file is written every so many minutes", it_is_written_every_so_many_minutes},
		{"a write that fails is a warning, and is tried again", a_failed_write_ends_no_run},
		{"options without effect are refused", options_without_effect_are_refused},
	};
	int ret;

	folder_make();
	ret = tap_main("checkpoint", tests, TAP_COUNT(tests));
	remove(in_folder("a.ck"));
	rmdir(folder);
	return ret;
}
