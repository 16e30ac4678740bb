/* Files that cannot be: FILE and what to do with it. Errors end the run. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static void view_of_many(MPI_File f)
{
	MPI_Datatype type;

	MPI_Type_vector(1 << 27, 1, 2, MPI_BYTE, &type);
	MPI_Type_commit(&type);
	MPI_File_set_view(f, 0, MPI_BYTE, type, "native", MPI_INFO_NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[2] : "";
	char data[65536] = {0};
	long long far = 1LL << 62;
	MPI_File f;

	MPI_Init(&argc, &argv);
	MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
	MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
	if (strcmp(what, "write") == 0)
		for (int i = 0; i < 16; i++)
			MPI_File_write(f, data, sizeof(data), MPI_BYTE, MPI_STATUS_IGNORE);
	if (strcmp(what, "far") == 0) {
		MPI_File_set_view(f, far, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL);
		MPI_File_write_at(f, far / 8, data, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
	}
	if (strcmp(what, "size") == 0)
		MPI_File_set_size(f, -1);
	if (strcmp(what, "many") == 0)
		view_of_many(f);
	if (strcmp(what, "end") == 0)
		MPI_File_read_all_end(f, data, MPI_STATUS_IGNORE);
	if (strcmp(what, "close") == 0)
		MPI_File_read_all_begin(f, data, 1, MPI_BYTE);
	MPI_File_close(&f);
	MPI_File_close(&f);
	return 0;
}
