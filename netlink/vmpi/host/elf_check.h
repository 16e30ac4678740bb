/* Checks an ELF file before the loader maps it: a truncated file would end the process by a signal. */
#ifndef PSIM_VMPI_ELF_CHECK_H
#define PSIM_VMPI_ELF_CHECK_H

#include "../../../psim/base/err.h"

/*
 * Checks that the file is a shared object for this machine and contains all bytes that its headers refer to. 0, or -1
 * with `e`.
 */
int elf_check(const char *path, struct err *e);

#endif
