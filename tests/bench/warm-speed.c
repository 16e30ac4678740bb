/*
 * Reads a trace and warms caches, TLBs and branch prediction with it, as psim does with the parts that it does not
 * simulate. With `read`, only reads it. warm-instructions.sh counts the host instructions of an instruction.
 *
 *     warm-speed CONFIGURATION TRACE [read]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "psim/bpred/bpred.h"
#include "psim/core/warm.h"

struct machine {
	struct core_config cfg;
	struct memsys *memsys;
	struct bpred *bpred;
	bool only_read;
};

static int prepare(struct machine *m, const char *path, struct err *e)
{
	struct config *config = config_create();
	int result = -1;

	if (!config)
		return err_set(e, STATUS_FAILED, "out of memory");
	core_config_add(config, &m->cfg);
	if (config_read(config, path, e) == 0 && core_config_check(config, &m->cfg, e) == 0) {
		m->memsys = memsys_create(&m->cfg, NULL, e);
		m->bpred = bpred_create(&m->cfg.bpred, e);
		result = m->memsys && m->bpred ? 0 : -1;
	}
	config_destroy(config);
	return result;
}

/* The instructions of the trace, or -1. */
__attribute__((noinline)) static int64_t run(const struct machine *m, struct trace_reader *r, struct err *e)
{
	const struct warm_block *last = NULL;
	struct trace_step step;
	int event;

	while ((event = trace_next(r, &step, e)) > 0) {
		struct trace_block *b = step.block;

		if (event != TRACE_RUN || m->only_read)
			continue;
		if (!b->user)
			b->user = warm_block_create(b, &m->cfg);
		if (last)
			warm_branch(m->bpred, last, &b->pc);
		warm_memory(m->memsys, b, b->user, step.ea);
		last = b->user;
	}
	return event < 0 ? -1 : (int64_t)trace_position(r);
}

int main(int argc, char **argv)
{
	struct machine m = {.only_read = argc == 4 && !strcmp(argv[3], "read")};
	struct trace_reader *r = NULL;
	struct timespec begin, end;
	int64_t insns = -1;
	struct err e;

	if (argc < 3 || argc > 4) {
		fprintf(stderr, "usage: warm-speed CONFIGURATION TRACE [read]\n");
		return STATUS_USAGE;
	}
	clock_gettime(CLOCK_MONOTONIC, &begin);
	if (prepare(&m, argv[1], &e) == 0 && (r = trace_open(argv[2], &e)))
		insns = run(&m, r, &e);
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (insns < 0) {
		fprintf(stderr, "warm-speed: %s\n", e.text);
		return (int)e.status;
	}
	printf("%lld instructions, %.2f ns each\n", (long long)insns,
	       ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) / (double)insns);
	trace_close(r);
	memsys_destroy(m.memsys);
	bpred_destroy(m.bpred);
	return STATUS_DONE;
}
