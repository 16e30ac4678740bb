/* Standard streams; a rank shares them until it reopens or closes them. */
#undef _FILE_OFFSET_BITS /* with it freopen would be freopen64; both are defined here */
#define _GNU_SOURCE
#include "libc_state.h"

#include <stdio.h>

#include "gate.h"

WEAK FILE *freopen(const char *path, const char *mode, FILE *stream)
{
	return vmpi_gate.calls->freopen(vmpi_gate.v, path, mode, stream);
}

WEAK FILE *freopen64(const char *path, const char *mode, FILE *stream)
{
	return vmpi_gate.calls->freopen(vmpi_gate.v, path, mode, stream);
}

WEAK int fclose(FILE *stream)
{
	return vmpi_gate.calls->fclose(vmpi_gate.v, stream);
}
