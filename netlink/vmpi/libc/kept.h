/*
 * Functions of the C library that keep state from one call to the next. The linker puts them into the program, so
 * their state is among the program's variables, which are private to each rank. Each group of functions is a file of
 * the archive: a program gets the state of the functions that it calls, and no other.
 */
#ifndef VMPI_LIBC_KEPT_H
#define VMPI_LIBC_KEPT_H

#include <stddef.h>

#define WEAK __attribute__((weak)) /* a program may define its own */

#endif
