/*
 * Crashes of ranks: while ranks run, SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT end the run with the rank, the
 * call or place, and the address, instead of the process. One run in a process can be watched at a time.
 */
#ifndef PSIM_VMPI_CRASH_H
#define PSIM_VMPI_CRASH_H

struct vmpi;

void crash_watch(struct vmpi *v);
void crash_unwatch(struct vmpi *v);

#endif
