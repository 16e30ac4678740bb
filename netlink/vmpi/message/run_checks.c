/* Checks of calls against each other: run_checks.h. */
#include "run_checks.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/rng.h"
#include "areas.h"

enum { PLACE_CHARS = 128 };

/* A collective operation, as the first rank called it. */
struct checked_call {
	uint32_t come; /* ranks that have called it */
	uint32_t rank; /* world rank of the first */
	enum call_id call;
	int root, basic;
	VMPI_Op op;
	int64_t bytes;
	const void *where;
};

/* The operations of a communicator that some of its ranks have not called yet. */
struct checked_comm {
	uint32_t *of_rank; /* by local rank: operations so far; NULL: none */
	uint32_t first;    /* number of the first entry */
	struct vec_of(struct checked_call) calls;
};

struct checked_message {
	const void *where;
	int basic; /* of all its elements; 0: several */
};

/* The call that made a communicator. */
struct checked_made {
	const void *where;
	enum call_id call;
	bool *freed; /* by local rank; NULL: by none */
};

/* The call that made a datatype; `lives` until the program frees it. */
struct checked_type {
	const void *where;
	enum call_id call;
	uint32_t rank;
	bool lives;
};

/* Requests of a rank whose buffers are in use, and others. */
struct checked_buffers {
	struct vec_of(uint32_t) request;
};

struct checks {
	struct vec_of(struct checked_made) made;        /* by handle of the communicator */
	struct vec_of(struct checked_type) types;       /* by handle */
	struct checked_buffers *buffers;                /* by rank */
	struct vec_of(struct checked_comm) comms;       /* by context */
	struct vec_of(struct checked_message) messages; /* by index */
	uint64_t sum;                                   /* of several processes: note_apart */
};

int checks_create(struct vmpi *v, struct err *e)
{
	v->checks = mem_alloc(1, sizeof(*v->checks), e);
	if (!v->checks)
		return -1;
	v->checks->buffers = mem_alloc(v->size, sizeof(*v->checks->buffers), e);
	return v->checks->buffers ? 0 : -1;
}

void checks_destroy(struct vmpi *v)
{
	struct checks *k = v->checks;

	if (!k)
		return;
	for (size_t i = 0; i < k->comms.count; i++) {
		free(k->comms.at[i].of_rank);
		free(k->comms.at[i].calls.at);
	}
	for (size_t i = 0; i < k->made.count; i++)
		free(k->made.at[i].freed);
	for (uint32_t i = 0; k->buffers && i < v->size; i++)
		free(k->buffers[i].request.at);
	free(k->buffers);
	free(k->made.at);
	free(k->types.at);
	free(k->comms.at);
	free(k->messages.at);
	free(k);
	v->checks = NULL;
}

/* ---- types ---- */

static const struct {
	const char *name, *class;
} basics[] = {
	{"several types", ""},
#define TYPE(name, ctype, class) {"MPI_" #name, #class},
#include "../api/constants.def"
#undef TYPE
};

/* Returns whether elements may be sent as one type and received as the other; bytes and packed data as any. */
static bool are_alike(const struct vmpi *v, int a, int b)
{
	if (!a || !b || a == b || a == VMPI_BYTE || b == VMPI_BYTE || a == VMPI_PACKED || b == VMPI_PACKED)
		return true;
	return strcmp(basics[a].class, basics[b].class) == 0 &&
	       type_find(&v->types, a)->size == type_find(&v->types, b)->size;
}

/* ---- collective operations ---- */

static struct checked_comm *checked_comm(struct vmpi *v, const struct comm *c)
{
	struct checks *k = v->checks;
	struct checked_comm *of;

	while (k->comms.count <= c->ctx) {
		of = vec_push(&k->comms, &v->err);
		if (!of)
			rank_stop(v);
		*of = (struct checked_comm){0};
	}
	of = &k->comms.at[c->ctx];
	if (!of->of_rank) {
		of->of_rank = mem_alloc(c->group->size, sizeof(*of->of_rank), &v->err);
		if (!of->of_rank)
			rank_stop(v);
	}
	return of;
}

/* Drops the operations that all ranks have called. */
static void drop_called(struct checked_comm *of, uint32_t size)
{
	size_t done = 0;

	while (done < of->calls.count && of->calls.at[done].come == size)
		done++;
	for (size_t i = done; i < of->calls.count; i++)
		of->calls.at[i - done] = of->calls.at[i];
	of->calls.count -= done;
	of->first += (uint32_t)done;
}

/* Fails the run: `what` differs between two ranks. */
__attribute__((format(printf, 3, 4))) static void differs(struct vmpi *v, const struct checked_call *first,
							  const char *format, ...)
{
	char place[PLACE_CHARS], what[160];
	va_list ap;

	va_start(ap, format);
	vsnprintf(what, sizeof(what), format, ap);
	va_end(ap);
	rank_place(v, first->rank, first->where, place, sizeof(place));
	rank_error(v, 0, VMPI_ERR_NOT_SAME, "%s as in %s of rank %u at %s", what, call_name(v, first->call),
		   first->rank, place);
}

/*
 * On several processes the ranks of an operation are compared by a sum: each adds random bits that are a function of
 * the operation and its arguments, and rank 0 of the communicator takes away its own once for each rank. If all ranks
 * have the same arguments, the sums of all processes add up to 0. Elements of any type, as bytes, are compared as if
 * they were another type: the sum is not 0 where one process, which repeats the run, finds nothing.
 */
static void note_apart(struct vmpi *v, const struct comm *c, uint32_t local, uint32_t number,
		       const struct checked_call *k)
{
	bool any = !k->basic || k->basic == VMPI_BYTE || k->basic == VMPI_PACKED;
	uint64_t elements =
		any ? 0 : (uint64_t)basics[k->basic].class[0] << 32 | (uint64_t)type_find(&v->types, k->basic)->size;
	uint64_t own = rng_u64(c->key, number, (uint64_t)k->call << 32 | (uint32_t)k->root);

	own = rng_u64(own, (uint32_t)(k->op < OP_COUNT ? k->op : OP_COUNT), (uint64_t)k->bytes);
	own = rng_u64(own, 0, elements);
	v->checks->sum += own * (local ? 1 : 1 - (uint64_t)c->group->size);
}

uint64_t checks_sum(const struct vmpi *v)
{
	return v->checks ? v->checks->sum : 0;
}

void check_collective(struct vmpi *v, VMPI_Comm comm, int root, VMPI_Op op, int64_t bytes, const struct type *type)
{
	const struct comm *c = comm_find(&v->comms, comm);
	struct rank *r = v->current;
	struct checked_call now = {1,     r->world, (enum call_id)r->call, root, type ? type->basic : 0, op,
				   bytes, r->where};
	struct checked_comm *of;
	struct checked_call *first;
	uint32_t i, local;

	if (c->self || c->remote)
		return;
	of = checked_comm(v, c);
	local = comm_local(v, comm);
	i = of->of_rank[local]++ - of->first;
	if (v->divided) {
		note_apart(v, c, local, i, &now);
		return;
	}
	if (i == of->calls.count) {
		first = vec_push(&of->calls, &v->err);
		if (!first)
			rank_stop(v);
		*first = now;
		drop_called(of, c->group->size);
		return;
	}
	first = &of->calls.at[i];
	if (first->call != now.call)
		differs(v, first, "expected the same collective operation");
	if (first->root != root)
		differs(v, first, "root %d, expected %d", root, first->root);
	if (first->op != op && (first->op < OP_COUNT || op < OP_COUNT))
		differs(v, first, "expected the same operation");
	if (bytes >= 0 && first->bytes >= 0 && first->bytes != bytes)
		differs(v, first, "%lld bytes, expected %lld", (long long)bytes, (long long)first->bytes);
	if (!are_alike(v, first->basic, now.basic))
		differs(v, first, "elements of %s, expected %s", basics[now.basic].name, basics[first->basic].name);
	first->come++;
	drop_called(of, c->group->size);
}

/* ---- buffers ---- */

/* Returns whether a request is one of the rank, of the program's own messages, and not complete for the program. */
static bool uses_buffer(const struct vmpi *v, const struct request *q, uint32_t rank)
{
	return (q->state == REQUEST_PENDING || q->state == REQUEST_COMPLETE) && q->rank == rank && !q->freed &&
	       !q->copied && (q->kind == REQUEST_SEND || q->kind == REQUEST_RECV) &&
	       q->ctx == comm_find(&v->comms, q->comm)->ctx && p2p_has_buffer(v, q->buf, q->type);
}

static struct area area_of(const struct request *q)
{
	return (struct area){q->buf, 0, q->count, q->type};
}

static const char *kind_of(const struct request *q)
{
	return q->kind == REQUEST_RECV ? "receive" : "send";
}

static void buffers_apart(struct vmpi *v, const struct request *q, const struct request *other)
{
	const struct area a = area_of(q), b = area_of(other);
	char place[PLACE_CHARS];
	int ret;

	if (q->kind != REQUEST_RECV && other->kind != REQUEST_RECV)
		return;
	ret = areas_meet(&a, 1, &b, 1, &v->err);
	if (ret < 0)
		rank_stop(v);
	if (ret <= 0)
		return;
	rank_place(v, other->rank, other->where, place, sizeof(place));
	rank_error(v, 0, VMPI_ERR_BUFFER, "the buffer of the %s overlaps that of a %s at %s, expected separate ones",
		   kind_of(q), kind_of(other), place);
}

void check_buffer(struct vmpi *v, const struct request *q, uint32_t request)
{
	struct checked_buffers *of = &v->checks->buffers[q->rank];
	size_t kept = 0;
	uint32_t *new;

	/* of a send that is complete at once the state is not pending */
	if (q->copied || q->ctx != comm_find(&v->comms, q->comm)->ctx || !p2p_has_buffer(v, q->buf, q->type))
		return;
	for (size_t i = 0; i < of->request.count; i++) {
		const struct request *other = request_at(v, of->request.at[i]);

		if (of->request.at[i] == request || !uses_buffer(v, other, q->rank))
			continue;
		of->request.at[kept++] = of->request.at[i];
		buffers_apart(v, q, other);
	}
	of->request.count = kept;
	if (!request)
		return;
	new = vec_push(&of->request, &v->err);
	if (!new)
		rank_stop(v);
	*new = request;
}

/* ---- messages ---- */

static int note_elements(struct vmpi *v, uint32_t message, struct checked_message m, struct err *e)
{
	struct checks *k = v->checks;

	while (k->messages.count <= message) {
		const struct checked_message *new = vec_push(&k->messages, e);

		if (!new)
			return -1;
	}
	k->messages.at[message] = m;
	return 0;
}

void check_sent(struct vmpi *v, uint32_t message, const struct request *q)
{
	if (note_elements(v, message, (struct checked_message){q->where, q->type->basic}, &v->err) < 0)
		rank_stop(v);
}

int check_came(struct vmpi *v, uint32_t message, int basic, struct err *e)
{
	return note_elements(v, message, (struct checked_message){NULL, basic}, e);
}

bool check_matched(struct vmpi *v, uint32_t message, const struct request *q)
{
	const struct checked_message *sent = &v->checks->messages.at[message];
	char place[PLACE_CHARS], from[PLACE_CHARS];

	/* collective operations are compared as a whole */
	if (!message_at(v, message)->bytes || message_at(v, message)->ctx != q->ctx ||
	    q->ctx != comm_find(&v->comms, q->comm)->ctx || are_alike(v, sent->basic, q->type->basic))
		return true;
	rank_place(v, q->rank, q->where, place, sizeof(place));
	rank_place(v, message_at(v, message)->src, sent->where, from, sizeof(from));
	err_set(&v->err, STATUS_FAILED,
		"rank %u: receive at %s: elements of %s, expected %s, which rank %u sends at %s", q->rank, place,
		basics[q->type->basic].name, basics[sent->basic].name, message_at(v, message)->src, from);
	return run_fail(v) == 0;
}

/* ---- the end ---- */

/* Sets v->err to the first finding. */
__attribute__((format(printf, 4, 5))) static void found(struct vmpi *v, unsigned *count, const void *where,
							const char *format, ...)
{
	char what[160], place[PLACE_CHARS];
	va_list ap;

	if ((*count)++)
		return;
	va_start(ap, format);
	vsnprintf(what, sizeof(what), format, ap);
	va_end(ap);
	program_place(v, where, place, sizeof(place));
	if (where)
		err_set(&v->err, STATUS_FAILED, "%s at %s", what, place);
	else
		err_set(&v->err, STATUS_FAILED, "%s", what);
}

static void find_messages(struct vmpi *v, unsigned *count)
{
	for (uint32_t i = 0; i < v->size; i++)
		for (uint32_t k = v->ranks[i].unexpected.first; k; k = message_at(v, k)->later) {
			const struct message *m = message_at(v, k);

			found(v, count, v->checks->messages.at[k].where,
			      "rank %u never receives a message of %llu bytes, tag %d, that rank %u sends", i,
			      (unsigned long long)m->bytes, m->tag, m->src);
		}
}

static void find_requests(struct vmpi *v, unsigned *count)
{
	static const char *const kinds[] = {"send", "receive", "collective operation", "generalized request"};

	for (uint32_t i = 1; i < v->msg.requests.made; i++) {
		const struct request *q = request_at(v, i);

		if (q->state == REQUEST_FREE || q->freed || q->owner >= v->size)
			continue;
		found(v, count, q->where, "rank %u neither waits for nor frees the request of a %s%s", q->rank,
		      q->persistent ? "persistent " : "", kinds[q->kind]);
	}
}

void check_made(struct vmpi *v)
{
	struct checks *k = v->checks;

	while (k->made.count < (size_t)v->comms.comm_count) {
		struct checked_made *new = vec_push(&k->made, &v->err);

		if (!new)
			rank_stop(v);
		*new = (struct checked_made){v->current->where, (enum call_id)v->current->call, NULL};
	}
}

void check_freed(struct vmpi *v, VMPI_Comm comm)
{
	const struct comm *c = comm_find(&v->comms, comm);
	struct checked_made *m;

	check_made(v);
	m = &v->checks->made.at[comm];
	if (!m->freed)
		m->freed = mem_alloc(c->group->size, sizeof(*m->freed), &v->err);
	if (!m->freed)
		rank_stop(v);
	m->freed[comm_local(v, comm)] = true;
	if (c->users == 1) {
		free(m->freed);
		m->freed = NULL;
	}
}

static void find_communicators(struct vmpi *v, unsigned *count)
{
	for (int i = HANDLE_SELF + 1; i < v->comms.comm_count; i++) {
		const struct comm *c = v->comms.comm[i];
		const struct checked_made *m = (size_t)i < v->checks->made.count ? &v->checks->made.at[i] : NULL;
		uint32_t first = 0;

		if (!c || !c->users || c->pair)
			continue;
		while (m && m->freed && m->freed[first])
			first++;
		found(v, count, m ? m->where : NULL, "%u of %u ranks, first rank %u, do not free what %s makes",
		      c->users, c->group->size, group_world(c->group, first), m ? call_name(v, m->call) : "a call");
	}
}

void check_type_made(struct vmpi *v, VMPI_Datatype type)
{
	struct checks *k = v->checks;

	while (k->types.count <= (size_t)type) {
		struct checked_type *new = vec_push(&k->types, &v->err);

		if (!new)
			rank_stop(v);
		*new = (struct checked_type){0};
	}
	k->types.at[type] =
		(struct checked_type){v->current->where, (enum call_id)v->current->call, v->current->world, true};
}

void check_type_freed(struct vmpi *v, VMPI_Datatype type)
{
	if ((size_t)type < v->checks->types.count)
		v->checks->types.at[type].lives = false;
}

static void find_types(struct vmpi *v, unsigned *count)
{
	for (size_t i = 0; i < v->checks->types.count; i++) {
		const struct checked_type *t = &v->checks->types.at[i];

		if (t->lives && type_find(&v->types, (int)i))
			found(v, count, t->where, "rank %u does not free the datatype that %s makes", t->rank,
			      call_name(v, t->call));
	}
}

int check_end(struct vmpi *v)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < v->size; i++)
		if (v->ranks[i].init_called && !v->ranks[i].finalized)
			found(v, &count, v->ranks[i].where, "rank %u ends without MPI_Finalize, after %s", i,
			      call_name(v, v->ranks[i].call));
	find_messages(v, &count);
	find_requests(v, &count);
	find_communicators(v, &count);
	find_types(v, &count);
	if (count > 1)
		err_prefix(&v->err, "the first of %u findings", count);
	return count ? -1 : 0;
}
