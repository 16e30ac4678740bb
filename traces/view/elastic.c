#include "elastic.h"

#include <stdlib.h>
#include <string.h>

#include "../../psim/base/hash.h"
#include "../../psim/base/mem.h"

/* Times are picoseconds; a cycle is one of 1 GHz, and fetch takes four instructions a cycle. */
enum { CYCLE = 1000, INSN_FETCH = CYCLE / 4, LINE_BYTES = 64, PAGE_SHIFT = 13, MESSAGE_MOST = 4096 };
static const uint64_t tick_frequency = 1000000000000;

/* Names of gem5: InstDepRecord.RecordType, MemCmd::ReadReq, Request::INST_FETCH. */
enum { RECORD_LOAD = 1, RECORD_STORE = 2, RECORD_COMP = 3, READ_REQUEST = 1, FLAG_FETCH = 0x100 };

/* ---- protocol buffers ---- */
struct message {
	uint8_t at[MESSAGE_MOST];
	unsigned size;
};

static void put_varint(struct message *m, uint64_t value)
{
	for (; value > 127; value >>= 7)
		m->at[m->size++] = (uint8_t)(value | 128);
	m->at[m->size++] = (uint8_t)value;
}

/* A field of the wire type varint. */
static void put_number(struct message *m, unsigned field, uint64_t value)
{
	put_varint(m, field << 3);
	put_varint(m, value);
}

static void put_string(struct message *m, unsigned field, const char *text)
{
	const size_t length = strlen(text);

	put_varint(m, field << 3 | 2);
	put_varint(m, length);
	memcpy(m->at + m->size, text, length);
	m->size += (unsigned)length;
}

static void write_message(FILE *out, const struct message *m)
{
	struct message head = {.size = 0};

	put_varint(&head, m->size);
	fwrite(head.at, head.size, 1, out);
	fwrite(m->at, m->size, 1, out);
}

/* ---- pages ---- */
static struct elastic_page *place_of(struct elastic *e, uint64_t page)
{
	uint64_t n = hash_mix(page) & (e->room - 1);

	while (e->pages[n].frame && e->pages[n].page != page)
		n = (n + 1) & (e->room - 1);
	return &e->pages[n];
}

static bool grow_pages(struct elastic *e)
{
	struct elastic_page *old = e->pages;
	const uint64_t room = e->room;

	e->room = room ? 2 * room : 1024;
	e->pages = mem_alloc(e->room, sizeof(*e->pages), NULL);
	if (!e->pages) {
		e->pages = old;
		e->room = room;
		return false;
	}
	for (uint64_t n = 0; n < room; n++)
		if (old[n].frame)
			*place_of(e, old[n].page) = old[n];
	free(old);
	return true;
}

/* The address in memory of a system that gives pages their frames in the order of first use. */
static uint64_t physical(struct elastic *e, uint64_t address)
{
	struct elastic_page *p;

	if (2 * e->frames >= e->room && !grow_pages(e)) {
		e->no_memory = true;
		return 0;
	}
	p = place_of(e, address >> PAGE_SHIFT);
	if (!p->frame)
		*p = (struct elastic_page){address >> PAGE_SHIFT, ++e->frames};
	return (p->frame - 1) << PAGE_SHIFT | (address & ((1u << PAGE_SHIFT) - 1));
}

/* ---- dependences ---- */
/* The number of a register unit; the outs of a window are the ins of the next one. */
static unsigned elastic_unit_of(unsigned unit, unsigned window)
{
	if (unit < REG_R + 8 || unit >= REG_F)
		return unit;
	if (unit < REG_R + 16)
		return REG_COUNT + (window + 1) % EXECUTED_WINDOWS * 16 + (unit - 8);
	return REG_COUNT + window * 16 + (unit < REG_R + 24 ? unit - 8 : unit - 24);
}

/* Adds a dependence on `seq` to field `field`, if that is in the window and not in `seen[*count]`. */
static void add_dependence(struct elastic *e, struct message *m, unsigned field, uint64_t seq, uint64_t *seen,
			   unsigned *count)
{
	if (!seq || e->seq - seq > ELASTIC_WINDOW)
		return;
	for (unsigned n = 0; n < *count; n++)
		if (seen[n] == seq)
			return;
	seen[(*count)++] = seq;
	put_number(m, field, seq);
}

static void add_registers(struct elastic *e, struct message *m, const struct executed_insn *x)
{
	uint64_t seen[INSN_MAX_SRC * 64];
	unsigned count = 0;

	for (unsigned n = 0; n < x->insn->nsrc; n++)
		for (unsigned k = 0; k < x->insn->src[n].width; k++)
			add_dependence(e, m, 8, e->writer[elastic_unit_of(x->insn->src[n].unit + k, x->window)], seen,
				       &count);
}

static void note_results(struct elastic *e, const struct executed_insn *x)
{
	const unsigned window = executed_window_of_results(x);

	for (unsigned n = 0; n < x->insn->ndst; n++)
		for (unsigned k = 0; k < x->insn->dst[n].width; k++)
			e->writer[elastic_unit_of(x->insn->dst[n].unit + k, window)] = e->seq;
}

/* A load follows the last store to its first eight bytes; a store follows the instruction before it, as it commits. */
static void add_order(struct elastic *e, struct message *m, const struct executed_insn *x, unsigned type)
{
	const uint64_t granule = x->address / 8, place = granule % ELASTIC_GRANULES;
	uint64_t seen[1];
	unsigned count = 0;

	if (type == RECORD_STORE) {
		add_dependence(e, m, 6, e->seq - 1, seen, &count);
		e->stored[place].granule = granule;
		e->stored[place].seq = e->seq;
	} else if (e->stored[place].granule == granule) {
		add_dependence(e, m, 6, e->stored[place].seq, seen, &count);
	}
}

/* Cycles from the last dependence to the result, without an access to memory: defaults of psim's section latency. */
static unsigned delay_of(const struct insn *i)
{
	static const uint8_t cycles[CLASS_COUNT] = {
		[CLASS_INT_MUL] = 5,    [CLASS_INT_DIV] = 37,      [CLASS_FP_MOVE] = 2,    [CLASS_FP_ADD] = 4,
		[CLASS_FP_CONVERT] = 4, [CLASS_FP_CMP] = 4,        [CLASS_FP_MUL] = 4,     [CLASS_FP_FMA] = 8,
		[CLASS_FP_DIV_S] = 12,  [CLASS_FP_DIV_D] = 19,     [CLASS_FP_SQRT_S] = 18, [CLASS_FP_SQRT_D] = 29,
		[CLASS_FP_QUAD] = 60,   [CLASS_FP_QUAD_MOVE] = 60, [CLASS_VIS] = 2,
	};

	return cycles[i->class] ? cycles[i->class] : 1;
}

/* ---- the files ---- */
void elastic_begin(struct elastic *e, FILE *data, FILE *fetch)
{
	static const uint8_t magic[] = {'g', 'e', 'm', '5'};
	struct message m = {.size = 0}, f;

	*e = (struct elastic){.data = data, .fetch = fetch};
	put_string(&m, 1, "psim");
	put_number(&m, 2, 0);
	put_number(&m, 3, tick_frequency);
	f = m;
	put_number(&m, 4, ELASTIC_WINDOW);
	if (data) {
		fwrite(magic, sizeof(magic), 1, data);
		write_message(data, &m);
	}
	if (fetch) {
		fwrite(magic, sizeof(magic), 1, fetch);
		write_message(fetch, &f);
	}
}

/* Writes the fetch of a line, unless it is the line fetched last. */
static void write_fetch(struct elastic *e, uint64_t pc)
{
	const uint64_t line = pc / LINE_BYTES + 1;
	struct message m = {.size = 0};

	if (line == e->line)
		return;
	e->line = line;
	put_number(&m, 1, (e->seq - 1) * INSN_FETCH);
	put_number(&m, 2, READ_REQUEST);
	put_number(&m, 3, physical(e, pc & ~(uint64_t)(LINE_BYTES - 1)));
	put_number(&m, 4, LINE_BYTES);
	put_number(&m, 5, FLAG_FETCH);
	put_number(&m, 7, pc);
	write_message(e->fetch, &m);
}

void elastic_write(void *elastic, const struct executed_insn *x, bool taken, uint64_t next)
{
	struct elastic *e = elastic;
	const uint32_t flags = x->insn->flags;
	const unsigned type = flags & INSN_LOAD ? RECORD_LOAD : flags & INSN_STORE ? RECORD_STORE : RECORD_COMP;
	struct message m = {.size = 0};

	(void)taken;
	(void)next;
	e->seq++;
	if (e->fetch)
		write_fetch(e, x->pc);
	if (e->data) {
		put_number(&m, 1, e->seq);
		put_number(&m, 2, type);
		if (type != RECORD_COMP) {
			put_number(&m, 3, physical(e, x->address));
			put_number(&m, 4, x->insn->size);
			put_number(&m, 5, 0);
			add_order(e, &m, x, type);
		}
		put_number(&m, 7, (uint64_t)delay_of(x->insn) * CYCLE);
		add_registers(e, &m, x);
		put_number(&m, 10, x->pc);
		if (type != RECORD_COMP)
			put_number(&m, 11, x->address);
		write_message(e->data, &m);
	}
	note_results(e, x);
}

int elastic_end(struct elastic *e, struct err *err)
{
	free(e->pages);
	e->pages = NULL;
	return e->no_memory ? err_set(err, STATUS_FAILED, "out of memory for the pages of the program") : 0;
}
