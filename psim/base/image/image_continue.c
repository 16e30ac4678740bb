/*
 * Replaces this process by that of an image. All that can fail for a reason that the user can change comes first: the
 * file is read and checked, files are opened. Then a plan of system calls removes this process' memory, maps that of
 * the image and reads it (image_run), and the kept process returns from its image_capture.
 */
#define _GNU_SOURCE /* MAP_FIXED_NOREPLACE, dup3 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../input.h"
#include "../mem.h"
#include "image_read.h"

#if IMAGE_HERE
#include <asm/prctl.h>

extern char **environ;

struct image_span {
	uint64_t begin, end;
	enum { SPAN_OWN, SPAN_STACK, SPAN_SYSTEM } kind; /* SYSTEM: the kernel's code for programs, and its data */
	uint64_t hash;                                   /* of code */
};

struct continuing {
	const char *name;
	FILE *in;
	struct image_contents c;
	struct vec_of(struct image_span) spans; /* of this process */
	struct image_plan plan;
	struct vec_of(int) opened; /* of the image's files, in their order; above all descriptors of the image */
	int base, self;            /* the least of these; the image's own file */
	char *room;                /* what the plan does not touch: code, plan, letter, environment */
	size_t room_bytes;
	struct err *e;
};

/* ---- this process ---- */

static uint64_t span_hash(const struct image_line *l)
{
	return hash_bytes(HASH_BYTES, (const void *)(uintptr_t)l->begin,
			  l->end - l->begin); // NOLINT(performance-no-int-to-ptr)
}

static int note_span(struct continuing *k, const struct image_line *l)
{
	struct image_span *s;

	if (l->begin >= IMAGE_TOP)
		return 0;
	s = vec_push(&k->spans, k->e);
	if (!s)
		return -1;
	*s = (struct image_span){.begin = l->begin, .end = l->end, .kind = SPAN_OWN};
	if (strcmp(l->name, "[stack]") == 0)
		s->kind = SPAN_STACK;
	if (strcmp(l->name, "[vdso]") == 0 || strncmp(l->name, "[vvar", 5) == 0)
		s->kind = SPAN_SYSTEM;
	if (strcmp(l->name, "[vdso]") == 0)
		s->hash = span_hash(l);
	return 0;
}

static int list_spans(struct continuing *k)
{
	FILE *f = input_plain("/proc/self/maps");
	char line[IMAGE_PATH + 128];
	int ret = f ? 0 : err_set(k->e, STATUS_FAILED, "/proc/self/maps: %s", strerror(errno));

	while (ret == 0 && fgets(line, sizeof(line), f)) {
		struct image_line l;

		if (image_line_read(line, &l))
			ret = note_span(k, &l);
	}
	if (f)
		fclose(f);
	return ret;
}

/* ---- the image's memory ---- */

/* The main thread's stack grows when it is used; that of the kept process is made as long as it may become. */
static void extend_stack(struct image_contents *c, size_t n)
{
	const uint64_t most = UINT64_C(64) << 20;
	struct image_area *a = &c->areas.at[n];
	const uint64_t below = n ? c->areas.at[n - 1].end + ((uint64_t)1 << 20) : IMAGE_PAGE;
	struct rlimit limit;
	uint64_t bytes = UINT64_C(8) << 20, begin;

	if (getrlimit(RLIMIT_STACK, &limit) == 0)
		bytes = limit.rlim_cur < most ? limit.rlim_cur : most;
	begin = (a->end > bytes ? a->end - bytes : 0) / IMAGE_PAGE * IMAGE_PAGE;
	if (begin < below)
		begin = below;
	if (begin < a->begin)
		a->begin = begin;
}

static const struct image_area *area_over(const struct continuing *k, uint64_t begin, uint64_t end)
{
	for (size_t n = 0; n < k->c.areas.count; n++)
		if (k->c.areas.at[n].begin < end && begin < k->c.areas.at[n].end)
			return &k->c.areas.at[n];
	return NULL;
}

/*
 * What the kernel has made for each process stays, so that ps(1) shows the command. Where the kept process has memory
 * there, which happens if addresses are not random, it is the same code, or it cannot stay.
 */
static int keep_system(struct continuing *k)
{
	for (size_t n = 0; n < k->spans.count; n++) {
		struct image_span *s = &k->spans.at[n];
		const struct image_area *a = area_over(k, s->begin, s->end);

		if (s->kind == SPAN_STACK && a)
			s->kind = SPAN_OWN;
		if (s->kind != SPAN_SYSTEM || !a)
			continue;
		if (s->hash && a->kind == IMAGE_VDSO && a->begin == s->begin && a->end == s->end && a->hash == s->hash)
			continue;
		return err_set(k->e, STATUS_FAILED,
			       "%s: memory of the run is where this process has the system's: start it again", k->name);
	}
	return 0;
}

/* Returns whether the system's code is where the image has it, and stays. */
static bool stays(const struct continuing *k, const struct image_area *a)
{
	for (size_t n = 0; n < k->spans.count; n++)
		if (k->spans.at[n].kind == SPAN_SYSTEM && k->spans.at[n].begin < a->end &&
		    a->begin < k->spans.at[n].end)
			return true;
	return false;
}

/* Returns whether the run uses the system's code of this process. */
static bool keeps_code(const struct continuing *k)
{
	for (size_t n = 0; n < k->c.areas.count; n++)
		if (k->c.areas.at[n].kind == IMAGE_VDSO && stays(k, &k->c.areas.at[n]))
			return true;
	return false;
}

/* ---- the plan ---- */

static int plan(struct continuing *k, uint64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t x,
		uint64_t y, uint64_t result)
{
	struct image_call *p = vec_push(&k->plan, k->e);

	if (!p)
		return -1;
	*p = (struct image_call){number, {a, b, c, d, x, y}, result};
	return 0;
}

static int plan_unmap(struct continuing *k)
{
	for (size_t n = 0; n < k->spans.count; n++) {
		const struct image_span *s = &k->spans.at[n];

		if (s->kind == SPAN_OWN && plan(k, SYS_munmap, s->begin, s->end - s->begin, 0, 0, 0, 0, 0) < 0)
			return -1;
	}
	return 0;
}

static int plan_area(struct continuing *k, const struct image_area *a, bool filled)
{
	const uint64_t none = (uint64_t)-1, protection = filled ? PROT_READ | PROT_WRITE : a->protection;
	const bool shared = a->kind == IMAGE_SHARED;

	return plan(k, SYS_mmap, a->begin, a->end - a->begin, protection,
		    MAP_FIXED | (shared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE),
		    shared ? a->descriptor : none, shared ? a->offset : 0, a->begin);
}

static int plan_pages(struct continuing *k, const struct image_piece *p)
{
	return plan(k, SYS_pread64, (uint64_t)k->self, p->to, p->bytes, p->at, 0, 0, p->bytes);
}

static int plan_memory(struct continuing *k)
{
	size_t page = 0;

	for (size_t n = 0; n < k->c.areas.count; n++) {
		const struct image_area *a = &k->c.areas.at[n];
		const bool skipped = a->kind == IMAGE_VDSO && stays(k, a);
		size_t first = page;

		while (page < k->c.pages.count && k->c.pages.at[page].to < a->end)
			page++;
		if (skipped)
			continue;
		if (plan_area(k, a, page > first) < 0)
			return -1;
		for (size_t i = first; i < page; i++)
			if (plan_pages(k, &k->c.pages.at[i]) < 0)
				return -1;
		if (page > first && plan(k, SYS_mprotect, a->begin, a->end - a->begin, a->protection, 0, 0, 0, 0) < 0)
			return -1;
	}
	return 0;
}

static int plan_all(struct continuing *k)
{
	if (plan_unmap(k) < 0 || plan_memory(k) < 0 ||
	    plan(k, SYS_arch_prctl, ARCH_SET_FS, k->c.state.fs, 0, 0, 0, 0, 0) < 0)
		return -1;
	return plan(k, SYS_close, (uint64_t)k->self, 0, 0, 0, 0, 0, 0);
}

/* ---- files ---- */

/* Returns a number above all descriptors of this process. */
static int above_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	int most = 2;

	for (struct dirent *d; folder && (d = readdir(folder));)
		if (d->d_name[0] != '.' && atoi(d->d_name) > most)
			most = atoi(d->d_name);
	if (folder)
		closedir(folder);
	return most + 1;
}

static int open_files(struct continuing *k)
{
	k->base = above_descriptors();
	for (size_t n = 0; n < k->c.files.count; n++)
		if ((int)k->c.files.at[n].descriptor >= k->base)
			k->base = (int)k->c.files.at[n].descriptor + 1;
	k->self = fcntl(fileno(k->in), F_DUPFD_CLOEXEC, k->base);
	if (k->self < 0)
		return err_set(k->e, STATUS_FAILED, "%s: %s", k->name, strerror(errno));
	for (size_t n = 0; n < k->c.files.count; n++) {
		int *fd = vec_push(&k->opened, k->e);

		if (!fd)
			return -1;
		*fd = image_file_open(&k->c.files.at[n], k->base, k->e);
		if (*fd < 0) {
			k->opened.count--;
			return err_prefix(k->e, "%s", k->name);
		}
	}
	return 0;
}

static int fill_files(struct continuing *k)
{
	unsigned char *block = mem_alloc(IMAGE_BLOCK, 1, k->e);
	int ret = block ? 0 : -1;

	for (size_t n = 0, i = 0; ret == 0 && n < k->c.files.count; n++) {
		const struct image_file *f = &k->c.files.at[n];

		for (; ret == 0 && i < k->c.pieces.count && k->c.pieces.at[i].descriptor == f->descriptor; i++) {
			const struct image_piece *p = &k->c.pieces.at[i];

			if (pread(k->self, block, p->bytes, (off_t)p->at) != (ssize_t)p->bytes ||
			    image_file_fill(k->opened.at[n], block, p->bytes, p->to) < 0)
				ret = err_set(k->e, STATUS_FAILED, "%s: %s: %s", k->name, f->path, strerror(errno));
		}
		if (ret == 0 && image_file_ready(k->opened.at[n], f) < 0)
			ret = err_set(k->e, STATUS_FAILED, "%s: %s: %s", k->name, f->path, strerror(errno));
	}
	free(block);
	return ret;
}

/* Gives each file its descriptor, and closes all others. */
static void place_files(const struct continuing *k)
{
	for (int fd = 0; fd < k->base; fd++) {
		bool found = false;

		for (size_t n = 0; n < k->c.files.count; n++)
			found |= k->c.files.at[n].descriptor == (uint64_t)fd;
		if (!found)
			close(fd);
	}
	for (size_t n = 0; n < k->c.files.count; n++) {
		const struct image_file *f = &k->c.files.at[n];

		dup3(k->opened.at[n], (int)f->descriptor, f->closes ? O_CLOEXEC : 0);
	}
	for (size_t n = 0; n < k->opened.count; n++)
		close(k->opened.at[n]);
}

/* ---- memory that the plan does not touch ---- */

static bool is_free(const struct continuing *k, uint64_t begin, uint64_t end)
{
	for (size_t n = 0; n < k->spans.count; n++)
		if (k->spans.at[n].begin < end && begin < k->spans.at[n].end)
			return false;
	return !area_over(k, begin, end);
}

static int make_room(struct continuing *k)
{
	const uint64_t step = UINT64_C(1) << 32;

	for (uint64_t at = step; at < IMAGE_TOP - step; at += step) {
		const int how = MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;

		if (!is_free(k, at - IMAGE_PAGE, at + k->room_bytes + IMAGE_PAGE))
			continue;
		k->room = mmap((void *)(uintptr_t)at, k->room_bytes, // NOLINT(performance-no-int-to-ptr)
			       PROT_READ | PROT_WRITE, how, -1, 0);
		if (k->room != MAP_FAILED)
			return 0;
	}
	return err_set(k->e, STATUS_FAILED, "%s: no room in this process for its plan: start it again", k->name);
}

/* Where parts of the room begin. */
struct image_room {
	size_t plan, letter, message, variables, text, all;
};

static struct image_room divide_room(const struct continuing *k, size_t message_bytes)
{
	const size_t line = 64;
	size_t count = 1, bytes = 0;
	struct image_room r;

	for (char **v = environ; v && *v; v++) {
		count++;
		bytes += strlen(*v) + 1;
	}
	r.plan = ((size_t)(image_run_end - image_run) / line + 1) * line;
	r.letter = r.plan + k->plan.count * sizeof(struct image_call);
	r.message = r.letter + (sizeof(struct image_letter) / line + 1) * line;
	r.variables = r.message + (message_bytes / line + 1) * line;
	r.text = r.variables + count * sizeof(char *);
	r.all = (r.text + bytes) / IMAGE_PAGE * IMAGE_PAGE + IMAGE_PAGE;
	return r;
}

static void fill_room(const struct continuing *k, const struct image_room *r, const char *message)
{
	struct image_letter *letter = (struct image_letter *)(void *)(k->room + r->letter);
	char **variables = (char **)(void *)(k->room + r->variables), *text = k->room + r->text;

	memcpy(k->room, image_run, (size_t)(image_run_end - image_run));
	memcpy(k->room + r->plan, k->plan.at, k->plan.count * sizeof(struct image_call));
	memcpy(k->room + r->message, message, strlen(message));
	*letter = (struct image_letter){k->room, k->room_bytes, k->c.state, variables, {{0}}, false};
	image_standard_list(letter->standard);
	letter->foreign_code = !keeps_code(k);
	for (char **v = environ; v && *v; v++) {
		const size_t bytes = strlen(*v) + 1;

		memcpy(text, *v, bytes);
		*variables++ = text;
		text += bytes;
	}
}

/* The point of no return. */
static int leave(const struct continuing *k, const struct image_room *r, size_t message_bytes)
{
	typedef void run_fn(void *calls, size_t count, void *letter, void *registers, void *message, size_t bytes);
	struct image_letter *letter = (struct image_letter *)(void *)(k->room + r->letter);
	run_fn *run;
	const void *code = k->room;
	sigset_t all;

	if (mprotect(k->room, k->room_bytes, PROT_READ | PROT_WRITE | PROT_EXEC) < 0)
		return err_set(k->e, STATUS_FAILED, "%s: memory for code: %s", k->name, strerror(errno));
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	if (image_state_forget() < 0)
		return err_set(k->e, STATUS_FAILED, "%s: restartable sequences: %s", k->name, strerror(errno));
	place_files(k);
	memcpy(&run, &code, sizeof(run)); /* ISO C has no cast from data to functions */
	run(k->room + r->plan, k->plan.count, letter, &letter->state.registers, k->room + r->message, message_bytes);
	return -1;
}

enum { PLAN_MORE = 64 };

static int replace_process(struct continuing *k)
{
	char message[512];
	struct image_room r;

	for (size_t n = 0; n < k->c.areas.count; n++)
		if (k->c.areas.at[n].kind == IMAGE_STACK)
			extend_stack(&k->c, n);
	if (open_files(k) < 0 || fill_files(k) < 0 || list_spans(k) < 0)
		return -1;
	/* nothing is allocated between the list of this process' memory and the plan that removes it */
	if (vec_reserve(&k->plan, 2 * (k->spans.count + k->c.areas.count) + k->c.pages.count + PLAN_MORE, k->e) < 0 ||
	    vec_reserve(&k->spans, k->spans.count + PLAN_MORE, k->e) < 0)
		return -1;
	k->spans.count = 0;
	if (list_spans(k) < 0 || keep_system(k) < 0 || plan_all(k) < 0)
		return -1;
	snprintf(message, sizeof(message), "%s: the system refuses the memory of the run that it keeps\n", k->name);
	r = divide_room(k, strlen(message));
	k->room_bytes = r.all;
	if (make_room(k) < 0)
		return -1;
	fill_room(k, &r, message);
	return leave(k, &r, strlen(message));
}

static void continuing_finish(struct continuing *k)
{
	for (size_t n = 0; n < k->opened.count; n++)
		close(k->opened.at[n]);
	if (k->self >= 0)
		close(k->self);
	if (k->room && k->room != MAP_FAILED)
		munmap(k->room, k->room_bytes);
	vec_finish(&k->opened);
	vec_finish(&k->plan);
	vec_finish(&k->spans);
	image_contents_finish(&k->c);
}

/* Refuses a file that other users can write: its content is performed. */
static int check_owner(FILE *in, const char *name, struct err *e)
{
	struct stat s;

	if (fstat(fileno(in), &s) == 0 && s.st_uid == geteuid() && !(s.st_mode & (S_IWGRP | S_IWOTH)))
		return 0;
	return err_set(e, STATUS_BAD_INPUT,
		       "%s: other users can write it, expected a file of this user alone: its image is code", name);
}

int image_continue(FILE *in, const char *name, struct err *e)
{
	struct continuing k = {.name = name, .in = in, .self = -1, .e = e};

	if (check_owner(in, name, e) < 0)
		return -1;
	if (image_read(in, name, &k.c, e) == 0)
		replace_process(&k);
	continuing_finish(&k);
	return -1;
}
#else
int image_continue(FILE *in, const char *name, struct err *e)
{
	(void)in;
	return err_set(e, STATUS_USAGE, "%s: this build has no images of runs", name);
}
#endif
