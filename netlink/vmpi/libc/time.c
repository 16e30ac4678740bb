/* Broken-down times and their texts, which calls return in static storage. */
#define _GNU_SOURCE /* gmtime_r */
#include "libc_state.h"

#include <time.h>

static struct tm broken_down;
static char text[64];

WEAK struct tm *gmtime(const time_t *t)
{
	return gmtime_r(t, &broken_down);
}

WEAK struct tm *localtime(const time_t *t)
{
	tzset();
	return localtime_r(t, &broken_down);
}

WEAK char *asctime(const struct tm *t)
{
	return asctime_r(t, text);
}

WEAK char *ctime(const time_t *t)
{
	return asctime(localtime(t));
}
