#include "folder.h"

#include <stdio.h>
#include <stdlib.h>

char folder[32];

void folder_make(void)
{
	snprintf(folder, sizeof(folder), "/tmp/psim-test-XXXXXX");
	if (!mkdtemp(folder)) {
		perror(folder);
		exit(1);
	}
}

const char *in_folder(const char *name)
{
	static char path[4][200];
	static unsigned next;
	char *p = path[next++ % 4];

	snprintf(p, sizeof(path[0]), "%s/%s", folder, name);
	return p;
}
