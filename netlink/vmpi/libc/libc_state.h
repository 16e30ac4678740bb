/*
 * Functions of the C library that keep state from one call to the next. The linker puts them into the program, so
 * their state is among the program's variables, which are private to each rank. Each group of functions is a file of
 * the archive: a program gets the state of the functions that it calls, and no other.
 */
#ifndef VMPI_LIBC_KEPT_H
#define VMPI_LIBC_KEPT_H

#include <stddef.h>

#define WEAK __attribute__((weak)) /* a program may define its own */

/* The functions that messages name: rows of ../api/thread_calls.def. */
enum thread_call {
#define THREAD(name) THREAD_##name,
#include "../api/thread_calls.def"
#undef THREAD
};

/*
 * Finds the host's function of this name, and sets the pointer to which `function` points. System calls in its place
 * would bring the threads of a rank (posix_futex.c) into every program.
 */
void host_function(const char *name, void *function);

#endif
