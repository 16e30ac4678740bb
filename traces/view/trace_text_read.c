/* Reading the text form of a trace. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/input.h"
#include "../../psim/base/lines.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/vec.h"
#include "trace_text.h"

enum { LINE_SIZE = 1 << 19 }; /* a name of 2^16 bytes as \xHH each, and what is in front of it */

struct block {
	unsigned addresses;
	bool simd;
	uint64_t pc;
	uint32_t words[TRACE_BLOCK_MAX];
	unsigned count;
	bool open; /* its words follow */
};

struct text {
	struct lines in;
	char *line, *at; /* the line, and what is left of it */
	const char *out;
	struct trace_info info;
	struct vec_of(char *) arguments, files;
	struct vec_of(struct trace_symbol) symbols;
	struct vec_of(struct trace_line) lines;
	struct trace_writer *writer; /* NULL: the description is not complete */
	struct block block;
	struct vec_of(unsigned) addresses; /* of each block */
	bool in_warm_up;
	int exit_status;
	struct err *e;
};

/* ---- parts of a line ---- */

static void skip_blanks(struct text *t)
{
	while (isblank((unsigned char)*t->at))
		t->at++;
}

/* Returns whether the line has ended; a comment may follow. */
static bool at_end(struct text *t)
{
	skip_blanks(t);
	return *t->at == '\0' || *t->at == '\n' || *t->at == '\r' || *t->at == '#';
}

/* Takes the next word of letters; "" if there is none. */
static const char *word(struct text *t)
{
	char *from;

	skip_blanks(t);
	from = t->at;
	while (*t->at && !isspace((unsigned char)*t->at))
		t->at++;
	if (*t->at)
		*t->at++ = '\0';
	return from;
}

static int number(struct text *t, const char *what, uint64_t most, uint64_t *value)
{
	char *stop;

	skip_blanks(t);
	errno = 0;
	*value = strtoull(t->at, &stop, 0);
	if (!isdigit((unsigned char)*t->at) || stop == t->at || (*stop && !isspace((unsigned char)*stop)))
		return lines_wrong(&t->in, "%s: '%.40s', expected a number", what, word(t));
	if (errno || *value > most)
		return lines_wrong(&t->in, "%s: a number above %" PRIu64, what, most);
	t->at = stop;
	return 0;
}

/* Takes the rest of the line, with \xHH as a byte. NULL with an error. Free it. */
static char *name(struct text *t)
{
	char *end = t->at + strcspn(t->at, "\r\n"), *to, *made;

	*end = '\0';
	skip_blanks(t);
	made = to = mem_copy_text(t->at, t->e);
	for (const char *c = t->at; made && *c; to++) {
		unsigned byte = (unsigned char)*c;
		int length = 1;

		if (*c == '\\' && (sscanf(c, "\\x%2x%n", &byte, &length) != 1 || length != 4 || !byte)) {
			lines_wrong(&t->in, "'%.8s': expected a backslash as \\x5c, or \\x and two digits", c);
			free(made);
			return NULL;
		}
		*to = (char)byte;
		c += length;
	}
	if (made)
		*to = '\0';
	return made;
}

/* ---- the description ---- */

static int read_program(struct text *t)
{
	free((char *)t->info.program);
	t->info.program = name(t);
	return t->info.program ? 0 : -1;
}

static int read_recorder(struct text *t)
{
	free((char *)t->info.recorder);
	t->info.recorder = name(t);
	return t->info.recorder ? 0 : -1;
}

static int read_argument(struct text *t)
{
	char **place = vec_push(&t->arguments, t->e);

	return place && (*place = name(t)) ? 0 : -1;
}

static int read_file(struct text *t)
{
	char **place = vec_push(&t->files, t->e);

	return place && (*place = name(t)) ? 0 : -1;
}

static int read_crc(struct text *t)
{
	return number(t, "crc", UINT32_MAX, &t->info.program_crc);
}

static int read_entry(struct text *t)
{
	return number(t, "entry", UINT64_MAX, &t->info.entry);
}

static int read_first(struct text *t)
{
	return number(t, "first", UINT64_MAX, &t->info.first_insn);
}

static int read_thread(struct text *t)
{
	uint64_t value;

	if (number(t, "thread", TRACE_THREADS - 1, &value) < 0)
		return -1;
	t->info.thread = (unsigned)value;
	return 0;
}

static int read_fused(struct text *t)
{
	t->info.fma_fused = true;
	return 0;
}

static int read_parts(struct text *t)
{
	t->info.warm_up = true;
	return 0;
}

static int read_array(struct text *t)
{
	uint64_t pes, bytes;

	if (number(t, "PEs", UINT32_MAX, &pes) < 0 || number(t, "bytes", UINT32_MAX, &bytes) < 0)
		return -1;
	t->info.pes = (unsigned)pes;
	t->info.sbm_bytes = (uint32_t)bytes;
	return 0;
}

static int read_symbol(struct text *t)
{
	struct trace_symbol s = {0}, *place;

	if (number(t, "address", UINT64_MAX, &s.address) < 0 || number(t, "size", UINT64_MAX, &s.size) < 0 ||
	    !(place = vec_push(&t->symbols, t->e)))
		return -1;
	*place = s;
	place->name = name(t);
	return place->name ? 0 : -1;
}

static int read_line(struct text *t)
{
	uint64_t address, file, line;
	struct trace_line *place;

	if (number(t, "address", UINT64_MAX, &address) < 0 || number(t, "file", UINT32_MAX, &file) < 0 ||
	    number(t, "line", UINT32_MAX, &line) < 0 || !(place = vec_push(&t->lines, t->e)))
		return -1;
	*place = (struct trace_line){address, (uint32_t)file, (uint32_t)line};
	return 0;
}

/* ---- what was executed ---- */

/* Completes the block whose words have been read. */
static int end_block(struct text *t)
{
	struct block *b = &t->block;
	unsigned *place;

	if (!b->open)
		return 0;
	b->open = false;
	place = vec_push(&t->addresses, t->e);
	if (!place || trace_writer_block(t->writer, b->pc, b->words, b->count, b->simd, t->e) < 0)
		return -1;
	*place = trace_count_addresses(b->words, b->count, b->simd);
	return 0;
}

static int read_block(struct text *t)
{
	uint64_t id, pc;
	const char *mode;

	if (number(t, "block", UINT32_MAX, &id) < 0 || number(t, "address", UINT64_MAX, &pc) < 0)
		return -1;
	if (id != t->addresses.count)
		return lines_wrong(&t->in, "block %" PRIu64 ", expected the next number, %zu", id, t->addresses.count);
	mode = at_end(t) ? "" : word(t);
	if (*mode && strcmp(mode, "simd") != 0)
		return lines_wrong(&t->in, "'%.40s', expected simd or the end of the line", mode);
	t->block = (struct block){.pc = pc, .simd = *mode, .open = true};
	return 0;
}

/* A line that begins with a blank: a word of the open block. */
static int read_word(struct text *t)
{
	struct block *b = &t->block;
	char *stop;

	skip_blanks(t);
	if (!b->open)
		return lines_wrong(&t->in, "an instruction outside a block, expected a line without a blank in front");
	if (b->count == TRACE_BLOCK_MAX)
		return lines_wrong(&t->in, "an instruction behind %d of a block, expected a new block",
				   TRACE_BLOCK_MAX);
	if (strspn(t->at, "0123456789abcdefABCDEF") != 8)
		return lines_wrong(&t->in, "'%.40s', expected eight hexadecimal digits", word(t));
	b->words[b->count++] = (uint32_t)strtoul(t->at, &stop, 16);
	t->at = stop;
	return at_end(t) ? 0 : lines_wrong(&t->in, "'%.40s' behind an instruction, expected one a line", word(t));
}

static int read_run(struct text *t)
{
	uint64_t id, ea[TRACE_ADDRESSES_MAX];

	if (number(t, "run", UINT32_MAX, &id) < 0)
		return -1;
	if (id >= t->addresses.count)
		return lines_wrong(&t->in, "run of block %" PRIu64 ", expected one of the %zu above", id,
				   t->addresses.count);
	for (unsigned n = 0; n < t->addresses.at[id]; n++) {
		if (at_end(t))
			return lines_wrong(&t->in, "%u addresses, expected the %u of block %" PRIu64, n,
					   t->addresses.at[id], id);
		if (number(t, "address", UINT64_MAX, &ea[n]) < 0)
			return -1;
	}
	return trace_writer_run(t->writer, (uint32_t)id, ea, t->e);
}

/* Takes "begin" or "end". */
static int begins(struct text *t, bool *begin)
{
	const char *which = word(t);

	*begin = strcmp(which, "begin") == 0;
	if (!*begin && strcmp(which, "end") != 0)
		return lines_wrong(&t->in, "'%.40s', expected begin or end", which);
	return 0;
}

static int read_region(struct text *t)
{
	char *text;
	bool begin;
	int ret;

	if (begins(t, &begin) < 0 || !(text = name(t)))
		return -1;
	ret = trace_writer_region(t->writer, text, begin, t->e);
	free(text);
	return ret;
}

static int read_warm_up(struct text *t)
{
	bool begin;

	if (begins(t, &begin) < 0)
		return -1;
	if (begin == t->in_warm_up)
		return lines_wrong(&t->in, "warm-up %s, expected the other one", begin ? "begin" : "end");
	t->in_warm_up = begin;
	return trace_writer_warm_up(t->writer, begin, t->e);
}

static int read_order(struct text *t)
{
	struct trace_order row;
	uint64_t thread;

	if (number(t, "position", UINT64_MAX, &row.position) < 0 ||
	    number(t, "thread", TRACE_THREADS - 1, &thread) < 0 || number(t, "after", UINT64_MAX, &row.after) < 0)
		return -1;
	row.thread = (unsigned)thread;
	return trace_writer_order(t->writer, &row, t->e);
}

static int read_section(struct text *t)
{
	uint64_t begin, end, lock;
	int64_t section;

	if (number(t, "begin", UINT64_MAX, &begin) < 0 ||
	    number(t, "end", trace_writer_position(t->writer), &end) < 0 || number(t, "lock", UINT64_MAX, &lock) < 0)
		return -1;
	if (end < begin)
		return lines_wrong(&t->in, "a section that ends at %" PRIu64 ", expected %" PRIu64 " or more", end,
				   begin);
	section = trace_writer_section(t->writer, begin, lock, t->e);
	if (section < 0)
		return -1;
	trace_writer_section_end(t->writer, section, end);
	return 0;
}

static int read_exit(struct text *t)
{
	uint64_t value;

	if (number(t, "exit", INT32_MAX, &value) < 0)
		return -1;
	t->exit_status = (int)value;
	return 0;
}

/* ---- lines ---- */

static const struct row {
	const char *keyword;
	int (*read)(struct text *t);
	bool describes; /* a line of the description, before any other */
	bool named;     /* it ends with a name, which has taken all */
} rows[] = {
	{"program", read_program, true, true},   {"recorder", read_recorder, true, true},
	{"argument", read_argument, true, true}, {"crc", read_crc, true, false},
	{"entry", read_entry, true, false},      {"first", read_first, true, false},
	{"thread", read_thread, true, false},    {"fused", read_fused, true, false},
	{"parts", read_parts, true, false},      {"array", read_array, true, false},
	{"symbol", read_symbol, true, true},     {"file", read_file, true, true},
	{"line", read_line, true, false},        {"block", read_block, false, false},
	{"run", read_run, false, false},         {"region", read_region, false, true},
	{"warm-up", read_warm_up, false, false}, {"order", read_order, false, false},
	{"section", read_section, false, false}, {"exit", read_exit, false, false},
};

/* Creates the trace, whose description is complete. */
static int begin_trace(struct text *t)
{
	struct trace_info *i = &t->info;

	if (!i->program)
		return lines_wrong(&t->in, "no program above, expected its name");
	if (!i->recorder && !(i->recorder = mem_copy_text("psim-trace-text", t->e)))
		return -1;
	i->args = (const char *const *)t->arguments.at;
	i->arg_count = (unsigned)t->arguments.count;
	i->symbols = t->symbols.at;
	i->symbol_count = (unsigned)t->symbols.count;
	i->files = (const char *const *)t->files.at;
	i->file_count = (unsigned)t->files.count;
	i->lines = t->lines.at;
	i->line_count = (unsigned)t->lines.count;
	t->writer = trace_writer_create(t->out, i, t->e);
	return t->writer ? 0 : -1;
}

static int read_row(struct text *t)
{
	const char *keyword = word(t);

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		if (strcmp(keyword, rows[n].keyword) != 0)
			continue;
		if (rows[n].describes && t->writer)
			return lines_wrong(&t->in, "%s behind a block or run, expected it above them", keyword);
		if (!rows[n].describes && !t->writer && begin_trace(t) < 0)
			return -1;
		if (end_block(t) < 0 || rows[n].read(t) < 0)
			return -1;
		if (!rows[n].named && !at_end(t))
			return lines_wrong(&t->in, "'%.40s' behind %s, expected the end of the line", word(t), keyword);
		return 0;
	}
	return lines_wrong(&t->in, "'%.40s', expected one of the words of a psim-trace-text", keyword);
}

/* Adds the line to what the writer has refused. Returns -1. */
static int add_place(struct text *t)
{
	char text[sizeof(t->e->text)];
	const char *own = strncmp(t->e->text, "trace: ", 7) == 0 ? t->e->text + 7 : NULL;

	if (!own) /* it has its place, or memory is short */
		return -1;
	snprintf(text, sizeof(text), "%s", own);
	return lines_wrong(&t->in, "%s", text);
}

/* Reads all lines behind the first. */
static int read_rows(struct text *t)
{
	int more;

	while ((more = lines_read(&t->in, t->line, LINE_SIZE)) > 0) {
		t->at = t->line;
		if (isblank((unsigned char)*t->line) && !at_end(t) ? read_word(t) < 0 : !at_end(t) && read_row(t) < 0)
			return add_place(t);
	}
	if (more < 0)
		return -1;
	return (!t->writer && begin_trace(t) < 0) || end_block(t) < 0 ? add_place(t) : 0;
}

static void finish(struct text *t)
{
	for (size_t n = 0; n < t->arguments.count; n++)
		free(t->arguments.at[n]);
	for (size_t n = 0; n < t->files.count; n++)
		free(t->files.at[n]);
	for (size_t n = 0; n < t->symbols.count; n++)
		free((char *)t->symbols.at[n].name);
	vec_finish(&t->arguments);
	vec_finish(&t->files);
	vec_finish(&t->symbols);
	vec_finish(&t->lines);
	vec_finish(&t->addresses);
	free((char *)t->info.program);
	free((char *)t->info.recorder);
	free(t->line);
	fclose(t->in.in);
}

int trace_text_read(const char *path, const char *out, struct err *e)
{
	struct text t = {.in = {.in = input_open(path), .name = path, .err = e}, .out = out, .e = e};
	int ret = -1;

	if (!t.in.in)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: %s", path, strerror(errno));
	t.line = mem_alloc(LINE_SIZE, 1, e);
	if (t.line && lines_read(&t.in, t.line, LINE_SIZE) >= 0)
		ret = strcmp(t.line, "psim-trace-text 1\n") == 0
			      ? read_rows(&t)
			      : lines_wrong(&t.in, "expected the line psim-trace-text 1");
	if (ret < 0)
		trace_writer_abort(t.writer);
	else
		ret = trace_writer_close(t.writer, t.exit_status, e);
	finish(&t);
	return ret;
}
