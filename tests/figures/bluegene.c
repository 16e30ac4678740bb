/*
 * Bruck's all-to-all on BlueGene/L's 8 x 4 x 4 nodes over the size of a block: what the packet engine says,
 * beside the closed form of its rounds. With --picture draws both as SVG.
 *
 *     bluegene CONFIG.ini [--picture|--large]
 *
 * --large: the three sizes whose host time the paper has, 64, 128 and 256 KiB, and the host's processor time here.
 *
 * Round k sends 64 blocks to the rank 2^k further on: on this torus 1, 2, 4 columns, 1, 2 rows, 1, 2 planes. The
 * busiest link of a round carries as many messages as it has hops, half of them where both ways round are as long
 * (4 of 8, 2 of 4): 1 + 2 + 2 + 1 + 1 + 1 + 1 = 9 in all. So a run takes about
 *
 *     7 (2 calls) + (13 hops + 7 routers) 90 ns + 9 x 64 m / 154 MB/s
 *
 * for blocks of m bytes. Status 5 if the engine is more than 5 % off where bandwidth decides (from 256 bytes on).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "a2at.h"
#include "plot.h"
#include "psim/base/mem.h"

enum { NODES = 128, SIZES = 12, CALL_PS = 200000 };

static double closed_form(uint64_t block)
{
	return 7 * 3 * CALL_PS * 1e-12 + 20 * 90e-9 + 9.0 * 64 * (double)block / 154e6;
}

static double simulated(const char *config, uint64_t block)
{
	struct topology_config topology;
	struct net_config net;
	struct config *c = config_create();
	struct a2at_program *p = a2at_bruck(NODES);
	struct a2at_run r = {.topology = &topology, .config = &net, .bytes = NODES / 2 * block, .call_ps = CALL_PS};
	struct a2at_result result = {0};
	struct err e = {.status = STATUS_FAILED, .text = "out of memory"};
	bool good = false;

	if (c && p) {
		topology_config_add(c, &topology);
		net_config_add(c, &net);
		good = config_read(c, config, &e) == 0 && topology_config_check(c, &topology, &e) == 0 &&
		       net_config_check(c, &net, &e) == 0 && a2at_run(p, &r, &result, &e) == 0;
	}
	if (!good) {
		fprintf(stderr, "bluegene: %s\n", e.text);
		exit((int)e.status);
	}
	config_destroy(c);
	a2at_free(p);
	return result.seconds;
}

static void picture(const double ours[SIZES], const double form[SIZES])
{
	static const struct plot p = {
		"Bruck's all-to-all on 128 nodes of BlueGene/L: run time over the block",
		"8 x 4 x 4 nodes, links of 154 MB/s; a block is what one rank has for another one",
		"block",
		"bytes",
		"run time",
		"s",
		true};
	struct plot_series series[2] = {{.name = "packet engine"}, {.name = "closed form", .dashed = true}};

	for (unsigned i = 0; i < SIZES; i++) {
		plot_add(&series[0], 1 << i, ours[i]);
		plot_add(&series[1], 1 << i, form[i]);
	}
	plot_curves(stdout, &p, series, 2);
}

/* "When the message is 64, 128, 256 KB the simulation takes 44, 145, 923 s": section 3.4.3. */
static int large(const char *config)
{
	static const double paper_s[] = {44, 145, 923};
	bool missed = false;

	printf("%10s %14s %14s %10s %10s %10s\n", "block", "engine ms", "closed form ms", "", "host s", "paper's");
	for (unsigned i = 0; i < 3; i++) {
		uint64_t block = UINT64_C(65536) << i;
		clock_t began = clock();
		double ours = simulated(config, block), form = closed_form(block);

		printf("%10u %14.2f %14.2f %+9.2f%% %10.1f %10.0f\n", 65536U << i, 1e3 * ours, 1e3 * form,
		       100 * (ours / form - 1), (double)(clock() - began) / CLOCKS_PER_SEC, paper_s[i]);
		fflush(stdout);
		missed |= fabs(ours / form - 1) > 0.05;
	}
	return missed ? STATUS_EXPECT : STATUS_DONE;
}

int main(int argc, char **argv)
{
	double ours[SIZES], form[SIZES];
	bool draw = argc > 2 && !strcmp(argv[2], "--picture"), missed = false;

	if (argc < 2) {
		fprintf(stderr, "usage: bluegene CONFIG.ini [--picture|--large]\n");
		return STATUS_USAGE;
	}
	if (argc > 2 && !strcmp(argv[2], "--large"))
		return large(argv[1]);
	if (!draw)
		printf("%10s %14s %14s %10s\n", "block", "engine ms", "closed form ms", "");
	for (unsigned i = 0; i < SIZES; i++) {
		ours[i] = simulated(argv[1], UINT64_C(1) << i);
		form[i] = closed_form(UINT64_C(1) << i);
		missed |= i >= 8 && fabs(ours[i] / form[i] - 1) > 0.05;
		if (!draw) {
			printf("%10u %14.4f %14.4f %+9.1f%%\n", 1U << i, 1e3 * ours[i], 1e3 * form[i],
			       100 * (ours[i] / form[i] - 1));
			fflush(stdout);
		}
	}
	if (draw)
		picture(ours, form);
	return missed ? STATUS_EXPECT : STATUS_DONE;
}
