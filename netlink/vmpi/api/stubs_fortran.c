/*
 * Linked into Fortran programs: the module bsim (bsim.f90), and what gfortran's library does at the end of a
 * program or at a mistake. It would end the process; here it ends the rank.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "gate.h"
#include "stubs_fortran.h"

/* Aligned as gfortran aligns the common blocks of the same names. */
_Alignas(16) int vmpi_f_bottom_, vmpi_f_in_place_, vmpi_f_status_ignore_[6], vmpi_f_statuses_ignore_[6];
_Alignas(16) int vmpi_f_unweighted_[1], vmpi_f_weights_empty_[1];

/* The modules mpi_f08 and lmpi have the same variables by names of their own: a file may use any of the modules. */
#define ALSO(name) \
	extern __typeof__(vmpi_f_##name##_) vmpi_f08_##name##_ __attribute__((alias("vmpi_f_" #name "_"))); \
	extern __typeof__(vmpi_f_##name##_) vmpi_fl_##name##_ __attribute__((alias("vmpi_f_" #name "_")))
ALSO(bottom);
ALSO(in_place);
ALSO(status_ignore);
ALSO(statuses_ignore);
ALSO(unweighted);
ALSO(weights_empty);
#undef ALSO

/* ---- module bsim ---- */

/*
 * How bind(C) passes strings of any length and arrays of any shape: the beginning of CFI_cdesc_t in gfortran's
 * ISO_Fortran_binding.h (Fortran 2018, 18.5.3), which is not there where only C is installed.
 */
struct descriptor {
	void *base;
	size_t length; /* of an element */
	int version;
	int8_t rank, attribute;
	int16_t type;
	struct {
		ptrdiff_t first, extent, stride; /* stride in bytes */
	} dim[1];
};

enum { NAME_CHARS = 128, ARGUMENTS_MAX = 16 };

static const char *stubs_fortran_name_of(const struct descriptor *d, char name[NAME_CHARS])
{
	text_in(d->base, d->length, name, NAME_CHARS);
	return name;
}

/* The numbers of an array in a row; more than a model can take are counted all the same. */
static int arguments_of(const struct descriptor *d, double values[ARGUMENTS_MAX])
{
	for (ptrdiff_t i = 0; i < d->dim[0].extent && i < ARGUMENTS_MAX; i++)
		values[i] = *(const double *)((const char *)d->base + i * d->dim[0].stride);
	return (int)d->dim[0].extent;
}

void bsim_f_add_time(double seconds)
{
	vmpi_gate.where = __builtin_return_address(0);
	vmpi_gate.calls->BSIM_Add_time(vmpi_gate.v, seconds);
}

double bsim_f_time(const struct descriptor *model, const struct descriptor *arguments)
{
	char name[NAME_CHARS];
	double values[ARGUMENTS_MAX];

	vmpi_gate.where = __builtin_return_address(0);
	return vmpi_gate.calls->BSIM_Time(vmpi_gate.v, stubs_fortran_name_of(model, name),
					  arguments_of(arguments, values), values);
}

void bsim_f_add_model(const struct descriptor *model, const struct descriptor *arguments)
{
	char name[NAME_CHARS];
	double values[ARGUMENTS_MAX];

	vmpi_gate.where = __builtin_return_address(0);
	vmpi_gate.calls->BSIM_Add_model(vmpi_gate.v, stubs_fortran_name_of(model, name),
					arguments_of(arguments, values), values);
}

void bsim_f_flops(double count)
{
	vmpi_gate.where = __builtin_return_address(0);
	vmpi_gate.calls->BSIM_Flops(vmpi_gate.v, count);
}

void bsim_f_checkpoint(void)
{
	vmpi_gate.where = __builtin_return_address(0);
	vmpi_gate.calls->BSIM_Checkpoint(vmpi_gate.v);
}

void bsim_f_phase(const struct descriptor *phase)
{
	char name[NAME_CHARS];

	vmpi_gate.where = __builtin_return_address(0);
	vmpi_gate.calls->BSIM_Phase(vmpi_gate.v, stubs_fortran_name_of(phase, name));
}

double bsim_f_parameter(const struct descriptor *parameter, double otherwise)
{
	char name[NAME_CHARS];

	vmpi_gate.where = __builtin_return_address(0);
	return vmpi_gate.calls->BSIM_Parameter(vmpi_gate.v, stubs_fortran_name_of(parameter, name), otherwise);
}

bool bsim_f_has_model(const struct descriptor *model)
{
	char name[NAME_CHARS];

	vmpi_gate.where = __builtin_return_address(0);
	return vmpi_gate.calls->BSIM_Has_model(vmpi_gate.v, stubs_fortran_name_of(model, name));
}

/*
 * ---- the same without the module, as programs with mpif.h alone call them ----
 *
 * Everything is by reference, and the lengths of strings come last; an array has no shape, so its count precedes it, as
 * in bsim.h.
 */

void bsim_add_time_(const double *seconds)
{
	vmpi_gate.where = __builtin_return_address(0);
	vmpi_gate.calls->BSIM_Add_time(vmpi_gate.v, *seconds);
}

double bsim_time_(const char *model, const int *count, const double *arguments, size_t length)
{
	char name[NAME_CHARS];

	text_in(model, length, name, NAME_CHARS);
	vmpi_gate.where = __builtin_return_address(0);
	return vmpi_gate.calls->BSIM_Time(vmpi_gate.v, name, *count, arguments);
}

void bsim_add_model_(const char *model, const int *count, const double *arguments, size_t length)
{
	char name[NAME_CHARS];

	text_in(model, length, name, NAME_CHARS);
	vmpi_gate.where = __builtin_return_address(0);
	vmpi_gate.calls->BSIM_Add_model(vmpi_gate.v, name, *count, arguments);
}

void bsim_flops_(const double *count)
{
	vmpi_gate.where = __builtin_return_address(0);
	vmpi_gate.calls->BSIM_Flops(vmpi_gate.v, *count);
}

void bsim_checkpoint_(void)
{
	vmpi_gate.where = __builtin_return_address(0);
	vmpi_gate.calls->BSIM_Checkpoint(vmpi_gate.v);
}

void bsim_phase_(const char *phase, size_t length)
{
	char name[NAME_CHARS];

	text_in(phase, length, name, NAME_CHARS);
	vmpi_gate.where = __builtin_return_address(0);
	vmpi_gate.calls->BSIM_Phase(vmpi_gate.v, name);
}

double bsim_parameter_(const char *parameter, const double *otherwise, size_t length)
{
	char name[NAME_CHARS];

	text_in(parameter, length, name, NAME_CHARS);
	vmpi_gate.where = __builtin_return_address(0);
	return vmpi_gate.calls->BSIM_Parameter(vmpi_gate.v, name, *otherwise);
}

int bsim_has_model_(const char *model, size_t length)
{
	char name[NAME_CHARS];

	text_in(model, length, name, NAME_CHARS);
	vmpi_gate.where = __builtin_return_address(0);
	return vmpi_gate.calls->BSIM_Has_model(vmpi_gate.v, name);
}

/* ---- MPI_SIZEOF ---- */

/* The length of a string comes behind all arguments, and does not count: the size is that of a character. */
#define SIZE_OF(kind, bytes) \
	void vmpi_sizeof_##kind##_(const struct descriptor *x, int *size, int *ierror) \
	{ \
		(void)x; \
		*size = (bytes); \
		if (ierror) \
			*ierror = MPI_SUCCESS; \
	}
SIZE_OF(i1, 1)
SIZE_OF(i2, 2)
SIZE_OF(i4, 4)
SIZE_OF(i8, 8)
SIZE_OF(r4, 4)
SIZE_OF(r8, 8)
SIZE_OF(c4, 8)
SIZE_OF(c8, 16)
SIZE_OF(ch, 1)
SIZE_OF(l4, 4)
#undef SIZE_OF

/* ---- libgfortran's ends of a program (libgfortran/runtime/stop.c, error.c) ---- */

__attribute__((noreturn)) static void stop(const char *word, const char *text, size_t length, bool quiet, int status)
{
	if (text && !quiet)
		fprintf(stderr, "%s %.*s\n", word, (int)length, text);
	exit(status);
}

__attribute__((noreturn)) void _gfortran_stop_numeric(int code, bool quiet)
{
	(void)quiet;
	exit(code);
}

__attribute__((noreturn)) void _gfortran_stop_string(const char *text, size_t length, bool quiet)
{
	stop("STOP", text, length, quiet, 0);
}

__attribute__((noreturn)) void _gfortran_error_stop_numeric(int code, bool quiet)
{
	(void)quiet;
	exit(code);
}

__attribute__((noreturn)) void _gfortran_error_stop_string(const char *text, size_t length, bool quiet)
{
	stop("ERROR STOP", text, length, quiet, 1);
}

__attribute__((noreturn)) void _gfortran_exit_i4(const int *status)
{
	exit(status ? *status : 0);
}

__attribute__((noreturn, format(printf, 1, 0))) static void mistake(const char *format, va_list ap)
{
	fputs("Fortran runtime error: ", stderr);
	vfprintf(stderr, format, ap);
	fputc('\n', stderr);
	abort();
}

__attribute__((noreturn, format(printf, 1, 2))) void _gfortran_runtime_error(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	mistake(format, ap);
}

__attribute__((noreturn, format(printf, 2, 3))) void _gfortran_runtime_error_at(const char *where, const char *format,
										...)
{
	va_list ap;

	fprintf(stderr, "%s\n", where);
	va_start(ap, format);
	mistake(format, ap);
}

__attribute__((noreturn, format(printf, 2, 3))) void _gfortran_os_error_at(const char *where, const char *format, ...)
{
	va_list ap;

	fprintf(stderr, "%s\n", where);
	va_start(ap, format);
	mistake(format, ap);
}
