/* Bytes that links have carried. Links that share a bandwidth are one medium, named once. */
#include <stdlib.h>

#include "../../../psim/base/mem.h"
#include "../../topology/topology_names.h"
#include "program_run.h"

double *run_carried(const struct run *run, uint32_t **first, struct err *e)
{
	const struct run_machine *m = &run->machine;
	const uint32_t links = m->topology->links;
	double *bytes = mem_alloc(links, sizeof(*bytes), e);
	uint32_t *own = bytes ? mem_alloc(links, sizeof(*own), e) : NULL;

	if (!own) {
		free(bytes);
		return NULL;
	}
	m->kind->carried(m->engine, bytes);
	for (uint32_t l = 0; l < links; l++)
		own[l] = l;
	if (m->kind->media)
		m->kind->media(m->engine, own, bytes);
	if (first)
		*first = own;
	else
		free(own);
	return bytes;
}

double run_link_seconds(const struct topology *t, uint32_t link, double bytes)
{
	const struct topology_class *c = &t->class[t->link[link].class];

	return c->fat ? 0 : bytes / c->bytes_per_s;
}

int64_t run_time(const struct run *run)
{
	if (run->vmpi)
		return vmpi_end_time(run->vmpi);
	if (run->jobs)
		return jobs_end_time(run->jobs);
	return run->result ? run->result->total_ps : 0;
}

int run_find_links(const struct run *run, struct bound_links *links, char name[LINK_NAME_MAX], struct err *e)
{
	const struct topology *t = run->machine.topology;
	double *bytes, most = 0, sum = 0;
	uint32_t busiest = 0;

	*links = (struct bound_links){.links = t->links};
	if (run->curve || run->jobs || !run->machine.kind->carried)
		return 0;
	bytes = run_carried(run, NULL, e);
	if (!bytes)
		return -1;
	for (uint32_t i = 0; i < t->links; i++) {
		double seconds = run_link_seconds(t, i, bytes[i]);

		links->used += bytes[i] > 0;
		sum += seconds;
		if (seconds > most) {
			most = seconds;
			busiest = i;
		}
	}
	free(bytes);
	if (!links->used)
		return 0;
	links->busiest = topology_medium_name(t, busiest, name);
	links->most_ps = (int64_t)(most * 1e12 + 0.5);
	links->mean_ps = (int64_t)(sum * 1e12 / links->used + 0.5);
	return 0;
}

void run_report_link_use(const struct bound_links *l, double seconds, struct report *r)
{
	if (!l->used || !(seconds > 0))
		return;
	report_group(r, "link_use", "use of links, NICs among them: time in which they carry data at their bandwidth");
	report_text(r, "busiest", l->busiest, "link that is used most");
	report_f64(r, "most", 100 * (double)l->most_ps / 1e12 / seconds, "%", "its use, share of the run's time");
	report_f64(r, "mean", 100 * (double)l->mean_ps / 1e12 / seconds, "%", "the same of a link in use, mean");
	report_u64(r, "used", l->used, "links", "links that carry data");
	report_u64(r, "links", l->links, "links", "all links");
	report_end(r);
}
