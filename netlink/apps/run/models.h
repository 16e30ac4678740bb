/*
 * What skeletons ask for by name: fitted models of the machine's times ([models], --model) and numbers
 * ([skeleton], --set).
 *
 *     [models]                      NAME = FILE [FACTOR], FILE relative to the ini file
 *     dgemm = dgemm.model 1.05
 *     [skeleton]                    NAME = NUMBER
 *     block = 120
 */
#ifndef PSIM_NETLINK_RUN_MODELS_H
#define PSIM_NETLINK_RUN_MODELS_H

#include "../../../psim/base/config/config.h"
#include "../../../psim/base/cli/opt.h"
#include "../../../psim/base/report/report.h"
#include "../../vmpi/vmpi.h"

struct models;

/* Adds both sections to `c`. */
void models_config_add(struct config *c);

/*
 * Reads the models that `c` names, then those of the options --model NAME=FILE[*FACTOR], which replace them;
 * likewise the numbers, then --set NAME=VALUE. NULL and `e`: STATUS_USAGE, or STATUS_BAD_INPUT of a model file.
 */
struct models *models_create(const struct config *c, const struct opt_list *models, const struct opt_list *parameters,
			     struct err *e);
void models_destroy(struct models *m); /* NULL is allowed */

/* What vmpi asks. */
struct vmpi_skeleton models_skeleton(struct models *m);

/* Prints what is new to tell since the last call: models evaluated outside the range of their fit, once each. */
void models_warn(struct models *m, const char *program, FILE *out);

/* Prints which names of --model and --set the program never asked for: at the end of a whole run. */
void models_warn_unused(const struct models *m, const char *program, FILE *out);

/*
 * Adds the group "interval": a run of `seconds` has at most `computed` of computation on the way to its end, all
 * of it as wrong as the models are by mean, each time by the error to expect where it was asked
 * (model_expected_error). `slowdown`: of all computation. Nothing where no model was asked; `m` NULL is allowed.
 */
void models_interval(const struct models *m, double seconds, double computed, double slowdown, struct report *r);

/* Adds the tables "parameters" and "models": what was asked of each; nothing where nothing was, or there are none. */
void models_report(const struct models *m, struct report *r);

#endif
