#include "config_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Folders below the folder of configurations, in search order. */
static const char *const folders[] = {"", "machines/", "net/", "ndl/", "models/", "models/node/", "explore/"};

bool config_folder(char folder[PATH_MAX])
{
	char self[PATH_MAX], path[2 * PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *real;

	if (length <= 0)
		return false;
	self[length] = 0;
	*strrchr(self, '/') = 0;
	snprintf(path, sizeof(path), "%s/%s", self, DATA_FROM_BIN);
	real = realpath(path, folder);
	return real && !access(folder, X_OK);
}

static bool searched(const char *name)
{
	return name[0] != '/' && name[0] != '.' && name[0];
}

const char *config_find(const char *name, char found[PATH_MAX])
{
	char folder[PATH_MAX];

	if (!searched(name) || !access(name, F_OK) || !config_folder(folder))
		return name;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if ((size_t)snprintf(found, PATH_MAX, "%s/%s%s", folder, folders[i], name) < PATH_MAX &&
		    !access(found, R_OK))
			return found;
	return name;
}

const char *config_find_places(const char *name, char text[PATH_MAX])
{
	char folder[PATH_MAX];

	text[0] = 0;
	if (searched(name) && config_folder(folder))
		snprintf(text, PATH_MAX, ", nor in %.3000s and its folders", folder);
	return text;
}
