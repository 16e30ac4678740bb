/*
 * Datatypes made at random, trees of other types, beside what the standard says of their type maps (MPI 3.1, chapter
 * 4): size, bounds, true bounds, what is packed and unpacked, and the elements of receives that got a part.
 *
 *   trees [common|standard] [TREES]
 *
 * `common` makes only such types in which real MPIs keep to the standard: Open MPI 4.1 pads a struct several times if
 * its members are not aligned, and takes vectors of stride -1 as contiguous; MPICH 4.0 pads no types but structs, does
 * not let set bounds count before others, and divides by zero in MPI_Get_elements of some structs.
 */
#include "check.h"

#include <stddef.h>
#include <stdint.h>

enum { DEPTH = 3, CHILDREN = 4, MAP_MOST = 3000, HALF = 1 << 16 };

/* One basic element of a type map. */
struct entry {
	long at;
	int size;
};

struct tree {
	MPI_Datatype type;
	int basic; /* not to be freed */
	long lb, ub, align;
	int lb_set, ub_set; /* bounds of the program's: a resized type, a subarray */
	int count;
	struct entry map[MAP_MOST];
};

struct maker {
	uint64_t state;
	int common, too_large;
};

static int below(struct maker *m, int n)
{
	m->state = m->state * 6364136223846793005u + 1442695040888963407u;
	return (int)((m->state >> 33) % (uint64_t)n);
}

/* ---- the standard's type maps ---- */

static long true_lb(const struct tree *t)
{
	long low = t->count ? t->map[0].at : 0;

	for (int i = 1; i < t->count; i++)
		low = t->map[i].at < low ? t->map[i].at : low;
	return low;
}

static long true_ub(const struct tree *t)
{
	long high = t->count ? t->map[0].at + t->map[0].size : 0;

	for (int i = 1; i < t->count; i++)
		high = t->map[i].at + t->map[i].size > high ? t->map[i].at + t->map[i].size : high;
	return high;
}

static long size_of(const struct tree *t)
{
	long bytes = 0;

	for (int i = 0; i < t->count; i++)
		bytes += t->map[i].size;
	return bytes;
}

/* `length` of `from`, an extent apart, the first at `at`. */
static void put(struct maker *m, struct tree *to, const struct tree *from, long at, int length)
{
	for (int k = 0; k < length; k++, at += from->ub - from->lb) {
		if (to->count + from->count > MAP_MOST) {
			m->too_large = 1;
			return;
		}
		for (int i = 0; i < from->count; i++)
			to->map[to->count++] = (struct entry){from->map[i].at + at, from->map[i].size};
		if (from->lb_set && (!to->lb_set || from->lb + at < to->lb))
			to->lb = from->lb + at;
		if (from->ub_set && (!to->ub_set || from->ub + at > to->ub))
			to->ub = from->ub + at;
		to->lb_set = to->lb_set || from->lb_set;
		to->ub_set = to->ub_set || from->ub_set;
		to->align = from->align > to->align ? from->align : to->align;
	}
}

/* Bounds that nobody set: those of the entries, and what makes the extent a multiple of the alignment. */
static void bounds(struct tree *t)
{
	if (!t->lb_set)
		t->lb = true_lb(t);
	if (!t->ub_set)
		for (t->ub = true_ub(t); (t->ub - t->lb) % t->align;)
			t->ub++;
}

/* ---- making them ---- */

#define ENTRY(ctype, at) \
	{ \
		at, (int)sizeof(ctype) \
	}
#define PAIR(ctype) \
	{0, (int)sizeof(ctype)}, \
	{ \
		offsetof( \
			struct { \
				ctype value; \
				int index; \
			}, \
			index), \
			(int)sizeof(int) \
	}
#define ALIGN(ctype) \
	offsetof( \
		struct { \
			char c; \
			ctype x; \
		}, \
		x)
static void leaf(struct maker *m, struct tree *t)
{
	static const struct {
		int count, align, bytes;
		struct entry map[2];
	} leaves[] = {
		{1, ALIGN(char), sizeof(char), {ENTRY(char, 0)}},
		{1, ALIGN(short), sizeof(short), {ENTRY(short, 0)}},
		{1, ALIGN(int), sizeof(int), {ENTRY(int, 0)}},
		{1, ALIGN(double), sizeof(double), {ENTRY(double, 0)}},
		{1, ALIGN(float), sizeof(float), {ENTRY(float, 0)}},
		{1, ALIGN(long), sizeof(long), {ENTRY(long, 0)}},
		{2,
		 ALIGN(double),
		 sizeof(struct {
			 double d;
			 int i;
		 }),
		 {PAIR(double)}},
		{2,
		 ALIGN(int),
		 sizeof(struct {
			 short d;
			 int i;
		 }),
		 {PAIR(short)}},
		{2,
		 ALIGN(int),
		 sizeof(struct {
			 int d;
			 int i;
		 }),
		 {PAIR(int)}},
		{2,
		 ALIGN(long),
		 sizeof(struct {
			 long d;
			 int i;
		 }),
		 {PAIR(long)}},
	};
	MPI_Datatype types[] = {MPI_CHAR, MPI_SHORT,      MPI_INT,       MPI_DOUBLE, MPI_FLOAT,
				MPI_LONG, MPI_DOUBLE_INT, MPI_SHORT_INT, MPI_2INT,   MPI_LONG_INT};
	int i = below(m, m->common ? 6 : 10);

	t->type = types[i];
	t->basic = 1;
	t->count = leaves[i].count;
	t->align = leaves[i].align;
	t->ub = leaves[i].bytes;
	memcpy(t->map, leaves[i].map, sizeof(leaves[i].map));
}

/* A multiple of 16 where types shall be aligned. */
static int bytes_near(struct maker *m, int low, int high)
{
	int n = low + below(m, high - low);

	return m->common ? n / 16 * 16 : n;
}

/* Bounds of the program's. */
static void set_bounds(struct tree *t, long lb, long extent)
{
	t->lb = lb;
	t->ub = lb + extent;
	t->lb_set = t->ub_set = 1;
}

static void subarray(struct maker *m, struct tree *t, const struct tree *of)
{
	int size[2], part[2], from[2], fortran = below(m, 2), fast = fortran ? 0 : 1, slow = 1 - fast;
	long extent = of->ub - of->lb;

	for (int i = 0; i < 2; i++) {
		size[i] = 2 + below(m, 3);
		part[i] = 1 + below(m, size[i]);
		from[i] = below(m, size[i] - part[i] + 1);
	}
	MPI_Type_create_subarray(2, size, part, from, fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C, of->type, &t->type);
	for (int i = 0; i < part[slow]; i++)
		put(m, t, of, ((from[slow] + i) * size[fast] + from[fast]) * extent, part[fast]);
	set_bounds(t, 0, extent * size[0] * size[1]);
}

static void resized(struct maker *m, struct tree *t, const struct tree *of)
{
	int lb = bytes_near(m, -20, 40), extent = bytes_near(m, 16, 120);

	MPI_Type_create_resized(of->type, lb, extent, &t->type);
	put(m, t, of, 0, 1);
	set_bounds(t, lb, extent);
}

/* Blocks in a row, or apart by a stride of elements or of bytes. */
static void regular(struct maker *m, struct tree *t, const struct tree *of, int kind)
{
	int count = 1 + below(m, 3), length = kind ? 1 + below(m, 3) : 1, stride = 1;
	long apart = of->ub - of->lb;

	if (kind == 0)
		MPI_Type_contiguous(count, of->type, &t->type);
	if (kind == 1) {
		stride = below(m, 9) - (m->common ? 0 : 3);
		apart *= stride;
		MPI_Type_vector(count, length, stride, of->type, &t->type);
	}
	if (kind == 2) {
		apart = bytes_near(m, m->common ? 0 : -30, 90);
		MPI_Type_create_hvector(count, length, apart, of->type, &t->type);
	}
	for (int i = 0; i < count; i++)
		put(m, t, of, i * apart, length);
}

/* Blocks of several lengths and places: of one type, or of one each. */
static void listed(struct maker *m, struct tree *t, struct tree *const *of, int children, int kind)
{
	int count = kind == 3 ? children : 1 + below(m, 3), length[CHILDREN], places[CHILDREN], block = 1 + below(m, 2);
	MPI_Aint at[CHILDREN];
	MPI_Datatype types[CHILDREN];

	for (int i = 0; i < count; i++) {
		length[i] = !m->common && i && below(m, 4) == 0 ? 0 : 1 + below(m, 3);
		places[i] = below(m, 12) - 3;
		at[i] = bytes_near(m, -20, 80);
		if (m->common && kind == 3)
			at[i] -= of[i]->lb;
		types[i] = of[kind == 3 ? i : 0]->type;
	}
	if (kind == 0)
		MPI_Type_indexed(count, length, places, of[0]->type, &t->type);
	if (kind == 1)
		MPI_Type_create_hindexed(count, length, at, of[0]->type, &t->type);
	if (kind == 2)
		MPI_Type_create_indexed_block(count, block, places, of[0]->type, &t->type);
	if (kind == 3)
		MPI_Type_create_struct(count, length, at, types, &t->type);
	for (int i = 0; i < count; i++)
		put(m, t, of[kind == 3 ? i : 0], kind % 2 ? at[i] : places[i] * (of[0]->ub - of[0]->lb),
		    kind == 2 ? block : length[i]);
}

static struct tree *make(struct maker *m, int depth)
{
	enum { REGULAR = 3, LISTED = 7, STRUCT = 6, SUBARRAY = 7, RESIZED = 8, KINDS = 9 };
	struct tree *t = calloc(1, sizeof(*t)), *of[CHILDREN] = {0};
	/* bounds that are set count differently in real MPIs where they are within other types */
	int kinds = m->common && depth < DEPTH ? LISTED : KINDS, kind = below(m, kinds), children;

	t->align = 1;
	if (depth == 0 || below(m, 6) == 0) {
		leaf(m, t);
		return t;
	}
	children = kind == STRUCT ? 1 + below(m, 3) : 1;
	for (int i = 0; i < children; i++)
		of[i] = make(m, depth - 1);
	if (kind < REGULAR)
		regular(m, t, of[0], kind);
	else if (kind < LISTED)
		listed(m, t, of, children, kind - REGULAR);
	else if (kind == SUBARRAY)
		subarray(m, t, of[0]);
	else if (kind == RESIZED)
		resized(m, t, of[0]);
	bounds(t);
	for (int i = 0; i < children; i++) {
		if (!of[i]->basic)
			MPI_Type_free(&of[i]->type);
		free(of[i]);
	}
	return t;
}

/* ---- comparing ---- */

/* `n` entries of elements of `t` between a buffer and the packed form. */
static long copy(const struct tree *t, int n, unsigned char *buffer, unsigned char *packed, int in)
{
	unsigned char *p = packed;

	for (int i = 0; i < n; i++) {
		const struct entry *e = &t->map[i % t->count];
		unsigned char *at = buffer + i / t->count * (t->ub - t->lb) + e->at;

		memcpy(in ? at : p, in ? p : at, (size_t)e->size);
		p += e->size;
	}
	return p - packed;
}

struct buffers {
	unsigned char from[2 * HALF], to[2 * HALF], wanted[2 * HALF], packed[HALF], model[HALF];
};

static void compare_data(struct checks *c, struct maker *m, const struct tree *t, struct buffers *b)
{
	int count = 1 + below(m, 3), part = below(m, count * t->count + 1), position = 0, got, elements;
	long bytes = copy(t, count * t->count, b->from + HALF, b->model, 0);
	MPI_Status status;

	MPI_Pack(b->from + HALF, count, t->type, b->packed, HALF, &position, MPI_COMM_SELF);
	CHECK(c, position == bytes && memcmp(b->packed, b->model, (size_t)bytes) == 0);
	memset(b->to, 0x55, sizeof(b->to));
	memset(b->wanted, 0x55, sizeof(b->wanted));
	copy(t, count * t->count, b->wanted + HALF, b->model, 1);
	position = 0;
	MPI_Unpack(b->packed, (int)bytes, &position, b->to + HALF, count, t->type, MPI_COMM_SELF);
	CHECK(c, position == bytes && memcmp(b->to, b->wanted, sizeof(b->to)) == 0);

	memset(b->to, 0x55, sizeof(b->to));
	memset(b->wanted, 0x55, sizeof(b->wanted));
	bytes = copy(t, part, b->wanted + HALF, b->model, 1);
	MPI_Sendrecv(b->packed, (int)bytes, MPI_PACKED, 0, 0, b->to + HALF, count, t->type, 0, 0, MPI_COMM_SELF,
		     &status);
	CHECK(c, memcmp(b->to, b->wanted, sizeof(b->to)) == 0);
#ifdef MPICH_VERSION
	elements = part;
#else
	MPI_Get_elements(&status, t->type, &elements);
#endif
	MPI_Get_count(&status, t->type, &got);
	CHECK(c, elements == part);
	CHECK(c, got == (part % t->count ? MPI_UNDEFINED : part / t->count));
}

static void compare(struct checks *c, struct maker *m, int number, struct buffers *b)
{
	struct tree *t = make(m, DEPTH);
	MPI_Aint lb, extent, low, reach;
	int size, bad = c->bad;

	MPI_Type_commit(&t->type);
	if (!m->too_large) {
		MPI_Type_size(t->type, &size);
		MPI_Type_get_extent(t->type, &lb, &extent);
		MPI_Type_get_true_extent(t->type, &low, &reach);
		CHECK(c, size == size_of(t));
		CHECK(c, lb == t->lb && extent == t->ub - t->lb);
		CHECK(c, low == true_lb(t) && reach == true_ub(t) - true_lb(t));
		if (labs(t->lb) < HALF / 8 && labs(t->ub) < HALF / 8 && labs(low) < HALF / 8 && reach < HALF / 8)
			compare_data(c, m, t, b);
		if (c->rank == 0)
			printf("%d: size %d, from %ld, extent %ld, true from %ld, %ld\n", number, size, (long)lb,
			       (long)extent, (long)low, (long)reach);
		if (c->bad != bad)
			fprintf(stderr, "tree %d: the standard has from %ld, extent %ld\n", number, t->lb,
				t->ub - t->lb);
	}
	if (!t->basic)
		MPI_Type_free(&t->type);
	free(t);
}

int main(int argc, char **argv)
{
	struct checks c;
	struct maker m = {0};
	struct buffers *b = malloc(sizeof(*b));
	int trees;

	checks_begin(&c, &argc, &argv);
	m.common = argc < 2 || strcmp(argv[1], "standard") != 0;
	trees = argc < 3 ? 1000 : atoi(argv[2]);
	for (size_t i = 0; i < sizeof(b->from); i++)
		b->from[i] = (unsigned char)(i * 31 + i / 256);
	for (int i = 0; i < trees && c.rank == 0; i++) {
		m.state = (uint64_t)i * 7919 + 12345;
		m.too_large = 0;
		below(&m, 2);
		compare(&c, &m, i, b);
	}
	free(b);
	return checks_end(&c, "trees of datatypes");
}
