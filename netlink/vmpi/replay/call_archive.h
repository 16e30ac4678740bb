/* The calls of a recording that go to an OTF2 archive: what each rank's call under way has, until it ends. */
#ifndef PSIM_VMPI_CALL_ARCHIVE_H
#define PSIM_VMPI_CALL_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../../psim/base/err.h"

struct vmpi;
struct group;
struct request;
struct call_archive;

/* Begins an archive in `folder`; of several processes the first one writes it. NULL with `e`. */
struct call_archive *call_archive_create(struct vmpi *v, const char *folder, struct err *e);

/* The rank's call under way has this line, without the rank. 0, or -1 with v->err. */
int call_archive_line(struct call_archive *a, uint32_t rank, const char *line);
/* It has begun this request. */
void call_archive_request(struct call_archive *a, uint32_t rank, uint32_t request);
/* It has made a communicator of this group, or a window (NULL); the key is the same in all processes. */
void call_archive_made(struct call_archive *a, uint32_t rank, uint64_t key, struct group *group);
/* The running rank's call has received a message. 0, or -1 with v->err. */
int call_archive_received(struct call_archive *a, uint32_t request, const struct request *q);
/* The running rank's call, which began at `from`, has ended. 0, or -1 with v->err. */
int call_archive_done(struct call_archive *a, int64_t from);

/* The first one of several processes writes the call of any of them; calls come in the order of turns. */
void call_archive_pass(struct call_archive *a, const void *record);

/* The rank has ended. */
void call_archive_ended(struct call_archive *a, uint32_t rank, int64_t time);
/* Completes the archive, or removes what was written (not `keep`), and frees `a`. 0, or -1 with `e`. */
int call_archive_finish(struct call_archive *a, bool keep, struct err *e);

#endif
