/* What scanner and parser share. Internal to ndl/. */
#ifndef PSIM_NETLINK_NDL_PARSER_H
#define PSIM_NETLINK_NDL_PARSER_H

#include <setjmp.h>

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
	int statement_line;
	/* the scanner's */
	jmp_buf give_up; /* where flex goes instead of ending the program */
	int depth;       /* of braces, in C text and in a routing's body */
	bool routing;    /* inside `routing { … }` */
	bool statement;  /* at the start of a statement of the C part */
	int block;       /* braces open in the NDL part */
	int text_line;   /* where the text being gathered began */
	char *text;
	size_t used, room;
};

/* The first error counts; returns -1. */
__attribute__((format(printf, 3, 4))) int ndl_error(struct ndl_parser *p, int line, const char *format, ...);

/* The same for short memory. */
int ndl_short(struct ndl_parser *p);

/*
 * Makes p->scanner, for `text` of `size` bytes, the last two of which are NUL and which it changes while it
 * scans. -1 without memory, and nothing is left to end; else ndl_scan_end does.
 */
int ndl_scan_start(struct ndl_parser *p, char *text, size_t size);
void ndl_scan_end(struct ndl_parser *p);

/* Gives `text`, which was allocated, to the description. NULL (also where it is NULL) without memory. */
char *ndl_keep(struct ndl_parser *p, char *text);

/* "a" + "b" + "c" as one new string of the description; a and c may be NULL. NULL without memory. */
char *ndl_join(struct ndl_parser *p, const char *a, const char *b, const char *c);

#endif
