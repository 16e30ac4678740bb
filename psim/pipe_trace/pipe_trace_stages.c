/* Converts the times of an instruction to stages: consecutive intervals. */
#include "pipe_trace_stages.h"

/* Adds a stage, unless it begins no later than the one before it. */
static void pipe_trace_stages_add(struct pipe_trace_stages *s, uint64_t from, const char *name, char letter,
				  const char *stall)
{
	while (s->count && s->s[s->count - 1].from >= from)
		s->count--;
	if (s->count < PIPE_TRACE_STAGES_MAX)
		s->s[s->count++] = (struct pipe_trace_stage){from, name, letter, stall};
}

static void front_stages(const struct core_config *cfg, const struct pipe_trace_record *r, struct pipe_trace_stages *s)
{
	static const char *const names[] = {"IA", "IT", "IM", "IB", "IR"};
	unsigned stages = cfg->fetch.stages, decode = cfg->decode.stages;

	for (unsigned n = 0; n < stages && n < 5; n++)
		pipe_trace_stages_add(s, r->fetch + n, names[n], 'f', NULL);
	if (r->decode > r->fetch + stages)
		pipe_trace_stages_add(s, r->fetch + stages, "Ibuf", '.', "decode");
	pipe_trace_stages_add(s, r->decode, "E", 'e', NULL);
	pipe_trace_stages_add(s, r->decode + decode - 1, "D", 'd', NULL);
	if (r->dispatch > r->decode + decode - 1)
		pipe_trace_stages_add(s, r->decode + decode, "Dw", 'D', r->stop ? r->stop : "D");
}

/* Adds the wait in a station from cycle `from` to selection: for operands, then for a pipe. */
static void station_stages(const struct pipe_trace_record *r, uint64_t from, uint64_t ready,
			   struct pipe_trace_stages *s)
{
	if (r->select && r->select <= from)
		return;
	pipe_trace_stages_add(s, from, "RS", '-', "operands");
	if (ready < from)
		ready = from;
	if (ready > from && r->operand_c && r->select >= ready + r->operand_c) {
		pipe_trace_stages_add(s, ready, "C", 'c', NULL);
		ready += r->operand_c;
	}
	if (r->select > ready)
		pipe_trace_stages_add(s, ready, "RSp", '+', "pipe");
}

static void load_stages(const struct core_config *cfg, const struct pipe_trace_record *r, struct pipe_trace_stages *s,
			uint64_t u)
{
	uint64_t x = r->select + 1 + cfg->core.operand_stages;
	uint64_t known = r->address + cfg->lsu.hit_known;

	pipe_trace_stages_add(s, x, "X", 'x', NULL);
	if (r->address > x + 1)
		pipe_trace_stages_add(s, x + 1, "Psw", '~', "port, page or store");
	pipe_trace_stages_add(s, r->address, "Ps", 'm', NULL);
	pipe_trace_stages_add(s, r->address + 1, "Ts", 'm', NULL);
	pipe_trace_stages_add(s, known, "Ms", 'm', NULL);
	if (u > known + 3)
		pipe_trace_stages_add(s, known + 1, "miss", '*', r->cause);
	if (u > known + 2)
		pipe_trace_stages_add(s, u - 2, "Bs", 'm', NULL);
	if (u > known + 1)
		pipe_trace_stages_add(s, u - 1, "Rs", 'm', NULL);
}

/* Adds the stages of an address or value sent to the PEs: C, the wait for a pipe, the pipe. */
static void pe_stages(const struct core_config *cfg, const struct pipe_trace_record *r, struct pipe_trace_stages *s,
		      uint64_t leaves)
{
	bool read = r->load && !r->address, gather = r->insn && r->insn->class == CLASS_SIMD_GATHER;
	uint64_t x = r->pe + 1 + cfg->core.operand_stages;

	if (cfg->simd.c_cycles)
		pipe_trace_stages_add(s, leaves, "C", 'c', NULL);
	if (r->pe > leaves + cfg->simd.c_cycles)
		pipe_trace_stages_add(s, leaves + cfg->simd.c_cycles, "PEw", '~',
				      r->held    ? r->held
				      : r->store ? "data or pipe"
						 : "pipe");
	pipe_trace_stages_add(s, r->pe, "Pp", 'p', NULL);
	if (cfg->core.operand_stages)
		pipe_trace_stages_add(s, r->pe + 1, "Bp", 'b', NULL);
	if (gather) { /* adds its index */
		pipe_trace_stages_add(s, x, "Xp", 'x', NULL);
		x += cfg->simd.gather_cycles;
	}
	pipe_trace_stages_add(s, x, read ? "SBM" : "Xp", read ? 's' : 'x', NULL);
}

/* Adds the stages of a SIMD load or store from its selection in the address station on. */
static void simd_memory_stages(const struct core_config *cfg, const struct pipe_trace_record *r,
			       struct pipe_trace_stages *s)
{
	uint64_t x = r->select + 1 + cfg->core.operand_stages, sent;

	pipe_trace_stages_add(s, x, "X", 'x', NULL);
	if (!r->address) {
		pe_stages(cfg, r, s, x + 1);
		return;
	}
	/* a broadcast reads L1D, or the SBM of one PE instead */
	if (r->address > x + 1)
		pipe_trace_stages_add(s, x + 1, "Psw", '~', "port, page or store");
	pipe_trace_stages_add(s, r->address, "Ps", 'm', NULL);
	pipe_trace_stages_add(s, r->address + 1, "Ts", 'm', NULL);
	pipe_trace_stages_add(s, r->address + cfg->lsu.hit_known, "Ms", 'm', NULL);
	sent = r->address + cfg->lsu.hit_known + 1;
	if (r->pe > sent + cfg->simd.c_cycles) {
		pipe_trace_stages_add(s, sent, "miss", '*', r->cause);
		sent = r->pe - cfg->simd.c_cycles;
	}
	pe_stages(cfg, r, s, sent);
}

/* Adds the stages of a scalar load from one PE: C, SBM, C. */
static void window_stages(const struct core_config *cfg, const struct pipe_trace_record *r, struct pipe_trace_stages *s)
{
	uint64_t x = r->select + 1 + cfg->core.operand_stages, c = cfg->simd.c_cycles;

	pipe_trace_stages_add(s, x, "X", 'x', NULL);
	if (c)
		pipe_trace_stages_add(s, x + 1, "C", 'c', NULL);
	if (r->address > x + 1 + c)
		pipe_trace_stages_add(s, x + 1 + c, "PEw", '~', r->held);
	pipe_trace_stages_add(s, r->address, "Pp", 'p', NULL);
	if (cfg->core.operand_stages)
		pipe_trace_stages_add(s, r->address + 1, "Bp", 'b', NULL);
	x = r->address + 1 + cfg->core.operand_stages;
	pipe_trace_stages_add(s, x, "SBM", 's', NULL);
	if (c)
		pipe_trace_stages_add(s, x + cfg->simd.sbm_latency, "C", 'c', NULL);
}

static void execute_stages(const struct core_config *cfg, const struct pipe_trace_record *r,
			   struct pipe_trace_stages *s, uint64_t u)
{
	uint64_t x = r->select + 1 + cfg->core.operand_stages;

	pipe_trace_stages_add(s, r->select, "P", 'p', NULL);
	if (cfg->core.operand_stages)
		pipe_trace_stages_add(s, r->select + 1, "B", 'b', NULL);
	if (r->simd && !r->arithmetic) {
		simd_memory_stages(cfg, r, s);
		return;
	}
	if (r->window && r->load && r->address) {
		window_stages(cfg, r, s);
		return;
	}
	if (r->load && r->address) {
		load_stages(cfg, r, s, u);
		return;
	}
	pipe_trace_stages_add(s, x, "X", 'x', NULL);
	if (r->to_core && cfg->simd.c_cycles)
		pipe_trace_stages_add(s, u - cfg->simd.c_cycles, "C", 'c', NULL);
	else if (u > x + r->latency)
		pipe_trace_stages_add(s, x + r->latency, "wait", '~', r->store ? "data" : "result");
}

/* Adds the stages from D on. The array's arithmetic passes C before it waits in the SIMD station. */
static void back_stages(const struct core_config *cfg, const struct pipe_trace_record *r, uint64_t ready,
			struct pipe_trace_stages *s)
{
	unsigned w1 = r->simd && !r->to_core ? cfg->simd.w1_cycles : 0, c = r->arithmetic ? cfg->simd.c_cycles : 0;
	uint64_t u = r->done - w1 - cfg->core.commit_stages + 1, waits = r->dispatch + 1 + c;

	if (c)
		pipe_trace_stages_add(s, r->dispatch + 1, "C", 'c', NULL);
	for (unsigned n = 0; n < r->replays; n++) {
		station_stages(&(struct pipe_trace_record){.select = r->replay[n].from}, waits, 0, s);
		pipe_trace_stages_add(s, r->replay[n].from, "Pundo", 'r', "replay");
		waits = r->replay[n].to;
	}
	if (r->select) {
		station_stages(r, waits, ready, s);
		execute_stages(cfg, r, s, u);
	} else if (u > r->dispatch + 1) {
		pipe_trace_stages_add(s, r->dispatch + 1, "wait", '~', "result");
	}
	if (cfg->core.commit_stages > 1)
		pipe_trace_stages_add(s, u, "U", 'u', NULL);
	if (w1)
		pipe_trace_stages_add(s, r->done - w1, "W1", '1', NULL);
	if (r->commit > r->done)
		pipe_trace_stages_add(s, r->done, "Ww", '=', r->store && r->held ? r->held : "order");
	pipe_trace_stages_add(s, r->commit, "W", 'w', NULL);
}

void pipe_trace_stages(const struct core_config *cfg, const struct pipe_trace_record *r, uint64_t ready,
		       struct pipe_trace_stages *s)
{
	s->count = 0;
	front_stages(cfg, r, s);
	back_stages(cfg, r, ready, s);
	s->end = r->commit + 1;
}

void pipe_trace_insn_text(const struct pipe_trace_record *r, char *text, size_t size)
{
	char insn[PIPE_TRACE_LABEL_MAX];
	size_t n = 0;

	if (!r->insn) {
		snprintf(text, size, "[%s]", r->window_trap ? r->window_trap : "?");
		return;
	}
	insn_print(r->insn, r->pc, insn, sizeof(insn));
	for (const char *p = insn; *p && n + 1 < size; p++) {
		char c = *p == '\t' ? ' ' : *p;

		if (c != ' ' || (n && text[n - 1] != ' '))
			text[n++] = c;
	}
	text[n] = '\0';
}
