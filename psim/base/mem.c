#include "mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int mem_short(struct err *e)
{
	return err_set(e, STATUS_FAILED, "out of memory");
}

static void *mem_refuse(size_t count, size_t size, struct err *e)
{
	err_set(e, STATUS_FAILED, "out of memory: request of %zu elements of %zu bytes", count, size);
	return NULL;
}

void *mem_alloc(size_t count, size_t size, struct err *e)
{
	void *p;

	if (!count || !size)
		count = size = 1;
	if (count > SIZE_MAX / size)
		return mem_refuse(count, size, e);
	p = calloc(count, size);
	return p ? p : mem_refuse(count, size, e);
}

void *mem_resize(void *p, size_t count, size_t size, struct err *e)
{
	void *q;

	if (!count || !size)
		count = size = 1;
	if (count > SIZE_MAX / size)
		return mem_refuse(count, size, e);
	q = realloc(p, count * size);
	return q ? q : mem_refuse(count, size, e);
}

char *mem_copy_text(const char *text, struct err *e)
{
	size_t n = strlen(text) + 1;
	char *copy = mem_alloc(n, 1, e);

	return copy ? memcpy(copy, text, n) : NULL;
}
