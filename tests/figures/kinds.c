/*
 * Small kernels of many kinds, for tests of sampling: kinds NAME SIZE REPETITIONS runs one in the region "kind" and
 * prints a checksum. kinds.py has sizes.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim_region.h"

static uint64_t seed = 88172645463325252u;

/* xorshift64: G. Marsaglia, Journal of Statistical Software 8, 2003. */
static uint64_t draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

enum { MOST = 1 << 20 };
static double a[MOST], b[MOST], c[MOST];
static int32_t key[MOST], tab[MOST];
static uint8_t byte[MOST];
static long sum;

static void fill(long n)
{
	for (long i = 0; i < n; i++) {
		a[i] = (double)(draw() % 1000);
		b[i] = (double)(draw() % 1000) + 1;
		key[i] = (int32_t)(draw() % 1000000007);
		byte[i] = (uint8_t)draw();
	}
}

/* ---- streams ---- */
static void triad(long n)
{
	for (long i = 0; i < n; i++)
		c[i] = a[i] + 3 * b[i];
}

static void total(long n)
{
	double s = 0;

	for (long i = 0; i < n; i++)
		s += a[i];
	sum += (long)s;
}

static void stride(long n)
{
	for (long k = 0; k < 16; k++)
		for (long i = k; i < n; i += 16)
			tab[i]++;
}

static void scan(long n)
{
	for (long i = 1; i < n; i++)
		c[i] = c[i - 1] * 0.5 + a[i];
}

static void gather(long n)
{
	double s = 0;

	for (long i = 0; i < n; i++)
		s += a[key[i] % n];
	sum += (long)s;
}

/* ---- histograms ---- */
static void histogram(long n)
{
	for (long i = 0; i < n; i++)
		tab[byte[i]]++;
}

static void wide_histogram(long n)
{
	for (long i = 0; i < n; i++)
		tab[(key[i] & 0xffff) * 8]++;
}

static void weighted(long n)
{
	for (long i = 0; i < n; i++)
		c[byte[i]] += a[i];
}

static void pairs(long n)
{
	for (long i = 0; i + 1 < n; i += 2) {
		tab[byte[i]]++;
		tab[256 + byte[i + 1]]--;
	}
}

/* ---- phases ---- */
static void phases(long n)
{
	triad(n);
	for (long i = 0; i < 8 * n; i++)
		sum = sum * 3 + i;
	histogram(n);
}

static void two_phases(long n)
{
	for (long k = 0; k < n; k++) {
		double x = a[k];

		for (int i = 0; i < 40; i++)
			x = x * 0.999 + 0.5;
		c[k] = x;
	}
	gather(n);
}

static void growing(long n)
{
	for (long m = 64; m < n; m += m / 8)
		for (long i = 0; i < m; i++)
			sum += tab[key[i] % m]++;
}

static void bursts(long n)
{
	for (long i = 0; i < n; i++) {
		if ((i & 4095) < 256)
			tab[key[i] % MOST] += 1;
		sum = sum * 5 + byte[i];
	}
}

/* ---- recursion ---- */
static long fibonacci(long n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void fib(long n)
{
	sum += fibonacci(n);
}

static long ackermann(long m, long n)
{
	return !m ? n + 1 : !n ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static void ack(long n)
{
	sum += ackermann(2, n);
}

static long queens_from(unsigned columns, unsigned left, unsigned right, unsigned all)
{
	long found = columns == all;

	for (unsigned open = all & ~(columns | left | right); open; open &= open - 1) {
		unsigned place = open & -open;

		found += queens_from(columns | place, (left | place) << 1, (right | place) >> 1, all);
	}
	return found;
}

static void queens(long n)
{
	sum += queens_from(0, 0, 0, (1u << n) - 1);
}

static void hanoi_move(long n, int from, int to, int by)
{
	if (!n)
		return;
	hanoi_move(n - 1, from, by, to);
	tab[to]++;
	hanoi_move(n - 1, by, to, from);
}

static void hanoi(long n)
{
	hanoi_move(n, 0, 1, 2);
}

/* ---- pointers ---- */
struct node {
	struct node *next, *left;
	long value, pad[5];
};
static struct node node[1 << 17];

/* Makes one cycle through n nodes in random order: Sattolo's algorithm. */
static void link_nodes(long n)
{
	for (long i = 0; i < n; i++) {
		node[i].next = &node[i];
		node[i].value = (long)(draw() & 1023);
	}
	for (long i = n - 1; i > 0; i--) {
		long k = (long)(draw() % (uint64_t)i);
		struct node *t = node[i].next;

		node[i].next = node[k].next;
		node[k].next = t;
	}
}

static void chase(long n)
{
	const struct node *at = node;

	for (long i = 0; i < n; i++)
		at = at->next;
	sum += at - node;
}

static void list(long n)
{
	struct node *at = node;

	for (long i = 0; i < n; i++, at = at->next) {
		if (at->value & 1)
			sum += at->value;
		at->value = at->value * 5 + 1;
	}
}

static void tree(long n)
{
	for (long i = 0; i < n; i++) {
		long low = 0, high = n;

		while (low < high) {
			long middle = (low + high) / 2;

			if (tab[middle] < key[i])
				low = middle + 1;
			else
				high = middle;
		}
		sum += low;
	}
}

static void hash(long n)
{
	memset(tab, 0, (size_t)n * 2 * sizeof(*tab));
	for (long i = 0; i < n; i++) {
		long at = (long)((uint32_t)key[i] * 2654435761u % (uint32_t)(2 * n));

		while (tab[at] && tab[at] != key[i])
			at = at + 1 == 2 * n ? 0 : at + 1;
		tab[at] = key[i];
	}
}

/* ---- sorts ---- */
static void shuffle(long n)
{
	for (long i = 0; i < n; i++)
		tab[i] = (int32_t)((uint32_t)key[i] * 2654435761u >> 1) ^ (int32_t)sum;
}

static void insertion(long n)
{
	shuffle(n);
	for (long i = 1; i < n; i++) {
		int32_t x = tab[i];
		long k = i;

		for (; k && tab[k - 1] > x; k--)
			tab[k] = tab[k - 1];
		tab[k] = x;
	}
	sum++;
}

static void heap_down(long at, long n)
{
	int32_t x = tab[at];

	for (long child; (child = 2 * at + 1) < n; at = child) {
		child += child + 1 < n && tab[child + 1] > tab[child];
		if (tab[child] <= x)
			break;
		tab[at] = tab[child];
	}
	tab[at] = x;
}

static void heap(long n)
{
	shuffle(n);
	for (long i = n / 2; i-- > 0;)
		heap_down(i, n);
	for (long i = n; --i > 0;) {
		int32_t t = tab[0];

		tab[0] = tab[i];
		tab[i] = t;
		heap_down(0, i);
	}
	sum++;
}

static void merge(long n)
{
	int32_t *from = tab, *to = tab + n;

	shuffle(n);
	for (long w = 1; w < n; w *= 2) {
		for (long i = 0; i < n; i += 2 * w) {
			long x = i, y = i + w < n ? i + w : n, end = y, last = i + 2 * w < n ? i + 2 * w : n;

			for (long k = i; k < last; k++)
				to[k] = x < end && (y >= last || from[x] <= from[y]) ? from[x++] : from[y++];
		}
		int32_t *t = from;

		from = to;
		to = t;
	}
	sum += from[0];
}

static void radix(long n)
{
	static long count[256];

	shuffle(n);
	memset(count, 0, sizeof(count));
	for (long i = 0; i < n; i++)
		count[tab[i] & 255]++;
	for (long i = 1; i < 256; i++)
		count[i] += count[i - 1];
	for (long i = n; i-- > 0;)
		tab[n + --count[tab[i] & 255]] = tab[i];
	sum += tab[n];
}

/* ---- matrices ---- */
static void product(long n)
{
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++) {
			double s = 0;

			for (long k = 0; k < n; k++)
				s += a[i * n + k] * b[k * n + j];
			c[i * n + j] = s;
		}
}

static void outer(long n)
{
	for (long k = 0; k < n; k++)
		for (long i = 0; i < n; i++)
			for (long j = 0; j < n; j++)
				c[i * n + j] += a[i * n + k] * b[k * n + j];
}

static void transpose(long n)
{
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++)
			c[j * n + i] = a[i * n + j];
}

static void eliminate(long n)
{
	memcpy(c, b, (size_t)(n * n) * sizeof(*c));
	for (long k = 0; k < n; k++)
		for (long i = k + 1; i < n; i++) {
			double f = c[i * n + k] / (c[k * n + k] + 2000);

			for (long j = k; j < n; j++)
				c[i * n + j] -= f * c[k * n + j];
		}
}

static void five_points(long n)
{
	for (long i = 1; i + 1 < n; i++)
		for (long j = 1; j + 1 < n; j++)
			c[i * n + j] = 0.2 * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] +
					      a[(i + 1) * n + j]);
}

static void in_place(long n)
{
	for (long i = 1; i + 1 < n; i++)
		for (long j = 1; j + 1 < n; j++)
			c[i * n + j] =
				0.25 * (c[i * n + j - 1] + c[i * n + j + 1] + c[(i - 1) * n + j] + c[(i + 1) * n + j]);
}

/* ---- integers, branches ---- */
static void coins(long n)
{
	for (long i = 0; i < n; i++)
		if (byte[i] & 1)
			sum += i;
		else
			sum ^= i;
}

static void rare(long n)
{
	for (long i = 0; i < n; i++)
		if (byte[i] < 8)
			sum += key[i];
}

static void interpret(long n)
{
	long x = 1, y = 2;

	for (long i = 0; i < n; i++)
		switch (byte[i] & 7) {
		case 0: x += y; break;
		case 1: y ^= x; break;
		case 2: x <<= 1; break;
		case 3: y -= 3; break;
		case 4: x ^= y >> 3; break;
		case 5: y += i; break;
		case 6: x = -x; break;
		default: tab[x & 1023] += (int32_t)y; break;
		}
	sum += x + y;
}

static void collatz(long n)
{
	for (long i = 1; i < n; i++)
		for (long x = i; x != 1; x = x & 1 ? 3 * x + 1 : x / 2)
			sum++;
}

static void divisors(long n)
{
	for (long i = 0; i < n; i++) {
		uint32_t x = (uint32_t)key[i] + 1, y = byte[i] + 1u;

		while (y) {
			uint32_t t = x % y;

			x = y;
			y = t;
		}
		sum += x;
	}
}

static void sieve(long n)
{
	memset(byte, 1, (size_t)n);
	for (long i = 2; i < n; i++) {
		if (!byte[i])
			continue;
		sum++;
		for (long k = i * 2; k < n; k += i)
			byte[k] = 0;
	}
}

static void newton(long n)
{
	for (long i = 0; i < n; i++) {
		double x = b[i];

		for (int k = 0; k < 6; k++)
			x = 0.5 * (x + b[i] / x);
		c[i] = x;
	}
}

static void checksum(long n)
{
	uint32_t x = 0;

	for (long i = 0; i < n; i++)
		x = x >> 8 ^ (uint32_t)tab[(x ^ byte[i]) & 255];
	sum += x;
}

static void common(long n)
{
	for (long i = 1; i < n; i++)
		for (long j = 1; j < n; j++)
			tab[i * n + j] = byte[i] == byte[n + j]                      ? tab[(i - 1) * n + j - 1] + 1
					 : tab[(i - 1) * n + j] > tab[i * n + j - 1] ? tab[(i - 1) * n + j]
										     : tab[i * n + j - 1];
}

static void queue(long n)
{
	long head = 0, tail = 0;

	for (long i = 0; i < n; i++) {
		tab[tail++ & 63] = byte[i];
		if (byte[i] & 3)
			sum += tab[head++ & 63];
	}
}

static void (*const link_needed[])(long) = {chase, list};

static const struct {
	const char *name;
	void (*run)(long n);
} kinds[] = {
#define K(name) \
	{ \
#name, name \
	}
	K(triad),     K(total),       K(stride),   K(scan),       K(gather),  K(histogram), K(wide_histogram),
	K(weighted),  K(pairs),       K(phases),   K(two_phases), K(growing), K(bursts),    K(fib),
	K(ack),       K(queens),      K(hanoi),    K(chase),      K(list),    K(tree),      K(hash),
	K(insertion), K(heap),        K(merge),    K(radix),      K(product), K(outer),     K(transpose),
	K(eliminate), K(five_points), K(in_place), K(coins),      K(rare),    K(interpret), K(collatz),
	K(divisors),  K(sieve),       K(newton),   K(checksum),   K(common),  K(queue),
#undef K
};

int main(int argc, char *argv[])
{
	long n = argc > 3 ? atol(argv[2]) : 0, repetitions = argc > 3 ? atol(argv[3]) : 0;

	for (unsigned k = 0; n > 0 && k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		if (strcmp(kinds[k].name, argv[1]) != 0)
			continue;
		fill(MOST);
		for (unsigned i = 0; i < 2; i++)
			if (kinds[k].run == link_needed[i])
				link_nodes(n < 1 << 17 ? n : 1 << 17);
		if (kinds[k].run == tree)
			for (long i = 0; i < n; i++)
				tab[i] = (int32_t)(i * (1000000007 / n));
		psim_region_begin("kind");
		for (long r = 0; r < repetitions; r++)
			kinds[k].run(n);
		psim_region_end("kind");
		printf("%ld\n", sum + (long)c[n / 2] + tab[n / 2] + byte[n / 2]);
		return 0;
	}
	fprintf(stderr, "kinds: unknown kernel, expected NAME SIZE REPETITIONS\n");
	return 2;
}
