/*
 * Intercommunicators and their collective operations, topologies of graphs, neighbours, communicators of a group.
 * Values are worked out by hand; the same source runs under a real MPI.
 */
#include "check.h"

/* Even and odd ranks: one group each. */
struct halves {
	MPI_Comm half, inter;
	int rank, size, others, odd;
};

static void create(struct checks *c, struct halves *h)
{
	MPI_Group group;
	MPI_Comm copy;
	int flag, n;

	h->odd = c->rank % 2;
	MPI_Comm_split(MPI_COMM_WORLD, h->odd, c->rank, &h->half);
	MPI_Intercomm_create(h->half, 0, MPI_COMM_WORLD, 1 - h->odd, 12, &h->inter);
	MPI_Comm_test_inter(h->inter, &flag);
	CHECK(c, flag);
	MPI_Comm_test_inter(MPI_COMM_WORLD, &flag);
	CHECK(c, !flag);
	MPI_Comm_rank(h->inter, &h->rank);
	MPI_Comm_size(h->inter, &h->size);
	MPI_Comm_remote_size(h->inter, &h->others);
	CHECK(c, h->size + h->others == c->size && h->rank == c->rank / 2);
	MPI_Comm_remote_group(h->inter, &group);
	MPI_Group_size(group, &n);
	CHECK(c, n == h->others);
	MPI_Group_free(&group);
	MPI_Comm_dup(h->inter, &copy);
	MPI_Comm_compare(h->inter, copy, &flag);
	CHECK(c, flag == MPI_CONGRUENT);
	MPI_Comm_free(&copy);
}

/* Each rank to the one of its number in the other group. */
static void messages(struct checks *c, const struct halves *h)
{
	int value = c->rank, got = -1, peer = h->rank < h->others ? h->rank : MPI_PROC_NULL;
	MPI_Status status;

	MPI_Sendrecv(&value, 1, MPI_INT, peer, 0, &got, 1, MPI_INT, peer, 0, h->inter, &status);
	CHECK(c, peer < 0 || (got == (c->rank ^ 1) && status.MPI_SOURCE == h->rank));
}

static void merges(struct checks *c, const struct halves *h)
{
	MPI_Comm all;
	int rank, size;

	/* odd ranks last */
	MPI_Intercomm_merge(h->inter, h->odd, &all);
	MPI_Comm_rank(all, &rank);
	MPI_Comm_size(all, &size);
	CHECK(c, size == c->size && rank == h->rank + (h->odd ? h->others : 0));
	MPI_Comm_free(&all);
}

static void collectives(struct checks *c, const struct halves *h)
{
	int root = h->odd         ? 0
		   : h->rank == 0 ? MPI_ROOT
				  : MPI_PROC_NULL,
	    value, sum, *list = calloc((size_t)c->size, sizeof(int)), *more = calloc((size_t)c->size, sizeof(int)),
	    evens = h->odd ? h->others : h->size, odds = c->size - evens;
	/* sums of the even and of the odd numbers below size */
	int even_sum = evens * (evens - 1), odd_sum = odds * odds;

	MPI_Barrier(h->inter);
	value = h->odd ? -1 : 77;
	MPI_Bcast(&value, 1, MPI_INT, root, h->inter);
	CHECK(c, value == 77);
	sum = -1;
	MPI_Reduce(&c->rank, &sum, 1, MPI_INT, MPI_SUM, root, h->inter);
	CHECK(c, sum == (root == MPI_ROOT ? odd_sum : -1));
	MPI_Allreduce(&c->rank, &sum, 1, MPI_INT, MPI_SUM, h->inter);
	CHECK(c, sum == (h->odd ? even_sum : odd_sum));
	MPI_Gather(&c->rank, 1, MPI_INT, list, 1, MPI_INT, root, h->inter);
	for (int i = 0; root == MPI_ROOT && i < odds; i++)
		CHECK(c, list[i] == 2 * i + 1);
	for (int i = 0; i < c->size; i++)
		list[i] = 5 * i;
	value = -1;
	MPI_Scatter(list, 1, MPI_INT, &value, 1, MPI_INT, root, h->inter);
	CHECK(c, value == (h->odd ? 5 * h->rank : -1));
	MPI_Allgather(&c->rank, 1, MPI_INT, list, 1, MPI_INT, h->inter);
	for (int i = 0; i < h->others; i++)
		CHECK(c, list[i] == 2 * i + !h->odd);
	for (int i = 0; i < h->others; i++)
		list[i] = 100 * h->rank + i;
	MPI_Alltoall(list, 1, MPI_INT, more, 1, MPI_INT, h->inter);
	for (int i = 0; i < h->others; i++)
		CHECK(c, more[i] == 100 * i + h->rank);
	free(list);
	free(more);
}

/* A ring: the neighbours of each rank are the one before and the one after. */
static void graphs(struct checks *c)
{
	int n = c->size, *index = calloc((size_t)n, sizeof(int)), *edges = calloc(2 * (size_t)n, sizeof(int)), count,
	    nodes, many, near[2], rank;
	MPI_Comm ring;

	for (int i = 0; i < n; i++) {
		index[i] = 2 * (i + 1);
		edges[2 * i] = (i + n - 1) % n;
		edges[2 * i + 1] = (i + 1) % n;
	}
	MPI_Graph_create(MPI_COMM_WORLD, n, index, edges, 0, &ring);
	MPI_Topo_test(ring, &count);
	CHECK(c, count == MPI_GRAPH);
	MPI_Graphdims_get(ring, &nodes, &many);
	CHECK(c, nodes == n && many == 2 * n);
	MPI_Graph_neighbors_count(ring, 1, &count);
	MPI_Graph_neighbors(ring, 1, 2, near);
	CHECK(c, count == 2 && near[0] == 0 && near[1] == 2);
	memset(edges, 0, 2 * (size_t)n * sizeof(int));
	MPI_Graph_get(ring, n, 2 * n, index, edges);
	CHECK(c, index[n - 1] == 2 * n && edges[2 * n - 1] == 0);
	MPI_Graph_map(MPI_COMM_WORLD, n, index, edges, &rank);
	CHECK(c, rank >= 0 && rank < n);
	MPI_Cart_map(MPI_COMM_WORLD, 1, &n, &(int){0}, &rank);
	CHECK(c, rank >= 0 && rank < n);
	MPI_Neighbor_allgather(&c->rank, 1, MPI_INT, near, 1, MPI_INT, ring);
	CHECK(c, near[0] == (c->rank + n - 1) % n && near[1] == (c->rank + 1) % n);
	MPI_Comm_free(&ring);
	free(index);
	free(edges);
}

/* Edges from each rank to the next two, of weights 1 and 2: given by their sources, or by both ends. */
static void distributed(struct checks *c)
{
	int n = c->size, r = c->rank, to[2] = {(r + 1) % n, (r + 2) % n}, from[2] = {(r + n - 1) % n, (r + n - 2) % n},
	    weights[2] = {1, 2}, degree = 2, in, out, weighted, sources[2], destinations[2], in_weights[2],
	    out_weights[2];
	MPI_Comm graph;

	MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &r, &degree, to, weights, MPI_INFO_NULL, 0, &graph);
	MPI_Topo_test(graph, &in);
	CHECK(c, in == MPI_DIST_GRAPH);
	MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
	CHECK(c, in == 2 && out == 2 && weighted);
	MPI_Dist_graph_neighbors(graph, 2, sources, in_weights, 2, destinations, out_weights);
	CHECK(c, sources[0] + sources[1] == from[0] + from[1] && destinations[0] + destinations[1] == to[0] + to[1]);
	CHECK(c, in_weights[0] + in_weights[1] == 3 && out_weights[0] + out_weights[1] == 3);
	MPI_Comm_free(&graph);
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_UNWEIGHTED, 2, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
				       &graph);
	MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
	CHECK(c, in == 2 && out == 2 && !weighted);
	in_weights[0] = in_weights[1] = -1;
	MPI_Neighbor_alltoall(to, 1, MPI_INT, in_weights, 1, MPI_INT, graph);
	CHECK(c, in_weights[0] == r && in_weights[1] == r); /* each sent the number of whom it sent to */
	MPI_Comm_free(&graph);
}

/* A line: its ends have one neighbour. Forms with lengths, with types, without blocking. */
static void neighbors(struct checks *c)
{
	int n = c->size, r = c->rank, no = 0, got[2] = {-1, -1}, ones[2] = {1, 1}, places[2] = {0, 1},
	    both[2] = {10 * r, 10 * r + 1};
	MPI_Aint bytes[2] = {0, sizeof(int)};
	MPI_Datatype types[2] = {MPI_INT, MPI_INT};
	int before = r ? r - 1 : -1, after = r < n - 1 ? r + 1 : -1;
	MPI_Request request;
	MPI_Comm line;

	MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &no, 0, &line);
	MPI_Neighbor_allgatherv(&r, 1, MPI_INT, got, ones, places, MPI_INT, line);
	CHECK(c, got[0] == before && got[1] == after);
	got[0] = got[1] = -1;
	MPI_Neighbor_alltoallv(both, ones, places, MPI_INT, got, ones, places, MPI_INT, line);
	CHECK(c, got[0] == (r ? 10 * before + 1 : -1) && got[1] == (after > 0 ? 10 * after : -1));
	got[0] = got[1] = -1;
	MPI_Neighbor_alltoallw(both, ones, bytes, types, got, ones, bytes, types, line);
	CHECK(c, got[0] == (r ? 10 * before + 1 : -1) && got[1] == (after > 0 ? 10 * after : -1));
	MPI_Ineighbor_allgather(&r, 1, MPI_INT, got, 1, MPI_INT, line, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(c, (!r || got[0] == before) && (after < 0 || got[1] == after));
	MPI_Ineighbor_allgatherv(&r, 1, MPI_INT, got, ones, places, MPI_INT, line, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(c, (!r || got[0] == before) && (after < 0 || got[1] == after));
	MPI_Ineighbor_alltoall(both, 1, MPI_INT, got, 1, MPI_INT, line, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(c, (!r || got[0] == 10 * before + 1) && (after < 0 || got[1] == 10 * after));
	MPI_Ineighbor_alltoallv(both, ones, places, MPI_INT, got, ones, places, MPI_INT, line, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(c, (!r || got[0] == 10 * before + 1) && (after < 0 || got[1] == 10 * after));
	MPI_Ineighbor_alltoallw(both, ones, bytes, types, got, ones, bytes, types, line, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(c, (!r || got[0] == 10 * before + 1) && (after < 0 || got[1] == 10 * after));
	MPI_Comm_free(&line);
}

static void all_to_all(struct checks *c)
{
	int n = c->size, r = c->rank, *send = calloc((size_t)n, sizeof(int)), *recv = calloc((size_t)n, sizeof(int)),
	    *ones = calloc((size_t)n, sizeof(int)), *bytes = calloc((size_t)n, sizeof(int));
	MPI_Datatype *types = calloc((size_t)n, sizeof(*types));
	MPI_Request request;

	for (int i = 0; i < n; i++) {
		send[i] = 100 * r + i;
		ones[i] = 1;
		bytes[i] = i * (int)sizeof(int);
		types[i] = MPI_INT;
	}
	MPI_Alltoallw(send, ones, bytes, types, recv, ones, bytes, types, MPI_COMM_WORLD);
	for (int i = 0; i < n; i++)
		CHECK(c, recv[i] == 100 * i + r);
	MPI_Ialltoallw(MPI_IN_PLACE, NULL, NULL, NULL, send, ones, bytes, types, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	for (int i = 0; i < n; i++)
		CHECK(c, send[i] == 100 * i + r);
	free(send);
	free(recv);
	free(ones);
	free(bytes);
	free(types);
}

/* The lower half of the ranks makes a communicator; the others do not take part. */
static void alone(struct checks *c)
{
	int half = c->size / 2, sum, n;
	MPI_Group world, lower;
	MPI_Comm comm, copy;
	MPI_Request request;

	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_range_incl(world, 1, (int[][3]){{0, half - 1, 1}}, &lower);
	if (c->rank < half) {
		MPI_Comm_create_group(MPI_COMM_WORLD, lower, 5, &comm);
		MPI_Comm_size(comm, &n);
		MPI_Allreduce(&c->rank, &sum, 1, MPI_INT, MPI_SUM, comm);
		CHECK(c, n == half && sum == half * (half - 1) / 2);
		MPI_Comm_free(&comm);
	}
	MPI_Group_free(&lower);
	MPI_Group_free(&world);
	MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_compare(MPI_COMM_WORLD, copy, &n);
	CHECK(c, n == MPI_CONGRUENT);
	MPI_Comm_free(&copy);
}

/* Messages on a new communicator around a ring, at once: its ranks may still be making it. */
static void around(struct checks *c, MPI_Comm comm, int tag)
{
	int rank, size, value, got = -1;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	value = 10 * tag + rank;
	MPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % size, tag, &got, 1, MPI_INT, (rank + size - 1) % size, tag, comm,
		     MPI_STATUS_IGNORE);
	CHECK(c, got == 10 * tag + (rank + size - 1) % size);
}

/* One group and tag several times, and groups with one first rank, whose communicators are all there together. */
static void groups_again(struct checks *c)
{
	int ends[2] = {0, c->size - 1}, middle[2] = {0, c->size / 2}, n = 0;
	MPI_Group world, group[3];
	MPI_Comm comm[9];

	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 2, ends, &group[0]);
	MPI_Group_incl(world, 2, middle, &group[1]);
	MPI_Group_incl(world, 1, &c->rank, &group[2]);
	for (int again = 0; again < 3; again++)
		for (int g = 0; g < 3; g++) {
			int in;

			MPI_Group_rank(group[g], &in);
			if (in == MPI_UNDEFINED)
				continue;
			MPI_Comm_create_group(MPI_COMM_WORLD, group[g], 4, &comm[n]);
			around(c, comm[n++], 1 + again);
		}
	for (int i = 0; i < n; i++) {
		around(c, comm[i], 7);
		MPI_Comm_free(&comm[i]);
	}
	for (int g = 0; g < 3; g++)
		MPI_Group_free(&group[g]);
	MPI_Group_free(&world);
}

/* Groups of one rank meet their neighbours, twice with one tag; one of each pair comes late. */
static void pairs(struct checks *c)
{
	int other = c->rank ^ 1, value = c->rank, got = -1, sum, n;
	MPI_Comm inter[2], all;

	for (int i = 0; i < 2; i++) {
		if ((c->rank & 1) == i)
			MPI_Barrier(MPI_COMM_SELF);
		MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, other, 3, &inter[i]);
		MPI_Sendrecv(&value, 1, MPI_INT, 0, i, &got, 1, MPI_INT, 0, i, inter[i], MPI_STATUS_IGNORE);
		CHECK(c, got == other);
	}
	for (int i = 0; i < 2; i++) {
		MPI_Intercomm_merge(inter[i], 0, &all);
		MPI_Comm_size(all, &n);
		around(c, all, 5 + i);
		MPI_Allreduce(&c->rank, &sum, 1, MPI_INT, MPI_SUM, all);
		CHECK(c, n == 2 && sum == c->rank + other);
		MPI_Comm_free(&all);
		MPI_Comm_free(&inter[i]);
	}
}

/* Each half of the world has its even and its odd ranks in an intercommunicator. */
static void splits(struct checks *c, const struct halves *h)
{
	int low = c->rank < c->size / 2, n, mine, value = c->rank, sum;
	MPI_Comm part, none;

	for (int again = 0; again < 2; again++) {
		MPI_Comm_split(h->inter, low, -c->rank, &part);
		MPI_Comm_size(part, &mine);
		MPI_Comm_remote_size(part, &n);
		CHECK(c, mine + n == (low ? c->size / 2 : c->size - c->size / 2));
		MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, part);
		for (int i = low ? 0 : c->size / 2; i < (low ? c->size / 2 : c->size); i++)
			sum -= i % 2 != h->odd ? i : 0;
		CHECK(c, sum == 0);
		MPI_Comm_free(&part);
	}
	MPI_Comm_split(h->inter, h->odd ? MPI_UNDEFINED : 1, 0, &none);
	CHECK(c, none == MPI_COMM_NULL);
}

int main(int argc, char **argv)
{
	struct checks c;
	struct halves h;

	checks_begin(&c, &argc, &argv);
	create(&c, &h);
	messages(&c, &h);
	merges(&c, &h);
	if (c.size >= 4)
		splits(&c, &h);
	collectives(&c, &h);
	MPI_Comm_free(&h.inter);
	MPI_Comm_free(&h.half);
	graphs(&c);
	distributed(&c);
	neighbors(&c);
	all_to_all(&c);
	alone(&c);
	groups_again(&c);
	if (c.size % 2 == 0)
		pairs(&c);
	return checks_end(&c, "groups");
}
