/* Damaged, cut and hostile traces are recognised and named, never half believed. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "alloc_fail.h"
#include "trace_maker.h"
#include "traces/format.h"

#define NOP 0x01000000u
#define LDX 0xc2586000u /* ldx [%g1], %g1 */

enum {
	FILE_MAX = 8192,
};

static const uint32_t body[] = {LDX, NOP, LDX}, rest[] = {NOP, NOP};

static const struct trace_symbol symbols[] = {{0x10000, 12, "main"}};
static const char *const args[] = {"p", "-n"};
static const struct trace_info info = {
	.program = "p",
	.args = args,
	.arg_count = 2,
	.symbols = symbols,
	.symbol_count = 1,
	.recorder = "r",
	.entry = 0x10000,
};

struct file {
	uint8_t bytes[FILE_MAX];
	size_t size;
	char path[TRACE_MAKER_PATH];
	uint64_t digest; /* of all its contents */
};

static void add(uint64_t *digest, const void *data, size_t n)
{
	const uint8_t *p = data;
	for (size_t i = 0; i < n; i++)
		*digest = (*digest ^ p[i]) * 0x100000001b3u; /* FNV-1a */
}

static void add_number(uint64_t *digest, uint64_t n)
{
	add(digest, &n, sizeof(n));
}

/* Reads everything there is. 0 and its digest, or -1 with `e`. */
static int digest_of(const char *path, uint64_t *digest, struct err *e)
{
	struct trace_reader *r = trace_open(path, e);
	struct trace_step s;
	int event;

	*digest = 0xcbf29ce484222325u;
	if (!r)
		return -1;
	const struct trace_info *i = trace_info(r);
	add(digest, i->program, strlen(i->program));
	add(digest, i->args[1], strlen(i->args[1]));
	add(digest, i->symbols[0].name, strlen(i->symbols[0].name));
	add_number(digest, i->entry);
	while ((event = trace_next(r, &s, e)) > 0) {
		add_number(digest, (uint64_t)event);
		if (event != TRACE_RUN) {
			add(digest, s.name, strlen(s.name));
			continue;
		}
		add_number(digest, s.block->pc);
		for (unsigned k = 0; k < s.block->count; k++)
			add_number(digest, s.block->insns[k].word);
		add(digest, s.ea, s.block->memory_count * sizeof(*s.ea));
	}
	if (event == TRACE_END)
		add_number(digest, (uint64_t)trace_totals(r)->exit_status);
	trace_close(r);
	return event;
}

/* The same through a pipe, where nothing can be looked up at the end first. */
static int digest_of_stream(const uint8_t *bytes, size_t n, uint64_t *digest, struct err *e)
{
	int ends[2];
	char path[32];
	if (pipe(ends) != 0)
		return -2;
	ssize_t written = write(ends[1], bytes, n);
	close(ends[1]);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	int status = written == (ssize_t)n ? digest_of(path, digest, e) : -2;
	close(ends[0]);
	return status;
}

static void load(struct file *f, struct trace_maker *m)
{
	struct err e;
	trace_close(trace_maker_open(m));
	FILE *in = fopen(m->path, "rb");
	REQUIRE(in != NULL);
	f->size = fread(f->bytes, 1, FILE_MAX, in);
	fclose(in);
	memcpy(f->path, m->path, sizeof(f->path));
	CHECK(f->size < FILE_MAX);
	CHECK_I64(digest_of(f->path, &f->digest, &e), 0);
}

/* Ten rounds of body (3 instructions) and rest (2) in two chunks of 25, with a region. */
static void make(struct file *f, struct trace_maker *m)
{
	struct err e;
	trace_maker_start(m, &info);
	trace_writer_chunks(m->writer, 25);
	for (uint64_t i = 0; i < 10; i++) {
		const uint64_t ea[] = {0x1000 + 8 * i, 0x123456789 * i};
		trace_maker_run(m, 0x10000, body, 3, ea);
		if (i == 3 || i == 8)
			CHECK_I64(trace_writer_region(m->writer, "region", i == 3, &e), 0);
		trace_maker_run(m, 0x20000, rest, 2, NULL);
	}
	load(f, m);
}

static void put(const char *path, const uint8_t *bytes, size_t n)
{
	FILE *out = fopen(path, "wb");
	REQUIRE(out != NULL);
	CHECK_U64(fwrite(bytes, 1, n, out), n);
	fclose(out);
}

static void a_file_cut_at_any_byte_is_refused(void)
{
	struct trace_maker m;
	struct file f;
	struct err e;
	uint64_t digest;

	make(&f, &m);
	for (size_t n = 0; n < f.size; n++) {
		put(f.path, f.bytes, n);
		CHECK_I64(digest_of(f.path, &digest, &e), -1);
		CHECK_U64(e.status, STATUS_BAD_INPUT);
		CHECK_I64(digest_of_stream(f.bytes, n, &digest, &e), -1);
		CHECK_U64(e.status, STATUS_BAD_INPUT);
	}
	trace_maker_finish(&m);
}

static void any_flipped_bit_is_found_or_harmless(void)
{
	struct trace_maker m;
	struct file f;
	struct err e;
	uint64_t digest;
	unsigned harmless = 0;

	make(&f, &m);
	for (size_t i = 0; i < 8 * f.size; i++) {
		f.bytes[i / 8] ^= (uint8_t)(1 << i % 8);
		put(f.path, f.bytes, f.size);
		int file = digest_of(f.path, &digest, &e);
		CHECK(file == 0 ? digest == f.digest : e.status == STATUS_BAD_INPUT);
		int stream = digest_of_stream(f.bytes, f.size, &digest, &e);
		CHECK(stream == 0 ? digest == f.digest : e.status == STATUS_BAD_INPUT);
		harmless += stream == 0;
		f.bytes[i / 8] ^= (uint8_t)(1 << i % 8);
	}
	/*
	 * What stays: at most 7 bits that fill up the last byte of each of the six
	 * members' deflate streams (header, code, two data, end, tail).
	 */
	CHECK(harmless <= 6 * 7);
	trace_maker_finish(&m);
}

static void bytes_behind_the_end_are_refused(void)
{
	struct trace_maker m;
	struct file f;
	struct err e;
	uint64_t digest;

	make(&f, &m);
	f.bytes[f.size] = 0;
	put(f.path, f.bytes, f.size + 1);
	CHECK_I64(digest_of(f.path, &digest, &e), -1);
	CHECK(strstr(e.text, "bytes follow the end of the trace") != NULL);
	CHECK_I64(digest_of_stream(f.bytes, f.size + 1, &digest, &e), -1);
	CHECK(strstr(e.text, "bytes follow the end of the trace") != NULL);
	trace_maker_finish(&m);
}

/* Where member `sequence` begins. */
static size_t member_at(const struct file *f, uint32_t sequence, struct member *head)
{
	size_t at = 0;
	for (;;) {
		const char *wrong = member_decode(f->bytes + at, head);
		CHECK(wrong == NULL);
		if (wrong || head->sequence == sequence)
			return at;
		at += head->stored;
	}
}

static void the_message_names_place_member_and_what_is_good(void)
{
	struct trace_maker m;
	struct file f;
	struct err e;
	struct member head;
	uint64_t digest;
	char expected[256];

	make(&f, &m);
	/* header, code, data (25 instructions), data: the second data member is number 3 */
	size_t at = member_at(&f, 3, &head);
	CHECK_U64(head.kind, MEMBER_DATA);
	CHECK_U64(head.at, 25);
	f.bytes[at + head.stored - MEMBER_TRAILER] ^= 0x10; /* in its CRC-32 */
	put(f.path, f.bytes, f.size);
	CHECK_I64(digest_of(f.path, &digest, &e), -1);
	snprintf(expected, sizeof(expected),
		 "%s:offset 0x%zx: member 3 (data): checksum differs, the "
		 "file is damaged; 25 instructions before it are good",
		 f.path, at);
	CHECK_STR(e.text, expected);

	put(f.path, f.bytes, at + 60);
	CHECK_I64(digest_of(f.path, &digest, &e), -1);
	snprintf(expected, sizeof(expected),
		 "%s:offset 0x%zx: member 3 (data): the file is truncated "
		 "in this member; 25 instructions before it are good",
		 f.path, at);
	CHECK_STR(e.text, expected);
	trace_maker_finish(&m);
}

static void a_missing_or_repeated_member_is_found(void)
{
	struct trace_maker m;
	struct file f;
	struct err e;
	struct member head;
	uint64_t digest;
	uint8_t other[2 * FILE_MAX];

	make(&f, &m);
	size_t at = member_at(&f, 2, &head), end = at + head.stored;
	memcpy(other, f.bytes, at); /* without member 2 */
	memcpy(other + at, f.bytes + end, f.size - end);
	put(f.path, other, f.size - head.stored);
	CHECK_I64(digest_of(f.path, &digest, &e), -1);
	CHECK_I64(digest_of_stream(other, f.size - head.stored, &digest, &e), -1);
	memcpy(other, f.bytes, end); /* with member 2 twice */
	memcpy(other + end, f.bytes + at, f.size - at);
	put(f.path, other, f.size + head.stored);
	CHECK_I64(digest_of(f.path, &digest, &e), -1);
	CHECK_I64(digest_of_stream(other, f.size + head.stored, &digest, &e), -1);
	CHECK(strstr(e.text, "out of order") != NULL);
	trace_maker_finish(&m);
}

/* A file of one HEADER member that states `inflated` bytes but holds `content`. */
static size_t one_member(uint8_t *out, uint32_t inflated, const uint8_t *content, size_t n)
{
	uLongf room = FILE_MAX - MEMBER_HEAD;
	uint8_t packed[FILE_MAX];
	REQUIRE(compress(packed, &room, content, n) == Z_OK);
	size_t deflated = room - 2 - 4; /* zlib's own head and trailer around it */
	memcpy(out + MEMBER_HEAD, packed + 2, deflated);
	uint32_t numbers[2] = {(uint32_t)crc32(0, content, (uInt)n), inflated};
	for (unsigned i = 0; i < 8; i++)
		out[MEMBER_HEAD + deflated + i] = (uint8_t)(numbers[i / 4] >> 8 * (i % 4));
	struct member head = {
		.kind = MEMBER_HEADER,
		.version = FORMAT_VERSION,
		.stored = (uint32_t)(MEMBER_HEAD + deflated + MEMBER_TRAILER),
		.inflated = inflated,
	};
	member_encode(&head, out);
	return head.stored;
}

static void a_member_that_inflates_to_more_than_it_states_is_refused(void)
{
	static const uint8_t zeros[100000];
	uint8_t bytes[FILE_MAX];
	struct err e;
	uint64_t digest;

	/* 100000 zeros deflate to about 100 bytes; 50 bytes are stated */
	size_t n = one_member(bytes, 50, zeros, sizeof(zeros));
	CHECK_I64(digest_of_stream(bytes, n, &digest, &e), -1);
	CHECK_U64(e.status, STATUS_BAD_INPUT);
	CHECK(strstr(e.text, "the member is too large for its content") != NULL ||
	      strstr(e.text, "the size of the content differs from the stated one") != NULL);
}

static void a_member_that_states_more_than_it_can_hold_is_refused(void)
{
	uint8_t bytes[FILE_MAX];
	struct err e;
	uint64_t digest;

	size_t n = one_member(bytes, 50 << 20, (const uint8_t *)"x", 1);
	CHECK_I64(digest_of_stream(bytes, n, &digest, &e), -1);
	CHECK(strstr(e.text, "the stated content is larger than the member can inflate to") != NULL);
	n = one_member(bytes, UINT32_MAX, (const uint8_t *)"x", 1);
	CHECK_I64(digest_of_stream(bytes, n, &digest, &e), -1);
	CHECK(strstr(e.text, "the stated content exceeds the limit of its kind") != NULL);
}

static void what_is_no_trace_is_called_so(void)
{
	static const uint8_t gzip[64] = {0x1f, 0x8b, 8};
	struct err e;
	uint64_t digest;

	CHECK_I64(digest_of_stream((const uint8_t *)"\177ELF", 4, &digest, &e), -1);
	CHECK(strstr(e.text, ": not a trace, expected") != NULL);
	CHECK_I64(digest_of_stream(gzip, sizeof(gzip), &digest, &e), -1);
	CHECK(strstr(e.text, ": not a trace, expected") != NULL);
	CHECK_I64(digest_of_stream(gzip, 0, &digest, &e), -1);
	CHECK(strstr(e.text, "the file is empty") != NULL);
	CHECK_I64(digest_of("/", &digest, &e), -1);
	CHECK_STR(e.text, "/: a directory, expected a trace");
	CHECK_I64(digest_of("/nonexistent.trace.gz", &digest, &e), -1);
	CHECK_STR(e.text, "/nonexistent.trace.gz: cannot open: No such file or directory");
}

/* The version in the head of the member at `offset` of a file; from its end, if negative. */
static unsigned version_at(const char *path, long offset, struct member *m)
{
	uint8_t head[MEMBER_HEAD];
	FILE *f = fopen(path, "rb");

	REQUIRE(f != NULL && fseek(f, offset, offset < 0 ? SEEK_END : SEEK_SET) == 0);
	REQUIRE(fread(head, 1, MEMBER_HEAD, f) == MEMBER_HEAD && member_decode(head, m) == NULL);
	fclose(f);
	return m->version;
}

enum thread_rows { NO_ROW, ORDER, SECTION, SECTION_WITHOUT_END };

/* Verifies the versions of header and end in the trace of a thread with such rows. */
static void check_versions(unsigned thread, enum thread_rows rows, unsigned header, unsigned end)
{
	const struct trace_info of_thread = {.program = "p", .recorder = "r", .thread = thread};
	const struct trace_order order = {3, 1, 1 - thread};
	struct trace_maker m;
	struct member member;
	struct err e;

	trace_maker_start(&m, &of_thread);
	trace_maker_run(&m, 0x10000, body, 3, NULL);
	if (rows == ORDER)
		REQUIRE(trace_writer_order(m.writer, &order, &e) == 0);
	if (rows == SECTION || rows == SECTION_WITHOUT_END)
		REQUIRE(trace_writer_section(m.writer, 1, 0x40, &e) == 0);
	if (rows == SECTION)
		trace_writer_section_end(m.writer, 0, 3);
	trace_close(trace_maker_open(&m)); /* reads the end, the tail, and the header */
	CHECK_U64(version_at(m.path, 0, &member), header);
	CHECK_U64(version_at(m.path, -TAIL_SIZE, &member), end);
	CHECK_U64(version_at(m.path, (long)member.at, &member), end);
	CHECK_U64(member.kind, MEMBER_END);
	trace_maker_finish(&m);
}

static void the_end_has_the_version_of_its_rows(void)
{
	check_versions(0, NO_ROW, 2, 2);
	check_versions(1, NO_ROW, 5, 5);
	check_versions(0, SECTION_WITHOUT_END, 2, 2);
	check_versions(0, SECTION, 2, 6);
	check_versions(1, ORDER, 5, 6);
}

/* Other members than end and tail have the header's version. */
static void a_member_of_another_version_is_refused(void)
{
	struct trace_maker m;
	struct member head;
	struct file f;
	struct err e;
	uint64_t digest;

	make(&f, &m);
	size_t at = member_at(&f, 2, &head);
	head.version = FORMAT_VERSION;
	member_encode(&head, f.bytes + at);
	CHECK_I64(digest_of_stream(f.bytes, f.size, &digest, &e), -1);
	CHECK(strstr(e.text, "the format version differs from the header's") != NULL);
	trace_maker_finish(&m);
}

static void an_error_stays(void)
{
	struct trace_maker m;
	struct file f;
	struct err e, again;
	struct member head;
	struct trace_step s;

	make(&f, &m);
	size_t at = member_at(&f, 2, &head);
	f.bytes[at + MEMBER_HEAD + 4] ^= 1;
	put(f.path, f.bytes, f.size);
	struct trace_reader *r = trace_open(f.path, &e); /* tail and end are in order */
	REQUIRE(r != NULL);
	CHECK_I64(trace_next(r, &s, &e), -1);
	CHECK_I64(trace_next(r, &s, &again), -1);
	CHECK_STR(again.text, e.text);
	CHECK_I64(trace_seek(r, 0, &again), -1);
	trace_close(r);
	trace_maker_finish(&m);
}

static void reading_without_memory_fails_cleanly(void)
{
	struct trace_maker m;
	struct file f;
	struct err e;
	uint64_t digest;

	make(&f, &m);
	for (unsigned k = 1; k < 1000; k++) {
		alloc_fail_at(k);
		int status = digest_of(f.path, &digest, &e);
		if (!alloc_fail_end()) {
			CHECK_I64(status, 0);
			break;
		}
		CHECK_I64(status, -1);
		CHECK(strstr(e.text, "memory") != NULL);
	}
	trace_maker_finish(&m);
}

static int write_some(const char *path, struct err *e)
{
	struct trace_writer *w = trace_writer_create(path, &info, e);
	const uint64_t ea[] = {1, 2};
	if (!w)
		return -1;
	if (trace_writer_region(w, "r", true, e) < 0 || trace_writer_block(w, 0x10000, body, 3, false, e) < 0 ||
	    trace_writer_run(w, 0, ea, e) < 0) {
		trace_writer_abort(w);
		return -1;
	}
	return trace_writer_close(w, 0, e);
}

static void writing_without_memory_fails_cleanly(void)
{
	char folder[] = "/tmp/trace-memory-XXXXXX", path[64];
	struct err e;

	REQUIRE(mkdtemp(folder) != NULL);
	snprintf(path, sizeof(path), "%s/x.trace.gz", folder);
	for (unsigned k = 1; k < 1000; k++) {
		alloc_fail_at(k);
		int status = write_some(path, &e);
		if (!alloc_fail_end()) {
			CHECK_I64(status, 0);
			break;
		}
		CHECK_I64(status, -1);
		CHECK(access(path, F_OK) != 0);
	}
	CHECK_I64(remove(path), 0);
	CHECK_I64(remove(folder), 0);
}

static const struct tap_test tests[] = {
	{"a file cut at any byte is refused", a_file_cut_at_any_byte_is_refused},
	{"any flipped bit is found or harmless", any_flipped_bit_is_found_or_harmless},
	{"bytes behind the end are refused", bytes_behind_the_end_are_refused},
	{"the message names place, member and what is good", the_message_names_place_member_and_what_is_good},
	{"a missing or repeated member is found", a_missing_or_repeated_member_is_found},
	{"a member that inflates to more than it states is refused",
	 a_member_that_inflates_to_more_than_it_states_is_refused},
	{"a member that states more than it can hold is refused",
	 a_member_that_states_more_than_it_can_hold_is_refused},
	{"what is no trace is called so", what_is_no_trace_is_called_so},
	{"the end has the version of its rows", the_end_has_the_version_of_its_rows},
	{"a member of another version is refused", a_member_of_another_version_is_refused},
	{"an error stays", an_error_stays},
	{"reading without memory fails cleanly", reading_without_memory_fails_cleanly},
	{"writing without memory fails cleanly", writing_without_memory_fails_cleanly},
};

int main(void)
{
	return tap_main("trace-damage", tests, TAP_COUNT(tests));
}
