/* Records of messages, communicators and output: remote.c puts them, remote_take.c takes them. */
#ifndef PSIM_VMPI_REMOTE_RECORDS_H
#define PSIM_VMPI_REMOTE_RECORDS_H

#include "remote.h"

struct message_record {
	struct record record;
	uint64_t comm, bytes; /* key of the communicator; of the message */
	uint64_t serial;
	int64_t began;
	struct origin origin; /* of a task's message */
	uint32_t src, dst, source, row;
	int32_t tag, basic; /* basic: type of all elements, for checks; 0: several */
	bool collective, eager, has_data;
	char data[];
};

struct answer_record {
	struct record record;
	uint32_t row, receiver; /* of the message in either process */
	int64_t began;
	struct origin origin;
	bool late;
};

struct split_record {
	struct record record;
	uint64_t comm;
	uint32_t number, local;
	int32_t color, key;
};

struct edges_record {
	struct record record;
	uint64_t comm;
	uint32_t count, weighted;
	struct graph_edge edges[];
};

struct output_record {
	struct record record;
	struct step_order turn;
	uint32_t bytes, kind;
	char text[];
};

/* Keeps what the ranks have written, with a copy of the text, until its turn. 0, or -1 with `e`. */
int remote_keep_output(struct vmpi *v, struct written w, const char *text, struct err *e);

#endif
