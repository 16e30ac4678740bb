/* Checks an ELF file before the loader maps it: a truncated file would end the process by a signal. */
#ifndef PSIM_VMPI_ELF_CHECK_H
#define PSIM_VMPI_ELF_CHECK_H

#include "../../../psim/base/err.h"

/* Is it a shared object for this machine that contains all bytes its headers refer to? 0, or -1 with `e`. */
int elf_check(const char *path, struct err *e);

#endif
