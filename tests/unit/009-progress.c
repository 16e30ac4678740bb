/* Progress and signals as flags: psim/base/cli/progress.h. The clock is the test's own (the linker's --wrap). */
#include "tap.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "psim/base/cli/progress.h"

static double seconds = 1000; /* what the clock shows */

int __wrap_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
	(void)clock;
	t->tv_sec = (time_t)seconds;
	t->tv_nsec = (long)(1e9 * (seconds - (double)t->tv_sec));
	return 0;
}

/* stderr goes to a file between begin and end, which returns what was written there. */
static FILE *file;
static int held;

static void begin(void)
{
	file = tmpfile();
	if (!file)
		abort();
	held = dup(STDERR_FILENO);
	dup2(fileno(file), STDERR_FILENO);
}

static const char *end(void)
{
	static char text[500];
	size_t n;

	dup2(held, STDERR_FILENO);
	close(held);
	rewind(file);
	n = fread(text, 1, sizeof(text) - 1, file);
	text[n] = '\0';
	fclose(file);
	return text;
}

static void a_short_run_is_silent(void)
{
	struct progress p;

	begin();
	progress_start(&p, "prog", "insn", 100, false);
	for (uint64_t i = 0; i < 100; i++) {
		CHECK(progress_step(&p, i, NULL));
		seconds += 0.5;
	}
	progress_end(&p);
	CHECK_STR(end(), "");
}

/* stderr is a file: a line a minute. 50 000 a second of 8 million: 3 million after 60 s, and 5 to go. */
static void without_a_terminal_there_is_a_line_a_minute(void)
{
	for (int quiet = 0; quiet < 2; quiet++) {
		struct progress p;

		begin();
		progress_start(&p, "prog", "insn", 8000000, quiet);
		for (uint64_t i = 0; i < 150; i++) {
			CHECK(progress_step(&p, i * 50000, NULL));
			seconds += 1;
		}
		progress_end(&p);
		CHECK_STR(end(), quiet ? ""
				       : "prog:  38 %, 3 Minsn, 0.05 Minsn/s, 100 s left\n"
					 "prog:  75 %, 6 Minsn, 0.05 Minsn/s, 40 s left\n");
	}
}

/* Another run has done 4 of 8 million: 3 million more in 60 s, so 20 s for the last one. */
static void what_another_run_has_done_has_no_rate(void)
{
	struct progress p;

	begin();
	progress_start(&p, "prog", "insn", 8000000, false);
	progress_from(&p, 4000000);
	for (uint64_t i = 0; i < 70; i++) {
		CHECK(progress_step(&p, 4000000 + i * 50000, NULL));
		seconds += 1;
	}
	progress_end(&p);
	CHECK_STR(end(), "prog:  88 %, 7 Minsn, 0.05 Minsn/s, 20 s left\n");
}

/* 120 in two minutes; a million would be counted by millions. */
static void a_few_are_counted_one_by_one(void)
{
	struct progress p;

	begin();
	progress_start(&p, "prog", "cells", 120, false);
	for (uint64_t i = 0; i < 100; i++) {
		CHECK(progress_step(&p, i, "bcast"));
		seconds += 1;
	}
	progress_end(&p);
	CHECK_STR(end(), "prog:  50 %, 60 cells, 1 cells/s, 60 s left, bcast\n");
}

/* A row of 30 columns shows 29 characters, so that the next line replaces them. */
static void a_line_is_not_wider_than_the_terminal(void)
{
	struct winsize size = {.ws_row = 24, .ws_col = 30};
	struct progress p;
	char text[200];
	size_t length = 0;
	ssize_t n;
	int master = posix_openpt(O_RDWR | O_NOCTTY), terminal, before = dup(STDERR_FILENO);

	CHECK(master >= 0 && !grantpt(master) && !unlockpt(master));
	terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
	CHECK(terminal >= 0 && !ioctl(terminal, TIOCSWINSZ, &size));
	dup2(terminal, STDERR_FILENO);
	progress_start(&p, "prog", "cells", 120, false);
	seconds += 2;
	progress_step(&p, 60, "allreduce, 64, 1048576 bytes");
	progress_end(&p);
	dup2(before, STDERR_FILENO);
	close(terminal);
	while ((n = read(master, text + length, sizeof(text) - 1 - length)) > 0) /* what is written comes in parts */
		length += (size_t)n;
	text[length] = '\0';
	CHECK_STR(text, "\rprog:  50 %, 60 cells, 30 cel\033[K\r\033[K");
	close(before);
	close(master);
}

static void sigusr1_asks_for_a_line(void)
{
	struct progress p;

	begin();
	progress_start(&p, "prog", "insn", 4000000, true);
	raise(SIGUSR1);
	seconds += 2;
	CHECK(progress_step(&p, 1000000, "IPC 1.5"));
	CHECK(progress_step(&p, 2000000, NULL));
	progress_end(&p);
	/* 1 of 4 million in 2 s; once */
	CHECK_STR(end(), "prog:  25 %, 1 Minsn, 0.5 Minsn/s, 6 s left, IPC 1.5\n");
}

static void sigint_ends_the_loop_in_good_order(void)
{
	struct progress p;

	progress_start(&p, "prog", "insn", 0, true);
	CHECK(progress_step(&p, 1, NULL));
	CHECK_I64(progress_signal(), 0);
	raise(SIGINT);
	CHECK(!progress_step(&p, 2, NULL));
	CHECK_I64(progress_signal(), SIGINT);
	progress_end(&p);
}

/* Ends with status 0 if nothing kills it: the second signal comes `pause` seconds after the first. */
static int after_two_signals(double pause)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		struct progress p;

		progress_start(&p, "prog", "insn", 0, true);
		raise(SIGINT);
		seconds += pause;
		raise(SIGINT);
		_exit(progress_step(&p, 1, NULL) ? 2 : 0);
	}
	waitpid(child, &status, 0);
	return status;
}

static void a_second_sigint_kills(void)
{
	for (double pause = 2; pause < 4; pause += 0.5) {
		int status = after_two_signals(pause);

		CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
	}
}

static void the_same_wish_told_twice_does_not_kill(void)
{
	for (double pause = 0; pause < 1.5; pause += 0.5) {
		int status = after_two_signals(pause);

		CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
}

static void the_end_gives_signals_back(void)
{
	struct sigaction before, after;
	struct progress p;

	sigaction(SIGTERM, NULL, &before);
	progress_start(&p, "prog", "insn", 0, true);
	progress_end(&p);
	sigaction(SIGTERM, NULL, &after);
	CHECK(before.sa_handler == after.sa_handler);
}

static void an_ignored_signal_stays_ignored(void)
{
	struct progress p;

	signal(SIGHUP, SIG_IGN); /* as nohup does */
	progress_start(&p, "prog", "insn", 0, true);
	raise(SIGHUP);
	CHECK(progress_step(&p, 1, NULL));
	progress_end(&p);
	signal(SIGHUP, SIG_DFL);
}

static const struct tap_test tests[] = {
	{"a short run is silent", a_short_run_is_silent},
	{"without a terminal there is a line a minute", without_a_terminal_there_is_a_line_a_minute},
	{"what another run has done has no rate", what_another_run_has_done_has_no_rate},
	{"a few are counted one by one, many by millions", a_few_are_counted_one_by_one},
	{"a line is not wider than the terminal", a_line_is_not_wider_than_the_terminal},
	{"SIGUSR1 asks for one line, even of a quiet run", sigusr1_asks_for_a_line},
	{"SIGINT ends the loop in good order", sigint_ends_the_loop_in_good_order},
	{"a second SIGINT, later, kills", a_second_sigint_kills},
	{"a signal that comes twice at once does not kill", the_same_wish_told_twice_does_not_kill},
	{"the end gives signals back", the_end_gives_signals_back},
	{"an ignored signal stays ignored", an_ignored_signal_stays_ignored},
};

int main(void)
{
	return tap_main("progress", tests, TAP_COUNT(tests));
}
