/* Values of a platform: a number and a unit, "125MBps", "50us". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"

struct platform_unit {
	const char *name;
	double scale;
};

/* Returns the scale of `text`, one of the units with a prefix; 0: unknown. */
static double unit_scale(const char *text, const struct platform_unit *units)
{
	static const struct platform_unit prefixes[] = {
		{"", 1},         {"k", 1e3},
		{"K", 1e3},      {"M", 1e6},
		{"G", 1e9},      {"T", 1e12},
		{"Ki", 1024},    {"Mi", 1024.0 * 1024},
		{"Gi", 1 << 30}, {"Ti", 1024.0 * (1 << 30)},
	};

	for (; units->name; units++)
		for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
			size_t length = strlen(prefixes[i].name);

			if (!strncmp(text, prefixes[i].name, length) && !strcmp(text + length, units->name))
				return prefixes[i].scale * units->scale;
		}
	return 0;
}

int platform_rate(const struct lines *lines, const char *name, const char *text, double *bytes_per_s)
{
	static const struct platform_unit units[] = {{"Bps", 1}, {"bps", 0.125}, {NULL, 0}};
	char *end;
	double number = strtod(text, &end), scale = unit_scale(end, units);

	*bytes_per_s = number * scale;
	if (end == text || scale == 0)
		return lines_wrong(lines, "%s = %.40s: expected a number and a unit such as MBps or Gbps", name, text);
	if (!(*bytes_per_s >= 1 && *bytes_per_s <= 1e15))
		return lines_wrong(lines, "%s = %.40s: expected 1 Bps to 1000 TBps", name, text);
	return 0;
}

int platform_time(const struct lines *lines, const char *name, const char *text, int64_t *ps)
{
	static const struct platform_unit units[] = {{"ps", 1},   {"ns", 1e3}, {"us", 1e6},   {"ms", 1e9},
						     {"s", 1e12}, {"m", 6e13}, {"h", 3.6e15}, {NULL, 0}};
	const struct platform_unit *unit = units;
	char *end;
	double number = strtod(text, &end);

	while (unit->name && strcmp(unit->name, end) != 0)
		unit++;
	if (end == text || (!unit->name && (*end || number != 0)))
		return lines_wrong(lines, "%s = %.40s: expected a number and a unit such as us or ms", name, text);
	number *= unit->scale;
	if (!(number >= 0 && number <= 1e12))
		return lines_wrong(lines, "%s = %.40s: expected 0 to 1 s", name, text);
	*ps = (int64_t)llround(number);
	return 0;
}
