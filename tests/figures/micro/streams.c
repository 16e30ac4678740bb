/*
 * Streams through memory, each a region of its name:
 *
 *     streams NAME
 *
 * loads, stores   one a line of 64 bytes
 * fill            bytes of one value, by the library
 * copy            a double after the other
 * gather, scatter loads, stores of lines in an order without a pattern
 */
#include <stdint.h>
#include <string.h>

#include "../../../traces/kernels/psim_region.h"

enum { LINES = 8192, WORDS = 8 * LINES, COPIED = WORDS / 4, PICKED = LINES / 2 };

uint64_t from[WORDS], to[WORDS]; /* not static: the compiler shall not know what is in them */
static volatile uint64_t result;

static uint64_t sum_of_lines(void)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < WORDS; i += 8)
		sum += from[i];
	return sum;
}

static void write_lines(void)
{
	for (unsigned i = 0; i < WORDS; i += 8)
		to[i] = i;
}

static void copy(void)
{
	for (unsigned i = 0; i < COPIED; i++)
		to[i] = from[i];
}

/* The next of a sequence that has every line once (a full period: Knuth, TAOCP 3.2.1.2). */
static unsigned next_line(unsigned line)
{
	return (line * 1229 + 1) % LINES;
}

static uint64_t gather(void)
{
	uint64_t sum = 0;

	for (unsigned i = 0, line = 0; i < PICKED; i++, line = next_line(line))
		sum += from[8 * line];
	return sum;
}

static void scatter(void)
{
	for (unsigned i = 0, line = 0; i < PICKED; i++, line = next_line(line))
		to[8 * line] = i;
}

int main(int argc, char *argv[])
{
	const char *name = argc > 1 ? argv[1] : "";

	psim_region_begin("stream");
	if (!strcmp(name, "loads"))
		result = sum_of_lines();
	else if (!strcmp(name, "stores"))
		write_lines();
	else if (!strcmp(name, "fill"))
		memset(to, argc, sizeof(to) / 2);
	else if (!strcmp(name, "copy"))
		copy();
	else if (!strcmp(name, "gather"))
		result = gather();
	else if (!strcmp(name, "scatter"))
		scatter();
	psim_region_end("stream");
	return 0;
}
