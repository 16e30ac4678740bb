#include "traced_requests.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/hash.h"

enum { BUCKET_BITS = 12, BUCKETS = 1 << BUCKET_BITS };

struct traced {
	struct traced *next; /* in its bucket, the oldest first */
	uint64_t handle;
	int64_t number;   /* -1: persistent, and not under way */
	int64_t second;   /* of a request of two events; -1: none */
	char *event;      /* of a persistent one */
	int64_t from, to; /* place of its event; 0: not known */
};

struct traced_requests {
	struct traced *bucket[BUCKETS];
	int64_t *unused; /* numbers, the last one is given next */
	size_t unused_count, unused_size;
	int64_t made; /* numbers */
};

struct traced_requests *traced_requests_create(void)
{
	return calloc(1, sizeof(struct traced_requests));
}

void traced_requests_destroy(struct traced_requests *t)
{
	for (unsigned n = 0; n < BUCKETS; n++) {
		while (t->bucket[n]) {
			struct traced *gone = t->bucket[n];

			t->bucket[n] = gone->next;
			free(gone->event);
			free(gone);
		}
	}
	free(t->unused);
	free(t);
}

static struct traced **bucket_of(struct traced_requests *t, uint64_t handle)
{
	return &t->bucket[hash_place(handle, BUCKET_BITS)];
}

/* The place of the oldest request with this handle, which is under way or not; NULL: none. */
static struct traced **find_request(struct traced_requests *t, uint64_t handle, bool under_way)
{
	struct traced **r = bucket_of(t, handle);

	while (*r && ((*r)->handle != handle || ((*r)->number >= 0) != under_way))
		r = &(*r)->next;
	return *r ? r : NULL;
}

static struct traced *append_traced(struct traced_requests *t, uint64_t handle)
{
	struct traced **r = bucket_of(t, handle), *new = calloc(1, sizeof(*new));

	while (*r)
		r = &(*r)->next;
	*r = new;
	if (new)
		*new = (struct traced){.handle = handle, .number = -1, .second = -1};
	return new;
}

static int64_t give_number(struct traced_requests *t)
{
	return t->unused_count ? t->unused[--t->unused_count] : t->made++;
}

static void free_number(struct traced_requests *t, int64_t number)
{
	if (t->unused_count == t->unused_size) {
		size_t size = t->unused_size ? 2 * t->unused_size : 64;
		int64_t *unused = realloc(t->unused, size * sizeof(*unused));

		if (!unused)
			return; /* it is not given again */
		t->unused = unused;
		t->unused_size = size;
	}
	t->unused[t->unused_count++] = number;
}

int64_t traced_request_add(struct traced_requests *t, uint64_t handle)
{
	struct traced *r = append_traced(t, handle);

	if (!r)
		return -1;
	r->number = give_number(t);
	return r->number;
}

int traced_request_keep(struct traced_requests *t, uint64_t handle, const char *event)
{
	struct traced *r = append_traced(t, handle);

	if (!r)
		return -1;
	r->event = strdup(event);
	return r->event ? 0 : -1;
}

const char *traced_request_start(struct traced_requests *t, uint64_t handle, int64_t *ret_number)
{
	struct traced **r = find_request(t, handle, false);

	if (!r)
		return NULL;
	*ret_number = (*r)->number = give_number(t);
	return (*r)->event;
}

static void remove_request(struct traced **r)
{
	struct traced *gone = *r;

	*r = gone->next;
	free(gone->event);
	free(gone);
}

int64_t traced_request_end(struct traced_requests *t, uint64_t handle)
{
	struct traced **r = find_request(t, handle, true);
	int64_t number;

	if (!r)
		return -1;
	number = (*r)->number;
	free_number(t, number);
	(*r)->number = (*r)->second;
	(*r)->second = -1;
	if (!(*r)->event && (*r)->number < 0)
		remove_request(r);
	return number;
}

/* The newest request with this handle that is under way; NULL: none. */
static struct traced *find_newest(struct traced_requests *t, uint64_t handle)
{
	struct traced *newest = NULL;

	for (struct traced *r = *bucket_of(t, handle); r; r = r->next)
		if (r->handle == handle && r->number >= 0)
			newest = r;
	return newest;
}

int64_t traced_request_add_second(struct traced_requests *t, uint64_t handle)
{
	struct traced *r = find_newest(t, handle);

	return r ? (r->second = give_number(t)) : -1;
}

bool traced_request_is_paired(struct traced_requests *t, uint64_t handle)
{
	struct traced **r = find_request(t, handle, true);

	return r && (*r)->second >= 0;
}

void traced_request_place(struct traced_requests *t, uint64_t handle, int64_t from, int64_t to)
{
	struct traced *newest = find_newest(t, handle);

	if (newest) {
		newest->from = from;
		newest->to = to;
	}
}

int traced_request_cancel(struct traced_requests *t, uint64_t handle, int64_t *ret_from, int64_t *ret_to)
{
	struct traced **r = find_request(t, handle, true);

	if (!r || !(*r)->to)
		return -1;
	*ret_from = (*r)->from;
	*ret_to = (*r)->to;
	traced_request_end(t, handle);
	return 0;
}

void traced_request_forget(struct traced_requests *t, uint64_t handle)
{
	struct traced **r = find_request(t, handle, true);

	if (!r)
		r = find_request(t, handle, false);
	if (r)
		remove_request(r); /* its number is not given again: what it began may still go on */
}
