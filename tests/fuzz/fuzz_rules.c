/* Rules of collective operations, ours and Open MPI's: refused with one line, or algorithms of the operation. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_file.h"
#include "netlink/vmpi/collectives/collective_rules.h"

static void check_found(const char *name, unsigned op)
{
	for (const struct collective_algorithm *const *a = collective_algorithms(); *a; a++)
		if ((*a)->op == op && (*a)->run && !strcmp((*a)->name, name))
			return;
	abort();
}

static void check_rule(const struct collective_rules *r, enum collective_op op, int ranks)
{
	int64_t segment;
	const char *name = collective_rules_find(r, op, ranks, ranks * 7.0, ranks * 9.0, &segment);

	if (name)
		check_found(name, op);
	if (segment < 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = {0};
	struct collective_rules *r =
		collective_rules_read(fuzz_file("a.rules", data, size), collective_algorithms(), &e);

	if (!r && (e.status != STATUS_BAD_INPUT || !*e.text || strchr(e.text, '\n')))
		abort();
	for (unsigned op = 0; r && op < COLLECTIVE_COUNT; op++)
		for (int ranks = 1; ranks < 1 << 20; ranks *= 4)
			check_rule(r, (enum collective_op)op, ranks);
	collective_rules_destroy(r);
	return 0;
}
