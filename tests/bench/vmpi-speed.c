/*
 * What virtual ranks cost: `meson test --benchmark vmpi-speed`.
 *
 *     vmpi-speed [RANKS]
 *
 * Switches of contexts a second; switches of variables, copied and mapped, by size; then a ring of RANKS (131072)
 * ranks: seconds to make them and to run, memory of the process for each rank, messages a second. Fails above 4
 * GiB, or where making the ranks takes 10 s.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "netlink/vmpi/host/globals.h"
#include "netlink/vmpi/message/message.h"
#include "tests/unit/fake_engine.h"
#include "netlink/vmpi/vmpi_config.h"

/* of the processor, not of the clock on the wall: other programs may run */
static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double peak_bytes(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)u.ru_maxrss * 1024;
}

/* ---- switches ---- */

struct pair {
	struct context main, other;
};

static void ping(void *arg)
{
	struct pair *p = arg;

	context_begun(&p->other, &p->main);
	for (;;)
		context_switch(&p->other, &p->main, false);
}

static void switches(const char *name, enum context_kind kind, long count)
{
	struct pair p;
	struct stacks s;
	double start;

	if (stacks_create(&s, 1, 65536, NULL) < 0)
		exit(1);
	context_of_thread(&p.main, kind);
	context_init(&p.other, kind, stacks_at(&s, 0), stacks_usable(&s), ping, &p);
	start = seconds();
	for (long i = 0; i < count; i += 2)
		context_switch(&p.main, &p.other, false);
	printf("%-28s %12.1f million/s\n", name, (double)count / (seconds() - start) * 1e-6);
	context_finish_thread(&p.main);
	stacks_destroy(&s);
}

/* ---- variables ---- */

enum { SEGMENT_MOST = 256 << 10, SEGMENT_RANKS = 16, SEGMENT_SWITCHES = 20000 };

/* ns of a switch to another rank that then writes into its first and its last page. */
static double variables(size_t bytes, int way)
{
	static _Alignas(4096) char segment[SEGMENT_MOST];
	struct globals g;
	double start;

	if (globals_create(&g, segment, bytes, way, SEGMENT_RANKS, NULL) < 0)
		exit(1);
	start = seconds();
	for (uint32_t i = 0; i < SEGMENT_SWITCHES; i++) {
		if (globals_enter(&g, i % SEGMENT_RANKS, NULL) < 0)
			exit(1);
		segment[0]++;
		segment[bytes - 1]++;
	}
	start = seconds() - start;
	globals_finish(&g);
	return start / SEGMENT_SWITCHES * 1e9;
}

/* ---- a ring ---- */

static int ring(struct vmpi *v, uint32_t rank, void *user)
{
	int size = *(int *)user, me = (int)rank;
	long token = 0;

	if (me > 0)
		vmpi_Recv(v, &token, 1, VMPI_LONG, me - 1, 0, VMPI_COMM_WORLD, NULL);
	token += me;
	vmpi_Send(v, &token, 1, VMPI_LONG, (me + 1) % size, 0, VMPI_COMM_WORLD);
	if (me == 0)
		vmpi_Recv(v, &token, 1, VMPI_LONG, size - 1, 0, VMPI_COMM_WORLD, NULL);
	return me == 0 && token != (long)size * (size - 1) / 2;
}

static int run_ring(int size)
{
	static const struct fake_times times = {.latency = 1000, .per_byte = 1};
	struct config *config = config_create();
	struct vmpi_config cfg;
	struct net_engine *engine = fake_create(&times);
	struct vmpi_setup setup = {.config = &cfg,
				   .kind = &fake_engine,
				   .engine = engine,
				   .ranks = (uint32_t)size,
				   .nodes = (uint32_t)size,
				   .nics = 1};
	double before = peak_bytes(), start = seconds(), made, ended;
	enum vmpi_end end;
	struct vmpi *v;
	struct err e;

	vmpi_config_add(config, &cfg);
	v = vmpi_create(&setup, &e);
	if (!v) {
		fprintf(stderr, "vmpi-speed: %s\n", e.text);
		return 1;
	}
	vmpi_set_body(v, ring, &size);
	made = seconds();
	do {
		end = vmpi_run(v, 1000000, &e);
	} while (end == VMPI_RUNNING);
	ended = seconds();
	printf("%-28s %12d\n%-28s %12.3f s\n%-28s %12.3f s\n", "ranks", size, "made in", made - start, "run in",
	       ended - made);
	printf("%-28s %12.0f bytes\n%-28s %12.3f GiB\n", "memory a rank", (peak_bytes() - before) / size, "memory",
	       peak_bytes() / (1 << 30));
	printf("%-28s %12.3f million/s\n", "messages", size / (ended - made) * 1e-6);
	vmpi_destroy(v);
	fake_engine.destroy(engine);
	config_destroy(config);
	return end != VMPI_DONE || made - start > 10 || peak_bytes() > 4.0 * (1 << 30);
}

int main(int argc, char *argv[])
{
	switches("switches of contexts", CONTEXT_FAST, 20000000);
	switches("the same with ucontext", CONTEXT_UCONTEXT, 2000000);
	for (size_t bytes = 1 << 10; bytes <= SEGMENT_MOST; bytes *= 4)
		printf("variables of %3zu KiB: copied %9.0f ns, mapped %9.0f ns\n", bytes >> 10,
		       variables(bytes, GLOBALS_COPY), variables(bytes, GLOBALS_MAP));
	return run_ring(argc > 1 ? atoi(argv[1]) : 131072);
}
