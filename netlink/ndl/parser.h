/* State shared by scanner and parser; private to ndl/. */
#ifndef PSIM_NETLINK_NDL_PARSER_H
#define PSIM_NETLINK_NDL_PARSER_H

#include <setjmp.h>

#include "description.h"

struct ndl_list { /* expressions separated by commas */
	char *item[NDL_DIMS_MAX];
	unsigned count;
};

struct ndl_parser {
	struct ndl_description *d;
	struct err *e;
	bool failed; /* `e` is set */
	void *scanner;
	int statement_line;
	const char *word; /* the last name or number */
	/* the scanner's */
	jmp_buf give_up; /* destination of flex's fatal errors, instead of exit */
	int depth;       /* of braces, in C text and in a routing's body */
	bool routing;    /* inside `routing { … }` */
	bool statement;  /* at the start of a statement of the C part */
	int block;       /* open braces in the NDL part */
	int text_line;   /* line where the present text began */
	char *text;
	size_t used, room;
};

/* Records the first error only; returns -1. */
__attribute__((format(printf, 3, 4))) int ndl_error(struct ndl_parser *p, int line, const char *format, ...);

/* The same for short memory. */
int ndl_short(struct ndl_parser *p);

/*
 * Makes p->scanner for `text` of `size` bytes, which it modifies while scanning; the last two are
 * NUL. End with ndl_scan_end; after -1 (short memory) there is nothing to end.
 */
int ndl_scan_start(struct ndl_parser *p, char *text, size_t size);
void ndl_scan_end(struct ndl_parser *p);

/* Transfers the allocated `text` to the description. Returns NULL if `text` is NULL or memory is short. */
char *ndl_keep(struct ndl_parser *p, char *text);

/*
 * Concatenates "a" + "b" + "c" to a new string of the description; a and c may be NULL. NULL if
 * memory is short.
 */
char *ndl_join(struct ndl_parser *p, const char *a, const char *b, const char *c);

#endif
