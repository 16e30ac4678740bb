#include "alloc_fail.h"

#include <stddef.h>

/* The linker's --wrap makes these names (see meson.build). */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *p, size_t size);

static unsigned left; /* allocations up to and with the one that fails; 0: none does */
static int failed;

void alloc_fail_at(unsigned k)
{
	left = k;
	failed = 0;
}

int alloc_fail_end(void)
{
	int result = failed;

	left = 0;
	failed = 0;
	return result;
}

static int fails(void)
{
	if (!left || --left)
		return 0;
	failed = 1;
	return 1;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return fails() ? NULL : __real_realloc(p, size);
}
