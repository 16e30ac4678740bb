/* inspire: makes a simulator from a network description and a PU file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../psim/base/config/config.h"
#include "../../psim/base/config/config_find.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/temporary.h"
#include "../../psim/base/cli/opt.h"
#include "../../psim/base/report/out.h"
#include "../ndl/build.h"

enum { ARGS_MAX = 128 };

struct settings {
	const char *output, *compiler, *keep;
	bool check;
	struct opt_list flags;
};

/* --check-network: runs a temporary simulator, whose path the report leaves out. Returns its exit status, or -1. */
static int inspire_check(const char *simulator, unsigned count, char **args, struct err *e)
{
	const char *argv[ARGS_MAX] = {"simulator", "--check-only", "--"};
	unsigned n = 3;

	if (count > 64)
		return err_set(e, STATUS_USAGE, "%u operands of net_config, expected at most 64", count);
	for (unsigned k = 0; k < count; k++)
		argv[n++] = args[k];
	argv[n] = NULL;
	return ndl_run(simulator, (char *const *)argv, e);
}

static int work_in(const char *folder, const struct settings *set, int argc, char **argv, int first, struct err *e)
{
	struct ndl_places p;
	char source[PATH_MAX + 16], aside[PATH_MAX + 16], ndl[PATH_MAX], pu_found[PATH_MAX];
	bool has_pu = !set->check && argc - first > 1;
	struct err why, kept = {0};
	const char *pu;
	int result;

	snprintf(source, sizeof(source), "%s/network.c", folder);
	snprintf(aside, sizeof(aside), "%s/simulator", folder);
	if (!set->check && argc - first > 2)
		return err_set(e, STATUS_USAGE, "%s: expected one description and at most one PU file",
			       argv[first + 2]);
	if ((!set->check && out_can_create(set->output, e)) || ndl_find_places(&p, e) ||
	    ndl_translate(config_find(argv[first], ndl), source, e))
		return -1;
	/* a file that fails costs no other one */
	if (set->keep && out_copy(source, set->keep, false, &why))
		err_keep_first(&kept, &why);
	pu = has_pu ? config_find(argv[first + 1], pu_found) : p.uniform;
	if (access(pu, R_OK))
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: %s", pu, strerror(errno));
	const struct ndl_compile compile = {.compiler = set->compiler,
					    .flags = (const char *const *)set->flags.item,
					    .flag_count = set->flags.count,
					    .source = source,
					    .pu = pu,
					    .output = aside};
	if (ndl_compile(&compile, &p, e))
		return -1;
	result = set->check ? inspire_check(aside, (unsigned)(argc - first - 1), argv + first + 1, e)
			    : out_copy(aside, set->output, true, e);
	return result ? result : err_of_first(e, &kept);
}

int main(int argc, char **argv)
{
	struct settings set = {.output = "simulator"};
	struct opt_common common;
	const struct opt rows[] = {
		{"output", 'o', "FILE", "write the simulator to FILE (default: simulator)", OPT_WRITES, &set.output},
		{"check-network", 0, NULL, "check the network without making a simulator; operands go to net_config",
		 OPT_FLAG, &set.check},
		{"keep-c", 0, "FILE", "keep the C program of the network", OPT_WRITES, &set.keep},
		{"cc", 0, "COMPILER", "use this C compiler", OPT_TEXT, &set.compiler},
		{"flag", 0, "FLAG", "add a flag for the compiler", OPT_LIST, &set.flags},
	};
	const struct opt_program program = {
		.name = "inspire",
		.operands = "NETWORK.ndl [PU.c] | --check-network NETWORK.ndl [ARGS]",
		.summary = "Makes a clock-accurate simulator from a network description (NDL) and a C file that "
			   "defines\nthe processing units; without that file they send uniform random traffic.",
		.examples = "inspire torus.ndl -o torus && ./torus --load 0.02:0.3:12 --svg "
			    "torus.svg 32 32\n"
			    "inspire torus.ndl stencil.c -o stencil\ninspire --check-network "
			    "torus.ndl 8 8",
		.rows = rows,
		.row_count = sizeof(rows) / sizeof(rows[0]),
		.groups = 0,
		.common = &common,
		.min_operands = 1,
		.max_operands = 66,
	};
	static const char *const made[] = {"network.c", "simulator"};
	struct err e;
	int status = STATUS_DONE, first = opt_start(&program, argc, argv, &status), result;
	char folder[PATH_MAX];

	if (first < 0)
		return status;
	if (temporary_folder("inspire", folder, &e) < 0)
		return opt_fail(&program, &e);
	result = work_in(folder, &set, argc, argv, first, &e);
	temporary_remove(folder, made, sizeof(made) / sizeof(made[0]));
	return result < 0 ? opt_fail(&program, &e) : result;
}
