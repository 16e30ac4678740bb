/*
 * A parsed network description (NDL): names, expressions as text, and their lines. The values of
 * expressions depend on net_config(), so the parser keeps them as C text and `inspire` copies them
 * into the C program that it writes.
 */
#ifndef PSIM_NETLINK_NDL_DESCRIPTION_H
#define PSIM_NETLINK_NDL_DESCRIPTION_H

#include <stdbool.h>
#include <stdio.h>

#include "../../psim/base/err.h"
#include "../../psim/base/vec.h"

enum { NDL_DIMS_MAX = 8, NDL_CLASS_NAME_MAX = 15 /* as nsim reports it */ };

struct ndl_range { /* `range R = [lo:hi]` */
	char *name, *low, *high;
	int line;
};
struct ndl_variable { /* `var i in [lo:hi]` or `var i in R` */
	char *name, *low, *high;
	int line;
};
struct ndl_reference { /* `pu(i, j+1)`; in a declaration the sizes */
	char *name;
	char *index[NDL_DIMS_MAX];
	unsigned dims;
	int line;
};
struct ndl_resource {
	struct ndl_reference name; /* its index[] are the sizes */
	bool node;
};
struct ndl_size { /* `pu(i){i(2),o(2)}#v(2)` */
	struct ndl_reference of;
	char *inputs, *outputs, *vcs; /* vcs NULL: 1 */
};
struct ndl_end { /* `pu(i).o(j)` */
	struct ndl_reference of;
	char *port;
};
struct ndl_class {                         /* `link far(100, 2)` */
	char *name, *clocks, *flit_clocks; /* NULL: not given */
	int line;
};
struct ndl_connection {
	struct ndl_end output, input;
	char *class; /* NULL: none */
	int line;
};
struct ndl_routing {
	struct ndl_reference of; /* its index[] are names */
	char *body;              /* C, without the braces */
	int body_line;
};
struct ndl_text { /* of the C part, at its position among the others */
	char *text;
	int line;
};

struct ndl_description {
	const char *file;
	struct vec_of(char *) strings; /* owns all texts of the rows below */
	struct vec_of(struct ndl_text) texts;
	struct vec_of(struct ndl_range) ranges;
	struct vec_of(struct ndl_variable) variables;
	struct vec_of(struct ndl_resource) resources;
	struct vec_of(struct ndl_size) sizes;
	struct vec_of(struct ndl_class) classes;
	struct vec_of(struct ndl_connection) connections;
	struct vec_of(struct ndl_routing) routings;
};

/*
 * Reads a description from `in`; `file` names it in messages and must outlive the result. NULL and
 * `e` (STATUS_BAD_INPUT with the line; STATUS_FAILED if memory is short). Free with ndl_destroy.
 */
struct ndl_description *ndl_read(FILE *in, const char *file, struct err *e);
void ndl_destroy(struct ndl_description *d); /* NULL is allowed */

/*
 * Checks what does not depend on the C part: duplicate and undeclared names, references with
 * another number of indices than the declaration, resources without a routing, a missing
 * net_config. 0, or -1 with `e` (STATUS_BAD_INPUT).
 */
int ndl_check(const struct ndl_description *d, struct err *e);

/*
 * Writes the C program of the network: the C part, and `const struct ndl_program ndl_network`
 * (program.h). `#line` directs the compiler's messages to the description's own lines. 0, or -1
 * with `e` where writing fails.
 */
int ndl_generate(const struct ndl_description *d, FILE *out, struct err *e);

#endif
