/* Senders and receivers in each step of each pattern. */
#include <inttypes.h>

#include "../../psim/base/rng.h"
#include "weighted_pairs.h"
#include "traffic_state.h"
#include "worst_case.h"

enum { STREAM_MIX = 0x4d49, STREAM_PEERS = 0x5045, STREAM_SHARE = 0x5348 };

static void to(struct exchange *x, uint32_t rank)
{
	x->to[x->sends++] = rank;
}

static void from(struct exchange *x, uint32_t rank)
{
	x->from[x->receives++] = rank;
}

/* Allows this many sends of a step in flight, regardless of `outstanding`. */
static void allow_in_flight(struct traffic *t, unsigned sends)
{
	if (t->outstanding < sends)
		t->outstanding = sends;
}

/* ---- all-to-all ---- */

static int check_all(struct traffic *t, struct err *e)
{
	(void)e;
	t->steps = t->ranks - 1;
	t->messages = (uint64_t)t->ranks * t->steps;
	return 0;
}

static void all_to_all(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	uint64_t p = step + 1;

	(void)round;
	to(x, (uint32_t)((rank + p) % t->ranks));
	from(x, (uint32_t)((rank + t->ranks - p) % t->ranks));
}

static int check_power(const struct traffic *t, struct err *e)
{
	return t->ranks & (t->ranks - 1)
		       ? err_set(e, STATUS_USAGE, "pattern: %s on %" PRIu32 " ranks, expected a power of two",
				 t->kind->name, t->ranks)
		       : 0;
}

static int check_pairwise(struct traffic *t, struct err *e)
{
	return check_power(t, e) ? -1 : check_all(t, e);
}

static void pairwise(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	(void)t;
	(void)round;
	to(x, rank ^ (uint32_t)(step + 1));
	from(x, rank ^ (uint32_t)(step + 1));
}

static int check_plane(struct traffic *t, struct err *e)
{
	if (t->dimensions != 2)
		return err_set(e, STATUS_USAGE,
			       "pattern: %s needs a grid of two dimensions, expected dims=AxB = %" PRIu32,
			       t->kind->name, t->ranks);
	return check_all(t, e);
}

static int check_square(struct traffic *t, struct err *e)
{
	if (t->dimensions != 2 || t->dims[0] != t->dims[1])
		return err_set(e, STATUS_USAGE,
			       "pattern: %s needs a grid of n x n = %" PRIu32 " ranks, expected dims=NxN",
			       t->kind->name, t->ranks);
	return 0;
}

static uint32_t shifted(const struct traffic *t, uint32_t rank, int64_t dx, int64_t dy)
{
	int64_t nx = t->dims[0], ny = t->dims[1];
	int64_t x = ((int64_t)(rank % t->dims[0]) + dx % nx + nx) % nx;
	int64_t y = ((int64_t)(rank / t->dims[0]) + dy % ny + ny) % ny;

	return (uint32_t)(x + y * nx);
}

/* S. Yazaki, H. Ishihata, eq. (2): simple spread along each dimension. */
static void a2ass2d(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	int64_t p = (int64_t)step + 1, nx = t->dims[0];

	(void)round;
	to(x, shifted(t, rank, p % nx, p / nx));
	from(x, shifted(t, rank, -(p % nx), -(p / nx)));
}

/*
 * A2AT (H. Shibamura et al., 2011), reconstructed: for i = 1 … (n-1)/2 the straight and the
 * diagonal neighbours at distance i, then for j < i the eight at (i, j) in two phases; n even: the
 * column and the row at n/2, then the remaining three.
 */
static int check_a2at(struct traffic *t, struct err *e)
{
	uint64_t n, half;

	if (check_square(t, e))
		return -1;
	n = t->dims[0];
	half = (n - 1) / 2;
	t->steps = half * (half + 1) + (n % 2 ? 0 : n / 2);
	t->messages = (uint64_t)t->ranks * (t->ranks - 1);
	t->waits = true;
	allow_in_flight(t, 4);
	return 0;
}

static void exchange_at(const struct traffic *t, uint32_t rank, const int64_t (*offset)[2], unsigned count,
			struct exchange *x)
{
	for (unsigned k = 0; k < count; k++) {
		to(x, shifted(t, rank, offset[k][0], offset[k][1]));
		from(x, shifted(t, rank, -offset[k][0], -offset[k][1]));
	}
	x->nic = 0;
	x->wait = true;
}

static void a2at(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	int64_t n = t->dims[0], half = (n - 1) / 2, s = (int64_t)step, i = 1, j;

	(void)round;
	if (s >= half * (half + 1)) { /* n even: P5, finally P6 */
		int64_t k = s - half * (half + 1) + 1, h = n / 2;

		if (k < h)
			exchange_at(t, rank, (const int64_t[][2]){{h, k}, {h, -k}, {k, h}, {-k, h}}, 4, x);
		else
			exchange_at(t, rank, (const int64_t[][2]){{h, h}, {h, 0}, {0, h}}, 3, x);
		return;
	}
	while (i * (i + 1) <= s) /* phases of 1 … i: 2 + 4 + … + 2i */
		i++;
	s -= i * (i - 1);
	j = s / 2;
	if (s == 0)
		exchange_at(t, rank, (const int64_t[][2]){{i, 0}, {-i, 0}, {0, i}, {0, -i}}, 4, x);
	else if (s == 1)
		exchange_at(t, rank, (const int64_t[][2]){{i, i}, {-i, -i}, {-i, i}, {i, -i}}, 4, x);
	else if (s % 2 == 0)
		exchange_at(t, rank, (const int64_t[][2]){{i, j}, {-i, -j}, {j, i}, {-j, -i}}, 4, x);
	else
		exchange_at(t, rank, (const int64_t[][2]){{-i, j}, {i, -j}, {-j, i}, {j, -i}}, 4, x);
}

/* ---- neighbours ---- */

static int check_ring(struct traffic *t, struct err *e)
{
	(void)e;
	t->steps = 1;
	t->messages = (uint64_t)t->ranks * (t->keys.pattern.both ? 2 : 1);
	allow_in_flight(t, t->keys.pattern.both ? 2 : 1);
	return 0;
}

static void ring(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	uint32_t next = (rank + 1) % t->ranks, last = (rank + t->ranks - 1) % t->ranks;

	(void)round;
	(void)step;
	to(x, next);
	from(x, last);
	if (!t->keys.pattern.both)
		return;
	to(x, last);
	from(x, next);
}

static int find_random_order(struct traffic *t, struct err *e)
{
	t->ring = traffic_placement(t->ranks, t->ranks, true, t->keys.pattern.seed, e);
	t->position = t->ring ? traffic_placement(t->ranks, t->ranks, false, 0, e) : NULL;
	if (!t->position)
		return -1;
	for (uint32_t i = 0; i < t->ranks; i++)
		t->position[t->ring[i]] = i;
	return 0;
}

static int check_random_ring(struct traffic *t, struct err *e)
{
	return find_random_order(t, e) ? -1 : check_ring(t, e);
}

static void random_ring(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	ring(t, t->position[rank], round, step, x);
	for (unsigned i = 0; i < x->sends; i++) {
		x->to[i] = t->ring[x->to[i]];
		x->from[i] = t->ring[x->from[i]];
	}
}

static void nearest(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	uint32_t stride = 1;

	(void)round;
	(void)step;
	for (unsigned d = 0; d < t->dimensions; stride *= t->dims[d++]) {
		uint32_t n = t->dims[d], at = rank / stride % n;
		uint32_t up = rank + (at + 1 < n ? stride : 0) - (at + 1 < n ? 0 : (n - 1) * stride);
		uint32_t down = rank - (at ? stride : 0) + (at ? 0 : (n - 1) * stride);

		if (n == 1)
			continue;
		to(x, up);
		from(x, down);
		if (n == 2)
			continue;
		to(x, down);
		from(x, up);
	}
}

static int check_nearest(struct traffic *t, struct err *e)
{
	struct exchange x = {0};

	if (!t->dimensions)
		return err_set(e, STATUS_USAGE,
			       "pattern: nearest needs a grid of %" PRIu32 " ranks, expected dims=AxB…", t->ranks);
	nearest(t, 0, 0, 0, &x);
	t->steps = 1;
	t->messages = (uint64_t)t->ranks * x.sends;
	allow_in_flight(t, x.sends);
	return 0;
}

/* ---- one to all ---- */

static int check_broadcast(struct traffic *t, struct err *e)
{
	(void)e;
	t->steps = 1;
	t->messages = t->ranks - 1;
	t->waits = true;
	return 0;
}

/* The parent's rank has the lowest bit cleared; the farthest child comes first (MPICH's binomial tree). */
static void broadcast(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	uint64_t n = t->ranks, mine = (rank + n - t->keys.pattern.root) % n, bit = 1;

	(void)round;
	(void)step;
	x->receive_first = true;
	while (bit < n && !(mine & bit))
		bit <<= 1;
	if (mine)
		from(x, (uint32_t)((mine - bit + t->keys.pattern.root) % n));
	for (bit >>= 1; bit; bit >>= 1)
		if (mine + bit < n)
			to(x, (uint32_t)((mine + bit + t->keys.pattern.root) % n));
}

static int check_flat(struct traffic *t, struct err *e)
{
	(void)e;
	t->steps = t->ranks - 1;
	t->messages = t->steps;
	return 0;
}

static void broadcast_flat(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	uint32_t n = t->ranks, other = (uint32_t)((t->keys.pattern.root + 1 + step) % n);

	(void)round;
	if (rank == t->keys.pattern.root)
		to(x, other);
	if (rank == other)
		from(x, t->keys.pattern.root);
}

/* ---- one partner, fixed or random; `messages` to it ---- */

static int check_messages(struct traffic *t, struct err *e)
{
	(void)e;
	t->messages = (uint64_t)t->ranks * t->keys.pattern.messages;
	return 0;
}

static uint32_t anybody(const struct traffic *t, uint32_t rank, uint64_t number)
{
	uint64_t other = rng_below(t->keys.pattern.seed, (uint64_t)STREAM_PEERS << 32 | rank, number, t->ranks - 1);

	return (uint32_t)(other < rank ? other : other + 1);
}

static void uniform(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	to(x, anybody(t, rank, round * t->steps + step));
}

static void hot_spot(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	uint64_t number = round * t->steps + step;
	bool hot = rng_unit(t->keys.pattern.seed, (uint64_t)STREAM_SHARE << 32 | rank, number) < t->keys.pattern.share;

	to(x, hot && rank != t->keys.pattern.root ? t->keys.pattern.root : anybody(t, rank, number));
}

static int check_incast(struct traffic *t, struct err *e)
{
	(void)e;
	t->messages = (uint64_t)(t->ranks - 1) * t->keys.pattern.messages;
	return 0;
}

static void incast(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	(void)round;
	(void)step;
	if (rank != t->keys.pattern.root)
		to(x, t->keys.pattern.root);
}

/* Counts the messages of partners; a rank that is its own partner sends none. */
static int check_partners(struct traffic *t, struct err *e)
{
	uint64_t senders = 0;

	for (uint32_t i = 0; i < t->ranks; i++) {
		struct exchange x = {0};

		t->kind->step(t, i, 0, 0, &x);
		senders += x.sends > 0;
	}
	t->messages = senders * t->keys.pattern.messages;
	return senders ? 0
		       : err_set(e, STATUS_USAGE,
				 "pattern: %s: each of the %" PRIu32
				 " ranks is its own partner, expected ranks that send",
				 t->kind->name, t->ranks);
}

static int check_transpose(struct traffic *t, struct err *e)
{
	return check_square(t, e) ? -1 : check_partners(t, e);
}

static void partner(uint32_t rank, uint32_t other, struct exchange *x)
{
	if (other == rank)
		return;
	to(x, other);
	from(x, other);
}

static void transpose(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	uint32_t n = t->dims[0];

	(void)round;
	(void)step;
	partner(rank, rank / n + rank % n * n, x);
}

static void bit_complement(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	(void)round;
	(void)step;
	partner(rank, t->ranks - 1 - rank, x);
}

/* The permutations of bits that follow are those of W. Dally, B. Towles (below), of the b bits of a rank. */
static int check_bits(struct traffic *t, struct err *e)
{
	return check_power(t, e) ? -1 : check_partners(t, e);
}

static void bit_reverse(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	uint32_t other = 0;

	(void)round;
	(void)step;
	for (uint32_t bit = 1; bit < t->ranks; bit <<= 1)
		other = other << 1 | (rank / bit & 1);
	partner(rank, other, x);
}

static void shuffle(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	uint32_t half = t->ranks / 2, next = rank % half * 2 + rank / half, last = rank / 2 + rank % 2 * half;

	(void)round;
	(void)step;
	if (next == rank)
		return;
	to(x, next);
	from(x, last);
}

static int check_permutation(struct traffic *t, struct err *e)
{
	return find_random_order(t, e) ? -1 : check_partners(t, e);
}

static void permutation(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	(void)round;
	(void)step;
	if (t->ring[rank] == rank)
		return;
	to(x, t->ring[rank]);
	from(x, t->position[rank]);
}

static int check_worst(struct traffic *t, struct err *e)
{
	double load;

	if (t->ranks != t->topology->nodes)
		return err_set(e, STATUS_USAGE,
			       "pattern: worst_case of %" PRIu32 " ranks, expected one on each of %" PRIu32
			       " nodes in order",
			       t->ranks, t->topology->nodes);
	if (find_random_order(t, e) || worst_case_find(t->topology, t->ring, &load, e))
		return -1;
	for (uint32_t i = 0; i < t->ranks; i++)
		t->position[t->ring[i]] = i;
	return check_partners(t, e);
}

static void worst_case(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	permutation(t, rank, round, step, x);
}

static int check_shift(struct traffic *t, struct err *e)
{
	uint64_t by = t->keys.pattern.by ? t->keys.pattern.by : t->ranks / 2;

	if (by >= t->ranks)
		return err_set(e, STATUS_USAGE, "pattern: by=%" PRIu64 " of %" PRIu32 " ranks, expected less", by,
			       t->ranks);
	t->keys.pattern.by = (uint32_t)by;
	return check_messages(t, e);
}

static void shift(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	uint64_t by = t->keys.pattern.by;

	(void)round;
	(void)step;
	to(x, (uint32_t)((rank + by) % t->ranks));
	from(x, (uint32_t)((rank + t->ranks - by) % t->ranks));
}

/* ---- one partner, by the same distance in each dimension of a grid ---- */

static int check_grid(struct traffic *t, struct err *e)
{
	if (!t->dimensions)
		return err_set(e, STATUS_USAGE, "pattern: %s needs a grid of %" PRIu32 " ranks, expected dims=AxB…",
			       t->kind->name, t->ranks);
	return check_partners(t, e);
}

/* The distances of W. Dally, B. Towles, "Principles and Practices of Interconnection Networks" (2004), table 3.1. */
static uint32_t tornado_distance(uint32_t n)
{
	return (n + 1) / 2 - 1;
}

static uint32_t neighbor_distance(uint32_t n)
{
	return n > 1;
}

static uint32_t moved(const struct traffic *t, uint32_t rank, uint32_t (*distance)(uint32_t n), bool back)
{
	uint32_t stride = 1, at = 0;

	for (unsigned d = 0; d < t->dimensions; stride *= t->dims[d++]) {
		uint32_t n = t->dims[d], far = distance(n);

		at += (rank / stride % n + (back ? n - far : far)) % n * stride;
	}
	return at;
}

static void move_by(const struct traffic *t, uint32_t rank, uint32_t (*distance)(uint32_t n), struct exchange *x)
{
	if (moved(t, rank, distance, false) == rank)
		return;
	to(x, moved(t, rank, distance, false));
	from(x, moved(t, rank, distance, true));
}

static void tornado(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	(void)round;
	(void)step;
	move_by(t, rank, tornado_distance, x);
}

static void neighbor(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	(void)round;
	(void)step;
	move_by(t, rank, neighbor_distance, x);
}

/*
 * The worst case of minimal routing on a dragonfly (J. Kim et al., ISCA 2008): each pair of groups
 * has only one or a few links.
 */
static int check_group(struct traffic *t, struct err *e)
{
	uint64_t group = t->keys.pattern.group ? t->keys.pattern.group : 1;

	for (unsigned d = 0; !t->keys.pattern.group && d + 1 < t->dimensions; d++)
		group *= t->dims[d];
	if (t->ranks % group || t->ranks / group < 2)
		return err_set(e, STATUS_USAGE,
			       "pattern: groups of %" PRIu64 " of %" PRIu32
			       " ranks, expected a divisor, and two or more groups",
			       group, t->ranks);
	t->keys.pattern.group = (uint32_t)group;
	return check_messages(t, e);
}

static void next_group(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	uint32_t size = (uint32_t)t->keys.pattern.group, first = (rank / size + 1) * size % t->ranks;
	uint64_t number = round * t->steps + step;

	to(x, first + (uint32_t)rng_below(t->keys.pattern.seed, (uint64_t)STREAM_PEERS << 32 | rank, number, size));
}

/* ---- pairs of a file ---- */

static int check_pairs(struct traffic *t, struct err *e)
{
	if (!*t->keys.pattern.file)
		return err_set(e, STATUS_USAGE, "pattern: pairs without a file, expected pairs:file=NAME");
	t->pairs = pairs_read(t->keys.pattern.file, t->ranks, e);
	if (!t->pairs)
		return -1;
	t->messages = 0;
	for (uint32_t i = 0; i < t->ranks; i++)
		t->messages += pairs_sends(t->pairs, i) ? t->keys.pattern.messages : 0;
	return 0;
}

static void pairs(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	if (pairs_sends(t->pairs, rank))
		to(x, pairs_draw(t->pairs, t->keys.pattern.seed, rank, round * t->steps + step));
}

/* ---- mixtures ---- */

/* Checks a pattern of a mixture as if it were alone: one partner a step. */
static int check_mixed(struct traffic *t, const struct pattern_kind *part, const struct pattern_kind *whole,
		       struct err *e)
{
	int ret;

	t->steps = t->keys.pattern.messages;
	t->kind = part;
	ret = part == whole ? 1 : part->check(t, e);
	t->kind = whole;
	if (ret < 0)
		return -1;
	if (ret > 0 || t->steps != t->keys.pattern.messages || t->waits)
		return err_set(e, STATUS_USAGE,
			       "pattern: mix: %s is no pattern of single messages, expected uniform or those behind it",
			       part->name);
	return 0;
}

static int check_mix(struct traffic *t, struct err *e)
{
	unsigned count;
	const struct pattern_kind *kinds = pattern_kinds(&count), *whole = t->kind;

	if (!(t->mix_sum > 0))
		return err_set(e, STATUS_USAGE, "pattern: mix: weights of sum %g, expected more than 0, as uniform=0.9",
			       t->mix_sum);
	for (unsigned i = 0; i < count; i++)
		if (t->mix[i] > 0 && check_mixed(t, &kinds[i], whole, e) < 0)
			return -1;
	t->messages = 0; /* those that would go to their sender are not sent */
	return 0;
}

static void mix(const struct traffic *t, uint32_t rank, uint64_t round, uint64_t step, struct exchange *x)
{
	unsigned count, i = 0;
	const struct pattern_kind *kinds = pattern_kinds(&count);
	double at =
		t->mix_sum * rng_unit(t->keys.pattern.seed, (uint64_t)STREAM_MIX << 32 | rank, round * t->steps + step);

	while (i + 1 < count && at >= t->mix[i])
		at -= t->mix[i++];
	while (!(t->mix[i] > 0)) /* rounding */
		i--;
	kinds[i].step(t, rank, round, step, x);
	x->receives = 0;
}

/* ---- the table ---- */

#define SECTION(name, doc)
#define P(field, type, initial, min, max, unit, doc)
#define E(field, initial, choices, doc)
#define END(name)
#define PATTERN(name_, check_, one_sided_, doc_) \
	{.name = #name_, .doc = doc_, .check = check_, .step = name_, .one_sided = one_sided_},
static const struct pattern_kind kinds[] = {
#include "pattern.def"
};
#undef SECTION
#undef P
#undef E
#undef END
#undef PATTERN

const struct pattern_kind *pattern_kinds(unsigned *count)
{
	*count = sizeof(kinds) / sizeof(kinds[0]);
	return kinds;
}

_Static_assert(sizeof(kinds) / sizeof(kinds[0]) <= PATTERN_KINDS_MAX, "weights of a mixture have room for all kinds");
