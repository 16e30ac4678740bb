/* Parts that the readers of Chakra's traces share. */
#ifndef PSIM_VMPI_REPLAY_CHAKRA_PARTS_H
#define PSIM_VMPI_REPLAY_CHAKRA_PARTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../../psim/base/vec.h"
#include "../vmpi_config.h"
#include "goal_groups.h"
#include "replay_goal.h"

/* Kinds of nodes: NodeType of et_def.proto. */
enum chakra_type {
	CHAKRA_INVALID,
	CHAKRA_METADATA,
	CHAKRA_MEM_LOAD,
	CHAKRA_MEM_STORE,
	CHAKRA_COMP,
	CHAKRA_SEND,
	CHAKRA_RECV,
	CHAKRA_COLL,
	CHAKRA_TYPES,
};

/* The CPUs of a rank's graph (enum goal_type's operations): HardwareResource.cc of ASTRA-sim has the first three. */
enum chakra_place { CHAKRA_CPU, CHAKRA_GPU, CHAKRA_STREAM, CHAKRA_MEMORY, CHAKRA_OTHER };

enum { CHAKRA_TEXT_MAX = 200, CHAKRA_DIMS_MAX = 16 };

/* An attribute with a whole number, which a node may lack. */
struct chakra_number {
	bool given;
	int64_t value;
};

/* Bytes of a message. */
struct chakra_bytes vec_of(unsigned char);

/* A node as its reader leaves it. */
struct chakra_node {
	uint64_t id;
	int64_t type;
	uint64_t micros; /* that it took in the recorded run */
	struct chakra_number is_cpu_op, num_ops, tensor_size, comm_type, comm_size, comm_src, comm_dst, comm_tag, root;
	char group[CHAKRA_TEXT_MAX]; /* of ranks; "": none is named */
	unsigned dims;               /* of involved_dim */
	uint32_t involved;           /* a bit for each of them */
	struct vec_of(uint64_t) data_deps, ctrl_deps;
	struct vec_of(char) values; /* of its inputs, with an end: process groups of a METADATA_NODE */
};

/* A name of a group in a rank's file. */
struct chakra_name {
	char text[CHAKRA_TEXT_MAX];
	uint32_t group;
};

/* A dependency, until all nodes of a file are known. */
struct chakra_dep {
	uint64_t from; /* a node's id */
	uint32_t to;   /* number in the order of the file */
	bool control;
};

struct chakra {
	const struct vmpi_config *cfg;
	struct goal *goal;
	struct err *e;
	char *path;    /* of the present file */
	uint32_t rank; /* whose it is */
	bool in_node;  /* messages name the node */
	struct chakra_node node;
	unsigned dims; /* of chakra.dims */
	uint32_t dim[CHAKRA_DIMS_MAX];
	struct vec_of(struct goal_op) ops;    /* of the file, in its order */
	struct vec_of(struct goal_op) sorted; /* by id */
	struct vec_of(struct chakra_id) ids;
	struct vec_of(struct chakra_dep) deps;
	struct vec_of(struct goal_edge) edges;
	struct vec_of(struct chakra_name) names;  /* of groups, of this file */
	struct vec_of(struct chakra_name) common; /* of chakra.groups */
};

/* A node's id, and its number in the order of the file. */
struct chakra_id {
	uint64_t id;
	uint32_t number;
};

/* Fails at the present node: "FILE:node ID: …". Returns -1. */
__attribute__((format(printf, 2, 3))) int chakra_wrong(const struct chakra *c, const char *format, ...);

/* Empties the present node for the next one. */
void chakra_begin_node(struct chakra *c);
/* Sets an attribute of the present node; attributes that no rule reads are skipped. 0, or -1 with the error. */
int chakra_set_whole(struct chakra *c, const char *name, int64_t value);
int chakra_set_text(struct chakra *c, const char *name, const char *text, size_t length);
int chakra_set_involved(struct chakra *c, bool involved);
/* Returns whether an attribute is one that chakra_set_whole keeps. */
bool chakra_keeps(const char *name);
/* Keeps the text of the node's inputs. */
int chakra_set_values(struct chakra *c, const char *text, size_t length);
/* The present node is complete: adds it to the rank's graph. */
int chakra_end_node(struct chakra *c);

/* Name of a group, and its ranks: the file's later nodes may use it. `common`: those of all files may. */
int chakra_name_group(struct chakra *c, const char *name, const uint32_t *members, uint32_t count, bool common);

/* Read all nodes of the file, of which the first character is not read yet. */
int chakra_read_json(struct chakra *c, FILE *file);
int chakra_read_protobuf(struct chakra *c, FILE *file);
/* Reads the process groups in `values` of the present node, and those of chakra.groups. */
int chakra_read_process_groups(struct chakra *c);
int chakra_read_groups(struct chakra *c, const char *path);

/* The group of the present node, a collective operation. -1 with the error. */
int64_t chakra_group(struct chakra *c);
/* That of the ranks that differ from the present one in the dimensions of a mask only. */
int64_t chakra_group_of_dims(struct chakra *c, uint32_t mask);
/* Reads chakra.dims, whose product is the number of ranks. */
int chakra_read_dims(struct chakra *c);

/* All nodes of the file are read: its rank's graph, without cycles. */
int chakra_end_rank(struct chakra *c);

#endif
