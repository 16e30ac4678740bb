/*
 * Conversion between a configuration value and its text, for files, messages and the echo. Numbers have units: B KiB
 * MiB GiB TiB for sizes, Hz kHz MHz GHz for frequencies, ps ns us ms s for times, cycles and B/cycle if the row
 * accepts them. The row's own unit may follow any other number.
 */
#ifndef PSIM_BASE_VALUE_H
#define PSIM_BASE_VALUE_H

#include <stddef.h>

#include "config.h"

enum { VALUE_TEXT_MAX = PARAM_TEXT_MAX + 32 };

/*
 * Reads `text` for the row `p` into `field`, of the row's C type. 0, or -1 with `e` ("is not a
 * number", "out of range 1 to 1024 entries" …), without file or key, and the field unchanged.
 */
int value_read(const struct param *p, const char *text, void *field, struct err *e);

/* Writes a field as text that value_read reads back to the same bits. */
void value_write(const struct param *p, const void *field, char *text, size_t size);

/* Writes the range: "1 to 1024", "4 KiB to 1 GiB", "yes|no", "a|b|c", or "text". */
void value_range(const struct param *p, char *text, size_t size);

/* Writes a finite number in the fewest digits, 15 to 17, that read back to the same bits. */
void value_real(double v, char *text, size_t size);

#endif
