/* Reductions in parts: reduction_blocks.h. */
#include "reduction_blocks.h"

void parts_begin(struct parts *p, struct collective *c, void *data, const void *like, int64_t count, int root)
{
	*p = (struct parts){.c = c, .data = data, .ranks = c->size, .n = 1, .root = root};
	p->other = collective_buffer(c, like, count, c->recv_type);
	while (p->n * 2 <= c->size)
		p->n *= 2;
	p->rest = c->size - p->n;
}

void parts_end(struct parts *p)
{
	collective_free(p->c, p->other, p->c->recv_type);
}

/* Converts between a rank and its number relative to root. */
static int relative(const struct parts *p)
{
	return (p->c->rank - p->root + p->ranks) % p->ranks;
}

static int reduction_blocks_rank_at(const struct parts *p, int i)
{
	return (i + p->root) % p->ranks;
}

static int rank_of(const struct parts *p, int number)
{
	return reduction_blocks_rank_at(p, number < p->rest ? 2 * number : number + p->rest);
}

int parts_number(const struct parts *p)
{
	int i = relative(p);

	if (i >= 2 * p->rest)
		return i - p->rest;
	return i % 2 ? -1 : i / 2;
}

int64_t parts_at_rank(const struct parts *p, int i)
{
	int64_t at;
	int last;

	if (!p->own_parts)
		return (int64_t)p->c->recv_count * i / p->ranks;
	if (i < p->ranks) {
		collective_send_part(p->c, i, &at);
		return at;
	}
	last = collective_send_part(p->c, p->ranks - 1, &at);
	return at + last;
}

int64_t parts_at(const struct parts *p, int i)
{
	if (!p->own_parts)
		return (int64_t)p->c->recv_count * i / p->n;
	return parts_at_rank(p, i < p->rest ? 2 * i : i + p->rest);
}

static void *in(const struct parts *p, void *data, int64_t at)
{
	return collective_at(p->c, data, at, p->c->recv_type);
}

void parts_fold(struct parts *p, int count)
{
	struct collective *c = p->c;
	int i = relative(p);

	if (i >= 2 * p->rest)
		return;
	if (i % 2) {
		collective_send(c, p->data, count, c->recv_type, reduction_blocks_rank_at(p, i - 1));
		return;
	}
	collective_recv(c, p->other, count, c->recv_type, reduction_blocks_rank_at(p, i + 1));
	collective_combine(c, p->other, p->data, count);
}

void parts_unfold(struct parts *p, void *data, int count)
{
	int i = relative(p);

	if (i < 2 * p->rest && i % 2)
		collective_recv(p->c, data, count, p->c->recv_type, reduction_blocks_rank_at(p, i - 1));
	else if (i < 2 * p->rest)
		collective_send(p->c, data, count, p->c->recv_type, reduction_blocks_rank_at(p, i + 1));
}

void parts_exchange(struct parts *p, int number)
{
	int rank = rank_of(p, number);

	collective_sendrecv(p->c, NULL, 0, VMPI_BYTE, rank, NULL, 0, VMPI_BYTE, rank);
}

/* Sends elements from … from_end - 1 to a rank and receives first … end - 1, combined or copied. */
static void reduction_blocks_swap(struct parts *p, int to, int64_t from, int64_t from_end, int source, int64_t first,
				  int64_t end, bool combine)
{
	struct collective *c = p->c;
	int count = (int)(end - first);
	void *place = in(p, combine ? p->other : p->data, first);

	collective_sendrecv(c, in(p, p->data, from), (int)(from_end - from), c->recv_type, to, place, count,
			    c->recv_type, source);
	if (combine)
		collective_combine(c, place, in(p, p->data, first), count);
}

void parts_halve(struct parts *p, int number)
{
	int first = 0, end = p->n;

	for (int mask = p->n / 2; mask; mask /= 2) {
		int middle = (first + end) / 2, rank = rank_of(p, number ^ mask);
		int64_t low = parts_at(p, first), between = parts_at(p, middle), high = parts_at(p, end);

		if (number & mask) {
			reduction_blocks_swap(p, rank, low, between, rank, between, high, true);
			first = middle;
		} else {
			reduction_blocks_swap(p, rank, between, high, rank, low, between, true);
			end = middle;
		}
	}
}

void parts_double(struct parts *p, int number)
{
	for (int mask = 1; mask < p->n; mask *= 2) {
		int own = number & ~(mask - 1), peers = own ^ mask, rank = rank_of(p, number ^ mask);

		reduction_blocks_swap(p, rank, parts_at(p, own), parts_at(p, own + mask), rank, parts_at(p, peers),
				      parts_at(p, peers + mask), false);
	}
}

void parts_gather(struct parts *p, int number)
{
	struct collective *c = p->c;

	for (int mask = 1; mask < p->n; mask *= 2) {
		int from = number & mask ? number : number + mask;
		int64_t at = parts_at(p, from);
		int count = (int)(parts_at(p, from + mask) - at);

		if (number & mask) {
			collective_send(c, in(p, p->data, at), count, c->recv_type, rank_of(p, number - mask));
			return;
		}
		collective_recv(c, in(p, p->data, at), count, c->recv_type, rank_of(p, from));
	}
}

void parts_ring(struct parts *p)
{
	int own = relative(p), n = p->ranks;

	for (int round = 0; round < n - 1; round++) {
		int sends = (own - round - 1 + 2 * n) % n, receives = (sends - 1 + n) % n;

		reduction_blocks_swap(p, reduction_blocks_rank_at(p, own + 1), parts_at_rank(p, sends),
				      parts_at_rank(p, sends + 1), reduction_blocks_rank_at(p, own - 1 + n),
				      parts_at_rank(p, receives), parts_at_rank(p, receives + 1), true);
	}
}

void parts_ring_all(struct parts *p)
{
	int own = relative(p), n = p->ranks;

	for (int round = 0; round < n - 1; round++) {
		int sends = (own - round + n) % n, receives = (sends - 1 + n) % n;

		reduction_blocks_swap(p, reduction_blocks_rank_at(p, own + 1), parts_at_rank(p, sends),
				      parts_at_rank(p, sends + 1), reduction_blocks_rank_at(p, own - 1 + n),
				      parts_at_rank(p, receives), parts_at_rank(p, receives + 1), false);
	}
}

void parts_ring_gather(struct parts *p)
{
	struct collective *c = p->c;
	int own = relative(p), n = p->ranks;

	for (int mask = 1; mask < n; mask *= 2) {
		int from = own & mask ? own : own + mask, end = from + mask < n ? from + mask : n;
		int64_t at = parts_at_rank(p, from < n ? from : n);
		int count = (int)(parts_at_rank(p, end) - at);

		if (own & mask) {
			collective_send(c, in(p, p->data, at), count, c->recv_type,
					reduction_blocks_rank_at(p, own - mask));
			return;
		}
		if (from < n)
			collective_recv(c, in(p, p->data, at), count, c->recv_type, reduction_blocks_rank_at(p, from));
	}
}
