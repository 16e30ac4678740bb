/*
 * Traces: any bytes are read to the end or refused, from a file with seeks and
 * from a stream, with the same result.
 *
 * Since checksums stop nearly every mutation at the door, an input that begins
 * with 'W' (version 1), 'V' (2), 'U' (3) or 'T' (4) is a list of contents (kind, 16-bit length, bytes) which are put
 * into members with right heads and checksums here, of an END only the numbers
 * of blocks and static instructions; any other is a whole file.
 */
#define _GNU_SOURCE /* memfd_create */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "fuzz.h"
#include "traces/format.h"

static void need(bool ok)
{
	if (!ok)
		abort();
}

static void add_number(struct bytes *file, uint32_t number)
{
	uint8_t le[4];
	for (unsigned i = 0; i < 4; i++)
		le[i] = (uint8_t)(number >> 8 * i);
	need(bytes_append(file, le, 4));
}

/* Stored, not compressed: a deflate stream of one block (RFC 1951, 3.2.4). */
static void add_member(struct bytes *file, struct member *m, const uint8_t *content, uint16_t n)
{
	const uint8_t block[5] = {1, (uint8_t)n, (uint8_t)(n >> 8), (uint8_t)~n, (uint8_t)(~n >> 8)};
	uint8_t head[MEMBER_HEAD];
	m->inflated = n;
	m->stored = MEMBER_HEAD + 5u + n + MEMBER_TRAILER;
	if (m->kind == MEMBER_TAIL) { /* the one member of fixed size */
		m->stored = TAIL_SIZE;
		m->inflated = 0;
		n = 0;
	}
	member_encode(m, head);
	need(bytes_append(file, head, sizeof(head)));
	if (m->kind == MEMBER_TAIL)
		need(bytes_append(file, "\3\0", 2));
	else
		need(bytes_append(file, block, 5) && bytes_append(file, content, n));
	add_number(file, (uint32_t)crc32(0, content, n));
	add_number(file, n);
}

/* The contents of a wrapped file so far. */
struct wrapped {
	struct bytes *file;
	struct trace_totals totals;
	struct trace_index index;
	uint64_t end; /* where END begins */
};

/* The counts that a DATA content states, as far as the head could carry them. */
static uint32_t take_counts(struct trace_totals *t, const uint8_t *content, size_t n)
{
	struct view v = {content, content + n};
	uint64_t runs, insns, accesses;
	if (!view_varint(&v, &runs) || !view_number(&v, CHUNK_INSNS_MAX, &insns) || !view_varint(&v, &accesses))
		return 0;
	t->runs += runs;
	t->insns += insns;
	t->accesses += accesses;
	return (uint32_t)insns;
}

static void add_end(struct wrapped *w, struct member *m, const uint8_t *content, size_t n)
{
	struct view v = {content, content + n};
	struct bytes end = {0};
	if (!view_varint(&v, &w->totals.blocks) || !view_varint(&v, &w->totals.static_insns))
		w->totals.blocks = 0;
	need(end_encode(&w->totals, &w->index, &end));
	w->end = w->file->size;
	add_member(w->file, m, end.data, (uint16_t)(end.size < UINT16_MAX ? end.size : 0));
	bytes_free(&end);
}

static void add_content(struct wrapped *w, struct member *m, const uint8_t *content, uint16_t n)
{
	struct index_entry entry = {.offset = w->file->size};
	m->at = m->kind == MEMBER_TAIL ? w->end : w->totals.insns;
	m->insns = m->kind == MEMBER_DATA ? take_counts(&w->totals, content, n) : 0;
	if (m->kind == MEMBER_END) {
		add_end(w, m, content, n);
		return;
	}
	add_member(w->file, m, content, n);
	if (m->kind == MEMBER_TAIL)
		return;
	w->totals.checksum = checksum_push(w->totals.checksum, (uint32_t)crc32(0, content, n));
	entry.stored = m->stored;
	entry.insns = m->insns;
	if (m->kind != MEMBER_HEADER)
		need(index_add(&w->index, entry));
}

static void wrap(struct bytes *file, unsigned version, const uint8_t *data, size_t size)
{
	struct wrapped w = {.file = file};
	for (struct member m = {.version = version}; size >= 3; m.sequence++) {
		size_t n = data[1] | (size_t)data[2] << 8;
		if (n > size - 3)
			n = size - 3;
		m.kind = strchr("HCET", data[0]) && data[0] ? (enum member_kind)data[0] : MEMBER_DATA;
		add_content(&w, &m, data + 3, (uint16_t)n);
		data += 3 + n;
		size -= 3 + n;
	}
	index_free(&w.index);
}

static void check_error(const struct err *e)
{
	need(e->status == STATUS_BAD_INPUT && *e->text && !strchr(e->text, '\n'));
}

/* Reads everything. Whether it was a whole trace; its instructions. */
static bool read_all(struct trace_reader *r, uint64_t *insns)
{
	struct trace_step step;
	struct err e;
	uint64_t sum = 0;
	int event;
	while ((event = trace_next(r, &step, &e)) > 0) {
		if (event != TRACE_RUN) {
			need(step.name && *step.name);
			continue;
		}
		need(!step.block->simd || trace_info(r)->pes);
		need(step.block->memory_count <= TRACE_ADDRESSES_MAX);
		for (unsigned i = 0; i < step.block->memory_count; i++)
			sum ^= step.ea[i];
		const struct trace_line *line = trace_line_at(trace_info(r), step.block->pc);
		need(!line || strlen(trace_line_file(trace_info(r), line)) < STRING_MAX + 1u);
		need(step.block->count >= 1 && step.block->count <= TRACE_BLOCK_MAX);
		need(step.block->insns[step.block->count - 1].class < CLASS_COUNT);
	}
	*insns = trace_position(r);
	if (event < 0) {
		check_error(&e);
		need(trace_next(r, &step, &e) < 0);
		return false;
	}
	need(trace_totals(r) && trace_totals(r)->insns == *insns && sum + 1 != 0);
	return true;
}

static bool from_file(const struct bytes *file, uint64_t *insns)
{
	char path[40];
	struct err e;
	int fd = memfd_create("trace", 0);
	need(fd >= 0 && write(fd, file->data, file->size) == (ssize_t)file->size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct trace_reader *r = trace_open(path, &e);
	close(fd);
	if (!r) {
		check_error(&e);
		return false;
	}
	bool whole = read_all(r, insns);
	if (whole && *insns) {
		for (uint64_t k = 0; k < 4; k++) {
			uint64_t insn = *insns * k / 4;
			struct trace_step step;
			need(trace_seek(r, insn, &e) == 0 && trace_position(r) <= insn);
			need(trace_next(r, &step, &e) == TRACE_RUN && trace_position(r) > insn);
		}
	}
	trace_close(r);
	return whole;
}

static bool from_stream(const struct bytes *file, uint64_t *insns)
{
	char path[40];
	struct err e;
	int ends[2];
	need(pipe(ends) == 0);
	/* enough for what libFuzzer makes at first; a pipe that is full would block */
	need(fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) > 0);
	need(write(ends[1], file->data, file->size) == (ssize_t)file->size);
	close(ends[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	struct trace_reader *r = trace_open(path, &e);
	close(ends[0]);
	if (!r) {
		check_error(&e);
		return false;
	}
	bool whole = read_all(r, insns);
	trace_close(r);
	return whole;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes file = {0};
	uint64_t insns = 0, again = 0;
	if (size && data[0] <= 'W' && data[0] >= 'T')
		wrap(&file, 1u + 'W' - data[0], data + 1, size - 1);
	else
		need(bytes_append(&file, data, size));
	if (file.size < 1 << 19) {
		bool whole = from_file(&file, &insns);
		need(whole == from_stream(&file, &again) && (!whole || insns == again));
	}
	bytes_free(&file);
	return 0;
}
