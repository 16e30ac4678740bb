/*
 * What a message of virtual ranks costs, with the linear engine: messages for a CPU second.
 *
 *     message-speed [CASE RANKS ROUNDS]
 *
 *     exchange    each rank sends 8 bytes to its neighbour and receives from the other one
 *     empty       the same, 1000 bytes without data
 *     posted      receives from two neighbours are posted, then it sends to both and waits for all, without data
 *     alltoall    all-to-all, pairwise, 4 bytes
 *
 * Instructions are counted by difference: message-instructions.sh. The floor is a tenth of what was measured on one
 * core of a server of 2023: it catches what went badly wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "netlink/engine/net_config.h"
#include "netlink/vmpi/message/message.h"
#include "netlink/engines/engine_kinds.h"
#include "netlink/vmpi/vmpi_config.h"

struct run {
	int ranks, rounds;
};

/* of the processor, not of the clock on the wall: other programs may run */
static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int exchange(struct vmpi *v, uint32_t rank, void *user)
{
	const struct run *x = user;
	int me = (int)rank, right = (me + 1) % x->ranks, left = (me + x->ranks - 1) % x->ranks;
	long out = me, in = -1;

	for (int i = 0; i < x->rounds; i++)
		vmpi_Sendrecv(v, &out, 1, VMPI_LONG, right, 0, &in, 1, VMPI_LONG, left, 0, VMPI_COMM_WORLD, NULL);
	return in != left;
}

static int empty(struct vmpi *v, uint32_t rank, void *user)
{
	const struct run *x = user;
	int me = (int)rank, right = (me + 1) % x->ranks, left = (me + x->ranks - 1) % x->ranks;

	for (int i = 0; i < x->rounds; i++)
		vmpi_Sendrecv(v, NULL, 1000, VMPI_BYTE, right, 0, NULL, 1000, VMPI_BYTE, left, 0, VMPI_COMM_WORLD,
			      NULL);
	return 0;
}

static int posted(struct vmpi *v, uint32_t rank, void *user)
{
	const struct run *x = user;
	int me = (int)rank, near[2] = {(me + 1) % x->ranks, (me + x->ranks - 1) % x->ranks};
	VMPI_Request requests[4];

	for (int i = 0; i < x->rounds; i++) {
		for (int k = 0; k < 2; k++)
			vmpi_Irecv(v, NULL, 1000, VMPI_BYTE, near[k], 0, VMPI_COMM_WORLD, &requests[k]);
		for (int k = 0; k < 2; k++)
			vmpi_Isend(v, NULL, 1000, VMPI_BYTE, near[k], 0, VMPI_COMM_WORLD, &requests[2 + k]);
		vmpi_Waitall(v, 4, requests, NULL);
	}
	return 0;
}

static int alltoall(struct vmpi *v, uint32_t rank, void *user)
{
	const struct run *x = user;
	int *out = calloc((size_t)x->ranks, sizeof(int)), *in = calloc((size_t)x->ranks, sizeof(int)), bad;

	if (!out || !in)
		abort();
	for (int i = 0; i < x->ranks; i++)
		out[i] = (int)rank;
	for (int i = 0; i < x->rounds; i++)
		vmpi_Alltoall(v, out, 1, VMPI_INT, in, 1, VMPI_INT, VMPI_COMM_WORLD);
	bad = in[x->ranks - 1] != x->ranks - 1;
	free(out);
	free(in);
	return bad;
}

static const struct message_case {
	const char *name;
	vmpi_body *body;
	int ranks, rounds;
	double floor; /* million messages a second */
} cases[] = {
	{"exchange", exchange, 64, 4000, 0.1},  {"exchange", exchange, 4096, 100, 0.05},
	{"exchange", exchange, 65000, 8, 0.02}, {"empty", empty, 64, 4000, 0.1},
	{"empty", empty, 4096, 100, 0.05},      {"posted", posted, 4096, 50, 0.05},
	{"alltoall", alltoall, 512, 2, 0.05},
};

static int prepare(struct config *c, struct vmpi_config *cfg, struct topology_config *topology, struct net_config *net,
		   int ranks, struct err *e)
{
	char dims[40];

	topology_config_add(c, topology);
	net_config_add(c, net);
	vmpi_config_add(c, cfg);
	snprintf(dims, sizeof(dims), "topology.dims=%d", ranks);
	if (config_override(c, dims, "bench", e) < 0 ||
	    config_override(c, "mpi.collective_alltoall=pairwise", "bench", e) < 0)
		return -1;
	return topology_config_check(c, topology, e);
}

/* CPU seconds of the run in *took; the messages, or 0 with `e`. */
static uint64_t go(struct vmpi_setup *setup, vmpi_body *body, struct run *x, double *took, struct err *e)
{
	struct vmpi *v = vmpi_create(setup, e);
	uint64_t messages = 0;

	if (!v)
		return 0;
	vmpi_set_body(v, body, x);
	*took = seconds();
	if (vmpi_run(v, UINT64_MAX, e) == VMPI_DONE)
		messages = vmpi_progress(v).messages;
	*took = seconds() - *took;
	vmpi_destroy(v);
	return messages;
}

/* 0, 1 below the floor, -1 with `e`. */
static int measure(const struct message_case *k, struct run x, struct err *e)
{
	struct config *c = config_create();
	struct vmpi_config cfg;
	struct topology_config topology;
	struct net_config net;
	struct net_setup engine = {.config = &net, .seed = 1};
	struct vmpi_setup setup = {.config = &cfg,
				   .kind = net_engine_find("linear", e),
				   .ranks = (uint32_t)x.ranks,
				   .nodes = (uint32_t)x.ranks,
				   .nics = 1};
	struct topology *t = NULL;
	uint64_t messages = 0;
	double took = 0, rate;

	if (c && setup.kind && prepare(c, &cfg, &topology, &net, x.ranks, e) == 0 &&
	    (t = topology_create(&topology, e)) != NULL) {
		engine.topology = t;
		setup.engine = setup.kind->create(&engine, e);
		if (setup.engine) {
			messages = go(&setup, k->body, &x, &took, e);
			setup.kind->destroy(setup.engine);
		}
	}
	topology_destroy(t);
	config_destroy(c);
	if (!messages)
		return -1;
	rate = (double)messages / took / 1e6;
	printf("%-10s %6d ranks %10llu messages in %6.2f s: %5.2f million a second%s\n", k->name, x.ranks,
	       (unsigned long long)messages, took, rate, rate < k->floor ? ", below the floor" : "");
	fflush(stdout);
	return rate < k->floor;
}

int main(int argc, char **argv)
{
	struct err e = {0};
	int failed = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run x = {cases[i].ranks, cases[i].rounds};
		int result;

		if (argc > 3)
			x = (struct run){atoi(argv[2]), atoi(argv[3])};
		if (argc > 1 && strcmp(argv[1], cases[i].name) != 0)
			continue;
		result = measure(&cases[i], x, &e);
		if (result < 0) {
			fprintf(stderr, "message-speed: %s\n", e.text);
			return (int)e.status;
		}
		failed |= argc > 3 ? 0 : result;
		if (argc > 3)
			break;
	}
	return failed;
}
