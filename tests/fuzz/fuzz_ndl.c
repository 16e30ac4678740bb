/* Network descriptions: what is read can be checked, its C program written; a mistake is one line with its place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "netlink/ndl/description.h"

static void expect_message(const struct err *e)
{
	if ((e->status != STATUS_BAD_INPUT && e->status != STATUS_FAILED) || strncmp(e->text, "net.ndl:", 8) != 0 ||
	    strchr(e->text, '\n'))
		abort();
}

static void generate(const struct ndl_description *d)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	struct err e;

	if (!out || ndl_generate(d, out, &e))
		abort();
	fclose(out);
	if (!length)
		abort();
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ndl_description *d;
	struct err e = {0};
	FILE *in;

	if (!size)
		return 0;
	in = fmemopen((void *)data, size, "r");
	if (!in)
		abort();
	d = ndl_read(in, "net.ndl", &e);
	fclose(in);
	if (!d) {
		expect_message(&e);
		return 0;
	}
	if (ndl_check(d, &e))
		expect_message(&e);
	else
		generate(d);
	ndl_destroy(d);
	return 0;
}
