#include "number_list.h"

#include <ctype.h>
#include <string.h>

#include "../../psim/base/config/value.h"

enum { SIZE_MAX_EACH = 1 << 24 };

/* Reads a number from 1 to SIZE_MAX_EACH and moves *text behind it; 0 if there is none. */
static uint32_t read_size(const char **text)
{
	uint32_t v = 0;

	for (; isdigit((unsigned char)**text); ++*text) {
		v = 10 * v + (uint32_t)(**text - '0');
		if (v > SIZE_MAX_EACH)
			return 0;
	}
	return v;
}

int list_sizes(const char *text, uint32_t *size, unsigned max, struct err *e)
{
	const char *at = text;
	unsigned count = 0;

	for (;;) {
		uint32_t v, times = 1;

		v = read_size(&at);
		if (*at == '^') {
			at++;
			times = read_size(&at);
		}
		if (!v || !times || (*at && *at != 'x'))
			return err_set(e, STATUS_USAGE,
				       "\"%s\" is not a list of sizes, expected for example 16 or "
				       "8x8x16 or 2^10, "
				       "each from 1 to %d",
				       text, SIZE_MAX_EACH);
		if (times > max - count)
			return err_set(e, STATUS_USAGE, "\"%s\" has too many sizes, expected at most %u", text, max);
		while (times--)
			size[count++] = v;
		if (!*at)
			return (int)count;
		at++;
	}
}

int list_values(const struct param *row, const char *text, void *values, size_t item, unsigned max, struct err *e)
{
	unsigned count = 0;

	for (;;) {
		char one[PARAM_TEXT_MAX];
		const char *from = text + strspn(text, " \t");
		size_t n = strcspn(from, ",");

		text = from + n;
		while (n && strchr(" \t", from[n - 1]))
			n--;
		if (n >= sizeof(one))
			n = sizeof(one) - 1;
		memcpy(one, from, n);
		one[n] = '\0';
		if (count == max)
			return err_set(e, STATUS_USAGE, "too many values, expected at most %u", max);
		if (value_read(row, one, (char *)values + count++ * item, e))
			return -1;
		if (!*text)
			return (int)count;
		text++;
	}
}
