/*
 * Structures with members of two sizes, compared with the same loops without the directive. Members share doubles, so
 * that a structure moves as a whole; what is between and behind them stays as it is. Small integers: all is exact.
 */
#include <stdio.h>
#include <string.h>

#define LEAF __attribute__((noipa)) static
#define PRAGMA(x) _Pragma(#x)
/* A function of n structures, with the directive and without. */
#define NEST(name, of, ...) \
	LEAF void name##_array(long n, struct of *p, double s){PRAGMA(omp simd) __VA_ARGS__} LEAF void name##_scalar( \
		long n, struct of *p, double s) \
	{ \
		__VA_ARGS__ \
	}

enum { ROOM = 200 }; /* structures: three for each of 64 lanes, and some behind them */

struct point {
	double x;
	float mass, charge;
	double y;
};

struct odd { /* a single alone at either end: 24 bytes, the last four are nobody's */
	float a;
	double x;
	float b;
};

struct singles {
	float a, b, c;
	double x;
	float d;
};

NEST(pull, point, for (int i = 0; i < n; i++) p[i].x += s * p[i].mass;)
NEST(
	both, point, for (int i = 0; i < n; i++) {
		p[i].x += s * p[i].mass;
		p[i].charge = p[i].mass * 2;
	})
NEST(
	set, point, for (int i = 0; i < n; i++) {
		p[i].x = 2;
		p[i].charge = 3;
	})
NEST(backwards, point, for (int i = n - 1; i >= 0; i--) p[i].charge = p[i].x;)
NEST(next, point, for (int i = 0; i < n - 1; i++) p[i].mass = p[i + 1].x + s;)
NEST(
	three, point, for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) {
		p[3 * i + j].mass = p[3 * i + j].x + s;
		p[3 * i + j].y = p[3 * i + j].charge;
	})
NEST(
	ends, odd, for (int i = 0; i < n; i++) {
		p[i].x = p[i].a * 2;
		p[i].b -= p[i].a;
	})
NEST(every_other, odd, for (int i = 0; i < n; i += 2) p[i].a = p[i].x + s;)
NEST(
	middle, singles, for (int i = 0; i < n; i++) {
		p[i].b = p[i].x + s;
		p[i].d = p[i].c;
	})
NEST(
	rotate, singles, for (int i = 1; i < n; i++) {
		p[i].b = p[i].x + s;
		p[i].x = p[i].c;
	})
/* Each lane needs what the one before it has stored. */
NEST(chain, point, for (int i = 1; i < n; i++) p[i].mass = p[i - 1].mass + p[i].x;)

static union {
	struct point points[ROOM];
	struct odd odds[ROOM];
	struct singles singles[ROOM];
} memory[2]; /* of the array and of the scalar core */

static void fill_points(struct point *p)
{
	for (int i = 0; i < ROOM; i++)
		p[i] = (struct point){i % 7, i % 5, i % 3, i % 11};
}

static void fill_odds(struct odd *p)
{
	for (int i = 0; i < ROOM; i++)
		p[i] = (struct odd){i % 7, i % 5, i % 3};
}

static void fill_singles(struct singles *p)
{
	for (int i = 0; i < ROOM; i++)
		p[i] = (struct singles){i % 7, i % 5, i % 3, i % 11, i % 13};
}

#define TRY(name, of, n) \
	(memset(memory, 0, sizeof(memory)), fill_##of(memory[0].of), fill_##of(memory[1].of), \
	 name##_array(n, memory[0].of, 3), name##_scalar(n, memory[1].of, 3), differ(#name, n))

static int differ(const char *name, long n)
{
	int bad = memcmp(&memory[0], &memory[1], sizeof(memory[0])) != 0;

	if (bad)
		printf("%s with n = %ld differs\n", name, n);
	return bad;
}

int main(void)
{
	static const long extents[] = {1, 2, 3, 33, 64};
	int bad = 0;

	for (unsigned k = 0; k < sizeof(extents) / sizeof(*extents); k++) {
		long n = extents[k];

		bad += TRY(pull, points, n) + TRY(both, points, n) + TRY(set, points, n);
		bad += TRY(backwards, points, n) + TRY(next, points, n) + TRY(three, points, n);
		bad += TRY(ends, odds, n) + TRY(every_other, odds, n);
		bad += TRY(middle, singles, n) + TRY(rotate, singles, n) + TRY(chain, points, n);
	}
	printf("nests: %d wrong\n", bad);
	return bad != 0;
}
