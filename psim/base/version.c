#include "version.h"

#include <string.h>

#include "version_id.h" /* made by the build from git */

const char *version_number(void)
{
	return VERSION_NUMBER;
}

const char *version_text(void)
{
	/* without git, as in a tarball, the build has the number for the commit */
	return strcmp(VERSION_COMMIT, VERSION_NUMBER) ? VERSION_NUMBER " (" VERSION_COMMIT ")" : VERSION_NUMBER;
}
