/*
 * The image of a process: psim/base/image/image.h. Processes that this one forks save themselves and continue; they say
 * by their exit status what they found.
 */
#define _GNU_SOURCE /* memfd_create */
#include "tap.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"
#include "psim/base/image/image_read.h"

enum { SAVED = 40, CONTINUED, WRONG, REFUSED, PAGES = 600 };

/* Runs `work` in another process; returns its exit status, or -1. */
static int in_process(int (*work)(void))
{
	pid_t child;
	int status = 0;

	fflush(NULL);
	child = fork();
	if (child == 0)
		_exit(work());
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int create_image(const char *name)
{
	return open(in_folder(name), O_RDWR | O_CREAT | O_TRUNC, 0600);
}

static int continue_from(const char *name)
{
	FILE *in = fopen(in_folder(name), "r");
	struct err e;

	if (in)
		image_continue(in, name, &e);
	fprintf(stderr, "%s\n", in ? e.text : "no file");
	return WRONG;
}

/* ---- memory, files and signals ---- */

static volatile sig_atomic_t signals;

static void count_signal(int number)
{
	(void)number;
	signals++;
}

/* State of a process, of each kind that an image keeps. */
struct kept {
	char *heap, *pages, *shared;
	FILE *out;
	int read, memory;
	volatile int turns;
};

static bool make_state(struct kept *k)
{
	const int mode = PROT_READ | PROT_WRITE;

	k->heap = malloc(100000);
	k->pages = mmap(NULL, PAGES * 4096, mode, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	k->out = fopen(in_folder("out"), "w");
	k->read = open(in_folder("read"), O_RDWR | O_CREAT, 0600);
	if (write(k->read, "0123456789", 10) != 10 || close(k->read) < 0)
		return false;
	k->read = open(in_folder("read"), O_RDONLY);
	k->memory = memfd_create("test", 0);
	if (!k->heap || k->pages == MAP_FAILED || !k->out || lseek(k->read, 4, SEEK_SET) != 4 ||
	    ftruncate(k->memory, 3 * 4096) < 0)
		return false;
	k->shared = mmap(NULL, 4096, mode, MAP_SHARED, k->memory, 2 * 4096);
	if (k->shared == MAP_FAILED)
		return false;
	strcpy(k->heap, "heap");
	strcpy(k->shared, "shared");
	k->pages[5 * 4096] = 5; /* all others are never touched, or zero */
	k->pages[599 * 4096 + 4095] = 9;
	k->pages[300 * 4096] = 0;
	fprintf(k->out, "before");
	fflush(k->out);
	fprintf(k->out, " buffered");
	signal(SIGUSR2, count_signal);
	return true;
}

/* Spoils what the image has. */
static void spoil_state(struct kept *k)
{
	strcpy(k->heap, "other");
	strcpy(k->shared, "other");
	k->pages[5 * 4096] = 0;
	k->turns = 77;
	fprintf(k->out, " spoilt");
	fclose(k->out);
}

static bool is_state(const struct kept *k)
{
	struct timespec now = {0};
	char rest[16] = "";

	raise(SIGUSR2);
	clock_gettime(CLOCK_REALTIME, &now);
	return strcmp(k->heap, "heap") == 0 && strcmp(k->shared, "shared") == 0 && k->pages[5 * 4096] == 5 &&
	       k->pages[599 * 4096 + 4095] == 9 && k->pages[300 * 4096] == 0 && k->pages[7 * 4096] == 0 &&
	       read(k->read, rest, sizeof(rest)) == 6 && memcmp(rest, "456789", 6) == 0 && signals == 1 &&
	       now.tv_sec > 1000000000; /* a time after 2001 */
}

static int save_state(void)
{
	struct image m;
	struct kept k = {.turns = 3};
	struct err e;
	int fd;

	image_begin(&m);
	if (image_prepare(&e) < 0)
		return e.status == STATUS_USAGE ? REFUSED : WRONG;
	if (!make_state(&k))
		return WRONG;
	fd = create_image("state");
	switch (image_save(&m, fd, &e)) {
	case IMAGE_WRITTEN: spoil_state(&k); return SAVED;
	case IMAGE_CONTINUES:
		if (!is_state(&k) || k.turns != 3 || !getenv("IMAGE_OTHER") || fcntl(fd, F_GETFD) >= 0)
			return WRONG;
		fprintf(k.out, " after");
		return fclose(k.out) == 0 ? CONTINUED : WRONG;
	default: fprintf(stderr, "%s\n", e.text); return WRONG;
	}
}

static int continue_state(void)
{
	setenv("IMAGE_OTHER", "1", 1);
	return continue_from("state");
}

static void test_state(void)
{
	char text[64] = "";
	FILE *f;
	int saved = in_process(save_state);

	if (saved == REFUSED)
		return;
	CHECK(saved == SAVED);
	for (int turn = 0; turn < 3; turn++) {
		CHECK(in_process(continue_state) == CONTINUED);
		f = fopen(in_folder("out"), "r");
		CHECK(f && fgets(text, sizeof(text), f) && strcmp(text, "before buffered after") == 0);
		if (f)
			fclose(f);
	}
}

/* ---- a process that cannot be kept ---- */

static int save_pipe(void)
{
	struct image m;
	struct err e;
	int end[2];

	image_begin(&m);
	if (image_prepare(&e) < 0)
		return REFUSED;
	if (pipe(end) < 0 || image_save(&m, create_image("pipe"), &e) != IMAGE_FAILED)
		return WRONG;
	return strstr(e.text, "pipe:") && strstr(e.text, "expected files") ? SAVED : WRONG;
}

static int save_parent(void)
{
	struct image m;
	struct err e;
	int fd = create_image("pipe"), ret;
	pid_t child;

	image_begin(&m);
	if (image_prepare(&e) < 0)
		return REFUSED;
	child = fork();
	if (child == 0) {
		pause();
		_exit(0);
	}
	ret = image_save(&m, fd, &e) == IMAGE_FAILED && strstr(e.text, "child process") ? SAVED : WRONG;
	kill(child, SIGKILL);
	return ret;
}

static void *wait_for_signal(void *nothing)
{
	pause();
	return nothing;
}

static int save_threads(void)
{
	struct image m;
	struct err e;
	pthread_t thread;

	image_begin(&m);
	if (image_prepare(&e) < 0)
		return REFUSED;
	if (pthread_create(&thread, NULL, wait_for_signal, NULL) != 0)
		return WRONG;
	return image_save(&m, create_image("pipe"), &e) == IMAGE_FAILED && strstr(e.text, "threads") ? SAVED : WRONG;
}

static void test_refused(void)
{
	int (*const work[])(void) = {save_pipe, save_parent, save_threads};

	for (size_t n = 0; n < sizeof(work) / sizeof(work[0]); n++) {
		const int saved = in_process(work[n]);

		CHECK(saved == SAVED || saved == REFUSED);
	}
}

/* ---- again and again ---- */

enum { BLOCKS = 4000, GENERATIONS = 3 };

static int grow(void)
{
	struct image m;
	unsigned char *block[BLOCKS];
	struct err e;

	image_begin(&m);
	if (image_prepare(&e) < 0)
		return REFUSED;
	for (int n = 0; n < BLOCKS; n++)
		if (!(block[n] = malloc(1000 + (size_t)n)))
			return WRONG;
		else
			memset(block[n], n & 255, 1000 + (size_t)n);
	for (int generation = 0; generation < GENERATIONS; generation++) {
		const enum image_saved saved = image_save(&m, create_image("heap"), &e);

		if (saved != IMAGE_CONTINUES)
			return saved == IMAGE_WRITTEN ? SAVED : WRONG;
		for (int n = generation; n < BLOCKS; n += 2) {
			free(block[n]);
			block[n] = malloc(3000 + (size_t)n);
			if (!block[n])
				return WRONG;
			memset(block[n], n & 255, 3000 + (size_t)n);
		}
	}
	for (int n = 0; n < BLOCKS; n++)
		if (block[n][0] != (n & 255) || block[n][999] != (n & 255))
			return WRONG;
	return CONTINUED;
}

static int continue_heap(void)
{
	return continue_from("heap");
}

static void test_heap(void)
{
	const int saved = in_process(grow);

	if (saved == REFUSED)
		return;
	CHECK(saved == SAVED);
	for (int generation = 1; generation < GENERATIONS; generation++)
		CHECK(in_process(continue_heap) == SAVED);
	CHECK(in_process(continue_heap) == CONTINUED);
}

/* ---- damage ---- */

/* Reads an image of `size` bytes. */
static int read_bytes(const unsigned char *bytes, size_t size, struct image_contents *c, struct err *e)
{
	FILE *in = size ? fmemopen((void *)(uintptr_t)bytes, size, "r") : fopen("/dev/null", "r");
	int ret;

	*c = (struct image_contents){0};
	ret = in ? image_read(in, "x", c, e) : 0;
	if (in)
		fclose(in);
	image_contents_finish(c);
	return ret;
}

static unsigned char *contents(const char *name, size_t *size)
{
	FILE *f = fopen(in_folder(name), "r");
	struct stat s;
	unsigned char *bytes = NULL;

	*size = 0;
	if (f && fstat(fileno(f), &s) == 0 && (bytes = malloc((size_t)s.st_size)))
		*size = fread(bytes, 1, (size_t)s.st_size, f);
	if (f)
		fclose(f);
	return bytes;
}

/* Each record: its head and the first words of its payload, changed or cut, are refused in one line. */
static void test_damage(void)
{
	struct image_contents c;
	struct err e;
	size_t size;
	unsigned char *bytes = contents("state", &size);
	unsigned records = 0;

	CHECK(!size || read_bytes(bytes, size, &c, &e) == 0);
	for (size_t at = 0; at + sizeof(struct image_record) <= size && records < 12; records++) {
		struct image_record r;

		memcpy(&r, bytes + at, sizeof(r));
		for (size_t n = at; n < at + 40 && n < size; n += 3) {
			bytes[n] ^= 0x41;
			CHECK(read_bytes(bytes, size, &c, &e) < 0 && e.status == STATUS_BAD_INPUT &&
			      !strchr(e.text, '\n'));
			bytes[n] ^= 0x41;
			CHECK(read_bytes(bytes, n, &c, &e) < 0 && e.status == STATUS_BAD_INPUT);
		}
		at += sizeof(r) + r.bytes;
	}
	CHECK(!size || records == 12);
	free(bytes);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"a process continues with its memory, files and signals", test_state},
		{"a damaged image is refused", test_damage},
		{"a process with a pipe, a child or a thread is not kept", test_refused},
		{"a process that continues is kept again, and its heap grows", test_heap},
	};
	static const char *const files[] = {"state", "out", "read", "pipe", "heap"};
	int ret;

	folder_make();
	ret = tap_main("image", tests, TAP_COUNT(tests));
	for (size_t n = 0; n < sizeof(files) / sizeof(files[0]); n++)
		remove(in_folder(files[n]));
	rmdir(folder);
	return ret;
}
