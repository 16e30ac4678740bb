/* Parameters of virtual ranks: config.h. */
#include "config.h"

/* One function a section: its rows as a table, added to the configuration. */
#define SECTION(name, doc_)                                                                       \
	static void add_##name(struct config *c, struct vmpi_##name##_params *target)             \
	{                                                                                         \
		static const char section_name[] = #name;                                         \
		static const struct param rows[] = {
#define P(field, type_, initial_, min_, max_, unit_, doc_)                                        \
	{ .section = section_name, .key = #field, .type = PARAM_##type_, .initial = initial_,     \
	  .min = min_, .max = max_, .unit = unit_, .doc = doc_,                                   \
	  .offset = offsetof(__typeof__(*target), field) },
#define E(field, initial_, choices_, doc_)                                                        \
	{ .section = section_name, .key = #field, .type = PARAM_ENUM, .initial = initial_,        \
	  .choices = choices_, .unit = "", .doc = doc_,                                           \
	  .offset = offsetof(__typeof__(*target), field) },
#define END(name)                                                                                 \
		};                                                                                \
		config_add(c, rows, sizeof(rows) / sizeof(rows[0]), target);                      \
	}
#include "params.def"
#undef SECTION
#undef P
#undef E
#undef END

void vmpi_config_add(struct config *c, struct vmpi_config *target)
{
#define SECTION(name, doc) config_describe(c, #name, doc); add_##name(c, &target->name);
#define P(field, type, initial, min, max, unit, doc)
#define E(field, initial, choices, doc)
#define END(name)
#include "params.def"
#undef SECTION
#undef P
#undef E
#undef END
}
