/* The table through which programs reach the calls. */
#ifndef PSIM_VMPI_CALL_TABLE_H
#define PSIM_VMPI_CALL_TABLE_H

struct vmpi_calls;

const struct vmpi_calls *calls_of_programs(void);

#endif
