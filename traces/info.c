/* The HEADER member: description of the recorded program. */
#include "../isa/simd.h"
#include "../psim/base/mem.h"
#include "format.h"

static bool text_fits(const char *s)
{
	return s && strlen(s) <= STRING_MAX;
}

/* Returns whether the numbers of PEs and bytes are valid; 0 PEs are. */
static bool simd_fits(uint64_t pes, uint64_t sbm_bytes)
{
	return pes ? simd_size_valid(pes, sbm_bytes) : sbm_bytes == 0;
}

static int trace_info_check(const struct trace_info *info, struct err *e)
{
	if (!text_fits(info->program) || !text_fits(info->recorder))
		return err_set(e, STATUS_FAILED,
			       "trace: the program's or the recorder's name is "
			       "missing or longer than %d bytes",
			       STRING_MAX);
	if (info->arg_count > ARGS_MAX || info->symbol_count > SYMBOLS_MAX)
		return err_set(e, STATUS_FAILED,
			       "trace: %u arguments and %u symbols, expected at "
			       "most %d and %d",
			       info->arg_count, info->symbol_count, ARGS_MAX, SYMBOLS_MAX);
	if (!simd_fits(info->pes, info->sbm_bytes))
		return err_set(e, STATUS_FAILED, "trace: invalid size of the SIMD array: %u PEs with %lu bytes each",
			       info->pes, (unsigned long)info->sbm_bytes);
	for (unsigned i = 0; i < info->arg_count; i++)
		if (!text_fits(info->args[i]))
			return err_set(e, STATUS_FAILED, "trace: argument %u is longer than %d bytes", i, STRING_MAX);
	for (unsigned i = 0; i < info->symbol_count; i++) {
		if (!text_fits(info->symbols[i].name))
			return err_set(e, STATUS_FAILED,
				       "trace: symbol %u's name is longer than %d "
				       "bytes",
				       i, STRING_MAX);
		if (i && info->symbols[i].address < info->symbols[i - 1].address)
			return err_set(e, STATUS_FAILED,
				       "trace: symbol %u (%s) is below the one "
				       "before it, expected them ascending",
				       i, info->symbols[i].name);
	}
	return 0;
}

static int check_lines(const struct trace_info *info, struct err *e)
{
	if (info->file_count > FILES_MAX || info->line_count > LINES_MAX)
		return err_set(e, STATUS_FAILED, "trace: %u source files and %u lines, expected at most %d and %d",
			       info->file_count, info->line_count, FILES_MAX, LINES_MAX);
	for (unsigned i = 0; i < info->file_count; i++)
		if (!text_fits(info->files[i]))
			return err_set(e, STATUS_FAILED, "trace: name of source file %u is longer than %d bytes", i,
				       STRING_MAX);
	for (unsigned i = 0; i < info->line_count; i++) {
		const struct trace_line *l = &info->lines[i];
		if (l->file > info->file_count || l->line > INT32_MAX || l->address % 4 ||
		    (i && l->address < l[-1].address))
			return err_set(e, STATUS_FAILED,
				       "trace: row %u of the line table is out of order or of no file", i);
	}
	return 0;
}

/* The line table: from version 4 on. */
static bool encode_lines(const struct trace_info *info, struct bytes *out)
{
	bool ok = bytes_number(out, info->warm_up) && bytes_number(out, info->file_count) &&
		  bytes_number(out, info->line_count);
	uint64_t address = 0, line = 0;
	for (unsigned i = 0; ok && i < info->file_count; i++)
		ok = bytes_string(out, info->files[i]);
	for (unsigned i = 0; ok && i < info->line_count; i++) {
		const struct trace_line *l = &info->lines[i];
		ok = bytes_number(out, (l->address - address) / 4) && bytes_number(out, l->file);
		address = l->address;
		if (!l->file)
			continue;
		ok = ok && bytes_number(out, zigzag(l->line - line));
		line = l->line;
	}
	return ok;
}

unsigned info_version(const struct trace_info *info)
{
	if (info->thread)
		return FORMAT_THREAD;
	return info->file_count ? FORMAT_LINES : info->warm_up ? FORMAT_WARM_UP : FORMAT_PLAIN;
}

static bool encode(const struct trace_info *info, struct bytes *out)
{
	bool ok = bytes_string(out, info->program) && bytes_number(out, info->program_crc) &&
		  bytes_string(out, info->recorder) && bytes_number(out, info->fma_fused) &&
		  bytes_number(out, info->entry) && bytes_number(out, info->first_insn) &&
		  bytes_number(out, info->pes) && bytes_number(out, info->sbm_bytes) &&
		  bytes_number(out, info->arg_count) && bytes_number(out, info->symbol_count);
	for (unsigned i = 0; ok && i < info->arg_count; i++)
		ok = bytes_string(out, info->args[i]);
	uint64_t before = 0;
	for (unsigned i = 0; ok && i < info->symbol_count; i++) {
		const struct trace_symbol *s = &info->symbols[i];
		ok = bytes_number(out, s->address - before) && bytes_number(out, s->size) && bytes_string(out, s->name);
		before = s->address;
	}
	if (info_version(info) >= FORMAT_LINES)
		ok = ok && encode_lines(info, out);
	return ok && (!info->thread || bytes_number(out, info->thread));
}

bool info_encode(const struct trace_info *info, struct bytes *out, struct err *e)
{
	if (info->thread >= TRACE_THREADS) {
		err_set(e, STATUS_FAILED, "trace: thread %u, expected less than %d", info->thread, TRACE_THREADS);
		return false;
	}
	if (trace_info_check(info, e) < 0 || check_lines(info, e) < 0)
		return false;
	if (!encode(info, out)) {
		mem_short(e);
		return false;
	}
	if (out->size > HEADER_MAX) {
		err_set(e, STATUS_FAILED, "trace: names take %zu bytes, expected at most %d", out->size, HEADER_MAX);
		return false;
	}
	return true;
}

/*
 * Copies a string to *text and advances *text past it. Returns NULL if it is truncated or
 * contains a NUL.
 */
static const char *decode_string(struct view *v, char **text)
{
	uint64_t n;
	if (!view_number(v, STRING_MAX, &n) || n > view_left(v) || memchr(v->p, 0, (size_t)n))
		return NULL;
	char *s = *text;
	memcpy(s, v->p, (size_t)n);
	s[n] = '\0';
	v->p += n;
	*text += n + 1;
	return s;
}

static const char *decode_symbols(struct view *v, char **text, struct info_copy *c)
{
	uint64_t before = 0;
	for (unsigned i = 0; i < c->info.symbol_count; i++) {
		struct trace_symbol *s = &c->symbols[i];
		uint64_t step;
		if (!view_varint(v, &step) || !view_varint(v, &s->size) || !(s->name = decode_string(v, text)))
			return "a symbol is truncated or out of range";
		if (step > UINT64_MAX - before)
			return "a symbol's address overflows";
		s->address = before += step;
	}
	return NULL;
}

static const char *decode_files(struct view *v, char **text, struct info_copy *c)
{
	struct trace_info *info = &c->info;
	uint64_t warm_up, files, lines;
	if (!view_number(v, 1, &warm_up) || !view_number(v, FILES_MAX, &files) || !view_number(v, LINES_MAX, &lines))
		return "the size of the line table is truncated or out of range";
	if (files > view_left(v) || lines > view_left(v) / 2)
		return "the number of files or lines exceeds the number of bytes";
	info->warm_up = warm_up;
	info->files = c->files = malloc((files + 1) * sizeof(*c->files));
	info->lines = c->lines = malloc((lines + 1) * sizeof(*c->lines));
	if (!c->files || !c->lines)
		return out_of_memory;
	info->line_count = (unsigned)lines;
	for (; info->file_count < files; info->file_count++)
		if (!(c->files[info->file_count] = decode_string(v, text)))
			return "the name of a source file is truncated or too long";
	return NULL;
}

static const char *decode_lines(struct view *v, struct info_copy *c)
{
	uint64_t address = 0, line = 0;
	for (unsigned i = 0; i < c->info.line_count; i++) {
		uint64_t step, file, change = 0;
		if (!view_number(v, UINT64_MAX >> 2, &step) || !view_number(v, c->info.file_count, &file) ||
		    (file && !view_varint(v, &change)))
			return "a row of the line table is truncated or out of range";
		line += unzigzag(change);
		if (4 * step > UINT64_MAX - address || line > INT32_MAX)
			return "a row of the line table overflows";
		address += 4 * step;
		c->lines[i] = (struct trace_line){address, (uint32_t)file, file ? (uint32_t)line : 0};
	}
	return NULL;
}

/* Reads the SIMD array's size, which version 1 does not have. */
static bool decode_simd(struct view *v, unsigned version, struct trace_info *info)
{
	uint64_t pes = 0, sbm = 0;
	if (version > 1 && (!view_varint(v, &pes) || !view_varint(v, &sbm) || !simd_fits(pes, sbm)))
		return false;
	info->pes = (unsigned)pes;
	info->sbm_bytes = (uint32_t)sbm;
	return true;
}

const char *info_decode(struct view v, unsigned version, struct info_copy *c)
{
	struct trace_info *info = &c->info;
	uint64_t crc, fused, args, symbols, thread = 0;
	/* the length of every string takes at least a byte, which leaves room for its NUL */
	char *text = c->text = malloc(view_left(&v) + 1);
	if (!text)
		return out_of_memory;
	if (!(info->program = decode_string(&v, &text)) || !view_number(&v, UINT32_MAX, &crc) ||
	    !(info->recorder = decode_string(&v, &text)) || !view_number(&v, 1, &fused) ||
	    !view_varint(&v, &info->entry) || !view_varint(&v, &info->first_insn) || !decode_simd(&v, version, info) ||
	    !view_number(&v, ARGS_MAX, &args) || !view_number(&v, SYMBOLS_MAX, &symbols))
		return "a field is truncated or out of range";
	if (args > view_left(&v) || symbols > view_left(&v) / 3)
		return "the number of arguments or symbols exceeds the number of bytes";
	info->program_crc = (uint32_t)crc;
	info->warm_up = version == FORMAT_WARM_UP;
	info->fma_fused = fused;
	c->args = malloc((args + 1) * sizeof(*c->args));
	c->symbols = malloc((symbols + 1) * sizeof(*c->symbols));
	if (!c->args || !c->symbols)
		return out_of_memory;
	for (; info->arg_count < args; info->arg_count++)
		if (!(c->args[info->arg_count] = decode_string(&v, &text)))
			return "an argument is truncated or too long";
	info->args = c->args;
	info->symbols = c->symbols;
	info->symbol_count = (unsigned)symbols;
	const char *wrong = decode_symbols(&v, &text, c);
	if (!wrong && version > FORMAT_WARM_UP)
		wrong = decode_files(&v, &text, c);
	if (!wrong)
		wrong = decode_lines(&v, c);
	if (!wrong && version >= FORMAT_THREAD && !view_number(&v, TRACE_THREADS - 1, &thread))
		wrong = "the number of the thread is truncated or out of range";
	info->thread = (unsigned)thread;
	return wrong ? wrong : view_left(&v) ? "bytes follow the last field" : NULL;
}

void info_free(struct info_copy *c)
{
	free(c->text);
	free(c->args);
	free(c->symbols);
	free(c->files);
	free(c->lines);
	*c = (struct info_copy){0};
}

const struct trace_symbol *trace_symbol_at(const struct trace_info *info, uint64_t address)
{
	unsigned low = 0, high = info->symbol_count;
	while (low < high) {
		unsigned middle = low + (high - low) / 2;
		if (info->symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	const struct trace_symbol *s = &info->symbols[low - 1];
	if (s->size == 0 || address - s->address < s->size)
		return s;
	return NULL;
}

const struct trace_line *trace_line_at(const struct trace_info *info, uint64_t address)
{
	unsigned low = 0, high = info->line_count;
	while (low < high) {
		unsigned middle = low + (high - low) / 2;
		if (info->lines[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && info->lines[low - 1].file ? &info->lines[low - 1] : NULL;
}

const char *trace_line_file(const struct trace_info *info, const struct trace_line *line)
{
	const char *path = info->files[line->file - 1], *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}
