/* Makes the pipeline's view of a decoded instruction. */
#include "uop.h"

#include "../../energy/energy.h"
#include "held_ports.h"

#include <stddef.h>
#include <string.h>

/* Offset of a parameter in its section; the type must be UINT. */
#define PLACE(section, key) _Generic(((section *)0)->key, unsigned : offsetof(section, key))

enum { EOP_none = EOP_COUNT };

/* The rows of exec_class.def, with parameters as offsets into the configuration's sections. */
struct class_rule {
	uint32_t flags;
	uint16_t latency, simd_latency;
	uint8_t unit, flops, cause, op;
};
static const struct class_rule class_rules[CLASS_COUNT] = {
#define X(class, unit, flags, latency, simd_latency, flops, cause, op) \
	[CLASS_##class] = {flags, \
			   PLACE(struct latency_params, latency), \
			   PLACE(struct simd_params, latency_##simd_latency), \
			   EXEC_##unit, \
			   flops, \
			   STALL_##cause, \
			   EOP_##op},
#include "exec_class.def"
#undef X
};
/* A class with two rows does not compile either: the second overrides an initializer. */
enum {
	CLASS_ROWS = 0
#define X(class, unit, flags, latency, simd_latency, flops, cause, op) +1
#include "exec_class.def"
#undef X
};
#undef PLACE
_Static_assert(CLASS_ROWS == (unsigned)CLASS_COUNT, "each class of isa/class.def has a row in exec_class.def");

/* The parameter at `offset` of its section: see PLACE. */
static unsigned uop_parameter(const void *section, size_t offset)
{
	return *(const unsigned *)((const char *)section + offset);
}

unsigned uop_class_unit(unsigned class)
{
	unsigned unit = class_rules[class % CLASS_COUNT].unit;

	return class >= CLASS_COUNT && unit == EXEC_FP ? EXEC_SIMD : unit;
}

bool uop_class_first_pipe(unsigned class)
{
	return class_rules[class].flags & UOP_FIRST_PIPE;
}

uint64_t uop_simd_flops(unsigned class, unsigned pes)
{
	return (uint64_t)class_rules[class].flops * (class == CLASS_SIMD_REDUCE ? pes - 1 : pes);
}

unsigned uop_class_latency(unsigned class, const struct latency_params *l)
{
	return uop_parameter(l, class_rules[class].latency);
}

unsigned uop_class_op(unsigned class, unsigned *ret_each, const struct latency_params *l)
{
	const struct class_rule *rule = &class_rules[class];

	*ret_each = rule->flags & UOP_UNPIPELINED ? uop_parameter(l, rule->latency) : 1;
	return rule->op;
}

/* Steps of a sum over the PEs, each of which adds pairs. */
static unsigned uop_sum_steps(unsigned pes)
{
	unsigned steps = 0;

	while (1u << steps < pes)
		steps++;
	return steps;
}

/* How often each divider divides for an instruction. */
static unsigned divider_rounds(const struct simd_params *p)
{
	return p->divide == SIMD_DIVIDE_SHARED ? (p->pes + p->dividers - 1) / p->dividers : 1;
}

/* Cycles from the selection of a SIMD operation to that of its consumer, which may be in the scalar core. */
static unsigned simd_latency(const struct insn *i, const struct simd_params *p)
{
	unsigned latency = uop_parameter(p, class_rules[i->class].simd_latency), steps = uop_sum_steps(p->pes);

	if (i->class == CLASS_SIMD_REDUCE)
		return (steps ? steps * (latency + p->hop_cycles) : p->latency_move) + p->c_cycles;
	if (i->class == CLASS_SIMD_GET)
		return latency + p->c_cycles;
	if (uop_divides(i))
		return divider_rounds(p) * latency + (p->divide == SIMD_DIVIDE_SHARED ? 2 * p->c_cycles : 0);
	return latency + (i->flags & INSN_CROSS ? p->cross_cycles : 0);
}

/* Sets the fields of an instruction that takes an entry of the array's station. */
static void make_simd(struct uop *u, const struct insn *i, const struct core_config *cfg)
{
	const struct simd_params *p = &cfg->simd;
	bool to_core = i->class == CLASS_SIMD_GET || i->class == CLASS_SIMD_REDUCE;

	u->flags = (u->flags | UOP_SIMD) & ~(uint32_t)UOP_UNPIPELINED;
	u->class = (uint8_t)(i->class + CLASS_COUNT);
	u->unit = (uint8_t)uop_class_unit(u->class);
	u->pipe_cycles = 1;
	/* a result that returns to the core needs no separate report (W1) */
	u->report = (uint8_t)(cfg->core.operand_stages + cfg->core.commit_stages + (to_core ? 0 : p->w1_cycles));
	if (u->unit == EXEC_SIMD)
		u->latency = simd_latency(i, p);
	if (i->class == CLASS_SIMD_REDUCE && uop_sum_steps(p->pes))
		u->pipe_cycles = (uint16_t)((uop_sum_steps(p->pes) - 1) * (p->latency_add + p->hop_cycles) + 1);
	if (uop_divides(i))
		u->divider_cycles =
			(uint16_t)(divider_rounds(p) * uop_parameter(p, class_rules[i->class].simd_latency));
	for (unsigned n = 0; n < i->ndst; n++)
		if (i->dst[n].unit >= REG_S)
			u->sfub = (uint8_t)(u->sfub + (i->dst[n].width + 1) / 2);
	for (unsigned n = 0; n < i->nsrc; n++)
		u->simd_sources = (uint8_t)(u->simd_sources + (i->src[n].unit >= REG_S));
}

/*
 * Counts the operands read, and the rename buffer entries of the results. Condition
 * codes, Y and the like are renamed by the reorder buffer entry, and need none.
 */
static void count_operands(struct uop *u, const struct insn *i, unsigned flops)
{
	uint64_t int_sources = 0, fp_sources = 0, gub = 0, fub = 0;

	for (unsigned n = 0; n < i->ndst; n++) {
		if (i->dst[n].unit < REG_F)
			gub += i->dst[n].width;
		else if (i->dst[n].unit < REG_CCR)
			fub += (i->dst[n].width + 1u) / 2;
	}
	for (unsigned n = 0; n < i->nsrc; n++) {
		if (i->src[n].unit < REG_F)
			int_sources++;
		else if (i->src[n].unit < REG_CCR)
			fp_sources++;
	}
	u->need = LANE(LANE_ROB, 1) | LANE(LANE_GUB, gub) | LANE(LANE_FUB, fub) |
		  LANE(LANE_LOAD_QUEUE, u->flags & UOP_LOAD ? 1 : 0) |
		  LANE(LANE_STORE_QUEUE, u->flags & UOP_STORE ? 1 : 0);
	u->dispatch_lanes = int_sources | fp_sources << 16 | gub << 32 | fub << 48;
	u->commit_lanes = u->flags & UOP_SIMD ? 0 : flops; /* array_new_flops counts those of the array */
	if (u->flags & UOP_LOAD)
		u->commit_lanes |= 1ull << 16;
	if (u->flags & UOP_STORE)
		u->commit_lanes |= 1ull << 32;
	if (u->flags & UOP_CTI)
		u->commit_lanes |= 1ull << 48;
}

/* Writes the operands that make up `ref`; returns their number. */
static unsigned make_regs(const struct reg_ref *ref, struct uop_reg *out)
{
	unsigned n = 0;

	for (unsigned unit = ref->unit; unit < ref->unit + ref->width; unit++) {
		bool pes = unit >= REG_S, fp = pes || (unit >= REG_F && unit < REG_CCR);
		unsigned half = pes ? 64 + unit - REG_S : unit - REG_F;
		bool pair = fp && ref->width > 1;

		if (pair && half & 1)
			continue;
		out[n].number = (uint8_t)(fp             ? OPERAND_PAIRS + half / 2
					  : unit < REG_F ? unit
							 : OPERAND_OTHER + unit - REG_CCR);
		out[n++].half = (uint8_t)(fp && !pair ? half : OPERAND_WHOLE);
	}
	return n;
}

/* Returns whether source `n` is data, which delays neither a store's address nor an entry of the array's station. */
static bool is_data(const struct uop *u, const struct insn *i, unsigned n)
{
	if (u->unit == EXEC_SIMD) /* condition codes are those of the PEs */
		return i->src[n].unit < REG_S && !uop_is_fcc(i->src[n].unit);
	if (u->flags & UOP_GATHER) /* the index too: it is in the PEs */
		return i->src[n].unit >= REG_S;
	return u->flags & UOP_STORE && !(u->flags & UOP_LOAD) && !(i->src_address >> n & 1);
}

static void make_operands(struct uop *u, const struct insn *i)
{
	unsigned nsrc = 0, ndst = 0, ndata = 0;

	for (unsigned n = 0; n < i->nsrc; n++)
		if (!is_data(u, i, n))
			nsrc += make_regs(&i->src[n], &u->src[nsrc]);
	for (unsigned n = 0; n < i->nsrc; n++)
		if (is_data(u, i, n))
			ndata += make_regs(&i->src[n], &u->src[nsrc + ndata]);
	for (unsigned n = 0; n < i->ndst; n++)
		ndst += make_regs(&i->dst[n], &u->dst[ndst]);
	if (ndata || ndst > 2 || u->flags & (UOP_STORE | UOP_SAVE | UOP_RESTORE))
		u->flags |= UOP_DISPATCH_MORE;
	if (nsrc > SOURCES_QUICK)
		u->flags |= UOP_DISPATCH_ALONE;
	for (unsigned n = 0; n < SOURCES_QUICK; n++)
		u->source[n] = n < nsrc ? u->src[n].number : OPERAND_READY;
	for (unsigned n = 0; n < 2; n++)
		u->result[n] = n < ndst ? u->dst[n].number : OPERAND_NONE;
	for (unsigned n = 0; n < ndst; n++)
		if (u->dst[n].half != OPERAND_WHOLE)
			u->flags |= UOP_DISPATCH_ALONE;
	u->nsrc = (uint8_t)nsrc;
	u->ndata = (uint8_t)ndata;
	u->ndst = (uint8_t)ndst;
}

static void set_entry(struct uop *u)
{
	/* an address, or pipelined, with a wake-up that is near (event_wheel.h) */
	bool plain = u->unit == EXEC_ADDR || (!(u->flags & UOP_UNPIPELINED) && u->latency < NEAR_SIZE);

	u->entry = NODE_NONE | (uint64_t)NODE_NONE << 16;
	if (!plain)
		u->entry |= (uint64_t)ENTRY_SELECT_MORE << ENTRY_FLAGS_AT;
	if (u->flags & UOP_COMMIT_SPECIAL)
		u->entry |= (uint64_t)ENTRY_COMMIT_MORE << ENTRY_FLAGS_AT;
}

/* The first station of a unit. */
static unsigned uop_unit_station(unsigned unit)
{
	static const uint8_t first[EXEC_COUNT] = {
		[EXEC_NONE] = RS_NONE, [EXEC_INT] = RS_INT, [EXEC_FP] = RS_FP,
		[EXEC_ADDR] = RS_ADDR, [EXEC_BR] = RS_BR,   [EXEC_SIMD] = RS_NONE,
	};

	return first[unit];
}

unsigned uop_unit_pipes(unsigned unit, const struct core_params *p)
{
	return unit == EXEC_INT ? p->int_pipes : unit == EXEC_FP ? p->fp_pipes : 1;
}

static uint8_t station_entries(enum exec_unit unit, const struct core_params *p)
{
	switch (unit) {
	case EXEC_INT: return (uint8_t)p->rse_entries;
	case EXEC_FP: return (uint8_t)p->rsf_entries;
	case EXEC_ADDR: return (uint8_t)p->rsa_entries;
	case EXEC_BR: return (uint8_t)p->rsbr_entries;
	case EXEC_NONE:
	case EXEC_SIMD: return UINT8_MAX; /* no scalar station, so never full */
	case EXEC_COUNT: break;
	}
	bug("no unit %u", unit);
}

static void choose_stations(struct uop *u, const struct core_config *cfg)
{
	u->rs = (uint8_t)uop_unit_station(u->unit);
	u->pipes = (uint8_t)(u->flags & UOP_FIRST_PIPE ? 1 : uop_unit_pipes(u->unit, &cfg->core));
	u->rs_word = u->rs / LANE_COUNT == 1;
	u->rs_entry = u->rs == RS_NONE ? 0 : LANE(u->rs % LANE_COUNT, 1);
	u->choice = u->rs == RS_ADDR || u->rs == RS_BR ? CHOOSE_LAST : u->pipes == 2 ? CHOOSE_OF_TWO : CHOOSE_ANY;
	u->rs_limit = station_entries(u->unit, &cfg->core);
	u->row_offset = u->flags & UOP_UNPIPELINED ? RS_COUNT : 0;
	for (unsigned n = 0; n < sizeof(u->place) / sizeof(*u->place); n++)
		u->place[n] = (struct station_place){
			.rs = (uint16_t)(u->rs + n),
			.ready_row = (uint16_t)(u->rs + n + u->row_offset),
			.rs_bit = station_bits(u->rs + n, u->rs + n + u->row_offset),
		};
}

/*
 * Unconditional direct transfers need no unit if the decoder computes their
 * target; else they resolve in the branch unit.
 */
static uint32_t branch_flags(const struct insn *i, const struct fetch_params *cfg)
{
	if (i->flags & (INSN_COND | INSN_INDIRECT) || !cfg->decode_redirect)
		return UOP_CTI;
	return UOP_CTI | UOP_DIRECT | UOP_NO_ISSUE;
}

void uop_make(struct uop *u, const struct insn *i, uint64_t pc, uint32_t sid, const struct core_config *cfg)
{
	/* sethi to %g0, with any value, is the no-operation (and our region marker) */
	unsigned class = i->opcode == OP_SETHI && !i->ndst ? CLASS_NOP : i->class;
	const struct class_rule *rule = &class_rules[class];
	unsigned latency = uop_class_latency(class, &cfg->latency);

	memset(u, 0, sizeof(*u));
	u->insn = i;
	u->pc = pc;
	u->sid = sid;
	u->number = WINDOW_TRAP_COUNT + sid;
	u->unit = rule->unit;
	u->class = (uint8_t) class;
	u->cause = (uint8_t)rule->cause;
	u->flags = rule->flags;
	u->latency = latency;
	u->size = i->size;
	if (i->flags & INSN_CTI)
		u->flags |= branch_flags(i, &cfg->fetch);
	if (i->flags & INSN_SYNC)
		u->flags |= UOP_SYNC | (i->opcode == OP_MEMBAR ? UOP_BARRIER : 0);
	if (i->flags & INSN_SAVE)
		u->flags |= UOP_SAVE;
	if (i->flags & INSN_RESTORE)
		u->flags |= UOP_RESTORE;
	if (insn_has_address(i))
		u->flags |= UOP_ADDRESS;
	if (i->flags & (INSN_SAVE | INSN_RESTORE))
		u->flags |= UOP_WINDOW;
	if (i->flags & INSN_SIMD || rule->unit == EXEC_SIMD)
		make_simd(u, i, cfg);
	if (u->flags & UOP_LOAD)
		u->latency += beats_of(u->size, l1d_beat_bytes(&cfg->l1d)) - 1; /* its last bytes */
	if (u->flags & UOP_NO_ISSUE)
		u->unit = EXEC_NONE;
	choose_stations(u, cfg);
	make_operands(u, i);
	set_entry(u);
	count_operands(u, i, rule->flops);
}

void uop_make_window_trap(struct uop *u, enum window_trap_op kind, const struct core_config *cfg)
{
	/* The entry takes the trap's latency; the exit (retry) is a serializing instruction too. */
	static const uint8_t classes[WINDOW_TRAP_COUNT] = {
		[WINDOW_TRAP_ENTRY] = CLASS_TRAP, [WINDOW_TRAP_STORE] = CLASS_STORE,  [WINDOW_TRAP_LOAD] = CLASS_LOAD,
		[WINDOW_TRAP_EXIT] = CLASS_SYNC,  [WINDOW_TRAP_ANNULLED] = CLASS_NOP,
	};
	static const uint8_t units[WINDOW_TRAP_COUNT] = {
		[WINDOW_TRAP_ENTRY] = EXEC_NONE, [WINDOW_TRAP_STORE] = EXEC_ADDR,    [WINDOW_TRAP_LOAD] = EXEC_ADDR,
		[WINDOW_TRAP_EXIT] = EXEC_NONE,  [WINDOW_TRAP_ANNULLED] = EXEC_NONE,
	};
	static const uint32_t flags[WINDOW_TRAP_COUNT] = {
		[WINDOW_TRAP_ENTRY] = UOP_SYNC | UOP_NO_ISSUE,
		[WINDOW_TRAP_STORE] = UOP_STORE,
		[WINDOW_TRAP_LOAD] = UOP_LOAD,
		[WINDOW_TRAP_EXIT] = UOP_SYNC | UOP_NO_ISSUE,
		[WINDOW_TRAP_ANNULLED] = UOP_NO_ISSUE | UOP_ANNULLED,
	};
	unsigned latency = kind == WINDOW_TRAP_ENTRY  ? cfg->latency.window_trap + 1
			   : kind == WINDOW_TRAP_LOAD ? cfg->latency.load_use
						      : 1;

	if (kind == WINDOW_TRAP_LOAD)
		latency += beats_of(8, l1d_beat_bytes(&cfg->l1d)) - 1;

	memset(u, 0, sizeof(*u));
	u->number = kind;
	u->unit = units[kind];
	u->class = classes[kind];
	u->cause = (uint8_t)class_rules[u->class].cause;
	u->flags = flags[kind] | UOP_WINDOW_TRAP | UOP_DISPATCH_MORE;
	set_entry(u);
	choose_stations(u, cfg);
	u->size = 8;
	u->latency = latency;
	u->need = LANE(LANE_ROB, 1) | LANE(LANE_LOAD_QUEUE, kind == WINDOW_TRAP_LOAD ? 1 : 0) |
		  LANE(LANE_STORE_QUEUE, kind == WINDOW_TRAP_STORE ? 1 : 0);
	u->commit_lanes = kind == WINDOW_TRAP_LOAD ? 1ull << 16 : kind == WINDOW_TRAP_STORE ? 1ull << 32 : 0;
}
