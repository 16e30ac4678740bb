/*
 * The flow engine beside the packet engine on the same traffic: when may the fast one be
 * trusted?   flow-packet [--host]
 *
 * Parameters are the defaults of both (docs/parameters of nsim), NICs as said; flows carry
 * the packets' headers. --host: CPU seconds too, and how many times faster flows are.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/network/net_case.h"

static const char *const torus = "topology.dims=8x8";
static const char *const torus4 = "topology.dims=8x8 topology.nics=4";
static const char *const tree = "topology.kind=fat_tree topology.dims=4x4x4";
static const char *const cube = "topology.dims=4x4x4";

static const char allreduce[] = "allreduce"; /* not a pattern of its own: write_allreduce */

static const struct row {
	const char *label, *pattern;
} rows[] = {
	{"torus 8x8, ring", "ring:wait=yes,repeat=4"},
	{"torus 8x8, stencil", "nearest:wait=yes,repeat=4"},
	{"torus 8x8, transpose", "transpose:messages=4"},
	{"torus 8x8, random ring", "random_ring:wait=yes,repeat=4"},
	{"torus 8x8, all-to-all pairwise", "pairwise:wait=yes"},
	{"torus 8x8, all-to-all simple spread", "all_to_all:wait=yes"},
	{"torus 8x8, all-to-all 2-D spread", "a2ass2d:wait=yes"},
	{"torus 8x8, 4 NICs, A2AT", "a2at"},
	{"torus 8x8, allreduce", allreduce},
	{"torus 4x4x4, stencil", "nearest:wait=yes,repeat=4"},
	{"torus 4x4x4, random ring", "random_ring:wait=yes,repeat=4"},
	{"torus 4x4x4, allreduce", allreduce},
	{"fat tree 64, ring", "ring:wait=yes,repeat=4"},
	{"fat tree 64, random ring", "random_ring:wait=yes,repeat=4"},
	{"fat tree 64, all-to-all pairwise", "pairwise:wait=yes"},
	{"fat tree 64, broadcast", "broadcast"},
	{"fat tree 64, stencil", "nearest:dims=8x8,wait=yes,repeat=4"},
	{"fat tree 64, allreduce", allreduce},
};

static const char *network_of(const char *label)
{
	if (strstr(label, "A2AT"))
		return torus4;
	if (strstr(label, "4x4x4"))
		return cube;
	return strstr(label, "fat tree") ? tree : torus;
}

/* Recursive doubling among 64 ranks: in step k all data to and from the rank that differs in bit k. */
static void write_allreduce(FILE *out, const char *size)
{
	fprintf(out, "ranks 64\n");
	for (unsigned rank = 0; rank < 64; rank++)
		for (unsigned k = 0; k < 6; k++) {
			fprintf(out, "send %u %u %u %s\n", rank, rank ^ 1u << k, 2 * k, size);
			fprintf(out, "receive %u %u %u\n", rank, rank ^ 1u << k, 2 * k + 1);
		}
}

static struct net_case_result run_file(struct net_case *c, const char *size)
{
	char name[] = "@/tmp/flow-packet-XXXXXX";
	int fd = mkstemp(name + 1);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	struct net_case_result r;

	if (!out) {
		perror(name + 1);
		exit(1);
	}
	write_allreduce(out, size);
	fclose(out);
	c->pattern = name;
	r = net_case_run(c);
	unlink(name + 1);
	return r;
}

static struct net_case_result run(const struct row *row, const char *engine, const char *size)
{
	char pattern[128];
	struct net_case c = {.network = network_of(row->label),
			     .engine = engine,
			     .pattern = pattern,
			     .parameters = "flow.headers=yes"};

	if (row->pattern == allreduce)
		return run_file(&c, size);
	snprintf(pattern, sizeof(pattern), "%s%csize=%s", row->pattern, strchr(row->pattern, ':') ? ',' : ':', size);
	return net_case_run(&c);
}

int main(int argc, char *argv[])
{
	static const char *const sizes[] = {"1024", "16384", "262144"};
	bool host = argc > 1 && !strcmp(argv[1], "--host");

	printf("%-38s %8s %12s %12s %9s%s\n", "traffic", "bytes", "packets us", "flows us", "off",
	       host ? "   host s: packets     flows   times" : "");
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (unsigned k = 0; k < 3; k++) {
			struct net_case_result p = run(&rows[i], "packet", sizes[k]);
			struct net_case_result f = run(&rows[i], "flow", sizes[k]);

			printf("%-38s %8s %12.3f %12.3f %+8.1f%%", k ? "" : rows[i].label, sizes[k],
			       (double)p.total_ps * 1e-6, (double)f.total_ps * 1e-6,
			       ((double)f.total_ps / (double)p.total_ps - 1) * 100);
			if (host)
				printf("   %15.4f %9.4f %7.1f", p.host_s, f.host_s, p.host_s / f.host_s);
			putchar('\n');
		}
	return 0;
}
