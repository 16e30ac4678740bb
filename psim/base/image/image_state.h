/*
 * Records of an image. Each is its head and a payload, in words of 64 bits. The order: IMAGE_STATE; files with their
 * contents; areas of memory, each with its pages; IMAGE_END, with the digest of all before it.
 */
#ifndef PSIM_BASE_IMAGE_STATE_H
#define PSIM_BASE_IMAGE_STATE_H

#include "../digest.h"
#include "../vec.h"
#include "image.h"

#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && \
	!defined(__SANITIZE_THREAD__)
#define IMAGE_HERE 1
#else
#define IMAGE_HERE 0
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#undef IMAGE_HERE
#define IMAGE_HERE 0
#endif
#endif

enum {
	IMAGE_PAGE = 4096,
	IMAGE_BLOCK = 256 * IMAGE_PAGE, /* of memory in a record, at most */
	IMAGE_PATH = 4096,
	IMAGE_SIGNALS = 64,    /* of Linux: SIGRTMAX */
	IMAGE_AREAS = 1 << 17, /* vm.max_map_count is 65530 by default */
	IMAGE_DESCRIPTORS = 1 << 16,
};

/* The end of a process' addresses on x86-64 with four levels of pages: Linux, Documentation/arch/x86/x86_64/mm.rst. */
#define IMAGE_TOP (UINT64_C(1) << 47)

enum image_kind { IMAGE_STATE = 1, IMAGE_FILE, IMAGE_CONTENT, IMAGE_AREA, IMAGE_PAGES, IMAGE_END };

struct image_record {
	uint64_t kind, bytes; /* of the payload: a multiple of 8 */
};

/* Registers that a call keeps, in the order that image_capture and image_run know. */
struct image_registers {
	uint64_t rbx, rbp, r12, r13, r14, r15, rsp, rip;
	uint32_t mxcsr, x87;
};

/* The kernel's action of a signal. */
struct image_signal {
	uint64_t handler, flags, restorer, mask;
};

struct image_state {
	struct image_registers registers;
	uint64_t fs;                   /* address of the thread's own data */
	uint64_t robust, robust_bytes; /* what the kernel knows of the thread: set_robust_list(2) … */
	uint64_t rseq, rseq_bytes;     /* … and restartable sequences; 0: none */
	uint64_t mask;                 /* blocked signals */
	uint64_t stack[3];             /* sigaltstack(2): address, flags, bytes */
	int64_t timer[3][4];           /* setitimer(2) */
	struct image_signal signal[IMAGE_SIGNALS];
};

enum image_file_kind {
	IMAGE_STANDARD,     /* a standard descriptor of the start: `position` is its number */
	IMAGE_NAMED,        /* opened again by its path */
	IMAGE_WRITTEN_FILE, /* made again, with its contents */
	IMAGE_UNNAMED,      /* the same, without a name in the folder `path` */
	IMAGE_MEMORY,       /* memfd_create(2), with its contents */
};
struct image_file {
	uint64_t descriptor, kind, flags, closes; /* closes: on exec */
	uint64_t position, bytes, mode;
	struct image_identity is;
	char path[IMAGE_PATH];
};
struct image_content {
	uint64_t descriptor, offset;
	/* data follow */
};

enum image_area_kind { IMAGE_PRIVATE, IMAGE_STACK, IMAGE_VDSO, IMAGE_SHARED };
struct image_area {
	uint64_t begin, end, protection, kind;
	uint64_t descriptor, offset; /* of shared memory: IMAGE_MEMORY */
	uint64_t hash;               /* of the system's code for programs (IMAGE_VDSO), as it was */
};
struct image_pages {
	uint64_t begin;
	/* data follow */
};

/* A line of /proc/self/maps. */
struct image_line {
	uint64_t begin, end, offset, device, inode;
	char mode[5];
	const char *name; /* in the line */
};
/* Reads a line, of which it cuts the end. False: it is none. */
bool image_line_read(char *line, struct image_line *l);

/* Gifts of the new process to the one that continues, in memory at an address that is free in both. */
struct image_letter {
	void *base;
	size_t bytes;
	struct image_state state;
	char **environment;
	struct image_identity standard[3]; /* the new process' descriptors */
	bool foreign_code;                 /* struct image */
};

struct image_files vec_of(struct image_file);

/* Identifies the standard descriptors of this process. */
void image_standard_list(struct image_identity standard[3]);
/* Lists the open files but `fd`. 0, or -1 with `e`: one cannot be kept. */
int image_files_list(const struct image *m, int fd, struct image_files *files, struct err *e);
/* Opens a file of an image; returns a descriptor from `least` up, or -1 with `e`. */
int image_file_open(const struct image_file *f, int least, struct err *e);
/* Puts data into it. 0, or -1 with errno. */
int image_file_fill(int fd, const void *data, size_t bytes, uint64_t offset);
/* Sets its position and flags, when it is filled. 0, or -1 with errno. */
int image_file_ready(int fd, const struct image_file *f);

/* Takes what the kernel knows of this thread, but for the registers. */
void image_state_take(struct image_state *s);
/* Gives it to the kernel, in the process that continues. */
void image_state_give(const struct image_state *s);
/* Forgets the thread's restartable sequences, whose memory is about to go. 0, or -1 with errno. */
int image_state_forget(void);

/*
 * Copies the system's code for programs (vdso(7)), `bytes` of it, and replaces its functions by system calls: they read
 * memory that a process which continues does not have. False: its form is unknown.
 */
bool image_vdso_copy(unsigned char *to, const unsigned char *from, size_t bytes);

/* Stores the registers. Returns NULL, or a second time, in the process that continues, its letter. */
__attribute__((returns_twice)) struct image_letter *image_capture(struct image_registers *r);

/* A system call of the plan of image_run. */
struct image_call {
	uint64_t number, argument[6], result;
};
struct image_plan vec_of(struct image_call);
/*
 * The code that performs a plan, to be copied to where the plan does not reach: image_run(calls, count, letter, state).
 * A call with another result ends the process with status 1 and `image_failed`.
 */
extern const unsigned char image_run[], image_run_end[];

#endif
