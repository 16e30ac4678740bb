/*
 * XML by events, for the readers of networks: expat. A document has no entities of its own, and nothing is loaded from
 * elsewhere.
 */
#ifndef PSIM_NETLINK_XML_READ_H
#define PSIM_NETLINK_XML_READ_H

#include <stddef.h>

#include "../../psim/base/lines.h"

/* Each returns 0, or -1 with lines->err, which ends the reading. lines->number is the line of the event. */
struct xml_handlers {
	/* `attributes`: name, value, name, value, ..., NULL. */
	int (*start)(void *user, const char *element, const char *const *attributes);
	int (*end)(void *user, const char *element);
	int (*text)(void *user, const char *text, size_t length); /* a part of a text; not ended by a zero */
};

/* Reads all of lines->in. 0, or -1 with lines->err: STATUS_BAD_INPUT, or STATUS_USAGE in a build without expat. */
int xml_read(struct lines *lines, const struct xml_handlers *h, void *user);

/* Returns the value of an attribute, or NULL. */
const char *xml_attribute(const char *const *attributes, const char *name);

#endif
