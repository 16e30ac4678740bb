/*
 * The memory model alone, for dram_peer.py: dram-peer -c FILE... [KEY=VALUE...] <TRACE
 *
 * Each line of the trace is a request as DRAMsim3 has it: address, READ or WRITE, clock. The core's clock is the
 * memory's. As there, one request comes a clock, and one that the queues have no room for is late. Prints reads, their
 * mean latency in clocks, that of the last arrival, and the counts of rows.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim/memory/dram.h"

enum { LINE = 64, QUEUES = 1024 };

struct peer {
	struct dram *dram;
	uint64_t reads, latency, last;
};

/* Issues all commands before clock `now`. */
static void advance(struct peer *p, uint64_t now)
{
	struct dram_arrival a;

	while (dram_advance(p->dram, now, &a)) {
		p->reads++;
		p->latency += a.at - a.request;
		p->last = a.at > p->last ? a.at : p->last;
	}
}

/* Reads a line for the program in clock `now`, or later if the queue is full; returns the clock. */
static uint64_t read_line(struct peer *p, uint64_t now, uint64_t line)
{
	uint64_t at;

	for (advance(p, now); dram_waiting(p->dram) == QUEUES; advance(p, now))
		now++;
	if (dram_waits(p->dram, line))
		return now; /* the line that waits serves both */
	at = dram_read(p->dram, now, line, 0, 0);
	if (at) {
		p->reads++;
		p->latency += at - now;
	}
	return now;
}

static int run(struct peer *p)
{
	uint64_t address, at, now = 0;
	char kind[8];

	while (scanf("%" SCNx64 " %7s %" SCNu64, &address, kind, &at) == 3) {
		now = at > now ? at : now + 1;
		address &= ~(uint64_t)(LINE - 1);
		if (strcmp(kind, "READ") == 0) {
			now = read_line(p, now, address);
		} else {
			advance(p, now);
			dram_write(p->dram, now, address, 0);
		}
	}
	if (!feof(stdin))
		return -1;
	while (dram_waiting(p->dram))
		advance(p, ++now);
	return 0;
}

static int configure(struct config *c, const struct core_config *cfg, int argc, char *argv[], struct err *e)
{
	for (int n = 1; n < argc; n++) {
		bool file = strcmp(argv[n], "-c") == 0 && n + 1 < argc;

		if ((file ? config_read(c, argv[++n], e) : config_override(c, argv[n], argv[n], e)) < 0)
			return -1;
	}
	return core_config_check(c, cfg, e);
}

int main(int argc, char *argv[])
{
	static struct core_config cfg;
	struct config *c = config_create();
	struct err e = {.text = "out of memory"};
	const struct dram_counts *counts;
	struct peer p = {.dram = NULL};
	int status = 1;

	if (c) {
		core_config_add(c, &cfg);
		if (configure(c, &cfg, argc, argv, &e) == 0)
			p.dram = dram_create(&cfg.dram, LINE, cfg.dram.frequency, QUEUES, QUEUES);
	}
	if (!p.dram) {
		fprintf(stderr, "dram-peer: %s\n", e.text);
	} else if (run(&p) < 0) {
		fprintf(stderr, "dram-peer: a line is no request, expected address, READ or WRITE, clock\n");
	} else {
		counts = dram_counts(p.dram, 0);
		printf("%" PRIu64 " %.3f %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", p.reads,
		       (double)p.latency / (double)p.reads, p.last, counts->row_hits, counts->activates);
		status = 0;
	}
	dram_destroy(p.dram);
	config_destroy(c);
	return status;
}
