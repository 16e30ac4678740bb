/*
 * Files (MPI 3.1, 13): on the host's file system, with the time of a shared one. Operations take place in order of
 * virtual time. Each reaches the servers after a latency and is cut into stripes, which go to the servers in turn; a
 * server, and the link of the rank's node to all of them, carry out one operation after another ([files]).
 *
 * Several processes that have the ranks open a file each. What its ranks share is copied from the process in which it
 * changes, which a rank has called rank_in_order for, to the others (remote_file.c).
 */
#ifndef PSIM_VMPI_FILE_H
#define PSIM_VMPI_FILE_H

#include "../objects/file_view.h"
#include "message.h"

enum file_pointer { FILE_EXPLICIT, FILE_OWN, FILE_SHARED, FILE_ORDERED };

/* A split collective operation between its begin and its end. */
struct file_split {
	enum call_id end; /* CALL_NONE: there is none */
	uint64_t bytes;
	int64_t done; /* ps */
};

/* A rank's part of an open file. */
struct file_part {
	struct file_view view;
	int64_t position; /* in etypes */
	int errhandler;
	bool set; /* the rank has opened it */
	int hints;
	struct file_split split;
	int64_t ordered; /* etypes of its part of an ordered operation */
};

/* State that all ranks of a file share. */
struct file_shared {
	uint64_t key;    /* of the file's communicator */
	int64_t pointer; /* in etypes */
	uint32_t users;  /* ranks that have not released it */
	int32_t failed;  /* errno of the latest operation that one rank did for all; 0: none */
	int32_t amode;
	bool opened;  /* by its first rank, unless it has failed */
	bool closing; /* all have opened it, and one has released it */
};

struct mpi_file {
	VMPI_Comm comm;       /* of the file alone */
	uint32_t size, users; /* ranks; users: those here that have not released it */
	struct file_shared shared;
	bool changed;     /* `shared`, since it was sent to other processes */
	uint64_t readers; /* a bit for each other process that has ranks of it */
	int descriptor;   /* -1: not open */
	bool atomic;
	char *path;
	struct file_part *part; /* by local rank */
};

struct files {
	struct mpi_file **at; /* by handle; NULL: closed */
	int count, room;
	int64_t *server, *client;                /* ps: when a server, or the link of a node, is free */
	int64_t *load;                           /* bytes of an operation on each server */
	bool changed, served;                    /* a file, the servers: since they were sent to other processes */
	struct vec_of(struct file_shared) early; /* of files that no rank here has opened yet */
};

/* Accepts NULL. */
void files_destroy(struct files *f);

/* NULL: unknown handle. */
static inline struct mpi_file *file_find(const struct vmpi *v, int handle)
{
	return v->msg.files && handle > 0 && handle < v->msg.files->count ? v->msg.files->at[handle] : NULL;
}

/* The file of a communicator of its own: its handle, made by the first rank that requests it. 0 with v->err. */
int file_of_comm(struct vmpi *v, VMPI_Comm comm);
/* The running rank gives it up. The last one closes it; returns 0 or errno. */
int file_release(struct vmpi *v, int handle);

/*
 * Opens a file for all ranks, or, if another process has done so, for those here. Sets `shared.failed` to 0 or errno.
 * Only regular files are opened.
 */
void file_open(struct vmpi *v, struct mpi_file *f, const char *path, int amode);

/* The table, made on first use. NULL with v->err. */
struct files *files_get(struct vmpi *v);

/* One operation on a file's data. */
struct file_transfer {
	bool write;
	int64_t at, bytes; /* of the view's stream */
	char *data;        /* NULL: only time passes */
	int64_t moved;     /* bytes; less than `bytes` at the end of the file */
	int error;         /* errno, -1: a place out of range, 0: none */
	int64_t done;      /* ps */
};

/* Carries it out at the running rank's clock, after all other ranks have caught up. */
void file_transfer(struct vmpi *v, const struct mpi_file *f, const struct file_view *view, struct file_transfer *t);

/* Notes that the shared state of the file has changed. */
static inline void file_changed(const struct vmpi *v, struct mpi_file *f)
{
	f->changed = v->msg.files->changed = true;
}

/* Time of an operation that moves no data and begins now. */
int64_t file_done(const struct vmpi *v);

/* ---- remote_file.c ---- */

/* The file is new here: takes what others have sent of it. */
void remote_file_made(struct vmpi *v, struct mpi_file *f);
/* Sends its shared state to the others, if it has changed: it is about to be freed. */
void remote_file_send(struct vmpi *v, struct mpi_file *f);
/* Sends them a rank's part of an ordered operation. */
void remote_file_ordered(struct vmpi *v, const struct mpi_file *f, uint32_t local);

#endif
