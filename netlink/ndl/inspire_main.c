/* inspire: from a network description and a PU file to a simulator. */
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/opt.h"
#include "../../psim/base/out.h"
#include "description.h"
#include "inspire_paths.h"

extern char **environ;

struct settings {
	const char *output, *compiler, *keep;
	bool check;
	struct opt_list flags;
};

/* Where the simulator's library and headers are: beside this program in a build folder, else
 * installed. */
struct places {
	char library[PATH_MAX], include[PATH_MAX], uniform[PATH_MAX];
};

static int find_places(struct places *p, struct err *e)
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

	if (length > 0) {
		self[length] = 0;
		*strrchr(self, '/') = 0;
		if ((size_t)snprintf(p->library, sizeof p->library, "%s/libinspire.a", self) <
		            sizeof p->library &&
		    !access(p->library, R_OK)) {
			snprintf(p->include, sizeof p->include, "%s", INSPIRE_SOURCE_ROOT);
			snprintf(p->uniform, sizeof p->uniform, "%s/netlink/ndl/uniform.c",
			         INSPIRE_SOURCE_ROOT);
			return 0;
		}
	}
	snprintf(p->library, sizeof p->library, "%s/libinspire.a", INSPIRE_LIBDIR);
	snprintf(p->include, sizeof p->include, "%s/psim", INSPIRE_INCLUDEDIR);
	snprintf(p->uniform, sizeof p->uniform, "%s/psim/uniform.c", INSPIRE_DATADIR);
	if (access(p->library, R_OK))
		return err_set(e, STATUS_FAILED, "%s: %s, expected the simulator's library",
		               p->library, strerror(errno));
	return 0;
}

/* Reads and checks the description, writes the C program to `path`. */
static int translate(const char *ndl, const char *path, struct err *e)
{
	FILE *in = fopen(ndl, "r"), *out;
	struct ndl_description *d;
	int result = -1;

	if (!in)
		return err_set(e, STATUS_BAD_INPUT, "%s: %s", ndl, strerror(errno));
	d = ndl_read(in, ndl, e);
	fclose(in);
	if (d && !ndl_check(d, e)) {
		out = fopen(path, "w");
		result = out ? ndl_generate(d, out, e) : out_error(path, e);
		if (out && fclose(out) && !result)
			result = out_error(path, e);
	}
	ndl_destroy(d);
	return result;
}

/* Runs a program and waits for it; its exit status, or -1 with `e`. */
static int run(char *const *argv, struct err *e)
{
	pid_t pid;
	int status, failed = posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ);

	if (failed)
		return err_set(e, STATUS_FAILED, "%s: %s", argv[0], strerror(failed));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return err_set(e, STATUS_FAILED, "%s: %s", argv[0], strerror(errno));
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	return err_set(e, STATUS_FAILED, "%s ended by signal %d", argv[0], WTERMSIG(status));
}

enum { ARGS_MAX = 128 };

static int compile(const struct settings *set, const struct places *p, const char *c,
                   const char *pu, const char *output, struct err *e)
{
	static const char *const fixed[] = {"-std=gnu17", "-O2", "-g", "-Wall", "-Wno-unused"};
	static const char *const link[] = {INSPIRE_LINK_ARGS};
	char include[PATH_MAX + 2];
	const char *argv[ARGS_MAX];
	unsigned n = 0;

	snprintf(include, sizeof include, "-I%s", p->include);
	argv[n++] = set->compiler;
	for (size_t k = 0; k < sizeof fixed / sizeof fixed[0]; k++)
		argv[n++] = fixed[k];
	for (unsigned k = 0; k < set->flags.count; k++)
		argv[n++] = set->flags.item[k];
	argv[n++] = include;
	argv[n++] = "-o";
	argv[n++] = output;
	argv[n++] = c;
	argv[n++] = pu;
	argv[n++] = p->library;
	for (size_t k = 0; k < sizeof link / sizeof link[0]; k++)
		argv[n++] = link[k];
	argv[n] = NULL;
	int status = run((char *const *)argv, e);
	if (status < 0)
		return -1;
	return status ? err_set(e, STATUS_BAD_INPUT,
	                        "the C parts of the description or the PU file do not compile")
	              : 0;
}

/* --check: makes the simulator aside and lets it check the network. Its exit status, or -1. */
static int check(const char *simulator, unsigned count, char **args, struct err *e)
{
	const char *argv[ARGS_MAX] = {simulator, "--check-only", "--"};
	unsigned n = 3;

	if (count > 64)
		return err_set(e, STATUS_USAGE, "%u operands for the network, expected at most 64",
		               count);
	for (unsigned k = 0; k < count; k++)
		argv[n++] = args[k];
	argv[n] = NULL;
	return run((char *const *)argv, e);
}

static int work_in(const char *folder, const struct settings *set, int argc, char **argv, int first,
                   struct err *e)
{
	struct places p;
	char c[PATH_MAX], aside[PATH_MAX];
	bool has_pu = !set->check && argc - first > 1;
	const char *pu;
	int result;

	snprintf(c, sizeof c, "%s/network.c", folder);
	snprintf(aside, sizeof aside, "%s/simulator", folder);
	const char *source = set->keep ? set->keep : c;
	if (!set->check && argc - first > 2)
		return err_set(e, STATUS_USAGE,
		               "%s: expected one description and at most one PU file",
		               argv[first + 2]);
	if (find_places(&p, e) || translate(argv[first], source, e))
		return -1;
	pu = has_pu ? argv[first + 1] : p.uniform;
	if (access(pu, R_OK))
		return err_set(e, STATUS_BAD_INPUT, "%s: %s", pu, strerror(errno));
	if (compile(set, &p, source, pu, set->check ? aside : set->output, e))
		return -1;
	result = set->check ? check(aside, (unsigned)(argc - first - 1), argv + first + 1, e) : 0;
	unlink(c);
	unlink(aside);
	return result;
}

int main(int argc, char **argv)
{
	struct settings set = {.output = "simulator", .compiler = INSPIRE_CC};
	struct opt_common common;
	const struct opt rows[] = {
		{"output", 'o', "FILE", "the simulator (default: simulator)", OPT_TEXT,
	         &set.output},
		{"check-network", 0, NULL,
	         "make no simulator, check the network; operands go to net_config", OPT_FLAG,
	         &set.check},
		{"keep-c", 0, "FILE", "keep the C program of the network", OPT_TEXT, &set.keep},
		{"cc", 0, "COMPILER", "C compiler", OPT_TEXT, &set.compiler},
		{"flag", 0, "FLAG", "one more flag for the compiler", OPT_LIST, &set.flags},
	};
	const struct opt_program program = {
		.name = "inspire",
		.operands = "NETWORK.ndl [PU.c] | --check-network NETWORK.ndl [ARGS]",
		.summary = "Makes a clock-accurate simulator from a network description (NDL) and "
	                   "a C file that says\n"
			   "what the processing units do; without one: uniform random traffic.",
		.examples = "inspire torus.ndl -o torus && ./torus --load 0.02:0.3:12 --svg "
	                    "torus.svg 32 32\n"
			    "inspire torus.ndl stencil.c -o stencil\ninspire --check-network "
	                    "torus.ndl 8 8",
		.rows = rows,
		.row_count = sizeof rows / sizeof rows[0],
		.groups = 0,
		.common = &common,
		.min_operands = 1,
		.max_operands = 66,
	};
	struct err e;
	int status = STATUS_DONE, first = opt_start(&program, argc, argv, &status), result;
	char folder[] = "/tmp/inspire-XXXXXX";

	if (first < 0)
		return status;
	if (!mkdtemp(folder)) {
		err_set(&e, STATUS_FAILED, "%s: %s", folder, strerror(errno));
		return opt_fail(&program, &e);
	}
	result = work_in(folder, &set, argc, argv, first, &e);
	if (result < 0) {
		char left[PATH_MAX];
		snprintf(left, sizeof left, "%s/network.c", folder);
		unlink(left);
		snprintf(left, sizeof left, "%s/simulator", folder);
		unlink(left);
		status = opt_fail(&program, &e);
	} else {
		status = result;
	}
	rmdir(folder);
	return status;
}
