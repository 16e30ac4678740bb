/* Calls: error handlers and error codes. */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "object_calls.h"

static const char *const error_texts[] = {
#define ERROR(name, doc) doc,
#include "../api/constants.def"
#undef ERROR
};

/* Numbers of the program's classes and codes follow the standard's. */
enum { OWN_FIRST = VMPI_ERR_LASTCODE + 1 };

/* The program's own code of this number; NULL: it has none. */
static struct error_code *own_code(struct vmpi *v, int number)
{
	struct error_codes *c = &rank_own(v)->codes;

	return number >= OWN_FIRST && number - OWN_FIRST < c->count ? &c->at[number - OWN_FIRST] : NULL;
}

static int check_code(struct vmpi *v, int code)
{
	if (code >= 0 && (code <= VMPI_ERR_LASTCODE || own_code(v, code)))
		return VMPI_SUCCESS;
	return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_ARG, "error code %d: expected 0 to %d", code,
			  rank_own(v)->last_code);
}

int vmpi_Error_class(struct vmpi *v, int errorcode, int *errorclass)
{
	int ret;

	rank_enter(v, CALL_Error_class);
	ret = check_code(v, errorcode);
	if (ret)
		return ret;
	*errorclass = errorcode > VMPI_ERR_LASTCODE ? own_code(v, errorcode)->class : errorcode;
	return VMPI_SUCCESS;
}

int vmpi_Error_string(struct vmpi *v, int errorcode, char *string, int *resultlen)
{
	const struct error_code *own = own_code(v, errorcode);
	bool known = errorcode >= 0 && errorcode < VMPI_ERR_LASTCODE;
	const char *text = error_texts[known ? errorcode : VMPI_ERR_UNKNOWN];

	rank_enter(v, CALL_Error_string);
	if (own)
		text = own->text ? own->text : "";
	*resultlen = snprintf(string, VMPI_MAX_ERROR_STRING, "%s", text);
	return VMPI_SUCCESS;
}

static int add_error_code(struct vmpi *v, int class, int *number)
{
	struct rank_own *own = rank_own(v);
	int i = error_code_add(&own->codes, OWN_FIRST, class, &v->err);

	if (i < 0)
		rank_stop(v);
	*number = own->last_code = OWN_FIRST + i;
	return VMPI_SUCCESS;
}

int vmpi_Add_error_class(struct vmpi *v, int *errorclass)
{
	rank_enter(v, CALL_Add_error_class);
	return add_error_code(v, 0, errorclass);
}

int vmpi_Add_error_code(struct vmpi *v, int errorclass, int *errorcode)
{
	int ret;

	rank_enter(v, CALL_Add_error_code);
	ret = check_code(v, errorclass);
	return ret ? ret : add_error_code(v, errorclass, errorcode);
}

int vmpi_Add_error_string(struct vmpi *v, int errorcode, const char *string)
{
	struct error_code *own = own_code(v, errorcode);
	char *copy;

	rank_enter(v, CALL_Add_error_string);
	if (!own)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_ARG, "error code %d: expected one of Add_error_code",
				  errorcode);
	copy = mem_copy_text(string, &v->err);
	if (!copy)
		rank_stop(v);
	free(own->text);
	own->text = copy;
	return VMPI_SUCCESS;
}

/* ---- handlers ---- */

static int create(struct vmpi *v, enum call_id call, errhandler_function *function, VMPI_Errhandler *errhandler)
{
	rank_enter(v, call);
	*errhandler = errhandler_create(&v->mpi.errhandlers, function, &v->err);
	if (!*errhandler)
		rank_stop(v);
	return VMPI_SUCCESS;
}

int vmpi_Comm_create_errhandler(struct vmpi *v, VMPI_Comm_errhandler_function *function, VMPI_Errhandler *errhandler)
{
	return create(v, CALL_Comm_create_errhandler, function, errhandler);
}

int vmpi_Win_create_errhandler(struct vmpi *v, VMPI_Win_errhandler_function *function, VMPI_Errhandler *errhandler)
{
	return create(v, CALL_Win_create_errhandler, function, errhandler);
}

int vmpi_File_create_errhandler(struct vmpi *v, VMPI_File_errhandler_function *function, VMPI_Errhandler *errhandler)
{
	return create(v, CALL_File_create_errhandler, function, errhandler);
}

int vmpi_Errhandler_create(struct vmpi *v, VMPI_Handler_function *function, VMPI_Errhandler *errhandler)
{
	return create(v, CALL_Errhandler_create, function, errhandler);
}

static int check_handler(struct vmpi *v, VMPI_Comm comm, VMPI_Errhandler errhandler)
{
	if (errhandler_exists(&v->mpi.errhandlers, errhandler))
		return VMPI_SUCCESS;
	return rank_error(v, comm, VMPI_ERR_ARG,
			  "error handler %d: expected MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN or one of "
			  "the program",
			  errhandler);
}

int vmpi_Errhandler_free(struct vmpi *v, VMPI_Errhandler *errhandler)
{
	int ret;

	rank_enter(v, CALL_Errhandler_free);
	ret = check_handler(v, VMPI_COMM_WORLD, *errhandler);
	if (ret == VMPI_SUCCESS)
		*errhandler = VMPI_ERRHANDLER_NULL;
	return ret;
}

int vmpi_Comm_set_errhandler(struct vmpi *v, VMPI_Comm comm, VMPI_Errhandler errhandler)
{
	struct comm *c = comm_find(&v->comms, comm);
	struct rank *r = rank_enter(v, CALL_Comm_set_errhandler);
	int ret;

	if (!c)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "unknown communicator %d", comm);
	ret = check_handler(v, comm, errhandler);
	if (ret == VMPI_SUCCESS && comm_set_errhandler(c, r->world, errhandler, &v->err) < 0)
		rank_stop(v);
	return ret;
}

int vmpi_Comm_get_errhandler(struct vmpi *v, VMPI_Comm comm, VMPI_Errhandler *errhandler)
{
	const struct comm *c = comm_find(&v->comms, comm);
	struct rank *r = rank_enter(v, CALL_Comm_get_errhandler);

	if (!c)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "unknown communicator %d", comm);
	*errhandler = comm_errhandler(c, r->world);
	return VMPI_SUCCESS;
}

int vmpi_Errhandler_set(struct vmpi *v, VMPI_Comm comm, VMPI_Errhandler errhandler)
{
	return vmpi_Comm_set_errhandler(v, comm, errhandler);
}

int vmpi_Errhandler_get(struct vmpi *v, VMPI_Comm comm, VMPI_Errhandler *errhandler)
{
	return vmpi_Comm_get_errhandler(v, comm, errhandler);
}

int vmpi_Comm_call_errhandler(struct vmpi *v, VMPI_Comm comm, int errorcode)
{
	const struct comm *c = comm_find(&v->comms, comm);
	struct rank *r = rank_enter(v, CALL_Comm_call_errhandler);

	if (!c)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "unknown communicator %d", comm);
	rank_error_by(v, comm_errhandler(c, r->world), comm, errorcode, "error %d of the program", errorcode);
	return VMPI_SUCCESS;
}

/* Windows and files keep one number for each rank: `at`. */
static int set_own(struct vmpi *v, int *at, VMPI_Errhandler errhandler, int no_object, int object)
{
	int ret;

	if (!at)
		return rank_error(v, VMPI_COMM_WORLD, no_object, "unknown handle %d", object);
	ret = check_handler(v, VMPI_COMM_WORLD, errhandler);
	if (ret == VMPI_SUCCESS)
		*at = errhandler;
	return ret;
}

static int get_own(struct vmpi *v, const int *at, VMPI_Errhandler *errhandler, int no_object, int object)
{
	if (!at)
		return rank_error(v, VMPI_COMM_WORLD, no_object, "unknown handle %d", object);
	*errhandler = *at;
	return VMPI_SUCCESS;
}

static int call_own(struct vmpi *v, const int *at, int errorcode, int no_object, int object)
{
	if (!at)
		return rank_error(v, VMPI_COMM_WORLD, no_object, "unknown handle %d", object);
	rank_error_by(v, *at, object, errorcode, "error %d of the program", errorcode);
	return VMPI_SUCCESS;
}

int vmpi_Win_set_errhandler(struct vmpi *v, VMPI_Win win, VMPI_Errhandler errhandler)
{
	rank_enter(v, CALL_Win_set_errhandler);
	return set_own(v, window_errhandler(v, win), errhandler, VMPI_ERR_WIN, win);
}

int vmpi_Win_get_errhandler(struct vmpi *v, VMPI_Win win, VMPI_Errhandler *errhandler)
{
	rank_enter(v, CALL_Win_get_errhandler);
	return get_own(v, window_errhandler(v, win), errhandler, VMPI_ERR_WIN, win);
}

int vmpi_Win_call_errhandler(struct vmpi *v, VMPI_Win win, int errorcode)
{
	rank_enter(v, CALL_Win_call_errhandler);
	return call_own(v, window_errhandler(v, win), errorcode, VMPI_ERR_WIN, win);
}

int vmpi_File_set_errhandler(struct vmpi *v, VMPI_File file, VMPI_Errhandler errhandler)
{
	rank_enter(v, CALL_File_set_errhandler);
	return set_own(v, file_errhandler(v, file), errhandler, VMPI_ERR_FILE, file);
}

int vmpi_File_get_errhandler(struct vmpi *v, VMPI_File file, VMPI_Errhandler *errhandler)
{
	rank_enter(v, CALL_File_get_errhandler);
	return get_own(v, file_errhandler(v, file), errhandler, VMPI_ERR_FILE, file);
}

int vmpi_File_call_errhandler(struct vmpi *v, VMPI_File file, int errorcode)
{
	rank_enter(v, CALL_File_call_errhandler);
	return call_own(v, file_errhandler(v, file), errorcode, VMPI_ERR_FILE, file);
}
