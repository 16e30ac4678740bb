#include "colours.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *svg_category(unsigned n)
{
#define CURVE(n, colour) colour,
	static const char *const colours[] = {SVG_CATEGORIES(CURVE)};
#undef CURVE

	return colours[n % (sizeof(colours) / sizeof(colours[0]))];
}

const char *svg_part(const char *name)
{
#define PART(part, colour) {#part, colour},
	static const struct {
		const char *name, *colour;
	} parts[] = {SVG_PARTS(PART)};
#undef PART

	for (unsigned n = 0; n < sizeof(parts) / sizeof(parts[0]); n++)
		if (!strcmp(parts[n].name, name))
			return parts[n].colour;
	return SVG_GREY;
}

void svg_colour(double at, char text[8])
{
#define STOP(red, green, blue) {red, green, blue},
	static const unsigned char stops[][3] = {SVG_RAMP(STOP)};
#undef STOP
	enum { LAST = sizeof(stops) / sizeof(stops[0]) - 1 };
	double place = LAST * (at > 0 ? at < 1 ? at : 1 : 0);
	unsigned n = place >= LAST ? LAST - 1 : (unsigned)place;
	unsigned mixed[3];

	for (unsigned c = 0; c < 3; c++)
		mixed[c] = (unsigned)lround(stops[n][c] + (place - n) * (stops[n + 1][c] - stops[n][c])) & 0xff;
	snprintf(text, 8, "#%02x%02x%02x", mixed[0], mixed[1], mixed[2]);
}
