/* Times of operations on files: FILE. Not MPI's own calls only (Add_time). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 8 << 20 };

int main(int argc, char **argv)
{
	char *data;
	double begin, end[3];
	MPI_Request request;
	MPI_File f;
	int rank, ranks, flag;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
		      MPI_INFO_NULL, &f);
	data = calloc(1, BYTES); /* not before: a run that is to be recorded ends above */
	MPI_Barrier(MPI_COMM_WORLD);
	begin = MPI_Wtime();
	MPI_File_write_at(f, (MPI_Offset)rank * BYTES, data, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
	end[0] = MPI_Wtime() - begin;
	MPI_Add_time(1);
	MPI_Barrier(MPI_COMM_WORLD);
	begin = MPI_Wtime();
	MPI_File_iwrite_at(f, (MPI_Offset)rank * BYTES, data, BYTES, MPI_BYTE, &request);
	MPI_Add_time(0.01);
	MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
	end[1] = MPI_Wtime() - begin;
	MPI_Add_time(1);
	MPI_Barrier(MPI_COMM_WORLD);
	begin = MPI_Wtime();
	MPI_File_iread_at(f, (MPI_Offset)rank * BYTES, data, BYTES, MPI_BYTE, &request);
	MPI_Add_time(0.0001);
	MPI_Waitany(1, &request, &flag, MPI_STATUS_IGNORE);
	end[2] = MPI_Wtime() - begin;
	for (int i = 0; i < ranks; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		if (i == rank)
			printf("rank %d: %.3f us, %.0f ms, %.3f us\n", rank, end[0] * 1e6, end[1] * 1e3, end[2] * 1e6);
	}
	MPI_File_close(&f);
	free(data);
	MPI_Finalize();
	return 0;
}
