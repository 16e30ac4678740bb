/* The options --stages-csv, --stages-svg and --stages-rows of psim: the files, and the series that fills them. */
#ifndef PSIM_CORE_STAGE_FILES_H
#define PSIM_CORE_STAGE_FILES_H

#include "../base/report/out.h"
#include "stage_series.h"

enum { STAGE_ROWS_DEFAULT = 1024 };

struct stage_files {
	const char *csv, *svg; /* names, NULL: none */
	uint64_t rows;         /* as the user says; STAGE_ROWS_DEFAULT */
	struct out *csv_out, *svg_out;
	struct stage_series *series; /* NULL: neither file is asked for */
};

/* Opens the files that are named; `energy` is borrowed by the series of core `core`. 0, or -1 with `e`. */
int stage_files_open(struct stage_files *f, const struct core_config *cfg, const struct energy_model *energy,
		     unsigned core, struct err *e);

/* The chip is at cycle `now` and would run `cycles` more: how many it may until stage_files_sample. */
uint64_t stage_files_step(const struct stage_files *f, uint64_t now, uint64_t cycles);
void stage_files_sample(struct stage_files *f, const struct chip *chip);

/* The run ends: writes both and gives them their names. `title` is that of the picture. 0, or -1 with `e`. */
int stage_files_close(struct stage_files *f, const struct chip *chip, const char *title, struct err *e);

/* Drops what is not closed. */
void stage_files_release(struct stage_files *f);

#endif
