/*
 * Archives of OTF2, the Open Trace Format of Score-P, read through its library: the events of each rank become events
 * of ours (replay.c). Locations are read while their ranks run. Without the library there is an error alone
 * (otf2_none.c).
 */
#ifndef PSIM_VMPI_OTF2_ARCHIVE_H
#define PSIM_VMPI_OTF2_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../psim/base/err.h"

struct vmpi;
struct archive;

/* The attribute of events with nsim's own form of them, a string. */
#define ARCHIVE_OWN_NAME "psim event"

/* Each rank has a file open: raises the limit of open files to what the system lets it be. */
void archive_raise_file_limit(void);

/* Opens an archive by its anchor file, and reads its definitions. NULL with `e`. */
struct archive *archive_open(const char *path, struct err *e);
void archive_close(struct archive *a); /* accepts NULL */
uint32_t archive_ranks(const struct archive *a);

/*
 * Writes the rank's next event as a line of ours, without the rank, to `out`: 1; 0 at the end; -1 with `e`. *number is
 * its place among those that were read of the rank.
 */
int archive_next(struct archive *a, uint32_t rank, char *out, size_t size, uint32_t *number, struct err *e);

/* Events that were read of all ranks, of all kinds, and all. */
void archive_taken(const struct archive *a, uint64_t *read, uint64_t *all);

/* Makes the communicators of the archive, once. 0, or -1 with `e`. */
int archive_make_comms(struct archive *a, struct vmpi *v, struct err *e);
/* The handle of `comm=` in a line of archive_next. */
int archive_comm(const struct archive *a, long long id);

#endif
