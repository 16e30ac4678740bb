/* An OTF2 archive that is being written: otf2_write.c has its definitions, otf2_write_events.c its events. */
#ifndef PSIM_VMPI_OTF2_WRITE_PARTS_H
#define PSIM_VMPI_OTF2_WRITE_PARTS_H

#include <otf2/otf2.h>

#include "../../../psim/base/vec.h"
#include "../message/message.h"
#include "otf2_archive.h"
#include "otf2_write.h"

/* The operation of a number of a rank's requests; ARCHIVED_NONE has no events. */
enum archived_kind { ARCHIVED_NONE, ARCHIVED_SEND, ARCHIVED_RECV, ARCHIVED_COLLECTIVE, ARCHIVED_WINDOW };
struct written_request {
	uint32_t handle; /* in the run */
	uint8_t kind, op;
	uint32_t comm, root; /* in the archive; of a window's operation: window, - */
	uint64_t id, sent, received;
	OTF2_StringRef text;
};
struct writer_rank {
	OTF2_EvtWriter *events;
	int64_t last; /* ps: end of the last call that was written */
	uint64_t ids; /* of requests and operations so far */
	uint64_t ended;
	uint32_t place;                                 /* the node of the system tree */
	struct vec_of(struct written_request) requests; /* by number */
	struct vec_of(uint32_t) comms, windows;         /* in the archive, by number from 1 */
};
/* The last string of its hash. */
struct writer_string {
	char *text;
	OTF2_StringRef ref;
};
enum { STRINGS_KEPT = 4096 };
/* By number in the run: 1 + the number in the archive; 0: none yet. */
struct writer_numbers {
	struct vec_of(uint32_t) known;
	uint32_t made;
};
/* A communicator, a window: in the order of numbers in the archive. */
struct writer_comm {
	uint64_t key;
	struct group *group; /* held; NULL: each rank's own one */
	OTF2_StringRef name;
};
struct writer_window {
	uint64_t key;
	OTF2_CommRef comm;
	OTF2_StringRef name;
};

struct archive_writer {
	char *name, *folder; /* the archive's name, and the absolute folder that gets it at the end; NULL: not made */
	OTF2_Archive *archive;
	OTF2_GlobalDefWriter *global;
	OTF2_AttributeList *attributes;
	uint32_t ranks, strings;
	uint64_t hash;  /* of all calls */
	int64_t latest; /* ps */
	struct writer_rank *rank;
	struct writer_numbers regions, nodes;
	struct vec_of(struct writer_comm) comm;
	struct vec_of(struct writer_window) window;
	struct writer_string kept[STRINGS_KEPT];
	bool failed; /* an event or a definition could not be written */
	char complaint[200];
};

/* OTF2's call must have succeeded. */
static inline void writer_check(struct archive_writer *w, OTF2_ErrorCode code)
{
	w->failed = w->failed || code != OTF2_SUCCESS;
}

/* Numbers of definitions; each is made at its first use. */
OTF2_StringRef writer_string(struct archive_writer *w, const char *text);
OTF2_RegionRef writer_region(struct archive_writer *w, const char *name, uint32_t call);
/* Those of the communicator or window with this key; a new communicator is that of `group`. */
OTF2_CommRef writer_comm(struct archive_writer *w, uint64_t key, struct group *group);
OTF2_RmaWinRef writer_window(struct archive_writer *w, uint64_t key, OTF2_CommRef comm);

/* Communicators that all archives begin with. */
enum { WRITER_WORLD, WRITER_SELF };

/* The region of computation, and the attribute of events with nsim's own form of them. */
#define WRITER_COMPUTATION 0
#define WRITER_ATTRIBUTE 0

#endif
