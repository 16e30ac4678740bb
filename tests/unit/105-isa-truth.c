/*
 * Operand lists against execution: random words of every row are executed on
 * random states. What an instruction changes must be in its writes; what it
 * changes it to, where it jumps, what it stores and how it traps must depend on
 * its reads alone; and each of its reads must matter at least once.
 *
 * The SIMD extension's rows have tests of their own (118-exec-simd.c).
 * Outside of the lists by design, and kept still here: the rounding mode and
 * FSR's exception fields, GSR's rounding override, FPRS's dirty bits.
 */
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#include "isa/cpu.h"

enum { PAGE = 1 << CPU_PAGE_BITS, AROUND = 128 };

struct machine {
	struct cpu_memory memory; /* first: the callback's argument */
	struct cpu cpu;
	uint8_t page[PAGE]; /* every guest page is this one */
	uint64_t ea[4];
};

/* All that an execution leaves behind and a list can speak of. */
struct outcome {
	uint64_t unit[REG_S];
	uint64_t pc, npc, ea;
	uint8_t around[AROUND]; /* memory from the line of the address */
	unsigned trap;
	bool annulled;
};

static uint64_t seed = 88172645463325252u;

static uint64_t draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static uint8_t *page(struct cpu_memory *m, uint64_t address, enum cpu_access access)
{
	(void)address;
	(void)access;
	return ((struct machine *)(void *)m)->page;
}

/* ---- units of a state ---- */

static uint64_t get_unit(const struct cpu *c, unsigned unit)
{
	static const uint8_t fcc_at[] = {10, 32, 34, 36};

	if (unit < REG_F)
		return c->r[unit];
	if (unit < REG_CCR)
		return (unit & 1) ? (uint32_t)c->d[(unit - REG_F) / 2] : c->d[(unit - REG_F) / 2] >> 32;
	switch (unit) {
	case REG_CCR: return c->ccr;
	case REG_Y: return c->y;
	case REG_GSR: return c->gsr;
	case REG_ASI: return c->asi;
	case REG_FPRS: return c->fprs;
	case REG_FSR: return c->fsr & 0xcf800000; /* RD, TEM */
	default: return c->fsr >> fcc_at[unit - REG_FCC] & 3;
	}
}

static void set_unit(struct cpu *c, unsigned unit, uint64_t v)
{
	static const uint8_t fcc_at[] = {10, 32, 34, 36};
	uint64_t *d = &c->d[(unit - REG_F) / 2 & 31];

	if (unit < REG_F) {
		c->r[unit] = unit ? v : 0;
	} else if (unit < REG_CCR) {
		*d = (unit & 1) ? (*d & ~0xffffffffull) | (uint32_t)v : (uint32_t)*d | v << 32;
	} else if (unit == REG_CCR) {
		c->ccr = (uint8_t)v;
	} else if (unit == REG_Y) {
		c->y = (uint32_t)v;
	} else if (unit == REG_GSR) {
		c->gsr = v & ~0x0e000000ull; /* no rounding override */
	} else if (unit == REG_ASI) {
		c->asi = (uint8_t)v;
	} else if (unit == REG_FPRS) {
		c->fprs = v & 7;
	} else if (unit == REG_FSR) {
		cpu_set_fsr(c, (c->fsr & ~0xc0000000ull) | (v & 3) << 30);
	} else {
		unsigned at = fcc_at[unit - REG_FCC];

		cpu_set_fsr(c, (c->fsr & ~(3ull << at)) | (v & 3) << at);
	}
}

/* A value of the kind that makes things happen: small, aligned, zero, or anything. */
static uint64_t draw_value(unsigned unit)
{
	static const uint8_t asis[] = {0x80, 0x82, 0x88, 0x8a};
	uint64_t r = draw(), v = draw();

	if (unit >= REG_F && unit < REG_CCR && r % 16 < 4)
		return 0x3f800000;           /* equal ones */
	if (unit >= REG_F && unit < REG_CCR) /* 2^-1 to 2^8 as a single, to 2^64 as a double */
		return 0x3f000000 + (uint32_t)v % 0x05000000 + ((r & 1) ? 0x80000000 : 0);
	if (unit == REG_ASI)
		return asis[r % 4];
	if (unit >= REG_F)
		return v;
	switch (r % 8) {
	case 0: return 0;
	case 1: return v & 0xff;
	case 2:
	case 3: return v;
	default: return v & ~63ull;
	}
}

/* ---- words ---- */

static uint32_t draw_word(const struct insn_row *row)
{
	static const uint8_t asis[] = {0x80, 0x82, 0x88, 0xf0, 0xd0, 0xd2, 0xc0, 0xc2, 0xc4};
	uint32_t word = row->match | ((uint32_t)draw() & ~row->mask);
	bool has_i = strchr(row->pattern, 'i') != NULL;

	if (strchr(row->pattern, 'm') && !(word & 1 << 13))
		word = (word & ~0x1fe0u) | (uint32_t)asis[draw() % 9] << 5;
	else if (strchr(row->pattern, 'e'))
		word = (word & ~0x1fe0u) | ((word & 1 << 13) ? 0 : 0x80u << 5);
	else if (has_i && !(word & 1 << 13))
		word = row->match | (word & ~row->mask & ~0x7e0u); /* unused bits, near enough */
	if (has_i && (word & 1 << 13) && (draw() & 1))
		word &= ~(0x3fu & ~row->mask); /* an aligned displacement */
	return word;
}

static bool draw_insn(enum opcode op, struct insn *i)
{
	for (unsigned tries = 0; tries < 2000; tries++) {
		uint32_t word = draw_word(insn_row(op));

		if (strstr(insn_row(op)->pattern, "i ooooooooooooo") && !(word & 1 << 13))
			word &= ~0x1fe0u;
		insn_decode(word, i);
		if (i->opcode == op)
			return true;
	}
	return false;
}

/* ---- executions ---- */

static void draw_state(struct cpu *c, const struct insn *i)
{
	for (unsigned u = 1; u < REG_S; u++)
		set_unit(c, u, draw_value(u));
	cpu_set_fsr(c, c->fsr & ~0xcf800000ull);
	c->fprs = 7;
	c->pc = draw() & ~3ull;
	c->npc = c->pc + 4;
	c->cwp = 2;
	c->cansave = c->canrestore = 3;
	for (unsigned w = 0; w < CPU_WINDOWS; w++)
		for (unsigned k = 0; k < 16; k++)
			c->window[w][k] = draw();
	/* the lists' guess for block transfers through %asi comes true */
	if ((i->opcode == OP_LDDFA || i->opcode == OP_STDFA) && (i->flags & INSN_IMM))
		c->asi = i->size == 64 ? 0xf0 : 0x80;
}

static void run(struct machine *m, const struct cpu *from, const struct insn *i, const uint8_t *pristine,
		struct outcome *o)
{
	size_t whole = offsetof(struct cpu, tlb);
	fenv_t host;

	memcpy(&m->cpu, from, whole);
	m->cpu.ea_log = m->ea;
	cpu_fp_enter(&m->cpu, &host);
	o->trap = insn_execute[i->opcode](&m->cpu, i);
	cpu_fp_leave(&m->cpu, &host);
	cpu_fsr(&m->cpu);
	for (unsigned u = 0; u < REG_S; u++)
		o->unit[u] = get_unit(&m->cpu, u);
	o->pc = m->cpu.pc;
	o->npc = m->cpu.npc;
	o->annulled = m->cpu.annulled;
	o->ea = m->cpu.ea_log != m->ea ? m->ea[0] : 0;
	for (unsigned k = 0; k < AROUND; k++) {
		size_t at = ((o->ea & ~63ull) + k) % PAGE;

		o->around[k] = m->page[at];
		m->page[at] = pristine[at];
	}
}

static bool listed(const struct reg_ref *list, unsigned count, unsigned unit)
{
	for (unsigned k = 0; k < count; k++)
		if (unit >= list[k].unit && unit < (unsigned)list[k].unit + list[k].width)
			return true;
	return false;
}

static bool same_outcome(const struct insn *i, const struct outcome *a, const struct outcome *b)
{
	if (a->trap != b->trap || a->pc != b->pc || a->npc != b->npc || a->ea != b->ea || a->annulled != b->annulled ||
	    memcmp(a->around, b->around, AROUND) != 0)
		return false;
	for (unsigned u = 1; !a->trap && u < REG_S; u++)
		if (listed(i->dst, i->ndst, u) && a->unit[u] != b->unit[u])
			return false;
	return true;
}

static bool skipped(enum opcode op)
{
	const struct insn_row *row = insn_row(op);

	/* traps only, or nothing but window registers */
	return row->flags & (INSN_PRIV | INSN_FLUSHW) || op == OP_ILLTRAP;
}

static struct machine *make_machine(uint8_t *pristine)
{
	struct machine *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->memory.page = page;
	cpu_init(&m->cpu, &m->memory);
	for (unsigned k = 0; k < PAGE; k++) /* half of the words zero: for cas */
		m->page[k] = (k & 8) ? 0 : (uint8_t)draw();
	memcpy(pristine, m->page, PAGE);
	return m;
}

static void each_row(void (*property)(struct machine *m, enum opcode op, const uint8_t *pristine))
{
	uint8_t *pristine = malloc(PAGE);
	struct machine *m;

	REQUIRE(pristine != NULL);
	m = make_machine(pristine);
	REQUIRE(m != NULL);
	for (unsigned op = 1; op < OP_SIMD_FIRST; op++)
		if (!skipped(op))
			property(m, op, pristine);
	free(m);
	free(pristine);
}

/* ---- properties ---- */

static void writes_of_row(struct machine *m, enum opcode op, const uint8_t *pristine)
{
	struct outcome o;
	struct insn i;
	struct cpu c = m->cpu;

	for (unsigned n = 0; n < 100; n++) {
		REQUIRE(draw_insn(op, &i));
		draw_state(&c, &i);
		run(m, &c, &i, pristine, &o);
		/* a window instruction moves all of these */
		bool moved = i.flags & (INSN_SAVE | INSN_RESTORE);

		for (unsigned u = 1; u < REG_S; u++)
			if (!(moved && u < REG_F) && o.unit[u] != get_unit(&c, u) &&
			    (o.trap || !listed(i.dst, i.ndst, u)))
				CHECK_STR(insn_row(op)->name, reg_name(u));
	}
}

static void reads_of_row(struct machine *m, enum opcode op, const uint8_t *pristine)
{
	struct outcome before, after;
	struct insn i;
	struct cpu c = m->cpu;

	for (unsigned n = 0; n < 20; n++) {
		REQUIRE(draw_insn(op, &i));
		draw_state(&c, &i);
		run(m, &c, &i, pristine, &before);
		for (unsigned u = 1; u < REG_S; u++) {
			uint64_t old = get_unit(&c, u);

			if (listed(i.src, i.nsrc, u) || u == REG_FSR)
				continue;
			set_unit(&c, u, draw_value(u));
			run(m, &c, &i, pristine, &after);
			set_unit(&c, u, old);
			if (!same_outcome(&i, &before, &after))
				CHECK_STR(insn_row(op)->name, reg_name(u));
		}
	}
}

/* Returns whether some change of operand `k` of `i` changes the outcome. */
static bool matters(struct machine *m, const struct cpu *c, const struct insn *i, unsigned k, const uint8_t *pristine,
		    const struct outcome *before)
{
	struct outcome after;
	struct cpu changed = *c;

	for (unsigned u = 0; u < i->src[k].width; u++)
		set_unit(&changed, i->src[k].unit + u, draw_value(i->src[k].unit + u));
	run(m, &changed, i, pristine, &after);
	return !same_outcome(i, before, &after);
}

static void needless_reads_of_row(struct machine *m, enum opcode op, const uint8_t *pristine)
{
	bool needed[INSN_MAX_SRC] = {false};
	struct outcome before;
	struct insn i;
	struct cpu c = m->cpu;

	/* operands by place: the longest list of the row has all of them */
	for (unsigned n = 0, full = 0; n < 3000; n++) {
		bool all = true;

		REQUIRE(draw_insn(op, &i));
		if (i.nsrc < full)
			continue;
		if (i.nsrc > full)
			memset(needed, 0, sizeof(needed));
		full = i.nsrc;
		draw_state(&c, &i);
		run(m, &c, &i, pristine, &before);
		for (unsigned k = 0; k < full; k++) {
			if (!needed[k])
				needed[k] = matters(m, &c, &i, k, pristine, &before);
			needed[k] |= op == OP_FLUSH; /* no instruction cache here */
			all &= needed[k];
		}
		if (all && n > 200)
			return;
	}
	for (unsigned k = 0; k < i.nsrc; k++)
		if (!needed[k])
			CHECK_STR(insn_row(op)->name, reg_name(i.src[k].unit));
}

static void nothing_but_the_writes_changes(void)
{
	each_row(writes_of_row);
}

static void the_outcome_depends_on_the_reads_alone(void)
{
	each_row(reads_of_row);
}

static void every_read_matters(void)
{
	each_row(needless_reads_of_row);
}

static const struct tap_test tests[] = {
	{"an execution changes nothing but what its writes name", nothing_but_the_writes_changes},
	{"its outcome depends on its reads alone", the_outcome_depends_on_the_reads_alone},
	{"each of its reads can matter", every_read_matters},
};

int main(void)
{
	return tap_main("isa truth", tests, TAP_COUNT(tests));
}
