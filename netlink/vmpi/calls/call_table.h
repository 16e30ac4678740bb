/*
 * The table through which programs reach the calls, and what all calls have in common.
 *
 * 1. ROWS. A row of ../api/calls.def, or of the other tables there, is a call: its arguments, its text in the pages,
 *    what a trace has of it. make_api.c makes the headers and the stubs of programs from the rows, and call_table.c
 *    the struct vmpi_calls whose members the stubs jump through. `vmpi_Send` here is what `MPI_Send`, `LMPI_Send` and
 *    Fortran's mpi_send lead to; messages show the name that the program uses.
 *
 * 2. THE COURSE OF A CALL. It enters: rank_enter notes the call and its place in the program, for messages about waits
 *    and errors, and ends the rank where the run is to end. It checks its arguments. It lets time pass (rank_busy),
 *    does its work by the folders below (message, collectives, objects), and waits there if it blocks.
 *
 * 3. ERRORS. An argument that MPI forbids is reported by rank_error, or by rank_error_by with the handler of a window
 *    or file. It returns the error class to a program with ERRORS_RETURN; otherwise the run ends with
 *    the call and its place. What is no fault of the program, such as a lack of memory, is in v->err, and rank_stop.
 *
 * 4. OTHER NAMES. Names that MPI has replaced lead to the call that replaces them, which is the one that messages show:
 *    Attr_put to Comm_set_attr, Type_struct to Type_create_struct, Init_thread to Init.
 */
#ifndef PSIM_VMPI_CALL_TABLE_H
#define PSIM_VMPI_CALL_TABLE_H

struct vmpi_calls;

const struct vmpi_calls *calls_of_programs(void);

#endif
