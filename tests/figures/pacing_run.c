#include "pacing_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim/base/mem.h"

/* Parameters of the program of phases; beside the sections of the topology and the engines. */
struct program_params {
	int64_t call, processor;
	unsigned wait, handshake, order;
};

static const struct param program_rows[] = {
	{.section = "program",
	 .key = "call",
	 .type = PARAM_TIME,
	 .initial = "200 ns",
	 .max = 1e12,
	 .unit = "ps",
	 .doc = "time of an MPI call",
	 .offset = offsetof(struct program_params, call)},
	{.section = "program",
	 .key = "processor",
	 .type = PARAM_TIME,
	 .initial = "0 ns",
	 .max = 1e12,
	 .unit = "ps",
	 .doc = "time of the processor for each message that it sends, and for each that has come",
	 .offset = offsetof(struct program_params, processor)},
	{.section = "program",
	 .key = "wait",
	 .type = PARAM_ENUM,
	 .initial = "after",
	 .choices = "before|after",
	 .unit = "",
	 .doc = "a wait's own time passes as it is called, or when what it waits for has come",
	 .offset = offsetof(struct program_params, wait)},
	{.section = "program",
	 .key = "handshake",
	 .type = PARAM_ENUM,
	 .initial = "none",
	 .choices = "none|data|all",
	 .unit = "",
	 .doc = "messages that ask the receiver first",
	 .offset = offsetof(struct program_params, handshake)},
	{.section = "program",
	 .key = "order",
	 .type = PARAM_ENUM,
	 .initial = "reconstructed",
	 .choices = "reconstructed|printed|mirrored",
	 .unit = "",
	 .doc = "order of the messages whose lines of the listing are damaged",
	 .offset = offsetof(struct program_params, order)},
};

struct system {
	struct topology_config topology;
	struct net_config net;
	struct program_params program;
};

static void must(int result, const struct err *e)
{
	if (result == 0)
		return;
	fprintf(stderr, "pacing: %s\n", e->text);
	exit((int)e->status);
}

static int override_all(struct config *c, const char *overrides, struct err *e)
{
	char text[400], *save, *word;

	snprintf(text, sizeof(text), "%s", overrides ? overrides : "");
	for (word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save))
		if (config_override(c, word, "variant", e) < 0)
			return -1;
	return 0;
}

/* The configuration of a run into `to`. */
static struct config *configure(const struct study *s, const struct variant *v, struct system *to)
{
	struct config *c = config_create();
	struct err e = {0};
	char dims[40];

	if (!c)
		must(mem_short(&e), &e);
	topology_config_add(c, &to->topology);
	net_config_add(c, &to->net);
	config_describe(c, "program", "the program of phases");
	config_add(c, program_rows, sizeof(program_rows) / sizeof(program_rows[0]), &to->program);
	if (v->cube)
		snprintf(dims, sizeof(dims), "topology.dims=%ux%ux%u", v->n, v->n, v->n);
	else
		snprintf(dims, sizeof(dims), "topology.dims=%ux%u", v->n, v->n);
	must(config_read(c, s->config, &e), &e);
	must(config_override(c, dims, "variant", &e), &e);
	if (v->cube)
		must(config_override(c, "topology.nics=6", "variant", &e), &e);
	must(override_all(c, s->overrides, &e), &e);
	must(override_all(c, v->overrides, &e), &e);
	must(topology_config_check(c, &to->topology, &e), &e);
	must(net_config_check(c, &to->net, &e), &e);
	return c;
}

/* ---- results that are kept ---- */

/* FNV-1a (G. Fowler, L. Noll, P. Vo). */
static uint64_t mix(uint64_t hash, const void *from, size_t size)
{
	const unsigned char *at = from;

	while (size--)
		hash = (hash ^ *at++) * UINT64_C(0x100000001b3);
	return hash;
}

static void echo(void *user, const struct param *p, const char *value, const char *origin)
{
	(void)origin;
	fprintf(user, "%s.%s=%s\n", p->section, p->key, value);
}

/* Hashes all that determines a run: every value of the configuration, the program, the variant. */
static uint64_t key_of(const struct config *c, const struct variant *v, const struct a2at_program *p)
{
	uint64_t key = UINT64_C(0xcbf29ce484222325);
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int64_t jitter = v->jitter_ps;
	uint64_t bytes = v->bytes, seed = jitter ? v->seed : 0;

	if (!f)
		exit(STATUS_FAILED);
	config_visit(c, echo, f);
	for (unsigned i = 0; i < p->count; i++) {
		const struct a2at_phase *a = &p->phase[i];

		fprintf(f, "%d %u %d %.17g", (int)a->to, a->sends, a->barrier, a->bias);
		for (unsigned k = 0; k < a->sends; k++)
			fprintf(f, " %d %d %d", a->x[k], a->y[k], a->z[k]);
	}
	fprintf(f, "%" PRId64 " %" PRIu64 " %" PRIu64, jitter, bytes, seed);
	if (v->late_ps)
		fprintf(f, " late %" PRId64, v->late_ps);
	if (fclose(f))
		exit(STATUS_FAILED);
	key = mix(key, text, size);
	free(text);
	return key;
}

/* A line is: key, seconds, use, imbalance, host seconds, number of phases, their ends. */
static bool read_kept(const struct study *s, uint64_t key, struct a2at_result *r, double *ends, unsigned phases)
{
	FILE *f = s->kept ? fopen(s->kept, "r") : NULL;
	uint64_t is;
	unsigned count;
	bool found = false;

	while (f && !found &&
	       fscanf(f, "%" SCNx64 "%la%la%la%la%u", &is, &r->seconds, &r->use, &r->imbalance, &r->host_seconds,
		      &count) == 6) {
		found = is == key && count == phases;
		for (unsigned i = 0; i < count; i++) {
			double end;

			if (fscanf(f, "%la", &end) != 1)
				found = false;
			else if (found && i < PHASE_ENDS_MAX)
				ends[i] = end;
		}
	}
	if (f)
		fclose(f);
	return found;
}

static void keep(const struct study *s, uint64_t key, const struct a2at_result *r, const double *ends, unsigned phases)
{
	FILE *f = s->kept ? fopen(s->kept, "a") : NULL;

	if (!s->kept)
		return;
	if (!f) {
		perror(s->kept);
		exit(STATUS_FAILED);
	}
	setvbuf(f, NULL, _IOFBF, 1 << 16);
	fprintf(f, "%016" PRIx64 " %a %a %a %a %u", key, r->seconds, r->use, r->imbalance, r->host_seconds, phases);
	for (unsigned i = 0; i < phases; i++)
		fprintf(f, " %a", ends[i]);
	fprintf(f, "\n");
	if (fclose(f)) {
		perror(s->kept);
		exit(STATUS_FAILED);
	}
}

static struct a2at_run run_of(const struct variant *v, const struct system *system)
{
	return (struct a2at_run){.topology = &system->topology,
				 .config = &system->net,
				 .bytes = v->bytes,
				 .call_ps = system->program.call,
				 .processor_ps = system->program.processor,
				 .wait = (enum a2at_wait)system->program.wait,
				 .handshake = (enum a2at_handshake)system->program.handshake,
				 .jitter_ps = v->jitter_ps,
				 .late_ps = v->late_ps,
				 .seed = v->seed};
}

struct a2at_result study_draw(struct study *s, const struct variant *v, struct a2at_program *p, const char *title,
			      FILE *out)
{
	struct system system;
	struct config *c = configure(s, v, &system);
	struct a2at_run r = run_of(v, &system);
	struct a2at_result result = {0};
	struct err e = {0};

	if (!p)
		must(mem_short(&e), &e);
	a2at_reorder(p, (enum a2at_order)system.program.order);
	r.picture = out;
	r.title = title;
	must(a2at_run(p, &r, &result, &e), &e);
	config_destroy(c);
	a2at_free(p);
	return result;
}

struct a2at_result study_run(struct study *s, const struct variant *v, struct a2at_program *p, double *phase_end)
{
	struct system system;
	struct config *c = configure(s, v, &system);
	struct a2at_run r = run_of(v, &system);
	struct err e = {0};
	struct a2at_result result = {0};
	double *ends = NULL;
	unsigned phases;
	uint64_t key;

	if (!p || !(ends = mem_alloc(p->count, sizeof(*ends), &e)))
		must(mem_short(&e), &e);
	a2at_reorder(p, (enum a2at_order)system.program.order);
	phases = p->count <= PHASE_ENDS_MAX ? p->count : 0;
	key = key_of(c, v, p);
	if (read_kept(s, key, &result, ends, phases)) {
		s->found++;
	} else {
		result.phase_end = ends;
		must(a2at_run(p, &r, &result, &e), &e);
		keep(s, key, &result, ends, phases);
		s->run++;
	}
	if (phase_end && phases)
		memcpy(phase_end, ends, phases * sizeof(*ends));
	result.phase_end = phase_end;
	free(ends);
	config_destroy(c);
	a2at_free(p);
	return result;
}

struct spread spread_of(struct study *s, struct a2at_program *p, int64_t jitter_ps)
{
	struct variant v = {.bytes = s->bytes};
	struct spread spread = {.least = HUGE_VAL};

	if (!p)
		exit(STATUS_FAILED);
	v.n = p->n;
	spread.plain = 1e3 * study_run(s, &v, a2at_copy(p), NULL).seconds;
	v.jitter_ps = jitter_ps;
	for (v.seed = 1; v.seed <= s->seeds; v.seed++) {
		double ms = 1e3 * study_run(s, &v, a2at_copy(p), NULL).seconds;

		spread.least = ms < spread.least ? ms : spread.least;
		spread.most = ms > spread.most ? ms : spread.most;
	}
	a2at_free(p);
	return spread;
}

void study_row(struct study *s, const char *what, double paper, struct spread ours, const char *unit)
{
	double off = 100 * (ours.plain / paper - 1);
	bool missed = fabs(off) > 15;

	printf("%-36s %9.2f %9.2f %+7.1f %%", what, paper, ours.plain, off);
	if (ours.most > 0)
		printf("  %7.2f %7.2f", ours.least, ours.most);
	else
		printf("  %7s %7s", "-", "-");
	printf("  %s%s\n", unit, missed ? "  MISSED" : "");
	fflush(stdout);
	s->missed |= missed;
}

double study_free_ms(const struct study *s, unsigned n, double bias)
{
	struct a2at_program *p = a2at_program(n, bias);
	double packets = ceil((double)s->bytes / (2048 - 32)), sum = 0;

	if (!p)
		exit(STATUS_FAILED);
	for (unsigned i = 0; i < p->count; i++)
		sum += p->phase[i].hops + bias;
	a2at_free(p);
	return 1e3 * sum * ((double)s->bytes + 32 * packets) / 4e9;
}
