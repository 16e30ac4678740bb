/* Ranks of one run in several processes: what each has, the output of all, and their results in the first process. */
#include "vmpi_partitions.h"

#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../collectives/collective.h"
#include "../host/hosts.h"
#include "../host/loaded.h"
#include "../message/message.h"
#include "../replay/replay.h"
#include "in_order.h"
#include "stuck.h"
#include "../vmpi_config.h"

const char *vmpi_alone(const struct vmpi *v)
{
	int64_t least;

	if (collective_table_least(v, &least) && least <= 0)
		return "collective operations that take no time ([table] or [tree])";
	if (v->cfg->mpi.send_start == SEND_START_RECEIVED)
		return "messages of which the receiver knows at once (mpi.send_start)";
	if (v->protocol && protocol_fetches(v->protocol))
		return "sends that are complete when their data have arrived (fetched, protocol.file)";
	if (v->cfg->ranks.globals == GLOBALS_SHARED)
		return "variables that all ranks share (ranks.globals)";
	return NULL;
}

int partitions_create(struct vmpi *v, struct err *e)
{
	const struct vmpi_partition *partition = v->setup.partition;
	struct vmpi_partitions *q = mem_alloc(1, sizeof(*q), e);

	v->divided = q;
	if (!q)
		return -1;
	q->partition = *partition;
	q->take_table = collective_table_take;
	q->take_turn = in_order_take;
	if (!collective_table_least(v, &q->lookahead))
		q->lookahead = 0;
	v->setup.partition = NULL; /* of the caller */
	q->here = mem_alloc(v->size, sizeof(*q->here), e);
	q->serial = mem_alloc(partition->partitions, sizeof(*q->serial), e);
	q->arriving = mem_alloc(partition->partitions, sizeof(*q->arriving), e);
	if (!q->here || !q->serial || !q->arriving)
		return -1;
	for (uint32_t i = 0; i < v->size; i++)
		q->here[i] = partition->owner[v->ranks[i].node] == partition->me;
	v->comms.is_here = q->here;
	for (int i = HANDLE_WORLD; i <= HANDLE_SELF; i++) {
		struct comm *c = v->comms.comm[i];

		c->here = 0;
		for (uint32_t k = 0; k < v->size; k++)
			c->here += q->here[k];
	}
	if (v->setup.time_limit)
		past_waits_begin(v);
	observed_begin(v);
	in_order_create(v);
	return output_divert_to(&v->loaded->output, remote_output, v, e);
}

int64_t vmpi_lookahead(const struct vmpi *v)
{
	return v->divided->lookahead;
}

void partitions_destroy(struct vmpi *v)
{
	struct vmpi_partitions *q = v->divided;

	if (!q)
		return;
	for (size_t i = 0; i < q->written.count; i++)
		free(q->written.at[i].text);
	vec_finish(&q->written);
	free(q->wants);
	vec_finish(&q->threads);
	vec_finish(&q->past.at);
	for (unsigned p = 0; q->arriving && p < q->partition.partitions; p++)
		vec_finish(&q->arriving[p].row);
	free(q->arriving);
	free(q->serial);
	free(q->here);
	free(q);
	v->divided = NULL;
}

/* ---- output ---- */
static int by_turn(const void *a, const void *b)
{
	const struct written *p = a, *q = b;

	if (step_order_before(&p->turn, &q->turn) || step_order_before(&q->turn, &p->turn))
		return step_order_before(&p->turn, &q->turn) ? -1 : 1;
	return p->seq < q->seq ? -1 : p->seq > q->seq;
}

void vmpi_write_output(struct vmpi *v, const struct step_order *until)
{
	struct vmpi_partitions *q = v->divided;

	if (q->written.count)
		qsort(q->written.at, q->written.count, sizeof(*q->written.at), by_turn);
	for (size_t i = 0; i < q->written.count; i++) {
		const struct written *w = &q->written.at[i];

		if (until && step_order_before(until, &w->turn)) {
			/* after the failure of another rank */
		} else if (w->kind == WRITTEN_EVENT) {
			observed_pass(v, w->text);
		} else if (w->kind == WRITTEN_TRACE) {
			record_pass(v, w->text, w->bytes);
		} else if (w->kind == WRITTEN_CALL) {
			record_pass_call(v, w->text);
		} else {
			output_put(&v->loaded->output, w->kind == WRITTEN_ERROR, w->text, w->bytes);
			*(w->kind == WRITTEN_ERROR ? &q->done.error : &q->done.out) += w->bytes;
		}
		free(w->text);
	}
	q->written.count = 0;
}

struct vmpi_written vmpi_written(const struct vmpi *v)
{
	return v->divided->done;
}

/* ---- results ---- */
struct rank_results {
	int64_t now, computed, waited, late, asleep, modelled, ended, recorded;
	uint64_t messages, bytes, received, calls;
	double flops, joules, memory_bytes;
	int32_t status;
	uint8_t state;
};

struct results {
	uint64_t sent_messages;
	struct collective_uses uses;
	uint64_t opened;
	uint32_t ended;
	bool clock_read;
	struct rank_results rank[]; /* of the ranks there, in order */
};

size_t vmpi_results(const struct vmpi *v, void *out)
{
	struct results *to = out;
	size_t count = 0, bytes;

	for (uint32_t i = 0; i < v->size; i++) {
		const struct rank *r = &v->ranks[i];

		if (!v->divided->here[i])
			continue;
		if (to)
			to->rank[count] = (struct rank_results){
				.now = r->now,
				.computed = r->computed,
				.waited = r->waited,
				.late = r->late,
				.asleep = r->asleep,
				.modelled = r->modelled,
				.ended = r->ended,
				.recorded = record_last(v, i),
				.messages = r->messages,
				.bytes = r->bytes,
				.received = r->received,
				.calls = r->calls,
				.flops = r->flops,
				.joules = r->joules,
				.memory_bytes = r->memory_bytes,
				.status = r->status,
				.state = r->state,
			};
		count++;
	}
	if (to) {
		to->sent_messages = v->msg.sent;
		to->ended = v->ended;
		to->opened = v->outside.opened;
		to->clock_read = v->outside.clock_read;
		collective_uses_get(v, &to->uses);
	}
	bytes = sizeof(*to) + count * sizeof(to->rank[0]);
	bytes += checkpoints_results(v, to ? (char *)to + bytes : NULL);
	return bytes + phases_results(v, to ? (char *)to + bytes : NULL);
}

int vmpi_add_results(struct vmpi *v, unsigned from, const void *results, struct err *e)
{
	const struct results *x = results;
	size_t count = 0, bytes;
	int ret;

	for (uint32_t i = 0; i < v->size; i++) {
		struct rank *r = &v->ranks[i];
		const struct rank_results *k = &x->rank[count];

		if (v->divided->partition.owner[r->node] != from)
			continue;
		count++;
		r->now = k->now;
		r->computed = k->computed;
		r->waited = k->waited;
		r->late = k->late;
		r->asleep = k->asleep;
		r->modelled = k->modelled;
		r->ended = k->ended;
		record_set_last(v, i, k->recorded);
		r->messages = k->messages;
		r->bytes = k->bytes;
		r->received = k->received;
		r->calls = k->calls;
		r->flops = k->flops;
		r->joules = k->joules;
		r->memory_bytes = k->memory_bytes;
		r->status = k->status;
		r->state = k->state;
	}
	v->ended += x->ended;
	v->msg.sent += x->sent_messages;
	v->outside.opened += x->opened;
	v->outside.clock_read = v->outside.clock_read || x->clock_read;
	collective_uses_add(v, &x->uses);
	bytes = checkpoints_add(v, &x->rank[count]);
	ret = bytes ? phases_add(v, from, (const char *)&x->rank[count] + bytes) : -1;
	if (ret < 0)
		*e = v->err;
	if (ret == 0 && from == v->divided->partition.partitions - 1)
		phases_order(v);
	return ret;
}
