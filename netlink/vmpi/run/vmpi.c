/* Creates, destroys and reports a run: vmpi.h. */
#include "../vmpi.h"
#include "../vmpi_config.h"

#include <stdlib.h>
#include <unistd.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/rng.h"
#include "../../../psim/base/sum128.h"
#include "../calls/call_table.h"
#include "../calls/object_calls.h"
#include "../collectives/collective.h"
#include "../host/hosts.h"
#include "../host/loaded.h"
#include "../host/mpi_program.h"
#include "../host/rank_thread.h"
#include "../host/slices.h"
#include "../host/slowdowns.h"
#include "../message/mpi_file.h"
#include "../message/mpi_window.h"
#include "../message/run_checks.h"
#include "../replay/replay.h"
#include "vmpi_partitions.h"

int vmpi_config_check(const struct config *c, const struct vmpi_config *v, struct err *e)
{
	const struct collective_algorithm *chosen[COLLECTIVE_COUNT];

	if (v->ranks.noise_interval && v->ranks.noise_length >= v->ranks.noise_interval)
		return err_set(e, STATUS_USAGE, "%s: ranks.noise_length: expected less than ranks.noise_interval",
			       config_origin(c, "ranks", "noise_length"));
	if (v->ranks.stack && v->ranks.stack < 16384)
		return err_set(e, STATUS_USAGE, "%s: ranks.stack: expected 0, or 16 KiB or more",
			       config_origin(c, "ranks", "stack"));
	if (*v->mpi.node_times && v->mpi.island > 1)
		return err_set(e, STATUS_USAGE,
			       "%s: mpi.node_times: expected mpi.island = 1, since islands share no memory",
			       config_origin(c, "mpi", "node_times"));
	if (v->mpi.leaders > 1 && !*v->mpi.node_times)
		return err_set(e, STATUS_USAGE, "%s: mpi.leaders: expected mpi.node_times, or 1",
			       config_origin(c, "mpi", "leaders"));
	return collective_choose(c, v, chosen, e) < 0 ? -1 : collective_tree_check(c, v, e);
}

/* ---- making ---- */

/* A permutation of the nodes that depends only on the seed: Fisher and Yates's shuffle. */
static uint32_t *shuffle_nodes(uint32_t nodes, uint64_t seed, struct err *e)
{
	uint32_t *order = mem_alloc(nodes, sizeof(*order), e);

	for (uint32_t i = 0; order && i < nodes; i++)
		order[i] = i;
	for (uint32_t i = nodes; order && i-- > 1;) {
		uint32_t k = (uint32_t)rng_below(seed, 0x706c6163, i, i + 1), swap = order[i];

		order[i] = order[k];
		order[k] = swap;
	}
	return order;
}

int vmpi_place(const struct vmpi_config *config, uint32_t ranks, uint32_t nodes, uint64_t seed, uint32_t *node,
	       struct err *e)
{
	unsigned per_node = config->ranks.per_node;
	uint32_t *order = NULL;

	if (ranks > (uint64_t)per_node * nodes)
		return err_set(e, STATUS_USAGE,
			       "%u ranks, %u per node, do not fit %u nodes: expected at most %llu ranks, or a larger "
			       "topology.dims, --network-args or ranks.per_node",
			       ranks, per_node, nodes, (unsigned long long)per_node * nodes);
	if (config->ranks.placement == PLACEMENT_RANDOM) {
		order = shuffle_nodes(nodes, seed, e);
		if (!order)
			return -1;
	}
	for (uint32_t i = 0; i < ranks; i++) {
		uint32_t place = config->ranks.placement == PLACEMENT_CYCLIC ? i % nodes : i / per_node;

		node[i] = order ? order[place] : place;
	}
	free(order);
	return 0;
}

static int place_ranks(struct vmpi *v, struct err *e)
{
	const struct vmpi_setup *s = &v->setup;
	uint32_t *node = mem_alloc(v->size, sizeof(*node), e);

	if (!node || (!s->mapping && vmpi_place(v->cfg, v->size, s->nodes, s->seed, node, e) < 0)) {
		free(node);
		return -1;
	}
	for (uint32_t i = 0; i < v->size; i++) {
		struct rank *r = &v->ranks[i];

		r->world = r->index = i;
		r->node = s->mapping ? s->mapping[i] : node[i];
		r->nic = NET_NIC_ANY;
		r->call = CALL_NONE;
	}
	free(node);
	return 0;
}

_Static_assert(offsetof(struct rank, now) == LINE && offsetof(struct rank, context) == 2 * LINE &&
		       offsetof(struct rank, messages) == 3 * LINE,
	       "what is used together lies in a cache line");

/* The stacks' size that is not configured: large, but address space and page tables of all stay bounded. */
enum { STACK_MOST = 8 << 20, STACK_LEAST = 64 << 10, STACK_SHARE_GIB = 32 };
static size_t stack_bytes(const struct vmpi *v)
{
	size_t share = ((size_t)STACK_SHARE_GIB << 30) / v->size / STACK_LEAST * STACK_LEAST;

	if (v->cfg->ranks.stack)
		return v->cfg->ranks.stack;
	return share > STACK_MOST ? STACK_MOST : share < STACK_LEAST ? STACK_LEAST : share;
}

static int create_own(struct vmpi *v, struct err *e)
{
	v->mpi.own = mem_alloc(v->size, sizeof(*v->mpi.own), e);
	if (!v->mpi.own)
		return -1;
	for (uint32_t i = 0; i < v->size; i++)
		v->mpi.own[i] = (struct rank_own){.last_code = VMPI_ERR_LASTCODE,
						  .file_errhandler = ERRHANDLER_RETURN,
						  .main_thread = i,
						  .timer = NET_TIME_NEVER};
	v->mpi.universe = (int)v->size;
	return 0;
}

static int create_parts(struct vmpi *v, struct err *e)
{
	const struct vmpi_setup *s = &v->setup;

	v->rank_memory = mem_alloc((size_t)v->size + 1, sizeof(*v->ranks), e);
	v->ranks = (struct rank *)(((uintptr_t)v->rank_memory + LINE - 1) / LINE * LINE);
	if (!v->rank_memory || place_ranks(v, e) < 0 || ready_create(&v->ready, s->shuffle != 0, v->size, e) < 0)
		return -1;
	if (slowdowns_set(v, e) < 0)
		return -1;
	if (collective_create(v, e) < 0 || comms_create(&v->comms, v->size, e) < 0 ||
	    attributes_create(&v->mpi.attributes, v->size, e) < 0 || infos_create(&v->mpi.infos, e) < 0 ||
	    create_own(v, e) < 0 || types_create(&v->types, e) < 0 || ops_create(&v->ops, e) < 0 ||
	    output_create(&v->loaded->output, v->size, s->out, e) < 0 || library_create(&v->loaded->library, e) < 0)
		return -1;
	if (output_skip(&v->loaded->output, s->written, e) < 0)
		return -1;
	if (s->partition && partitions_create(v, e) < 0)
		return -1;
	if (slices_create(v, e) < 0)
		return -1;
	if (v->cfg->ranks.check && checks_create(v, e) < 0)
		return -1;
	return stacks_create(&v->stacks, v->size, stack_bytes(v), e);
}

/* Messages are copied if no table, nor [mpi] where one is missing, sends them by rendezvous. */
static void set_protocol(struct vmpi *v)
{
	const struct protocol *p = v->setup.net && !v->setup.kind->timeless ? v->setup.net->protocol : NULL;
	uint64_t least = p ? protocol_rendezvous(p) : UINT64_MAX;
	unsigned count;

	v->protocol = p;
	v->copied_most = least - (least < UINT64_MAX);
	for (unsigned w = 0; w < PROTOCOL_WHERES; w++)
		if ((!p || !protocol_segments(p, (enum protocol_where)w, &count)) && v->cfg->mpi.eager < v->copied_most)
			v->copied_most = v->cfg->mpi.eager;
}

struct vmpi *vmpi_create(const struct vmpi_setup *setup, struct err *e)
{
	struct vmpi *v;

	if (setup->ranks < 1) {
		err_set(e, STATUS_USAGE, "0 ranks, expected 1 or more");
		return NULL;
	}
	v = mem_alloc(1, sizeof(*v), e);
	if (v)
		v->loaded = mem_alloc(1, sizeof(*v->loaded), e);
	if (!v || !v->loaded) {
		free(v);
		return NULL;
	}
	v->cfg = setup->config;
	v->calls = calls_of_programs();
	v->setup = *setup;
	v->size = setup->ranks;
	v->outside.process = getpid();
	v->overhead = setup->kind->timeless ? 0 : v->cfg->mpi.overhead;
	v->search = setup->kind->timeless ? 0 : v->cfg->mpi.search;
	set_protocol(v);
	v->loaded->globals.file = v->loaded->thread_locals.file = v->loaded->openmp.file =
		v->loaded->gfortran.state.file = -1;
	pool_init(&v->msg.requests, sizeof(struct request));
	pool_init(&v->msg.messages, sizeof(struct message));
	pool_init(&v->tasks, sizeof(struct task));
	context_of_thread(&v->main, v->cfg->ranks.context);
	if (create_parts(v, e) < 0) {
		vmpi_destroy(v);
		return NULL;
	}
	for (uint32_t i = 0; i < v->size; i++)
		if (!rank_is_away(v, i))
			ready_push(v, &v->ranks[i], 0);
	return v;
}

void vmpi_set_body(struct vmpi *v, vmpi_body *body, void *user)
{
	v->body = body;
	v->body_user = user;
	for (uint32_t i = 0; i < v->size; i++)
		v->ranks[i].initialized = true;
}

static void free_payloads(struct vmpi *v)
{
	/* after a run that was cut short; unused rows hold nothing */
	for (uint32_t i = 1; i < v->msg.messages.made; i++)
		if (message_at(v, i)->data == DATA_OWN)
			free(message_at(v, i)->payload.own);
	for (uint32_t i = 1; i < v->msg.requests.made; i++) {
		struct request *q = request_at(v, i);

		if (q->data == DATA_OWN)
			free(q->payload.own);
		if (q->state == REQUEST_FREE)
			continue;
		request_free_arguments(q);
		if (q->type)
			type_drop(q->type);
	}
}

void vmpi_continue(struct vmpi *v)
{
	v->outside.process = getpid();
}

void vmpi_destroy(struct vmpi *v)
{
	if (!v)
		return;
	record_forget(v);
	checks_destroy(v);
	free_payloads(v);
	tasks_finish(v);
	threads_finish(v);
	scratch_finish(v);
	partitions_destroy(v);
	globals_finish(&v->loaded->globals);
	globals_finish(&v->loaded->thread_locals);
	globals_finish(&v->loaded->openmp);
	gfortran_finish(&v->loaded->gfortran);
	if (!vmpi_in_fortran(v))
		program_destroy(v->loaded->program);
	library_finish(&v->loaded->library, v->size);
	output_finish(&v->loaded->output);
	stacks_destroy(&v->stacks);
	context_finish_thread(&v->main);
	pool_finish(&v->msg.requests);
	pool_finish(&v->msg.messages);
	pool_finish(&v->tasks);
	comms_finish(&v->comms);
	files_destroy(v->msg.files);
	windows_destroy(v->msg.windows); /* operations under way hold types */
	types_finish(&v->types);
	attributes_finish(&v->mpi.attributes);
	infos_finish(&v->mpi.infos);
	errhandlers_finish(&v->mpi.errhandlers);
	for (uint32_t i = 0; v->mpi.own && i < v->size; i++)
		error_codes_finish(&v->mpi.own[i].codes);
	free(v->mpi.own);
	ops_finish(&v->ops);
	phases_finish(v);
	checkpoints_finish(v);
	names_finish(v);
	collective_destroy(v);
	free(v->seen.slices);
	free(v->msg.of_message.at);
	free(v->msg.of_request.at);
	ready_finish(&v->ready);
	for (uint32_t i = 0; v->rank_memory && i < v->size; i++)
		free(v->ranks[i].matches.at);
	free(v->rank_memory);
	free(v->loaded);
	free(v);
}

/* ---- queries ---- */

int64_t vmpi_rank_time(const struct vmpi *v, uint32_t rank)
{
	return v->ranks[rank].now;
}

uint64_t vmpi_rank_calls(const struct vmpi *v, uint32_t rank)
{
	return v->ranks[rank].calls;
}

int vmpi_program_status(const struct vmpi *v)
{
	if (v->end.abort_status)
		return v->end.abort_status;
	return v->end.bad && v->end.by_status ? v->ranks[v->end.bad - 1].status : 0;
}

uint64_t vmpi_files_opened(const struct vmpi *v)
{
	return v->outside.opened;
}

bool vmpi_timeless(const struct vmpi *v)
{
	for (uint32_t i = 0; i < v->size; i++)
		if (v->ranks[i].computed)
			return false;
	return v->outside.clock_read;
}

uint64_t vmpi_bytes(const struct vmpi *v)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < v->size; i++)
		bytes += v->ranks[i].bytes;
	return bytes;
}

struct vmpi_progress vmpi_progress(const struct vmpi *v)
{
	return (struct vmpi_progress){v->present, v->ended, v->switches, v->msg.sent};
}

void vmpi_points(const struct vmpi *v, void (*point)(void *user, uint32_t rank, int64_t time), void *user)
{
	for (uint32_t i = 0; i < v->size + v->tasks.made; i++) {
		const struct rank *r = i == v->size ? NULL : rank_by_index(v, i);

		if (!r || !r->begun) /* row 0 of `tasks` is unused */
			continue;
		point(user, r->world, r->now);
		/* its wait is over in part or whole, but it has not been resumed */
		if (r->wait && r->wake > r->now)
			point(user, vmpi_cause_is_own(r->cause.kind) ? r->world : r->cause.peer, r->cause.began);
	}
	for (uint32_t i = 1; i < v->msg.messages.made; i++) {
		const struct message *m = message_at(v, i);

		if (!m->sent || !m->finished)
			point(user, m->late ? m->dst : m->src, m->began);
	}
	for (uint32_t i = 1; i < v->msg.requests.made; i++) {
		const struct request *q = request_at(v, i);

		if (q->state == REQUEST_PENDING)
			point(user, q->rank, q->posted);
	}
	origin_points(v, point, user);
}

void vmpi_where_text(const struct vmpi *v, const void *where, char *text, size_t size)
{
	program_place(v, where, text, size);
}

static double seconds(int64_t ps)
{
	return (double)ps / 1e12;
}

struct sums {
	int64_t last, first;
	sum128 computed, waited; /* ps */
	uint64_t messages, bytes, received;
};

static struct sums add_up(const struct vmpi *v)
{
	struct sums s = {.first = NET_TIME_NEVER};

	for (uint32_t i = 0; i < v->size; i++) {
		const struct rank *r = &v->ranks[i];

		s.last = r->now > s.last ? r->now : s.last;
		s.first = r->now < s.first ? r->now : s.first;
		s.computed += (uint64_t)r->computed;
		s.waited += (uint64_t)r->waited;
		s.messages += r->messages;
		s.bytes += r->bytes;
		s.received += r->received;
	}
	return s;
}

static void report_ranks(const struct vmpi *v, struct report *r)
{
	static const struct report_column columns[] = {
		{"rank", ""},  {"node", ""},     {"time", "s"},      {"compute", "s"}, {"wait", "s"},
		{"late", "s"}, {"messages", ""}, {"bytes", "bytes"}, {"received", ""}, {"calls", ""},
	};
	char name[NODE_NAME_MAX];

	report_table(r, "ranks", "each rank", columns, sizeof(columns) / sizeof(columns[0]));
	for (uint32_t i = 0; i < v->size; i++) {
		const struct rank *k = &v->ranks[i];

		report_cell_u64(r, i);
		if (v->setup.node_name)
			report_cell_text(r, v->setup.node_name(v->setup.names, k->node, name));
		else
			report_cell_u64(r, k->node);
		report_cell_f64(r, seconds(k->now));
		report_cell_f64(r, seconds(k->computed));
		report_cell_f64(r, seconds(k->waited));
		report_cell_f64(r, seconds(k->late));
		report_cell_u64(r, k->messages);
		report_cell_u64(r, k->bytes);
		report_cell_u64(r, k->received);
		report_cell_u64(r, k->calls);
	}
	report_table_end(r);
}

void vmpi_report(const struct vmpi *v, struct report *r, bool each)
{
	struct sums s = add_up(v);
	double n = v->size;

	report_group(r, "program", "run of the ranks");
	report_text(r, "complete", v->ended == v->size ? "yes" : "no", "whether all ranks ended");
	report_u64(r, "ranks", v->size, "", "ranks of COMM_WORLD");
	report_f64(r, "seconds", seconds(s.last), "s", "time at which the last rank ended");
	report_f64(r, "first_end", seconds(s.first), "s", "time at which the first rank ended");
	report_f64(r, "compute", (double)s.computed / n / 1e12, "s", "computation time (Add_time) of a rank, mean");
	report_f64(r, "wait", (double)s.waited / n / 1e12, "s", "waiting time of a rank, mean");
	slowdowns_report(v, r);
	report_u64(r, "messages", s.messages, "", "messages that ranks sent");
	report_u64(r, "bytes", s.bytes, "bytes", "data of the messages");
	report_u64(r, "received", s.received, "", "messages received");
	report_end(r);
	shares_report(v, r);
	collective_algorithms_report(v, r);
	collective_bandwidths_report(v, r);
	collective_tables_report(v, r);
	collective_tree_report(v, r);
	if (each)
		report_ranks(v, r);
}
