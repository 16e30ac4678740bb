/*
 * A fence around the whole recorder, for programs that are not trusted: if the interpreter has a fault and the guest
 * runs code on the host, the kernel still lets it do little. Landlock limits files, seccomp the system calls.
 */
#ifndef PSIM_RECORD_SANDBOX_H
#define PSIM_RECORD_SANDBOX_H

#include "../../psim/base/err.h"

/*
 * Shuts this process in, for good. From then on it reads only `program`, files below the working folder, and what is
 * open; it writes, creates and removes files only below the folders of `outputs` (NULL or "-": none), `count` of them;
 * it runs no program, has no network, makes no code executable and sends signals to itself alone. 0, or -1 with
 * STATUS_FAILED where the kernel or the processor cannot do it: nothing is shut in then that could be relied on.
 */
int sandbox_enter(const char *program, const char *const *outputs, unsigned count, struct err *e);

#endif
