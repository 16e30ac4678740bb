/* psim's options --stages-csv, --stages-svg and --stages-rows: their files, and the series written to them. */
#ifndef PSIM_APP_STAGE_FILES_H
#define PSIM_APP_STAGE_FILES_H

#include "../base/report/out.h"
#include "../pipe_trace/stage_series.h"

enum { STAGE_ROWS_DEFAULT = 1024, STAGE_ROWS_REPORT = 256 };

struct stage_files {
	const char *csv, *svg; /* file names; NULL: not requested */
	bool in_report;        /* the report has the series too, in at most STAGE_ROWS_REPORT rows without the files */
	uint64_t rows;         /* maximum number of rows; default STAGE_ROWS_DEFAULT */
	struct out *csv_out, *svg_out;
	struct stage_series *series; /* NULL: nothing is requested */
};

/* Opens the requested files, for a series of core `core`, which borrows `energy`. 0, or -1 with `e`. */
int stage_files_open(struct stage_files *f, const struct core_config *cfg, const struct energy_model *energy,
		     unsigned core, struct err *e);

/* Limits a step of `cycles` cycles from `now` to the next call of stage_files_sample. */
uint64_t stage_files_step(const struct stage_files *f, uint64_t now, uint64_t cycles);
void stage_files_sample(struct stage_files *f, const struct chip *chip);

/* Takes the last sample and adds the series to the report, if `in_report`. Before stage_files_close. */
void stage_files_report(struct stage_files *f, const struct chip *chip, struct report *r);

/* Ends the run: writes and renames both files; `title` is the picture's. 0, or -1 with `e`. */
int stage_files_close(struct stage_files *f, const struct chip *chip, const char *title, struct err *e);

/* Frees all; removes files that are not closed. */
void stage_files_release(struct stage_files *f);

#endif
