/*
 * Calls the memory system or branch prediction N times in one of the ways
 * below, nothing else: what an access costs is the difference between two N
 * (host-instructions.sh), or this program's own time.
 *
 *     memsys-bench CASE N
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "psim/bpred/bpred.h"
#include "psim/memory/memsys.h"

enum kind { LOAD, STORE, FETCH, PREFETCH, CONDITIONAL, CALL_RETURN };

static const struct bench_case {
	const char *name;
	enum kind kind;
	uint64_t working_set; /* bytes, a power of two */
	uint64_t stride;      /* 0: random */
	uint64_t cycles;      /* from one access to the next */
	const char *override; /* of the configuration, or NULL */
} cases[] = {
	{"load-l1-stride", LOAD, 64 << 10, 8, 1, NULL},
	{"load-l1-pages", LOAD, 64 << 10, 8200, 1, NULL},
	{"load-l1-random", LOAD, 64 << 10, 0, 1, NULL},
	{"load-l1-ways", LOAD, 128 << 10, 0, 1, NULL},
	{"load-perfect", LOAD, 64 << 10, 8, 1, "l1d.perfect=yes"},
	{"store-l1-stride", STORE, 64 << 10, 8, 1, NULL},
	{"fetch-l1-stride", FETCH, 64 << 10, 32, 1, NULL},
	{"load-l2-random", LOAD, 2 << 20, 0, 20, NULL},
	{"load-memory-stride", LOAD, 64 << 20, 64, 20, NULL},
	{"load-memory-random", LOAD, 64 << 20, 0, 150, NULL},
	{"prefetch-memory-stride", PREFETCH, 64 << 20, 64, 20, NULL},
	{"load-stream-prefetch", LOAD, 64 << 20, 64, 20, "prefetch.enabled=yes"},
	{"branch-loop", CONDITIONAL, 64, 4, 1, NULL},
	{"branch-many", CONDITIONAL, 32 << 10, 4, 1, NULL},
	{"branch-gshare", CONDITIONAL, 32 << 10, 4, 1, "bpred.kind=gshare"},
	{"call-return", CALL_RETURN, 4096, 4, 1, NULL},
};

struct bench {
	struct core_config cfg;
	struct memsys *memsys;
	struct bpred *bpred;
};

static uint64_t branch(struct bpred *b, enum kind kind, uint64_t pc)
{
	static const struct insn conditional = {.flags = INSN_CTI | INSN_COND};
	static const struct insn call = {.flags = INSN_CTI | INSN_CALL};
	static const struct insn ret = {.flags = INSN_CTI | INSN_RETURN | INSN_INDIRECT};

	if (kind == CONDITIONAL)
		return bpred_branch(b, pc, &conditional, (pc & 28) != 0, pc + 64).target;
	if (pc & 4)
		return bpred_branch(b, pc, &ret, true, (pc & ~(uint64_t)7) + 8).target;
	return bpred_branch(b, pc, &call, true, pc + 64).target;
}

/* The result keeps the compiler from dropping the calls. */
static uint64_t run(struct bench *x, const struct bench_case *c, uint64_t n)
{
	uint64_t mask = c->working_set - 1, offset = 0, sum = 0, now = 0;
	uint64_t state = 88172645463325252; /* xorshift64: Marsaglia, 2003 */

	for (uint64_t i = 0; i < n; i++, now += c->cycles) {
		uint64_t address = 0x100000 + offset;

		switch (c->kind) {
		case LOAD: sum += memsys_load(x->memsys, now, address, 8).ready; break;
		case STORE: sum += memsys_store(x->memsys, now, address, 8, 0).ready; break;
		case FETCH: sum += memsys_fetch(x->memsys, now, address).ready; break;
		case PREFETCH: memsys_prefetch(x->memsys, now, address, false, 0); break;
		default: sum += branch(x->bpred, c->kind, address); break;
		}
		if (c->stride) {
			offset = (offset + c->stride) & mask & ~(uint64_t)3;
		} else {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			offset = state & mask & ~(uint64_t)7;
		}
	}
	return sum;
}

static int prepare(struct bench *x, const struct bench_case *c, struct err *e)
{
	struct config *config = config_create();
	int result = -1;

	if (!config)
		return err_set(e, STATUS_FAILED, "out of memory");
	core_config_add(config, &x->cfg);
	if ((!c->override || config_override(config, c->override, "bench", e) == 0) &&
	    core_config_check(config, &x->cfg, e) == 0) {
		x->memsys = memsys_create(&x->cfg, NULL, e);
		x->bpred = bpred_create(&x->cfg.bpred, e);
		result = x->memsys && x->bpred ? 0 : -1;
	}
	config_destroy(config);
	return result;
}

int main(int argc, char **argv)
{
	const struct bench_case *c = NULL;
	struct bench x = {.memsys = NULL};
	struct timespec begin, end;
	struct err e;
	uint64_t n, sum;
	double ns;

	for (size_t i = 0; argc == 3 && i < sizeof(cases) / sizeof(cases[0]); i++)
		if (!strcmp(argv[1], cases[i].name))
			c = &cases[i];
	if (!c) {
		fprintf(stderr, "usage: memsys-bench CASE N; cases:\n");
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
			fprintf(stderr, "  %s\n", cases[i].name);
		return STATUS_USAGE;
	}
	n = strtoull(argv[2], NULL, 10);
	if (prepare(&x, c, &e) < 0) {
		fprintf(stderr, "memsys-bench: %s\n", e.text);
		return (int)e.status;
	}
	clock_gettime(CLOCK_MONOTONIC, &begin);
	sum = run(&x, c, n);
	clock_gettime(CLOCK_MONOTONIC, &end);
	ns = (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
	printf("%-24s %8.2f ns an access (check sum %llx)\n", c->name, ns / (double)(n ? n : 1),
	       (unsigned long long)sum);
	memsys_destroy(x.memsys);
	bpred_destroy(x.bpred);
	return STATUS_DONE;
}
