#include "build.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../psim/base/input.h"
#include "../../psim/base/config/config_find.h"
#include "../../psim/base/report/out.h"
#include "description.h"
#include "inspire_paths.h"

extern char **environ;

enum { ARGS_MAX = 128 };

int ndl_find_places(struct ndl_places *p, struct err *e)
{
	char self[PATH_MAX] = "";
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (length > 0) {
		self[length] = 0;
		*strrchr(self, '/') = 0;
	}
	/* in the build folder of the running program */
	if ((size_t)snprintf(p->library, sizeof(p->library), "%s/../../netlink/ndl/sim/libinspire.a", self) <
		    sizeof(p->library) &&
	    !access(p->library, R_OK)) {
		snprintf(p->include, sizeof(p->include), "%s", INSPIRE_SOURCE_ROOT);
		snprintf(p->uniform, sizeof(p->uniform), "%s/netlink/ndl/uniform.c", INSPIRE_SOURCE_ROOT);
		snprintf(p->names, sizeof(p->names), "%s/netlink/ndl/public", INSPIRE_SOURCE_ROOT);
		return 0;
	}
	/* installed: beside the program's folder, wherever that is */
	if ((size_t)snprintf(p->library, sizeof(p->library), "%s/%s/libinspire.a", self, INSPIRE_LIBRARIES) >=
		    sizeof(p->library) ||
	    access(p->library, R_OK))
		return err_set(e, STATUS_FAILED, "%s: %s, expected the simulator's library", p->library,
			       strerror(errno));
	snprintf(p->names, sizeof(p->names), "%.3000s/%s", self, INSPIRE_HEADERS);
	snprintf(p->include, sizeof(p->include), "%.3000s/%s", self, INSPIRE_HEADERS);
	snprintf(p->uniform, sizeof(p->uniform), "%.3000s/%s/uniform.c", self, INSPIRE_DATA);
	return 0;
}

int ndl_translate(const char *ndl, const char *path, struct err *e)
{
	FILE *in = input_plain(ndl);
	struct ndl_description *d;
	struct out *out = NULL;
	char places[PATH_MAX];
	int result = -1;

	if (!in) {
		enum exit_status status = err_errno(STATUS_BAD_INPUT);
		const char *why = strerror(errno);

		return err_set(e, status, "%s: %s%s", ndl, why, config_find_places(ndl, places));
	}
	d = ndl_read(in, ndl, e);
	fclose(in);
	if (d && !ndl_check(d, e)) {
		out = out_create(path, e);
		if (out && !ndl_generate(d, out_file(out), e)) {
			result = out_close(out, e);
			out = NULL;
		}
	}
	out_abort(out);
	ndl_destroy(d);
	return result;
}

/* Starts the program as a group of its own, with the signals of `mask` blocked. 0, or the error's number. */
static int start_group(pid_t *pid, const char *program, char *const *argv, const sigset_t *mask)
{
	posix_spawnattr_t how;
	int failed = posix_spawnattr_init(&how);

	if (failed)
		return failed;
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&how, mask);
	failed = posix_spawnp(pid, program, NULL, &how, argv, environ);
	posix_spawnattr_destroy(&how);
	return failed;
}

/*
 * Waits until the program has ended, and writes how. A signal of `watched`, which has SIGCHLD and is blocked, ends the
 * program and all that it started. Returns that signal; 0 if there was none.
 */
static int await(pid_t pid, const sigset_t *watched, int *status)
{
	const struct timespec patience = {.tv_sec = 1}; /* where a parent has SIGCHLD ignored */
	int by = 0;

	while (waitpid(pid, status, WNOHANG) == 0) {
		int signal = sigtimedwait(watched, NULL, &patience);

		if (signal <= 0 || signal == SIGCHLD)
			continue;
		by = signal;
		kill(-pid, SIGTERM);
	}
	return by;
}

int ndl_run(const char *program, char *const *argv, struct err *e)
{
	static const int ending[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
	sigset_t watched, held;
	int status = 0, failed, by = 0;
	pid_t pid;

	sigemptyset(&watched);
	for (size_t n = 0; n < sizeof(ending) / sizeof(ending[0]); n++)
		sigaddset(&watched, ending[n]);
	sigprocmask(SIG_BLOCK, &watched, &held);
	failed = start_group(&pid, program, argv, &held);
	if (!failed)
		by = await(pid, &watched, &status);
	sigprocmask(SIG_SETMASK, &held, NULL);
	if (failed)
		return err_set(e, STATUS_FAILED, "%s: %s", program, strerror(failed));
	if (by)
		return err_set(e, STATUS_FAILED, "%s: interrupted by signal %d", program, by);
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	return err_set(e, STATUS_FAILED, "%s ended by signal %d", program, WTERMSIG(status));
}

int ndl_compile(const struct ndl_compile *c, const struct ndl_places *p, struct err *e)
{
	static const char *const fixed[] = {"-std=gnu17", "-O2",         "-g",
					    "-Wall",      "-Wno-unused", "-Werror=implicit-function-declaration"};
	static const char *const link[] = {INSPIRE_LINK_ARGS};
	char include[PATH_MAX + 2], names[PATH_MAX + 2];
	const char *argv[ARGS_MAX];
	unsigned n = 0;

	snprintf(include, sizeof(include), "-I%s", p->include);
	snprintf(names, sizeof(names), "-I%s", p->names);
	argv[n++] = c->compiler ? c->compiler : INSPIRE_CC;
	for (size_t k = 0; k < sizeof(fixed) / sizeof(fixed[0]); k++)
		argv[n++] = fixed[k];
	if (c->shared) {
		argv[n++] = "-shared";
		argv[n++] = "-fPIC";
		argv[n++] = "-Wl,--exclude-libs,ALL";
	}
	for (unsigned k = 0; k < c->flag_count; k++)
		argv[n++] = c->flags[k];
	argv[n++] = include;
	argv[n++] = names;
	argv[n++] = "-o";
	argv[n++] = c->output;
	argv[n++] = c->source;
	if (c->pu)
		argv[n++] = c->pu;
	argv[n++] = p->library;
	for (size_t k = 0; k < sizeof(link) / sizeof(link[0]); k++)
		argv[n++] = link[k];
	argv[n] = NULL;
	int status = ndl_run(argv[0], (char *const *)argv, e);
	if (status < 0)
		return -1;
	return status ? err_set(e, STATUS_BAD_INPUT, "the C parts of the description or the PU file do not compile")
		      : 0;
}
