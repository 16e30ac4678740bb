#include "term.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../psim/base/near.h"

static const char log_name[] = "log2";

/* The rest of the text, and all of it for messages. */
struct reading {
	const char *at, *text;
	const struct variables *variables;
	struct err *e;
};

struct term term_one(void)
{
	struct term t;

	for (unsigned i = 0; i < MODEL_VARIABLES_MAX; i++)
		t.factor[i] = (struct factor){.power = {0, 1}};
	return t;
}

bool term_equal(const struct term *a, const struct term *b)
{
	for (unsigned i = 0; i < MODEL_VARIABLES_MAX; i++) {
		const struct factor *x = &a->factor[i], *y = &b->factor[i];

		if (x->power.num != y->power.num || x->power.den != y->power.den || x->log_power != y->log_power)
			return false;
	}
	return true;
}

/* Length of a name: letters, digits and _, the first not a digit. */
static size_t name_length(const char *text)
{
	size_t n = 0;

	while (isalpha((unsigned char)text[n]) || text[n] == '_' || (n && isdigit((unsigned char)text[n])))
		n++;
	return n;
}

int variables_find(const struct variables *v, const char *name, size_t length)
{
	for (unsigned i = 0; i < v->count; i++)
		if (strlen(v->name[i]) == length && !memcmp(v->name[i], name, length))
			return (int)i;
	return -1;
}

int variables_add(struct variables *v, const char *name, size_t length, struct err *e)
{
	int width = length > 100 ? 100 : (int)length;

	if (!length || name_length(name) < length || length >= MODEL_NAME_MAX ||
	    (length == sizeof(log_name) - 1 && !memcmp(name, log_name, length)))
		return err_set(e, STATUS_USAGE,
			       "'%.*s' is not a variable name, expected a letter, then letters, "
			       "digits or _, "
			       "%d at most, and not %s",
			       width, name, MODEL_NAME_MAX - 1, log_name);
	if (variables_find(v, name, length) >= 0)
		return err_set(e, STATUS_USAGE, "duplicate variable %.*s, expected each once", width, name);
	if (v->count == MODEL_VARIABLES_MAX)
		return err_set(e, STATUS_USAGE, "too many variables, expected at most %d", MODEL_VARIABLES_MAX);
	memcpy(v->name[v->count], name, length);
	v->name[v->count++][length] = '\0';
	return 0;
}

static void skip_blanks(struct reading *r)
{
	while (isblank((unsigned char)*r->at))
		r->at++;
}

static bool model_term_take(struct reading *r, char c)
{
	skip_blanks(r);
	if (*r->at != c)
		return false;
	r->at++;
	return true;
}

static int model_term_malformed(const struct reading *r, const char *expected)
{
	return err_set(r->e, STATUS_USAGE, "term '%s': expected %s at '%s'", r->text, expected, r->at);
}

static int gcd(int a, int b)
{
	while (b) {
		int rest = a % b;

		a = b;
		b = rest;
	}
	return a < 0 ? -a : a;
}

static struct power reduced(int num, int den)
{
	int d = gcd(num, den);

	return (struct power){num / d, den / d};
}

/* Reads digits of a value up to `max`; false if there are none or it is above. */
static bool read_digits(struct reading *r, int max, int *value)
{
	int v = 0;

	if (!isdigit((unsigned char)*r->at))
		return false;
	for (; isdigit((unsigned char)*r->at); r->at++) {
		v = 10 * v + (*r->at - '0');
		if (v > max)
			return false;
	}
	*value = v;
	return true;
}

/* Reads a power after "^": 2, -1, 1.5, (3/2), (-1/3). */
static int read_power(struct reading *r, struct power *p)
{
	bool bracket = model_term_take(r, '('), minus = model_term_take(r, '-');
	int num, den = 1;

	skip_blanks(r);
	if (!read_digits(r, POWER_MAX * POWER_DEN_MAX, &num))
		return model_term_malformed(r, "a power like 2, 1.5 or (3/2)");
	if (*r->at == '.') {
		for (r->at++; isdigit((unsigned char)*r->at) && den < POWER_DEN_MAX; r->at++, den *= 10)
			num = 10 * num + (*r->at - '0');
	} else if (bracket && model_term_take(r, '/')) {
		skip_blanks(r);
		if (!read_digits(r, POWER_DEN_MAX, &den) || !den)
			return model_term_malformed(r, "a denominator of 1 to 1000");
	}
	if (bracket && !model_term_take(r, ')'))
		return model_term_malformed(r, "')'");
	if (num > POWER_MAX * den)
		return err_set(r->e, STATUS_USAGE, "term '%s': power too large, expected at most %d", r->text,
			       POWER_MAX);
	*p = reduced(minus ? -num : num, den);
	return 0;
}

static int unknown_variable(const struct reading *r, const char *name, size_t length)
{
	char word[MODEL_NAME_MAX];
	struct near near;

	snprintf(word, sizeof(word), "%.*s", (int)(length < 1000 ? length : 1000), name);
	near = near_start(word);
	for (unsigned i = 0; i < r->variables->count; i++)
		near_offer(&near, r->variables->name[i]);
	return err_set(r->e, STATUS_USAGE, "term '%s': unknown variable '%s'%s%s%s", r->text, word,
		       near.best ? ", did you mean " : ", expected one such as ",
		       near.best ? near.best : r->variables->name[0], near.best ? "?" : "");
}

/* Reads a variable's name; returns its position, or -1. */
static int read_variable(struct reading *r)
{
	size_t length;
	int found;

	skip_blanks(r);
	length = name_length(r->at);
	if (!length)
		return model_term_malformed(r, "1, a variable, or log2(variable)");
	found = variables_find(r->variables, r->at, length);
	if (found < 0)
		return unknown_variable(r, r->at, length);
	r->at += length;
	return found;
}

static int multiply_power(const struct reading *r, struct factor *f, struct power p)
{
	struct power sum;

	sum = reduced(f->power.num * p.den + p.num * f->power.den, f->power.den * p.den);
	if (sum.den > POWER_DEN_MAX || sum.num > POWER_MAX * sum.den || sum.num < -POWER_MAX * sum.den)
		return err_set(r->e, STATUS_USAGE, "term '%s': power too large, expected at most %d", r->text,
			       POWER_MAX);
	f->power = sum;
	return 0;
}

static int read_factor(struct reading *r, struct term *t)
{
	struct power p = {1, 1};
	int position;
	bool log;

	skip_blanks(r);
	if (*r->at == '1' && !isalnum((unsigned char)r->at[1])) {
		r->at++;
		return 0;
	}
	log = name_length(r->at) == sizeof(log_name) - 1 && !memcmp(r->at, log_name, sizeof(log_name) - 1);
	if (log) {
		r->at += sizeof(log_name) - 1;
		if (!model_term_take(r, '('))
			return model_term_malformed(r, "'('");
	}
	position = read_variable(r);
	if (position < 0)
		return -1;
	if (log && !model_term_take(r, ')'))
		return model_term_malformed(r, "')'");
	if (model_term_take(r, '^') && read_power(r, &p) < 0)
		return -1;
	if (!log)
		return multiply_power(r, &t->factor[position], p);
	if (p.den != 1 || p.num < 0 || t->factor[position].log_power + (unsigned)p.num > LOG_POWER_MAX)
		return err_set(r->e, STATUS_USAGE,
			       "term '%s': expected a whole number up to %d as power of a logarithm", r->text,
			       LOG_POWER_MAX);
	t->factor[position].log_power += (unsigned)p.num;
	return 0;
}

int term_read(struct term *t, const char *text, const struct variables *v, struct err *e)
{
	struct reading r = {.at = text, .text = text, .variables = v, .e = e};
	struct term read = term_one();

	do {
		if (read_factor(&r, &read) < 0)
			return -1;
	} while (model_term_take(&r, '*'));
	skip_blanks(&r);
	if (*r.at)
		return model_term_malformed(&r, "'*', '^' or the end");
	*t = read;
	return 0;
}

int terms_read(struct term *terms, const char *text, const struct variables *v, struct err *e)
{
	char part[TERM_TEXT_MAX];
	int count = 0;

	for (;; text++) {
		size_t length;

		text += strspn(text, " \t");
		length = strcspn(text, ",");
		if (length >= sizeof(part))
			return err_set(e, STATUS_USAGE, "term too long, expected at most %d characters",
				       TERM_TEXT_MAX - 1);
		if (count == MODEL_TERMS_MAX)
			return err_set(e, STATUS_USAGE, "too many terms, expected at most %d", MODEL_TERMS_MAX);
		memcpy(part, text, length);
		part[length] = '\0';
		if (term_read(&terms[count], part, v, e) < 0)
			return -1;
		for (int i = 0; i < count; i++)
			if (term_equal(&terms[i], &terms[count]))
				return err_set(e, STATUS_USAGE, "duplicate term '%s', expected each once", part);
		count++;
		text += length;
		if (!*text)
			return count;
	}
}

void term_write(const struct term *t, const struct variables *v, char text[TERM_TEXT_MAX])
{
	size_t at = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < v->count; i++) {
		const struct factor *f = &t->factor[i];
		const struct power p = f->power;

		if (p.num)
			at += (size_t)snprintf(text + at, TERM_TEXT_MAX - at, "%s%s", at ? "*" : "", v->name[i]);
		if (p.den != 1)
			at += (size_t)snprintf(text + at, TERM_TEXT_MAX - at, "^(%d/%d)", p.num, p.den);
		else if (p.num && p.num != 1)
			at += (size_t)snprintf(text + at, TERM_TEXT_MAX - at, "^%d", p.num);
		if (f->log_power)
			at += (size_t)snprintf(text + at, TERM_TEXT_MAX - at, "%s%s(%s)", at ? "*" : "", log_name,
					       v->name[i]);
		if (f->log_power > 1)
			at += (size_t)snprintf(text + at, TERM_TEXT_MAX - at, "^%u", f->log_power);
	}
	if (!at)
		strcpy(text, "1");
}

double term_value(const struct term *t, unsigned variables, const double *values)
{
	double product = 1;

	for (unsigned i = 0; i < variables; i++) {
		const struct factor *f = &t->factor[i];

		if (f->power.den == 1 && f->power.num >= 0) /* exact for whole numbers */
			for (int n = 0; n < f->power.num; n++)
				product *= values[i];
		else if (f->power.num)
			product *= values[i] > 0 ? pow(values[i], (double)f->power.num / f->power.den) : (double)NAN;
		if (f->log_power)
			product *= values[i] > 0 ? pow(log2(values[i]), f->log_power) : (double)NAN;
	}
	return product;
}

bool term_dominates(const struct term *a, const struct term *b)
{
	for (unsigned i = 0; i < MODEL_VARIABLES_MAX; i++) {
		const struct factor *x = &a->factor[i], *y = &b->factor[i];
		int difference = x->power.num * y->power.den - y->power.num * x->power.den;

		if (difference < 0 || (difference == 0 && x->log_power < y->log_power))
			return false;
	}
	return !term_equal(a, b);
}
