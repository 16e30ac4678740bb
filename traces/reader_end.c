/* The end of a trace: END and TAIL, read in order or by a seek from the end. */
#include "reader.h"

#include <errno.h>
#include <sys/stat.h>

static int decode_end(struct trace_reader *r)
{
	const struct view v = {r->content.data, r->content.data + r->content.size};
	r->index.count = r->index.order_count = r->index.section_count = 0;
	const char *wrong = end_decode(v, r->header_size, r->member_offset, &r->totals, &r->index);
	if (!wrong && r->index.count + 1 != r->member.sequence)
		wrong = "the number of rows in the index differs from the number of members";
	if (!wrong && r->totals.insns != r->member.at)
		wrong = "the stated number of instructions is wrong";
	return wrong ? reader_wrong(r, wrong) : 0;
}

static bool same_index(const struct trace_index *a, const struct trace_index *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		const struct index_entry *x = &a->entries[i], *y = &b->entries[i];
		if (x->offset != y->offset || x->at != y->at || x->stored != y->stored || x->insns != y->insns)
			return false;
	}
	return true;
}

int reader_end(struct trace_reader *r)
{
	if (decode_end(r) < 0)
		return -1;
	r->ended = true;
	const struct trace_totals *t = &r->totals;
	if (!r->in_order)
		return 0;
	if (t->checksum != r->checksum)
		return reader_damage(r, "checksum of the whole trace differs, the file is damaged");
	if (t->blocks != r->block_count || t->static_insns != r->static_insns || t->runs != r->sum_runs ||
	    t->accesses != r->sum_accesses)
		return reader_damage(r, "the totals differ from what was read");
	if (!same_index(&r->index, &r->seen))
		return reader_damage(r, "the index differs from what was read");
	return 0;
}

int reader_tail(struct trace_reader *r)
{
	uint64_t end = r->member_offset;
	if (reader_member(r) < 0)
		return -1;
	if (r->member.at != end)
		return reader_damage(r, "the tail does not point to the end member");
	r->member_offset = r->offset;
	if (fgetc(r->in) != EOF)
		return reader_damage(r, "bytes follow the end of the trace");
	if (ferror(r->in))
		return reader_failure(r, "cannot read: %s", strerror(errno));
	r->totals.members = r->sequence;
	r->totals.bytes = r->offset;
	r->totals_known = true;
	r->finished = true;
	return 0;
}

/* Reads the tail of a file of `size` bytes; false if it has none. */
static bool read_tail(struct trace_reader *r, uint64_t size, struct member *tail)
{
	uint8_t head[MEMBER_HEAD];
	if (size < TAIL_SIZE || fseeko(r->in, (off_t)(size - TAIL_SIZE), SEEK_SET) != 0 ||
	    fread(head, 1, sizeof(head), r->in) != sizeof(head))
		return false;
	return !member_decode(head, tail) && tail->kind == MEMBER_TAIL && tail->sequence > 1 && tail->at < size;
}

/* Reports where a file without a tail is damaged. */
static int find_damage(struct trace_reader *r, uint64_t offset)
{
	if (reader_goto(r, offset, 1, 0) < 0)
		return -1;
	do {
		if (reader_member(r) < 0)
			return -1;
	} while (r->member.kind != MEMBER_END);
	if (decode_end(r) < 0)
		return -1;
	r->ended = true;
	return reader_tail(r);
}

int reader_find_end(struct trace_reader *r)
{
	struct stat st;
	struct member tail, end;
	const uint64_t begin = r->offset;
	if (fstat(fileno(r->in), &st) != 0)
		return reader_failure(r, "cannot read: %s", strerror(errno));
	r->in_order = false;
	if (!read_tail(r, (uint64_t)st.st_size, &tail)) {
		if (find_damage(r, begin) < 0)
			return -1;
	} else {
		uint8_t head[MEMBER_HEAD];
		if (fseeko(r->in, (off_t)tail.at, SEEK_SET) != 0 ||
		    fread(head, 1, sizeof(head), r->in) != sizeof(head) || member_decode(head, &end) ||
		    end.kind != MEMBER_END)
			return find_damage(r, begin) < 0 ? -1 : 0;
		if (reader_goto(r, tail.at, tail.sequence - 1, end.at) < 0 || reader_member(r) < 0 || decode_end(r) < 0)
			return -1;
		r->ended = true;
		if (reader_tail(r) < 0)
			return -1;
	}
	if (reader_goto(r, begin, 1, 0) < 0)
		return -1;
	r->in_order = true;
	return 0;
}
