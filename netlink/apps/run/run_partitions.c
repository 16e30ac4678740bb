/*
 * A program on several processes: each runs the ranks of its nodes. What only one process can do (a program that fails,
 * is stuck or leaves messages in flight; calls that need all ranks) ends all of them and is repeated on the first one
 * alone.
 */
#include <string.h>

#include "../../../psim/base/cli/progress.h"
#include "../../../psim/base/mem.h"
#include "../../parallel/window.h"
#include "program_run.h"

struct program_partitions {
	struct run *run;
	struct window_setup window;
	struct progress progress;
	int64_t until[2];         /* the ends of the last window and of the one before */
	bool failed, interrupted; /* here */
};

/* ---- for window.h ---- */
/* The last window is complete. */
static void begin_window(const struct program_partitions *p)
{
	if (exchange_me(p->window.exchange))
		return;
	vmpi_write_output(p->run->vmpi, NULL);
	if (p->run->out.log) /* the engine's events of the last window are not passed on yet */
		net_log_present(p->run->out.log, p->until[1] + 1);
}

static int advance(void *user, int64_t until, bool *stop, struct err *e)
{
	struct program_partitions *p = user;
	struct vmpi *v = p->run->vmpi;
	struct vmpi_progress done;
	struct err why;
	bool goes_on = p->window.held;
	char note[96];

	(void)e;
	if (!goes_on) {
		begin_window(p);
		p->until[1] = p->until[0];
		p->until[0] = until;
	}
	p->failed = vmpi_run_to(v, until, goes_on, &why) < 0;
	done = vmpi_progress(v);
	snprintf(note, sizeof(note), "%.6g s, %u ranks ended", (double)done.now / 1e12, done.ended);
	p->window.done = done.messages;
	p->interrupted = p->interrupted || !progress_step(&p->progress, done.messages + p->window.others, note);
	*stop = p->failed || p->interrupted;
	return 0;
}

static int64_t next(void *user)
{
	const struct program_partitions *p = user;

	return vmpi_next(p->run->vmpi);
}

static bool partitions_held(void *user)
{
	const struct program_partitions *p = user;

	return vmpi_held(p->run->vmpi);
}

static int name(void *user, const struct net_message *m, uint32_t *id, struct err *e)
{
	const struct program_partitions *p = user;

	return vmpi_name(p->run->vmpi, m, id, e);
}

static int take(void *user, unsigned from, const void *records, size_t bytes, struct err *e)
{
	const struct program_partitions *p = user;

	return vmpi_take(p->run->vmpi, from, records, bytes, e);
}

static void *run_partitions_put(void *user, unsigned to, size_t bytes)
{
	struct program_partitions *p = user;

	return window_put(&p->window, to, bytes);
}

static void run_partitions_ends(void *user, int signal)
{
	struct program_partitions *p = user;

	exchange_pass_signal(p->window.exchange, signal);
}

static void run_partitions_soon(void *user, int64_t time)
{
	struct program_partitions *p = user;

	window_soon(&p->window, time);
}

/* ---- the end ---- */
/* How a run on several processes ends. */
struct partitions_end {
	enum vmpi_end end;
	struct step_order turn; /* of a failure */
	struct err why;
};

/* Gets how the run ends; all processes find the same. 0, or -1 with `e`. */
static int find_end(struct program_partitions *p, struct partitions_end *end, struct err *e)
{
	struct exchange *x = p->window.exchange;
	struct vmpi_ending endings[EXCHANGE_MOST];
	struct exchange_values values = {.sum = {p->interrupted}};
	size_t bytes;

	endings[exchange_me(x)] = vmpi_ending(p->run->vmpi, p->run->parallel.stopped);
	for (unsigned to = 0; to < exchange_processes(x); to++) {
		void *at = to == exchange_me(x) ? NULL : exchange_put(x, to, sizeof(endings[0]));

		if (!at && to != exchange_me(x)) {
			mem_short(e);
			return exchange_fail(x, e);
		}
		if (at)
			memcpy(at, &endings[exchange_me(x)], sizeof(endings[0]));
	}
	if (exchange_step(x, &values, e) < 0)
		return -1;
	for (unsigned from = 0; from < exchange_processes(x); from++)
		if (from != exchange_me(x))
			memcpy(&endings[from], exchange_got(x, from, &bytes), sizeof(endings[0]));
	p->interrupted = p->run->interrupted = values.sum[0];
	end->end = vmpi_judge(p->run->vmpi, endings, &end->turn, &end->why);
	if (end->end == VMPI_RUNNING && p->interrupted)
		end->end = VMPI_DONE; /* the results up to now */
	if ((end->end == VMPI_FAILED || end->end == VMPI_RUNNING) && p->run->replay) {
		/* each process reads the trace in an order of its own, and knows its own ranks' lines */
		err_set(&end->why, STATUS_FAILED, end->end == VMPI_FAILED ? "a trace fails" : "a trace is stuck");
		end->end = VMPI_INTERRUPTED;
	}
	return 0;
}

/* Sends what `write` writes to the first process. 0, or -1 with `e`. */
static int hand_over(struct program_partitions *p, size_t (*write)(const struct run *run, void *out), struct err *e)
{
	struct exchange *x = p->window.exchange;
	struct exchange_values none = {{0}, {0}};

	if (exchange_me(x)) {
		void *at = exchange_put(x, 0, write(p->run, NULL));

		if (!at) {
			err_set(e, STATUS_FAILED, "out of memory");
			return exchange_fail(x, e);
		}
		write(p->run, at);
	}
	return exchange_step(x, &none, e);
}

static size_t results_of_ranks(const struct run *run, void *out)
{
	return vmpi_results(run->vmpi, out);
}

static size_t results_of_models(const struct run *run, void *out)
{
	return models_results(run->in.models, out);
}

static size_t waits_of_ranks(const struct run *run, void *out)
{
	return vmpi_waits(run->vmpi, out);
}

/* Ends a run in which ranks fail or wait for ever: -1 with `e` in the first process; does not return in others. */
static int fail_partitions(struct program_partitions *p, const struct partitions_end *end, struct err *e)
{
	struct exchange *x = p->window.exchange;
	struct vmpi *v = p->run->vmpi;
	unsigned others = exchange_me(x) ? 0 : exchange_processes(x);
	size_t bytes;
	int ret = 0;

	if (hand_over(p, results_of_models, e) < 0)
		return -1;
	for (unsigned from = 1; from < others && ret == 0; from++) {
		const void *got = exchange_got(x, from, &bytes);

		ret = models_add_results(p->run->in.models, got, bytes, e);
	}
	if (ret == 0 && end->end == VMPI_FAILED && end->why.status == STATUS_STUCK)
		ret = vmpi_waits_at(v, &end->turn, e);
	if (ret < 0)
		return exchange_fail(x, e);
	if (hand_over(p, waits_of_ranks, e) < 0)
		return -1;
	for (unsigned from = 1; from < others && ret == 0; from++) {
		const void *got = exchange_got(x, from, &bytes);

		ret = vmpi_add_waits(v, from, got, bytes, e);
	}
	if (ret < 0)
		return exchange_fail(x, e);
	if (exchange_end(x, e) < 0)
		return -1;
	vmpi_write_output(v, end->end == VMPI_FAILED ? &end->turn : NULL);
	*e = end->why;
	if (end->end == VMPI_RUNNING)
		vmpi_fail_stuck(v, e);
	return -1;
}

/* 0; 1: one process would end the run otherwise; -1 with `e`. */
static int run_partitions_gather(struct program_partitions *p, struct err *e)
{
	struct exchange *x = p->window.exchange;
	unsigned others = exchange_me(x) ? 0 : exchange_processes(x);
	size_t bytes;
	int ret = 0;

	if (hand_over(p, results_of_ranks, e) < 0)
		return -1;
	for (unsigned from = 1; from < others && ret == 0; from++)
		ret = vmpi_add_results(p->run->vmpi, from, exchange_got(x, from, &bytes), e);
	if (ret < 0)
		return exchange_fail(x, e);
	if (hand_over(p, results_of_models, e) < 0)
		return -1;
	for (unsigned from = 1; from < others; from++) {
		const void *results = exchange_got(x, from, &bytes);

		if (models_add_results(p->run->in.models, results, bytes, e) < 0)
			return exchange_fail(x, e);
	}
	if (p->run->out.matrix && traffic_gather_matrix(x, p->run->out.matrix, e) < 0)
		return -1;
	return window_gather(&p->window, e) < 0 ? -1 : ret;
}

/* ---- the run ---- */
/* 0; 1: one process has to run the program; -1 with `e`. */
static int prepare(struct program_partitions *p, struct vmpi_setup *setup, int argc, char *argv[], struct err *e)
{
	struct run *run = p->run;
	const struct vmpi_partition partition = {
		.owner = run->machine.owner,
		.me = exchange_me(p->window.exchange),
		.partitions = exchange_processes(p->window.exchange),
		.put = run_partitions_put,
		.soon = run_partitions_soon,
		.ends = run_partitions_ends,
		.user = p,
	};

	if (window_divide(&p->window, e) < 0)
		return -1;
	setup->partition = &partition;
	run->vmpi = vmpi_create(setup, e);
	setup->partition = NULL;
	models_note_turns(run->in.models, run->vmpi);
	if (!run->vmpi)
		return -1;
	if (vmpi_alone(run->vmpi)) {
		err_set(&run->repeats, STATUS_FAILED, "%s", vmpi_alone(run->vmpi));
		run->not_begun = true;
		return 1;
	}
	p->window.most = vmpi_lookahead(run->vmpi);
	if (run->replay) {
		vmpi_set_body(run->vmpi, replay_body, run->replay);
		return replay_divide(run->replay, run->vmpi, !run->joined && partition.me, e);
	}
	if (run_record(run, e) < 0)
		return -1;
	return vmpi_load(run->vmpi, argv[0], argc, argv, e);
}

/* In each process, from the fork to the end; returns in the first one, as run_partitions. */
static int run_here(struct program_partitions *p, struct vmpi_setup *setup, int argc, char *argv[], struct err *e)
{
	struct run *run = p->run;
	struct exchange *x = p->window.exchange;
	struct partitions_end end;
	int ret;

	p->progress.quiet = p->progress.quiet || exchange_me(x);
	ret = prepare(p, setup, argc, argv, e);
	if (ret < 0)
		return exchange_fail(x, e);
	if (ret > 0)
		return exchange_end(x, e) < 0 ? -1 : 1;
	if (window_run(&p->window, &run->parallel, e) < 0)
		return -1;
	run_warn_left(run);
	if (find_end(p, &end, e) < 0)
		return -1;
	if (end.end == VMPI_INTERRUPTED) {
		if (exchange_end(x, e) < 0)
			return -1;
		run->repeats = end.why;
		return 1;
	}
	if (end.end != VMPI_DONE)
		return fail_partitions(p, &end, e);
	if (run->in.common.check && !p->interrupted && run->machine.kind->verify(run->machine.engine, e) < 0)
		return exchange_fail(x, e);
	if (exchange_me(x) && !p->interrupted)
		vmpi_flush_fortran(run->vmpi);
	ret = run_partitions_gather(p, e);
	if (ret < 0 || exchange_end(x, e) < 0)
		return -1;
	if (ret > 0) {
		err_set(&run->repeats, STATUS_FAILED, "ranks name too many phases");
		return 1;
	}
	vmpi_write_output(run->vmpi, NULL);
	models_note_turns(run->in.models, NULL);
	if (!p->interrupted && vmpi_check_end(run->vmpi, e) < 0)
		return -1;
	run_end_pattern(run);
	if (record_end(run->vmpi, e) < 0)
		return -1;
	run_warn(run, !p->interrupted);
	return run_analysis_finish(run, e);
}

int run_partitions(struct run *run, struct vmpi_setup *setup, int argc, char *argv[], struct err *e)
{
	struct program_partitions p = {
		.run = run,
		.window = {.kind = run->machine.kind,
			   .engine = run->machine.engine,
			   .driver = {.advance = advance,
				      .next = next,
				      .held = partitions_held,
				      .name = name,
				      .take = take,
				      .user = &p}},
	};
	off_t input = ftello(stdin);
	int ret = run_processes(run, &p.window.exchange, e);

	if (ret)
		return ret;
	p.window.owner = run->machine.owner;
	progress_start(&p.progress, run->in.program->name, "messages", 0, run->in.common.quiet);
	ret = exchange_begin(p.window.exchange, e) < 0 ? -1 : run_here(&p, setup, argc, argv, e);
	progress_end(&p.progress);
	window_finish(&p.window);
	if (!run->joined)
		exchange_destroy(p.window.exchange);
	if (ret > 0) {
		if (input >= 0) /* what ranks have read of it they read again */
			fseeko(stdin, input, SEEK_SET);
		run->written = vmpi_written(run->vmpi);
		models_forget(run->in.models);
		record_forget(run->vmpi);
		vmpi_destroy(run->vmpi);
		run->vmpi = NULL;
		run->parallel = (struct window_counts){0};
	}
	return ret;
}
