#define _GNU_SOURCE /* O_PATH */
#include "guest.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../psim/base/hash.h"

/* Numbers of the auxiliary vector (linux/auxvec.h). */
enum {
	AUX_NULL = 0,
	AUX_PHDR = 3,
	AUX_PHENT = 4,
	AUX_PHNUM = 5,
	AUX_PAGESZ = 6,
	AUX_BASE = 7,
	AUX_FLAGS = 8,
	AUX_ENTRY = 9,
	AUX_UID = 11,
	AUX_EUID = 12,
	AUX_GID = 13,
	AUX_EGID = 14,
	AUX_HWCAP = 16,
	AUX_CLKTCK = 17,
	AUX_SECURE = 23,
	AUX_RANDOM = 25,
	AUX_EXECFN = 31,
};
enum { AUX_WORDS = 2 * 17, WINDOW_BYTES = 16 * 8 };

/*
 * flush, stbar, swap, muldiv, v9: the instructions of every V9. With more bits libc would
 * select code for newer chips (bits/hwcap.h).
 */
enum { HWCAP = 0x1f };

static uint64_t push_string(struct guest *g, uint64_t top, const char *text)
{
	size_t size = strlen(text) + 1;
	uint64_t at = top - size;
	if (at < g->stack_low || address_space_load(&g->memory, at, text, size) < 0)
		return 0;
	return at;
}

/* Writes words at ascending addresses from `at`; the range is checked before. */
struct words {
	struct address_space *m;
	uint64_t at;
	bool failed;
};

static void put_word(struct words *w, uint64_t value)
{
	w->failed |= space_write64(w->m, w->at, value) < 0;
	w->at += 8;
}

static void put_aux(struct words *w, uint64_t type, uint64_t value)
{
	put_word(w, type);
	put_word(w, value);
}

static void put_vector(struct guest *g, struct words *w, uint64_t random, uint64_t name)
{
	put_aux(w, AUX_PHDR, g->image.phdr_address);
	put_aux(w, AUX_PHENT, 56);
	put_aux(w, AUX_PHNUM, g->image.phdr_count);
	put_aux(w, AUX_PAGESZ, SPACE_PAGE);
	put_aux(w, AUX_BASE, 0);
	put_aux(w, AUX_FLAGS, 0);
	put_aux(w, AUX_ENTRY, g->image.entry);
	put_aux(w, AUX_UID, 0);
	put_aux(w, AUX_EUID, 0);
	put_aux(w, AUX_GID, 0);
	put_aux(w, AUX_EGID, 0);
	put_aux(w, AUX_HWCAP, HWCAP);
	put_aux(w, AUX_CLKTCK, 100);
	put_aux(w, AUX_RANDOM, random);
	put_aux(w, AUX_SECURE, 0);
	put_aux(w, AUX_EXECFN, name);
	put_aux(w, AUX_NULL, 0);
}

/*
 * Builds the stack, from the top down: eight zero bytes, file name, environment strings,
 * argument strings, 16 random bytes, auxiliary vector, envp, argv, argc, and the save area of
 * the first window, to which %sp + 2047 points.
 */
static int build_stack(struct guest *g, struct err *e)
{
	const struct guest_options *o = &g->options;
	unsigned strings = o->env_count + o->arg_count;
	uint64_t *address = calloc(strings + 1, sizeof(*address));
	uint64_t name = push_string(g, g->stack_high - 8, o->name ? o->name : o->program), top = name;
	bool failed = !address || !top;
	for (unsigned i = strings; !failed && i-- > 0;) {
		const char *text = i < o->arg_count ? o->args[i] : o->env[i - o->arg_count];
		top = address[i] = push_string(g, top, text);
		failed = !top;
	}
	uint64_t random = (top - 16) & ~(uint64_t)15;
	uint64_t words = 1 + o->arg_count + 1 + o->env_count + 1 + AUX_WORDS;
	uint64_t start = (random - 8 * words) & ~(uint64_t)15;
	if (failed || start < g->stack_low + SPACE_PAGE) {
		free(address);
		if (!address || g->memory.exhausted)
			return err_set(e, STATUS_FAILED, "%s: out of memory for the stack", o->program);
		return err_set(e, STATUS_USAGE,
			       "%s: arguments and environment do not fit on a "
			       "stack of %" PRIu64 " KiB",
			       o->program, (g->stack_high - g->stack_low) >> 10);
	}
	struct words w = {&g->memory, random, false};
	put_word(&w, guest_random(g));
	put_word(&w, guest_random(g));
	w.at = start;
	put_word(&w, o->arg_count);
	for (unsigned i = 0; i < strings; i++) {
		if (i == o->arg_count)
			put_word(&w, 0);
		put_word(&w, address[i]);
	}
	if (!o->env_count)
		put_word(&w, 0);
	put_word(&w, 0);
	put_vector(g, &w, random, name);
	free(address);
	g->cpu.r[14] = start - WINDOW_BYTES - STACK_BIAS;
	return w.failed ? err_set(e, STATUS_FAILED, "%s: out of memory for the stack", o->program) : 0;
}

/* Maps the stack at the bottom of the mapping area, after a guard page. */
static int map_stack(struct guest *g, struct err *e)
{
	uint64_t size = g->options.stack_bytes;
	size = (size + SPACE_PAGE - 1) & ~(SPACE_PAGE - 1);
	unsigned prot = SPACE_READ | SPACE_WRITE | (g->image.stack_exec ? SPACE_EXEC : 0);
	uint64_t low = address_space_find_free(&g->memory, SPACE_MAP_BASE, size + SPACE_PAGE);
	if (!low || address_space_map(&g->memory, low, SPACE_PAGE, 0) < 0 ||
	    address_space_map(&g->memory, low + SPACE_PAGE, size, prot) < 0)
		return err_set(e, STATUS_USAGE, "%s: no room in the address space for a stack of %" PRIu64 " KiB",
			       g->options.program, size >> 10);
	g->stack_low = low + SPACE_PAGE;
	g->stack_high = g->stack_low + size;
	return 0;
}

static void set_defaults(struct guest *g)
{
	if (!g->options.stack_bytes)
		g->options.stack_bytes = (uint64_t)8 << 20;
	if (!g->options.memory_bytes)
		g->options.memory_bytes = (uint64_t)8 << 30;
	g->random_state = g->options.random_seed;
	for (int i = 0; i < 3; i++)
		g->file[i] = (int16_t)(i + 1);
	if (g->options.trace_on_stdout)
		g->file[1] = g->file[2];
	g->cwd = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (g->cwd < 0)
		g->cwd = AT_FDCWD;
}

struct guest *guest_create(const struct guest_options *o, struct err *e)
{
	struct guest *g = calloc(1, sizeof(*g));
	if (!g) {
		err_set(e, STATUS_FAILED, "%s: out of memory", o->program);
		return NULL;
	}
	g->options = *o;
	set_defaults(g);
	if (address_space_init(&g->memory, &g->cpu, g->options.memory_bytes) < 0) {
		err_set(e, STATUS_FAILED, "%s: out of memory", o->program);
		guest_destroy(g);
		return NULL;
	}
	cpu_init(&g->cpu, &g->memory.cpu_memory);
	g->cpu.fma_fused = o->fma_fused;
	if (guest_make_array(g, 0, &g->cpu.array) < 0) {
		err_set(e, STATUS_FAILED, "%s: out of memory for the SIMD array", o->program);
		guest_destroy(g);
		return NULL;
	}
	if (elf_image_load(&g->image, &g->memory, o->program, e) < 0 || map_stack(g, e) < 0 || build_stack(g, e) < 0) {
		guest_destroy(g);
		return NULL;
	}
	g->exe_path = realpath(o->program, NULL);
	g->brk_start = g->brk = g->image.brk;
	g->cpu.pc = g->image.entry;
	g->cpu.npc = g->cpu.pc + 4;
	g->cpu.fprs = 4; /* FPU enabled, nothing dirty: Linux's initial state */
	cpu_flush_tlb(&g->cpu);
	return g;
}

void guest_destroy(struct guest *g)
{
	if (!g)
		return;
	for (unsigned i = 0; i < GUEST_FILES; i++)
		if (g->file[i] > 3)
			close(g->file[i] - 1);
	if (g->cwd >= 0)
		close(g->cwd);
	elf_image_finish(&g->image);
	address_space_finish(&g->memory);
	guest_free_arrays(g);
	guest_free_threads(g);
	free(g->exe_path);
	free(g);
}

void guest_warn(struct guest *g, const char *format, ...)
{
	char text[256];
	va_list ap;
	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	if (g->options.warn)
		g->options.warn(g->options.user, text);
}

void guest_fail(struct guest *g, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	err_vset(&g->error, STATUS_FAILED, format, ap);
	va_end(ap);
	g->end = GUEST_FAILED;
}

uint64_t guest_time_ns(const struct guest *g)
{
	if (g->options.host_time) {
		struct timespec t;
		clock_gettime(CLOCK_MONOTONIC, &t);
		return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
	}
	return g->insns / 2 + g->slept_ns; /* two instructions per nanosecond: IPC 1 at 2 GHz */
}

uint64_t guest_random(struct guest *g)
{
	/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): every seed is suitable */
	return hash_mix(g->random_state += HASH_GOLDEN);
}

const char *guest_place(const struct guest *g, uint64_t address, char *buffer, size_t size)
{
	unsigned low = 0, high = g->image.symbol_count;
	while (low < high) {
		unsigned mid = low + (high - low) / 2;
		if (g->image.symbols[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	const struct trace_symbol *s = low ? &g->image.symbols[low - 1] : NULL;
	if (!s || address - s->address >= s->size)
		return "?";
	snprintf(buffer, size, "%s+0x%" PRIx64, s->name, address - s->address);
	return buffer;
}
