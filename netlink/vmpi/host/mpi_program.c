/* Loading a program: mpi_program.h. */
#define _GNU_SOURCE /* dladdr, dl_iterate_phdr */
#include "mpi_program.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../psim/base/mem.h"
#include "../vmpi_config.h"
#include "crash.h"
#include "elf_check.h"
#include "loaded.h"
#include "segment.h"

typedef int main_function(int argc, char **argv, char **envp);

struct program {
	void *handle;
	char *path, *full_path;
	main_function *entry;
	bool plain_mpi;          /* entry is main, not MGEN_Main or LMPI_Main: MPI_Init is required */
	enum call_prefix prefix; /* of its calls */
	struct vmpi_gate *gate;
	/* of ../libc/constructors.c */
	int (*construct)(int argc, char **argv, char **envp);
	void (*destruct)(int status);
	bool constructed; /* a rank has, where all share their variables */
	bool fortran;     /* linked with gfortran's library */
	bool has_threads; /* of OpenMP, which outlive the run within its library or the program */
	char *base;
	int argc;
	char **argv;
	size_t text_bytes; /* of the arguments */
};

void program_destroy(struct program *p)
{
	if (!p)
		return;
	if (p->handle && !p->has_threads)
		dlclose(p->handle);
	for (int i = 0; p->argv && i < p->argc; i++)
		free(p->argv[i]);
	free(p->argv);
	free(p->path);
	free(p->full_path);
	free(p);
}

/* ---- the segment of variables ---- */

/* Access to a thread-local variable (U. Drepper, "ELF Handling For Thread-Local Storage", 2013). */
extern void *__tls_get_addr(size_t module_and_offset[2]);

/*
 * Each rank has its own thread-local variables. They are in the block that the loader allocated for the thread on
 * which all ranks run.
 */
static int load_thread_locals(struct vmpi *v, const struct segment *s, struct err *e)
{
	int way = (int)v->cfg->ranks.globals;
	char *block;

	if (!s->thread_bytes)
		return 0;
	block = __tls_get_addr((size_t[2]){s->thread_module, 0});
	if (way == GLOBALS_AUTO || way == GLOBALS_MAP) /* the block is not page-aligned */
		way = GLOBALS_COPY;
	return globals_create(&v->loaded->thread_locals, block, s->thread_bytes, way, v->size, e);
}

/* ---- OpenMP ---- */

/* Finds the thread-local variables of libgomp, GCC's library of OpenMP. */
static int find_openmp(struct dl_phdr_info *info, size_t size, void *data)
{
	struct segment *s = data;

	if (!info->dlpi_name || !strstr(info->dlpi_name, "libgomp.so") ||
	    size <= offsetof(struct dl_phdr_info, dlpi_tls_modid))
		return 0;
	s->thread_module = info->dlpi_tls_modid;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_TLS)
			s->thread_bytes = info->dlpi_phdr[i].p_memsz;
	return 1;
}

/* Each rank has its own team and settings of OpenMP, which its library keeps for the thread on which all ranks run. */
static int load_openmp(struct vmpi *v, struct program *p, struct err *e)
{
	struct segment s = {0};
	void *at = dlsym(p->handle, "omp_get_num_threads");

	if (!at)
		return 0;
	memcpy(&v->loaded->openmp_threads, &at, sizeof(at));
	p->has_threads = true;
	dl_iterate_phdr(find_openmp, &s);
	if (!s.thread_bytes)
		return 0;
	return globals_create(&v->loaded->openmp, __tls_get_addr((size_t[2]){s.thread_module, 0}), s.thread_bytes,
			      GLOBALS_COPY, v->size, e);
}

/* ---- loading ---- */

static int copy_arguments(struct program *p, int argc, char *const argv[], struct err *e)
{
	p->argv = mem_alloc((size_t)argc + 1, sizeof(char *), e);
	if (!p->argv)
		return -1;
	for (p->argc = 0; p->argc < argc; p->argc++) {
		p->argv[p->argc] = mem_copy_text(argv[p->argc], e);
		if (!p->argv[p->argc])
			return -1;
		p->text_bytes += strlen(argv[p->argc]) + 1;
	}
	return 0;
}

static int no_program(struct err *e, const char *path, const char *why)
{
	return err_set(e, STATUS_BAD_INPUT, "%s: %s, expected a program made by nsimcc, bsimcc or bsimf90", path, why);
}

static int find_constructors(struct program *p, struct err *e)
{
	void *construct = dlsym(p->handle, "vmpi_construct"), *destruct = dlsym(p->handle, "vmpi_destruct");

	if (!construct || !destruct)
		return no_program(e, p->path, "not linked by nsimcc");
	memcpy(&p->construct, &construct, sizeof(construct));
	memcpy(&p->destruct, &destruct, sizeof(destruct));
	return 0;
}

/* The first of those of ../api/entries.c that is in the program itself. */
static void choose_entry(struct program *p)
{
	static const enum call_prefix prefixes[] = {CALLS_MGEN, CALLS_LMPI, CALLS_MPI};
	enum { ENTRIES = sizeof(prefixes) / sizeof(prefixes[0]) };
	main_function *const *at = (main_function *const *)dlsym(p->handle, "vmpi_entries");

	for (unsigned i = 0; at && i < ENTRIES && !p->entry; i++) {
		if (at[i] == at[ENTRIES])
			continue;
		p->entry = at[i];
		p->prefix = prefixes[i];
		p->plain_mpi = prefixes[i] == CALLS_MPI;
	}
}

static int mpi_program_find_entry(struct program *p, struct err *e)
{
	p->gate = (struct vmpi_gate *)dlsym(p->handle, "vmpi_gate");
	if (!p->gate)
		return no_program(e, p->path, "not linked by nsimcc");
	if (p->gate->version != VMPI_CALLS_VERSION)
		return err_set(e, STATUS_BAD_INPUT,
			       "%s: made by another version of nsimcc, expected one compiled by this version", p->path);
	choose_entry(p);
	return p->entry ? find_constructors(p, e) : no_program(e, p->path, "no main, MGEN_Main or LMPI_Main");
}

/* Ranks that share their variables are as threads of a process: the first one constructs, and the last one destroys. */
static void program_construct(struct vmpi *v, char **argv)
{
	struct program *p = v->loaded->program;

	if (v->cfg->ranks.globals == GLOBALS_SHARED && p->constructed)
		return;
	p->constructed = true;
	if (p->construct(p->argc, argv, environ))
		return;
	err_set(&v->err, STATUS_FAILED, "%s: ranks cannot call its constructors, expected a loader that allows it",
		p->path);
	rank_stop(v);
}

void program_exit(struct vmpi *v, int status)
{
	if (v->loaded->program && (v->cfg->ranks.globals != GLOBALS_SHARED || v->ended + 1 == v->size))
		v->loaded->program->destruct(status);
	gfortran_rank_exits(v, v->current->world);
}

bool vmpi_in_fortran(const struct vmpi *v)
{
	return v->loaded->program && v->loaded->program->fortran && v->ended < v->size;
}

void vmpi_flush_fortran(const struct vmpi *v)
{
	void *at = v->loaded->program && v->loaded->program->fortran
			   ? dlsym(v->loaded->program->handle, "_gfortran_flush_i4")
			   : NULL;
	void (*flush)(const int *unit);

	memcpy(&flush, &at, sizeof(at));
	if (flush)
		flush(NULL); /* of all units */
}

/*
 * The loader reports a lack of memory by misleading messages ("No such file"). So it is called a second time, and
 * then an allocation is tried.
 */
static int open_library(struct program *p, struct err *e)
{
	const char *why, *colon;
	void *probe;

	setenv("NSIM_LOADS", p->full_path, 1); /* for ../libc/constructors.c */
	p->handle = dlopen(p->full_path, RTLD_NOW | RTLD_LOCAL);
	if (!p->handle)
		p->handle = dlopen(p->full_path, RTLD_NOW | RTLD_LOCAL);
	unsetenv("NSIM_LOADS");
	if (p->handle)
		return 0;
	probe = malloc(BUFSIZ);
	if (!probe)
		return mem_short(e);
	free(probe);
	why = dlerror();
	colon = why ? strstr(why, ": ") : NULL;
	no_program(e, p->path, colon ? colon + 2 : "cannot load");
	return -1;
}

static struct program *mpi_program_load(const char *path, int argc, char *const argv[], struct err *e)
{
	struct program *p = mem_alloc(1, sizeof(*p), e);
	void *gate;
	Dl_info info;

	if (!p)
		return NULL;
	p->path = mem_copy_text(path, e);
	p->full_path = realpath(path, NULL);
	if (!p->path || copy_arguments(p, argc, argv, e) < 0)
		goto fail;
	if (!p->full_path || access(p->full_path, R_OK) < 0) {
		err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", path, strerror(errno));
		goto fail;
	}
	if (elf_check(path, e) < 0)
		goto fail;
	/* makes gfortran's library write lines at once; it reads this when it is loaded */
	setenv("GFORTRAN_UNBUFFERED_PRECONNECTED", "y", 0);
	setenv("OMP_NUM_THREADS", "1", 0); /* as the library of OpenMP is: more threads are the host's */
	if (open_library(p, e) < 0)
		goto fail;
	gate = dlsym(p->handle, "vmpi_gate");
	if (gate && dladdr(gate, &info))
		p->base = info.dli_fbase;
	p->fortran = dlsym(p->handle, "_gfortran_set_args") != NULL;
	if (mpi_program_find_entry(p, e) == 0)
		return p;
fail:
	program_destroy(p);
	return NULL;
}

int vmpi_load(struct vmpi *v, const char *path, int argc, char *const argv[], struct err *e)
{
	struct program *p = mpi_program_load(path, argc, argv, e);
	struct segment s = {0};

	process_state_end(&v->loaded->library.process); /* constructors have run */
	if (!p)
		return -1;
	v->loaded->program = p;
	v->loaded->prefix = (uint8_t)p->prefix;
	crash_watch_exit();
	p->gate->v = v;
	p->gate->calls = v->calls;
	v->where = &p->gate->where;
	s.base = (uintptr_t)p->base;
	segment_find(&s);
	if (gfortran_load(v, p->handle, e) < 0 || load_thread_locals(v, &s, e) < 0 || load_openmp(v, p, e) < 0)
		return -1;
	return globals_create(&v->loaded->globals, (char *)s.start, s.end - s.start, (int)v->cfg->ranks.globals,
			      v->size, e);
}

/* ---- running ---- */

int program_main(struct vmpi *v, struct rank *r)
{
	const struct program *p = v->loaded->program;
	/* programs may change their arguments: each rank has a copy on its stack */
	size_t pointers = ((size_t)p->argc + 1) * sizeof(char *);
	char *room = __builtin_alloca(pointers + p->text_bytes);
	char **argv = (char **)(void *)room, *text = room + pointers;

	/* gfortran's library keeps one address for all ranks */
	r->initialized = !p->plain_mpi;
	if (p->fortran) {
		program_construct(v, p->argv);
		return p->entry(p->argc, p->argv, environ) & 0xff;
	}
	for (int i = 0; i < p->argc; i++) {
		argv[i] = text;
		text = stpcpy(text, p->argv[i]) + 1;
	}
	argv[p->argc] = NULL;
	program_construct(v, argv);
	return p->entry(p->argc, argv, environ) & 0xff;
}

/* ---- places ---- */

/*
 * Finds "get (file.c:12)" for an address by addr2line (binutils), if that is installed and the program has line
 * information. The function is the source's, also where it was inlined. False: unknown.
 */
static bool source_line(const struct program *p, uintptr_t offset, char *text, size_t size)
{
	char command[PATH_MAX + 64], function[128] = "", line[512] = "", buffer[1024], *name;
	FILE *pipe;

	if (strchr(p->full_path, '\''))
		return false;
	snprintf(command, sizeof(command), "addr2line -f -e '%s' 0x%lx 2>/dev/null", p->full_path,
		 (unsigned long)offset);
	pipe = popen(command, "r");
	if (!pipe && errno == ENOMEM) /* what a place is called does not depend on a moment without memory */
		pipe = popen(command, "r");
	if (!pipe)
		return false;
	setvbuf(pipe, buffer, _IOFBF, sizeof(buffer));
	if (!fgets(function, sizeof(function), pipe) || !fgets(line, sizeof(line), pipe))
		line[0] = '\0';
	pclose(pipe);
	function[strcspn(function, "\n")] = '\0';
	line[strcspn(line, " \n")] = '\0';
	name = strrchr(line, '/');
	name = name ? name + 1 : line;
	if (!*name || *name == '?' || strstr(name, ":?") || strstr(name, ":0"))
		return false;
	snprintf(text, size, "%s (%s)", function, name);
	return true;
}

uintptr_t program_base(const struct vmpi *v)
{
	return v->loaded->program ? (uintptr_t)v->loaded->program->base : 0;
}

void rank_place(const struct vmpi *v, uint32_t rank, const void *where, char *text, size_t size)
{
	if (!where && v->trace.rank_place)
		v->trace.rank_place(v->trace.of, rank, text, size);
	else
		program_place(v, where, text, size);
}

void program_place(const struct vmpi *v, const void *where, char *text, size_t size)
{
	const struct program *p = v->loaded->program;
	uintptr_t offset;
	Dl_info info;

	if (v->trace.place && where) {
		v->trace.place(v->trace.schedule, where, text, size);
		return;
	}
	if (!p || !where || !dladdr(where, &info) || info.dli_fbase != p->base) {
		snprintf(text, size, "%s", p ? "a place outside of the program" : "the simulator's own program");
		return;
	}
	/* the byte before the return address belongs to the call */
	offset = (uintptr_t)where - 1 - (uintptr_t)p->base;
	if (source_line(p, offset, text, size))
		return;
	if (info.dli_sname)
		snprintf(text, size, "%s+0x%lx", info.dli_sname,
			 (unsigned long)((uintptr_t)where - (uintptr_t)info.dli_saddr));
	else
		snprintf(text, size, "%s+0x%lx", p->path, (unsigned long)offset);
}
