/* The ranks' partition in one of several processes: vmpi_partitions.c. */
#ifndef PSIM_VMPI_PARTITIONS_H
#define PSIM_VMPI_PARTITIONS_H

#include "../message/message.h"

/* Makes v->divided for v->setup.partition, when the ranks are placed. 0, or -1 with `e`. */
int partitions_create(struct vmpi *v, struct err *e);
void partitions_destroy(struct vmpi *v);

#endif
