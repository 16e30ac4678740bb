/*
 * From a description to machine code: reads and checks it, writes its C program, lets the C compiler
 * make a simulator or a shared object of that.
 */
#ifndef PSIM_NETLINK_NDL_BUILD_H
#define PSIM_NETLINK_NDL_BUILD_H

#include <limits.h>
#include <stdbool.h>

#include "../../psim/base/err.h"

/* The simulator's library, headers, and the PU file of uniform traffic: beside the running program in a
 * build folder, else installed. */
struct ndl_places {
	char library[PATH_MAX], include[PATH_MAX], uniform[PATH_MAX];
	char names[PATH_MAX]; /* the folder of headers by their public names; installed, the same as `include` */
};
int ndl_find_places(struct ndl_places *p, struct err *e);

/* Reads and checks the description `ndl` and writes its C program to `path`. 0, or -1 with `e`. */
int ndl_translate(const char *ndl, const char *path, struct err *e);

struct ndl_compile {
	const char *compiler; /* NULL: the one that the suite was built with */
	const char *const *flags;
	unsigned flag_count;
	const char *source, *pu; /* pu NULL: none */
	bool shared;             /* a shared object, not a program */
	const char *output;
};
/* 0, or -1 with `e` (STATUS_BAD_INPUT: it does not compile; the compiler has said why on stderr). */
int ndl_compile(const struct ndl_compile *c, const struct ndl_places *p, struct err *e);

/* Runs a program and waits for it; its exit status, or -1 with `e`. */
int ndl_run(char *const *argv, struct err *e);

#endif
