/* signgam, which lgamma sets; each rank has its own. */
#define _GNU_SOURCE /* lgamma_r */
#include "libc_state.h"

#include <math.h>

WEAK int signgam;

WEAK double lgamma(double x)
{
	return lgamma_r(x, &signgam);
}

WEAK float lgammaf(float x)
{
	return lgammaf_r(x, &signgam);
}

WEAK double gamma(double x)
{
	return lgamma_r(x, &signgam);
}
