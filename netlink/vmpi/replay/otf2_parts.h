/* An OTF2 archive, for the files that read it: otf2_archive.c definitions, otf2_events.c events, otf2_lines.c lines. */
#ifndef PSIM_VMPI_OTF2_PARTS_H
#define PSIM_VMPI_OTF2_PARTS_H

#include <otf2/otf2.h>

#include "../../../psim/base/vec.h"
#include "otf2_archive.h"

struct archive_location {
	uint64_t id, events;
};
struct archive_group {
	OTF2_GroupRef ref;
	bool self;
	uint32_t size, *world; /* ranks; NULL: none */
};
struct archive_comm_def {
	OTF2_CommRef ref;
	uint32_t group; /* index */
	bool self;
	bool world;      /* the first one of all ranks in their order */
	uint32_t size;   /* ranks */
	uint32_t *local; /* rank in it by rank; NULL: the same; UINT32_MAX: not in it */
	int handle;
};

struct archive_string {
	OTF2_StringRef ref;
	char *text;
};
/* A region of MPI: sends in it have this mode (enum send_mode). */
struct archive_region {
	OTF2_RegionRef ref;
	OTF2_StringRef name;
	uint8_t mode;
};
struct archive_window {
	OTF2_RmaWinRef ref;
	OTF2_CommRef comm;
};

enum archive_kind {
	ARCHIVE_SEND,
	ARCHIVE_RECV,
	ARCHIVE_COLLECTIVE,
	ARCHIVE_WINDOW,
	ARCHIVE_PROBE,
	ARCHIVE_WAIT,
	ARCHIVE_END,
	ARCHIVE_DROPPED
};

/* An event that its rank has not reached. */
struct archive_event {
	int64_t gap; /* ps of computation before it */
	uint64_t sent, received;
	uint32_t number, peer, comm, tag, slot; /* comm: of a window, when that is made */
	uint32_t window;
	const char *own; /* nsim's own form of the event; NULL: none */
	uint8_t kind, op, mode;
	bool begins; /* a request, which is `slot` */
	bool open;   /* its parameters are in an event that was not read yet, that of its end */
	bool joined; /* a wait or a receive together with the wait or the send before it */
};
struct archive_request {
	bool used;
	uint64_t id, event; /* event: number of all that were queued before that of its begin */
};
struct archive_rank {
	struct archive *archive;
	OTF2_EvtReader *reader;
	uint32_t rank;
	struct vec_of(struct archive_event) queue; /* from `first` on */
	size_t first;
	uint64_t dropped; /* that were in the queue before its start */
	struct vec_of(struct archive_request) requests;
	uint32_t count;          /* events whose kind is read */
	uint64_t read, expected; /* events of all kinds; as the definitions say */
	uint32_t depth;          /* of MPI's regions */
	bool collective;         /* within one without a region */
	bool begun, ended, together;
	uint8_t mode;         /* of sends in the present region */
	bool exchange;        /* the last event is a blocking send in the present region */
	uint64_t zero, now;   /* ticks: of the first event, of the latest */
	int64_t last_ps, gap; /* of the end of the last call; computation so far behind it */
};
struct archive {
	char *path;
	OTF2_Reader *reader;
	OTF2_EvtReaderCallbacks *callbacks;
	uint64_t resolution; /* ticks/s; 0: unknown */
	uint32_t ranks;
	uint64_t *location; /* by rank */
	struct archive_rank *rank;
	struct vec_of(struct archive_string) strings;     /* sorted by ref */
	struct vec_of(struct archive_region) mpi_regions; /* likewise */
	struct vec_of(struct archive_window) windows;
	bool has_own; /* events have the attribute of nsim's own form, which is `own` */
	OTF2_AttributeRef own;
	OTF2_StringRef own_name;
	struct vec_of(struct archive_location) locations; /* sorted by id */
	struct vec_of(struct archive_group) groups;
	struct vec_of(struct archive_comm_def) comms; /* sorted by ref */
	bool comms_made;
	char complaint[200]; /* the library's first; "": none */
	struct err failure;  /* of ours within a callback of the library; no text: none */
};

/* Fails with what the library or a callback said. Returns -1. */
int archive_failed(struct archive *a, const char *what, struct err *e);

/* Finds a string; NULL: it is not defined. */
const char *archive_string(const struct archive *a, OTF2_StringRef ref);

/* Sets the callbacks of events; false if memory is short. */
bool archive_set_callbacks(struct archive *a);

/* Reads some events of the rank into its queue; sets `ended`. 0, or -1 with `e`. */
int archive_read(struct archive_rank *r, struct err *e);

#endif
