/*
 * The requests of a rank that a trace knows: handle of the MPI, number in the trace.
 *
 * Several requests under way may have one handle, as an MPI may give all sends that are complete at once the same one;
 * the oldest of them is taken first. Persistent requests keep their event, with a number while they are under way.
 */
#ifndef PSIM_NETLINK_TRACED_REQUESTS_H
#define PSIM_NETLINK_TRACED_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

struct traced_requests;

/* NULL where memory is short. */
struct traced_requests *traced_requests_create(void);
void traced_requests_destroy(struct traced_requests *t);

/* The least number that no request under way has, for a new one with this handle. -1 where memory is short. */
int64_t traced_request_add(struct traced_requests *t, uint64_t handle);

/* Adds a second number to the newest request with this handle, which is of two events. -1: there is none. */
int64_t traced_request_add_second(struct traced_requests *t, uint64_t handle);
/* Returns whether the request that traced_request_end ends has another number behind the one that it returns. */
bool traced_request_is_paired(struct traced_requests *t, uint64_t handle);

/* Notes where the event of the newest request with this handle is in the rank's part: bytes `from` to `to`. */
void traced_request_place(struct traced_requests *t, uint64_t handle, int64_t from, int64_t to);

/* Ends a request whose event has a place, since it was cancelled. 0, or -1: there is none. */
int traced_request_cancel(struct traced_requests *t, uint64_t handle, int64_t *ret_from, int64_t *ret_to);
/* Notes the event of a persistent request. 0, or -1 where memory is short. */
int traced_request_keep(struct traced_requests *t, uint64_t handle, const char *event);
/* The event of a persistent request, which gets a number; NULL: it is none. */
const char *traced_request_start(struct traced_requests *t, uint64_t handle, int64_t *ret_number);
/* The number of the request, which is free again; a persistent one stays. -1: none is under way. */
int64_t traced_request_end(struct traced_requests *t, uint64_t handle);
/* Forgets the request, whether it is under way or persistent. */
void traced_request_forget(struct traced_requests *t, uint64_t handle);

#endif
