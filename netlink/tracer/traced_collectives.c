/* Collective operations, blocking and not. */
#include "traced_calls.h"

#define UNPACK(...) __VA_ARGS__
#define TRACED_COLLECTIVE(name, begin, word, params, args, words) \
	static void put_##name(FILE *out, UNPACK params) \
	{ \
		words; \
		put_comm(out, comm); \
	} \
	int MPI_##name(UNPACK params) \
	{ \
		bool written = call_begins(); \
\
		if (written) { \
			put_##name(event_begins(word), UNPACK args); \
			event_ends(); \
		} \
		return call_over(written, PMPI_##name(UNPACK args)); \
	} \
	int MPI_##begin(UNPACK params, MPI_Request *request) \
	{ \
		bool written = call_begins(); \
		FILE *out = NULL; \
		int ret; \
\
		if (written) { \
			out = event_begins(word); \
			put_##name(out, UNPACK args); \
		} \
		ret = PMPI_##begin(UNPACK args, request); \
		if (written) { \
			put_request(out, *request); \
			event_ends(); \
		} \
		return call_over(written, ret); \
	}

/* A rank sends from where it receives if it gives no buffer. */
#define IN_PLACE(buffer) ((buffer) == MPI_IN_PLACE)

TRACED_COLLECTIVE(Barrier, Ibarrier, "barrier", (MPI_Comm comm), (comm), (void)out)
TRACED_COLLECTIVE(Bcast, Ibcast, "bcast", (void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm),
		  (buf, count, type, root, comm), (void)buf;
		  put_elements(out, count, type); put_root(out, root))
TRACED_COLLECTIVE(Gather, Igather, "gather",
		  (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
		   MPI_Datatype recvtype, int root, MPI_Comm comm),
		  (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm), (void)recvbuf;
		  put_part(out, IN_PLACE(sendbuf) ? recvcount : sendcount, IN_PLACE(sendbuf) ? recvtype : sendtype,
			   true);
		  put_part(out, recvcount, recvtype, is_root(comm, root)); put_root(out, root))
TRACED_COLLECTIVE(Gatherv, Igatherv, "gatherv",
		  (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
		   const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm),
		  (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm), (void)recvbuf;
		  (void)displs; put_part(out, sendcount, sendtype, !IN_PLACE(sendbuf));
		  put_parts(out, recvcounts, recvtype, comm, is_root(comm, root)); put_root(out, root))
TRACED_COLLECTIVE(Scatter, Iscatter, "scatter",
		  (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
		   MPI_Datatype recvtype, int root, MPI_Comm comm),
		  (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm), (void)sendbuf;
		  put_part(out, sendcount, sendtype, is_root(comm, root));
		  put_part(out, IN_PLACE(recvbuf) ? sendcount : recvcount, IN_PLACE(recvbuf) ? sendtype : recvtype,
			   true);
		  put_root(out, root))
TRACED_COLLECTIVE(Scatterv, Iscatterv, "scatterv",
		  (const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
		   void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
		  (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm), (void)sendbuf;
		  (void)displs; put_parts(out, sendcounts, sendtype, comm, is_root(comm, root));
		  put_part(out, recvcount, recvtype, !IN_PLACE(recvbuf)); put_root(out, root))
TRACED_COLLECTIVE(Allgather, Iallgather, "allgather",
		  (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
		   MPI_Datatype recvtype, MPI_Comm comm),
		  (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm), (void)recvbuf;
		  put_part(out, IN_PLACE(sendbuf) ? recvcount : sendcount, IN_PLACE(sendbuf) ? recvtype : sendtype,
			   true);
		  put_part(out, recvcount, recvtype, true))
TRACED_COLLECTIVE(Allgatherv, Iallgatherv, "allgatherv",
		  (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
		   const int displs[], MPI_Datatype recvtype, MPI_Comm comm),
		  (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm), (void)recvbuf;
		  (void)displs; put_part(out, sendcount, sendtype, !IN_PLACE(sendbuf));
		  put_parts(out, recvcounts, recvtype, comm, true))
TRACED_COLLECTIVE(Alltoall, Ialltoall, "alltoall",
		  (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
		   MPI_Datatype recvtype, MPI_Comm comm),
		  (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm), (void)recvbuf;
		  put_part(out, IN_PLACE(sendbuf) ? recvcount : sendcount, IN_PLACE(sendbuf) ? recvtype : sendtype,
			   true);
		  put_part(out, recvcount, recvtype, true))
TRACED_COLLECTIVE(Alltoallv, Ialltoallv, "alltoallv",
		  (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
		   void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm),
		  (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm), (void)recvbuf;
		  (void)sdispls; (void)rdispls; put_parts(out, IN_PLACE(sendbuf) ? recvcounts : sendcounts,
							  IN_PLACE(sendbuf) ? recvtype : sendtype, comm, true);
		  put_parts(out, recvcounts, recvtype, comm, true))
TRACED_COLLECTIVE(Reduce, Ireduce, "reduce",
		  (const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, int root,
		   MPI_Comm comm),
		  (sendbuf, recvbuf, count, type, op, root, comm), (void)sendbuf;
		  (void)recvbuf; put_part(out, count, type, true); put_root(out, root); put_op(out, op))
#define TRACED_REDUCTION(name, begin, word) \
	TRACED_COLLECTIVE( \
		name, begin, word, \
		(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), \
		(sendbuf, recvbuf, count, type, op, comm), (void)sendbuf; \
		(void)recvbuf; put_part(out, count, type, true); put_op(out, op))
TRACED_REDUCTION(Allreduce, Iallreduce, "allreduce")
TRACED_REDUCTION(Scan, Iscan, "scan")
TRACED_REDUCTION(Exscan, Iexscan, "exscan")
TRACED_REDUCTION(Reduce_scatter_block, Ireduce_scatter_block, "reduce_scatter_block")
TRACED_COLLECTIVE(Reduce_scatter, Ireduce_scatter, "reduce_scatter",
		  (const void *sendbuf, void *recvbuf, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),
		  (sendbuf, recvbuf, counts, type, op, comm), (void)sendbuf;
		  (void)recvbuf; put_parts(out, counts, type, comm, true); put_op(out, op))

/* ---- what a trace cannot have ---- */

#define REFUSED(name, params, args) \
	int MPI_##name params \
	{ \
		if (call_begins()) \
			call_refused("MPI_" #name ": a trace cannot have this call"); \
		return call_over(false, PMPI_##name args); \
	}
REFUSED(Alltoallw,
	(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[],
	 void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm),
	(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm))
REFUSED(Ialltoallw,
	(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[],
	 void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
	 MPI_Request *request),
	(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request))
REFUSED(Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),
	(source, tag, comm, message, status))
REFUSED(Improbe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status),
	(source, tag, comm, flag, message, status))
REFUSED(Comm_idup, (MPI_Comm comm, MPI_Comm *new, MPI_Request *request), (comm, new, request))
REFUSED(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *new), (comm, group, tag, new))
REFUSED(Intercomm_create, (MPI_Comm local, int leader, MPI_Comm peer, int remote, int tag, MPI_Comm *new),
	(local, leader, peer, remote, tag, new))
REFUSED(Comm_spawn,
	(const char *command, char *argv[], int most, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *new,
	 int errors[]),
	(command, argv, most, info, root, comm, new, errors))

/* Operations among neighbours, which have the parameters of those among all. */
#define GATHERED \
	(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, \
	 MPI_Datatype recvtype, MPI_Comm comm), \
		(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
#define GATHERED_LATER \
	(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, \
	 MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request), \
		(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request)
#define REFUSED_AS(name, pair) REFUSED(name, pair)
REFUSED_AS(Neighbor_allgather, GATHERED)
REFUSED_AS(Neighbor_alltoall, GATHERED)
REFUSED_AS(Ineighbor_allgather, GATHERED_LATER)
REFUSED_AS(Ineighbor_alltoall, GATHERED_LATER)
REFUSED(Neighbor_allgatherv,
	(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
	 const int displs[], MPI_Datatype recvtype, MPI_Comm comm),
	(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm))
REFUSED(Neighbor_alltoallv,
	(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
	 const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm),
	(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm))
REFUSED(Neighbor_alltoallw,
	(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
	 void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
	 MPI_Comm comm),
	(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm))
