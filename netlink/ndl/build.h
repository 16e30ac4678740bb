/*
 * Builds machine code from a description: reads and checks it, writes its C program, and compiles
 * that to a simulator or a shared object.
 */
#ifndef PSIM_NETLINK_NDL_BUILD_H
#define PSIM_NETLINK_NDL_BUILD_H

#include <limits.h>
#include <stdbool.h>

#include "../../psim/base/err.h"

/*
 * Paths of the simulator's library, headers, and the PU file of uniform traffic: in the build
 * folder of the running program, else installed.
 */
struct ndl_places {
	char library[PATH_MAX], include[PATH_MAX], uniform[PATH_MAX];
	char names[PATH_MAX]; /* folder of headers by their public names; if installed, the same as `include` */
};
int ndl_find_places(struct ndl_places *p, struct err *e);

/* Reads and checks the description `ndl` and writes its C program to `path`. 0, or -1 with `e`. */
int ndl_translate(const char *ndl, const char *path, struct err *e);

struct ndl_compile {
	const char *compiler; /* NULL: the compiler of this build */
	const char *const *flags;
	unsigned flag_count;
	const char *source, *pu; /* pu NULL: none */
	bool shared;             /* a shared object, not a program */
	const char *output;
};
/*
 * Compiles. 0, or -1 with `e` (STATUS_BAD_INPUT: compilation failed; the compiler's messages are on
 * stderr).
 */
int ndl_compile(const struct ndl_compile *c, const struct ndl_places *p, struct err *e);

/* Runs a program, a path or a name of PATH, and waits for it; returns its exit status, or -1 with `e`. */
int ndl_run(const char *program, char *const *argv, struct err *e);

#endif
