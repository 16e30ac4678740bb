/* The ranks' part in one of several processes: vmpi_parts.c. */
#ifndef PSIM_VMPI_PARTS_H
#define PSIM_VMPI_PARTS_H

#include "../message/message.h"

/* Makes v->parts for v->setup.part, when the ranks are placed. 0, or -1 with `e`. */
int parts_create(struct vmpi *v, struct err *e);
void parts_destroy(struct vmpi *v);

#endif
