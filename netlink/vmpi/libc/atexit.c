/* atexit: functions that a rank calls at its end. */
#include "kept.h"

#include "gate.h"

WEAK int atexit(void (*function)(void))
{
	return vmpi_gate.calls->atexit(vmpi_gate.v, function);
}
