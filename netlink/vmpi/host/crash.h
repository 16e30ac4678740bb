/*
 * Crashes of ranks: while ranks run, SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT end the run instead of the process,
 * and report the rank, the call or place, and the address. Only one run of a process can be watched at a time. A
 * second SIGINT, SIGTERM or SIGHUP ends a rank that makes no calls, if these signals have handlers (which get the
 * first one).
 */
#ifndef PSIM_VMPI_CRASH_H
#define PSIM_VMPI_CRASH_H

struct vmpi;

/* Called once a run: if a library that a rank uses calls exit, the run ends instead of the process. */
void crash_watch_exit(void);
void crash_watch(struct vmpi *v);
void crash_unwatch(struct vmpi *v);

#endif
