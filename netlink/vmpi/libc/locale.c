/* setlocale: the simulator changes the locale with the rank. */
#include "libc_state.h"

#include "gate.h"

WEAK char *setlocale(int category, const char *locale)
{
	return vmpi_gate.calls->setlocale(vmpi_gate.v, category, locale);
}
