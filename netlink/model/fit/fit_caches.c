/* Caches that a kernel leaves, and the sizes at which it does. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "../../../psim/base/mem.h"
#include "fit_caches.h"

/* A cache that holds the data fetches each line once. One that fetches them twice, in the mean, does not hold them. */
#define TIMES_LEFT 2.0

static const char *const sections[CACHES] = {"l1d", "l2"}, *const names[CACHES] = {"L1D", "L2"};

/* Reads a size of a configuration, "128 KiB", in KiB; 0: none. */
static double size_kib(const char *text)
{
	static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
	char *end;
	double size = text ? strtod(text, &end) : 0;

	for (unsigned u = 0; text && u < sizeof(units) / sizeof(units[0]); u++, size *= 1024)
		if (!strcmp(end + strspn(end, " "), units[u]))
			return size;
	return 0;
}

static const char *cache_setting(const struct points *p, unsigned cache, const char *key)
{
	return json_string_value(json_object_get(json_object_get(p->config, sections[cache]), key));
}

/* Finds the largest data that the cache holds, and the smallest above them that it does not. */
static void take_points(struct cache *c, unsigned number, const struct points *p)
{
	double held = 0, left = (double)INFINITY;

	for (size_t i = 0; i < p->list.count; i++) {
		const struct point *point = &p->list.at[i];
		double times = point->fetched_kib[number] / point->data_kib;

		if (!(point->data_kib > 0) || !(point->fetched_kib[number] > 0))
			continue;
		if (times < TIMES_LEFT && point->data_kib > held) {
			c->held = point;
			held = point->data_kib;
		}
		if (times >= TIMES_LEFT && point->data_kib < left) {
			c->left = point;
			left = point->data_kib;
		}
	}
}

unsigned fit_caches(const struct points *p, struct cache caches[CACHES])
{
	unsigned count = 0;

	for (unsigned n = 0; n < CACHES; n++) {
		struct cache c = {.name = names[n], .number = n, .kib = size_kib(cache_setting(p, n, "size"))};
		const char *perfect = cache_setting(p, n, "perfect");

		take_points(&c, n, p);
		if (c.kib > 0 && (!perfect || strcmp(perfect, "yes") != 0) && (c.held || c.left))
			caches[count++] = c;
	}
	return count;
}

/* Fits the data of the points, held out or not, by chosen terms, else a table. */
static int fit_data(struct points *data, struct fit *f)
{
	struct err none;

	if (fit_choose(data, &(struct fit_choice){.max_terms = 4, .relative = true}, f, &none) == 0)
		return 0;
	return fit_interpolate(data, f, &none);
}

int fit_caches_data(const struct points *p, struct fit *f, struct err *e)
{
	struct points data = {.variables = p->variables};
	int ret = 0;

	for (size_t i = 0; i < p->list.count && ret == 0; i++) {
		struct point *point;

		if (!(p->list.at[i].data_kib > 0))
			continue;
		point = vec_push(&data.list, e);
		if (!point) {
			ret = -1;
			continue;
		}
		*point = p->list.at[i]; /* its texts stay the owner's */
		point->result = point->data_kib;
		point->held_out = false;
	}
	if (ret == 0)
		ret = data.list.count && fit_data(&data, f) == 0 ? 1 : 0;
	vec_finish(&data.list);
	return ret;
}
