#include "trace_text.h"

#include <inttypes.h>

/* Writes what `keyword` names, with backslashes and bytes below a blank as \xHH: a name is one line. */
static void put_name(FILE *out, const char *name)
{
	fputc(' ', out);
	for (const unsigned char *c = (const unsigned char *)name; *c; c++)
		if (*c < 0x20 || *c == 0x7f || *c == '\\')
			fprintf(out, "\\x%02x", *c);
		else
			fputc(*c, out);
	fputc('\n', out);
}

void trace_text_begin(struct trace_text *t, const struct trace_info *info, FILE *out)
{
	*t = (struct trace_text){.out = out};
	fputs("psim-trace-text 1\nprogram", out);
	put_name(out, info->program);
	fputs("recorder", out);
	put_name(out, info->recorder);
	for (unsigned n = 0; n < info->arg_count; n++) {
		fputs("argument", out);
		put_name(out, info->args[n]);
	}
	fprintf(out, "crc 0x%08" PRIx64 "\nentry 0x%" PRIx64 "\nfirst %" PRIu64 "\nthread %u\n", info->program_crc,
		info->entry, info->first_insn, info->thread);
	if (info->fma_fused)
		fputs("fused\n", out);
	if (info->warm_up)
		fputs("parts\n", out);
	if (info->pes)
		fprintf(out, "array %u %" PRIu32 "\n", info->pes, info->sbm_bytes);
	for (unsigned n = 0; n < info->symbol_count; n++) {
		fprintf(out, "symbol 0x%" PRIx64 " %" PRIu64, info->symbols[n].address, info->symbols[n].size);
		put_name(out, info->symbols[n].name);
	}
	for (unsigned n = 0; n < info->file_count; n++) {
		fputs("file", out);
		put_name(out, info->files[n]);
	}
	for (unsigned n = 0; n < info->line_count; n++)
		fprintf(out, "line 0x%" PRIx64 " %" PRIu32 " %" PRIu32 "\n", info->lines[n].address,
			info->lines[n].file, info->lines[n].line);
}

static void put_block(struct trace_text *t, const struct trace_block *b)
{
	char text[128];

	fprintf(t->out, "block %" PRIu32 " 0x%" PRIx64 "%s\n", b->id, b->pc, b->simd ? " simd" : "");
	for (uint32_t n = 0; n < b->count; n++) {
		insn_print(&b->insns[n], b->pc + 4 * (uint64_t)n, text, sizeof(text));
		for (char *c = text; *c; c++)
			if (*c == '\t')
				*c = ' ';
		fprintf(t->out, " %08" PRIx32 " # %s\n", b->insns[n].word, text);
	}
	t->blocks++;
}

void trace_text_run(struct trace_text *t, const struct trace_step *step)
{
	const struct trace_block *b = step->block;

	if (step->warm_up != t->warm_up)
		fprintf(t->out, "warm-up %s\n", step->warm_up ? "begin" : "end");
	t->warm_up = step->warm_up;
	if (b->id >= t->blocks)
		put_block(t, b);
	fprintf(t->out, "run %" PRIu32, b->id);
	for (uint32_t n = 0; n < b->memory_count; n++)
		fprintf(t->out, " 0x%" PRIx64, step->ea[n]);
	fputc('\n', t->out);
}

/* Ends a warm-up part: what follows is not of it. */
static void end_warm_up(struct trace_text *t)
{
	if (t->warm_up)
		fputs("warm-up end\n", t->out);
	t->warm_up = false;
}

void trace_text_region(struct trace_text *t, const char *name, bool begin)
{
	end_warm_up(t);
	fprintf(t->out, "region %s", begin ? "begin" : "end");
	put_name(t->out, name);
}

void trace_text_end(struct trace_text *t, const struct trace_reader *trace)
{
	size_t count;
	const struct trace_order *order = trace_orders(trace, &count);
	const struct trace_section *section;

	end_warm_up(t);
	for (size_t n = 0; n < count; n++)
		fprintf(t->out, "order %" PRIu64 " %u %" PRIu64 "\n", order[n].position, order[n].thread,
			order[n].after);
	section = trace_sections(trace, &count);
	for (size_t n = 0; n < count; n++)
		fprintf(t->out, "section %" PRIu64 " %" PRIu64 " 0x%" PRIx64 "\n", section[n].begin, section[n].end,
			section[n].lock);
	if (trace_totals(trace))
		fprintf(t->out, "exit %d\n", trace_totals(trace)->exit_status);
}
