/*
 * The members of a struct made from the rows of a params.def. In the braces of the struct:
 *
 *     #define CONFIG_ROWS "netlink/engine/net_params.def"     from the top of the tree
 *     #define CONFIG_SECTION(name) net_##name##_params        the struct of a section, whose member is `name`
 *     struct net_config {
 *     #include "../../psim/base/config/config_struct.h"
 *     };
 *
 * Undefines both. Without a guard, since each configuration includes it.
 */
#ifndef CONFIG_ROWS
#include "config.h"
#else
#define SECTION(name, doc) struct CONFIG_SECTION(name) {
#define P(field, type, initial, min, max, unit, doc) PARAM_CTYPE_##type(field);
#define E(field, initial, choices, doc) unsigned field;
#define END(name) \
	} \
	name;
#define SOURCE(section, keys, kind, text)
#include CONFIG_ROWS
#undef SECTION
#undef P
#undef E
#undef END
#undef SOURCE
#undef CONFIG_ROWS
#undef CONFIG_SECTION
#endif
