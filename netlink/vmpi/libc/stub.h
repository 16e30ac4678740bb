/*
 * Functions of the C library that keep something from one call to the next. What they keep lies among the program's
 * variables, which are each rank's own. A file of the archive for each group of them, so that a program has the
 * variables of what it calls, and no others.
 */
#ifndef VMPI_LIBC_STUB_H
#define VMPI_LIBC_STUB_H

#include <stddef.h>

#define WEAK __attribute__((weak)) /* a program may bring its own */

#endif
