/*
 * Compresses N KiB of generated text with LZ77 (Ziv and Lempel, 1977) and a hash table of last
 * positions, expands it again, and compares: integer code with hash look-ups, byte copies, and
 * data-dependent branches.
 *
 *     compress N     default 64
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim_region.h"

enum { HASH_BITS = 14, MATCH_MIN = 4, MATCH_MAX = 255 };

static uint32_t next_random(uint32_t *x) /* xorshift32 (Marsaglia, 2003) */
{
	*x ^= *x << 13;
	*x ^= *x >> 17;
	return *x ^= *x << 5;
}

/* Writes words of 2 to 9 letters from a vocabulary of 1024; smaller indices are more frequent. */
static void write_text(unsigned char *text, size_t size)
{
	uint32_t x = 2463534242u;
	size_t at = 0;

	while (at < size) {
		uint32_t word = next_random(&x) % 1024, letters;

		word = word * word / 1024;
		letters = 2 + word % 8;
		for (uint32_t k = 0; k < letters && at < size; k++)
			text[at++] = (unsigned char)('a' + (word * 31 + k * k * 7) % 26);
		if (at < size)
			text[at++] = ' ';
	}
}

static uint32_t hash(const unsigned char *p)
{
	uint32_t v = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;

	return v * 2654435761u >> (32 - HASH_BITS);
}

/* Tokens: 0, byte; or length, distance in two bytes. Returns the number of bytes written. */
static size_t compress(const unsigned char *in, size_t size, unsigned char *out, int32_t *last)
{
	size_t at = 0, to = 0;

	for (int k = 0; k < 1 << HASH_BITS; k++)
		last[k] = -1;
	while (at < size) {
		size_t length = 0, distance = 0;

		if (at + MATCH_MIN <= size) {
			uint32_t h = hash(in + at);

			if (last[h] >= 0 && at - (size_t)last[h] < 65536) {
				const unsigned char *match = in + last[h];

				distance = at - (size_t)last[h];
				while (length < MATCH_MAX && at + length < size && match[length] == in[at + length])
					length++;
			}
			last[h] = (int32_t)at;
		}
		if (length < MATCH_MIN) {
			out[to++] = 0;
			out[to++] = in[at++];
		} else {
			out[to++] = (unsigned char)length;
			out[to++] = (unsigned char)distance;
			out[to++] = (unsigned char)(distance >> 8);
			at += length;
		}
	}
	return to;
}

static size_t expand(const unsigned char *in, size_t size, unsigned char *out)
{
	size_t to = 0;

	for (size_t at = 0; at < size;) {
		size_t length = in[at++];

		if (!length) {
			out[to++] = in[at++];
			continue;
		}
		for (size_t from = to - (in[at] | (size_t)in[at + 1] << 8); length; length--)
			out[to++] = out[from++];
		at += 2;
	}
	return to;
}

int main(int argc, char *argv[])
{
	long kib = argc > 1 ? atol(argv[1]) : 64;
	size_t size = (size_t)kib * 1024, packed;
	unsigned char *text, *out, *back;
	int32_t *last;

	if (kib < 1 || kib > 65536)
		return 2;
	text = malloc(size);
	out = malloc(2 * size);
	back = malloc(size);
	last = malloc(sizeof(*last) << HASH_BITS);
	if (!text || !out || !back || !last)
		return 1;
	write_text(text, size);
	psim_region_begin("compress");
	packed = compress(text, size, out, last);
	size_t expanded = expand(out, packed, back);
	psim_region_end("compress");
	printf("compress %ld KiB: to %zu bytes, %s\n", kib, packed,
	       expanded == size && !memcmp(text, back, size) ? "right" : "wrong");
	return expanded == size && !memcmp(text, back, size) ? 0 : 1;
}
