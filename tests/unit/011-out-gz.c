/* Output files that are compressed on their way: psim/base/report/out.h. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "folder.h"
#include "psim/base/report/out.h"

static void remove_folder(const char *name)
{
	unlink(in_folder(name));
	CHECK(rmdir(folder) == 0); /* nothing else is left in it */
}

static void a_name_in_gz_is_compressed(void)
{
	struct out *o;
	char text[100000], first[2];
	gzFile gz;
	FILE *f;

	folder_make();
	o = out_create(in_folder("a.gz"), NULL);
	REQUIRE(o != NULL);
	for (int n = 0; n < 20000; n++)
		fputs("abc\n", out_file(o));
	CHECK(access(in_folder("a.gz"), F_OK) != 0); /* no name before it is complete */
	CHECK_I64(out_close(o, NULL), 0);
	f = fopen(in_folder("a.gz"), "rb");
	REQUIRE(f && fread(first, 1, 2, f) == 2);
	CHECK(!memcmp(first, "\x1f\x8b", 2));
	fclose(f);
	gz = gzopen(in_folder("a.gz"), "rb");
	CHECK_I64(gzread(gz, text, sizeof(text)), 80000);
	CHECK(!memcmp(text + 79996, "abc\n", 4));
	gzclose(gz);
	remove_folder("a.gz");
}

static void names_of_other_compressed_files_are_refused(void)
{
	struct err e = {0};

	folder_make();
	CHECK(out_create(in_folder("a.xz"), &e) == NULL);
	CHECK_I64(e.status, STATUS_USAGE);
	CHECK(strstr(e.text, "a.xz: cannot write .xz, expected .gz") != NULL);
	CHECK(out_create_packed(in_folder("a.zst"), &e) == NULL);
	CHECK_I64(out_can_create(in_folder("a.bz2"), &e), -1);
	CHECK(rmdir(folder) == 0);
}

/* Data that are compressed already are not compressed again. */
static void packed_data_stay_as_they_are(void)
{
	char text[10] = "";
	struct out *o;
	FILE *f;

	folder_make();
	o = out_create_packed(in_folder("a.gz"), NULL);
	REQUIRE(o != NULL);
	fputs("abc", out_file(o));
	CHECK_I64(out_close(o, NULL), 0);
	f = fopen(in_folder("a.gz"), "rb");
	REQUIRE(f && fgets(text, sizeof(text), f));
	CHECK_STR(text, "abc");
	fclose(f);
	remove_folder("a.gz");
}

static void any_other_name_is_not(void)
{
	char text[10] = "";
	struct out *o;
	FILE *f;

	folder_make();
	o = out_create(in_folder("gz"), NULL);
	REQUIRE(o != NULL);
	fputs("abc", out_file(o));
	CHECK_I64(out_close(o, NULL), 0);
	f = fopen(in_folder("gz"), "rb");
	REQUIRE(f && fgets(text, sizeof(text), f));
	CHECK_STR(text, "abc");
	fclose(f);
	remove_folder("gz");
}

static void what_is_dropped_leaves_nothing(void)
{
	struct out *o;

	folder_make();
	o = out_create(in_folder("a.gz"), NULL);
	REQUIRE(o != NULL);
	fputs("abc", out_file(o));
	out_abort(o);
	remove_folder("a.gz");
}

static void a_full_disk_shows_at_the_end(void)
{
	struct err e = {0};
	struct out *o;

	folder_make();
	REQUIRE(symlink("/dev/full", in_folder("a.gz")) == 0);
	o = out_create(in_folder("a.gz"), &e);
	REQUIRE(o != NULL);
	fputs("abc", out_file(o)); /* the compressor keeps it until the end */
	CHECK_I64(out_close(o, &e), -1);
	CHECK_U64(e.status, STATUS_FAILED);
	CHECK(strstr(e.text, "No space left on device") != NULL);

	o = out_create(in_folder("a.gz"), NULL);
	REQUIRE(o != NULL);
	for (int n = 0; n < 100000; n++) /* more than it keeps: an earlier write fails */
		fprintf(out_file(o), "%d\n", n * 7919);
	CHECK_I64(out_close(o, &e), -1);
	CHECK_U64(e.status, STATUS_FAILED);
	remove_folder("a.gz");
}

static const struct tap_test tests[] = {
	{"a name in .gz is compressed", a_name_in_gz_is_compressed},
	{"names of other compressed files are refused", names_of_other_compressed_files_are_refused},
	{"packed data stay as they are", packed_data_stay_as_they_are},
	{"any other name is not", any_other_name_is_not},
	{"what is dropped leaves nothing", what_is_dropped_leaves_nothing},
	{"a full disk shows at the end", a_full_disk_shows_at_the_end},
};

int main(void)
{
	return tap_main("out-gz", tests, TAP_COUNT(tests));
}
