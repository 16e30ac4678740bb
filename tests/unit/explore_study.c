#include "explore_study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

struct study *explore_study(const char *text, struct err *e)
{
	static const char mark[] = "SAMPLES";
	char path[] = "/tmp/psim-study-XXXXXX";
	int fd = mkstemp(path);
	FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
	struct study *s;
	const char *at;

	if (!f) {
		err_set(e, STATUS_FAILED, "cannot make %s", path);
		return NULL;
	}
	for (; (at = strstr(text, mark)) != NULL; text = at + sizeof(mark) - 1)
		fprintf(f, "%.*s%s", (int)(at - text), text, tap_source("traces/samples"));
	fputs(text, f);
	fclose(f);
	s = study_open(path, e);
	unlink(path);
	return s;
}
