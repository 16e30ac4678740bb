#include "points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

void points_finish(struct points *p)
{
	for (size_t i = 0; i < p->list.count; i++) {
		free(p->list.at[i].file);
		free(p->list.at[i].checksum);
		free(p->list.at[i].program);
	}
	vec_finish(&p->list);
	json_decref(p->config);
	*p = (struct points){0};
}

int points_number(const char *text, size_t length, double *value, struct err *e)
{
	char number[64], *end = number;

	if (length && length < sizeof(number)) {
		memcpy(number, text, length);
		number[length] = '\0';
		*value = strtod(number, &end);
	}
	if (end == number || *end || !isfinite(*value))
		return err_set(e, STATUS_BAD_INPUT, "'%.*s': expected a finite number", length > 60 ? 60 : (int)length,
			       text);
	return 0;
}

bool points_is_assignment(const char *operand)
{
	return operand[strcspn(operand, "=/.:,")] == '=' && operand[0] != '=';
}

/* Reads one "n=64" of `length` bytes; sets the bit of its variable in `seen`. */
static int read_assignment(struct points *p, bool first, const char *text, size_t length, double *values,
			   unsigned *seen, struct err *e)
{
	const char *equals = memchr(text, '=', length);
	size_t name = equals ? (size_t)(equals - text) : 0;
	int at;

	if (!equals)
		return err_set(e, STATUS_USAGE, "'%.*s': expected VARIABLE=NUMBER", (int)length, text);
	if (first && variables_add(&p->variables, text, name, e) < 0)
		return -1;
	at = variables_find(&p->variables, text, name);
	if (at < 0)
		return err_set(e, STATUS_USAGE, "unknown variable '%.*s', expected those of the first point", (int)name,
			       text);
	if (*seen & 1u << at)
		return err_set(e, STATUS_USAGE, "duplicate variable %.*s, expected each once", (int)name, text);
	*seen |= 1u << at;
	if (points_number(equals + 1, length - name - 1, &values[at], e) < 0) {
		e->status = STATUS_USAGE;
		return -1;
	}
	return 0;
}

int points_read_values(struct points *p, const char *text, size_t length, double *values, struct err *e)
{
	bool first = !p->variables.count;
	unsigned seen = 0;

	for (const char *at = text;;) {
		size_t left = length - (size_t)(at - text);
		const char *comma = memchr(at, ',', left);

		if (read_assignment(p, first, at, comma ? (size_t)(comma - at) : left, values, &seen, e) < 0)
			return err_prefix(e, "%.*s", (int)length, text);
		if (!comma)
			break;
		at = comma + 1;
	}
	if (seen != (1u << p->variables.count) - 1)
		return err_set(e, STATUS_USAGE, "%.*s: missing variable, expected all of the first point", (int)length,
			       text);
	return 0;
}

int points_add_report(struct points *p, const struct points_choice *choice, const char *operand, struct err *e)
{
	double values[MODEL_VARIABLES_MAX] = {0};
	size_t head = strcspn(operand, ":");

	if (head > 1000 || !operand[head] || !operand[head + 1])
		return err_set(e, STATUS_USAGE, "'%.200s': expected VARIABLE=NUMBER:FILE", operand);
	if (points_read_values(p, operand, head, values, e) < 0)
		return -1;
	return points_add(p, choice, values, operand + head + 1, e);
}

int points_hold_out(struct points *p, const char *condition, struct err *e)
{
	size_t name = strcspn(condition, "<>="), sign;
	const char *number = condition + name;
	int at = variables_find(&p->variables, condition, name), count = 0;
	double bound;

	sign = strspn(number, "<>=");
	if (at < 0 || sign < 1 || sign > 2 || (sign == 2 && (number[0] == '=' || number[1] != '=')) ||
	    points_number(number + sign, strlen(number + sign), &bound, e) < 0)
		return err_set(e, STATUS_USAGE,
			       "--hold-out '%s': expected VARIABLE=NUMBER, or <, <=, >, >=", condition);
	for (size_t i = 0; i < p->list.count; i++) {
		double v = p->list.at[i].values[at];

		if ((number[0] == '<' && v < bound) || (number[0] == '>' && v > bound) ||
		    (number[sign - 1] == '=' && v >= bound && v <= bound)) {
			p->list.at[i].held_out = true;
			count++;
		}
	}
	if (!count)
		return err_set(e, STATUS_USAGE, "--hold-out '%s': matches no point", condition);
	return count;
}
