/*
 * State of gfortran's library: units with their files and buffers, and settings. A rank gets its own at its first
 * statement of input or output: the library's variables as they are at the start, and its constructors called again.
 * Ranks without such a statement, in skeletons nearly all, need no memory for it.
 *
 * The library's calls of `write`, `read`, clocks and values of threads lead to functions of the program
 * (../api/stubs_fortran_io.c). Its table of imported functions is changed for that.
 */
#ifndef PSIM_VMPI_GFORTRAN_H
#define PSIM_VMPI_GFORTRAN_H

#include <stdbool.h>
#include <stdint.h>

#include "../../../psim/base/err.h"
#include "globals.h"
#include "segment.h"

struct vmpi;

enum gfortran_statement {
#define STATEMENT(name) STATEMENT_##name,
#include "../api/gfortran.def"
#undef STATEMENT
	GFORTRAN_STATEMENTS
};
enum gfortran_setting {
#define SETTING(name) SETTING_##name,
#include "../api/gfortran.def"
#undef SETTING
	GFORTRAN_SETTINGS
};

typedef void gfortran_statement(void *parameters);
typedef void gfortran_set(int number, void *list);

struct gfortran {
	void *handle; /* of the library; NULL: the program has none */
	struct segment segment;
	gfortran_statement *statement[GFORTRAN_STATEMENTS];
	gfortran_set *set[GFORTRAN_SETTINGS];
	/* settings of the program's main, the same on all ranks */
	struct {
		bool given;
		int number;
		void *list;
	} setting[GFORTRAN_SETTINGS];
	const void *imports; /* of the program */
	struct globals state;
	size_t bytes; /* of the variables at the start, without trailing zeroes */
	bool *own;    /* by rank: it has its own state; NULL: no rank has */
};

/* Finds the library that the program needs, if it does. */
int gfortran_load(struct vmpi *v, void *program, struct err *e);
/* Before the program is unloaded. */
void gfortran_finish(struct gfortran *g);

/* Called when a rank is resumed. 0, or -1 with `e` if memory is short. */
static inline int gfortran_enter(struct gfortran *g, uint32_t rank, struct err *e)
{
	return __builtin_expect(g->own != NULL, 0) && g->own[rank] ? globals_enter(&g->state, rank, e) : 0;
}

/* Closes the units of the running rank, which exits. */
void gfortran_rank_exits(struct vmpi *v, uint32_t rank);
void gfortran_rank_ended(struct gfortran *g, uint32_t rank);

#endif
