/* The representation external32: external32.h. */
#include "external32.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include "datatype.h"

/* Bytes of a basic type outside, and of the units in which its bytes are reversed. */
struct outside {
	int size, unit;
};

/* Units of an element by the class of its type: a complex number has two. */
enum { UNITS_I = 1, UNITS_F = 1, UNITS_C = 2, UNITS_B = 1, UNITS_L = 1, UNITS_P = 1, UNITS_N = 1 };
static const unsigned char units_of[BASIC_TYPES] = {
#define TYPE(name, ctype, class) [BASIC_##name] = UNITS_##class,
#include "../api/constants.def"
#undef TYPE
};

static struct outside outside_of(const struct type *t)
{
	int size = (int)t->size;

	switch (t->handle) {
	case BASIC_LONG:
	case BASIC_UNSIGNED_LONG: return (struct outside){4, 4};
	case BASIC_WCHAR: return (struct outside){2, 2};
	default: return (struct outside){size, t->handle < BASIC_TYPES ? size / units_of[t->handle] : size};
	}
}

struct conversion {
	char *packed;
	bool in; /* into the buffer */
};

/* Reverses the bytes of each unit. A shorter integer outside loses its highest bytes, or gets them back. */
static void external32_convert(struct conversion *c, const struct type *t, uintptr_t at)
{
	struct outside o = outside_of(t);
	int inside = (int)t->size, units = o.size / o.unit, per = inside / units;
	unsigned char *buffer = (unsigned char *)at, *packed = (unsigned char *)c->packed;
	bool sign = t->handle == BASIC_LONG;

	for (int u = 0; u < units; u++, buffer += per, packed += o.unit) {
		for (int i = 0; i < o.unit; i++)
			if (c->in)
				buffer[i] = packed[o.unit - 1 - i];
			else
				packed[o.unit - 1 - i] = buffer[i];
		for (int i = o.unit; c->in && i < per; i++)
			buffer[i] = sign && packed[0] & 0x80 ? 0xff : 0;
	}
	c->packed += o.size;
}

static void convert_all(struct conversion *c, const struct type *t, int64_t count, uintptr_t at)
{
	for (int64_t n = 0; n < count; n++, at += (uintptr_t)(t->ub - t->lb)) {
		if (!t->blocks && t->elements)
			external32_convert(c, t, at);
		for (unsigned i = 0; i < t->blocks; i++) {
			const struct type_block *b = &t->block[i];

			for (int64_t k = 0; k < b->count && b->length > 0; k++)
				convert_all(c, b->of, b->length, at + (uintptr_t)(b->at + k * b->stride));
		}
	}
}

int64_t external32_size(const struct type *t)
{
	int64_t size = 0;

	if (!t->blocks)
		return t->elements ? outside_of(t).size : 0;
	for (unsigned i = 0; i < t->blocks; i++) {
		const struct type_block *b = &t->block[i];

		if (b->count > 0 && b->length > 0)
			size += b->count * b->length * external32_size(b->of);
	}
	return size;
}

void external32_pack(const struct type *t, int64_t count, const void *buffer, char *packed)
{
	struct conversion c = {packed, false};

	convert_all(&c, t, count, (uintptr_t)buffer);
}

void external32_unpack(const struct type *t, int64_t count, void *buffer, const char *packed)
{
	struct conversion c = {(char *)(uintptr_t)packed, true};

	convert_all(&c, t, count, (uintptr_t)buffer);
}
