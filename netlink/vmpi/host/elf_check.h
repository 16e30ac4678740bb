/* A look at an ELF file before the loader maps it: a part that is missing would end the process by a signal. */
#ifndef PSIM_VMPI_ELF_CHECK_H
#define PSIM_VMPI_ELF_CHECK_H

#include "../../../psim/base/err.h"

/* Is it a shared object of this machine, with all the bytes that its headers speak of? 0, or -1 with `e`. */
int elf_check(const char *path, struct err *e);

#endif
