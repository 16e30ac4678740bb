/*
 * Writes an image. From image_capture on nothing is allocated and no memory of the run changes: the writer has memory
 * of its own, which is not in the image, and shared, so that it is an area by itself. It reads memory through the
 * kernel, for which no page is a fault.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "image_state.h"

enum { OUT_BYTES = 1 << 20, MAPS_BYTES = 32 << 20, ENTRIES = IMAGE_BLOCK / IMAGE_PAGE };

struct image_writer {
	int fd, memory, map; /* the file; /proc/self/mem; /proc/self/pagemap */
	struct digest digest;
	size_t used;       /* of `out` */
	int why;           /* errno of the first failure; 0: none */
	const char *where; /* of it */
	uint64_t environment, environment_end;
	const struct image *image;
	const struct image_files *files;
	struct image_state state;
	struct image_area areas[IMAGE_AREAS];
	size_t area_count;
	uint64_t entries[ENTRIES];
	unsigned char block[IMAGE_BLOCK], out[OUT_BYTES];
	char maps[MAPS_BYTES];
};

static void fail(struct image_writer *w, const char *where)
{
	if (w->why)
		return;
	w->why = errno ? errno : EIO;
	w->where = where;
}

/* ---- the file ---- */

static void flush(struct image_writer *w)
{
	for (size_t n = 0; n < w->used; n += sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, w->out + n, sizeof(word));
		digest_add(&w->digest, word);
	}
	for (size_t done = 0; done < w->used && !w->why;) {
		ssize_t count = write(w->fd, w->out + done, w->used - done);

		if (count < 0 && errno != EINTR)
			fail(w, "the file");
		done += count > 0 ? (size_t)count : 0;
	}
	w->used = 0;
}

/* Adds data, and zeros up to a whole word. */
static void put(struct image_writer *w, const void *data, size_t bytes)
{
	const unsigned char *from = data;

	for (size_t done = 0; done < bytes;) {
		size_t piece = OUT_BYTES - w->used < bytes - done ? OUT_BYTES - w->used : bytes - done;

		memcpy(w->out + w->used, from + done, piece);
		w->used += piece;
		done += piece;
		if (w->used == OUT_BYTES)
			flush(w);
	}
	while (w->used % sizeof(uint64_t))
		w->out[w->used++] = 0;
	if (w->used == OUT_BYTES)
		flush(w);
}

/* A record of a struct, and of data behind it. */
static void put_record(struct image_writer *w, enum image_kind kind, const void *head, size_t head_bytes,
		       const void *data, size_t bytes)
{
	const size_t word = sizeof(uint64_t);
	const struct image_record r = {kind, head_bytes + (bytes + word - 1) / word * word};

	put(w, &r, sizeof(r));
	put(w, head, head_bytes);
	put(w, data, bytes);
}

/* ---- files ---- */

static bool all_zero(const unsigned char *at, size_t bytes)
{
	return !bytes || (at[0] == 0 && memcmp(at, at + 1, bytes - 1) == 0);
}

static void put_contents(struct image_writer *w, const struct image_file *f)
{
	char link[] = "/proc/self/fd/00000000";
	int fd;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", (int)f->descriptor);
	fd = open(link, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fail(w, f->path);
	for (uint64_t at = 0; at < f->bytes && !w->why;) {
		const struct image_content c = {f->descriptor, at};
		ssize_t count = pread(fd, w->block, sizeof(w->block), (off_t)at);

		if (count <= 0)
			fail(w, f->path);
		else if (!all_zero(w->block, (size_t)count))
			put_record(w, IMAGE_CONTENT, &c, sizeof(c), w->block, (size_t)count);
		at += count > 0 ? (size_t)count : 0;
	}
	if (fd >= 0)
		close(fd);
}

static void put_files(struct image_writer *w)
{
	for (size_t n = 0; n < w->files->count && !w->why; n++) {
		const struct image_file *f = &w->files->at[n];

		put_record(w, IMAGE_FILE, f, sizeof(*f), NULL, 0);
		if (f->kind >= IMAGE_WRITTEN_FILE)
			put_contents(w, f);
	}
}

/* ---- areas ---- */

/* The file that is mapped, among those that are open. NULL: it is none of memory. */
static const struct image_file *shared_file(const struct image_writer *w, const struct image_line *l)
{
	for (size_t n = 0; n < w->files->count; n++) {
		const struct image_file *f = &w->files->at[n];
		const uint64_t device = (uint64_t)major(f->is.device) << 32 | minor(f->is.device);

		if (f->kind == IMAGE_MEMORY && device == l->device && f->is.inode == l->inode)
			return f;
	}
	return NULL;
}

/* Returns whether the area is no part of the run: the writer's own, the letter, or the kernel's for each process. */
static bool is_foreign(const struct image_writer *w, const struct image_line *l)
{
	const uint64_t own = (uint64_t)(uintptr_t)w, letter = (uint64_t)(uintptr_t)w->image->letter,
		       stack = (uint64_t)(uintptr_t)&own;

	if (l->begin >= own && l->begin < own + sizeof(*w))
		return true;
	if (letter && l->begin >= letter && l->begin < letter + w->image->letter_bytes)
		return true;
	if (strcmp(l->name, "[stack]") == 0 && (stack < l->begin || stack >= l->end))
		return true;
	if (strcmp(l->name, "[vdso]") == 0 && w->image->foreign_code)
		return true;
	return strncmp(l->name, "[vvar", 5) == 0 || strcmp(l->name, "[vsyscall]") == 0 || l->begin >= IMAGE_TOP;
}

static void note_area(struct image_writer *w, const struct image_line *l)
{
	const bool shared = l->mode[3] == 's' && l->inode && strncmp(l->name, "/dev/zero", 9) != 0;
	const struct image_file *f = shared ? shared_file(w, l) : NULL;
	struct image_area *a;

	if (is_foreign(w, l))
		return;
	errno = ENOTSUP;
	if (w->area_count == IMAGE_AREAS || (shared && !f)) {
		fail(w, shared ? l->name : "memory");
		return;
	}
	a = &w->areas[w->area_count++];
	*a = (struct image_area){.begin = l->begin, .end = l->end};
	a->protection = (uint64_t)((l->mode[0] == 'r' ? PROT_READ : 0) | (l->mode[1] == 'w' ? PROT_WRITE : 0) |
				   (l->mode[2] == 'x' ? PROT_EXEC : 0));
	a->kind = f                                 ? IMAGE_SHARED
		  : strcmp(l->name, "[stack]") == 0 ? IMAGE_STACK
		  : strcmp(l->name, "[vdso]") == 0  ? IMAGE_VDSO
						    : IMAGE_PRIVATE;
	a->descriptor = f ? f->descriptor : 0;
	/* of others than shared memory: whether all pages are read, or those that the process has touched */
	a->offset = f ? l->offset : l->inode != 0;
}

static void list_areas(struct image_writer *w)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	size_t used = 0;
	ssize_t count = -1;
	char *line = w->maps;

	while (fd >= 0 && used < MAPS_BYTES - 1 && (count = read(fd, w->maps + used, MAPS_BYTES - 1 - used)) > 0)
		used += (size_t)count;
	if (count != 0)
		fail(w, "/proc/self/maps");
	if (fd >= 0)
		close(fd);
	for (char *next; !w->why && *line && (next = strchr(line, '\n')); line = next + 1) {
		struct image_line l;

		if (image_line_read(line, &l))
			note_area(w, &l);
		else
			fail(w, "/proc/self/maps");
	}
}

/* ---- pages ---- */

/* Removes the environment from `bytes` of memory that begin at `begin`. */
static void blank_environment(const struct image_writer *w, uint64_t begin, unsigned char *data, size_t bytes)
{
	const uint64_t from = w->environment > begin ? w->environment : begin,
		       to = w->environment_end < begin + bytes ? w->environment_end : begin + bytes;

	if (from < to)
		memset(data + (from - begin), 0, to - from);
}

/* Writes those of `count` pages that are not zero. */
static void put_pages(struct image_writer *w, uint64_t begin, size_t count)
{
	size_t n = 0;

	if (pread(w->memory, w->block, count * IMAGE_PAGE, (off_t)begin) != (ssize_t)(count * IMAGE_PAGE)) {
		fail(w, "/proc/self/mem");
		return;
	}
	blank_environment(w, begin, w->block, count * IMAGE_PAGE);
	while (n < count) {
		const struct image_pages p = {begin + n * IMAGE_PAGE};
		const size_t first = n;

		while (n < count && !all_zero(w->block + n * IMAGE_PAGE, IMAGE_PAGE))
			n++;
		if (n > first)
			put_record(w, IMAGE_PAGES, &p, sizeof(p), w->block + first * IMAGE_PAGE,
				   (n - first) * IMAGE_PAGE);
		while (n < count && all_zero(w->block + n * IMAGE_PAGE, IMAGE_PAGE))
			n++;
	}
}

/* The pages of up to a block that the process has touched; all of them if a file is mapped. */
static void put_block(struct image_writer *w, const struct image_area *a, uint64_t begin, size_t count)
{
	const uint64_t there = UINT64_C(3)
			       << 62; /* present, or swapped: Linux, Documentation/admin-guide/mm/pagemap.rst */
	const ssize_t bytes = (ssize_t)(count * sizeof(uint64_t));

	if (a->offset) {
		put_pages(w, begin, count);
		return;
	}
	if (pread(w->map, w->entries, (size_t)bytes, (off_t)(begin / IMAGE_PAGE * sizeof(uint64_t))) != bytes)
		fail(w, "/proc/self/pagemap");
	for (size_t n = 0; n < count && !w->why;) {
		const size_t first = n;

		while (n < count && (w->entries[n] & there))
			n++;
		if (n > first)
			put_pages(w, begin + first * IMAGE_PAGE, n - first);
		while (n < count && !(w->entries[n] & there))
			n++;
	}
}

static void put_vdso(struct image_writer *w, struct image_area *a)
{
	const size_t bytes = a->end - a->begin;
	const struct image_pages p = {a->begin};
	const unsigned char *code = w->block;

	errno = ENOTSUP;
	if (bytes > sizeof(w->block) / 2 || pread(w->memory, w->block, bytes, (off_t)a->begin) != (ssize_t)bytes ||
	    !image_vdso_copy(w->block + bytes, code, bytes)) {
		fail(w, "[vdso]");
		return;
	}
	a->hash = hash_bytes(HASH_BYTES, code, bytes);
	put_record(w, IMAGE_AREA, a, sizeof(*a), NULL, 0);
	put_record(w, IMAGE_PAGES, &p, sizeof(p), w->block + bytes, bytes);
}

static void put_area(struct image_writer *w, struct image_area *a)
{
	if (a->kind == IMAGE_VDSO) {
		put_vdso(w, a);
		return;
	}
	put_record(w, IMAGE_AREA, a, sizeof(*a), NULL, 0);
	if (a->kind == IMAGE_SHARED || !(a->protection & PROT_READ))
		return;
	for (uint64_t at = a->begin; at < a->end && !w->why; at += IMAGE_BLOCK) {
		const uint64_t left = a->end - at;

		put_block(w, a, at, (left < IMAGE_BLOCK ? left : IMAGE_BLOCK) / IMAGE_PAGE);
	}
}

/* ---- all of it ---- */

static void put_image(struct image_writer *w)
{
	list_areas(w);
	put_record(w, IMAGE_STATE, &w->state, sizeof(w->state), NULL, 0);
	put_files(w);
	for (size_t n = 0; n < w->area_count && !w->why; n++)
		put_area(w, &w->areas[n]);
	flush(w);
	if (!w->why)
		put_record(w, IMAGE_END, &(struct digest){w->digest.a, w->digest.b}, sizeof(struct digest), NULL, 0);
	flush(w);
}

/* Where the kernel has put the environment: fields 50 and 51 of /proc/self/stat (proc(5)). */
static void find_environment(struct image_writer *w)
{
	char text[1024] = "", *at, *left;
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t count = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	at = count > 0 ? strrchr(text, ')') : NULL;
	for (int field = 3; at && field <= 51; field++) {
		at = strchr(at + 1, ' ');
		if (at && field == 50)
			w->environment = strtoull(at, &left, 10);
		if (at && field == 51)
			w->environment_end = strtoull(at, &left, 10);
	}
	if (!w->environment || !w->environment_end)
		fail(w, "/proc/self/stat");
}

/* Opens what the writer reads. */
static void open_own(struct image_writer *w)
{
	w->memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	w->map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	if (w->memory < 0 || w->map < 0)
		fail(w, "/proc/self");
	find_environment(w);
}

static int close_own(struct image_writer *w, struct err *e)
{
	const int ret = w->why ? err_set(e, STATUS_FAILED, "%s: %s", w->where, strerror(w->why)) : 0;

	if (w->memory >= 0)
		close(w->memory);
	if (w->map >= 0)
		close(w->map);
	munmap(w, sizeof(*w));
	return ret;
}

/* Continues: gives the kernel what it knew, and takes the environment of the new process. */
static void take_letter(struct image *m, const struct image_letter *l, const struct image_files *files)
{
	m->letter = l->base;
	m->letter_bytes = l->bytes;
	m->foreign_code = l->foreign_code;
	memcpy(m->standard, l->standard, sizeof(m->standard));
	for (int fd = 3; fd < IMAGE_INHERITED; fd++)
		m->inherited[fd] = fcntl(fd, F_GETFD) >= 0;
	for (size_t n = 0; n < files->count; n++)
		if (files->at[n].descriptor < IMAGE_INHERITED)
			m->inherited[files->at[n].descriptor] = false;
	environ = l->environment;
	if (brk(NULL) < 0)
		errno = 0;
	image_state_give(&l->state);
}

/* Refuses a process that is more than its memory and files. 0, or -1 with `e`. */
static int check_alone(struct err *e)
{
	siginfo_t child = {0};
	struct stat s;

	/* a link for each thread, and two of the folder */
	if (stat("/proc/self/task", &s) < 0 || s.st_nlink != 3)
		return err_set(e, STATUS_FAILED,
			       "the run has threads of the host, expected one: a checkpoint has no others");
	if (waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT) == 0)
		return err_set(e, STATUS_FAILED,
			       "the run has a child process, expected none: a checkpoint has no others");
	return 0;
}

int image_save(struct image *m, int fd, struct err *e)
{
	struct image_files files = {0};
	struct image_writer *w;
	struct image_letter *letter;
	int ret;

	if (check_alone(e) < 0)
		return IMAGE_FAILED;
	ret = image_files_list(m, fd, &files, e);
	w = ret < 0 ? MAP_FAILED
		    : mmap(NULL, sizeof(*w), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (w == MAP_FAILED) {
		vec_finish(&files);
		return ret < 0 ? IMAGE_FAILED : err_set(e, STATUS_FAILED, "memory: %s", strerror(errno));
	}
	w->fd = fd;
	w->image = m;
	w->files = &files;
	open_own(w);
	image_state_take(&w->state);
	letter = image_capture(&w->state.registers);
	if (letter) {
		take_letter(m, letter, &files);
		vec_finish(&files);
		return IMAGE_CONTINUES;
	}
	put_image(w);
	ret = close_own(w, e);
	vec_finish(&files);
	return ret < 0 ? IMAGE_FAILED : IMAGE_WRITTEN;
}
