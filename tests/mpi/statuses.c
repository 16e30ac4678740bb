/* Statuses of C, of Fortran, and of Fortran 2008: what is set in one form is there in the next one. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char *argv[])
{
	int rank, size, data[3] = {1, 2, 3}, got[4], count;
	MPI_Status status, back;
	MPI_F08_status f08;
	MPI_Fint array[MPI_F_STATUS_SIZE];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Sendrecv(data, 3, MPI_INT, (rank + 1) % size, 7, got, 4, MPI_INT, (rank + size - 1) % size, 7,
		     MPI_COMM_WORLD, &status);
	/* the length of the message goes along all ways */
	MPI_Status_c2f(&status, array);
	printf("%d: source %d, tag %d\n", rank, array[MPI_F_SOURCE], array[MPI_F_TAG]);
	array[MPI_F_ERROR] = 10;
	MPI_Status_f2f08(array, &f08);
	f08.MPI_TAG += 100;
	MPI_Status_f082c(&f08, &back);
	MPI_Get_count(&back, MPI_INT, &count);
	printf("%d: source %d, tag %d, error %d, count %d\n", rank, back.MPI_SOURCE, back.MPI_TAG, back.MPI_ERROR,
	       count);
	back.MPI_SOURCE += 1000;
	MPI_Status_c2f08(&back, &f08);
	MPI_Status_f082f(&f08, array);
	memset(&back, 0, sizeof(back));
	PMPI_Status_f2c(array, &back);
	MPI_Get_elements(&back, MPI_INT, &count);
	printf("%d: source %d, tag %d, count %d\n", rank, back.MPI_SOURCE, back.MPI_TAG, count);
	MPI_Finalize();
	return 0;
}
