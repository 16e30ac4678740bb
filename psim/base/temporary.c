#include "temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Room behind the folder's path for the names of files in it. */
enum { FILE_NAME_MAX = 64 };

int temporary_folder(const char *name, char folder[PATH_MAX], struct err *e)
{
	const char *in = getenv("TMPDIR");
	int length;

	if (!in || !*in)
		in = "/tmp";
	length = snprintf(folder, PATH_MAX, "%s/%s-XXXXXX", in, name);
	if (length < 0 || length >= PATH_MAX - FILE_NAME_MAX)
		errno = ENAMETOOLONG;
	else if (mkdtemp(folder))
		return 0;
	return err_set(e, STATUS_FAILED,
		       "temporary folder in %s: %s, expected a folder in TMPDIR that you can write to", in,
		       strerror(errno));
}

void temporary_remove(const char *folder, const char *const *names, unsigned count)
{
	char path[PATH_MAX + FILE_NAME_MAX];

	for (unsigned n = 0; n < count; n++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[n]);
		unlink(path);
	}
	rmdir(folder);
}
