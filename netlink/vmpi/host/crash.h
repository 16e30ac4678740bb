/*
 * Crashes of ranks: while ranks run, SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT end the run with the rank, the
 * call or place, and the address, instead of the process. One run in a process can be watched at a time. A rank that
 * makes no calls is ended by the second SIGINT, SIGTERM or SIGHUP where these have handlers (the first is theirs).
 */
#ifndef PSIM_VMPI_CRASH_H
#define PSIM_VMPI_CRASH_H

struct vmpi;

/* Once a run: where a library that a rank uses calls exit, the run ends, and not the process. */
void crash_watch_exit(void);
void crash_watch(struct vmpi *v);
void crash_unwatch(struct vmpi *v);

#endif
