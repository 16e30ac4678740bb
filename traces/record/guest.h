/*
 * One guest: a SPARC-V9 Linux process with its processor, memory, files and signals.
 * guest_create loads a program; guest_run (record_run.h) executes it.
 *
 * A run depends only on the program, its arguments and its input: time is derived from the
 * instruction count, process ids are fixed and random bytes come from a seed, unless the
 * options select the host's.
 *
 * The structure is internal to this room (one file per subject: sys_file.c, sys_memory.c,
 * sys_process.c, signal.c, blocks.c).
 */
#ifndef PSIM_RECORD_GUEST_H
#define PSIM_RECORD_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "../../isa/cpu.h"
#include "../../psim/base/err.h"
#include "elf_image.h"
#include "address_space.h"

enum {
	GUEST_FILES = 1024, /* open files, the guest's RLIMIT_NOFILE */
	GUEST_THREADS = 64, /* at a time, as many as a chip has cores */
	GUEST_SIGNALS = 64,
	GUEST_PID = 1000,  /* the process id that the guest sees */
	STACK_BIAS = 2047, /* SPARC-V9 ABI */
};

/* The options of a run; all zero is the default. */
struct guest_options {
	const char *program; /* path of the ELF file */
	const char *name;    /* path that the guest sees as its own; NULL: program */
	char *const *args;   /* argv of the guest, arg_count of them */
	unsigned arg_count;
	char *const *env; /* "NAME=value", env_count of them */
	unsigned env_count;
	uint64_t stack_bytes;  /* 0: 8 MiB */
	uint64_t memory_bytes; /* limit of all mappings; 0: 8 GiB */
	uint64_t random_seed;  /* of AT_RANDOM and getrandom() */
	bool host_time;        /* clocks show the host's time */
	bool fma_fused;
	unsigned processors;  /* that the guest sees; 0: 1 */
	unsigned pes;         /* of the SIMD array; 0: no array */
	unsigned units;       /* enum simd_unit */
	uint32_t sbm_bytes;   /* buffer memory of each PE */
	bool read_only;       /* the guest may change nothing that has a name */
	bool trace_on_stdout; /* the guest's standard output goes to standard error */
	/* Receives one line for the user (an unknown system call, …). NULL: dropped. */
	void (*warn)(void *user, const char *text);
	void *user;
};

struct guest_action { /* set by rt_sigaction */
	uint64_t handler, flags, restorer, mask;
};

/* how a guest ended */
enum guest_end {
	GUEST_RUNS,
	GUEST_EXITED,  /* exit_status */
	GUEST_KILLED,  /* by signal_number (SPARC's) */
	GUEST_STOPPED, /* by the instruction limit or the user */
	GUEST_FAILED,  /* with `error`: ours or the host's */
};

struct guest_thread; /* thread.c */

struct guest {
	struct cpu cpu;                          /* of the running thread */
	struct simd_array *array[GUEST_THREADS]; /* of each place, with its buffer memories; NULL: none yet */
	uint64_t array_declared;                 /* bit n: the header of the trace of place n declares the array */
	struct address_space memory;
	struct elf_image image;
	struct guest_options options;
	uint64_t insns; /* executed so far */

	enum guest_end end;
	int exit_status, signal_number;
	struct err error; /* for GUEST_FAILED; for GUEST_KILLED the cause and its place */

	uint64_t brk_start, brk;
	uint64_t stack_low, stack_high;
	int16_t file[GUEST_FILES]; /* host descriptor + 1, 0: closed */
	int cwd;                   /* host descriptor of the guest's working directory, or AT_FDCWD */
	char *exe_path;            /* absolute */

	uint64_t slept_ns; /* time passed without executing instructions */
	uint64_t random_state;
	bool interrupted; /* a system call was interrupted: the user may want to stop */
	bool warned[512]; /* unknown system calls already warned of */

	struct guest_action action[GUEST_SIGNALS + 1];

	/* of the running thread: */
	uint64_t blocked, pending; /* bit n - 1 is signal n */
	uint64_t alt_stack, alt_size;
	uint32_t alt_flags;
	uint64_t clear_tid;

	struct guest_thread *thread[GUEST_THREADS]; /* NULL: never used; [0] from the second thread on */
	unsigned running;                           /* its place */
	unsigned threads;                           /* alive */
	uint32_t started;                           /* threads so far besides the first: for their ids */
	bool reschedule;                            /* the running thread waits, has ended, or yields */
	/*
	 * Called where the running thread starts the one at `place` (`futex` is 0), or ends its waiting at a futex;
	 * `meet`: where it wakes all, as at a barrier. May be NULL.
	 */
	void (*wakes)(void *user, unsigned place, uint64_t futex, bool meet);
	void *wakes_user;
};

/*
 * Loads the program and builds its stack. Returns NULL on error. The options are copied, but
 * not what they point to.
 */
struct guest *guest_create(const struct guest_options *o, struct err *e);
void guest_destroy(struct guest *g); /* NULL is allowed */

/* Passes a formatted line to options.warn. */
__attribute__((format(printf, 2, 3))) void guest_warn(struct guest *g, const char *format, ...);

/* Ends the run as GUEST_FAILED with a message. */
__attribute__((format(printf, 2, 3))) void guest_fail(struct guest *g, const char *format, ...);

/* Nanoseconds since the start on the guest's clocks. */
uint64_t guest_time_ns(const struct guest *g);

/* The next 64 bits of the guest's random numbers. */
uint64_t guest_random(struct guest *g);

/* Returns "name+0x12" for a code address, or "?"; `buffer` holds it. */
const char *guest_place(const struct guest *g, uint64_t address, char *buffer, size_t size);

/* ---- thread.c: threads of one process, which run by turns ---- */

/* The id of the running thread: GUEST_PID for the first. */
uint32_t guest_tid(const struct guest *g);

/*
 * Lets another thread run that can, in the order of their places; the running one if no other can. Sleeps until the
 * first of those that wait for a time; ends the guest as GUEST_FAILED where all wait for each other.
 */
void guest_schedule(struct guest *g);

/* Lets the running thread wait until `ns` nanoseconds from now; false: it is alone, and waits at once. */
bool guest_sleep(struct guest *g, uint64_t ns);

/* Makes a signal pending for thread `tid`, which is not the running one. False: there is no such thread. */
bool guest_signal_thread(struct guest *g, uint64_t tid, int number);

void guest_free_threads(struct guest *g);

/* ---- syscall.c ---- */

/* Executes the system call numbered in %g1, with %o0..%o5; sets %o0 and the carry flags. */
void guest_syscall(struct guest *g);

/* ---- simd.c: the SIMD array and its misuse ---- */

/*
 * Sets *out to the array of `place` as the options have it, in its initial state; NULL: no array. Owned by the guest.
 * -1: no memory.
 */
int guest_make_array(struct guest *g, unsigned place, struct simd_array **out);
void guest_free_arrays(struct guest *g);

/* Returns whether the header of a trace of the running thread must declare the array: the program uses it, or may. */
bool guest_must_declare_array(struct guest *g);

/*
 * Handles a trap at cpu.pc that comes from the SIMD extension: ends the guest as GUEST_FAILED,
 * with pc and place. Returns false for any other trap.
 */
bool guest_simd_trap(struct guest *g, enum cpu_trap trap, uint32_t word);

/* Ends the guest as GUEST_FAILED if it uses the array, but the trace's header does not declare it. */
void guest_simd_check(struct guest *g);

/* ---- signal.c ---- */

/* The cause of a signal, for siginfo. */
struct guest_cause {
	int number, code;
	uint64_t address; /* fault address, or pc for SIGFPE and SIGILL */
};

/*
 * Handles a trap at cpu.pc that is no system call: raises the signal that Linux/SPARC64 raises
 * for it. Either a handler starts or the guest ends as GUEST_KILLED.
 */
void guest_trap(struct guest *g, enum cpu_trap trap, uint32_t word);

/* Sends a signal to the guest itself (kill, raise, SIGPIPE). */
void guest_signal(struct guest *g, int number);

/* Starts the handlers of pending signals that are not blocked. */
void guest_deliver(struct guest *g);

/* rt_sigreturn: restores all registers from the frame at %sp. */
void guest_sigreturn(struct guest *g);

/* Software traps 0x6e and 0x6f. */
void guest_getcontext(struct guest *g);
void guest_setcontext(struct guest *g);

#endif
