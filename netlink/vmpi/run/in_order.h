/* Turns in order of virtual time over all processes of a run: in_order.c. */
#ifndef PSIM_VMPI_IN_ORDER_H
#define PSIM_VMPI_IN_ORDER_H

#include "../host/world.h"

void in_order_create(struct vmpi *v);

/* A window begins. */
void in_order_begin(struct vmpi *v);

/* Returns the held rank, which is not held any more; NULL: there is none, or its turn has not come. */
struct rank *in_order_next(struct vmpi *v);

/* Takes the turn in which another process stops. */
void in_order_take(struct vmpi *v, const struct step_record *r);

/* Sends the other processes, when this one stops, the turn in which a rank here is held or has failed. */
void in_order_end(struct vmpi *v);

#endif
