/*
 * Files (MPI 3.1, 13): on the host's file system, with the time of a shared one. Operations take place in order of
 * virtual time. Each reaches the servers after a latency and is cut into stripes, which go to the servers in turn; a
 * server, and the link of the rank's node to all of them, carry out one operation after another ([files]).
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

struct mpi_file {
	VMPI_Comm comm; /* of the file alone */
	uint32_t size, users;
	int descriptor; /* -1: not open */
	int failed;     /* errno of the latest operation that one rank did for all; 0: none */
	int amode;
	bool atomic;
	char *path;
	int64_t shared;         /* shared pointer, in etypes */
	struct file_part *part; /* by local rank */
};

struct files {
	struct mpi_file **at; /* by handle; NULL: closed */
	int count, room;
	int64_t *server, *client; /* ps: when a server, or the link of a node, is free */
	int64_t *load;            /* bytes of an operation on each server */
};

/* Accepts NULL. */
void files_destroy(struct files *f);

/* NULL: unknown handle. */
static inline struct mpi_file *file_find(const struct vmpi *v, int handle)
{
	return v->files && handle > 0 && handle < v->files->count ? v->files->at[handle] : NULL;
}

/* The file of a communicator of its own: its handle, made by the first rank that requests it. 0 with v->err. */
int file_of_comm(struct vmpi *v, VMPI_Comm comm);
/* The running rank gives it up. The last one closes it; returns 0 or errno. */
int file_release(struct vmpi *v, int handle);

/* Opens a file for all ranks: 0 or errno. Only regular files are opened. */
int file_open(struct mpi_file *f, const char *path, int amode);

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

/* Time of an operation that moves no data and begins now. */
int64_t file_done(const struct vmpi *v);

#endif
