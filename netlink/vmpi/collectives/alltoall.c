/*
 * All-to-all, also with parts of different lengths. Pairwise exchange: in round k each rank sends to rank + k and
 * receives from rank - k. Bruck: J. Bruck et al., IEEE TPDS 8(11), 1997. A2AT: H. Shibamura et al., 2011.
 */

#include "algorithms.h"

static int64_t part_bytes(const struct collective *c, int64_t count)
{
	return count * type_find(&c->v->types, c->recv_type)->size;
}

static int pairwise_alltoall(struct collective *c)
{
	for (int k = 0; k < c->size; k++) {
		int to = (c->rank + k) % c->size, from = (c->rank - k + c->size) % c->size;
		int64_t send_at, recv_at;
		int send_count = collective_send_part(c, to, &send_at),
		    recv_count = collective_recv_part(c, from, &recv_at);
		const void *send = collective_at(c, c->send, send_at, c->send_type);
		void *recv = collective_at(c, c->recv, recv_at, c->recv_type);

		if (k == 0) {
			collective_copied(c, 1, part_bytes(c, recv_count));
			collective_copy(c, send, send_count, c->send_type, recv, recv_count, c->recv_type);
		} else {
			collective_sendrecv(c, send, send_count, c->send_type, to, recv, recv_count, c->recv_type,
					    from);
		}
	}
	return VMPI_SUCCESS;
}

static int64_t alltoall_cost_begun(const struct collective *c)
{
	return cost_spread(c, c->bytes);
}

static int64_t alltoall_cost_in_pairs(const struct collective *c)
{
	return cost_pairwise(c, c->bytes);
}

/* Parts whose number has bit `pow`. */
static int64_t parts_with(const struct collective *c, int pow)
{
	int rest = c->size % (2 * pow);

	return c->size / (2 * pow) * pow + (rest > pow ? rest - pow : 0);
}

static int64_t alltoall_cost_of_bruck(const struct collective *c)
{
	int64_t all = c->size, time = cost_copies(c, 2, all * c->bytes) + cost_copies(c, all + 2, 2 * all * c->bytes);

	for (int k = 1; k < c->size; k *= 2) {
		int64_t n = parts_with(c, k);

		time += cost_shift(c, k, n * c->bytes) + 2 * cost_copies(c, n, n * c->bytes);
	}
	return time;
}

const struct collective_algorithm alltoall_pairwise = {
	COLLECTIVE_ALLTOALL,
	"pairwise",
	"ranks - 1 rounds: in round k to rank + k, from rank - k",
	pairwise_alltoall,
	alltoall_cost_in_pairs,
	NULL,
};
/* No cost: ranks do not know each other's parts, so they could not agree on a choice. */
const struct collective_algorithm alltoallv_pairwise = {
	COLLECTIVE_ALLTOALLV, "pairwise", "ranks - 1 rounds: in round k to rank + k, from rank - k",
	pairwise_alltoall,    NULL,       NULL,
};

static void alltoall_own_part(struct collective *c)
{
	int64_t send_at, recv_at;
	int send_count = collective_send_part(c, c->rank, &send_at),
	    recv_count = collective_recv_part(c, c->rank, &recv_at);

	collective_copied(c, 1, part_bytes(c, recv_count));
	collective_copy(c, collective_at(c, c->send, send_at, c->send_type), send_count, c->send_type,
			collective_at(c, c->recv, recv_at, c->recv_type), recv_count, c->recv_type);
}

/* Posts the receive from one rank and the send to another. */
static void alltoall_post(struct collective *c, int to, int from, VMPI_Request *requests)
{
	int64_t at;
	int count = collective_recv_part(c, from, &at);

	requests[0] = collective_irecv(c, collective_at(c, c->recv, at, c->recv_type), count, c->recv_type, from);
	count = collective_send_part(c, to, &at);
	requests[1] = collective_isend(c, collective_at(c, c->send, at, c->send_type), count, c->send_type, to);
}

/* Posts all sends and receives, `at_once` of each at a time. */
static int begun(struct collective *c, int at_once)
{
	VMPI_Request *requests = scratch_take(c->v, (size_t)at_once * 2, sizeof(*requests));

	alltoall_own_part(c);
	for (int first = 1; first < c->size; first += at_once) {
		int n = first + at_once < c->size ? at_once : c->size - first;

		for (int k = 0; k < n; k++)
			alltoall_post(c, (c->rank + first + k) % c->size, (c->rank - first - k + c->size) % c->size,
				      &requests[2 * k]);
		collective_wait(c, requests, 2 * n);
	}
	scratch_give(c->v, requests);
	return VMPI_SUCCESS;
}

static int spread_alltoall(struct collective *c)
{
	return begun(c, c->size);
}

/* MPICH's scattered algorithm, with MPICH's limit (MPIR_CVAR_ALLTOALL_THROTTLE). */
static int scattered(struct collective *c)
{
	return begun(c, 32);
}

/* Copies the parts whose number has bit `pow` into or out of `packed`. */
static void pack_parts(struct collective *c, char *all, char *packed, int pow, bool out)
{
	int64_t part = c->recv_count;
	int n = 0;

	collective_copied(c, parts_with(c, pow), parts_with(c, pow) * part_bytes(c, part));
	for (int i = pow; all && i < c->size; i++) {
		void *one, *other;

		if (!(i & pow))
			continue;
		one = collective_at(c, all, i * part, c->recv_type);
		other = collective_at(c, packed, n++ * part, c->recv_type);
		collective_copy(c, out ? other : one, c->recv_count, c->recv_type, out ? one : other, c->recv_count,
				c->recv_type);
	}
}

/*
 * Part i belongs to rank + i. The round of bit 2^k sends the parts that have this bit to rank + 2^k. Copies are
 * MPICH's (src/mpi/coll/alltoall/alltoall_intra_brucks.c): two pieces before the rounds, two after them, then each
 * part.
 */
static int bruck_alltoall(struct collective *c)
{
	int64_t part = c->recv_count, bytes = c->size * part_bytes(c, part);
	void *all = collective_buffer(c, c->recv, c->size * part, c->recv_type);
	void *packed = collective_buffer(c, c->recv, c->size * part, c->recv_type);
	void *came = collective_buffer(c, c->recv, c->size * part, c->recv_type);

	collective_copied(c, 2, bytes);
	for (int i = 0; all && i < c->size; i++)
		collective_copy(
			c, collective_at(c, c->send, (c->rank + i) % c->size * (int64_t)c->send_count, c->send_type),
			c->send_count, c->send_type, collective_at(c, all, i * part, c->recv_type), c->recv_count,
			c->recv_type);
	for (int pow = 1; pow < c->size; pow *= 2) {
		int64_t n = parts_with(c, pow);

		pack_parts(c, all, packed, pow, false);
		collective_sendrecv(c, packed, (int)(n * part), c->recv_type, (c->rank + pow) % c->size, came,
				    (int)(n * part), c->recv_type, (c->rank - pow + c->size) % c->size);
		pack_parts(c, all, came, pow, true);
	}
	collective_copied(c, 2 + c->size, 2 * bytes);
	for (int i = 0; all && i < c->size; i++)
		collective_copy(c, collective_at(c, all, i * part, c->recv_type), c->recv_count, c->recv_type,
				collective_at(c, c->recv, (c->rank - i + c->size) % c->size * part, c->recv_type),
				c->recv_count, c->recv_type);
	collective_free(c, all, c->recv_type);
	collective_free(c, packed, c->recv_type);
	collective_free(c, came, c->recv_type);
	return VMPI_SUCCESS;
}

/* ---- A2AT: four messages at a time, one a NIC, to offsets of one distance on an n x n torus ---- */

static int side(const struct collective *c)
{
	int n = 1;

	while (n * n < c->size)
		n++;
	return n;
}

static bool is_square(const struct collective *c)
{
	return side(c) * side(c) == c->size && c->v->setup.nics >= 4;
}

static int at_offset(const struct collective *c, int n, int dx, int dy)
{
	return (c->rank / n + dy + n) % n * n + (c->rank % n + dx + n) % n;
}

static void phase(struct collective *c, int n, int count, const int offsets[4][2])
{
	struct rank *r = c->v->current;
	int32_t nic = r->nic;
	VMPI_Request requests[8];

	for (int i = 0; i < count; i++) {
		int dx = offsets[i][0], dy = offsets[i][1];

		r->nic = i;
		alltoall_post(c, at_offset(c, n, dx, dy), at_offset(c, n, -dx, -dy), &requests[2 * i]);
	}
	r->nic = nic;
	collective_wait(c, requests, 2 * count);
}

static int a2at_alltoall(struct collective *c)
{
	int n = side(c), h = n / 2;

	alltoall_own_part(c);
	for (int i = 1; i <= (n - 1) / 2; i++) {
		phase(c, n, 4, (const int[4][2]){{i, 0}, {-i, 0}, {0, i}, {0, -i}});
		phase(c, n, 4, (const int[4][2]){{i, i}, {-i, -i}, {-i, i}, {i, -i}});
		for (int j = 1; j < i; j++) {
			phase(c, n, 4, (const int[4][2]){{i, j}, {-i, -j}, {j, i}, {-j, -i}});
			phase(c, n, 4, (const int[4][2]){{-i, j}, {i, -j}, {j, -i}, {-j, i}});
		}
	}
	if (n % 2)
		return VMPI_SUCCESS;
	for (int k = 1; k < h; k++)
		phase(c, n, 4, (const int[4][2]){{h, k}, {h, -k}, {k, h}, {-k, h}});
	phase(c, n, 3, (const int[4][2]){{h, h}, {h, 0}, {0, h}});
	return VMPI_SUCCESS;
}

const struct collective_algorithm alltoall_spread = {
	COLLECTIVE_ALLTOALL, "spread", "all sends and receives start at once, rank + 1 first", spread_alltoall,
	alltoall_cost_begun, NULL,
};
const struct collective_algorithm alltoall_scattered = {
	COLLECTIVE_ALLTOALL, "scattered", "sends and receives start 32 at a time, rank + 1 first",
	scattered,           NULL,        NULL,
};
const struct collective_algorithm alltoallv_scattered = {
	COLLECTIVE_ALLTOALLV,
	"scattered",
	"sends and receives start 32 at a time, rank + 1 first",
	scattered,
	NULL,
	NULL,
};
const struct collective_algorithm alltoall_bruck = {
	COLLECTIVE_ALLTOALL,
	"bruck",
	"log2(ranks) rounds with half of the data each; for short parts",
	bruck_alltoall,
	alltoall_cost_of_bruck,
	NULL,
};
const struct collective_algorithm alltoall_a2at = {
	COLLECTIVE_ALLTOALL, "a2at", "4 messages at a time on an n x n torus with 4 NICs; x varies fastest",
	a2at_alltoall,       NULL,   is_square,
};
const struct collective_algorithm alltoallv_spread = {
	COLLECTIVE_ALLTOALLV, "spread", "all sends and receives start at once, rank + 1 first", spread_alltoall,
	alltoall_cost_begun,  NULL,
};
