#include "pipeline_report.h"

#include <inttypes.h>

enum { STAGES_TEXT = PIPE_TRACE_STAGES_MAX * 48 };

/* Writes the stages as docs/programs/psim-over-time.md has them. */
static void stages_text(const struct pipe_trace_stages *s, char text[STAGES_TEXT])
{
	size_t used = 0;

	*text = '\0';
	for (unsigned n = 0; n < s->count && used < STAGES_TEXT; n++) {
		const struct pipe_trace_stage *stage = &s->s[n];
		uint64_t to = n + 1 < s->count ? s->s[n + 1].from : s->end;

		used += (size_t)snprintf(text + used, STAGES_TEXT - used, "%s%s,%" PRIu64 "%s%s", n ? ";" : "",
					 stage->name, to - stage->from, stage->stall ? "," : "",
					 stage->stall ? stage->stall : "");
	}
}

/* Returns whether the branch was mispredicted, or what served the load. */
static const char *pipeline_note(const struct pipe_trace_record *v)
{
	if (v->mispredicted)
		return "mispredicted";
	return v->cause ? v->cause : "";
}

static void pipeline_row(const char *place, const struct pipe_trace_kept *k, const struct trace_info *info,
			 struct report *r)
{
	const struct trace_line *line = k->record.insn ? trace_line_at(info, k->record.pc) : NULL;
	char insn[PIPE_TRACE_LABEL_MAX], stages[STAGES_TEXT], address[20], source[PLACE_SOURCE] = "";

	snprintf(address, sizeof(address), "0x%" PRIx64, k->record.pc);
	if (line)
		snprintf(source, sizeof(source), "%s:%" PRIu32, trace_line_file(info, line), line->line);
	pipe_trace_insn_text(&k->record, insn, sizeof(insn));
	stages_text(&k->stages, stages);
	report_cell_text(r, place);
	report_cell_u64(r, k->record.number);
	report_cell_text(r, address);
	report_cell_text(r, source);
	report_cell_text(r, insn);
	report_cell_u64(r, k->stages.count ? k->stages.s[0].from : k->record.commit);
	report_cell_text(r, stages);
	report_cell_text(r, pipeline_note(&k->record));
}

void pipeline_report(const struct pipe_trace_samples *s, const struct place *const *places, unsigned count,
		     const struct trace_info *info, struct report *r)
{
	static const struct report_column columns[] = {
		{"place", ""},       {"number", ""},      {"address", ""}, {"source", ""},
		{"instruction", ""}, {"begin", "cycles"}, {"stages", ""},  {"note", ""},
	};

	report_table(r, "pipeline", "a sample of the pipeline in each of the hottest loops", columns,
		     sizeof(columns) / sizeof(columns[0]));
	for (unsigned n = 0; n < count; n++) {
		char place[PLACE_NAME];
		unsigned kept;
		const struct pipe_trace_kept *k = pipe_trace_samples_of(s, places[n]->from, places[n]->to, &kept);

		place_name(places[n], place);
		for (unsigned i = 0; i < kept; i++)
			pipeline_row(place, &k[i], info, r);
	}
	report_table_end(r);
}
