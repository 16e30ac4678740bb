/* Files: every call of MPI-IO, with data whose places are worked out by hand. Any number of ranks, at least 2. */
#include <unistd.h>

#include "check.h"

enum { N = 4 }; /* integers of a rank */

static char name[128];

static MPI_File open_it(struct checks *c, int mode)
{
	MPI_File file = MPI_FILE_NULL;

	CHECK(c, MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file) == MPI_SUCCESS);
	return file;
}

static int class_of(int code)
{
	int class = -1;

	MPI_Error_class(code, &class);
	return class;
}

static int count_of(const MPI_Status *status)
{
	int count = -1;

	MPI_Get_count(status, MPI_INT, &count);
	return count;
}

/* All ranks can read afterwards what any has written (MPI 3.1, 13.6.1). */
static void settle(MPI_File f)
{
	MPI_File_sync(f);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_File_sync(f);
}

/* Integers from `first` on. */
static void fill(int *x, int first)
{
	for (int i = 0; i < N; i++)
		x[i] = first + i;
}

static int is_filled(const int *x, int first)
{
	for (int i = 0; i < N; i++)
		if (x[i] != first + i)
			return 0;
	return 1;
}

/* Mode, group and atomicity of an open file. */
static void properties(struct checks *c, MPI_File f)
{
	int amode = 0, flag = -1;
	MPI_Group group;

	MPI_File_get_amode(f, &amode);
	CHECK(c, amode == (MPI_MODE_CREATE | MPI_MODE_RDWR));
	MPI_File_get_group(f, &group);
	MPI_Group_size(group, &amode);
	CHECK(c, amode == c->size);
	MPI_Group_free(&group);
	MPI_File_set_atomicity(f, 1);
	MPI_File_get_atomicity(f, &flag);
	CHECK(c, flag == 1);
}

/* Each rank has a row of the file, by offset. */
static void explicit_offsets(struct checks *c)
{
	MPI_File f = open_it(c, MPI_MODE_CREATE | MPI_MODE_RDWR);
	MPI_Offset row = (MPI_Offset)c->rank * N * (MPI_Offset)sizeof(int), size = -1;
	MPI_Offset next = (MPI_Offset)((c->rank + 1) % c->size) * N * (MPI_Offset)sizeof(int);
	int x[N], y[N] = {0}, flag;
	MPI_Status status;
	MPI_Request request;

	fill(x, 100 * c->rank);
	CHECK(c, MPI_File_write_at(f, row, x, N, MPI_INT, &status) == MPI_SUCCESS && count_of(&status) == N);
	settle(f);
	MPI_File_read_at(f, next, y, N, MPI_INT, &status);
	CHECK(c, count_of(&status) == N && is_filled(y, 100 * ((c->rank + 1) % c->size)));
	MPI_File_get_size(f, &size);
	CHECK(c, size == (MPI_Offset)(c->size * N) * (MPI_Offset)sizeof(int));
	/* beyond the end there is nothing */
	MPI_File_read_at(f, size - (MPI_Offset)sizeof(int), y, N, MPI_INT, &status);
	CHECK(c, count_of(&status) == 1 && y[0] == 100 * (c->size - 1) + N - 1);
	fill(x, 1000 + 100 * c->rank);
	settle(f);
	MPI_File_write_at_all(f, row, x, N, MPI_INT, &status);
	settle(f);
	MPI_File_read_at_all(f, next, y, N, MPI_INT, MPI_STATUS_IGNORE);
	CHECK(c, is_filled(y, 1000 + 100 * ((c->rank + 1) % c->size)));
	settle(f);
	fill(x, 2000 + 100 * c->rank);
	MPI_File_iwrite_at(f, row, x, N, MPI_INT, &request);
	MPI_Wait(&request, &status);
	CHECK(c, count_of(&status) == N);
	settle(f);
	MPI_File_iread_at(f, next, y, N, MPI_INT, &request);
	MPI_Wait(&request, &status);
	CHECK(c, count_of(&status) == N && is_filled(y, 2000 + 100 * ((c->rank + 1) % c->size)));
	settle(f);
	fill(x, 3000 + 100 * c->rank);
	MPI_File_iwrite_at_all(f, row, x, N, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	settle(f);
	MPI_File_iread_at_all(f, next, y, N, MPI_INT, &request);
	for (flag = 0; !flag;)
		MPI_Test(&request, &flag, &status);
	CHECK(c, count_of(&status) == N && is_filled(y, 3000 + 100 * ((c->rank + 1) % c->size)));
	settle(f);
	fill(x, 4000 + 100 * c->rank);
	MPI_File_write_at_all_begin(f, row, x, N, MPI_INT);
	MPI_File_write_at_all_end(f, x, &status);
	CHECK(c, count_of(&status) == N);
	settle(f);
	MPI_File_read_at_all_begin(f, next, y, N, MPI_INT);
	MPI_File_read_at_all_end(f, y, &status);
	CHECK(c, count_of(&status) == N && is_filled(y, 4000 + 100 * ((c->rank + 1) % c->size)));
	properties(c, f);
	MPI_File_close(&f);
	CHECK(c, f == MPI_FILE_NULL);
}

/* Data with gaps in memory. */
static void gaps_in_memory(struct checks *c, MPI_File f)
{
	int y[N] = {0}, all[2 * N];
	MPI_Datatype row;
	MPI_Request request;
	MPI_Status status;

	MPI_File_set_view(f, c->rank * (MPI_Offset)(N * sizeof(int)), MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	MPI_Type_vector(N, 1, 2, MPI_INT, &row);
	MPI_Type_commit(&row);
	for (int i = 0; i < 2 * N; i++)
		all[i] = i;
	MPI_File_iwrite(f, all, 1, row, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	settle(f);
	MPI_File_seek(f, 0, MPI_SEEK_SET);
	MPI_File_iread(f, y, N, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(c, y[0] == 0 && y[1] == 2 && y[2] == 4 && y[3] == 6);
	memset(all, -1, sizeof(all));
	MPI_File_read_at(f, 0, all, 1, row, &status);
	CHECK(c, all[2] == 2 && all[6] == 6 && all[1] == -1 && all[3] == -1);
	MPI_Type_free(&row);
	settle(f);
}

/* Nonblocking and split forms of the collective calls. */
static void split_forms(struct checks *c, MPI_File f)
{
	int x[N], y[N] = {0};
	MPI_Request request;
	MPI_Status status;

	fill(x, 7 * c->rank);
	MPI_File_seek(f, 0, MPI_SEEK_SET);
	MPI_File_iwrite_all(f, x, N, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	settle(f);
	MPI_File_seek(f, 0, MPI_SEEK_SET);
	MPI_File_iread_all(f, y, N, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(c, is_filled(y, 7 * c->rank));
	settle(f);
	MPI_File_seek(f, 0, MPI_SEEK_SET);
	MPI_File_write_all_begin(f, x, N, MPI_INT);
	MPI_File_write_all_end(f, x, &status);
	settle(f);
	MPI_File_seek(f, 0, MPI_SEEK_SET);
	MPI_File_read_all_begin(f, y, N, MPI_INT);
	MPI_File_read_all_end(f, y, &status);
	CHECK(c, count_of(&status) == N && is_filled(y, 7 * c->rank));
}

/* Views: the ranks' integers in turn, behind a head of 8 bytes. */
static void views(struct checks *c)
{
	MPI_File f = open_it(c, MPI_MODE_CREATE | MPI_MODE_RDWR);
	MPI_Datatype row, etype, filetype;
	MPI_Offset disp = -1, at = -1;
	MPI_Aint lb, extent = -1;
	MPI_Request request;
	MPI_Status status;
	char datarep[MPI_MAX_DATAREP_STRING] = "";
	int x[N], y[N] = {0}, all[2 * N] = {0};

	MPI_Type_create_resized(MPI_INT, 0, c->size * (MPI_Aint)sizeof(int), &row);
	MPI_Type_commit(&row);
	MPI_File_set_view(f, 8 + c->rank * (MPI_Offset)sizeof(int), MPI_INT, row, "native", MPI_INFO_NULL);
	MPI_File_get_view(f, &disp, &etype, &filetype, datarep);
	CHECK(c, disp == 8 + c->rank * (MPI_Offset)sizeof(int) && strcmp(datarep, "native") == 0);
	MPI_Type_get_extent(filetype, &lb, &extent);
	CHECK(c, extent == c->size * (MPI_Aint)sizeof(int));
	MPI_Type_free(&filetype);
	MPI_File_get_type_extent(f, MPI_DOUBLE, &extent);
	CHECK(c, extent == 8);
	MPI_File_get_byte_offset(f, 3, &at);
	CHECK(c, at == 8 + (3 * c->size + c->rank) * (MPI_Offset)sizeof(int));
	fill(x, 100 * c->rank);
	MPI_File_write_all(f, x, N, MPI_INT, &status);
	CHECK(c, count_of(&status) == N);
	settle(f);
	MPI_File_get_position(f, &at);
	CHECK(c, at == N);
	MPI_File_seek(f, -2, MPI_SEEK_CUR);
	MPI_File_read(f, y, 2, MPI_INT, &status);
	CHECK(c, count_of(&status) == 2 && y[0] == x[2] && y[1] == x[3]);
#ifndef OPEN_MPI /* 4.1 goes elsewhere */
	MPI_File_seek(f, 0, MPI_SEEK_END);
	MPI_File_get_position(f, &at);
	CHECK(c, at == N);
#endif
	MPI_File_seek(f, 0, MPI_SEEK_SET);
	MPI_File_read_all(f, y, N, MPI_INT, MPI_STATUS_IGNORE);
	CHECK(c, is_filled(y, 100 * c->rank));
	settle(f);
	/* the same bytes, without the view */
	MPI_File_set_view(f, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	MPI_File_read_at(f, c->size, all, 2, MPI_INT, &status); /* the second of ranks 0 and 1 */
	CHECK(c, all[0] == 1 && all[1] == 101);
	settle(f);
	MPI_Type_free(&row);
	gaps_in_memory(c, f);
	split_forms(c, f);
	MPI_File_close(&f);
}

/* The shared pointer, in the ranks' order. */
static void in_order(struct checks *c, MPI_File f)
{
	int mine[2] = {c->rank, -c->rank}, got[2] = {-1, -1};
	MPI_Offset at = -1;
	MPI_Status status;

	MPI_File_seek_shared(f, 0, MPI_SEEK_SET);
	MPI_File_write_ordered(f, mine, 2, MPI_INT, &status);
	MPI_File_get_position_shared(f, &at);
	CHECK(c, at == 2 * c->size);
	settle(f);
	MPI_File_read_at(f, 2 * ((c->rank + 1) % c->size), got, 2, MPI_INT, MPI_STATUS_IGNORE);
	CHECK(c, got[0] == (c->rank + 1) % c->size && got[1] == -got[0]);
	settle(f);
	MPI_File_seek_shared(f, 0, MPI_SEEK_SET);
	MPI_File_read_ordered(f, got, 2, MPI_INT, &status);
	CHECK(c, count_of(&status) == 2 && got[0] == c->rank && got[1] == -c->rank);
	settle(f);
	MPI_File_seek_shared(f, 0, MPI_SEEK_SET);
	MPI_File_write_ordered_begin(f, mine, 2, MPI_INT);
	MPI_File_write_ordered_end(f, mine, &status);
	settle(f);
	MPI_File_seek_shared(f, 0, MPI_SEEK_SET);
	MPI_File_read_ordered_begin(f, got, 2, MPI_INT);
	MPI_File_read_ordered_end(f, got, &status);
	CHECK(c, got[0] == c->rank && got[1] == -c->rank);
}

/* The shared pointer: in any order, and in the ranks' order. */
static void shared(struct checks *c)
{
	MPI_File f = open_it(c, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
	int x = c->rank + 1, y = 0, sum = 0;
	MPI_Offset at = -1;
	MPI_Request request;
	MPI_Status status;

	MPI_File_set_size(f, 0);
	MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	MPI_File_write_shared(f, &x, 1, MPI_INT, &status);
	CHECK(c, count_of(&status) == 1);
	settle(f);
	MPI_File_get_position_shared(f, &at);
	CHECK(c, at == c->size);
	settle(f);
	MPI_File_seek_shared(f, 0, MPI_SEEK_SET);
	MPI_File_read_shared(f, &y, 1, MPI_INT, &status);
	MPI_Allreduce(&y, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	CHECK(c, sum == c->size * (c->size + 1) / 2); /* each value once */
	settle(f);
	MPI_File_seek_shared(f, 0, MPI_SEEK_SET);
	MPI_File_iwrite_shared(f, &x, 1, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	settle(f);
	MPI_File_seek_shared(f, 0, MPI_SEEK_SET);
	MPI_File_iread_shared(f, &y, 1, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Allreduce(&y, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	CHECK(c, sum == c->size * (c->size + 1) / 2);
	settle(f);
	in_order(c, f);
	MPI_File_close(&f);
	f = MPI_FILE_NULL; /* it is gone */
	CHECK(c, class_of(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &f)) ==
			 MPI_ERR_NO_SUCH_FILE);
}

/* Sizes, hints, and the end of a file. */
static void sizes(struct checks *c)
{
	MPI_File f = open_it(c, MPI_MODE_CREATE | MPI_MODE_RDWR);
	MPI_Offset size = -1, at = -1;
	MPI_Info info;
	char text[MPI_MAX_INFO_VAL + 1] = "";
	int flag = 0;
	long mine = -1;

	MPI_File_set_size(f, 1000);
	MPI_File_get_size(f, &size);
	CHECK(c, size == 1000);
	settle(f);
	MPI_File_preallocate(f, 5000);
	MPI_File_get_size(f, &size);
	CHECK(c, size == 5000);
	settle(f);
	MPI_File_preallocate(f, 100);
	MPI_File_get_size(f, &size);
	CHECK(c, size == 5000);
	settle(f);
	MPI_File_set_size(f, 16);
	MPI_Info_create(&info);
	MPI_Info_set(info, "access_style", "read_once");
	MPI_File_set_info(f, info);
	MPI_Info_free(&info);
	MPI_File_get_info(f, &info);
	MPI_Info_get(info, "access_style", MPI_MAX_INFO_VAL, text, &flag);
	CHECK(c, !flag || strcmp(text, "read_once") == 0); /* an implementation may drop it */
	MPI_Info_free(&info);
	MPI_File_close(&f);
	f = open_it(c, MPI_MODE_WRONLY | MPI_MODE_APPEND);
	MPI_File_get_position(f, &at);
	CHECK(c, at == 16);
	MPI_File_close(&f);
	/* a file of its own for each rank: big-endian in external32 */
	MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR, MPI_INFO_NULL, &f);
	MPI_File_get_size(f, &size);
	CHECK(c, size == 16);
	MPI_File_read_at(f, 8, &mine, 1, MPI_LONG, MPI_STATUS_IGNORE);
	CHECK(c, mine == 0); /* set_size writes zeros */
	MPI_File_close(&f);
}

static void errors(struct checks *c)
{
	MPI_File f = MPI_FILE_NULL;
	MPI_Errhandler handler;
	MPI_Offset at;
	int x[2] = {0};
	int code;

	MPI_File_get_errhandler(MPI_FILE_NULL, &handler);
	CHECK(c, handler == MPI_ERRORS_RETURN);
	code = MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY | MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
	CHECK(c, class_of(code) == MPI_ERR_AMODE);
	code = MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
	CHECK(c, class_of(code) == MPI_ERR_FILE_EXISTS);
	f = open_it(c, MPI_MODE_RDONLY);
	CHECK(c, class_of(MPI_File_write(f, x, 1, MPI_INT, MPI_STATUS_IGNORE)) == MPI_ERR_READ_ONLY);
#ifndef OPEN_MPI /* 4.1 does not check offsets */
	CHECK(c, class_of(MPI_File_read_at(f, -1, x, 1, MPI_INT, MPI_STATUS_IGNORE)) == MPI_ERR_ARG);
	CHECK(c, class_of(MPI_File_seek(f, -1, MPI_SEEK_SET)) == MPI_ERR_ARG);
#endif
	CHECK(c, class_of(MPI_File_read(f, x, -1, MPI_INT, MPI_STATUS_IGNORE)) == MPI_ERR_COUNT);
	MPI_File_get_position(f, &at);
	CHECK(c, at == 0);
	CHECK(c, MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "strange", MPI_INFO_NULL) != MPI_SUCCESS);
	CHECK(c, MPI_Register_datarep("native", NULL, NULL, NULL, NULL) != MPI_SUCCESS);
	MPI_File_close(&f);
	f = open_it(c, MPI_MODE_WRONLY);
	CHECK(c, class_of(MPI_File_read(f, x, 1, MPI_INT, MPI_STATUS_IGNORE)) == MPI_ERR_ACCESS);
	MPI_File_close(&f);
}

int main(int argc, char **argv)
{
	struct checks c;

	checks_begin(&c, &argc, &argv);
	snprintf(name, sizeof(name), "/tmp/psim-files.%ld", (long)getpid());
	MPI_Bcast(name, sizeof(name), MPI_CHAR, 0, MPI_COMM_WORLD);
	explicit_offsets(&c);
	views(&c);
	shared(&c);
	sizes(&c);
	errors(&c);
	MPI_Barrier(MPI_COMM_WORLD);
	if (c.rank == 0)
		CHECK(&c, MPI_File_delete(name, MPI_INFO_NULL) == MPI_SUCCESS);
	CHECK(&c, class_of(MPI_File_delete("/tmp/psim-files/none/there", MPI_INFO_NULL)) == MPI_ERR_NO_SUCH_FILE);
	return checks_end(&c, "files");
}
