/* Power over time as CSV, one row per interval. */
#include "energy_model.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Computes the watts by unit in the interval; false if it is empty. */
static bool interval(const struct energy_model *m, const struct activity *from, const struct activity *to,
		     double *total_w, double unit_w[UNIT_COUNT])
{
	struct energy_result x;
	struct activity a;

	activity_subtract(to, from, &a);
	if (a.cycles == 0)
		return false;
	energy_evaluate(m, &a, &x);
	energy_by_unit(m, &x, unit_w);
	for (unsigned u = 0; u < UNIT_COUNT; u++)
		unit_w[u] /= x.seconds;
	*total_w = x.total_j / x.seconds;
	return true;
}

static int output_error(struct err *e)
{
	return err_set(e, STATUS_FAILED, "power over time: cannot write: %s", strerror(errno));
}

int energy_csv_header(const struct energy_model *m, FILE *out, struct err *e)
{
	if (fputs("cycle,seconds,total_w", out) == EOF)
		return output_error(e);
	for (unsigned u = 0; u < UNIT_COUNT; u++)
		if (!unit_absent(&m->machine, u) && fprintf(out, ",%s_w", energy_unit_name(u)) < 0)
			return output_error(e);
	return putc('\n', out) == EOF ? output_error(e) : 0;
}

int energy_csv_row(const struct energy_model *m, const struct activity *from, const struct activity *to, FILE *out,
		   struct err *e)
{
	double total_w, unit_w[UNIT_COUNT];

	if (!interval(m, from, to, &total_w, unit_w))
		return 0;
	if (fprintf(out, "%" PRIu64 ",%.9g,%.6g", to->cycles, (double)to->cycles / m->machine.frequency_hz, total_w) <
	    0)
		return output_error(e);
	for (unsigned u = 0; u < UNIT_COUNT; u++)
		if (!unit_absent(&m->machine, u) && fprintf(out, ",%.6g", unit_w[u]) < 0)
			return output_error(e);
	return putc('\n', out) == EOF ? output_error(e) : 0;
}
