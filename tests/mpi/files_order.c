/*
 * Accesses of all ranks to files at times of their own, without synchronization: what they read, and what the files
 * have at the end, depends on the order. An argument "abort" or "crash" ends the run in the middle.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 60, PLACES = 40 };

static unsigned draw(unsigned *state, unsigned below)
{
	*state = *state * 1103515245u + 12345u;
	return (*state >> 8) % below;
}

static MPI_File open_file(MPI_Comm comm, const char *name, int how)
{
	MPI_File f;

	if (MPI_File_open(comm, name, how, MPI_INFO_NULL, &f) == MPI_SUCCESS)
		return f;
	printf("no %s\n", name);
	return MPI_FILE_NULL;
}

/* One access of a kind that is drawn; returns what is read. */
static long access_file(MPI_File f, unsigned *state, int number)
{
	MPI_Offset at = draw(state, PLACES) * 4, size = 0;
	MPI_Request request;
	int x = -1;

	switch (draw(state, 7)) {
	case 0: MPI_File_write_at(f, at, &number, 1, MPI_INT, MPI_STATUS_IGNORE); return 0;
	case 1: MPI_File_read_at(f, at, &x, 1, MPI_INT, MPI_STATUS_IGNORE); return x;
	case 2: MPI_File_write_shared(f, &number, 1, MPI_INT, MPI_STATUS_IGNORE); return 0;
	case 3: MPI_File_get_position_shared(f, &at); return at;
	case 4: MPI_File_get_size(f, &size); return size;
	case 5:
		MPI_File_seek(f, -4, MPI_SEEK_END);
		MPI_File_read(f, &x, 1, MPI_INT, MPI_STATUS_IGNORE);
		return x;
	default:
		MPI_File_iwrite_at(f, at, &number, 1, MPI_INT, &request);
		MPI_Add_time(1e-6);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		return 0;
	}
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	MPI_File f, half, gone;
	MPI_Comm comm;
	unsigned state;
	unsigned long sum = 0;
	int rank, code;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	state = 7u + 977u * (unsigned)rank;
	MPI_Comm_split(MPI_COMM_WORLD, rank % 3, 0, &comm);
	f = open_file(MPI_COMM_WORLD, "all.bin", MPI_MODE_CREATE | MPI_MODE_RDWR);
	half = open_file(comm, rank % 3 ? "some.bin" : "others.bin", MPI_MODE_CREATE | MPI_MODE_RDWR);
	gone = open_file(MPI_COMM_WORLD, "gone.bin", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
	for (int i = 0; i < ROUNDS; i++) {
		MPI_Add_time(1e-9 * draw(&state, 3000));
		sum = 31 * sum + (unsigned long)access_file(i % 3 ? f : half, &state, 1000 * rank + i);
		if (i == ROUNDS / 2 && rank == 5 && !strcmp(how, "abort"))
			MPI_Abort(MPI_COMM_WORLD, 3);
		if (i == ROUNDS / 2 && rank == 5 && !strcmp(how, "crash"))
			*(volatile int *)NULL = 1;
		if (i % 20 == 19)
			MPI_File_write_ordered(half, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
		if (i % 30 == 29) {
			MPI_File_write_at_all(gone, 4 * rank, &i, 1, MPI_INT, MPI_STATUS_IGNORE);
			MPI_File_set_size(f, 4 * PLACES);
			MPI_File_seek_shared(f, 0, MPI_SEEK_END);
		}
	}
	MPI_File_close(&half);
	MPI_File_close(&gone);
	MPI_Add_time(1e-9 * rank);
	code = MPI_File_delete("gone.bin", MPI_INFO_NULL);
	printf("rank %d reads %lx, %.3f us, gone: %d\n", rank, sum, MPI_Wtime() * 1e6, code != MPI_SUCCESS);
	MPI_File_close(&f);
	f = open_file(MPI_COMM_WORLD, "all.bin", MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR);
	if (f != MPI_FILE_NULL)
		MPI_File_close(&f);
	MPI_Comm_free(&comm);
	MPI_Finalize();
	return 0;
}
