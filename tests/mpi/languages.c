/* The part in C of languages.f90: it reads an attribute that Fortran sets, and sets one that Fortran reads. */
#include <mpi.h>
#include <stddef.h>

int get_in_c_(const int *keyval, const int *expected);
void set_in_c_(const int *keyval);

/* Fortran's integer is at the address that C gets (MPI 3.1, 17.2.7). */
int get_in_c_(const int *keyval, const int *expected)
{
	MPI_Aint *value = NULL;
	int flag = 0;

	MPI_Comm_get_attr(MPI_COMM_WORLD, *keyval, &value, &flag);
	return flag && *value == *expected;
}

/* Fortran gets C's address as an integer. */
void set_in_c_(const int *keyval)
{
	MPI_Comm_set_attr(MPI_COMM_WORLD, *keyval, (void *)12345);
}
