/*
 * Adds the rows of a params.def to a configuration. Include that file in the body of a function
 * with `struct config *c` and a `target` that has a struct named after each section:
 *
 *     void net_config_add(struct config *c, struct net_config *target)
 *     {
 *     #include "params.def"
 *     }
 *
 * Include this header after those that make structs of the same rows: they use the same macro
 * names.
 */
#ifndef PSIM_BASE_CONFIG_SECTIONS_H
#define PSIM_BASE_CONFIG_SECTIONS_H

#include "param_row.h"

#define SECTION(name_, doc_) \
	{ \
		__typeof__(&target->name_) section_ = &target->name_; \
		static const char section_name_[] = #name_; \
		config_describe(c, section_name_, doc_); \
		static const struct param rows_[] = {
#define P(field_, type_, initial_, min_, max_, unit_, doc_) \
	PARAM_ROW(section_name_, __typeof__(*section_), field_, PARAM_##type_, initial_, min_, max_, unit_, doc_)
#define E(field_, initial_, choices_, doc_) \
	{.section = section_name_, \
	 .key = #field_, \
	 .type = PARAM_ENUM, \
	 .initial = initial_, \
	 .choices = choices_, \
	 .unit = "", \
	 .doc = doc_, \
	 .offset = offsetof(__typeof__(*section_), field_)},
#define END(name_) \
	} \
	; \
	config_add(c, rows_, sizeof(rows_) / sizeof(rows_[0]), section_); \
	}
#define SOURCE(section_, keys_, kind_, text_) config_source(c, #section_, keys_, SOURCE_##kind_, text_);

#endif
