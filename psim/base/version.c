#include "version.h"

#include "version_id.h" /* made by the build from git */

const char *version_number(void)
{
	return VERSION_NUMBER;
}

const char *version_text(void)
{
	return VERSION_NUMBER " (" VERSION_COMMIT ")";
}
