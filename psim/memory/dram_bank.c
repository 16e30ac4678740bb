/* Constraints between commands: when each may be issued, and what it delays. */
#include <stdlib.h>
#include <string.h>

#include "dram_channel.h"

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void delay(uint64_t *earliest, uint64_t until)
{
	if (*earliest < until)
		*earliest = until;
}

static struct dram_group *group_of(const struct dram_channel *c, unsigned bank)
{
	return &c->group[bank / c->group_banks];
}

static struct dram_rank *rank_of(const struct dram_channel *c, unsigned bank)
{
	return &c->rank[dram_rank_of(c, bank)];
}

/* All banks of a rank may be activated then. */
static uint64_t refresh_earliest(const struct dram_channel *c, unsigned bank)
{
	unsigned first = dram_rank_of(c, bank) * c->rank_banks;
	uint64_t t = c->rank[dram_rank_of(c, bank)].refresh;

	for (unsigned b = first; b < first + c->rank_banks; b++)
		t = later(t, c->bank[b].activate);
	return t;
}

uint64_t dram_earliest(const struct dram_channel *c, enum dram_command command, unsigned bank)
{
	const struct dram_bank *b = &c->bank[bank];
	const struct dram_group *g = group_of(c, bank);
	const struct dram_rank *r = rank_of(c, bank);

	switch (command) {
	case COMMAND_PRECHARGE: return b->precharge;
	case COMMAND_ACTIVATE: return later(later(b->activate, g->activate), later(r->activate, r->four[r->oldest]));
	case COMMAND_READ: return later(b->read, later(g->read, r->read));
	case COMMAND_WRITE: return later(b->write, later(g->write, r->write));
	default: return refresh_earliest(c, bank);
	}
}

/* A row of the bank has opened in clock `t`, or closed. */
static void opened(struct dram_channel *c, unsigned bank, uint64_t row, uint64_t t)
{
	struct dram_rank *r = rank_of(c, bank);

	c->bank[bank].row = row;
	c->bank[bank].hits = 0;
	if (!r->open++)
		r->since = t;
}

static void closed(struct dram_channel *c, unsigned bank, uint64_t t)
{
	struct dram_rank *r = rank_of(c, bank);

	c->bank[bank].row = NO_ROW;
	if (!--r->open && t > r->since)
		c->of[0].active_clocks += t - r->since;
}

static void issue_activate(struct dram_channel *c, unsigned bank, uint64_t row, uint64_t t)
{
	const struct dram_params *p = c->p;
	struct dram_bank *b = &c->bank[bank];
	struct dram_rank *r = rank_of(c, bank);

	opened(c, bank, row, t);
	delay(&b->read, t + p->rcd);
	delay(&b->write, t + p->rcd);
	delay(&b->precharge, t + p->ras);
	delay(&b->activate, t + p->ras + p->rp);
	delay(&group_of(c, bank)->activate, t + p->rrd_l);
	delay(&r->activate, t + p->rrd_s);
	/* four[] has the clocks from which a fifth activation may follow */
	r->four[r->oldest] = t + p->faw;
	r->oldest = (r->oldest + 1) % 4;
	dram_count(c)->activates++;
}

/* Clocks from a read or write to the next one of its kind that is `ccd` clocks later at least. */
static uint64_t next_burst(const struct dram_channel *c, unsigned ccd)
{
	return later(c->burst_clocks, ccd);
}

static void issue_read(struct dram_channel *c, unsigned bank, uint64_t t)
{
	const struct dram_params *p = c->p;
	uint64_t turn = t + p->cl + c->burst_clocks + p->rtrs; /* first clock of the bus for writes */

	delay(&c->bank[bank].precharge, t + p->rtp);
	delay(&group_of(c, bank)->read, t + next_burst(c, p->ccd_l));
	for (unsigned n = 0; n < p->ranks; n++) {
		struct dram_rank *r = &c->rank[n];
		bool own = r == rank_of(c, bank);

		delay(&r->read, t + (own ? next_burst(c, p->ccd_s) : c->burst_clocks + p->rtrs));
		delay(&r->write, turn > p->cwl ? turn - p->cwl : 0);
	}
	dram_count(c)->read_bursts++;
}

static void issue_write(struct dram_channel *c, unsigned bank, uint64_t t)
{
	const struct dram_params *p = c->p;
	uint64_t end = t + p->cwl + c->burst_clocks;

	delay(&c->bank[bank].precharge, end + p->wr);
	delay(&group_of(c, bank)->write, t + next_burst(c, p->ccd_l));
	delay(&group_of(c, bank)->read, end + p->wtr_l);
	for (unsigned n = 0; n < p->ranks; n++) {
		struct dram_rank *r = &c->rank[n];
		bool own = r == rank_of(c, bank);

		delay(&r->write, t + (own ? next_burst(c, p->ccd_s) : c->burst_clocks));
		if (own)
			delay(&r->read, end + p->wtr_s);
		else if (end + p->rtrs > p->cl)
			delay(&r->read, end + p->rtrs - p->cl);
	}
	dram_count(c)->write_bursts++;
}

static void issue_refresh(struct dram_channel *c, unsigned bank, uint64_t t)
{
	unsigned first = dram_rank_of(c, bank) * c->rank_banks;

	for (unsigned b = first; b < first + c->rank_banks; b++)
		delay(&c->bank[b].activate, t + c->p->rfc);
	rank_of(c, bank)->refresh += c->p->refi;
	c->of[0].refreshes++;
}

void dram_issue(struct dram_channel *c, enum dram_command command, unsigned bank, uint64_t row, uint64_t t)
{
	switch (command) {
	case COMMAND_ACTIVATE: issue_activate(c, bank, row, t); break;
	case COMMAND_READ: issue_read(c, bank, t); break;
	case COMMAND_WRITE: issue_write(c, bank, t); break;
	case COMMAND_REFRESH: issue_refresh(c, bank, t); break;
	case COMMAND_PRECHARGE:
		closed(c, bank, t);
		delay(&c->bank[bank].activate, t + c->p->rp);
		break;
	}
}

void dram_close(struct dram_channel *c, unsigned bank, uint64_t t)
{
	uint64_t at = later(t, c->bank[bank].precharge);

	closed(c, bank, at);
	delay(&c->bank[bank].activate, at + c->p->rp);
}

static int queue_init(struct dram_queue *q, unsigned room, unsigned window)
{
	*q = (struct dram_queue){.room = room, .window = window};
	q->request = calloc(room, sizeof(*q->request));
	return q->request ? 0 : -1;
}

int dram_channel_init(struct dram_channel *c, const struct dram_params *p, unsigned line_bytes, unsigned reads,
		      unsigned writes, struct dram_counts *of)
{
	unsigned groups = p->ranks * p->bank_groups;

	memset(c, 0, sizeof(*c));
	c->p = p;
	c->of = of;
	c->scheduler = dram_scheduler_kind(p);
	c->group_banks = p->banks;
	c->rank_banks = p->bank_groups * p->banks;
	c->banks = p->ranks * c->rank_banks;
	c->line_bursts = line_bytes / (p->bus_bytes * p->burst);
	c->burst_clocks = p->burst / 2;
	c->bank = calloc(c->banks, sizeof(*c->bank));
	c->group = calloc(groups, sizeof(*c->group));
	c->rank = calloc(p->ranks, sizeof(*c->rank));
	c->older = calloc(c->banks, sizeof(*c->older));
	c->wants = calloc(c->banks, sizeof(*c->wants));
	c->first = calloc(c->banks, sizeof(*c->first));
	if (queue_init(&c->reads, reads, p->read_queue) < 0 || queue_init(&c->writes, writes, p->write_queue) < 0)
		return -1;
	if (!c->bank || !c->group || !c->rank || !c->older || !c->wants || !c->first)
		return -1;
	for (unsigned b = 0; b < c->banks; b++)
		c->bank[b].row = NO_ROW;
	/* ranks take turns, so that not all are refreshed at once */
	for (unsigned r = 0; r < p->ranks; r++)
		c->rank[r].refresh = (uint64_t)(r + 1) * p->refi / p->ranks;
	return 0;
}

void dram_channel_finish(struct dram_channel *c)
{
	free(c->bank);
	free(c->group);
	free(c->rank);
	free(c->older);
	free(c->wants);
	free(c->first);
	free(c->reads.request);
	free(c->writes.request);
}
