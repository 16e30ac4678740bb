/*
 * System calls: one function for each row of syscall.def, in sys_*.c.
 *
 * A function gets the six arguments and returns the result, or a negated errno of the host,
 * which guest_syscall translates to SPARC's.
 */
#ifndef PSIM_RECORD_SYSCALL_H
#define PSIM_RECORD_SYSCALL_H

#include <sys/stat.h>

#include "guest.h"

#define Y(number, name) int64_t sys_##name(struct guest *g, const uint64_t *a);
#include "syscall.def"
#undef Y

/* Warns once, with the reason, that the present call is not supported; returns -ENOSYS. */
int64_t guest_no_call(struct guest *g, const char *why);

/* Nanoseconds from now to `ns` on the guest's calendar; 0 if it has passed. */
uint64_t guest_until(const struct guest *g, uint64_t ns);

/* SPARC's number of a host errno. */
int sparc_errno(int host);

/* The host's number of a SPARC signal (SIGKILL if it has none). */
int host_signal(int sparc);

/* Name of a SPARC signal without SIG ("SEGV"), or "?". */
const char *sparc_signal_name(int sparc);

/* A big-endian structure under construction. */
struct packer {
	uint8_t bytes[256];
	unsigned size;
};
void pack16(struct packer *p, uint16_t value);
void pack32(struct packer *p, uint32_t value);
void pack64(struct packer *p, uint64_t value);
void pack_zero(struct packer *p, unsigned count);

/* Writes the packed structure to the guest; returns 0 or -EFAULT. */
int64_t packer_store(const struct packer *p, struct guest *g, uint64_t address);

/* Host descriptor of a guest's descriptor, or -1. */
int guest_fd(const struct guest *g, uint64_t fd);

/*
 * As fstat, but standard output and error are a pipe wherever they lead: C libraries choose buffers by it, and the
 * trace would depend on where the output goes.
 */
int guest_fstat(int fd, struct stat *s);

#endif
