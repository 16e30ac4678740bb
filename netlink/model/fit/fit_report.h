/* What psim-fit tells: its report, the model file, the picture. */
#ifndef PSIM_NETLINK_FIT_REPORT_H
#define PSIM_NETLINK_FIT_REPORT_H

#include <stdio.h>

#include "../../../psim/base/report/report.h"
#include "fit.h"
#include "outliers.h"

/* A size that the model was asked for (--predict). */
struct prediction {
	double values[MODEL_VARIABLES_MAX];
};

/* The model in one line, "1.5e-10*n^3 + 2e-08", "max(2e-09*n^2, 1.5e-10*n^3)"; cut where `size` ends. */
void fit_formula(const struct model *m, char *text, size_t size);

/* Sum number `s` in one line. */
void fit_formula_sum(const struct model *m, unsigned s, char *text, size_t size);

/* Adds the groups and tables of a fit; model files are made of `model`, `variables`, `terms`,
 * `points`, `config`. */
void fit_report_model(struct report *r, const struct fit *f, const struct points *p);
void fit_report_points(struct report *r, const struct fit *f, const struct points *p);
void fit_report_predictions(struct report *r, const struct fit *f, const struct prediction *list, size_t count);
void fit_report_config(struct report *r, const struct points *p);

/* What a fit is to be doubted for; found before the report is made. */
enum { OUTLIERS_MAX = 10 };
struct doubts {
	struct outlier outlier[OUTLIERS_MAX];
	unsigned outliers;
	double interpolated; /* percent: cross-validation of a table of the same points; NaN: none can be made */
};
int fit_doubts(struct doubts *d, const struct fit *f, const struct points *p, struct err *e);

/* Adds the table of what to keep in mind. */
void fit_report_warnings(struct report *r, const struct fit *f, const struct points *p, const struct doubts *d,
			 const struct prediction *list, size_t count);

/* "n=64,m=2": the name of a point. */
void fit_point_name(const struct model *m, const double *values, char *text, size_t size);

/* The largest error of held-out points, in percent, and where (NULL: not wanted); NaN: none was. */
double fit_held_out_error(const struct fit *f, const struct points *p, const struct point **worst);

/*
 * The picture as SVG: data, model and held-out points, and below them the errors
 * in percent. With one variable over that; with more, the model's value over the
 * simulated one. Points have the shape of the sum that is the largest there.
 */
void fit_picture(const struct fit *f, const struct points *p, FILE *out);

#endif
