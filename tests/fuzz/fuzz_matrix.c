/* Communication matrices: any bytes are refused with a message, or give a matrix that reads back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "netlink/traffic/matrix.h"

static void read_back(struct comm_matrix *m)
{
	struct comm_matrix *again;
	struct err e = {0};
	char *text = NULL;
	size_t size = 0, count, count_again;
	FILE *f = open_memstream(&text, &size);
	const struct comm_matrix_entry *x, *y;

	if (!f || comm_matrix_write(m, f, &e))
		abort();
	fclose(f);
	f = fmemopen(text, size, "r");
	again = comm_matrix_read(f, "x", &e);
	fclose(f);
	if (!again)
		abort();
	x = comm_matrix_entries(m, &count);
	y = comm_matrix_entries(again, &count_again);
	if (count != count_again || (count && memcmp(x, y, count * sizeof(*x))))
		abort();
	comm_matrix_destroy(again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = {0};
	FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
	struct comm_matrix *m;

	if (!in)
		return 0;
	m = comm_matrix_read(in, "x", &e);
	fclose(in);
	if (m)
		read_back(m);
	else if (!*e.text || strchr(e.text, '\n'))
		abort();
	comm_matrix_destroy(m);
	return 0;
}
