/* The END member: totals, the location of each chunk, the order of threads, and their critical sections. */
#include "format.h"

bool index_add(struct trace_index *x, struct index_entry entry)
{
	if (x->count == x->capacity) {
		size_t capacity = x->capacity ? 2 * x->capacity : 64;
		struct index_entry *entries = realloc(x->entries, capacity * sizeof(*entries));
		if (!entries)
			return false;
		x->entries = entries;
		x->capacity = capacity;
	}
	x->entries[x->count++] = entry;
	return true;
}

bool index_add_order(struct trace_index *x, const struct trace_order *row)
{
	if (x->order_count == x->order_capacity) {
		size_t capacity = x->order_capacity ? 2 * x->order_capacity : 64;
		struct trace_order *orders = realloc(x->orders, capacity * sizeof(*orders));
		if (!orders)
			return false;
		x->orders = orders;
		x->order_capacity = capacity;
	}
	x->orders[x->order_count++] = *row;
	return true;
}

bool index_add_section(struct trace_index *x, const struct trace_section *row)
{
	if (x->section_count == x->section_capacity) {
		size_t capacity = x->section_capacity ? 2 * x->section_capacity : 64;
		struct trace_section *sections = realloc(x->sections, capacity * sizeof(*sections));
		if (!sections)
			return false;
		x->sections = sections;
		x->section_capacity = capacity;
	}
	x->sections[x->section_count++] = *row;
	return true;
}

void index_free(struct trace_index *x)
{
	free(x->sections);
	free(x->entries);
	free(x->orders);
	*x = (struct trace_index){0};
}

static size_t ended_sections(const struct trace_index *x)
{
	size_t count = 0;
	for (size_t i = 0; i < x->section_count; i++)
		count += x->sections[i].end != SECTION_OPEN;
	return count;
}

/* Encodes the critical sections that have an end. */
static bool encode_sections(const struct trace_index *x, size_t count, struct bytes *out)
{
	uint64_t at = 0;
	if (!bytes_number(out, count))
		return false;
	for (size_t i = 0; i < x->section_count; i++) {
		const struct trace_section *row = &x->sections[i];
		if (row->end == SECTION_OPEN)
			continue;
		if (!bytes_number(out, row->begin - at) || !bytes_number(out, row->end - row->begin) ||
		    !bytes_number(out, row->lock))
			return false;
		at = row->begin;
	}
	return true;
}

bool end_has_order(const struct trace_index *x)
{
	return x->order_count || ended_sections(x);
}

/* Encodes the order of threads and their critical sections, if the trace has any of the two. */
static bool encode_threads(const struct trace_index *x, struct bytes *out)
{
	size_t sections = ended_sections(x);
	uint64_t at = 0;
	if (!end_has_order(x))
		return true;
	if (!bytes_number(out, x->order_count))
		return false;
	for (size_t i = 0; i < x->order_count; i++) {
		const struct trace_order *row = &x->orders[i];
		if (!bytes_number(out, row->position - at) || !bytes_number(out, row->thread) ||
		    !bytes_number(out, row->after))
			return false;
		at = row->position;
	}
	return !sections || encode_sections(x, sections, out);
}

static const char *decode_sections(struct view *v, uint64_t insns, struct trace_index *x)
{
	uint64_t count, at = 0;
	if (!view_number(v, TRACE_SECTIONS_MAX, &count) || !count)
		return "the number of critical sections is truncated or out of range";
	for (uint64_t i = 0; i < count; i++) {
		uint64_t step, length, lock;
		if (!view_number(v, insns - at, &step) || !view_number(v, insns - at - step, &length) ||
		    !view_varint(v, &lock))
			return "a critical section is truncated or out of range";
		at += step;
		if (!index_add_section(x, &(struct trace_section){at, at + length, lock}))
			return out_of_memory;
	}
	return view_left(v) ? "bytes follow the critical sections" : NULL;
}

static const char *decode_threads(struct view *v, uint64_t insns, struct trace_index *x)
{
	uint64_t count, at = 0;
	if (!view_left(v))
		return NULL;
	if (!view_number(v, ORDERS_MAX, &count) || (!count && !view_left(v)))
		return "the number of rows of the order of threads is truncated or out of range";
	for (uint64_t i = 0; i < count; i++) {
		uint64_t step, thread, after;
		if (!view_number(v, insns - at, &step) || !view_number(v, TRACE_THREADS - 1, &thread) ||
		    !view_varint(v, &after))
			return "a row of the order of threads is truncated or out of range";
		at += step;
		if (!index_add_order(x, &(struct trace_order){at, after, (unsigned)thread}))
			return out_of_memory;
	}
	return view_left(v) ? decode_sections(v, insns, x) : NULL;
}

bool end_encode(const struct trace_totals *t, const struct trace_index *x, struct bytes *out)
{
	const uint64_t numbers[] = {
		zigzag((uint64_t)(int64_t)t->exit_status),
		t->insns,
		t->runs,
		t->accesses,
		t->blocks,
		t->static_insns,
		t->checksum,
		x->count,
	};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!bytes_number(out, numbers[i]))
			return false;
	for (size_t i = 0; i < x->count; i++)
		if (!bytes_number(out, x->entries[i].stored) || !bytes_number(out, x->entries[i].insns))
			return false;
	return encode_threads(x, out);
}

static const char *decode_entries(struct view *v, uint64_t count, uint64_t offset, uint64_t end, uint64_t insns,
				  struct trace_index *x)
{
	uint64_t at = 0;
	for (uint64_t i = 0; i < count; i++) {
		uint64_t stored, n;
		if (!view_number(v, UINT32_MAX, &stored) || !view_number(v, CHUNK_INSNS_MAX, &n))
			return "a row of the index is truncated or out of range";
		struct index_entry entry = {offset, at, (uint32_t)stored, (uint32_t)n};
		if (!index_add(x, entry))
			return out_of_memory;
		offset += stored;
		at += n;
		if (offset > end)
			return "the index contains members beyond the end";
	}
	if (offset != end)
		return "the index does not cover the whole file";
	if (at != insns)
		return "the index does not cover all instructions";
	return decode_threads(v, insns, x);
}

const char *end_decode(struct view v, uint32_t header_size, uint64_t end, struct trace_totals *t, struct trace_index *x)
{
	uint64_t status, checksum, count;
	if (!view_number(&v, UINT32_MAX, &status) || !view_varint(&v, &t->insns) || !view_varint(&v, &t->runs) ||
	    !view_varint(&v, &t->accesses) || !view_number(&v, STATIC_INSNS_MAX, &t->blocks) ||
	    !view_number(&v, STATIC_INSNS_MAX, &t->static_insns) || !view_number(&v, UINT32_MAX, &checksum) ||
	    !view_number(&v, UINT32_MAX, &count))
		return "a total is truncated or out of range";
	t->exit_status = (int)(int64_t)unzigzag(status);
	t->checksum = (uint32_t)checksum;
	return decode_entries(&v, count, header_size, end, t->insns, x);
}
