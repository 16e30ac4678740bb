#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "../escape.h"

/* Set by the signal handlers: the only writable static data in the libraries. */
static volatile sig_atomic_t end_requested, end_requested_at, end_passed_on, status_requested;

static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
enum { WATCHED = sizeof(watched) / sizeof(watched[0]) };

/*
 * timeout(1) and terminals signal both the process and its group, so one request may arrive twice.
 * Only a signal more than a second later is a second request, and kills; never one that another process of the run
 * passes on (sigqueue).
 */
static void on_signal(int number, siginfo_t *info, void *context)
{
	struct timespec now;

	(void)context;
	if (number == SIGUSR1) {
		status_requested = 1;
		return;
	}
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (end_requested && info->si_code == SI_QUEUE)
		return;
	if (end_requested && (sig_atomic_t)now.tv_sec - end_requested_at >= 2) {
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	if (!end_requested) {
		end_requested_at = (sig_atomic_t)now.tv_sec;
		end_passed_on = info->si_code == SI_QUEUE;
	}
	end_requested = number;
}

static double progress_host_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_start(struct progress *p, const char *program, const char *unit, uint64_t total, bool quiet)
{
	memset(p, 0, sizeof(*p));
	p->program = program;
	p->unit = unit;
	p->total = total;
	p->quiet = quiet;
	p->terminal = isatty(STDERR_FILENO);
	p->start = progress_host_seconds();
	p->next = p->start + (p->terminal ? 1 : 60);
	end_requested = end_passed_on = status_requested = 0;
	for (int i = 0; i < WATCHED; i++) {
		struct sigaction a = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};

		sigemptyset(&a.sa_mask);
		sigaction(watched[i], &a, &p->held[i]);
		if (p->held[i].sa_handler == SIG_IGN && watched[i] != SIGUSR1)
			sigaction(watched[i], &p->held[i], NULL); /* nohup and background jobs ignore it: keep that */
	}
}

void progress_from(struct progress *p, uint64_t done)
{
	p->from = done;
	p->start = progress_host_seconds();
}

/* Columns of the line; one more would move the cursor of a terminal to the next row, where it replaces no line. */
static size_t progress_columns(const struct progress *p, size_t most)
{
	struct winsize size;

	if (!p->terminal || ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col < 2 || size.ws_col > most)
		return most;
	return (size_t)size.ws_col - 1;
}

static void show(struct progress *p, double now, uint64_t done, const char *note)
{
	double seconds = now - p->start, rate = seconds > 0 && done > p->from ? (double)(done - p->from) / seconds : 0;
	const bool few = p->total && p->total < 10000;
	const double scale = few ? 1 : 1e-6;
	const char *prefix = few ? "" : "M";
	char part[32] = "", left[32] = "", plain[128], line[256];

	if (p->total)
		snprintf(part, sizeof(part), "%3.0f %%, ", 100.0 * (double)done / (double)p->total);
	if (p->total > done && rate > 0)
		snprintf(left, sizeof(left), ", %.0f s left", (double)(p->total - done) / rate);
	escape_copy(plain, sizeof(plain), note ? note : "");
	snprintf(line, sizeof(line), "%s: %s%.4g %s%s, %.3g %s%s/s%s%s%s", p->program, part, scale * (double)done,
		 prefix, p->unit, scale * rate, prefix, p->unit, left, note ? ", " : "", plain);
	fprintf(stderr, "%s%.*s%s", p->terminal ? "\r" : "", (int)progress_columns(p, sizeof(line)), line,
		p->terminal ? "\033[K" : "\n");
	fflush(stderr);
	p->shown = true;
}

bool progress_step(struct progress *p, uint64_t done, const char *note)
{
	double now = progress_host_seconds();

	if (status_requested) {
		status_requested = 0;
		show(p, now, done, note);
		if (p->terminal)
			fputc('\n', stderr);
	} else if (!p->quiet && now >= p->next) {
		show(p, now, done, note);
		p->next = now + (p->terminal ? 0.5 : 60);
	}
	return !end_requested;
}

void progress_end(struct progress *p)
{
	if (p->shown && p->terminal)
		fputs("\r\033[K", stderr);
	for (int i = 0; i < WATCHED; i++)
		sigaction(watched[i], &p->held[i], NULL);
}

int progress_signal(void)
{
	return end_requested;
}

int progress_signal_own(void)
{
	return end_passed_on ? 0 : end_requested;
}
