/*
 * The representation external32 (MPI 3.1, 13.5.2): big-endian, with sizes that are the same on all machines.
 */
#ifndef PSIM_VMPI_EXTERNAL32_H
#define PSIM_VMPI_EXTERNAL32_H

#include <stdint.h>

struct type;

/* Bytes of one element of the type. */
int64_t external32_size(const struct type *t);
/* Converts `count` elements between a buffer and `packed`, which has room for count * external32_size bytes. */
void external32_pack(const struct type *t, int64_t count, const void *buffer, char *packed);
void external32_unpack(const struct type *t, int64_t count, void *buffer, const char *packed);

#endif
