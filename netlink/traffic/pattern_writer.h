/*
 * A pattern file (docs/traffic.md) from what ranks do, as they do it: the sends, receives and waits of
 * a program, with the time that passes between them. Replayed, the file makes the same traffic; what a
 * rank decided by what came, and when, is fixed in it.
 */
#ifndef PSIM_NETLINK_PATTERN_WRITER_H
#define PSIM_NETLINK_PATTERN_WRITER_H

#include <stdint.h>
#include <stdio.h>

#include "../../psim/base/err.h"

struct pattern_writer;

/* Writes the beginning of the file to `out`, which is borrowed. NULL and `e` if memory is short. */
struct pattern_writer *pattern_writer_create(FILE *out, uint32_t ranks, struct err *e);
void pattern_writer_destroy(struct pattern_writer *w); /* NULL is allowed */

/*
 * Rank `rank` sends to rank `peer`, without waiting.
 * `nic`: NET_NIC_ANY or a number. Times in ps; a rank's never go back.
 */
void pattern_writer_send(struct pattern_writer *w, uint32_t rank, int64_t time, uint32_t peer, uint64_t bytes,
			 int32_t nic, int64_t gap);

/* It takes a message from `peer` that is there, after waiting for it or not. */
void pattern_writer_receive(struct pattern_writer *w, uint32_t rank, int64_t time, uint32_t peer);

/* It knows that all its sends have left. */
void pattern_writer_sent(struct pattern_writer *w, uint32_t rank, int64_t time);

/* It waited: what follows at `to` is what it waited for. */
void pattern_writer_waited(struct pattern_writer *w, uint32_t rank, int64_t from, int64_t to);

/* It ends. */
void pattern_writer_end(struct pattern_writer *w, uint32_t rank, int64_t time);

#endif
