#include "summary.h"

#include <inttypes.h>
#include <string.h>

#include "../../psim/base/escape.h"

static void report_hex(struct report *r, const char *name, uint64_t value, unsigned digits, const char *doc)
{
	char text[32];
	snprintf(text, sizeof(text), "0x%0*" PRIx64, (int)digits, value);
	report_text(r, name, text, doc);
}

static void report_clean(struct report *r, const char *name, const char *value, const char *doc)
{
	char text[4096];
	escape_copy(text, sizeof(text), value);
	report_text(r, name, text, doc);
}

/* Reports the arguments, separated by blanks and truncated if long. */
static void report_arguments(const struct trace_info *info, struct report *r)
{
	char text[4096];
	size_t n = 0;
	for (unsigned i = 1; i < info->arg_count && n + 2 < sizeof(text); i++) {
		if (n)
			text[n++] = ' ';
		escape_copy(text + n, sizeof(text) - n, info->args[i]);
		n += strlen(text + n);
	}
	text[n] = '\0';
	report_text(r, "arguments", text, "arguments of the program");
}

static void summary_report_totals(const struct trace_totals *t, struct report *r)
{
	report_u64(r, "instructions", t->insns, "", "instructions executed");
	report_u64(r, "runs", t->runs, "", "executions of a block");
	report_u64(r, "addresses", t->accesses, "", "effective addresses");
	report_u64(r, "blocks", t->blocks, "", "static blocks");
	report_u64(r, "static_instructions", t->static_insns, "", "instructions of static blocks");
	report_u64(r, "members", t->members, "", "gzip members of the file");
	report_u64(r, "bytes", t->bytes, "bytes", "size of the file");
	report_f64(r, "bytes_per_instruction", t->insns ? (double)t->bytes / (double)t->insns : 0, "bytes", "");
	report_u64(r, "exit_status", (uint64_t)(unsigned)t->exit_status, "", "exit status of the program");
	report_hex(r, "checksum", t->checksum, 8, "checksum that identifies the content");
}

void summary_report(const struct trace_reader *t, const char *path, bool complete, struct report *r)
{
	const struct trace_info *info = trace_info(t);
	report_clean(r, "file", path, "");
	report_clean(r, "program", info->program, "recorded program file");
	report_hex(r, "program_crc", info->program_crc, 8, "CRC-32 of the program file");
	report_arguments(info, r);
	report_clean(r, "recorder", info->recorder, "");
	report_text(r, "multiply_add", info->fma_fused ? "one rounding" : "two roundings", "");
	report_hex(r, "entry", info->entry, 1, "first pc of the program");
	report_u64(r, "before", info->first_insn, "", "instructions executed before recording began");
	report_u64(r, "pes", info->pes, "", "PEs of the SIMD array; 0: no array");
	report_u64(r, "sbm_bytes", info->sbm_bytes, "bytes", "buffer memory of a PE");
	report_u64(r, "symbols", info->symbol_count, "", "functions in the symbol table");
	if (trace_totals(t))
		summary_report_totals(trace_totals(t), r);
	report_text(r, "checked", complete ? "everything" : "the part read", "checksums and contents verified");
}
