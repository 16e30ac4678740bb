/* strtok: its position is per rank. */
#include "libc_state.h"

#include <string.h>

WEAK char *strtok(char *text, const char *separators)
{
	static char *rest;

	return strtok_r(text, separators, &rest);
}
