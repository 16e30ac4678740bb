/*
 * Writes a pattern file (docs/formats/traffic.md) during a program's run: the sends, receives and waits of its
 * ranks, with the time between them. A replay of the file makes the same traffic; decisions that a rank
 * based on messages or times are fixed in it.
 */
#ifndef PSIM_NETLINK_PATTERN_WRITER_H
#define PSIM_NETLINK_PATTERN_WRITER_H

#include <stdint.h>
#include <stdio.h>

#include "../../psim/base/err.h"

struct pattern_writer;

/* Writes the head of the file to `out`, which is borrowed. NULL and `e` if memory is short. */
struct pattern_writer *pattern_writer_create(FILE *out, uint32_t ranks, struct err *e);
void pattern_writer_destroy(struct pattern_writer *w); /* NULL is allowed */

/*
 * Writes that `rank` sends to `peer`, without waiting.
 * `nic`: NET_NIC_ANY or a number. Times are in ps and do not decrease for a rank.
 */
void pattern_writer_send(struct pattern_writer *w, uint32_t rank, int64_t time, uint32_t peer, uint64_t bytes,
			 int32_t nic, int64_t gap);

/* Writes that it receives a message of `peer` that has arrived, whether or not it waited. */
void pattern_writer_receive(struct pattern_writer *w, uint32_t rank, int64_t time, uint32_t peer);

/* Writes that all its sends are complete. */
void pattern_writer_sent(struct pattern_writer *w, uint32_t rank, int64_t time);

/* Excludes a wait from the pauses: the entry that follows at `to` is its cause. */
void pattern_writer_waited(struct pattern_writer *w, uint32_t rank, int64_t from, int64_t to);

/* Writes the end of the rank, with the last pause. */
void pattern_writer_end(struct pattern_writer *w, uint32_t rank, int64_t time);

#endif
