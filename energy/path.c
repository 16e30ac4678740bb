/* Paths of path.def for one machine: the speed that their logic needs, and its energy and area. */
#include "energy_model.h"

#include <math.h>

#include "technology.h"

static const struct {
	const char *name, *doc;
} path_rows[PATH_COUNT] = {
#define PATH(name, stretch, work, doc) {#name, doc},
#include "path.def"
#undef PATH
};

const char *path_name(unsigned path)
{
	return path_rows[path].name;
}

const char *path_doc(unsigned path)
{
	return path_rows[path].doc;
}

/* The laws of path.def. The delay of a RAM is bounded below: four gates less than the reference's. */
static double ram(double entries, double reference, double cycles)
{
	return fmax(entries > 0 ? log2(entries / reference) : 0, -4) / (cycles * REFERENCE_LOGIC_FO4);
}

static double wake(double times)
{
	return pow(times, 0.5 * log2(724.0 / 578));
}

static double rename_width(double times)
{
	return pow(times, log2(428.0 / 351));
}

/* The stretch of the slowest of the four operations. */
static double div_stretch(unsigned div_s, unsigned div_d, unsigned sqrt_s, unsigned sqrt_d)
{
	return fmin(fmin(div_s / 12.0, div_d / 19.0), fmin(sqrt_s / 18.0, sqrt_d / 29.0));
}

static double l2_work(double bytes)
{
	return 0.5 + 0.5 * sqrt(bytes / (6 << 20));
}

bool path_used(const struct energy_machine *m, unsigned path)
{
	if (path == PATH_l3)
		return m->l3_slices > 0;
	if (path == PATH_simd_div)
		return m->simd_dividers != 0;
	if (path == PATH_simd_int || path == PATH_simd_int_mul)
		return m->simd_integer != 0;
	if (path == PATH_simd_index)
		return m->simd_index_ports != 0;
	return m->simd_pes || path < PATH_simd_way;
}

void path_describe(const struct energy_machine *m, struct path_cost path[PATH_COUNT])
{
	bool made = m->design_hz > 0; /* for another point than the one at which it runs */
	double clock = technology_pace(made ? m->design_hz : m->frequency_hz, m->node_nm,
				       made ? m->design_voltage : m->voltage);

#define PATH(name, stretch_, work_, doc) path[PATH_##name] = (struct path_cost){.stretch = stretch_, .work = work_};
#include "path.def"
#undef PATH
	for (unsigned n = 0; n < PATH_COUNT; n++) {
		struct path_cost *p = &path[n];

		if (!path_used(m, n))
			p->stretch = p->work = 1;
		p->speed = p->work / p->stretch * clock;
		p->energy = technology_speed_energy(p->speed);
		p->area = sqrt(p->energy);
	}
}

bool path_tightest(const struct energy_model *m, unsigned *path)
{
	*path = 0;
	for (unsigned n = 1; n < PATH_COUNT; n++)
		if (path_used(&m->machine, n) && m->path[n].speed > m->path[*path].speed)
			*path = n;
	return m->path[*path].speed > FASTEST_SPEED;
}

/* ---- users of the paths ---- */
struct path_users {
	struct {
		unsigned path;
		bool cycles; /* there are `times` as many slots as in the reference, for the same work */
		double times;
	} stage[STAGE_COUNT];
	unsigned array[ARRAY_COUNT];
	struct {
		unsigned path, stage;
		bool cycles;  /* counted per cycle */
		double slots; /* slots of the stage per operation */
	} op[EOP_COUNT];
};

/* Everything without a row uses the path `cycle`, which is 0. */
static struct path_users path_users(const struct energy_machine *m)
{
	struct path_users u = {.array = {PATH_cycle}};

#define STAGE_ON(name, on) u.stage[STAGE_##name].path = PATH_##on;
#define STAGE_CYCLES(name, on, times_) \
	u.stage[STAGE_##name].path = PATH_##on; \
	u.stage[STAGE_##name].cycles = true; \
	u.stage[STAGE_##name].times = times_;
#define ARRAY_ON(name, on) u.array[ARRAY_##name] = PATH_##on;
#define OP_ON(name, on) u.op[EOP_##name].path = PATH_##on;
#define OP_CYCLES(name, on) \
	u.op[EOP_##name].path = PATH_##on; \
	u.op[EOP_##name].cycles = true;
#define SLOTS(name, stage_, slots_) \
	u.op[EOP_##name].stage = STAGE_##stage_; \
	u.op[EOP_##name].slots = slots_;
#include "path_user.def"
#undef STAGE_ON
#undef STAGE_CYCLES
#undef ARRAY_ON
#undef OP_ON
#undef OP_CYCLES
#undef SLOTS
	return u;
}

/* The rest does not grow with the number of a stage's slots, and has one cycle's logic. */
static void rest_apply(const struct energy_model *m, struct stage_cost *c, double share)
{
	double held = c->latches > 0 ? c->held_j / c->latches : 0;

	c->rest_latches *= share;
	c->rest_moved_j = c->rest_latches * (c->latch_j + c->logic_j * m->path[PATH_cycle].energy);
	c->rest_held_j = c->rest_latches * held;
}

static void apply_stages(struct energy_model *m, const struct path_users *u)
{
	for (unsigned s = 0; s < STAGE_COUNT; s++) {
		const struct path_cost *p = &m->path[u->stage[s].path];
		struct stage_cost *c = &m->stage[s];
		double latches = u->stage[s].cycles ? 1 : p->stretch;
		double logic = !u->stage[s].cycles ? 1 : u->stage[s].times > 0 ? 1 / u->stage[s].times : 0;

		rest_apply(m, c, logic);
		c->logic_j *= p->energy;
		c->moved_j = c->latches * (latches * c->latch_j + logic * c->logic_j);
		c->held_j *= latches;
		c->copies = latches;
		c->area = LATCH_SHARE_MM2 * latches + (1 - LATCH_SHARE_MM2) * logic * p->area;
	}
}

static void apply_ops(struct energy_model *m, const struct path_users *u)
{
	for (unsigned i = 0; i < EOP_COUNT; i++) {
		const struct path_cost *p = &m->path[u->op[i].path];
		double each = u->op[i].cycles ? p->energy / p->stretch : p->energy;
		const struct stage_cost *stage = &m->stage[u->op[i].stage];
		const struct path_cost *with = &m->path[u->stage[u->op[i].stage].path]; /* is in stage->logic_j */
		struct op_cost *c = &m->op[i];

		c->j *= each;
		c->mm2 *= p->area;
		c->wire_energy = each;
		if (u->op[i].slots == 0)
			continue;
		c->stage = u->op[i].stage;
		c->stage_j = u->op[i].slots * stage->latches * stage->logic_j * each / with->energy;
	}
	/* latches only; the logic counts with the operations */
	for (unsigned i = 0; i < EOP_COUNT; i++) {
		struct stage_cost *stage = &m->stage[u->op[i].stage];

		if (u->op[i].slots > 0)
			stage->moved_j = stage->latches * stage->latch_j;
	}
}

void path_apply(struct energy_model *m)
{
	struct path_users u = path_users(&m->machine);

	path_describe(&m->machine, m->path);
	apply_stages(m, &u);
	apply_ops(m, &u);
	for (unsigned i = 0; i < ARRAY_COUNT; i++) {
		const struct path_cost *p = &m->path[u.array[i]];
		struct array_cost *c = &m->array[i];

		if (c->off_chip)
			continue;
		c->read_j *= p->energy;
		c->write_j *= p->energy;
		c->mm2 *= c->memory ? 1 + PERIPHERY_MM2 * (p->area - 1) : p->area;
	}
}
