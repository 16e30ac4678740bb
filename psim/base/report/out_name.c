#include "out_name.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../mem.h"
#include "out.h"

enum { LINKS_MAX = 40 }; /* as Linux follows */

/* Replaces `path`, a symbolic link, by what it names. False: it is no link. */
static bool follow_link(char path[PATH_MAX])
{
	char target[PATH_MAX], next[PATH_MAX];
	ssize_t length = readlink(path, target, sizeof(target) - 1);
	const char *slash = strrchr(path, '/');
	int folder = slash ? (int)(slash - path) + 1 : 0, count;

	if (length < 0)
		return false;
	target[length] = 0;
	count = snprintf(next, sizeof(next), "%.*s%s", *target == '/' ? 0 : folder, path, target);
	if (count >= (int)sizeof(next))
		return false;
	memcpy(path, next, (size_t)count + 1);
	return true;
}

char *out_final_name(const char *path, struct err *e)
{
	char *real = realpath(path, NULL), *copy, name[PATH_MAX];
	int links = 0;

	if (real || strlen(path) >= sizeof(name)) {
		copy = mem_copy_text(real ? real : path, e);
		free(real);
		return copy;
	}
	memcpy(name, path, strlen(path) + 1);
	while (links < LINKS_MAX && follow_link(name))
		links++;
	if (links < LINKS_MAX)
		return mem_copy_text(name, e);
	err_set(e, STATUS_FAILED, "%s: cannot open for writing: %s", path, strerror(ELOOP));
	return NULL;
}

/* Finds the folder of `path` and returns the name in it; NULL without such a folder. */
static const char *place_of(const char *path, struct stat *folder)
{
	const char *slash = strrchr(path, '/');
	char *name = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	bool found = name && stat(name, folder) == 0;

	free(name);
	return !found ? NULL : slash ? slash + 1 : path;
}

/* Returns whether two files that do not exist would have one name in one folder. */
static bool same_place(const char *a, const char *b)
{
	char *real_a = out_final_name(a, NULL), *real_b = out_final_name(b, NULL);
	struct stat folder_a, folder_b;
	const char *name_a = real_a ? place_of(real_a, &folder_a) : NULL,
		   *name_b = real_b ? place_of(real_b, &folder_b) : NULL;
	bool same = name_a && name_b && folder_a.st_dev == folder_b.st_dev && folder_a.st_ino == folder_b.st_ino &&
		    strcmp(name_a, name_b) == 0;

	free(real_a);
	free(real_b);
	return same;
}

bool out_same(const char *a, const char *b)
{
	struct stat s, t;
	bool is_a, is_b;

	if (!strcmp(a, "-") || !strcmp(b, "-"))
		return !strcmp(a, b);
	is_a = !stat(a, &s);
	is_b = !stat(b, &t);
	if (is_a && is_b)
		return s.st_dev == t.st_dev && s.st_ino == t.st_ino && !S_ISCHR(s.st_mode);
	return is_a == is_b && (!strcmp(a, b) || same_place(a, b));
}

int out_is_not(const char *path, const char *input, struct err *e)
{
	struct stat a, b;

	if (!path || !input || !strcmp(path, "-") || !strcmp(input, "-") || stat(path, &a) || stat(input, &b) ||
	    !S_ISREG(a.st_mode) || a.st_dev != b.st_dev || a.st_ino != b.st_ino)
		return 0;
	return err_set(e, STATUS_USAGE, "%s: is also an input, expected another file to write to", path);
}
