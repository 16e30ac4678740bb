/* Output of psim-fit: its report, the model file, the picture. */
#ifndef PSIM_NETLINK_FIT_REPORT_H
#define PSIM_NETLINK_FIT_REPORT_H

#include <stdio.h>

#include "../../../psim/base/report/report.h"
#include "fit.h"
#include "fit_caches.h"
#include "outliers.h"

/* A size for --predict. */
struct prediction {
	double values[MODEL_VARIABLES_MAX];
};

/* Writes sum number `s` as people do, with the value's unit at the coefficients: "6.98 ns n^2 + 20 ns". */
void fit_formula_read(const struct model *m, unsigned s, const char *unit, char *text, size_t size);

/* Writes a rival of the model in one line. */
void fit_formula_rival(const struct model *m, const struct rival *r, char *text, size_t size);

/*
 * Adds the groups and tables of a fit. Model files consist of `model`, `variables`, `terms`,
 * `points`, `caches`, `warnings`, `config`.
 */
void fit_report_model(struct report *r, const struct fit *f, const struct points *p);
void fit_report_points(struct report *r, const struct fit *f, const struct points *p);
void fit_report_predictions(struct report *r, const struct fit *f, const struct prediction *list, size_t count);
void fit_report_config(struct report *r, const struct points *p);

/* Adds tables of the quantities that the model says besides its value: terms, fits. NULL: none of that quantity. */
void fit_report_quantities(struct report *r, const struct fit *const quantity[MODEL_QUANTITIES]);

/* Reasons to doubt a fit, found before the report is made. */
enum { OUTLIERS_MAX = 10 };
struct doubts {
	struct outlier outlier[OUTLIERS_MAX];
	unsigned outliers;
	struct cache cache[CACHES];
	unsigned caches;
	struct fit data; /* KiB of data by size, if `data_known` */
	bool data_known;
	double interpolated; /* percent: cross-validation of a table of the same points; NaN: no table is possible */
};
int fit_doubts(struct doubts *d, const struct fit *f, const struct points *p, struct err *e);
void fit_doubts_finish(struct doubts *d);

/* Adds the table of caches, if any is known. */
void fit_report_caches(struct report *r, const struct fit *f, const struct doubts *d);

/* Adds the table of warnings. */
void fit_report_warnings(struct report *r, const struct fit *f, const struct points *p, const struct doubts *d,
			 const struct prediction *list, size_t count);

/* "n=64,m=2": the name of a point. */
void fit_point_name(const struct model *m, const double *values, char *text, size_t size);

/*
 * Returns the largest error of held-out points, in percent, and sets its point (`worst` may be
 * NULL); NaN: none is held out.
 */
double fit_held_out_error(const struct fit *f, const struct points *p, const struct point **worst);

/*
 * Draws the picture as SVG: data, model and held-out points, and below them the errors in percent.
 * One variable is the abscissa; with more, the simulated value is. The shape of a point shows which
 * sum is the largest there.
 */
void fit_picture(const struct fit *f, const struct points *p, FILE *out);

#endif
