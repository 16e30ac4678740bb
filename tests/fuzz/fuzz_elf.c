/* Program files: loading any bytes gives a guest with a stack, or one line of message. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "traces/record/guest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[40];
	char *const args[] = {path};
	struct guest_options o = {.program = path, .args = args, .arg_count = 1, .memory_bytes = 64 << 20};
	struct err e = {.text = ""};
	int fd = memfd_create("elf", 0);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct guest *g = guest_create(&o, &e);
	if (!g && (!*e.text || strchr(e.text, '\n')))
		abort();
	for (unsigned i = 1; g && i < g->image.symbol_count; i++)
		if (g->image.symbols[i - 1].address >= g->image.symbols[i].address)
			abort();
	guest_destroy(g);
	close(fd);
	return 0;
}
