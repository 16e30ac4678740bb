/* libc's string functions (VIS, block loads, no-fault loads) against plain loops. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 4096 };

static unsigned seed = 1;
static unsigned next(unsigned limit)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % limit;
}

static int wrong(const char *what, unsigned a, unsigned b, unsigned n)
{
	printf("%s is wrong at %u, %u, %u\n", what, a, b, n);
	return 1;
}

static int check_copy(unsigned char *p, unsigned char *q)
{
	for (int round = 0; round < 300; round++) {
		unsigned a = next(64), b = next(64), n = next(round % 3 ? 100 : SIZE - 64);
		for (unsigned i = 0; i < SIZE; i++) {
			p[i] = (unsigned char)(i * 7 + (unsigned)round);
			q[i] = 0xee;
		}
		memcpy(q + b, p + a, n);
		for (unsigned i = 0; i < SIZE; i++)
			if (q[i] != (i >= b && i < b + n ? p[a + i - b] : 0xee))
				return wrong("memcpy", a, b, n);
		memmove(p + b, p + a, n);
		for (unsigned i = 0; i < n; i++)
			if (p[b + i] != q[b + i])
				return wrong("memmove", a, b, n);
		memset(q + b, round, n);
		for (unsigned i = b; i < b + n; i++)
			if (q[i] != (unsigned char)round)
				return wrong("memset", a, b, n);
	}
	return 0;
}

static int check_search(char *p)
{
	for (int round = 0; round < 300; round++) {
		unsigned a = next(16), n = next(200);
		memset(p, 'x', SIZE);
		p[a + n] = 0;
		if (strlen(p + a) != n)
			return wrong("strlen", a, 0, n);
		p[a + n / 2] = 'y';
		if (n && strchr(p + a, 'y') != p + a + n / 2)
			return wrong("strchr", a, 0, n);
		if (memchr(p + a, 'y', n + 1) != (n ? p + a + n / 2 : memchr(p + a, 'y', 1)))
			return wrong("memchr", a, 0, n);
		char *copy = strdup(p + a);
		if (!copy || strcmp(copy, p + a) != 0 || memcmp(copy, p + a, n) != 0)
			return wrong("strcmp", a, 0, n);
		if (n) {
			copy[n - 1]++;
			if (strcmp(copy, p + a) <= 0 || strncmp(copy, p + a, n - 1) != 0)
				return wrong("strncmp", a, 0, n);
		}
		free(copy);
	}
	return 0;
}

int main(void)
{
	unsigned char *p = aligned_alloc(64, SIZE), *q = aligned_alloc(64, SIZE);
	if (!p || !q || check_copy(p, q) || check_search((char *)p))
		return 1;
	char text[] = "the quick,brown;fox  jumps";
	for (char *t = strtok(text, " ,;"); t; t = strtok(NULL, " ,;"))
		printf("[%s]", t);
	printf(" %s %ld %g\n", strstr("haystack with needle", "needle"), strtol("-0x7f", NULL, 0),
	       strtod("6.02e23", NULL));
	return 0;
}
