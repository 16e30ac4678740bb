/* Output files that are complete or absent: psim/base/report/out.h. */
#define _GNU_SOURCE /* pipe2 */
#include "tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "folder.h"
#include "psim/base/report/out.h"

/* Entries of the folder, hidden ones too. */
static unsigned entries(void)
{
	DIR *d = opendir(folder);
	unsigned n = 0;

	while (d && readdir(d))
		n++;
	closedir(d);
	return n - 2; /* . and .. */
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f)
		abort();
	fputs(text, f);
	fclose(f);
}

static const char *content(const char *path)
{
	static char text[100];
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;

	text[n] = 0;
	if (f)
		fclose(f);
	return f ? text : NULL;
}

static void the_name_appears_on_close(void)
{
	struct out *o = out_create(in_folder("a"), NULL);

	REQUIRE(o != NULL);
	fputs("hello\n", out_file(o));
	fflush(out_file(o));
	CHECK(access(in_folder("a"), F_OK) != 0);
	CHECK_I64(out_close(o, NULL), 0);
	CHECK_STR(content(in_folder("a")), "hello\n");
	CHECK_U64(entries(), 1);
	unlink(in_folder("a"));
}

static void an_older_file_is_replaced_at_once(void)
{
	struct out *o;

	write_file(in_folder("a"), "old");
	o = out_create(in_folder("a"), NULL);
	REQUIRE(o != NULL);
	fputs("new", out_file(o));
	fflush(out_file(o));
	CHECK_STR(content(in_folder("a")), "old");
	CHECK_I64(out_close(o, NULL), 0);
	CHECK_STR(content(in_folder("a")), "new");
	unlink(in_folder("a"));
}

static void abort_leaves_nothing(void)
{
	struct out *o = out_create(in_folder("a"), NULL);

	REQUIRE(o != NULL);
	fputs("half", out_file(o));
	fflush(out_file(o));
	out_abort(o);
	CHECK_U64(entries(), 0);
	out_abort(NULL);
}

static void abort_keeps_the_older_file(void)
{
	struct out *o;

	write_file(in_folder("a"), "old");
	o = out_create(in_folder("a"), NULL);
	REQUIRE(o != NULL);
	fputs("half", out_file(o));
	out_abort(o);
	CHECK_STR(content(in_folder("a")), "old");
	CHECK_U64(entries(), 1);
	unlink(in_folder("a"));
}

static void a_killed_writer_leaves_nothing(void)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		struct out *o = out_create(in_folder("a"), NULL);

		if (o) {
			fputs("half", out_file(o));
			fflush(out_file(o));
		}
		raise(SIGKILL);
	}
	waitpid(child, &status, 0);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	CHECK(access(in_folder("a"), F_OK) != 0);
}

static void a_full_disk_is_an_error(void)
{
	struct out *o = out_create("/dev/full", NULL);
	struct err e = {0};

	REQUIRE(o != NULL);
	fputs("x", out_file(o));
	CHECK_I64(out_close(o, &e), -1);
	CHECK_U64(e.status, STATUS_FAILED);
	CHECK_STR(e.text, "/dev/full: cannot write: No space left on device");
}

static void a_full_disk_in_the_middle_is_an_error(void)
{
	struct out *o = out_create("/dev/full", NULL);
	struct err e = {0};

	REQUIRE(o != NULL);
	for (int i = 0; i < 100000; i++)
		fputs("0123456789", out_file(o));
	CHECK_I64(out_close(o, &e), -1);
	CHECK_U64(e.status, STATUS_FAILED);
}

static void a_failed_write_leaves_nothing(void)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		struct out *o = out_create(in_folder("a"), NULL);
		struct err e = {0};
		int result;

		signal(SIGXFSZ, SIG_IGN);
		/* every write to a file fails from here on */
		if (!o || setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0}) < 0)
			_exit(99);
		fputs("x", out_file(o));
		result = out_close(o, &e);
		_exit(result == -1 && e.status == STATUS_FAILED ? 7 : 98);
	}
	waitpid(child, &status, 0);
	CHECK_I64(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 7);
	CHECK_U64(entries(), 0);
}

static void a_closed_pipe_is_an_error(void)
{
	int fd[2], held;
	struct err e = {0};
	struct out *o;

	fflush(stdout);
	signal(SIGPIPE, SIG_IGN);
	REQUIRE(pipe(fd) == 0);
	held = dup(STDOUT_FILENO);
	dup2(fd[1], STDOUT_FILENO);
	close(fd[0]);
	close(fd[1]);
	o = out_create("-", NULL);
	REQUIRE(o != NULL);
	fputs("x", out_file(o));
	CHECK_I64(out_close(o, &e), 0); /* its reader has enough */
	dup2(held, STDOUT_FILENO);
	close(held);
	clearerr(stdout);
}

static void a_missing_folder_is_named(void)
{
	struct err e = {0};

	CHECK(out_create("/nowhere/at/all", &e) == NULL);
	CHECK_U64(e.status, STATUS_FAILED);
	CHECK_STR(e.text, "/nowhere/at/all: cannot open for writing: No such file or directory");
}

static void a_folder_is_not_a_file(void)
{
	struct err e = {0};

	CHECK(out_create(folder, &e) == NULL);
	CHECK(strstr(e.text, "Is a directory") != NULL);
}

static void a_link_keeps_pointing(void)
{
	struct stat s;
	struct out *o;

	write_file(in_folder("real"), "old");
	CHECK_I64(symlink("real", in_folder("link")), 0);
	o = out_create(in_folder("link"), NULL);
	REQUIRE(o != NULL);
	fputs("new", out_file(o));
	CHECK_I64(out_close(o, NULL), 0);
	CHECK(!lstat(in_folder("link"), &s) && S_ISLNK(s.st_mode));
	CHECK_STR(content(in_folder("real")), "new");
	unlink(in_folder("real"));
	unlink(in_folder("link"));
}

static void the_file_has_the_usual_permissions(void)
{
	mode_t mask = umask(027);
	struct out *o = out_create(in_folder("a"), NULL);
	struct stat s = {0};

	REQUIRE(o != NULL);
	CHECK_I64(out_close(o, NULL), 0);
	umask(mask);
	stat(in_folder("a"), &s);
	CHECK_HEX(s.st_mode & 0777, 0640); /* 0666 without 027 */
	unlink(in_folder("a"));
}

static void the_name_has_no_folder(void)
{
	char here[1024];
	struct out *o;

	REQUIRE(getcwd(here, sizeof(here)) != NULL);
	REQUIRE(chdir(folder) == 0);
	o = out_create("plain", NULL);
	CHECK(o && out_close(o, NULL) == 0);
	CHECK_I64(chdir(here), 0);
	CHECK(access(in_folder("plain"), F_OK) == 0);
	unlink(in_folder("plain"));
}

static void every_allocation_may_fail(void)
{
	for (unsigned k = 1; k < 20; k++) {
		struct err e = {0};
		struct out *o;

		alloc_fail_at(k);
		o = out_create(in_folder("a"), &e);
		if (!alloc_fail_end()) {
			CHECK(o != NULL);
			out_abort(o);
			break;
		}
		CHECK(o == NULL);
		CHECK_U64(e.status, STATUS_FAILED);
		CHECK_U64(entries(), 0);
	}
}

static const struct tap_test tests[] = {
	{"the name appears when the file is closed", the_name_appears_on_close},
	{"an older file is there until the new one is complete", an_older_file_is_replaced_at_once},
	{"an aborted file leaves nothing", abort_leaves_nothing},
	{"an aborted file keeps the older one", abort_keeps_the_older_file},
	{"a killed writer leaves nothing under the name", a_killed_writer_leaves_nothing},
	{"a full disk is an error", a_full_disk_is_an_error},
	{"a disk that fills up in the middle is an error", a_full_disk_in_the_middle_is_an_error},
	{"a failed write leaves nothing", a_failed_write_leaves_nothing},
	{"a closed pipe is an error", a_closed_pipe_is_an_error},
	{"a missing folder is named", a_missing_folder_is_named},
	{"a folder is not taken for a file", a_folder_is_not_a_file},
	{"a symbolic link keeps pointing to the file", a_link_keeps_pointing},
	{"the file has the permissions that umask leaves", the_file_has_the_usual_permissions},
	{"a name without folder is in the current one", the_name_has_no_folder},
	{"every allocation may fail", every_allocation_may_fail},
};

int main(void)
{
	int result;

	folder_make();
	result = tap_main("out", tests, TAP_COUNT(tests));
	rmdir(folder);
	return result;
}
