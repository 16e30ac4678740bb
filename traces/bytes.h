/*
 * Internal to traces: growable byte buffers and the varints of the trace format: seven bits a
 * byte, least significant first, the top bit set on all but the last.
 */
#ifndef PSIM_TRACES_BYTES_H
#define PSIM_TRACES_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { VARINT_MAX = 10 }; /* bytes of the longest 64-bit varint */

struct bytes {
	uint8_t *data;
	size_t size, capacity;
};

/* Reserves `more` bytes; false if memory is exhausted. */
static inline bool bytes_reserve(struct bytes *b, size_t more)
{
	if (b->capacity - b->size >= more)
		return true;
	size_t capacity = b->capacity ? b->capacity : 256;
	while (capacity - b->size < more) {
		if (capacity > SIZE_MAX / 2)
			return false;
		capacity *= 2;
	}
	uint8_t *data = realloc(b->data, capacity);
	if (!data)
		return false;
	b->data = data;
	b->capacity = capacity;
	return true;
}

static inline void bytes_free(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){0};
}

/* Appends a varint into reserved room. */
static inline void bytes_varint(struct bytes *b, uint64_t value)
{
	uint8_t *p = b->data + b->size;
	while (value >= 0x80) {
		*p++ = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	*p++ = (uint8_t)value;
	b->size = (size_t)(p - b->data);
}

/* Appends `n` bytes; false if memory is exhausted. */
static inline bool bytes_append(struct bytes *b, const void *data, size_t n)
{
	if (!bytes_reserve(b, n))
		return false;
	if (n)
		memcpy(b->data + b->size, data, n);
	b->size += n;
	return true;
}

/* Appends a varint; false if memory is exhausted. */
static inline bool bytes_number(struct bytes *b, uint64_t value)
{
	if (!bytes_reserve(b, VARINT_MAX))
		return false;
	bytes_varint(b, value);
	return true;
}

/* Appends length and bytes of a string. */
static inline bool bytes_string(struct bytes *b, const char *s)
{
	size_t n = strlen(s);
	return bytes_number(b, n) && bytes_append(b, s, n);
}

/* A range of bytes, consumed from its beginning. */
struct view {
	const uint8_t *p, *end;
};

static inline size_t view_left(const struct view *v)
{
	return (size_t)(v->end - v->p);
}

/* Reads a varint; false if it is truncated, longer than 64 bits, or not the shortest form. */
bool view_varint_slow(struct view *v, uint64_t *value);

static inline bool view_varint(struct view *v, uint64_t *value)
{
	if (v->p < v->end && *v->p < 0x80) {
		*value = *v->p++;
		return true;
	}
	return view_varint_slow(v, value);
}

/* Reads a varint of at most `max`. */
static inline bool view_number(struct view *v, uint64_t max, uint64_t *value)
{
	return view_varint(v, value) && *value <= max;
}

/* Maps small numbers of either sign to small unsigned ones: 0, -1, 1, -2 … become 0, 1, 2, 3 … */
static inline uint64_t zigzag(uint64_t value)
{
	return (value << 1) ^ (0 - (value >> 63));
}

static inline uint64_t unzigzag(uint64_t value)
{
	return (value >> 1) ^ (0 - (value & 1));
}

#endif
