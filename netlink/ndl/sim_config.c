#include "sim_config.h"

/* One function a section: its rows as a table, added to the configuration. */
#define SECTION(name, doc_) \
	static void add_##name(struct config *c, struct sim_##name##_params *target) \
	{ \
		static const char section_name[] = #name; \
		static const struct param rows[] = {
#define P(field, type_, initial_, min_, max_, unit_, doc_) \
	{.section = section_name, \
	 .key = #field, \
	 .type = PARAM_##type_, \
	 .initial = initial_, \
	 .min = min_, \
	 .max = max_, \
	 .unit = unit_, \
	 .doc = doc_, \
	 .offset = offsetof(__typeof__(*target), field)},
#define E(field, initial_, choices_, doc_) \
	{.section = section_name, \
	 .key = #field, \
	 .type = PARAM_ENUM, \
	 .initial = initial_, \
	 .choices = choices_, \
	 .unit = "", \
	 .doc = doc_, \
	 .offset = offsetof(__typeof__(*target), field)},
#define END(name) \
	} \
	; \
	config_add(c, rows, sizeof(rows) / sizeof(rows[0]), target); \
	}
#include "params.def"
#undef SECTION
#undef P
#undef E
#undef END

void sim_config_add(struct config *c, struct sim_config *target)
{
#define SECTION(name, doc) \
	config_describe(c, #name, doc); \
	add_##name(c, &target->name);
#define P(field, type, initial, min, max, unit, doc)
#define E(field, initial, choices, doc)
#define END(name)
#include "params.def"
#undef SECTION
#undef P
#undef E
#undef END
}

struct run_params sim_run_params(const struct sim_config *v)
{
	const struct sim_wormhole_params *w = &v->wormhole;

	return (struct run_params){
		.kernel = {.flit_bytes = w->flit_bytes,
	                   .buffer_flits = w->buffer_flits,
	                   .link_clocks = w->link_clocks,
	                   .route_clocks = w->route_clocks,
	                   .switch_clocks = w->switch_clocks,
	                   .output_clocks = w->output_clocks,
	                   .credit_clocks = w->credit_clocks,
	                   .one_per_input = w->one_per_input,
	                   .switching = (enum kernel_switching)w->switching,
	                   .phys_idle = w->phys_free == 1,
	                   .watchdog_clocks = w->watchdog_clocks},
		.clocks = v->run.clocks,
		.warmup = v->run.warmup,
		.drain = v->run.drain,
		.seed = v->run.seed,
	};
}
