/*
 * Programs: any instruction words run, and are recorded, without harm to the
 * recorder. Trap instructions are taken out first, so that no system call can
 * reach the host; nothing is both writable and executable.
 */
#define _GNU_SOURCE /* memfd_create */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "isa/insn.h"
#include "isa/simd.h"
#include "traces/record/record_run.h"

enum {
	BASE = 0x100000,
	CODE = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr),
	CODE_MAX = 4096,
	INSNS_MAX = 20000,
};
static const uint32_t nop = 0x01000000;

static void put(uint8_t *at, unsigned size, uint64_t value)
{
	while (size-- > 0) {
		at[size] = (uint8_t)value;
		value >>= 8;
	}
}

static void put_header(uint8_t *file)
{
	memcpy(file, "\177ELF\2\2\1", 7);
	put(file + 16, 2, ET_EXEC);
	put(file + 18, 2, EM_SPARCV9);
	put(file + 24, 8, BASE + CODE);
	put(file + 32, 8, sizeof(Elf64_Ehdr));
	put(file + 54, 2, sizeof(Elf64_Phdr));
	put(file + 56, 2, 2);
	uint8_t *load = file + sizeof(Elf64_Ehdr), *stack = load + sizeof(Elf64_Phdr);
	put(load, 4, PT_LOAD);
	put(load + 4, 4, PF_R | PF_X);
	put(load + 16, 8, BASE);
	put(load + 32, 8, CODE + CODE_MAX);
	put(load + 40, 8, CODE + CODE_MAX);
	put(stack, 4, PT_GNU_STACK);
	put(stack + 4, 4, PF_R | PF_W);
}

static void put_code(uint8_t *code, const uint8_t *data, size_t size)
{
	for (size_t i = 0; i + 4 <= size; i += 4) {
		uint32_t word = (uint32_t)data[i] << 24 | (uint32_t)data[i + 1] << 16 | (uint32_t)data[i + 2] << 8 |
				data[i + 3];
		struct insn insn;

		insn_decode(word, &insn);
		put(code + i, 4, insn.flags & INSN_TRAP ? nop : word);
	}
}

static struct trace_writer *open_trace(void *user, unsigned place, uint64_t first_insn, struct err *e)
{
	struct trace_info info = {.program = "p", .recorder = "r", .first_insn = first_insn};
	struct guest *g = user;

	if (guest_must_declare_array(g)) {
		info.pes = g->options.pes;
		info.sbm_bytes = g->options.sbm_bytes;
	}
	(void)place;
	return trace_writer_create("/dev/null", &info, e);
}

static void run(struct guest *g)
{
	struct run_options o = {.max = INSNS_MAX, .open = open_trace, .user = g};
	struct run_result result;
	struct err e = {.text = ""};

	if (guest_run(g, &o, &result, &e) < 0 || g->end == GUEST_RUNS || g->end == GUEST_EXITED) {
		fprintf(stderr, "ended %d: %s\n", (int)g->end, e.text);
		abort();
	}
	for (unsigned n = 0; n < GUEST_THREADS; n++)
		trace_writer_abort(result.writer[n]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t nothing[CODE + CODE_MAX];
	uint8_t file[CODE + CODE_MAX];
	char path[40];
	char *const args[] = {path};
	struct guest_options o = {.program = path, .args = args, .arg_count = 1};
	/* by the first word: an array of each size, or none */
	unsigned pes = size > 3 ? data[3] % (SIMD_PES_MAX + 1) : SIMD_PES;
	struct err e = {.text = ""};
	int fd = memfd_create("guest", 0);

	o.pes = pes;
	o.sbm_bytes = SIMD_SBM_MIN;
	memcpy(file, nothing, sizeof(file));
	put_header(file);
	put_code(file + CODE, data, size < CODE_MAX ? size : CODE_MAX);
	if (fd < 0 || write(fd, file, sizeof(file)) != (ssize_t)sizeof(file))
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct guest *g = guest_create(&o, &e);
	if (!g) {
		fprintf(stderr, "%s\n", e.text);
		abort();
	}
	run(g);
	guest_destroy(g);
	close(fd);
	return 0;
}
