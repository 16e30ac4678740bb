/*
 * Lists of values of one parameter, as a study writes them.
 *
 *     32, 64, 128        each as it would stand in a configuration
 *     16..256*2          geometric: 16, 32, 64, 128, 256
 *     4..16+4            arithmetic: 4, 8, 12, 16
 *     64 KiB..1 MiB*4    with units; lists and ranges can be mixed
 *
 * A range ends with the last value that is not beyond its second one. Ranges are for numbers;
 * of numbers that are integers the nearest is taken, and once.
 */
#ifndef PSIM_ENERGY_EXPLORE_VALUES_H
#define PSIM_ENERGY_EXPLORE_VALUES_H

#include "../../psim/base/config/config.h"
#include "../../psim/base/vec.h"

enum { VALUES_MAX = 1000 };

/* Values as they would stand in a file, in the order of the list; the texts are owned. */
struct values vec_of(char *);

/*
 * Appends what `text` lists for the parameter `p`. 0, or -1 with `e` (without file and key) where
 * a value is not one of the parameter's, stands twice although they are to be `distinct`, or there
 * are more than VALUES_MAX; `out` then holds a part.
 */
int values_read(const struct param *p, const char *text, bool distinct, struct values *out, struct err *e);

/* A value of `p` as a number, in its base unit; false where the parameter's values are none. */
bool values_number(const struct param *p, const char *text, double *out);

void values_finish(struct values *v);

#endif
