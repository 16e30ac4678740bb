/*
 * Files by name: what a guest's path leads to on the host.
 *
 * A path is walked folder by folder, symbolic links included, so that no spelling of it leads into the host's /proc or
 * /sys, where a name is a door into the recorder itself. A guest's /proc has self/exe and self/fd/N, with the guest's
 * own numbers N; all else in it does not exist. /dev/fd, /dev/stdin and the like lead to it by their links.
 */
#ifndef PSIM_RECORD_PLACE_H
#define PSIM_RECORD_PLACE_H

#include <limits.h>

#include "guest.h"

enum place_kind {
	PLACE_NAME, /* `name` in folder `at`: no symbolic link remains but `name`, where links are not followed */
	PLACE_EXE,  /* the guest's own program: `at` and `name` are those of its file */
	PLACE_FILE, /* an open file of the guest: the host descriptor `file`, which is borrowed */
};

struct place {
	enum place_kind kind;
	int at;  /* host descriptor of a folder, or AT_FDCWD; for the *at calls of the host */
	int own; /* descriptor that place_release closes, or -1 */
	int file;
	char name[PATH_MAX]; /* one component; `.` for the folder itself; a slash at its end remains */
};

enum {
	PLACE_NOFOLLOW = 1, /* a link at the end of the path is meant itself */
	PLACE_CHANGES = 2,  /* the call creates, removes or changes what is there: only a PLACE_NAME will do */
};

/*
 * Finds the place of the path at guest address `name`, from folder `dir` (a guest's descriptor or AT_FDCWD). Its last
 * component need not exist. 0, or a negated errno; with 0 the caller ends with place_release.
 */
int64_t place_find(struct guest *g, uint64_t dir, uint64_t name, unsigned flags, struct place *p);

void place_release(struct place *p);

#endif
