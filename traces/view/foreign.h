/* A trace in the forms of other simulators. */
#ifndef PSIM_TRACES_VIEW_FOREIGN_H
#define PSIM_TRACES_VIEW_FOREIGN_H

#include "../../psim/base/report/out.h"
#include "elastic.h"

/* Files, each by an option: F(id, option). */
#define FOREIGN_FILES(F) \
	F(FOREIGN_CHAMPSIM, "--champsim") \
	F(FOREIGN_CVP, "--cvp") \
	F(FOREIGN_ELASTIC, "--elastic") \
	F(FOREIGN_ELASTIC_FETCH, "--elastic-fetch")
enum foreign_file {
#define FOREIGN_ID(id, option) id,
	FOREIGN_FILES(FOREIGN_ID)
#undef FOREIGN_ID
		FOREIGN_COUNT
};

struct foreign {
	const char *path[FOREIGN_COUNT]; /* NULL: not written */
	struct out *out[FOREIGN_COUNT];
	struct executed executed[FOREIGN_COUNT];
	struct elastic elastic;
};

/* The option of the first file that is written; NULL: none is. */
const char *foreign_option(const struct foreign *f);
/* Opens the files for a trace at `path`. 0, or -1 with `e`. */
int foreign_open(struct foreign *f, const struct trace_info *info, const char *path, struct err *e);
void foreign_run(struct foreign *f, const struct trace_step *step);
void foreign_flush(struct foreign *f);
/* Closes the files; removes them after an error, `status` below 0. *first gets the first error of its own. */
void foreign_close(struct foreign *f, int status, struct err *first);

#endif
