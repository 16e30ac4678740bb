/*
 * Calls beyond MPI, and what the standard leaves open; nsim alone. At least 4 ranks, in blocks on nodes of two NICs
 * (tests/cli/nsim.t). Packets carry 2016 bytes.
 */
#include "check.h"

#include <math.h>

enum { PACKET = 2016 };

static void standard(struct checks *c)
{
	int level = -1, version = 0, subversion = 0, length, class = -1;
	char name[MPI_MAX_OBJECT_NAME],
		longer[] = "a name of more than the 63 characters that a communicator keeps of it ",
		text[MPI_MAX_LIBRARY_VERSION_STRING];

	MPI_Query_thread(&level);
	CHECK(c, level == MPI_THREAD_SINGLE); /* Init is Init_thread of THREAD_SINGLE */
	MPI_Get_version(&version, &subversion);
	CHECK(c, version == 3 && subversion == 1);
	CHECK(c, MPI_Wtick() == 1e-12);
	MPI_Get_library_version(text, &length);
	CHECK(c, strcmp(text, "psim virtual ranks") == 0 && length == 18);
	MPI_Comm_set_name(MPI_COMM_WORLD, longer);
	/* synonyms of the standard, each by its name */
	MPI_Type_get_name(MPI_C_COMPLEX, name, &length);
	CHECK(c, strcmp(name, "MPI_C_COMPLEX") == 0);
	MPI_Type_get_name(MPI_C_FLOAT_COMPLEX, name, &length);
	CHECK(c, strcmp(name, "MPI_C_FLOAT_COMPLEX") == 0);
	MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
	CHECK(c, length == 63 && strncmp(name, longer, 63) == 0 && (int)strlen(name) == 63);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	CHECK(c, MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRHANDLER_NULL) == MPI_ERR_ARG);
	CHECK(c, MPI_Error_class(MPI_ERR_LASTCODE + 1, &class) == MPI_ERR_ARG);
	CHECK(c, MPI_Error_class(-1, &class) == MPI_ERR_ARG && class == -1);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* Nodes are filled one after the other. */
static void nodes(struct checks *c, int per_node)
{
	int nics = -1, node = -1, length;
	char name[MPI_MAX_PROCESSOR_NAME], expected[32];

	MPI_Nics(&nics);
	CHECK(c, nics == 2);
	for (int i = 0; i < c->size; i++) {
		MPI_Node(i, &node);
		CHECK(c, node == i / per_node);
	}
	snprintf(expected, sizeof(expected), "node%d", c->rank / per_node);
	MPI_Get_processor_name(name, &length);
	CHECK(c, strcmp(name, expected) == 0 && length == (int)strlen(expected));
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	CHECK(c, MPI_Node(c->size, &node) == MPI_ERR_RANK && MPI_Node(-1, &node) == MPI_ERR_RANK);
	CHECK(c, MPI_Set_nic(2) == MPI_ERR_ARG && MPI_Set_nic(-2) == MPI_ERR_ARG && MPI_Set_nic(-1) == MPI_SUCCESS);
	CHECK(c, MPI_Set_gap(-1) == MPI_ERR_ARG && MPI_Set_jitter(1e-6, 1e-6) == MPI_ERR_ARG);
	CHECK(c, MPI_Add_time(-1) == MPI_ERR_ARG);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* Numbers in [0, 1) of mean 1/2 and variance 1/12; each rank has others. Bounds: five standard deviations of a mean. */
static void randoms(struct checks *c)
{
	enum { N = 10000 };
	double sum = 0, squares = 0, first = 0, *all = malloc((size_t)c->size * sizeof(double));
	int outside = 0, same = 0;

	for (int i = 0; i < N; i++) {
		double x = MPI_Random();

		outside += !(x >= 0 && x < 1);
		sum += x;
		squares += (x - 0.5) * (x - 0.5);
		first = i ? first : x;
	}
	CHECK(c, outside == 0);
	CHECK(c, fabs(sum / N - 0.5) < 5 * sqrt(1.0 / 12 / N));
	CHECK(c, fabs(squares / N - 1.0 / 12) < 5 * sqrt(1.0 / 180 / N));
	MPI_Allgather(&first, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD);
	for (int i = 0; i < c->size; i++)
		same += all[i] == first;
	CHECK(c, same == 1);
	free(all);
}

/* A second of computation with an interruption of 10 us every ms on average: 1000 of them, within five times 32. */
static void noise(struct checks *c)
{
	double began, took, times;

	began = MPI_Wtime();
	MPI_Add_time(1);
	took = MPI_Wtime() - began;
	MPI_Set_jitter(1e-3, 10e-6);
	began = MPI_Wtime();
	for (int i = 0; i < 1000; i++)
		MPI_Add_time(1e-3);
	times = (MPI_Wtime() - began - took) / 10e-6;
	CHECK(c, fabs(times - 1000) < 5 * 32 && fabs(times - round(times)) < 1e-3);
	MPI_Set_jitter(0, 0);
	began = MPI_Wtime();
	MPI_Add_time(1);
	CHECK(c, fabs(MPI_Wtime() - began - took) < 1e-12);
}

/* All ranks go on at one time, when the network is idle; returns it. */
static double together(void)
{
	double now = MPI_Wtime(), latest;

	MPI_Allreduce(&now, &latest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	MPI_Add_time(latest + 1e-3 - MPI_Wtime());
	return MPI_Wtime();
}

/* Seconds of two messages at once from rank 0, over these NICs, to nodes in different directions. */
static double two_messages(struct checks *c, int per_node, int nic, int other)
{
	const int bytes = 500 * PACKET, east = per_node, west = c->size - 1;
	double began, took, most = 0;
	MPI_Request request[2];

	began = together();
	if (c->rank == 0) {
		MPI_Set_nic(nic);
		MPI_Isend(NULL, bytes, MPI_BYTE, east, 0, MPI_COMM_WORLD, &request[0]);
		MPI_Set_nic(other);
		MPI_Isend(NULL, bytes, MPI_BYTE, west, 0, MPI_COMM_WORLD, &request[1]);
		MPI_Set_nic(-1);
		MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	}
	if (c->rank == east || c->rank == west)
		MPI_Recv(NULL, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	took = MPI_Wtime() - began;
	MPI_Allreduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return most;
}

/* Seconds of a message of 10 packets with this gap. */
static double paced(struct checks *c, double gap)
{
	double began;

	began = together();
	MPI_Set_gap(gap);
	if (c->rank == 0)
		MPI_Ssend(NULL, 10 * PACKET, MPI_BYTE, c->size - 1, 0, MPI_COMM_WORLD);
	if (c->rank == c->size - 1)
		MPI_Recv(NULL, 10 * PACKET, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Set_gap(0);
	return MPI_Wtime() - began;
}

static void nics_and_gaps(struct checks *c, int per_node)
{
	double same = two_messages(c, per_node, 0, 0), two = two_messages(c, per_node, 0, 1), once, twice;

	CHECK(c, same > 1.9 * two);
	once = paced(c, 50e-6);
	twice = paced(c, 100e-6);
	CHECK(c, c->rank != c->size - 1 || fabs(twice - once - 9 * 50e-6) < 1e-9); /* nine pauses before the last one */
}

int main(int argc, char **argv)
{
	int per_node = argc > 1 ? atoi(argv[1]) : 1;
	struct checks c;

	checks_begin(&c, &argc, &argv);
	standard(&c);
	nodes(&c, per_node);
	randoms(&c);
	noise(&c);
	nics_and_gaps(&c, per_node);
	return checks_end(&c, "extensions");
}
