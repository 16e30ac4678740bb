/* --expect: figures of a report, all of them checked. */
#include <stdio.h>

#include "../message_line.h"
#include "opt.h"

int opt_expect_check(const struct opt_list *list, struct err *e)
{
	for (unsigned i = 0; i < list->count; i++)
		if (report_expect_check(list->item[i], e) < 0)
			return -1;
	return 0;
}

int opt_expect(const char *program, const struct opt_list *list, const struct report *r, struct err *e)
{
	struct err missed;
	int ret = 0;

	for (unsigned i = 0; i < list->count; i++) {
		if (report_expect(r, list->item[i], &missed) == 0)
			continue;
		if (ret < 0)
			message("%s: %s", program, e->text);
		*e = missed;
		ret = -1;
	}
	return ret;
}
