/*
 * Bytes a cycle that ports and banks carry, over sizes of accesses, widths of ports and banks, and numbers of pipes.
 * An access of S bytes moves W = min(width of a port, row of banks) a cycle, so it holds its port for S / W cycles,
 * rounded up; it occupies whole banks of the row. Nothing else limits these streams of independent accesses.
 */
#include "core_run.h"
#include "isa/simd.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>

#define MEMORY 0x100000

/* Loads and stores of each size, at [%g1 + …]; register fields that the size allows are added. */
#define W_MEMORY(op3, low) (0xc0000000u | (op3) << 19 | 1u << 14 | (low))
#define IMMEDIATE 0x2000u
#define ASI_BLOCK (0xf0u << 5)
struct access_kind {
	unsigned size;
	uint32_t load, store;
};
static const struct access_kind kinds[] = {
	{1, W_MEMORY(0x01u, IMMEDIATE), W_MEMORY(0x05u, IMMEDIATE)},
	{2, W_MEMORY(0x02u, IMMEDIATE), W_MEMORY(0x06u, IMMEDIATE)},
	{4, W_MEMORY(0x00u, IMMEDIATE), W_MEMORY(0x04u, IMMEDIATE)},
	{8, W_MEMORY(0x0bu, IMMEDIATE), W_MEMORY(0x0eu, IMMEDIATE)},
	{16, W_MEMORY(0x22u, IMMEDIATE), W_MEMORY(0x26u, IMMEDIATE)}, /* quad */
	{64, W_MEMORY(0x33u, ASI_BLOCK), W_MEMORY(0x37u, ASI_BLOCK)},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };
/* Distinct addresses: more than are in flight, as one read serves two loads of a word. */
enum { STREAM = 256 };

#define WIDE_CORE \
	"core.rob_entries=128", "core.rsa_entries=64", "core.commit_width=16", "decode.width=8", \
		"decode.gub_entries=512", "decode.fub_entries=1024", "fetch.width_bytes=64", \
		"fetch.buffer_entries=16", "lsu.load_queue=256", "lsu.store_queue=256"

struct ports {
	unsigned pipes, port_bytes, banks, bank_bytes;
};
struct ports_text {
	char text[4][32];
	const char *overrides[16];
};

static void ports_overrides(struct ports_text *t, const struct ports *p)
{
	static const char *const wide[] = {WIDE_CORE, NULL};
	unsigned n = 0;

	snprintf(t->text[0], sizeof(t->text[0]), "core.address_pipes=%u", p->pipes);
	snprintf(t->text[1], sizeof(t->text[1]), "l1d.port_bytes=%u", p->port_bytes);
	snprintf(t->text[2], sizeof(t->text[2]), "l1d.banks=%u", p->banks);
	snprintf(t->text[3], sizeof(t->text[3]), "l1d.bank_bytes=%u", p->bank_bytes);
	for (; n < 4; n++)
		t->overrides[n] = t->text[n];
	for (unsigned k = 0; wide[k]; k++)
		t->overrides[n++] = wide[k];
	t->overrides[n] = NULL;
}

static unsigned at_least(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

static unsigned at_most(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Bytes that an access of this size moves in a cycle. */
static unsigned beat(const struct ports *p, unsigned size)
{
	return at_most(size, at_most(p->port_bytes, p->banks * p->bank_bytes));
}

/* Bytes a cycle of loads of one size. */
static double load_bytes(const struct ports *p, unsigned size)
{
	unsigned row = p->banks * p->bank_bytes, now = beat(p, size);

	return (double)now * at_most(p->pipes, row / at_least(now, p->bank_bytes));
}

/* Cycles of one repetition in the steady state. */
static double steady(const uint32_t words[STREAM], const uint64_t ea[STREAM], const char *const *overrides)
{
	enum { FEW = 2, MORE = 6 };
	uint64_t few = core_cycles_straight(words, STREAM, FEW, ea, overrides);

	return (double)(core_cycles_straight(words, STREAM, MORE, ea, overrides) - few) / (MORE - FEW);
}

static double bytes_of(const struct ports *p, uint32_t word, unsigned size)
{
	uint32_t words[STREAM];
	uint64_t ea[STREAM];
	unsigned apart = at_least(size, p->bank_bytes);
	struct ports_text t;

	for (unsigned n = 0; n < STREAM; n++) {
		words[n] = word;
		ea[n] = MEMORY + (uint64_t)apart * n;
	}
	ports_overrides(&t, p);
	return size * STREAM / steady(words, ea, t.overrides);
}

/*
 * Calls `check` for all widths and numbers, or with PORT_WIDTHS_STEP in the environment for one of so many. With 4,
 * every value is there, every pair of pipes and widths, and 12 of 15 pairs with a row.
 */
static void for_all_ports(void (*check)(const struct ports *p))
{
	static const unsigned pipes[] = {1, 2, 4}, widths[] = {1, 16, 64};
	static const struct {
		unsigned banks, bytes;
	} rows[] = {{1, 1}, {1, 8}, {8, 4}, {1, 64}, {16, 4}};
	const char *text = getenv("PORT_WIDTHS_STEP");
	unsigned step = text ? (unsigned)strtoul(text, NULL, 10) : 1;

	for (unsigned n = 0; n < 45; n += at_least(step, 1)) {
		unsigned a = n / 15, w = n / 5 % 3, r = n % 5;

		check(&(struct ports){pipes[a], widths[w], rows[r].banks, rows[r].bytes});
	}
}

static void check_loads(const struct ports *p)
{
	for (unsigned k = 0; k < KINDS; k++) {
		double want = load_bytes(p, kinds[k].size);

		CHECK_F64(bytes_of(p, kinds[k].load, kinds[k].size), want, want * 0.01);
	}
}

static void loads_move_what_ports_and_banks_carry(void)
{
	for_all_ports(check_loads);
}

/* The store buffer writes one store at a time. */
static void check_stores(const struct ports *p)
{
	for (unsigned k = 0; k < KINDS; k++) {
		double want = beat(p, kinds[k].size);

		CHECK_F64(bytes_of(p, kinds[k].store, kinds[k].size), want, want * 0.01);
	}
}

static void stores_move_what_one_port_carries(void)
{
	for_all_ports(check_stores);
}

/* Loads and stores of two sizes together move no more than the row, and than the ports. */
static void check_mixed(const struct ports *p)
{
	for (unsigned k = 0; k < KINDS * KINDS; k += 5) {
		const struct access_kind *a = &kinds[k / KINDS], *b = &kinds[k % KINDS];
		unsigned row = p->banks * p->bank_bytes, bytes = STREAM / 2 * (a->size + b->size);
		uint64_t port_cycles = (uint64_t)STREAM / 2 * (a->size / beat(p, a->size) + b->size / beat(p, b->size));
		uint32_t words[STREAM];
		uint64_t ea[STREAM];
		struct ports_text t;
		double cycles;

		for (unsigned n = 0; n < STREAM; n++) {
			words[n] = n % 2 ? b->store : a->load;
			ea[n] = MEMORY + (uint64_t)at_least(64, p->bank_bytes) * n;
		}
		ports_overrides(&t, p);
		cycles = steady(words, ea, t.overrides);
		CHECK(cycles * 1.005 >= (double)bytes / row);
		CHECK(cycles * 1.005 >= (double)port_cycles / p->pipes);
	}
}

static void no_mixture_moves_more(void)
{
	static const struct ports some[] = {{2, 16, 8, 4}, {1, 8, 8, 4}, {4, 16, 4, 1}, {4, 64, 16, 4}, {2, 1, 1, 1}};

	for (unsigned n = 0; n < sizeof(some) / sizeof(some[0]); n++)
		check_mixed(&some[n]);
}

/* A chain of loads takes the load's latency, and the cycles of its further bytes. */
static void a_narrow_row_delays_the_result(void)
{
	static const uint32_t chain[] = {W_LDX(1, 1, 0)};
	const char *row[][4] = {{"l1d.banks=1", "l1d.bank_bytes=1", NULL},
				{"l1d.banks=2", "l1d.bank_bytes=1", NULL},
				{"l1d.port_bytes=4", NULL},
				{"l1d.port_bytes=8", NULL}};
	static const double want[] = {4 + 7, 4 + 3, 4 + 1, 4};

	for (unsigned n = 0; n < 4; n++)
		CHECK_F64(core_cycles_each(chain, 1, NULL, row[n]), want[n], 0.0101);
}

/* ---- SBM ---- */
#define SBM_CORE \
	"core.rob_entries=128", "core.rsa_entries=64", "decode.gub_entries=512", "decode.fub_entries=1024", \
		"lsu.load_queue=256", "lsu.store_queue=256", "simd.sfub_entries=512", "simd.rs_entries=64"

/* Bytes a cycle of accesses to SBM, by the scalar core (`simd` is not set) or the PEs. */
static double sbm_bytes(uint32_t word, unsigned size, bool simd, unsigned ports, unsigned width)
{
	enum { FEW = 2, MORE = 6 };
	char text[2][32];
	const char *const overrides[] = {text[0], text[1], SBM_CORE, NULL};
	uint64_t window = simd ? SIMD_ALL_BASE : SIMD_PE_BASE(3), ea[STREAM];
	uint32_t words[STREAM + 1] = {simd ? W_SIMDON : W_SIMDOFF};
	struct core_stats few, more;

	snprintf(text[0], sizeof(text[0]), "simd.sbm_ports=%u", ports);
	snprintf(text[1], sizeof(text[1]), "simd.sbm_port_bytes=%u", width);
	for (unsigned n = 0; n < STREAM; n++) {
		words[n + 1] = word;
		ea[n] = window + 64 * (uint64_t)n;
	}
	core_array_run(words, STREAM + 1, FEW, ARRAY_PES, ea, overrides, &few);
	core_array_run(words, STREAM + 1, MORE, ARRAY_PES, ea, overrides, &more);
	return (double)(MORE - FEW) * size * STREAM / (double)(more.cycles - few.cycles);
}

static void check_sbm(const struct access_kind *k, bool simd, unsigned ports, unsigned width)
{
	unsigned now = at_most(k->size, width), beats = k->size / now;
	double loads = at_most(ports, 2 * beats) * now; /* two address pipes, two load pipes */

	CHECK_F64(sbm_bytes(k->load, k->size, simd, ports, width), loads, loads * 0.01);
	CHECK_F64(sbm_bytes(k->store, k->size, simd, ports, width), now, now * 0.01); /* one at a time */
}

static void sbm_ports_carry_their_width(void)
{
	static const struct access_kind pes = {8, W_LDDF(2, 1, 0), W_STDF(2, 1, 0)};

	for (unsigned ports = 1; ports <= 4; ports *= 2)
		for (unsigned width = 8; width <= 32; width *= 4) {
			for (unsigned k = 3; k < KINDS; k++)
				check_sbm(&kinds[k], false, ports, width);
			check_sbm(&pes, true, ports, width);
		}
}

/* A transfer has one port: 2048 bytes more take 2048 / width cycles more, if the channel is faster. */
static void a_transfer_moves_the_width_of_a_port(void)
{
	static const uint32_t get[] = {W_SXGET(3, 1, 2, 0), W_SXWAIT(0)};
	static const unsigned bytes[] = {2048, 4096};

	for (unsigned width = 8; width <= 32; width *= 2) {
		struct core_stats s[2];
		char text[32];

		snprintf(text, sizeof(text), "simd.sbm_port_bytes=%u", width);
		for (unsigned n = 0; n < 2; n++) {
			const uint64_t ea[] = {MEMORY, SIMD_PE_BASE(3), simd_transfer_pack(bytes[n], 1, 8)};

			core_array_run(get, 2, 1, ARRAY_PES, ea,
				       (const char *const[]){text, "memory.bandwidth=64B/cycle",
							     "l2.bandwidth=64B/cycle", "simd.transfer_buffers=1024",
							     NULL},
				       &s[n]);
		}
		CHECK_U64(s[1].cycles - s[0].cycles, 2048 / width);
	}
}

static const struct tap_test tests[] = {
	{"loads move what ports and banks carry", loads_move_what_ports_and_banks_carry},
	{"stores move what one port carries", stores_move_what_one_port_carries},
	{"no mixture moves more", no_mixture_moves_more},
	{"a narrow row delays the result", a_narrow_row_delays_the_result},
	{"SBM ports carry their width", sbm_ports_carry_their_width},
	{"a transfer moves the width of a port", a_transfer_moves_the_width_of_a_port},
};

int main(void)
{
	return tap_main("port-widths", tests, TAP_COUNT(tests));
}
