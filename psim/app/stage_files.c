#include "stage_files.h"

#include <inttypes.h>

static int stage_files_check(const struct stage_files *f, struct err *e)
{
	if (f->csv || f->svg || f->in_report)
		return f->rows % 2 == 0 && f->rows >= STAGE_ROWS_MIN && f->rows <= STAGE_ROWS_MAX
			       ? 0
			       : err_set(e, STATUS_USAGE,
					 "--stages-rows: %" PRIu64 " rows, expected an even number from %d to %d",
					 f->rows, STAGE_ROWS_MIN, STAGE_ROWS_MAX);
	return f->rows == STAGE_ROWS_DEFAULT
		       ? 0
		       : err_set(e, STATUS_USAGE,
				 "--stages-rows: expected --stages-csv FILE, --stages-svg FILE or --html FILE too");
}

int stage_files_open(struct stage_files *f, const struct core_config *cfg, const struct energy_model *energy,
		     unsigned core, struct err *e)
{
	if (stage_files_check(f, e) < 0)
		return -1;
	if (!f->csv && !f->svg && !f->in_report)
		return 0;
	if (!f->csv && !f->svg && f->rows == STAGE_ROWS_DEFAULT)
		f->rows = STAGE_ROWS_REPORT;
	f->series = stage_series_create(cfg, energy, core, (unsigned)f->rows, e);
	if (!f->series)
		return -1;
	if (f->csv && !(f->csv_out = out_create(f->csv, e)))
		return -1;
	if (f->svg && !(f->svg_out = out_create(f->svg, e)))
		return -1;
	return 0;
}

uint64_t stage_files_step(const struct stage_files *f, uint64_t now, uint64_t cycles)
{
	uint64_t step = f->series ? stage_series_step(f->series, now) : cycles;

	return step < cycles ? step : cycles;
}

void stage_files_sample(struct stage_files *f, const struct chip *chip)
{
	if (f->series)
		stage_series_sample(f->series, chip, false);
}

void stage_files_report(struct stage_files *f, const struct chip *chip, struct report *r)
{
	if (!f->series || !f->in_report)
		return;
	stage_series_sample(f->series, chip, true);
	stage_series_report(f->series, r);
}

static int close_file(struct out **file, struct err *e)
{
	struct out *out = *file;

	*file = NULL;
	return out_close(out, e);
}

int stage_files_close(struct stage_files *f, const struct chip *chip, const char *title, struct err *e)
{
	if (!f->series)
		return 0;
	stage_series_sample(f->series, chip, true);
	if (f->csv_out) {
		stage_series_csv(f->series, out_file(f->csv_out));
		if (close_file(&f->csv_out, e) < 0)
			return -1;
	}
	if (!f->svg_out)
		return 0;
	if (stage_series_picture(f->series, title, out_file(f->svg_out), e) < 0)
		return -1;
	return close_file(&f->svg_out, e);
}

void stage_files_release(struct stage_files *f)
{
	stage_series_destroy(f->series);
	out_abort(f->csv_out);
	out_abort(f->svg_out);
}
