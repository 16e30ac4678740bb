/* What scanner and parser share. Internal to ndl/. */
#ifndef PSIM_NETLINK_NDL_PARSER_H
#define PSIM_NETLINK_NDL_PARSER_H

#include "description.h"

struct ndl_list { /* expressions between commas */
	char *item[NDL_DIMS_MAX];
	unsigned count;
};

struct ndl_parser {
	struct ndl_description *d;
	struct err *e;
	bool failed; /* `e` is set */
	void *scanner;
	FILE *in;
	int statement_line;
	/* the scanner's */
	int depth; /* of braces, in C text and in a routing's body */
	bool routing;   /* inside `routing { … }` */
	bool statement; /* at the start of a statement of the C part */
	int block;      /* braces open in the NDL part */
	int text_line;  /* where the text being gathered began */
	char *text;
	size_t used, room;
};

/* The first error counts; returns -1. */
__attribute__((format(printf, 3, 4))) int ndl_error(struct ndl_parser *p, int line,
                                                    const char *format, ...);

/* "a" + "b" + "c" as one new string, freeing the three (NULL: nothing). NULL without memory. */
char *ndl_join(struct ndl_parser *p, char *a, const char *b, char *c);

#endif
