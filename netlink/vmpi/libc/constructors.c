/*
 * Constructors and destructors of the program: each rank calls them, on its own variables, as a process of its own
 * would. While the simulator loads the program, which it says in the environment, the first constructor of all takes
 * the others' places in the loader's tables. In a library that nsimcc has linked nothing changes: its variables are
 * shared.
 */
#define _GNU_SOURCE /* dladdr */
#include "libc_state.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gate.h"

typedef void constructor(int argc, char **argv, char **envp);

/* A table of the loader, and a copy of what it had. */
struct table {
	constructor **at, **saved;
	size_t count;
};
static struct table begin, end;
static bool taken;
static size_t ended; /* of the rank's destructors, from the last one on */

/* They are there where something is registered. */
extern void at_exit_run(int status) __attribute__((weak));
extern void thread_exit_run(void) __attribute__((weak));

/* Frees the memory that libstdc++ keeps for exceptions, where that library is a part of the program. */
extern void free_exceptions(void) __asm__("_ZN9__gnu_cxx9__freeresEv") __attribute__((weak, visibility("hidden")));

static void take_places(void);
static void give_back(void);

/* Linkers sort constructors by these numbers: no other one is before. */
static void (*first)(void) __attribute__((section(".init_array.0"), used)) = take_places;
static void (*last)(void) __attribute__((section(".fini_array.0"), used)) = give_back;

static void nothing(void)
{
}

/* ---- while the program is loaded ---- */

/* The program's own: its dynamic section, and its name for the C library. */
extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));
extern void *__dso_handle __attribute__((visibility("hidden")));
extern void __cxa_finalize(void *module);

static struct table find_table(const char *base, int64_t tag, int64_t bytes)
{
	struct table t = {0};

	for (const ElfW(Dyn) *d = _DYNAMIC; d->d_tag != DT_NULL; d++)
		if (d->d_tag == tag) /* some loaders add the base */
			t.at = (constructor **)((uintptr_t)base * (d->d_un.d_ptr < (uintptr_t)base) + d->d_un.d_ptr);
		else if (d->d_tag == bytes)
			t.count = d->d_un.d_val / sizeof(*t.at);
	return t;
}

/* Where the table is in what the loader has made read-only (RELRO): whole pages of it. */
static bool protect(const char *base, const struct table *t, int protection)
{
	const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)(const void *)base;
	const ElfW(Phdr) *part = (const ElfW(Phdr) *)(const void *)(base + head->e_phoff);
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)t->at / page * page;
	uintptr_t to = (uintptr_t)(t->at + t->count);

	for (int i = 0; i < head->e_phnum; i++) {
		uintptr_t start = ((uintptr_t)base + part[i].p_vaddr) / page * page;
		uintptr_t stop = ((uintptr_t)base + part[i].p_vaddr + part[i].p_memsz) / page * page;

		if (part[i].p_type != PT_GNU_RELRO || to <= start || from >= stop)
			continue;
		from = from > start ? from : start;
		return mprotect((void *)from, (to < stop ? to : stop) - from, protection) == 0;
	}
	return true;
}

static bool copy_table(const char *base, struct table *t)
{
	t->saved = malloc((t->count + !t->count) * sizeof(*t->saved));
	if (!t->saved || !protect(base, t, PROT_READ | PROT_WRITE))
		return false;
	memcpy(t->saved, t->at, t->count * sizeof(*t->saved));
	return true;
}

static void clear_table(const struct table *t, void (*except)(void))
{
	for (size_t i = 0; i < t->count; i++)
		if (t->at[i] != (constructor *)except)
			t->at[i] = (constructor *)nothing;
}

static void take_places(void)
{
	const char *loaded = getenv("NSIM_LOADS");
	Dl_info own;

	if (!loaded || !dladdr(&vmpi_gate, &own) || strcmp(own.dli_fname, loaded) != 0)
		return;
	begin = find_table(own.dli_fbase, DT_INIT_ARRAY, DT_INIT_ARRAYSZ);
	end = find_table(own.dli_fbase, DT_FINI_ARRAY, DT_FINI_ARRAYSZ);
	if (!copy_table(own.dli_fbase, &begin) || !copy_table(own.dli_fbase, &end))
		return; /* the simulator fails when vmpi_construct says so */
	clear_table(&begin, take_places);
	clear_table(&end, give_back);
	/* after both: they may be on one page */
	protect(own.dli_fbase, &begin, PROT_READ);
	protect(own.dli_fbase, &end, PROT_READ);
	taken = true;
}

/* Called when the program is unloaded: what the C library knows of it would lead to memory that is gone. */
static void give_back(void)
{
	free(begin.saved);
	free(end.saved);
	begin.saved = end.saved = NULL;
	__cxa_finalize(&__dso_handle);
}

/* ---- called by the simulator ---- */

/* Constructs the running rank's objects. 0: the loader has called the constructors. */
__attribute__((visibility("default"))) int vmpi_construct(int argc, char **argv, char **envp)
{
	if (!taken)
		return 0;
	for (size_t i = 0; i < begin.count; i++)
		if (begin.saved[i] != (constructor *)take_places)
			begin.saved[i](argc, argv, envp);
	return 1;
}

/*
 * The running rank exits: objects of its thread, then functions of atexit and objects with static storage, the last one
 * first, then destructors. Each may call exit, which calls this again.
 */
__attribute__((visibility("default"))) void vmpi_destruct(int status)
{
	if (thread_exit_run)
		thread_exit_run();
	if (at_exit_run)
		at_exit_run(status);
	while (taken && ended < end.count) {
		constructor *function = end.saved[end.count - ++ended];

		if (function != (constructor *)give_back)
			((void (*)(void))function)();
	}
	if (free_exceptions)
		free_exceptions();
}
