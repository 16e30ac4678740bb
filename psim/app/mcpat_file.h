/* A machine and its run as the XML that McPAT 1.3 reads: a second opinion on power and area. */
#ifndef PSIM_APP_MCPAT_FILE_H
#define PSIM_APP_MCPAT_FILE_H

#include <stdio.h>

#include "../core/chip.h"

/*
 * Writes the chip's dimensions and the counts so far (mcpat.def). Returns 0, or -1 with `e` where the file cannot be
 * written.
 */
int mcpat_write(const struct chip *c, const struct core_config *cfg, FILE *out, struct err *e);

/*
 * Writes a sentence on what of the machine McPAT has no place for into `text`; false: it has one for all.
 */
bool mcpat_lacks(const struct core_config *cfg, char text[ENERGY_WARNING_MAX]);

#endif
