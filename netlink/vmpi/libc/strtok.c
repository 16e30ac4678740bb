/* strtok: where the next word begins. */
#include "kept.h"

#include <string.h>

WEAK char *strtok(char *text, const char *separators)
{
	static char *rest;

	return strtok_r(text, separators, &rest);
}
