/* The functions of a program of nsimf90 that gfortran's library calls in place of those of the C library. */
#ifndef VMPI_STUBS_FORTRAN_IO_H
#define VMPI_STUBS_FORTRAN_IO_H

struct gfortran_import {
	const char *name; /* of the function; NULL: the end of the list */
	void (*function)(void);
};

extern const struct gfortran_import vmpi_gfortran_imports[] __attribute__((visibility("default")));

#endif
