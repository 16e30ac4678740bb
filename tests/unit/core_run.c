#include "core_run.h"

#include <stdlib.h>
#include <string.h>

#include "isa/simd.h"

static void die(const struct err *e)
{
	fprintf(stderr, "core_run: %s\n", e->text);
	exit(1);
}

void core_run_trace(struct trace_maker *m, const char *const *overrides, bool every_cycle, struct core_stats *out)
{
	static const char *const perfect[] = {"l1i.perfect=yes", "l1d.perfect=yes", "tlb.perfect=yes"};
	struct core_options options = {.check = true, .no_skip = every_cycle};
	struct trace_reader *trace = trace_maker_open(m);
	struct config *config = config_create();
	struct core_config cfg;
	struct core *core;
	struct err e;

	core_config_add(config, &cfg);
	for (unsigned n = 0; n < 3; n++)
		if (config_override(config, perfect[n], "test", &e) < 0)
			die(&e);
	for (; overrides && *overrides; overrides++)
		if (config_override(config, *overrides, "test", &e) < 0)
			die(&e);
	if (core_config_check(config, &cfg, &e) < 0)
		die(&e);
	core = core_create(&cfg, trace, &options, &e);
	if (!core || core_run(core, UINT64_MAX, &e) < 0)
		die(&e);
	*out = *core_stats(core);
	core_destroy(core);
	trace_close(trace);
	config_destroy(config);
}

uint64_t core_cycles_straight(const uint32_t *words, unsigned count, unsigned times, const uint64_t *ea,
			      const char *const *overrides)
{
	uint32_t *all = malloc(sizeof(*all) * count * times);
	uint64_t *addresses = malloc(sizeof(*addresses) * (count * times + 1));
	unsigned per = 0;
	struct trace_maker m;
	struct core_stats s;

	for (unsigned n = 0; n < count; n++) {
		struct insn i;

		insn_decode(words[n], &i);
		per += insn_has_address(&i);
	}
	for (unsigned n = 0; n < count * times; n++)
		all[n] = words[n % count];
	for (unsigned n = 0; n < per * times; n++)
		addresses[n] = ea ? ea[n % per] : 0x100000;
	trace_maker_start(&m, NULL);
	trace_maker_straight(&m, 0x10000, all, count * times, addresses);
	core_run_trace(&m, overrides, false, &s);
	trace_maker_finish(&m);
	free(all);
	free(addresses);
	return s.cycles;
}

double core_cycles_each(const uint32_t *words, unsigned count, const uint64_t *ea, const char *const *overrides)
{
	uint64_t more = core_cycles_straight(words, count, 2000, ea, overrides);

	return (double)(more - core_cycles_straight(words, count, 1000, ea, overrides)) / 1000;
}

/* The same trace, once with skipping and once cycle by cycle, must count the same. */
static void run_both(struct trace_maker *m, const char *const *overrides, struct core_stats *out)
{
	struct core_stats every;

	core_run_trace(m, overrides, false, out);
	core_run_trace(m, overrides, true, &every);
	every.skipped_cycles = out->skipped_cycles;
	if (!memcmp(&every, out, sizeof(every)))
		return;
	fprintf(stderr, "core_run: skipping idle cycles changes results: %llu cycles, without %llu\n",
		(unsigned long long)out->cycles, (unsigned long long)every.cycles);
	exit(1);
}

void core_array_run(const uint32_t *words, unsigned count, unsigned times, unsigned pes, const uint64_t *ea,
		    const char *const *overrides, struct core_stats *out)
{
	static const char *const args[] = {"test"};
	const struct trace_info info = {
		.program = "test",
		.args = args,
		.arg_count = 1,
		.recorder = "core_run",
		.pes = pes,
		.sbm_bytes = SIMD_SBM,
	};
	enum { OVERRIDES_MAX = 12 };
	const char *all_overrides[OVERRIDES_MAX + 2] = {NULL};
	uint32_t *all = malloc(sizeof(*all) * count * times);
	uint64_t *addresses;
	unsigned per = 0, n;
	struct trace_maker m;
	char machine[32];
	bool simd = true;

	for (n = 0; n < count; n++) {
		struct insn i;

		insn_decode_simd(words[n], simd, &i);
		per += insn_address_count(&i);
		if (i.flags & INSN_MODE)
			simd = i.opcode == OP_SIMDON;
	}
	addresses = malloc(sizeof(*addresses) * (per * times + 1));
	for (n = 0; n < count * times; n++)
		all[n] = words[n % count];
	for (n = 0; n < per * times; n++)
		addresses[n] = ea ? ea[n % per] : SIMD_ALL_BASE;
	snprintf(machine, sizeof(machine), "simd.pes=%u", pes);
	all_overrides[0] = machine;
	for (n = 0; overrides && overrides[n] && n < OVERRIDES_MAX; n++)
		all_overrides[n + 1] = overrides[n];
	trace_maker_start(&m, &info);
	m.simd = true;
	trace_maker_straight(&m, 0x10000, all, count * times, addresses);
	run_both(&m, all_overrides, out);
	trace_maker_finish(&m);
	free(all);
	free(addresses);
}

double core_array_each(const uint32_t *words, unsigned count, unsigned pes, const uint64_t *ea,
		       const char *const *overrides)
{
	struct core_stats one, two;

	core_array_run(words, count, 1000, pes, ea, overrides, &one);
	core_array_run(words, count, 2000, pes, ea, overrides, &two);
	return (double)(two.cycles - one.cycles) / 1000;
}
