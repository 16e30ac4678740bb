#include "pictures.h"

#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/report/svg.h"

enum { CELLS_MAX = 256, ROW_HEIGHT = 14, LEFT = 150, WIDTH = 640 };

struct row {
	const struct network_kind *kind;
	uint32_t port;
	int vc; /* -1: the link itself */
};

static double share(const struct row *r, const struct network *n, const struct sim_use *k, uint32_t element)
{
	const struct network_resource *x = &n->resources[r->kind->first + element];
	uint32_t output = x->first_output + r->port;

	if (r->port >= x->outputs || r->vc >= x->vcs || !k->clocks)
		return 0;
	uint64_t used = r->vc < 0 ? sim_use_busy(k, output) : sim_use_held(k, output, (uint32_t)r->vc);
	return (double)used / (double)k->clocks;
}

static void draw_row(FILE *out, const struct row *r, unsigned number, const struct network *n, const struct sim_use *k)
{
	uint32_t count = r->kind->count, cells = count < CELLS_MAX ? count : CELLS_MAX;
	double width = (double)WIDTH / cells, top = 68.0 + ROW_HEIGHT * number;
	char text[80];

	snprintf(text, sizeof(text), r->vc < 0 ? "%s.o(%u)" : "%s.o(%u)#v(%d)", r->kind->name, r->port, r->vc);
	svg_text(out, LEFT - 8, top + ROW_HEIGHT - 4, "tick", "end", text);
	for (uint32_t c = 0; c < cells; c++) {
		uint32_t first = (uint32_t)((uint64_t)c * count / cells);
		uint32_t end = (uint32_t)((uint64_t)(c + 1) * count / cells);
		double sum = 0;
		char colour[8];
		for (uint32_t e = first; e < end; e++)
			sum += share(r, n, k, e);
		sum /= end - first;
		svg_colour(sum < 1 ? sum : 1, colour);
		fprintf(out, "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\" fill=\"%s\"/>\n",
			LEFT + c * width, top, width, ROW_HEIGHT - 2, colour);
	}
}

/* Counts the rows, and draws them if `out` is not NULL. */
static unsigned rows(FILE *out, const struct network *n, const struct sim_use *k)
{
	unsigned number = 0;

	for (uint32_t i = 0; i < n->kind_count; i++) {
		const struct network_resource *x = &n->resources[n->kinds[i].first];
		uint32_t ports = 0;
		for (uint32_t e = 0; e < n->kinds[i].count; e++)
			ports = x[e].outputs > ports ? x[e].outputs : ports;
		for (uint32_t port = 0; port < ports; port++)
			for (int vc = -1; vc < (x->vcs > 1 ? (int)x->vcs : 0); vc++, number++)
				if (out)
					draw_row(out, &(struct row){&n->kinds[i], port, vc}, number, n, k);
	}
	return number;
}

void use_draw(FILE *out, const char *title, const struct network *n, const struct sim_use *k)
{
	unsigned number = rows(NULL, n, k);
	static const char doc[] =
		"share of clocks in which a link carried a flit (o) or a virtual channel was held (#v), by element";
	double bottom = 84.0 + ROW_HEIGHT * number;
	char colour[8], text[16];

	svg_begin(out, LEFT + WIDTH + 20, bottom + 44, title, doc);
	svg_text(out, 30, 28, "title", "start", title);
	svg_text(out, 30, 50, "note", "start", doc);
	rows(out, n, k);
	for (unsigned c = 0; c <= 10; c++) {
		svg_colour(c / 10.0, colour);
		fprintf(out, "<rect x=\"%u\" y=\"%.1f\" width=\"28\" height=\"10\" fill=\"%s\"/>\n", LEFT + 30 * c,
			bottom, colour);
		snprintf(text, sizeof(text), "%u %%", 10 * c);
		if (c % 2 == 0)
			svg_text(out, LEFT + 14 + 30.0 * c, bottom + 24, "tick", "middle", text);
	}
	svg_end(out);
}
