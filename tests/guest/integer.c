/* Every integer operation that compilers emit, over edge values, as one checksum each. */
#include <inttypes.h>
#include <stdio.h>

static const int64_t value[] = {
	0,
	1,
	-1,
	2,
	-2,
	7,
	-7,
	255,
	256,
	65535,
	65536,
	INT32_MAX,
	INT32_MIN,
	(int64_t)INT32_MAX + 1,
	UINT32_MAX,
	(int64_t)1 << 40,
	INT64_MAX,
	INT64_MIN + 1,
	0x123456789abcdef0,
	-0x0fedcba987654321,
};
enum { COUNT = sizeof(value) / sizeof(*value) };

static uint64_t mix(uint64_t sum, uint64_t x)
{
	return (sum ^ x) * 0x9e3779b97f4a7c15u + (sum >> 29);
}

#define EACH(name, type, expression) \
	do { \
		uint64_t sum = 0; \
		for (int i = 0; i < COUNT; i++) \
			for (int j = 0; j < COUNT; j++) { \
				volatile type va = (type)value[i], vb = (type)value[j]; \
				type a = va, b = vb; \
				(void)b; \
				sum = mix(sum, (uint64_t)(expression)); \
			} \
		printf("%-12s %016" PRIx64 "\n", name, sum); \
	} while (0)

int main(void)
{
	EACH("add64", uint64_t, a + b);
	EACH("sub32", uint32_t, a - b);
	EACH("mul64", uint64_t, a * b);
	EACH("mul32", uint32_t, a * b);
	EACH("umulwide", uint32_t, (uint64_t)a * b);
	EACH("smulwide", int32_t, (int64_t)a * b);
	EACH("mulhigh", uint64_t, (unsigned __int128)a * b >> 64);
	EACH("udiv64", uint64_t, b ? a / b : 1);
	EACH("sdiv64", int64_t, b && b != -1 ? a / b : 2);
	EACH("udiv32", uint32_t, b ? a / b : 1);
	EACH("sdiv32", int32_t, b && b != -1 ? a / b : 2);
	EACH("umod64", uint64_t, b ? a % b : 1);
	EACH("smod32", int32_t, b && b != -1 ? a % b : 2);
	EACH("sll64", uint64_t, a << (b & 63));
	EACH("srl64", uint64_t, a >> (b & 63));
	EACH("sra64", int64_t, a >> (b & 63));
	EACH("sll32", uint32_t, a << (b & 31));
	EACH("srl32", uint32_t, a >> (b & 31));
	EACH("sra32", int32_t, a >> (b & 31));
	EACH("and", uint64_t, a & b);
	EACH("andn", uint64_t, a & ~b);
	EACH("orn", uint64_t, a | ~b);
	EACH("xnor", uint64_t, a ^ ~b);
	EACH("less", int64_t, a < b);
	EACH("below", uint64_t, a < b);
	EACH("less32", int32_t, a < b);
	EACH("below32", uint32_t, a < b);
	EACH("equal", int64_t, a == b);
	EACH("max", int64_t, a > b ? a : b);
	EACH("sign8", int64_t, (int8_t)a + (int16_t)b);
	EACH("popcount", uint64_t, __builtin_popcountll(a));
	EACH("clz", uint64_t, a ? __builtin_clzll(a) : 64);
	EACH("ctz", uint64_t, a ? __builtin_ctzll(a) : 64);
	EACH("bswap", uint64_t, __builtin_bswap64(a));
	EACH("add128", uint64_t, (((unsigned __int128)a << 64 | b) + ((unsigned __int128)b << 64 | a)) >> 64);
	EACH("div128", uint64_t, b ? (((unsigned __int128)a << 64 | a) / b) >> 3 : 1);
	EACH("overflow", int64_t, __builtin_add_overflow_p(a, b, (int64_t)0));
	return 0;
}
