/* Datatypes: what of a buffer goes, and where it lands. At least 2 ranks; 0 and 1 work. */
#include "check.h"

#include <stddef.h>

/* Rank 0 sends `count` of `type` from `from`; rank 1 gets them as ints. Returns the number of ints. */
static int as_ints(struct checks *c, const int *from, int count, MPI_Datatype type, int *to, int room)
{
	MPI_Status status;
	int n = 0;

	if (c->rank == 0)
		MPI_Send(from, count, type, 1, 0, MPI_COMM_WORLD);
	if (c->rank != 1)
		return 0;
	for (int i = 0; i < room; i++)
		to[i] = -1;
	MPI_Recv(to, room, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
	MPI_Get_count(&status, MPI_INT, &n);
	return n;
}

static int equal(const int *a, const int *b, int n)
{
	return memcmp(a, b, (size_t)n * sizeof(int)) == 0;
}

static void vectors(struct checks *c)
{
	static const int two[] = {0, 1, 5, 6, 10, 11, 11, 12, 16, 17, 21, 22};
	int from[40], to[40], size, n;
	MPI_Datatype type, column;
	MPI_Aint lb, extent;

	for (int i = 0; i < 40; i++)
		from[i] = i;
	MPI_Type_vector(3, 2, 5, MPI_INT, &type);
	MPI_Type_commit(&type);
	MPI_Type_size(type, &size);
	MPI_Type_get_extent(type, &lb, &extent);
	CHECK(c, size == 24 && lb == 0 && extent == 12 * (int)sizeof(int));
	/* the second one begins after the extent: at element 12; so 12 and 13, 17 and 18, 22 and 23 */
	n = as_ints(c, from, 2, type, to, 40);
	CHECK(c, c->rank != 1 || n == 12);
	CHECK(c, c->rank != 1 || (equal(to, two, 6) && to[6] == 12 && to[11] == 23));
	MPI_Type_create_resized(type, 0, sizeof(int), &column); /* columns beside each other */
	MPI_Type_commit(&column);
	n = as_ints(c, from, 2, column, to, 40);
	CHECK(c, c->rank != 1 || (n == 12 && to[0] == 0 && to[6] == 1 && to[7] == 2 && to[11] == 12));
	MPI_Type_free(&type);
	MPI_Type_free(&column);
	CHECK(c, type == MPI_DATATYPE_NULL);
}

static void indexed(struct checks *c)
{
	static const int lengths[] = {2, 0, 3}, places[] = {7, 1, 0}, expected[] = {7, 8, 0, 1, 2};
	static const int blocks[] = {4, 0};
	int from[20], to[20], n;
	MPI_Datatype type, pair;
	MPI_Aint lb, extent;

	for (int i = 0; i < 20; i++)
		from[i] = i;
	MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
	MPI_Type_commit(&type);
	MPI_Type_get_extent(type, &lb, &extent);
	CHECK(c, lb == 0 && extent == 9 * (int)sizeof(int));
	n = as_ints(c, from, 1, type, to, 20);
	CHECK(c, c->rank != 1 || (n == 5 && equal(to, expected, 5)));
	MPI_Type_free(&type);
	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_create_indexed_block(2, 1, blocks, pair, &type);
	MPI_Type_commit(&type);
	n = as_ints(c, from, 1, type, to, 20);
	CHECK(c, c->rank != 1 || (n == 4 && to[0] == 8 && to[1] == 9 && to[2] == 0 && to[3] == 1));
	MPI_Type_free(&type);
	MPI_Type_free(&pair);
}

struct particle {
	double position[3];
	int kind;
	char name[5];
};

static void structures(struct checks *c)
{
	static const int lengths[] = {3, 1, 5};
	MPI_Aint places[] = {offsetof(struct particle, position), offsetof(struct particle, kind),
			     offsetof(struct particle, name)};
	MPI_Datatype parts[] = {MPI_DOUBLE, MPI_INT, MPI_CHAR}, type, whole;
	struct particle p[4];
	MPI_Status status;
	int size, count;

	MPI_Type_create_struct(3, lengths, places, parts, &type);
	MPI_Type_create_resized(type, 0, sizeof(struct particle), &whole);
	MPI_Type_commit(&whole);
	MPI_Type_free(&type);
	MPI_Type_size(whole, &size);
	CHECK(c, size == 3 * 8 + 4 + 5);
	memset(p, c->rank ? 0 : 0x55, sizeof(p));
	for (int i = 0; i < 4 && c->rank == 0; i++) {
		p[i].position[2] = i + 0.5;
		p[i].kind = i;
		strcpy(p[i].name, "abcd");
	}
	if (c->rank == 0)
		MPI_Send(p, 3, whole, 1, 0, MPI_COMM_WORLD);
	if (c->rank == 1) {
		MPI_Recv(p, 4, whole, 0, 0, MPI_COMM_WORLD, &status);
		MPI_Get_count(&status, whole, &count);
		CHECK(c, count == 3);
		MPI_Get_elements(&status, whole, &count);
		CHECK(c, count == 27);
		CHECK(c, p[2].position[2] == 2.5 && p[2].kind == 2 && strcmp(p[2].name, "abcd") == 0);
		CHECK(c, p[3].kind == 0);
	}
	MPI_Type_free(&whole);
}

/* A structure as the compiler lays it out, which nobody resized: 12 bytes of data every 16. */
static void padded(struct checks *c)
{
	struct element {
		double x;
		int n;
	} e[10];
	int lengths[] = {1, 1}, bad = 0, size;
	MPI_Aint places[] = {offsetof(struct element, x), offsetof(struct element, n)}, lb, extent;
	MPI_Datatype parts[] = {MPI_DOUBLE, MPI_INT}, type;

	MPI_Type_create_struct(2, lengths, places, parts, &type);
	MPI_Type_commit(&type);
	MPI_Type_size(type, &size);
	MPI_Type_get_extent(type, &lb, &extent);
	CHECK(c, size == 12 && lb == 0 && extent == sizeof(struct element));
	for (int i = 0; i < 10; i++)
		e[i] = (struct element){c->rank ? -1 : i + 0.5, c->rank ? -1 : i};
	if (c->rank == 0)
		MPI_Send(e, 10, type, 1, 0, MPI_COMM_WORLD);
	if (c->rank == 1) {
		MPI_Recv(e, 10, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		for (int i = 0; i < 10; i++)
			bad += e[i].x != i + 0.5 || e[i].n != i;
		CHECK(c, bad == 0);
	}
	MPI_Type_free(&type);
}

/* A copy has the type's bounds, those that were set among them, and is as committed as it. */
static void copies(struct checks *c)
{
	int from[20], to[20], size, n;
	MPI_Datatype pair, wide, copy, twice;
	MPI_Aint lb, extent, true_lb, true_extent;

	for (int i = 0; i < 20; i++)
		from[i] = i;
	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_create_resized(pair, -4, 20, &wide);
	MPI_Type_commit(&wide);
	MPI_Type_dup(wide, &copy);
	MPI_Type_free(&wide); /* the copy lives on */
	MPI_Type_size(copy, &size);
	MPI_Type_get_extent(copy, &lb, &extent);
	MPI_Type_get_true_extent(copy, &true_lb, &true_extent);
	CHECK(c, size == 8 && lb == -4 && extent == 20 && true_lb == 0 && true_extent == 8);
	/* the second one begins 20 bytes after the first */
	n = as_ints(c, from, 2, copy, to, 20);
	CHECK(c, c->rank != 1 || (n == 4 && to[0] == 0 && to[1] == 1 && to[2] == 5 && to[3] == 6));
	/* bounds that were set hold in types made of it: from -4 to 36 */
	MPI_Type_contiguous(2, copy, &twice);
	MPI_Type_get_extent(twice, &lb, &extent);
	CHECK(c, lb == -4 && extent == 40);
	MPI_Type_free(&twice);
	MPI_Type_free(&copy);
	MPI_Type_dup(pair, &copy); /* neither is committed */
	MPI_Type_commit(&copy);
	n = as_ints(c, from + 3, 1, copy, to, 20);
	CHECK(c, c->rank != 1 || (n == 2 && to[0] == 3 && to[1] == 4));
	MPI_Type_free(&copy);
	MPI_Type_free(&pair);
	MPI_Type_dup(MPI_INT, &copy);
	n = as_ints(c, from + 5, 1, copy, to, 20);
	CHECK(c, c->rank != 1 || (n == 1 && to[0] == 5));
	MPI_Type_free(&copy);
}

/* Calls of MPI-1 that MPI-3 has removed. Open MPI has no prototypes of them. */
static void removed(struct checks *c)
{
#ifndef OPEN_MPI
	int from[20], to[20], lengths[] = {1, 2}, n;
	MPI_Aint places[] = {16, 4}, lb, ub, extent;
	MPI_Datatype parts[] = {MPI_INT, MPI_INT}, type, wide;

	for (int i = 0; i < 20; i++)
		from[i] = i;
	MPI_Type_hvector(3, 2, 12, MPI_INT, &type); /* 0 1, 3 4, 6 7 */
	MPI_Type_commit(&type);
	MPI_Type_extent(type, &extent);
	CHECK(c, extent == 32);
	n = as_ints(c, from, 1, type, to, 20);
	CHECK(c, c->rank != 1 || (n == 6 && to[1] == 1 && to[2] == 3 && to[5] == 7));
	MPI_Type_free(&type);
	MPI_Type_struct(2, lengths, places, parts, &type); /* 4, 1 2 */
	MPI_Type_commit(&type);
	MPI_Type_lb(type, &lb);
	MPI_Type_ub(type, &ub);
	MPI_Type_extent(type, &extent);
	CHECK(c, lb == 4 && ub == 20 && extent == 16);
	n = as_ints(c, from, 1, type, to, 20);
	CHECK(c, c->rank != 1 || (n == 3 && to[0] == 4 && to[1] == 1 && to[2] == 2));
	MPI_Type_create_resized(type, -8, 64, &wide);
	MPI_Type_lb(wide, &lb);
	MPI_Type_ub(wide, &ub);
	MPI_Type_extent(wide, &extent);
	CHECK(c, lb == -8 && ub == 56 && extent == 64);
	MPI_Type_free(&wide);
	MPI_Type_free(&type);
#else
	(void)c;
#endif
}

/* A face of a cube goes, and lands in another place of another one. */
static void subarrays(struct checks *c)
{
	static const int sizes[] = {4, 5, 6}, part[] = {2, 1, 3}, from[] = {1, 4, 2}, to[] = {0, 0, 0};
	int cube[4][5][6], bad = 0;
	MPI_Datatype send, recv;

	for (int i = 0; i < 4 * 5 * 6; i++)
		(&cube[0][0][0])[i] = c->rank ? -1 : i;
	MPI_Type_create_subarray(3, sizes, part, from, MPI_ORDER_C, MPI_INT, &send);
	MPI_Type_create_subarray(3, sizes, part, to, MPI_ORDER_C, MPI_INT, &recv);
	MPI_Type_commit(&send);
	MPI_Type_commit(&recv);
	if (c->rank == 0)
		MPI_Send(cube, 1, send, 1, 0, MPI_COMM_WORLD);
	if (c->rank == 1) {
		MPI_Recv(cube, 1, recv, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		for (int i = 0; i < 2; i++)
			for (int k = 0; k < 3; k++)
				bad += cube[i][0][k] != ((1 + i) * 5 + 4) * 6 + 2 + k;
		CHECK(c, bad == 0 && cube[0][0][3] == -1 && cube[2][0][0] == -1);
	}
	MPI_Type_free(&send);
	MPI_Type_free(&recv);
}

static void packing(struct checks *c)
{
	char buffer[100];
	int position = 0, size, n = 5;
	double x[3] = {1, 2, 3};

	MPI_Pack_size(3, MPI_DOUBLE, MPI_COMM_WORLD, &size);
	CHECK(c, size >= 24);
	if (c->rank == 0) {
		MPI_Pack(&n, 1, MPI_INT, buffer, sizeof(buffer), &position, MPI_COMM_WORLD);
		MPI_Pack(x, 3, MPI_DOUBLE, buffer, sizeof(buffer), &position, MPI_COMM_WORLD);
		MPI_Send(buffer, position, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
	}
	if (c->rank == 1) {
		n = 0;
		memset(x, 0, sizeof(x));
		MPI_Recv(buffer, sizeof(buffer), MPI_PACKED, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Unpack(buffer, sizeof(buffer), &position, &n, 1, MPI_INT, MPI_COMM_WORLD);
		MPI_Unpack(buffer, sizeof(buffer), &position, x, 3, MPI_DOUBLE, MPI_COMM_WORLD);
		CHECK(c, n == 5 && x[0] == 1 && x[2] == 3);
	}
}

/* Absolute addresses, from BOTTOM. */
static void bottom(struct checks *c)
{
	int a = c->rank ? 0 : 11, b = c->rank ? 0 : 22, lengths[] = {1, 1};
	MPI_Aint places[2];
	MPI_Datatype types[] = {MPI_INT, MPI_INT}, type;

	MPI_Get_address(&a, &places[0]);
	MPI_Get_address(&b, &places[1]);
	MPI_Type_create_struct(2, lengths, places, types, &type);
	MPI_Type_commit(&type);
	if (c->rank == 0)
		MPI_Send(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD);
	if (c->rank == 1)
		MPI_Recv(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	CHECK(c, c->rank > 1 || (a == 11 && b == 22));
	MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
	struct checks c;

	checks_begin(&c, &argc, &argv);
	vectors(&c);
	indexed(&c);
	structures(&c);
	padded(&c);
	copies(&c);
	removed(&c);
	subarrays(&c);
	packing(&c);
	bottom(&c);
	return checks_end(&c, "datatypes");
}
