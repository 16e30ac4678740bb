/* Hooks of a recording in functions that several calls share; v->recorder is not NULL. */
#ifndef PSIM_VMPI_CALL_RECORD_H
#define PSIM_VMPI_CALL_RECORD_H

#include "../host/world.h"

/* The running rank begins to make communicators, as Comm_split does, and has made its own (COMM_NULL: none). */
void record_split_begin(struct vmpi *v);
void record_split_done(struct vmpi *v, VMPI_Comm comm, int color, int key, VMPI_Comm newcomm);

#endif
