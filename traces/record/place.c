#define _GNU_SOURCE
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "syscall.h"

enum { LINKS_MAX = 40, PROC_PARTS = 4 };

struct walk {
	struct guest *g;
	int folder;              /* where the walk is; owned */
	bool root;               /* `folder` is / */
	bool follow;             /* links at the end too */
	unsigned links;          /* followed so far */
	const char *rest;        /* of the path */
	char text[2 * PATH_MAX]; /* that holds it */
};

/* Takes the next component of `*rest`: its length and begin; 0 at the end. */
static size_t take_component(const char **rest, const char **part)
{
	*rest += strspn(*rest, "/");
	*part = *rest;
	*rest += strcspn(*rest, "/");
	return (size_t)(*rest - *part);
}

static bool is_last(const char *rest)
{
	return !rest[strspn(rest, "/")];
}

/* Makes `fd` the folder of the walk. */
static int64_t enter(struct walk *w, int fd, bool root)
{
	if (fd < 0)
		return -errno;
	if (w->folder >= 0)
		close(w->folder);
	w->folder = fd;
	w->root = root;
	return 0;
}

static int64_t enter_root(struct walk *w)
{
	return enter(w, open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), true);
}

/* ---- the guest's own /proc ---- */

static bool part_is(const char *part, size_t length, const char *name)
{
	return length == strlen(name) && !strncmp(part, name, length);
}

static int64_t find_file(struct walk *w, const char *digits, size_t length, struct place *p)
{
	char *end;
	unsigned long number = strtoul(digits, &end, 10);

	if (*digits < '0' || *digits > '9' || end != digits + length)
		return -ENOENT;
	p->file = guest_fd(w->g, number);
	p->kind = PLACE_FILE;
	return p->file < 0 ? -ENOENT : 0;
}

/*
 * The rest of the path is in /proc. Returns 1 where it leads out of it by `..`: the walk goes on from the root; else 0
 * with the place, or a negated errno.
 */
static int64_t find_in_proc(struct walk *w, struct place *p)
{
	const char *part[PROC_PARTS];
	size_t length[PROC_PARTS], size;
	unsigned count = 0;
	char own[16];

	for (const char *at; (size = take_component(&w->rest, &at));) {
		if (part_is(at, size, "."))
			continue;
		if (part_is(at, size, "..")) {
			if (!count)
				return 1;
			count--;
			continue;
		}
		if (count == PROC_PARTS)
			return -ENOENT;
		part[count] = at;
		length[count++] = size;
	}
	snprintf(own, sizeof(own), "%d", GUEST_PID);
	if (count < 2 || !(part_is(part[0], length[0], "self") || part_is(part[0], length[0], "thread-self") ||
			   part_is(part[0], length[0], own)))
		return -ENOENT;
	if (count == 3 && part_is(part[1], length[1], "fd"))
		return find_file(w, part[2], length[2], p);
	if (count != 2 || !part_is(part[1], length[1], "exe") || !w->g->exe_path)
		return -ENOENT;
	p->kind = PLACE_EXE;
	p->at = AT_FDCWD;
	snprintf(p->name, sizeof(p->name), "%s", w->g->exe_path);
	return 0;
}

/* ---- the host's folders ---- */

enum realm { HOST, HOST_PROC, HOST_SYS, HOST_UNKNOWN };

/* Mounted anywhere, under any name: the kind of file system counts. */
static enum realm realm_of(int fd)
{
	struct statfs s;

	if (fstatfs(fd, &s) < 0)
		return HOST_UNKNOWN;
	/* host processors are hidden, so that the C library takes their number from sched_getaffinity */
	return s.f_type == PROC_SUPER_MAGIC ? HOST_PROC : s.f_type == SYSFS_MAGIC ? HOST_SYS : HOST;
}

/* Puts the target of the link `fd` before the rest of the path: 1, or a negated errno. */
static int64_t walk_link(struct walk *w, int fd)
{
	char target[PATH_MAX], rest[PATH_MAX];
	ssize_t n = readlinkat(fd, "", target, sizeof(target) - 1);

	if (n < 0)
		return -errno;
	if (++w->links > LINKS_MAX)
		return -ELOOP;
	if (strlen(w->rest) >= sizeof(rest))
		return -ENAMETOOLONG;
	target[n] = 0;
	strcpy(rest, w->rest);
	snprintf(w->text, sizeof(w->text), "%s%s", target, rest);
	w->rest = w->text;
	n = *target == '/' ? enter_root(w) : 0;
	return n ? n : 1;
}

/* The walk ends at `name` in its folder. */
static int64_t end_walk(struct walk *w, const char *name, size_t length, struct place *p)
{
	if (length + 2 > sizeof(p->name) || length > NAME_MAX)
		return -ENAMETOOLONG;
	snprintf(p->name, sizeof(p->name), "%.*s%s", (int)length, name, *w->rest ? "/" : "");
	p->kind = PLACE_NAME;
	p->at = p->own = w->folder;
	w->folder = -1;
	return 0;
}

/* Goes into the component that is open as `fd`. Takes the descriptor; results as find_in_proc. */
static int64_t step_into(struct walk *w, int fd, const char *part, size_t length, struct place *p)
{
	enum realm realm = realm_of(fd);
	struct stat s;
	int64_t result = 1;

	if (realm != HOST) {
		close(fd);
		result = realm == HOST_PROC ? find_in_proc(w, p) : -ENOENT;
		return result == 1 ? enter_root(w) < 0 ? -ENOENT : 1 : result;
	}
	if (fstat(fd, &s) < 0)
		result = -errno;
	else if (S_ISLNK(s.st_mode) && (w->follow || *w->rest))
		result = walk_link(w, fd);
	else if (is_last(w->rest))
		result = end_walk(w, part, length, p);
	else if (!S_ISDIR(s.st_mode))
		result = -ENOTDIR;
	else
		return enter(w, fd, false) < 0 ? -errno : 1;
	close(fd);
	return result;
}

/* Takes one component: 1 to go on, 0 at the end with the place, or a negated errno. */
static int64_t step(struct walk *w, struct place *p)
{
	const char *part;
	size_t length = take_component(&w->rest, &part);
	char name[NAME_MAX + 1];
	int fd;

	if (!length) {
		w->rest = "";
		return end_walk(w, ".", 1, p);
	}
	if (part_is(part, length, "."))
		return 1;
	if (length > NAME_MAX)
		return -ENAMETOOLONG;
	snprintf(name, sizeof(name), "%.*s", (int)length, part);
	if (w->root && !strcmp(name, "proc")) { /* even where the host has none */
		int64_t result = find_in_proc(w, p);

		return result == 1 && enter_root(w) < 0 ? -ENOENT : result;
	}
	fd = openat(w->folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT && is_last(w->rest))
		return end_walk(w, part, length, p);
	if (fd < 0)
		return -errno;
	if (!strcmp(name, ".."))
		return realm_of(fd) != HOST ? (close(fd), -ENOENT) : enter(w, fd, false) < 0 ? -errno : 1;
	return step_into(w, fd, part, length, p);
}

static int64_t start_walk(struct walk *w, uint64_t dir)
{
	int from = (int32_t)dir == AT_FDCWD ? w->g->cwd : guest_fd(w->g, dir);

	if (*w->rest == '/')
		return enter_root(w);
	if (!*w->rest)
		return -ENOENT;
	if (from == -1)
		return -EBADF;
	return enter(w, openat(from, ".", O_PATH | O_DIRECTORY | O_CLOEXEC), false);
}

int64_t place_find(struct guest *g, uint64_t dir, uint64_t name, unsigned flags, struct place *p)
{
	struct walk w = {.g = g, .folder = -1, .follow = !(flags & PLACE_NOFOLLOW)};
	int64_t result;

	*p = (struct place){.at = -1, .own = -1, .file = -1};
	if (address_space_read_string(&g->memory, name, w.text, PATH_MAX) < 0)
		return -EFAULT;
	w.rest = w.text;
	result = start_walk(&w, dir);
	if (!result)
		while ((result = step(&w, p)) > 0)
			;
	if (w.folder >= 0)
		close(w.folder);
	if (!result && flags & PLACE_CHANGES && p->kind != PLACE_NAME)
		result = -EACCES;
	if (!result && flags & PLACE_CHANGES && g->options.read_only)
		result = -EROFS;
	if (result)
		place_release(p);
	return result;
}

void place_release(struct place *p)
{
	if (p->own >= 0)
		close(p->own);
	p->own = -1;
}
