/*
 * All colours of pictures and pages: C includes this file, make_page.py reads it for the scripts of the page.
 *
 * Colours of things without an order: M. Okabe, K. Ito, "Color Universal Design" (2008), which most kinds of colour
 * blindness keep apart; grey is for what waits or is the rest.
 */
#ifndef PSIM_BASE_COLOURS_H
#define PSIM_BASE_COLOURS_H

#define SVG_BLUE "#0072b2"
#define SVG_ORANGE "#e69f00"
#define SVG_GREEN "#009e73"
#define SVG_PURPLE "#cc79a7"
#define SVG_VERMILION "#d55e00"
#define SVG_SKY "#56b4e9"
#define SVG_YELLOW "#f0e442"
#define SVG_BROWN "#8a6d3b"
#define SVG_GREY "#b4bbc8"

/* Several curves in their order: M(curve, colour). */
#define SVG_CATEGORIES(M) \
	M(0, SVG_BLUE) \
	M(1, SVG_ORANGE) \
	M(2, SVG_GREEN) \
	M(3, SVG_PURPLE) \
	M(4, SVG_VERMILION) \
	M(5, SVG_SKY) \
	M(6, SVG_BROWN)

/* Parts of the machine, in cycle stacks and in the pipeline's picture: M(part, colour). */
#define SVG_PARTS(M) \
	M(used, SVG_BLUE) \
	M(prediction, SVG_YELLOW) \
	M(fetch, SVG_PURPLE) \
	M(serial, SVG_BROWN) \
	M(execution, SVG_GREEN) \
	M(load_store, SVG_SKY) \
	M(memory, SVG_VERMILION) \
	M(array, SVG_ORANGE) \
	M(other, SVG_GREY)

/*
 * Stops of the ramp for ordered values, red, green and blue: the part of matplotlib's "plasma" (S. van der Walt,
 * N. Smith, 2015) from 0.35 to 0.775, whose contrast with the light and the dark ground is
 * at least 2 to 1.
 */
#define SVG_RAMP(M) \
	M(0xa0, 0x1b, 0x9a) \
	M(0xb7, 0x30, 0x8b) \
	M(0xca, 0x45, 0x7a) \
	M(0xd9, 0x59, 0x6a) \
	M(0xe7, 0x6f, 0x5a) \
	M(0xf2, 0x85, 0x4a) \
	M(0xfa, 0x9d, 0x3b)

/* Returns the colour of the n-th of several curves; after the seventh they repeat. */
const char *svg_category(unsigned n);

/* Returns the colour of a part of the machine; that of "other" if there is no part of this name. */
const char *svg_part(const char *name);

/*
 * Writes the colour at 0 to 1 of the ramp for ordered values, "#rrggbb". It gets lighter evenly, so it serves the
 * colour-blind.
 */
void svg_colour(double at, char text[8]);

#endif
