#include "trace_maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ADDRESS = 0x100000 };

static void need(bool ok, const char *what, const struct err *e)
{
	if (ok)
		return;
	fprintf(stderr, "trace_maker: %s%s%s\n", what, e ? ": " : "", e ? e->text : "");
	exit(1);
}

void trace_maker_start(struct trace_maker *m, const struct trace_info *info)
{
	static const char *const args[] = {"test"};
	static const struct trace_info plain = {
		.program = "test",
		.args = args,
		.arg_count = 1,
		.recorder = "trace_maker",
	};
	const char *folder = getenv("TMPDIR");
	struct err e;

	*m = (struct trace_maker){0};
	snprintf(m->path, sizeof(m->path), "%.40s/trace-XXXXXX", folder ? folder : "/tmp");
	int fd = mkstemp(m->path);
	need(fd >= 0, "no temporary file", NULL);
	close(fd);
	m->blocks = calloc(TRACE_MAKER_BLOCKS, sizeof(*m->blocks));
	need(m->blocks, "no memory", NULL);
	m->writer = trace_writer_create(m->path, info ? info : &plain, &e);
	need(m->writer, "create", &e);
}

static uint32_t declare(struct trace_maker *m, uint64_t pc, const uint32_t *words, unsigned count)
{
	struct err e;
	for (unsigned i = 0; i < m->block_count; i++) {
		const struct trace_maker_block *b = &m->blocks[i];
		if (b->pc == pc && b->count == count && b->simd == m->simd &&
		    !memcmp(b->words, words, count * sizeof(*words)))
			return i;
	}
	need(m->block_count < TRACE_MAKER_BLOCKS, "too many blocks", NULL);
	int64_t id = trace_writer_block(m->writer, pc, words, count, m->simd, &e);
	need(id == m->block_count, "block", &e);
	struct trace_maker_block *b = &m->blocks[m->block_count++];
	b->pc = pc;
	b->count = count;
	b->simd = m->simd;
	memcpy(b->words, words, count * sizeof(*words));
	return (uint32_t)id;
}

void trace_maker_loop(struct trace_maker *m, uint64_t pc, const uint32_t *words, unsigned count, uint64_t times,
		      const uint64_t *ea, const int64_t *stride)
{
	uint32_t id = declare(m, pc, words, count);
	unsigned n = trace_count_addresses(words, count, m->simd);
	uint64_t now[TRACE_ADDRESSES_MAX];
	struct err e;

	for (unsigned k = 0; k < n; k++)
		now[k] = ea ? ea[k] : ADDRESS;
	for (uint64_t i = 0; i < times; i++) {
		need(trace_writer_run(m->writer, id, now, &e) == 0, "run", &e);
		for (unsigned k = 0; stride && k < n; k++)
			now[k] += (uint64_t)stride[k];
	}
}

void trace_maker_run(struct trace_maker *m, uint64_t pc, const uint32_t *words, unsigned count, const uint64_t *ea)
{
	trace_maker_loop(m, pc, words, count, 1, ea, NULL);
}

/* Instructions of the block that begins at words[0]: up to a delay slot, or the longest. */
static unsigned block_length(const uint32_t *words, unsigned count)
{
	for (unsigned i = 0; i < count && i < TRACE_BLOCK_MAX; i++) {
		struct insn insn;
		insn_decode(words[i], &insn);
		if (insn.flags & INSN_MODE)
			return i + 1;
		/* a transfer in the last place leaves its slot to the next block */
		if (insn.flags & INSN_CTI)
			return i + 2 <= count && i + 2 <= TRACE_BLOCK_MAX ? i + 2 : i + 1;
	}
	return count < TRACE_BLOCK_MAX ? count : TRACE_BLOCK_MAX;
}

void trace_maker_straight(struct trace_maker *m, uint64_t pc, const uint32_t *words, unsigned count, const uint64_t *ea)
{
	while (count) {
		unsigned n = block_length(words, count);
		struct insn last;

		insn_decode(words[n - 1], &last);
		trace_maker_run(m, pc, words, n, ea);
		if (ea)
			ea += trace_count_addresses(words, n, m->simd);
		if (last.flags & INSN_MODE)
			m->simd = last.opcode == OP_SIMDON;
		pc += 4 * (uint64_t)n;
		words += n;
		count -= n;
	}
}

struct trace_reader *trace_maker_open(struct trace_maker *m)
{
	struct err e;
	if (m->writer) {
		need(trace_writer_close(m->writer, 0, &e) == 0, "close", &e);
		m->writer = NULL;
	}
	struct trace_reader *r = trace_open(m->path, &e);
	need(r, "open", &e);
	return r;
}

void trace_maker_finish(struct trace_maker *m)
{
	trace_writer_abort(m->writer);
	unlink(m->path);
	free(m->blocks);
	*m = (struct trace_maker){0};
}
