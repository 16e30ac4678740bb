/* The environment: thread levels, versions, names, errors that return. Any number of ranks, at least 2. */
#include <pthread.h>

#include "check.h"

static void before_init(void)
{
	int flag = 1, version = 0, subversion = -1;

	MPI_Initialized(&flag);
	MPI_Get_version(&version, &subversion);
	if (flag || version != MPI_VERSION || subversion != MPI_SUBVERSION) {
		fprintf(stderr, "before MPI_Init_thread: %d, version %d.%d\n", flag, version, subversion);
		exit(1);
	}
}

static void *in_thread(void *flag)
{
	double sum = 0;

	for (int i = 1; i <= 1000; i++)
		sum += 1.0 / i;
	*(int *)flag = sum < 7 || sum > 8; /* 7.485... */
	if (!*(int *)flag)
		MPI_Is_thread_main(flag);
	return flag;
}

/* A rank's threads compute; the thread of main alone is that of Init. */
static void threads(struct checks *c)
{
	int flag = 1;
	pthread_t thread;

	CHECK(c, pthread_create(&thread, NULL, in_thread, &flag) == 0);
	pthread_join(thread, NULL);
	CHECK(c, !flag);
}

/* As checks_begin, with a thread level. */
static void begin(struct checks *c, int *argc, char ***argv)
{
	int provided = -1, level = -2, flag;

	before_init();
	MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
	c->bad = 0;
	MPI_Comm_rank(MPI_COMM_WORLD, &c->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &c->size);
	CHECK(c, MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED && MPI_THREAD_FUNNELED < MPI_THREAD_SERIALIZED);
	CHECK(c, MPI_THREAD_SERIALIZED < MPI_THREAD_MULTIPLE);
	CHECK(c, provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
	MPI_Query_thread(&level);
	CHECK(c, level == provided);
	flag = 0;
	MPI_Is_thread_main(&flag);
	CHECK(c, flag);
	flag = 0;
	MPI_Initialized(&flag);
	CHECK(c, flag);
	MPI_Finalized(&flag);
	CHECK(c, !flag);
}

static void library(struct checks *c)
{
	char text[MPI_MAX_LIBRARY_VERSION_STRING + 1];
	double tick = MPI_Wtick(), first = MPI_Wtime();
	int length = -1;

	memset(text, 'x', sizeof(text));
	MPI_Get_library_version(text, &length);
#ifdef OPEN_MPI /* 4.1 counts the NUL */
	length--;
#endif
	CHECK(c, length > 0 && length < MPI_MAX_LIBRARY_VERSION_STRING && (int)strlen(text) == length);
	CHECK(c, tick > 0 && tick < 1e-3);
	CHECK(c, MPI_Wtime() >= first);
}

/* Ranks of a node have one name; COMM_TYPE_SHARED unites no others. */
static void nodes(struct checks *c)
{
	enum { ROOM = MPI_MAX_PROCESSOR_NAME };
	char name[ROOM], *all = malloc((size_t)c->size * ROOM);
	int length = -1, same = 0, size = -1, rank = -1, key = -c->rank, place = 0;
	MPI_Comm node;

	memset(name, 0, sizeof(name));
	MPI_Get_processor_name(name, &length);
	CHECK(c, length > 0 && length < ROOM && (int)strlen(name) == length);
	MPI_Allgather(name, ROOM, MPI_CHAR, all, ROOM, MPI_CHAR, MPI_COMM_WORLD);
	for (int i = 0; i < c->size; i++) {
		int mine = strcmp(all + (size_t)i * ROOM, name) == 0;

		same += mine;
		place += mine && i > c->rank; /* in reverse order, by key */
	}
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, key, MPI_INFO_NULL, &node);
	MPI_Comm_size(node, &size);
	MPI_Comm_rank(node, &rank);
	CHECK(c, size == same && rank == place);
	MPI_Comm_free(&node);
	MPI_Comm_split_type(MPI_COMM_WORLD, c->rank ? MPI_COMM_TYPE_SHARED : MPI_UNDEFINED, 0, MPI_INFO_NULL, &node);
	CHECK(c, (node == MPI_COMM_NULL) == (c->rank == 0));
	if (node != MPI_COMM_NULL)
		MPI_Comm_free(&node);
	free(all);
}

/* A communicator's name is each rank's own (MPI 3.1, 6.8); a copy has none. */
static void names(struct checks *c)
{
	char name[MPI_MAX_OBJECT_NAME + 1], own[32];
	int length = -1;
	MPI_Comm comm;

	MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
	CHECK(c, strcmp(name, "MPI_COMM_WORLD") == 0 && length == 14);
	MPI_Comm_get_name(MPI_COMM_SELF, name, &length);
	CHECK(c, strcmp(name, "MPI_COMM_SELF") == 0 && length == 13);
	snprintf(own, sizeof(own), "self of %d", c->rank);
	MPI_Comm_set_name(MPI_COMM_SELF, own);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Comm_get_name(comm, name, &length);
	CHECK(c, name[0] == '\0' && length == 0);
	if (c->rank)
		MPI_Comm_set_name(comm, own);
	MPI_Barrier(comm);
	MPI_Comm_get_name(comm, name, &length);
	CHECK(c, strcmp(name, c->rank ? own : "") == 0 && length == (int)strlen(name));
	MPI_Comm_get_name(MPI_COMM_SELF, name, &length);
	CHECK(c, strcmp(name, own) == 0);
	MPI_Comm_set_name(comm, "");
	MPI_Comm_get_name(comm, name, &length);
	CHECK(c, name[0] == '\0' && length == 0);
	MPI_Comm_free(&comm);
}

/* The class of a code that a call returned. */
static int class_of(int code)
{
	int class = -1;

	MPI_Error_class(code, &class);
	return class;
}

/* Errors of a communicator's calls return once it has ERRORS_RETURN; its copies inherit that. */
static void errors(struct checks *c, MPI_Comm comm)
{
	int x = 0, length = -1;
	char text[MPI_MAX_ERROR_STRING + 1];
	MPI_Errhandler handler;
	MPI_Comm copy;

	MPI_Comm_get_errhandler(comm, &handler);
	CHECK(c, handler == MPI_ERRORS_ARE_FATAL);
	MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
	MPI_Comm_get_errhandler(comm, &handler);
	CHECK(c, handler == MPI_ERRORS_RETURN);
	CHECK(c, class_of(MPI_Send(&x, 1, MPI_INT, c->size, 0, comm)) == MPI_ERR_RANK);
	CHECK(c, class_of(MPI_Send(&x, -1, MPI_INT, 0, 0, comm)) == MPI_ERR_COUNT);
	CHECK(c, class_of(MPI_Send(&x, 1, MPI_INT, 0, -5, comm)) == MPI_ERR_TAG);
	CHECK(c, class_of(MPI_Send(&x, 1, MPI_DATATYPE_NULL, 0, 0, comm)) == MPI_ERR_TYPE);
	CHECK(c, class_of(MPI_Bcast(&x, 1, MPI_INT, c->size, comm)) == MPI_ERR_ROOT);
	CHECK(c, class_of(MPI_SUCCESS) == MPI_SUCCESS);
	MPI_Error_string(MPI_SUCCESS, text, &length);
	CHECK(c, length > 0 && (int)strlen(text) == length);
	MPI_Error_string(MPI_Send(&x, 1, MPI_INT, c->size, 0, comm), text, &length);
	CHECK(c, length > 0 && (int)strlen(text) == length);
	MPI_Comm_dup(comm, &copy);
	MPI_Comm_get_errhandler(copy, &handler);
	CHECK(c, handler == MPI_ERRORS_RETURN);
	CHECK(c, class_of(MPI_Send(&x, 1, MPI_INT, c->size, 0, copy)) == MPI_ERR_RANK);
	MPI_Comm_set_errhandler(copy, MPI_ERRORS_ARE_FATAL);
	MPI_Comm_get_errhandler(comm, &handler);
	CHECK(c, handler == MPI_ERRORS_RETURN);
	MPI_Comm_free(&copy);
}

/* A handler is each rank's own (MPI 3.1, 8.3). */
static void own_errors(struct checks *c)
{
	int odd = c->rank % 2;
	MPI_Errhandler handler;
	MPI_Comm comm, copy;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, odd ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL);
	MPI_Comm_set_errhandler(comm, odd ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL);
	MPI_Comm_dup(comm, &copy);
	MPI_Comm_get_errhandler(comm, &handler);
	CHECK(c, handler == (odd ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL));
	MPI_Comm_get_errhandler(copy, &handler);
	CHECK(c, handler == (odd ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL));
	MPI_Comm_get_errhandler(MPI_COMM_SELF, &handler);
	CHECK(c, handler == (odd ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL));
	MPI_Comm_free(&copy);
	MPI_Comm_free(&comm);
}

/* Errors of calls without a communicator are those of COMM_WORLD. */
static void errors_of_no_communicator(struct checks *c)
{
	int n = 0, none[1] = {c->size}, ranges[1][3] = {{0, 1, 0}};
	MPI_Datatype type;
	MPI_Group world, group;
	MPI_Request request = MPI_REQUEST_NULL;

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	CHECK(c, class_of(MPI_Type_contiguous(-1, MPI_INT, &type)) == MPI_ERR_COUNT);
	CHECK(c, class_of(MPI_Type_size(MPI_DATATYPE_NULL, &n)) == MPI_ERR_TYPE);
	CHECK(c, class_of(MPI_Comm_size(MPI_COMM_NULL, &n)) == MPI_ERR_COMM);
	CHECK(c, class_of(MPI_Group_size(MPI_GROUP_NULL, &n)) == MPI_ERR_GROUP);
	CHECK(c, class_of(MPI_Start(&request)) == MPI_ERR_REQUEST);
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	CHECK(c, class_of(MPI_Group_incl(world, 1, none, &group)) == MPI_ERR_RANK);
	CHECK(c, MPI_Group_range_excl(world, 1, ranges, &group) != MPI_SUCCESS); /* a stride of 0 */
	MPI_Group_free(&world);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
	struct checks c;
	int ret, flag = 0, version = 0, subversion;
	MPI_Comm comm;

	begin(&c, &argc, &argv);
	threads(&c);
	library(&c);
	nodes(&c);
	names(&c);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	errors(&c, comm);
	MPI_Comm_free(&comm);
	own_errors(&c);
	errors_of_no_communicator(&c);
	ret = checks_end(&c, "environment");
	MPI_Finalized(&flag);
	MPI_Get_version(&version, &subversion);
	return ret || !flag || version != MPI_VERSION;
}
