#include "foreign.h"

#include "champsim.h"
#include "cvp.h"

static const char *const options[] = {
#define FOREIGN_OPTION(id, option) [id] = option,
	FOREIGN_FILES(FOREIGN_OPTION)
#undef FOREIGN_OPTION
};

const char *foreign_option(const struct foreign *f)
{
	for (unsigned n = 0; n < FOREIGN_COUNT; n++)
		if (f->path[n])
			return options[n];
	return NULL;
}

static FILE *file_of(const struct foreign *f, enum foreign_file n)
{
	return f->out[n] ? out_file(f->out[n]) : NULL;
}

int foreign_open(struct foreign *f, const struct trace_info *info, const char *path, struct err *e)
{
	const char *option = foreign_option(f);

	if (option && info->pes)
		return err_set(e, STATUS_USAGE, "%s: %s uses the SIMD array, which no other simulator has", option,
			       path);
	for (unsigned n = 0; n < FOREIGN_COUNT; n++)
		if (f->path[n] && !(f->out[n] = out_create(f->path[n], e)))
			return -1;
	if (f->out[FOREIGN_CHAMPSIM])
		f->executed[FOREIGN_CHAMPSIM] =
			(struct executed){.write = champsim_write, .to = file_of(f, FOREIGN_CHAMPSIM)};
	if (f->out[FOREIGN_CVP])
		f->executed[FOREIGN_CVP] = (struct executed){.write = cvp_write, .to = file_of(f, FOREIGN_CVP)};
	if (f->out[FOREIGN_ELASTIC] || f->out[FOREIGN_ELASTIC_FETCH]) {
		elastic_begin(&f->elastic, file_of(f, FOREIGN_ELASTIC), file_of(f, FOREIGN_ELASTIC_FETCH));
		f->executed[FOREIGN_ELASTIC] = (struct executed){.write = elastic_write, .to = &f->elastic};
	}
	return 0;
}

void foreign_run(struct foreign *f, const struct trace_step *step)
{
	for (unsigned n = 0; n < FOREIGN_COUNT; n++)
		if (f->executed[n].write)
			executed_run(&f->executed[n], step);
}

void foreign_flush(struct foreign *f)
{
	for (unsigned n = 0; n < FOREIGN_COUNT; n++)
		if (f->executed[n].write)
			executed_flush(&f->executed[n]);
}

void foreign_close(struct foreign *f, int status, struct err *first)
{
	struct err why;

	if (elastic_end(&f->elastic, &why) < 0) {
		err_keep_first(first, &why);
		status = -1;
	}
	for (unsigned n = 0; n < FOREIGN_COUNT; n++) {
		struct out *out = f->out[n];

		f->out[n] = NULL;
		if (out && status < 0)
			out_abort(out);
		else if (out && out_close(out, &why) < 0)
			err_keep_first(first, &why);
	}
}
