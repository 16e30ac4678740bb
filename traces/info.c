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
	return ok;
}

bool info_encode(const struct trace_info *info, struct bytes *out, struct err *e)
{
	if (trace_info_check(info, e) < 0)
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
	return view_left(v) ? "bytes follow the symbols" : NULL;
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
	uint64_t crc, fused, args, symbols;
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
	info->warm_up = version > FORMAT_PLAIN;
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
	return decode_symbols(&v, &text, c);
}

void info_free(struct info_copy *c)
{
	free(c->text);
	free(c->args);
	free(c->symbols);
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
