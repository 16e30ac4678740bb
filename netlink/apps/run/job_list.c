/* Jobs from the words of --job, and their nodes. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "job_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../../../psim/base/cli/progress.h"
#include "../../../psim/base/mem.h"
#include "../../engine/traffic_classes.h"
#include "jobs_state.h"
#include "program_run.h"

/* ---- words ---- */

static int read_job_ranks(struct job *j, const char *text, struct err *e)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || n < 1 || n > INT32_MAX)
		return err_set(e, STATUS_USAGE, "n=%s: expected a number of ranks, from 1 to %d", text, INT32_MAX);
	j->ranks = (uint32_t)n;
	return 0;
}

static int read_job_class(struct job *j, const char *text, struct err *e)
{
	if (*text < '0' || *text >= '0' + TRAFFIC_CLASSES_MAX || text[1])
		return err_set(e, STATUS_USAGE, "class=%s: expected 0 to %d", text, TRAFFIC_CLASSES_MAX - 1);
	j->class = (uint8_t)(*text - '0');
	return 0;
}

/* Checks that the engine has the class. */
static int check_job_class(const struct job *j, const struct net_config *c, struct err *e)
{
	if (!j->class)
		return 0;
	if (strcmp(c->engine.kind, "packet") != 0)
		return err_set(e, STATUS_USAGE, "class=%u: engine %s has no traffic classes, expected packet", j->class,
			       c->engine.kind);
	return j->class < c->router.classes
		       ? 0
		       : err_set(e, STATUS_USAGE, "class=%u: no channels, expected less than router.classes = %u",
				 j->class, c->router.classes);
}

/* Reads a word before the program. 1: it is the program. */
static int read_job_word(struct job *j, char *word, struct err *e)
{
	if (!strncmp(word, "n=", 2))
		return read_job_ranks(j, word + 2, e);
	if (!strncmp(word, "class=", 6))
		return read_job_class(j, word + 6, e);
	if (!strncmp(word, "place=", 6))
		j->place = word + 6;
	else if (!strncmp(word, "pattern=", 8))
		j->pattern = word + 8;
	else if (!strcmp(word, "background"))
		j->background = true;
	else
		return 1;
	return 0;
}

static int read_job_words(struct job *j, struct err *e)
{
	char *next, *word = strtok_r(j->text, " \t\n", &next);
	int ret = 0;

	for (; word && ret == 0; word = ret == 0 ? strtok_r(NULL, " \t\n", &next) : word)
		ret = read_job_word(j, word, e);
	if (ret < 0)
		return -1;
	for (; word; word = strtok_r(NULL, " \t\n", &next)) {
		if (j->pattern)
			return err_set(e, STATUS_USAGE,
				       "'%s' beside a pattern, expected n=, place=, class=, pattern= and background",
				       word);
		if (j->argc == JOB_WORDS - 1)
			return err_set(e, STATUS_USAGE, "more than %d arguments", JOB_WORDS - 2);
		j->argv[j->argc++] = word;
	}
	if (!j->pattern && !j->argc)
		return err_set(e, STATUS_USAGE,
			       "no program, expected PROGRAM.so [ARGUMENTS] or pattern=NAME[:KEY=VALUE,…]");
	if (j->background && !j->pattern)
		return err_set(e, STATUS_USAGE, "background: a program ends by itself, expected a pattern");
	return 0;
}

static void name_job(struct job *j)
{
	const char *slash = j->argc ? strrchr(j->argv[0], '/') : NULL;

	snprintf(j->name, sizeof(j->name), "%s", j->pattern ? j->pattern : slash ? slash + 1 : j->argv[0]);
}

/* ---- nodes, patterns ---- */

static int place_job(struct job *j, const struct run_machine *m, uint16_t *taken, struct err *e)
{
	unsigned each = m->vmpi_config.ranks.per_node;
	uint32_t nodes = (j->ranks + each - 1) / each;

	if (allocate(&j->nodes, j->place ? j->place : "linear", nodes, j->number, m->topology, taken, e) < 0)
		return -1;
	if (!j->ranks)
		j->ranks = j->nodes.count * each;
	j->node_of = mem_alloc(j->ranks, sizeof(*j->node_of), e);
	for (uint32_t i = 0; j->node_of && i < j->ranks; i++)
		j->node_of[i] = j->nodes.node[i / each];
	return j->node_of ? 0 : -1;
}

/* Makes the pattern, whose grid is that of the job's nodes, if they are one. */
static int make_job_pattern(struct job *j, const struct run_machine *m, const struct run *run, struct err *e)
{
	const struct traffic_job own = {.endless = j->background,
					.dimensions = j->ranks == j->nodes.count ? j->nodes.dimensions : 0,
					.dims = j->nodes.dims};

	if (!j->pattern)
		return 0;
	j->traffic = traffic_of_job(j->pattern, &own, m->topology, j->ranks, e);
	return j->traffic ? run_check_pattern(run, j->traffic, e) : -1;
}

/* The memory of results that other processes write. */
static int share_results(struct jobs *js, const struct run_machine *m, struct err *e)
{
	size_t each = sizeof(struct job_alone) + m->topology->links * sizeof(double);
	char *at;

	js->shared_bytes = each * js->count;
	at = mmap(NULL, js->shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return mem_short(e);
	js->shared = at;
	for (unsigned i = 0; i < js->count; i++, at += each) {
		js->job[i].alone = (struct job_alone *)(void *)at;
		if (m->kind->carried)
			js->job[i].carried = (double *)(void *)(at + sizeof(struct job_alone));
	}
	return 0;
}

/* The nodes of the ranks of all jobs, for the engine's logs and reports. */
static int join_ranks(struct run_machine *m, struct jobs *js, struct err *e)
{
	uint64_t ranks = 0;

	for (unsigned i = 0; i < js->count; i++) {
		js->job[i].first_rank = (uint32_t)ranks;
		ranks += js->job[i].ranks;
	}
	if (ranks > INT32_MAX)
		return err_set(e, STATUS_USAGE, "--job: %" PRIu64 " ranks, expected at most %d", ranks, INT32_MAX);
	m->ranks = (uint32_t)ranks;
	m->node_of = mem_alloc(ranks, sizeof(*m->node_of), e);
	for (unsigned i = 0; m->node_of && i < js->count; i++)
		memcpy(m->node_of + js->job[i].first_rank, js->job[i].node_of, js->job[i].ranks * sizeof(*m->node_of));
	return m->node_of ? 0 : -1;
}

static int make_job(struct run *run, struct job *j, const char *text, uint16_t *taken, struct err *e)
{
	if (strlen(text) >= sizeof(j->text))
		return err_set(e, STATUS_USAGE, "too long, expected at most %d letters", JOB_TEXT - 1);
	strcpy(j->text, text);
	if (read_job_words(j, e) < 0 || check_job_class(j, &run->machine.net_config, e) < 0 ||
	    place_job(j, &run->machine, taken, e) < 0)
		return -1;
	name_job(j);
	return make_job_pattern(j, &run->machine, run, e);
}

int jobs_make(struct run *run, struct err *e)
{
	const struct opt_list *list = &run->in.set.jobs;
	struct jobs *js = run->jobs = mem_alloc(1, sizeof(*js), e);
	uint16_t *taken = mem_alloc(run->machine.topology->nodes, sizeof(*taken), e);
	unsigned ending = 0;
	int ret = js && taken ? 0 : -1;

	if (js)
		js->job = mem_alloc(list->count, sizeof(*js->job), e);
	ret = ret || !js->job ? -1 : 0;
	for (uint32_t i = 0; !ret && i < run->machine.topology->nodes; i++)
		if (!topology_reaches(run->machine.topology, i, i))
			taken[i] = ALLOCATE_DOWN;
	while (!ret && js->count < list->count) {
		struct job *j = &js->job[js->count++];

		j->number = js->count;
		ret = make_job(run, j, list->item[js->count - 1], taken, e);
		ending += !j->background;
		if (ret < 0)
			err_prefix(e, "--job %u", js->count);
	}
	free(taken);
	if (!ret && !ending)
		return err_set(e, STATUS_USAGE, "--job: all are background, expected one with an end");
	if (!ret && ending < js->count && run->machine.kind->timeless)
		return err_set(
			e, STATUS_USAGE,
			"--job: a background job sends for ever where engine %s takes no time, expected another engine",
			run->machine.kind->name);
	return ret || share_results(js, &run->machine, e) < 0 ? -1 : join_ranks(&run->machine, js, e);
}

bool jobs_have_pattern(const struct jobs *js)
{
	for (unsigned i = 0; i < js->count; i++)
		if (js->job[i].pattern)
			return true;
	return false;
}

bool jobs_have_load(const struct jobs *js)
{
	for (unsigned i = 0; i < js->count; i++)
		if (js->job[i].traffic && traffic_injection(js->job[i].traffic) > 0)
			return true;
	return false;
}

void jobs_destroy(struct jobs *js)
{
	if (!js)
		return;
	for (unsigned i = 0; i < js->count; i++) {
		allocation_finish(&js->job[i].nodes);
		free(js->job[i].node_of);
		traffic_destroy(js->job[i].traffic);
	}
	if (js->shared)
		munmap(js->shared, js->shared_bytes);
	free(js->job);
	free(js);
}

/* The latest end of a job that has one. */
static int64_t end_of_jobs(const struct jobs *js)
{
	int64_t end = 0;

	for (unsigned i = 0; i < js->count; i++)
		if (js->job[i].together.time_ps > end)
			end = js->job[i].together.time_ps;
	return end;
}

int jobs_run(struct run *run, struct err *e)
{
	struct jobs *js = run->jobs;
	struct job *all[OPT_LIST_MAX];
	struct job_result *result[OPT_LIST_MAX];
	bool aside = run->in.common.format != REPORT_TEXT && !strcmp(run->in.common.output, "-");

	run->skeleton = models_skeleton(run->in.models, false);
	for (unsigned i = 0; i < js->count; i++) {
		all[i] = &js->job[i];
		result[i] = &js->job[i].together;
	}
	if (jobs_alone(run, false, NET_TIME_NEVER - 1, e) < 0)
		return -1;
	if (run->interrupted)
		return 0;
	if (jobs_together(run, run->machine.engine, all, js->count, NET_TIME_NEVER - 1, result, aside ? stderr : NULL,
			  e) < 0)
		return -1;
	/* all have run together: a job that fails alone costs its comparison, and no report */
	if (!run->interrupted)
		(void)jobs_alone(run, true, end_of_jobs(js), &run->late);
	js->complete = !progress_signal() && !run->interrupted;
	return 0;
}
