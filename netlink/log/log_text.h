/* Text that formats of events share. */
#ifndef PSIM_NETLINK_LOG_TEXT_H
#define PSIM_NETLINK_LOG_TEXT_H

#include <inttypes.h>
#include <stdio.h>

#include "../../psim/base/escape.h"
#include "../topology/topology_names.h"

/* Writes the name of a message: node and number. */
static inline void log_put_serial(FILE *out, uint64_t serial)
{
	fprintf(out, "%" PRIu64 ".%" PRIu64, serial >> 32, serial & UINT32_MAX);
}

/* Writes a name from outside, without what would end quotes around it or the line, or what escape.h hides. */
static inline void log_put_plain(FILE *out, const char *name)
{
	while (*name) {
		bool plain;
		size_t length = escape_length(name, &plain);

		if (plain && *name != '"' && *name != '\\')
			fwrite(name, 1, length, out);
		name += length;
	}
}

/* Writes a node's name; without one its number behind a word. */
static inline void log_put_node(FILE *out, const struct topology *t, const char *word, uint32_t node)
{
	char name[ROUTER_NAME_MAX];

	if (!topology_has_node_names(t))
		fputs(word, out);
	log_put_plain(out, topology_node_name(t, node, name));
}

/* Writes a link's name and class. */
static inline void log_put_link(FILE *out, const struct topology *t, uint32_t link)
{
	char name[LINK_NAME_MAX];

	log_put_plain(out, topology_link_name(t, link, name));
	fputc(' ', out);
	log_put_plain(out, t->class[t->link[link].class].name);
}

/* Writes such a name in quotes. */
static inline void log_put_name(FILE *out, const char *name)
{
	fputc('"', out);
	log_put_plain(out, name);
	fputc('"', out);
}

#endif
