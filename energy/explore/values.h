/*
 * Lists of values of one parameter, in the syntax of a study.
 *
 *     32, 64, 128        each as in a configuration
 *     16..256*2          geometric: 16, 32, 64, 128, 256
 *     4..16+4            arithmetic: 4, 8, 12, 16
 *     64 KiB..1 MiB*4    with units; lists and ranges can be mixed
 *
 * A range ends with the last value up to its second one. Ranges are for numbers; integers are
 * rounded to the nearest, without repetition.
 */
#ifndef PSIM_ENERGY_EXPLORE_VALUES_H
#define PSIM_ENERGY_EXPLORE_VALUES_H

#include "../../psim/base/config/config.h"
#include "../../psim/base/vec.h"

enum { VALUES_MAX = 1000 };

/* Values in the order of the list, as in a file; the texts are owned. */
struct values vec_of(char *);

/*
 * Appends the values of the list `text` for the parameter `p`. Returns 0, or -1 with `e`
 * (without file and key) if a value is invalid, is repeated although values must be `distinct`,
 * or there are more than VALUES_MAX; `out` then holds a part.
 */
int values_read(const struct param *p, const char *text, bool distinct, struct values *out, struct err *e);

/*
 * Converts a value of `p` to a number in its base unit; false if the parameter's values are no
 * numbers.
 */
bool values_number(const struct param *p, const char *text, double *out);

void values_finish(struct values *v);

#endif
