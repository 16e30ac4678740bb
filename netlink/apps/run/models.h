/*
 * Inputs that skeletons read by name: fitted models of the machine's times ([models], --model) and numbers
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
 * Reads the models that `c` names, then those of the options --model NAME=FILE[*FACTOR], which replace them; likewise
 * the numbers, then --set NAME=VALUE. NULL with `e` on failure: STATUS_USAGE, or STATUS_BAD_INPUT for a model file.
 */
struct models *models_create(const struct config *c, const struct opt_list *models, const struct opt_list *parameters,
			     struct err *e);
void models_destroy(struct models *m); /* NULL is allowed */

/* Callbacks for vmpi; `cost`: also of what models say besides time. */
struct vmpi_skeleton models_skeleton(struct models *m, bool cost);

/* Requests happen in turns of `v`, which has a partition of the ranks; NULL: they all happen in this process. */
void models_note_turns(struct models *m, const struct vmpi *v);

/* Writes what the program here has used to `out` (NULL: nothing); returns its bytes. Adds those of another process. */
size_t models_results(const struct models *m, void *out);
int models_add_results(struct models *m, const void *results, size_t bytes, struct err *e);

/* Forgets what the program has used, before it is repeated. */
void models_forget(struct models *m);

/*
 * Prints warnings that are new since the last call on stderr: models evaluated outside the range of their fit, once
 * each, with the first such call; and models whose expected errors are none, or those of an older psim-fit.
 */
void models_warn(struct models *m, const char *program);

/* Prints the names of --model and --set that the program never read on stderr; for the end of a complete run. */
void models_warn_unused(const struct models *m, const char *program);

/*
 * Adds the group "interval": a run of `seconds` has at most `computed` of computation on the way to its end, all
 * of it as wrong as the models are by mean, each time by the error to expect where it was used
 * (model_expected_error). `slowdown`: of all computation. Adds nothing if no model was used; `m` NULL is allowed.
 */
void models_interval(const struct models *m, double seconds, double computed, double slowdown, struct report *r);

/* Adds the tables "parameters" and "models" with the requests of the program; omits empty ones. */
void models_report(const struct models *m, struct report *r);

#endif
