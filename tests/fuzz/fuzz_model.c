/* Model files: refused with one line, or models that answer every question with a number or with
 * NaN. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_file.h"
#include "netlink/model/model.h"

static void ask(const struct model *m)
{
	static const double values[] = {0, 1, -3, 0.5, 128, 1e9, 1e300, -1e300};
	enum { COUNT = sizeof(values) / sizeof(values[0]) };
	unsigned n = model_variables(m);
	double x[MODEL_VARIABLES_MAX];
	char text[300];

	if (n < 1 || n > MODEL_VARIABLES_MAX)
		abort();
	for (unsigned i = 0; i < 2 * COUNT; i++) {
		struct model_watch watch = {0};
		double v;

		for (unsigned k = 0; k < n; k++)
			x[k] = values[(i < COUNT ? i : i * (k + 1) + k) % COUNT];
		v = model_evaluate(m, x, &watch);
		if (isinf(v) || (v < 0 && !strcmp(model_unit(m), "s")))
			abort();
		if (watch.times > 0)
			model_watch_text(m, &watch, text, sizeof(text));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = {0};
	struct model *m = model_read(fuzz_file("a.model", data, size), &e);

	if (!m) {
		if (e.status != STATUS_BAD_INPUT || !*e.text || strchr(e.text, '\n'))
			abort();
		return 0;
	}
	ask(m);
	model_destroy(m);
	return 0;
}
