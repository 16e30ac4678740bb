/* gfortran's library for each rank: gfortran.h. */
#define _GNU_SOURCE /* dladdr, dlinfo */
#include "loaded.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../../psim/base/mem.h"
#include "../api/stubs_fortran_io.h"
#include "../vmpi_config.h"
#include "world.h"

#if defined(__x86_64__)
enum { IMPORTED = R_X86_64_JUMP_SLOT, IMPORTED_ADDRESS = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { IMPORTED = R_AARCH64_JUMP_SLOT, IMPORTED_ADDRESS = R_AARCH64_GLOB_DAT };
#else
enum { IMPORTED = -1, IMPORTED_ADDRESS = -1 }; /* ranks share the library's state */
#endif

/* ---- the library's tables ---- */

/* The value of an entry of the library's dynamic section; 0: there is none. Some loaders add the base to addresses. */
static uintptr_t dynamic_value(const struct gfortran *g, int64_t tag, bool address)
{
	struct link_map *map;

	if (dlinfo(g->handle, RTLD_DI_LINKMAP, &map) != 0)
		return 0;
	for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++)
		if (d->d_tag == tag)
			return d->d_un.d_val + (address && d->d_un.d_val < g->segment.base ? g->segment.base : 0);
	return 0;
}

static const void *dynamic_address(const struct gfortran *g, int64_t tag)
{
	return (const void *)dynamic_value(g, tag, true); /* NOLINT(performance-no-int-to-ptr): the loader's number */
}

/* Calls `each` for the places of imported functions in one table of relocations. */
static void imports_in(struct gfortran *g, int64_t table, int64_t bytes,
		       void (*each)(struct gfortran *g, uintptr_t place, const char *name))
{
	const ElfW(Rela) *r = dynamic_address(g, table);
	const ElfW(Sym) *symbols = dynamic_address(g, DT_SYMTAB);
	const char *names = dynamic_address(g, DT_STRTAB);
	size_t count = dynamic_value(g, bytes, false) / sizeof(*r);

	for (size_t i = 0; r && symbols && names && i < count; i++) {
		int type = (int)ELF64_R_TYPE(r[i].r_info);

		if (type == IMPORTED || type == IMPORTED_ADDRESS)
			each(g, g->segment.base + r[i].r_offset, names + symbols[ELF64_R_SYM(r[i].r_info)].st_name);
	}
}

static void each_import(struct gfortran *g, void (*each)(struct gfortran *g, uintptr_t place, const char *name))
{
	imports_in(g, DT_JMPREL, DT_PLTRELSZ, each);
	imports_in(g, DT_RELA, DT_RELASZ, each);
}

static void set_place(const struct gfortran *g, uintptr_t place, const void *function)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *first = (void *)(place / page * page); /* NOLINT(performance-no-int-to-ptr): the loader's number */

	if (mprotect(first, page, PROT_READ | PROT_WRITE) < 0)
		return;
	memcpy((void *)place, &function, sizeof(function)); /* NOLINT(performance-no-int-to-ptr) */
	if (place < g->segment.relocated)
		mprotect(first, page, PROT_READ);
}

static void import_from_program(struct gfortran *g, uintptr_t place, const char *name)
{
	for (const struct gfortran_import *i = g->imports; i->name; i++) {
		void *function;

		memcpy(&function, &i->function, sizeof(function));
		if (strcmp(i->name, name) == 0)
			set_place(g, place, function);
	}
}

static void import_from_library(struct gfortran *g, uintptr_t place, const char *name)
{
	for (const struct gfortran_import *i = g->imports; i->name; i++)
		if (strcmp(i->name, name) == 0)
			set_place(g, place, dlsym(g->handle, name));
}

/* Variables begin after the table of imported functions, which all ranks share. */
static void skip_table(struct gfortran *g, uintptr_t place, const char *name)
{
	(void)name;
	if (place >= g->segment.start && place < g->segment.zeroes)
		g->segment.start = place + sizeof(void *);
}

/* ---- loading ---- */

static void find_in_library(struct gfortran *g)
{
	static const char *const statements[] = {
#define STATEMENT(name) "_gfortran_" #name,
#include "../api/gfortran.def"
#undef STATEMENT
	};
	static const char *const settings[] = {
#define SETTING(name) "_gfortran_" #name,
#include "../api/gfortran.def"
#undef SETTING
	};
	void *at;

	for (unsigned i = 0; i < GFORTRAN_STATEMENTS; i++) {
		at = dlsym(g->handle, statements[i]);
		memcpy(&g->statement[i], &at, sizeof(at));
	}
	for (unsigned i = 0; i < GFORTRAN_SETTINGS; i++) {
		at = dlsym(g->handle, settings[i]);
		memcpy(&g->set[i], &at, sizeof(at));
	}
}

int gfortran_load(struct vmpi *v, void *program, struct err *e)
{
	struct gfortran *g = &v->loaded->gfortran;
	const void *imports = dlsym(program, "vmpi_gfortran_imports");
	void *at = dlsym(program, "_gfortran_st_write_done"); /* the library's: the stubs have none */
	Dl_info info;

	if (!imports || !at || !dladdr(at, &info))
		return 0;
	g->segment.base = (uintptr_t)info.dli_fbase;
	g->handle = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
	if (!g->handle || !segment_find(&g->segment))
		return err_set(e, STATUS_FAILED, "%s: cannot be used: %s", info.dli_fname,
			       g->handle ? "no variables" : dlerror());
	g->imports = imports;
	find_in_library(g);
	each_import(g, skip_table);
	each_import(g, import_from_program);
	return 0;
}

void gfortran_finish(struct gfortran *g)
{
	if (g->own) { /* the state at the start, which the library's destructor will release */
		memset((void *)g->segment.zeroes, 0,
		       g->segment.end - g->segment.zeroes); /* NOLINT(performance-no-int-to-ptr) */
		g->state.pristine_bytes = g->bytes;
	}
	globals_finish(&g->state);
	free(g->own);
	if (g->handle) {
		each_import(g, import_from_library);
		dlclose(g->handle);
	}
	*g = (struct gfortran){.state.file = -1};
}

/* ---- ranks ---- */

typedef void init_function(int argc, char **argv, char **envp);
typedef void fini_function(void);

static int prepare_own(struct vmpi *v, struct gfortran *g)
{
	const struct segment *s = &g->segment;

	g->own = mem_alloc(v->size, sizeof(*g->own), &v->err);
	if (!g->own ||
	    globals_create(&g->state, (char *)s->start, s->end - s->start, GLOBALS_COPY, v->size, &v->err) < 0)
		return -1;
	g->bytes = g->state.pristine_bytes;
	/* as before the constructors, which fill only what begins as zero */
	if (g->bytes > s->zeroes - s->start)
		g->state.pristine_bytes = s->zeroes - s->start;
	return 0;
}

static void construct(const struct gfortran *g)
{
	init_function *const *function = dynamic_address(g, DT_INIT_ARRAY);
	size_t count = dynamic_value(g, DT_INIT_ARRAYSZ, false) / sizeof(*function);

	for (size_t i = 0; function && i < count; i++)
		function[i](0, NULL, environ);
	for (unsigned i = 0; i < GFORTRAN_SETTINGS; i++)
		if (g->setting[i].given && g->set[i])
			g->set[i](g->setting[i].number, g->setting[i].list);
}

/* Gives the running rank its own state. */
static int own_state(struct vmpi *v)
{
	struct gfortran *g = &v->loaded->gfortran;
	uint32_t i = v->current->world;

	if (IMPORTED < 0 || v->cfg->ranks.globals == GLOBALS_SHARED || (g->own && g->own[i]))
		return 0;
	if (!g->own && prepare_own(v, g) < 0)
		return -1;
	g->own[i] = true;
	if (globals_enter(&g->state, i, &v->err) < 0)
		return -1;
	construct(g);
	return 0;
}

void vmpi_fortran_statement(struct vmpi *v, int statement, void *parameters)
{
	if (v->current && own_state(v) < 0)
		rank_stop(v);
	v->loaded->gfortran.statement[statement](parameters);
}

void vmpi_fortran_setting(struct vmpi *v, int setting, int number, void *list)
{
	struct gfortran *g = &v->loaded->gfortran;

	g->setting[setting].given = true;
	g->setting[setting].number = number;
	g->setting[setting].list = list;
	g->set[setting](number, list);
}

void gfortran_rank_exits(struct vmpi *v, uint32_t rank)
{
	const struct gfortran *g = &v->loaded->gfortran;
	fini_function *const *function;

	if (!g->own || !g->own[rank])
		return;
	function = dynamic_address(g, DT_FINI_ARRAY);
	for (size_t i = dynamic_value(g, DT_FINI_ARRAYSZ, false) / sizeof(*function); function && i > 0; i--)
		function[i - 1]();
}

void gfortran_rank_ended(struct gfortran *g, uint32_t rank)
{
	if (!g->own || !g->own[rank])
		return;
	g->own[rank] = false;
	globals_rank_ended(&g->state, rank);
}
