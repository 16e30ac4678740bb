/*
 * Bandwidths of the program's collective operations as NVIDIA's nccl-tests define them (doc/PERFORMANCE.md): the
 * algorithm's is the size over the time, the bus's is that times a factor of the operation, so that the best algorithm
 * has the bandwidth of a link. The size is that of all parts together, where an operation has parts. The time of a rank
 * is from its call to the end of the operation; it has the wait for ranks that are late.
 */
#include "collective.h"

/* By operation: what multiplies the size, and (ranks - 1) / ranks; NONE: it has no bandwidth. */
enum factor { FACTOR_NONE, FACTOR_ONE, FACTOR_SHARE, FACTOR_TWICE };
static const struct bandwidth_kind {
	enum factor factor;
	bool parts;
} kinds[COLLECTIVE_COUNT] = {
	[COLLECTIVE_BCAST] = {FACTOR_ONE, false},       [COLLECTIVE_REDUCE] = {FACTOR_ONE, false},
	[COLLECTIVE_GATHER] = {FACTOR_SHARE, true},     [COLLECTIVE_SCATTER] = {FACTOR_SHARE, true},
	[COLLECTIVE_ALLGATHER] = {FACTOR_SHARE, true},  [COLLECTIVE_ALLTOALL] = {FACTOR_SHARE, true},
	[COLLECTIVE_ALLREDUCE] = {FACTOR_TWICE, false}, [COLLECTIVE_REDUCE_SCATTER] = {FACTOR_SHARE, true},
};

static const char *const bandwidth_names[] = {
#define COLLECTIVE(NAME, name, calls, measured) #name,
#include "../collective_ops.def"
};

void collective_took(enum collective_op op, const struct collective *c, int64_t ps)
{
	struct collective_time *t = &c->v->collective->time[op];
	sum128 size = (sum128)c->bytes * (kinds[op].parts ? (unsigned)c->size : 1), share;

	if (kinds[op].factor == FACTOR_NONE || c->body || c->size < 2 || c->send_counts || c->recv_counts ||
	    comm_find(&c->v->comms, c->comm)->remote)
		return;
	share = size * (unsigned)(c->size - 1) / (unsigned)c->size;
	t->ranks++;
	t->bytes += size;
	t->bus += kinds[op].factor == FACTOR_ONE ? size : kinds[op].factor == FACTOR_SHARE ? share : 2 * share;
	t->time += (sum128)ps;
}

void collective_bandwidths_report(const struct vmpi *v, struct report *r)
{
	static const struct report_column columns[] = {{"operation", ""},    {"ranks_calls", ""},
						       {"bytes", "bytes"},   {"time", "s"},
						       {"bandwidth", "B/s"}, {"bus_bandwidth", "B/s"}};
	bool begun = false;

	for (unsigned op = 0; op < COLLECTIVE_COUNT; op++) {
		const struct collective_time *t = &v->collective->time[op];
		double seconds = (double)t->time * 1e-12;

		if (!t->ranks || !t->time)
			continue;
		if (!begun)
			report_table(
				r, "collective_bandwidths",
				"collective operations of the program as nccl-tests measure them: mean size and time "
				"of a rank's call, size over time, and that times the operation's factor",
				columns, sizeof(columns) / sizeof(columns[0]));
		begun = true;
		report_cell_text(r, bandwidth_names[op]);
		report_cell_u64(r, t->ranks);
		report_cell_f64(r, (double)t->bytes / (double)t->ranks);
		report_cell_f64(r, seconds / (double)t->ranks);
		report_cell_f64(r, (double)t->bytes / seconds);
		report_cell_f64(r, (double)t->bus / seconds);
	}
	if (begun)
		report_table_end(r);
}
