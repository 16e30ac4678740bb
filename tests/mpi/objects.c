/*
 * MPI's objects: attributes, info, error handlers and codes, names, generalized requests, matched probes, how
 * types were made, distributed arrays, external32. The same source runs under a real MPI; calls that some of them
 * have removed run where MPI_SIMULATED is defined.
 */
#include "check.h"

static int copied, deleted;

static int copy_comm(MPI_Comm comm, int keyval, void *extra, void *value, void *out, int *flag)
{
	(void)comm, (void)keyval;
	*(void **)out = value;
	*flag = *(int *)extra;
	copied++;
	return MPI_SUCCESS;
}

static int delete_comm(MPI_Comm comm, int keyval, void *value, void *extra)
{
	(void)comm, (void)keyval, (void)extra;
	deleted += *(int *)value;
	return MPI_SUCCESS;
}

/* Attributes go along with copies where the program says so, and end with their communicator. */
static void comm_attributes(struct checks *c)
{
	int key, other, value = 10, flag, yes = 1, no = 0, *tag_ub;
	MPI_Comm copy;
	void *found;

	MPI_Comm_create_keyval(copy_comm, delete_comm, &key, &yes);
	MPI_Comm_create_keyval(copy_comm, delete_comm, &other, &no);
	MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value);
	MPI_Comm_set_attr(MPI_COMM_WORLD, other, &value);
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	CHECK(c, copied == 2 && deleted == 0);
	MPI_Comm_get_attr(copy, key, &found, &flag);
	CHECK(c, flag && found == &value);
	MPI_Comm_get_attr(copy, other, &found, &flag);
	CHECK(c, !flag);
	MPI_Comm_free(&copy);
	CHECK(c, deleted == 10);
	MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
	MPI_Comm_delete_attr(MPI_COMM_WORLD, other);
	CHECK(c, deleted == 30);
	MPI_Comm_free_keyval(&key);
	MPI_Comm_free_keyval(&other);
	MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_ub, &flag);
	CHECK(c, flag && *tag_ub >= 32767);
	MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &key, NULL);
	MPI_Attr_put(MPI_COMM_WORLD, key, &value);
	MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &copy);
	MPI_Attr_get(copy, key, &found, &flag);
	CHECK(c, flag && found == &value);
	MPI_Attr_delete(MPI_COMM_WORLD, key);
	MPI_Attr_get(MPI_COMM_WORLD, key, &found, &flag);
	CHECK(c, !flag);
	MPI_Comm_free(&copy);
	MPI_Keyval_free(&key);
	CHECK(c, key == MPI_KEYVAL_INVALID);
}

static void type_attributes(struct checks *c)
{
	int key, value = 3, flag, length;
	char name[MPI_MAX_OBJECT_NAME];
	MPI_Datatype type, copy;
	void *found;

	MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
	MPI_Type_contiguous(2, MPI_INT, &type);
	MPI_Type_set_attr(type, key, &value);
	MPI_Type_dup(type, &copy);
	MPI_Type_get_attr(copy, key, &found, &flag);
	CHECK(c, flag && found == &value);
	MPI_Type_delete_attr(copy, key);
	MPI_Type_get_attr(copy, key, &found, &flag);
	CHECK(c, !flag);
	MPI_Type_set_name(copy, "two");
	MPI_Type_get_name(copy, name, &length);
	CHECK(c, strcmp(name, "two") == 0 && length == 3);
	MPI_Type_get_name(MPI_DOUBLE, name, &length);
	CHECK(c, strcmp(name, "MPI_DOUBLE") == 0 && length == 10);
	MPI_Type_free(&copy);
	MPI_Type_free(&type);
	MPI_Type_free_keyval(&key);
}

static void infos(struct checks *c)
{
	char value[32] = "", key[MPI_MAX_INFO_KEY];
	MPI_Info info, copy;
	int flag, n, length;

	MPI_Info_create(&info);
	MPI_Info_set(info, "one", "1");
	MPI_Info_set(info, "two", "second");
	MPI_Info_set(info, "one", "first");
	MPI_Info_dup(info, &copy);
	MPI_Info_delete(info, "two");
	MPI_Info_get_nkeys(info, &n);
	CHECK(c, n == 1);
	MPI_Info_get_nkeys(copy, &n);
	CHECK(c, n == 2);
	MPI_Info_get(copy, "two", 31, value, &flag);
	CHECK(c, flag && strcmp(value, "second") == 0);
	MPI_Info_get(info, "two", 31, value, &flag);
	CHECK(c, !flag);
	MPI_Info_get_valuelen(copy, "one", &length, &flag);
	CHECK(c, flag && length == 5);
	MPI_Info_get_nthkey(copy, 1, key);
	CHECK(c, strcmp(key, "two") == 0);
	MPI_Comm_set_info(MPI_COMM_WORLD, copy);
	MPI_Info_free(&info);
	MPI_Info_free(&copy);
	CHECK(c, info == MPI_INFO_NULL);
	MPI_Comm_get_info(MPI_COMM_WORLD, &info);
	MPI_Info_free(&info);
}

static int seen, seen_files;

static void on_error(MPI_Comm *comm, int *code, ...)
{
	int class;

	(void)comm;
	MPI_Error_class(*code, &class);
	seen = class;
}

static void on_file_error(MPI_File *file, int *code, ...)
{
	(void)file, (void)code;
	seen_files++;
}

static void error_handlers(struct checks *c)
{
	MPI_Errhandler handler, got;
	MPI_Comm copy;
	char text[MPI_MAX_ERROR_STRING];
	int class, code, length, found, flag, *last;

	MPI_Comm_create_errhandler(on_error, &handler);
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Comm_set_errhandler(copy, handler);
	MPI_Comm_get_errhandler(copy, &got);
	CHECK(c, got == handler);
	MPI_Errhandler_free(&got);
	MPI_Errhandler_free(&handler);
	CHECK(c, handler == MPI_ERRHANDLER_NULL);
	found = MPI_Send(NULL, 0, MPI_INT, c->size, 0, copy); /* no such rank */
	MPI_Error_class(found, &class);
	CHECK(c, class == MPI_ERR_RANK && seen == MPI_ERR_RANK);
	MPI_Comm_call_errhandler(copy, MPI_ERR_TAG);
	CHECK(c, seen == MPI_ERR_TAG);
	MPI_Comm_free(&copy);
	MPI_Add_error_class(&class);
	MPI_Add_error_code(class, &code);
	MPI_Add_error_string(code, "all is well");
	MPI_Error_class(code, &found);
	CHECK(c, found == class && class > MPI_ERR_LASTCODE && code > class);
	MPI_Error_string(code, text, &length);
	CHECK(c, strcmp(text, "all is well") == 0 && length == 11);
	MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
	CHECK(c, flag && *last >= MPI_ERR_LASTCODE);
	MPI_File_create_errhandler(on_file_error, &handler);
	MPI_File_set_errhandler(MPI_FILE_NULL, handler);
	MPI_File_get_errhandler(MPI_FILE_NULL, &got);
	CHECK(c, got == handler && seen_files == 0);
	MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
#ifdef MPI_SIMULATED
	MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO);
	MPI_Errhandler_create(on_error, &handler);
	MPI_Errhandler_set(MPI_COMM_SELF, handler);
	MPI_Errhandler_get(MPI_COMM_SELF, &got);
	CHECK(c, got == handler);
	MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
#endif
}

static int freed;

static int query(void *extra, MPI_Status *status)
{
	MPI_Status_set_elements(status, MPI_INT, *(int *)extra);
	MPI_Status_set_elements_x(status, MPI_INT, *(int *)extra);
	MPI_Status_set_cancelled(status, 0);
	status->MPI_SOURCE = 3;
	status->MPI_TAG = 4;
	return MPI_SUCCESS;
}

static int free_state(void *extra)
{
	freed = *(int *)extra;
	return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
	(void)extra, (void)complete;
	return MPI_SUCCESS;
}

static void general_requests(struct checks *c)
{
	MPI_Request request;
	MPI_Status status;
	MPI_Count many;
	int elements = 7, flag, count;

	MPI_Grequest_start(query, free_state, cancel, &elements, &request);
	MPI_Test(&request, &flag, &status);
	CHECK(c, !flag && freed == 0);
	MPI_Grequest_complete(request);
	MPI_Wait(&request, &status);
	MPI_Get_count(&status, MPI_INT, &count);
	MPI_Get_elements_x(&status, MPI_INT, &many);
	CHECK(c, count == 7 && many == 7 && freed == 7 && status.MPI_SOURCE == 3 && status.MPI_TAG == 4);
	CHECK(c, request == MPI_REQUEST_NULL);
}

/* A matched message is received by nobody else, not even by a receive of any source. */
static void matched(struct checks *c)
{
	int right = (c->rank + 1) % c->size, left = (c->rank + c->size - 1) % c->size, value = c->rank, got = -1,
	    flag = 0, count;
	MPI_Message first, second;
	MPI_Request request, sends[2];
	MPI_Status status;

	MPI_Isend(&value, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &sends[0]);
	MPI_Isend(&right, 1, MPI_INT, right, 2, MPI_COMM_WORLD, &sends[1]);
	MPI_Mprobe(left, 1, MPI_COMM_WORLD, &first, &status);
	MPI_Get_count(&status, MPI_INT, &count);
	CHECK(c, status.MPI_SOURCE == left && status.MPI_TAG == 1 && count == 1);
	while (!flag)
		MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &second, &status);
	CHECK(c, status.MPI_TAG == 2);
	MPI_Imrecv(&got, 1, MPI_INT, &second, &request);
	MPI_Wait(&request, &status);
	CHECK(c, got == c->rank && second == MPI_MESSAGE_NULL);
	MPI_Mrecv(&got, 1, MPI_INT, &first, &status);
	CHECK(c, got == left && status.MPI_SOURCE == left);
	MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
	MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &first, &status);
	CHECK(c, first == MPI_MESSAGE_NO_PROC);
	MPI_Mrecv(&got, 1, MPI_INT, &first, &status);
	CHECK(c, status.MPI_SOURCE == MPI_PROC_NULL);
}

static void decoded(struct checks *c)
{
	int integers, addresses, types, combiner, numbers[8];
	MPI_Aint places[2] = {0, 12}, lb, extent;
	MPI_Count size, big_lb, big_extent;
	MPI_Datatype type, part, inside[2];

	MPI_Type_vector(3, 2, 5, MPI_INT, &type);
	MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
	CHECK(c, integers == 3 && addresses == 0 && types == 1 && combiner == MPI_COMBINER_VECTOR);
	MPI_Type_get_contents(type, 3, 0, 1, numbers, NULL, inside);
	CHECK(c, numbers[0] == 3 && numbers[1] == 2 && numbers[2] == 5 && inside[0] == MPI_INT);
	MPI_Type_size_x(type, &size);
	MPI_Type_get_extent_x(type, &big_lb, &big_extent);
	CHECK(c, size == 24 && big_lb == 0 && big_extent == 48);
	MPI_Type_get_true_extent_x(type, &big_lb, &big_extent);
	CHECK(c, big_lb == 0 && big_extent == 48);
	MPI_Type_free(&type);
	MPI_Type_create_hindexed_block(2, 2, places, MPI_INT, &type);
	MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
	CHECK(c, integers == 2 && addresses == 2 && types == 1 && combiner == MPI_COMBINER_HINDEXED_BLOCK);
	MPI_Type_get_extent(type, &lb, &extent);
	CHECK(c, lb == 0 && extent == 20);
	MPI_Type_free(&type);
	/* rank 1 of 2 x 2 over 4 rows of 6: of rows 0 and 1 (block) columns 1, 3, 5 (cyclic) */
	MPI_Type_create_darray(4, 1, 2, (int[]){4, 6}, (int[]){MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC},
			       (int[]){MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, (int[]){2, 2}, MPI_ORDER_C,
			       MPI_INT, &part);
	MPI_Type_commit(&part);
	{
		int all[24], mine[6], at = 0;

		for (int i = 0; i < 24; i++)
			all[i] = i;
		MPI_Pack(all, 1, part, mine, sizeof(mine), &at, MPI_COMM_WORLD);
		CHECK(c, at == 24 && mine[0] == 1 && mine[1] == 3 && mine[2] == 5 && mine[3] == 7 && mine[5] == 11);
	}
	MPI_Type_get_extent(part, &lb, &extent);
	CHECK(c, lb == 0 && extent == 96);
	MPI_Type_free(&part);
	MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type);
	MPI_Type_size_x(type, &size);
	CHECK(c, size == 8);
	MPI_Type_create_f90_integer(9, &type);
	MPI_Type_size_x(type, &size);
	CHECK(c, size == 4);
	MPI_Type_create_f90_real(15, 300, &type);
	MPI_Type_size_x(type, &size);
	CHECK(c, size == 8);
	MPI_Type_create_f90_complex(6, 30, &type);
	MPI_Type_size_x(type, &size);
	CHECK(c, size == 8);
#ifdef MPI_SIMULATED
	MPI_Type_hindexed(2, (int[]){1, 1}, places, MPI_INT, &type);
	MPI_Address(numbers, &lb);
	MPI_Get_address(numbers, &extent);
	CHECK(c, lb == extent);
	MPI_Type_free(&type);
#endif
}

/* external32 is big-endian on every machine. */
static void external(struct checks *c)
{
	unsigned char out[16] = {0};
	short small = 0x0102, small_back = 0;
	int number = 0x01020304, back = 0;
	MPI_Aint at = 0, size;

	MPI_Pack_external_size("external32", 2, MPI_SHORT, &size);
	CHECK(c, size == 4);
	MPI_Pack_external("external32", &number, 1, MPI_INT, out, 16, &at);
	MPI_Pack_external("external32", &small, 1, MPI_SHORT, out, 16, &at);
	CHECK(c, at == 6 && out[0] == 1 && out[1] == 2 && out[3] == 4 && out[4] == 1 && out[5] == 2);
	at = 0;
	MPI_Unpack_external("external32", out, 16, &at, &back, 1, MPI_INT);
	MPI_Unpack_external("external32", out, 16, &at, &small_back, 1, MPI_SHORT);
	CHECK(c, at == 6 && back == number && small_back == small);
}

static void memory(struct checks *c)
{
	int *words = NULL;

	MPI_Alloc_mem(4 * sizeof(int), MPI_INFO_NULL, &words);
	words[3] = 5;
	CHECK(c, words[3] == 5);
	MPI_Free_mem(words);
}

int main(int argc, char **argv)
{
	struct checks c;

	checks_begin(&c, &argc, &argv);
	comm_attributes(&c);
	type_attributes(&c);
	infos(&c);
	error_handlers(&c);
	general_requests(&c);
	matched(&c);
	decoded(&c);
	external(&c);
	memory(&c);
	return checks_end(&c, "objects");
}
