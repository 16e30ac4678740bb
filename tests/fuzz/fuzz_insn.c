/* Words: decoding any of them gives a struct in its bounds, and printing it a text in its buffer. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "isa/cpu.h"

static void check_refs(const struct reg_ref *list, unsigned count, unsigned max)
{
	if (count > max)
		abort();
	for (unsigned k = 0; k < count; k++)
		if (!list[k].width || !list[k].unit || list[k].unit + list[k].width > REG_COUNT)
			abort();
}

static void check_word(uint32_t word, bool simd, uint64_t pc, size_t size)
{
	struct insn i, again;
	char text[64];
	size_t n;

	insn_decode_simd(word, simd, &i);
	insn_decode_simd(word, simd, &again);
	if (memcmp(&i, &again, sizeof(i)) || i.word != word || i.opcode >= OP_COUNT || i.class >= CLASS_COUNT)
		abort();
	if (i.opcode != OP_ILLEGAL) {
		const struct insn_row *row = insn_row(i.opcode);

		if ((word & row->mask) != row->match)
			abort();
	}
	check_refs(i.src, i.nsrc, INSN_MAX_SRC);
	check_refs(i.dst, i.ndst, INSN_MAX_DST);
	/* what acts on the array has a function, and nothing of the scalar FP file */
	if (i.opcode != OP_ILLEGAL && !insn_function(&i))
		abort();
	if (i.flags & INSN_SIMD)
		for (unsigned k = 0; k < i.nsrc; k++)
			if (i.src[k].unit >= REG_F && i.src[k].unit < REG_CCR)
				abort();
	if (i.flags & INSN_SIMD && !simd)
		abort();
	if (insn_address_count(&i) > 3)
		abort();
	if (i.src_address >> i.nsrc || i.cc > 6 || i.cond > 15)
		abort();

	memset(text, 1, sizeof(text));
	n = insn_print(&i, pc, text, size);
	if (size && (n >= size || strlen(text) != n))
		abort();
	if (size < sizeof(text) && text[size] != 1)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (size_t at = 0; at + 4 <= size; at += 4) {
		uint32_t word = (uint32_t)data[at] << 24 | (uint32_t)data[at + 1] << 16 | (uint32_t)data[at + 2] << 8 |
				data[at + 3];

		check_word(word, false, (uint64_t)word << 17, 64);
		check_word(word, true, (uint64_t)word << 17, 64);
		check_word(word, word & 1, 0, word % 24);
	}
	return 0;
}
