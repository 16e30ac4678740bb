/*
 * Buffer memories: SIMD loads and stores, the scalar windows, transfers, and
 * what is refused. 4 KiB a PE.
 */
#include "tap.h"

#include "isa/simd.h"
#include "simd_machine.h"

enum {
	LDUB = 0x01,
	LDUH = 0x02,
	LDUW = 0x00,
	LDX = 0x0b,
	LDD = 0x03,
	LDSB = 0x09,
	STB = 0x05,
	STH = 0x06,
	STW = 0x04,
	STX = 0x0e,
	STD = 0x07,
	LDF = 0x20,
	LDDF = 0x23,
	STF = 0x24,
	STDF = 0x27
};

/* Every doubleword w of PE k is k << 32 | w. */
static struct machine *begin(unsigned pes)
{
	struct machine *m = simd_machine(pes);

	for (unsigned k = 0; k < pes; k++)
		for (unsigned w = 0; w < SBM / 8; w++)
			simd_array_poke(m->cpu.array, k, 8 * w, 8, (uint64_t)k << 32 | w);
	return m;
}

/* op3 rd, [%o1 + 0] with an address */
static enum cpu_trap at(struct machine *m, unsigned op3, unsigned rd, uint64_t address)
{
	m->cpu.r[O1] = address;
	m->cpu.ea_log = m->ea;
	return run(m, rrr(3, op3, rd, O1, G0));
}

static uint64_t all(uint32_t offset)
{
	return SIMD_ALL_BASE + offset;
}

static uint64_t of_pe(unsigned pe, uint32_t offset)
{
	return SIMD_PE_BASE(pe) + offset;
}

static enum simd_fault refused(struct machine *m, unsigned op3, uint64_t address)
{
	return fault_of(m, at(m, op3, 2, address));
}

/* ---- SIMD loads and stores ---- */

static void a_load_from_all_is_each_pes_own(void)
{
	static const unsigned sizes[] = {1, 2, 16, 32};

	for (unsigned n = 0; n < 4; n++) {
		struct machine *m = begin(sizes[n]);

		m->cpu.simd = true;
		CHECK_U64(at(m, LDDF, dreg(34), all(SBM - 8)), TRAP_NONE);
		CHECK_HEX(m->ea[0], all(SBM - 8));
		CHECK_U64(at(m, LDF, 5, all(12)), TRAP_NONE); /* the low half of doubleword 1 */
		CHECK_U64(at(m, LDF, 4, all(8)), TRAP_NONE);
		for (unsigned k = 0; k < sizes[n]; k++) {
			CHECK_HEX(m->cpu.array->d[17][k], (uint64_t)k << 32 | 511);
			CHECK_HEX(m->cpu.array->d[2][k], (uint64_t)k << 32 | 1);
		}
	}
}

static void a_load_from_elsewhere_is_the_same_for_all(void)
{
	struct machine *m = begin(16);

	m->cpu.simd = true;
	poke(m, DATA + 16, 0x1122334455667788);
	CHECK_U64(at(m, LDDF, dreg(2), DATA + 16), TRAP_NONE);
	CHECK_HEX(m->ea[0], DATA + 16);
	CHECK_U64(at(m, LDF, 5, DATA + 20), TRAP_NONE);
	CHECK_U64(at(m, LDDF, dreg(6), of_pe(7, 24)), TRAP_NONE);
	CHECK_U64(at(m, LDF, 9, of_pe(7, 24)), TRAP_NONE);
	for (unsigned k = 0; k < 16; k++) {
		CHECK_HEX(m->cpu.array->d[1][k], 0x1122334455667788);
		CHECK_HEX(m->cpu.array->d[2][k], 0x55667788);
		CHECK_HEX(m->cpu.array->d[3][k], 7ull << 32 | 3);
		CHECK_HEX(m->cpu.array->d[4][k], 7);
	}
	CHECK_U64(at(m, LDDF, dreg(2), HOLE), TRAP_ACCESS);
	CHECK_U64(at(m, LDF, 2, HOLE), TRAP_ACCESS);
	CHECK_U64(at(m, LDF, 2, DATA + 2), TRAP_ALIGNMENT);
}

static void a_store_goes_to_each_pes_own(void)
{
	struct machine *m = begin(16);

	m->cpu.simd = true;
	for (unsigned k = 0; k < 16; k++)
		m->cpu.array->d[1][k] = 0x0123456700000000 | k;
	CHECK_U64(at(m, STDF, dreg(2), all(40)), TRAP_NONE);
	CHECK_U64(at(m, STF, 3, all(48)), TRAP_NONE);
	CHECK_U64(at(m, STF, 2, all(60)), TRAP_NONE);
	for (unsigned k = 0; k < 16; k++) {
		CHECK_HEX(simd_array_peek(m->cpu.array, k, 40, 8), 0x0123456700000000 | k);
		CHECK_HEX(simd_array_peek(m->cpu.array, k, 48, 8), (uint64_t)k << 32 | 6);
		CHECK_HEX(simd_array_peek(m->cpu.array, k, 56, 8), (uint64_t)k << 32 | 0x01234567);
	}
	CHECK_U64(refused(m, STDF, DATA), SIMD_FAULT_STORE_SCALAR);
	CHECK_U64(refused(m, STF, of_pe(0, 0)), SIMD_FAULT_STORE_SCALAR);
}

/* ---- the scalar core through the windows ---- */

static void scalar_loads_read_one_pe(void)
{
	struct machine *m = begin(16);

	simd_array_poke(m->cpu.array, 5, 8, 8, 0x8182838485868788);
	CHECK_U64(at(m, LDX, O0, of_pe(5, 8)), TRAP_NONE);
	CHECK_HEX(m->cpu.r[O0], 0x8182838485868788);
	CHECK_HEX(m->ea[0], of_pe(5, 8));
	at(m, LDUW, O0, of_pe(5, 12));
	CHECK_HEX(m->cpu.r[O0], 0x85868788);
	at(m, LDUH, O0, of_pe(5, 10));
	CHECK_HEX(m->cpu.r[O0], 0x8384);
	at(m, LDUB, O0, of_pe(5, 15));
	CHECK_HEX(m->cpu.r[O0], 0x88);
	at(m, LDSB, O0, of_pe(5, 8));
	CHECK_HEX(m->cpu.r[O0], 0xffffffffffffff81);
	at(m, LDD, O2, of_pe(5, 8));
	CHECK_HEX(m->cpu.r[O2], 0x81828384);
	CHECK_HEX(m->cpu.r[O3], 0x85868788);
	at(m, LDDF, dreg(4), of_pe(5, 8));
	CHECK_HEX(m->cpu.d[2], 0x8182838485868788);
	at(m, LDF, 7, of_pe(5, 8));
	CHECK_HEX(m->cpu.d[3], 0x81828384);
}

static void scalar_stores_write_one_pe_or_all(void)
{
	struct machine *m = begin(3);

	m->cpu.r[O0] = 0xa1a2a3a4a5a6a7a8;
	CHECK_U64(at(m, STB, O0, of_pe(1, 0)), TRAP_NONE);
	at(m, STH, O0, of_pe(1, 2));
	at(m, STW, O0, of_pe(1, 4));
	CHECK_HEX(simd_array_peek(m->cpu.array, 1, 0, 8), 0xa800a7a8a5a6a7a8);
	CHECK_HEX(simd_array_peek(m->cpu.array, 0, 0, 8), 0);
	CHECK_U64(at(m, STX, O0, all(16)), TRAP_NONE);
	CHECK_HEX(m->ea[0], all(16));
	m->cpu.d[1] = 0x1111111122222222;
	at(m, STDF, dreg(2), all(24));
	at(m, STF, 3, all(32));
	m->cpu.r[O2] = 1;
	m->cpu.r[O3] = 2;
	at(m, STD, O2, all(40));
	for (unsigned k = 0; k < 3; k++) {
		CHECK_HEX(simd_array_peek(m->cpu.array, k, 16, 8), 0xa1a2a3a4a5a6a7a8);
		CHECK_HEX(simd_array_peek(m->cpu.array, k, 24, 8), 0x1111111122222222);
		CHECK_HEX(simd_array_peek(m->cpu.array, k, 32, 4), 0x22222222);
		CHECK_HEX(simd_array_peek(m->cpu.array, k, 40, 8), 0x100000002);
	}
}

static void windows_refuse_what_they_cannot(void)
{
	struct machine *m = begin(16);

	CHECK_U64(refused(m, LDX, all(0)), SIMD_FAULT_LOAD_ALL);
	CHECK_U64(refused(m, LDDF, all(0)), SIMD_FAULT_LOAD_ALL);
	CHECK_U64(refused(m, LDX, of_pe(15, SBM)), SIMD_FAULT_BEYOND);
	CHECK_U64(m->cpu.array->fault_value, of_pe(15, SBM));
	CHECK_U64(refused(m, STX, all(SBM)), SIMD_FAULT_BEYOND);
	CHECK_U64(refused(m, LDX, of_pe(16, 0)), SIMD_FAULT_NO_WINDOW);
	CHECK_U64(refused(m, LDDF, of_pe(0, 4)), SIMD_FAULT_MISALIGNED);
	CHECK_U64(at(m, LDX, O0, of_pe(0, 4)), TRAP_ALIGNMENT);
	/* swap, casx, block load, ldxa, no-fault load, quad, fsr */
	CHECK_U64(at(m, 0x0f, O0, of_pe(0, 0)), TRAP_ACCESS);
	m->cpu.r[O1] = of_pe(0, 0);
	CHECK_U64(run(m, asi_access(0x3e, O0, O1, O2, 0x80)), TRAP_ACCESS);
	CHECK_U64(run(m, asi_access(0x33, 0, O1, G0, 0xf0)), TRAP_ACCESS);
	CHECK_U64(run(m, asi_access(0x1b, O0, O1, G0, 0x80)), TRAP_ACCESS);
	CHECK_U64(run(m, asi_access(0x1b, O0, O1, G0, 0x82)), TRAP_ACCESS);
	CHECK_U64(at(m, 0x22, 0, of_pe(0, 0)), TRAP_ACCESS);
	CHECK_U64(at(m, 0x25, 0, of_pe(0, 0)), TRAP_ACCESS);
	CHECK(simd_in_window(m->cpu.fault_address));
	/* in SIMD mode too */
	m->cpu.simd = true;
	CHECK_U64(refused(m, LDDF, all(SBM)), SIMD_FAULT_BEYOND);
	CHECK_U64(refused(m, LDDF, all(4)), SIMD_FAULT_MISALIGNED);
	CHECK_U64(refused(m, LDF, all(2)), SIMD_FAULT_MISALIGNED);
	CHECK_U64(refused(m, STDF, all(SBM)), SIMD_FAULT_BEYOND);
}

/* ---- transfers ---- */

/* sxget or sxput [%o0], [%o1], %o2 */
static enum cpu_trap move(struct machine *m, unsigned op3, bool deal, uint64_t memory, uint64_t window,
			  uint64_t descriptor)
{
	m->cpu.r[O0] = memory;
	m->cpu.r[O1] = window;
	m->cpu.r[O2] = descriptor;
	m->cpu.ea_log = m->ea;
	return run(m, transfer_op(op3, O2, O0, O1, deal));
}

static void number_memory(struct machine *m)
{
	for (unsigned w = 0; w < 0x2000 / 8; w++)
		poke(m, DATA + 8 * w, 0xda7a0000 + w);
}

static uint64_t sbm(const struct machine *m, unsigned pe, uint32_t offset)
{
	return simd_array_peek(m->cpu.array, pe, offset, 8);
}

static void one_piece_goes_to_one_pe_or_to_all(void)
{
	struct machine *m = begin(4);
	uint64_t d = simd_transfer_pack(24, 1, 0);

	number_memory(m);
	CHECK_U64(move(m, SXGET, false, DATA + 8, of_pe(2, 16), d), TRAP_NONE);
	CHECK_HEX(m->ea[0], DATA + 8);
	CHECK_HEX(m->ea[1], of_pe(2, 16));
	CHECK_HEX(m->ea[2], d);
	CHECK_U64((uint64_t)(m->cpu.ea_log - m->ea), 3);
	for (unsigned w = 0; w < 3; w++)
		CHECK_HEX(sbm(m, 2, 16 + 8 * w), 0xda7a0001 + w);
	CHECK_HEX(sbm(m, 2, 40), 2ull << 32 | 5); /* as it was */
	CHECK_HEX(sbm(m, 1, 16), 1ull << 32 | 2);
	CHECK_U64(move(m, SXGET, false, DATA, all(64), d), TRAP_NONE);
	for (unsigned k = 0; k < 4; k++)
		CHECK_HEX(sbm(m, k, 80), 0xda7a0002);
}

/* 3 pieces of 16 bytes, 64 bytes apart, backwards: doublewords 32 33, 24 25, 16 17 */
static void pieces_have_a_stride(void)
{
	struct machine *m = begin(2);

	number_memory(m);
	CHECK_U64(move(m, SXGET, false, DATA + 256, of_pe(0, 0), simd_transfer_pack(16, 3, -64)), TRAP_NONE);
	for (unsigned w = 0; w < 6; w++)
		CHECK_HEX(sbm(m, 0, 8 * w), 0xda7a0000 + 32 - 8 * (w / 2) + w % 2);
	CHECK_U64(run(m, wait_op(0)), TRAP_NONE);
	/* and back, elsewhere, with another stride */
	CHECK_U64(move(m, SXPUT, false, DATA + 0x1000, of_pe(0, 0), simd_transfer_pack(16, 3, 24)), TRAP_NONE);
	CHECK_HEX(peek(m, DATA + 0x1000), 0xda7a0020);
	CHECK_HEX(peek(m, DATA + 0x1008), 0xda7a0021);
	CHECK_HEX(peek(m, DATA + 0x1010), 0xda7a0200 + 2); /* between two pieces: 0x1010 / 8 = 514 */
	CHECK_HEX(peek(m, DATA + 0x1018), 0xda7a0018);
	CHECK_HEX(peek(m, DATA + 0x1030), 0xda7a0010);
}

/* 7 pieces of 8 bytes for 3 PEs: 0 3 6, 1 4, 2 5 */
static void dealt_pieces_go_round(void)
{
	static const unsigned sizes[] = {1, 2, 3, 16, 32};

	for (unsigned n = 0; n < 5; n++) {
		unsigned pes = sizes[n];
		struct machine *m = begin(pes);

		number_memory(m);
		CHECK_U64(move(m, SXGET, true, DATA, all(8), simd_transfer_pack(16, 7, 32)), TRAP_NONE);
		for (unsigned j = 0; j < 7; j++) {
			uint32_t offset = 8 + j / pes * 16;

			CHECK_HEX(sbm(m, j % pes, offset), 0xda7a0000 + 4 * j);
			CHECK_HEX(sbm(m, j % pes, offset + 8), 0xda7a0001 + 4 * j);
		}
		CHECK_U64(run(m, wait_op(0)), TRAP_NONE);
		CHECK_U64(move(m, SXPUT, true, DATA + 0x1000, all(8), simd_transfer_pack(16, 7, 16)), TRAP_NONE);
		for (unsigned j = 0; j < 7; j++)
			CHECK_HEX(peek(m, DATA + 0x1008 + 16 * j), 0xda7a0001 + 4 * j);
	}
}

static void transfers_cross_pages(void)
{
	struct machine *m = begin(2);

	number_memory(m);
	poke(m, DATA + 0x2000, 0x77);
	CHECK_U64(move(m, SXGET, false, DATA + 0x1ff8, of_pe(0, 0), simd_transfer_pack(16, 1, 0)), TRAP_NONE);
	CHECK_HEX(sbm(m, 0, 0), 0xda7a0000 + 1023);
	CHECK_HEX(sbm(m, 0, 8), 0x77);
}

static void wrong_transfers_are_refused(void)
{
	struct machine *m = begin(4);
	uint64_t d = simd_transfer_pack(16, 1, 0);

#define REFUSED(op, deal, memory, window, descriptor) fault_of(m, move(m, op, deal, memory, window, descriptor))
	CHECK_U64(REFUSED(SXGET, false, DATA, all(0), simd_transfer_pack(0, 1, 0)), SIMD_FAULT_TRANSFER_EMPTY);
	CHECK_U64(REFUSED(SXGET, false, DATA, all(0), simd_transfer_pack(8, 0, 0)), SIMD_FAULT_TRANSFER_EMPTY);
	CHECK_U64(REFUSED(SXGET, false, DATA, all(0), simd_transfer_pack(12, 1, 0)), SIMD_FAULT_TRANSFER_BYTES);
	CHECK_U64(REFUSED(SXGET, false, DATA + 4, all(0), d), SIMD_FAULT_TRANSFER_ALIGN);
	CHECK_U64(REFUSED(SXGET, false, DATA, all(4), d), SIMD_FAULT_TRANSFER_ALIGN);
	CHECK_U64(REFUSED(SXGET, false, DATA, DATA, d), SIMD_FAULT_TRANSFER_WINDOW);
	CHECK_U64(REFUSED(SXGET, false, DATA, of_pe(4, 0), d), SIMD_FAULT_NO_WINDOW);
	CHECK_U64(REFUSED(SXPUT, false, DATA, all(0), d), SIMD_FAULT_TRANSFER_ONE);
	CHECK_U64(REFUSED(SXGET, true, DATA, of_pe(0, 0), d), SIMD_FAULT_TRANSFER_DEAL);
	CHECK_U64(REFUSED(SXGET, false, DATA, all(SBM - 8), d), SIMD_FAULT_TRANSFER_BEYOND);
	CHECK_U64(REFUSED(SXGET, false, HOLE - 8, all(0), d), SIMD_FAULT_TRANSFER_UNMAPPED);
	CHECK_HEX(m->cpu.array->fault_value, HOLE);
	CHECK_U64(REFUSED(SXPUT, false, READ_ONLY, of_pe(0, 0), d), SIMD_FAULT_TRANSFER_UNMAPPED);
	/* five pieces of a quarter of it each: two for PE 0, one for the others; nine are too many */
	CHECK_U64(REFUSED(SXGET, true, DATA, all(SBM - 32), simd_transfer_pack(16, 5, 16)), SIMD_FAULT_NONE);
	CHECK_U64(run(m, wait_op(0)), TRAP_NONE);
	CHECK_U64(REFUSED(SXGET, true, DATA, all(SBM - 32), simd_transfer_pack(16, 9, 16)), SIMD_FAULT_TRANSFER_BEYOND);
#undef REFUSED
}

static void transfers_that_meet_need_a_wait_between(void)
{
	struct machine *m = begin(4);
	uint64_t d = simd_transfer_pack(64, 1, 0), strided = simd_transfer_pack(8, 8, 64);

#define MOVED(op, deal, memory, window, descriptor) fault_of(m, move(m, op, deal, memory, window, descriptor))
	CHECK_U64(MOVED(SXGET, false, DATA, of_pe(0, 0), d), SIMD_FAULT_NONE);
	/* both read memory; the other PE, and the bytes behind, are free */
	CHECK_U64(MOVED(SXGET, false, DATA, of_pe(1, 0), d), SIMD_FAULT_NONE);
	CHECK_U64(MOVED(SXGET, false, DATA, of_pe(0, 64), d), SIMD_FAULT_NONE);
	/* another PE's bytes may be amid these */
	CHECK_U64(MOVED(SXGET, false, DATA, of_pe(3, 32), d), SIMD_FAULT_NONE);
	/* the same bytes of the buffer memory: of one, in all */
	CHECK_U64(MOVED(SXGET, false, DATA + 512, of_pe(0, 120), d), SIMD_FAULT_TRANSFER_SBM);
	CHECK_U64(MOVED(SXPUT, false, DATA + 512, of_pe(1, 56), d), SIMD_FAULT_TRANSFER_SBM);
	CHECK_U64(MOVED(SXGET, false, DATA + 512, all(56), d), SIMD_FAULT_TRANSFER_SBM);
	/* memory that is being read is written */
	CHECK_U64(MOVED(SXPUT, false, DATA + 56, of_pe(2, 0), d), SIMD_FAULT_TRANSFER_MEMORY);
	CHECK_U64(MOVED(SXPUT, false, DATA + 64, of_pe(2, 0), d), SIMD_FAULT_NONE);
	/* two puts read the same buffer memory, and write to different places: strides mesh */
	CHECK_U64(MOVED(SXPUT, false, DATA + 0x1000, of_pe(2, 0), strided), SIMD_FAULT_NONE);
	CHECK_U64(MOVED(SXPUT, false, DATA + 0x1008, of_pe(2, 0), strided), SIMD_FAULT_NONE);
	CHECK_U64(MOVED(SXPUT, false, DATA + 0x1040, of_pe(2, 0), strided), SIMD_FAULT_TRANSFER_MEMORY);
	CHECK_U64(m->cpu.array->count, 7);
	/* the first six are done: the strided one at 0x1008 is the last that is not */
	CHECK_U64(run(m, wait_op(1)), TRAP_NONE);
	CHECK_U64(MOVED(SXPUT, false, DATA + 0x1040, of_pe(2, 0), strided), SIMD_FAULT_NONE);
	CHECK_U64(MOVED(SXGET, false, DATA + 512, of_pe(0, 120), d), SIMD_FAULT_NONE);
	CHECK_U64(MOVED(SXPUT, false, DATA + 0x1008, of_pe(3, 0), d), SIMD_FAULT_TRANSFER_MEMORY);
#undef MOVED
}

static void accesses_that_race_a_transfer_are_refused(void)
{
	struct machine *m = begin(4);

	move(m, SXGET, false, DATA, of_pe(1, 64), simd_transfer_pack(64, 1, 0));
	move(m, SXPUT, false, DATA + 512, of_pe(2, 256), simd_transfer_pack(64, 1, 0));
	CHECK_U64(refused(m, LDX, of_pe(1, 120)), SIMD_FAULT_RACE_READ);
	CHECK_U64(refused(m, STB, of_pe(1, 64)), SIMD_FAULT_RACE_WRITE);
	CHECK_U64(refused(m, LDX, of_pe(1, 128)), SIMD_FAULT_NONE);
	CHECK_U64(refused(m, LDX, of_pe(1, 56)), SIMD_FAULT_NONE);
	CHECK_U64(refused(m, LDX, of_pe(0, 64)), SIMD_FAULT_NONE);
	CHECK_U64(refused(m, LDX, of_pe(2, 256)), SIMD_FAULT_NONE); /* both read */
	CHECK_U64(refused(m, STX, of_pe(2, 256)), SIMD_FAULT_RACE_WRITE);
	CHECK_U64(refused(m, STX, all(256)), SIMD_FAULT_RACE_WRITE);
	m->cpu.simd = true;
	CHECK_U64(refused(m, LDDF, all(64)), SIMD_FAULT_RACE_READ);
	CHECK_U64(refused(m, STDF, all(256)), SIMD_FAULT_RACE_WRITE);
	CHECK_U64(refused(m, LDDF, all(256)), SIMD_FAULT_NONE);
	CHECK_U64(run(m, wait_op(1)), TRAP_NONE); /* the get is done, the put is not */
	CHECK_U64(refused(m, LDDF, all(64)), SIMD_FAULT_NONE);
	CHECK_U64(refused(m, STDF, all(256)), SIMD_FAULT_RACE_WRITE);
	CHECK_U64(run(m, wait_op(0)), TRAP_NONE);
	CHECK_U64(refused(m, STDF, all(256)), SIMD_FAULT_NONE);
}

static void more_transfers_than_can_be_kept_in_mind_are_refused(void)
{
	struct machine *m = begin(32);

	for (unsigned n = 0; n < SIMD_OUTSTANDING_MAX; n++)
		CHECK_U64(move(m, SXGET, false, DATA, of_pe(n % 32, n / 32 * 8), simd_transfer_pack(8, 1, 0)),
			  TRAP_NONE);
	CHECK_U64(fault_of(m, move(m, SXGET, false, DATA, of_pe(0, 2048), simd_transfer_pack(8, 1, 0))),
		  SIMD_FAULT_TRANSFER_MANY);
	run(m, wait_op(16));
	CHECK_U64(move(m, SXGET, false, DATA, of_pe(0, 2048), simd_transfer_pack(8, 1, 0)), TRAP_NONE);
	CHECK_U64(m->cpu.array->count, 17);
}

static const struct tap_test tests[] = {
	{"a SIMD load from the window of all is each PE's own", a_load_from_all_is_each_pes_own},
	{"a SIMD load from elsewhere is the same for all", a_load_from_elsewhere_is_the_same_for_all},
	{"a SIMD store goes to each PE's own memory", a_store_goes_to_each_pes_own},
	{"scalar loads read one PE", scalar_loads_read_one_pe},
	{"scalar stores write one PE or all", scalar_stores_write_one_pe_or_all},
	{"windows refuse what they cannot do", windows_refuse_what_they_cannot},
	{"one piece goes to one PE or to all", one_piece_goes_to_one_pe_or_to_all},
	{"pieces have a stride in memory", pieces_have_a_stride},
	{"dealt pieces go round the PEs", dealt_pieces_go_round},
	{"transfers cross pages", transfers_cross_pages},
	{"wrong transfers are refused", wrong_transfers_are_refused},
	{"transfers that meet need a wait between them", transfers_that_meet_need_a_wait_between},
	{"accesses that race a transfer are refused", accesses_that_race_a_transfer_are_refused},
	{"more transfers than can be kept in mind are refused", more_transfers_than_can_be_kept_in_mind_are_refused},
};

int main(void)
{
	return tap_main("exec transfer", tests, TAP_COUNT(tests));
}
