#include "value.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct scale {
	const char *unit;
	uint64_t factor;
};

/* Units in descending order; the last one is the field's own. */
static const struct scale sizes[] = {
	{"TiB", 1ull << 40}, {"GiB", 1ull << 30}, {"MiB", 1ull << 20}, {"KiB", 1ull << 10}, {"bytes", 1}, {"B", 1},
	{NULL, 0},
};
static const struct scale frequencies[] = {
	{"GHz", 1000000000}, {"MHz", 1000000}, {"kHz", 1000}, {"Hz", 1}, {NULL, 0},
};
/* Output uses the first five; a bit per second is an eighth of a byte per second. */
static const struct scale rates[] = {
	{"TB/s", 1000000000000},
	{"GB/s", 1000000000},
	{"MB/s", 1000000},
	{"kB/s", 1000},
	{"B/s", 1},
	{"TiB/s", 1ull << 40},
	{"GiB/s", 1ull << 30},
	{"MiB/s", 1ull << 20},
	{"KiB/s", 1ull << 10},
	{"Tbit/s", 125000000000},
	{"Gbit/s", 125000000},
	{"Mbit/s", 125000},
	{"kbit/s", 125},
	{NULL, 0},
};
static const struct scale times[] = {
	{"s", 1000000000000}, {"ms", 1000000000}, {"us", 1000000}, {"ns", 1000}, {"ps", 1}, {NULL, 0},
};

static const struct scale counts[] = {{"k", 1000}, {"M", 1000000}, {"G", 1000000000}, {NULL, 0}};

static const struct scale *scales_of(enum param_type type)
{
	switch (type) {
	case PARAM_SIZE: return sizes;
	case PARAM_FREQ: return frequencies;
	case PARAM_RATE:
	case PARAM_FLOW: return rates;
	case PARAM_TIME:
	case PARAM_DELAY: return times;
	default: return NULL;
	}
}

static bool config_value_is_clocked(const struct param *p)
{
	return p->type == PARAM_DELAY || p->type == PARAM_FLOW;
}

/* Returns the unit of a clocked quantity given in cycles. */
static const char *cycle_unit(const struct param *p)
{
	return p->type == PARAM_DELAY ? "cycles" : "B/cycle";
}

/* A number multiplied by the factor of its unit. */
struct number {
	double value;     /* in the field's own unit */
	uint64_t integer; /* the same, exact */
	bool is_integer;
};

/* Writes "`text` is wrong, expected 1 to 1024 entries". */
static int config_value_refuse(const struct param *p, const char *text, const char *wrong, struct err *e)
{
	bool has_scale = scales_of(p->type) != NULL;
	char range[100];

	value_range(p, range, sizeof(range));
	return err_set(e, STATUS_USAGE, "%s %s, expected %s%s%s", *text ? text : "nothing", wrong, range,
		       has_scale || !*p->unit ? "" : " ", has_scale ? "" : p->unit);
}

static int unit_list(const struct param *p, const char *text, const char *tail, struct err *e)
{
	const struct scale *scales = scales_of(p->type);
	char list[140] = "";
	size_t n = 0;

	if (config_value_is_clocked(p))
		n = (size_t)snprintf(list, sizeof(list), "%s", cycle_unit(p));
	for (; scales->unit && n < sizeof(list); scales++)
		n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%s", n ? ", " : "", scales->unit);
	return err_set(e, STATUS_USAGE, "\"%s\" has %s%s%s, expected one of %s", text,
		       *tail ? "the unknown unit \"" : "no unit", tail, *tail ? "\"" : "", list);
}

enum { PLAIN_RATE = 1000 }; /* least rate without a unit: a smaller one is meant in GB/s, and would be B/s */

/* Returns whether a number without a unit is refused. */
static bool needs_unit(const struct param *p, double value)
{
	if (value == 0)
		return false;
	return p->type == PARAM_TIME || (p->type == PARAM_RATE && value > 0 && value < PLAIN_RATE);
}

static int factor_of(const struct param *p, const char *text, const char *tail, double value, uint64_t *factor,
		     struct err *e)
{
	const struct scale *scales = scales_of(p->type);

	*factor = 1;
	if (p->type == PARAM_UINT && *tail && !tail[1]) /* as with options that count */
		for (const struct scale *s = counts; s->unit; s++)
			if (*tail == *s->unit) {
				*factor = s->factor;
				return 0;
			}
	if (!scales) {
		if (!*tail || !strcmp(tail, p->unit))
			return 0;
		return config_value_refuse(p, text, "is not a number", e);
	}
	if (!*tail && !config_value_is_clocked(p) && !needs_unit(p, value))
		return 0;
	for (const struct scale *s = scales; s->unit; s++)
		if (!strcmp(tail, s->unit)) {
			*factor = s->factor;
			return 0;
		}
	return unit_list(p, text, tail, e);
}

/* Parses digits only: exact, where the product fits. */
static bool read_integer(const char *text, const char *end, uint64_t factor, uint64_t *result)
{
	uint64_t v = 0;

	for (; text < end; text++) {
		uint64_t digit = (uint64_t)*text - '0'; /* 10 or more if it is not one */

		if (digit > 9 || v > (UINT64_MAX - digit) / 10)
			return false;
		v = 10 * v + digit;
	}
	*result = v * factor;
	return v <= UINT64_MAX / factor;
}

static int config_value_read_number(const struct param *p, const char *text, struct number *n, struct err *e)
{
	const char *digits = text + (*text == '-' || *text == '+');
	const char *tail;
	uint64_t factor;
	char *end;

	/* strtod would also take hexadecimal, "inf" and "nan" */
	if ((!isdigit((unsigned char)*digits) && *digits != '.') || tolower((unsigned char)digits[1]) == 'x')
		return config_value_refuse(p, text, "is not a number", e);
	n->value = strtod(text, &end);
	if (end == text || !isfinite(n->value))
		return config_value_refuse(p, text, "is not a number", e);
	for (tail = end; isspace((unsigned char)*tail); tail++)
		;
	if (factor_of(p, text, tail, n->value, &factor, e))
		return -1;
	n->is_integer = read_integer(text, end, factor, &n->integer);
	if (!n->is_integer) {
		double rounded = nearbyint(n->value * (double)factor);

		/* "1.5 KiB" is a whole number of bytes, "0.1 ns" of picoseconds; 0.3 bytes are not
		 */
		n->is_integer =
			rounded >= 0 && rounded < 0x1p53 && fabs(n->value * (double)factor - rounded) <= 1e-9 * rounded;
		if (n->is_integer)
			n->integer = (uint64_t)rounded;
	}
	n->value *= (double)factor;
	return 0;
}

static int read_numeric(const struct param *p, const char *text, void *field, struct err *e)
{
	struct number n = {0};
	double limit = p->type == PARAM_UINT ? 4294967295.0 : p->type == PARAM_TIME ? 0x1p63 : 0x1p64;

	if (config_value_read_number(p, text, &n, e))
		return -1;
	if (n.value < p->min || n.value > p->max)
		return config_value_refuse(p, text, "is out of range", e);
	if (p->type == PARAM_REAL || p->type == PARAM_FREQ || p->type == PARAM_RATE) {
		*(double *)field = n.value;
		return 0;
	}
	if (!n.is_integer)
		return err_set(e, STATUS_USAGE, "%s is not a whole number%s", text,
			       p->type == PARAM_SIZE   ? " of bytes"
			       : p->type == PARAM_TIME ? " of ps"
						       : "");
	if (n.value < 0 || n.value > limit || (p->type == PARAM_TIME && n.integer > INT64_MAX))
		return config_value_refuse(p, text, "is out of range", e);
	if (p->type == PARAM_UINT)
		*(unsigned *)field = (unsigned)n.integer;
	else if (p->type == PARAM_SIZE)
		*(uint64_t *)field = n.integer;
	else
		*(int64_t *)field = (int64_t)n.integer;
	return 0;
}

/* Reads a quantity in cycles, or in ns or GB/s. */
static int read_clocked(const struct param *p, const char *text, struct clocked *field, struct err *e)
{
	size_t length = strlen(text), unit = strlen(cycle_unit(p));
	bool in_cycles = length > unit && !strcmp(text + length - unit, cycle_unit(p));
	const struct param plain = {.type = PARAM_REAL, .unit = cycle_unit(p), .min = p->min, .max = p->max};
	struct number n = {0};

	if (config_value_read_number(in_cycles ? &plain : p, text, &n, e))
		return -1;
	if (!in_cycles)
		n.value /= p->type == PARAM_DELAY ? 1e3 : 1e9;
	if (n.value < p->min || n.value > p->max)
		return config_value_refuse(p, text, "is out of range", e);
	*field = (struct clocked){n.value, in_cycles};
	return 0;
}

static int read_bool(const char *text, bool *field, struct err *e)
{
	static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1"};

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(text, words[i])) {
			*field = i & 1;
			return 0;
		}
	return err_set(e, STATUS_USAGE, "\"%s\" is not a switch, expected yes or no", text);
}

static int read_choice(const struct param *p, const char *text, unsigned *field, struct err *e)
{
	unsigned position = 0;
	size_t n = strlen(text);

	for (const char *c = p->choices; c; position++) {
		const char *bar = strchr(c, '|');
		size_t length = bar ? (size_t)(bar - c) : strlen(c);

		if (length == n && !strncmp(c, text, n)) {
			*field = position;
			return 0;
		}
		c = bar ? bar + 1 : NULL;
	}
	return err_set(e, STATUS_USAGE, "unknown value \"%s\", expected one of %s", text, p->choices);
}

/* Refuses text that would not read back from a file: comments, control characters. */
static int read_text(const char *text, char *field, struct err *e)
{
	size_t n = strlen(text);

	if (n >= PARAM_TEXT_MAX)
		return err_set(e, STATUS_USAGE, "text of %zu characters, expected at most %d", n, PARAM_TEXT_MAX - 1);
	for (size_t i = 0; i < n; i++) {
		if (iscntrl((unsigned char)text[i]))
			return err_set(e, STATUS_USAGE, "control character 0x%02x in text",
				       (unsigned)(unsigned char)text[i]);
		if ((text[i] == ';' || text[i] == '#') && (!i || isspace((unsigned char)text[i - 1])))
			return err_set(e, STATUS_USAGE,
				       "%c after a space would start a comment, expected text without it", text[i]);
	}
	memcpy(field, text, n + 1);
	return 0;
}

/* Returns whether the row accepts the word `auto`, as those with that default do; its value is below 0. */
static bool may_be_auto(const struct param *p)
{
	return (p->type == PARAM_TIME || p->type == PARAM_RATE) && p->initial && !strcmp(p->initial, "auto");
}

static int read_auto(const struct param *p, void *field)
{
	if (p->type == PARAM_TIME)
		*(int64_t *)field = PARAM_AUTO;
	else
		*(double *)field = PARAM_AUTO;
	return 0;
}

static bool is_auto(const struct param *p, const void *field)
{
	return may_be_auto(p) && (p->type == PARAM_TIME ? *(const int64_t *)field < 0 : *(const double *)field < 0);
}

int value_read(const struct param *p, const char *text, void *field, struct err *e)
{
	if (may_be_auto(p) && !strcmp(text, "auto"))
		return read_auto(p, field);
	switch (p->type) {
	case PARAM_BOOL: return read_bool(text, field, e);
	case PARAM_ENUM: return read_choice(p, text, field, e);
	case PARAM_TEXT:
	case PARAM_PATH: return read_text(text, field, e);
	case PARAM_DELAY:
	case PARAM_FLOW: return read_clocked(p, text, field, e);
	default: return read_numeric(p, text, field, e);
	}
}

void value_real(double v, char *text, size_t size)
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, size, "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			return;
	}
}

/* Writes a frequency or a rate in the largest unit from which it reads back to the same bits. */
static void write_scaled(double v, const struct scale *scales, char *text, size_t size)
{
	for (const struct scale *s = scales; s->unit; s++) {
		double factor = (double)s->factor;

		if (v < factor && s->factor > 1)
			continue;
		for (int digits = 15; digits <= 17; digits++) {
			snprintf(text, size, "%.*g %s", digits, v / factor, s->unit);
			if (strtod(text, NULL) * factor == v)
				return;
		}
	}
}

static void write_whole(uint64_t v, const struct scale *scales, char *text, size_t size)
{
	while (scales->factor > 1 && (!v || v % scales->factor))
		scales++;
	if (scales->factor == 1 && (scales->unit[0] == 'b' || !v))
		snprintf(text, size, "%" PRIu64, v);
	else
		snprintf(text, size, "%" PRIu64 " %s", v / scales->factor, scales->unit);
}

static void write_choice(const char *choices, unsigned position, char *text, size_t size)
{
	while (position--)
		choices = strchr(choices, '|') + 1;
	snprintf(text, size, "%.*s", (int)strcspn(choices, "|"), choices);
}

static void write_clocked(const struct param *p, const struct clocked *field, char *text, size_t size)
{
	char number[40];

	value_real(field->value, number, sizeof(number));
	snprintf(text, size, "%s %s", number,
		 field->in_cycles         ? cycle_unit(p)
		 : p->type == PARAM_DELAY ? "ns"
					  : "GB/s");
}

void value_write(const struct param *p, const void *field, char *text, size_t size)
{
	if (is_auto(p, field)) {
		snprintf(text, size, "auto");
		return;
	}
	switch (p->type) {
	case PARAM_UINT: snprintf(text, size, "%u", *(const unsigned *)field); break;
	case PARAM_SIZE: write_whole(*(const uint64_t *)field, sizes, text, size); break;
	case PARAM_REAL: value_real(*(const double *)field, text, size); break;
	case PARAM_FREQ:
	case PARAM_RATE: write_scaled(*(const double *)field, scales_of(p->type), text, size); break;
	case PARAM_TIME: write_whole((uint64_t) * (const int64_t *)field, times, text, size); break;
	case PARAM_DELAY:
	case PARAM_FLOW: write_clocked(p, field, text, size); break;
	case PARAM_BOOL: snprintf(text, size, "%s", *(const bool *)field ? "yes" : "no"); break;
	case PARAM_ENUM: write_choice(p->choices, *(const unsigned *)field, text, size); break;
	case PARAM_TEXT:
	case PARAM_PATH: snprintf(text, size, "%s", (const char *)field); break;
	}
}

/* Writes a bound of a range, which rows give as a double. */
static void write_bound(const struct param *p, double v, char *text, size_t size)
{
	if ((p->type == PARAM_FREQ || p->type == PARAM_RATE) && v >= 1)
		write_scaled(v, scales_of(p->type), text, size);
	else if ((p->type == PARAM_SIZE || p->type == PARAM_TIME) && v >= 0 && v < 0x1p63)
		write_whole((uint64_t)v, scales_of(p->type), text, size);
	else
		snprintf(text, size, "%.10g", v);
}

void value_range(const struct param *p, char *text, size_t size)
{
	char low[40], high[40];

	switch (p->type) {
	case PARAM_BOOL: snprintf(text, size, "yes|no"); break;
	case PARAM_ENUM: snprintf(text, size, "%s", p->choices); break;
	case PARAM_TEXT:
	case PARAM_PATH: snprintf(text, size, "text"); break;
	case PARAM_DELAY:
	case PARAM_FLOW:
		snprintf(text, size, "%.10g to %.10g %s or %s", p->min, p->max, p->type == PARAM_DELAY ? "ns" : "GB/s",
			 cycle_unit(p));
		break;
	default:
		write_bound(p, p->min, low, sizeof(low));
		write_bound(p, p->max, high, sizeof(high));
		snprintf(text, size, "%s%s to %s", may_be_auto(p) ? "auto, or " : "", low, high);
	}
}
