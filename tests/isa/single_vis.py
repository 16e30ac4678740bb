"""VIS instructions that qemu 7.2 has wrong, as JPS1 Commonality (appendix A) describes
them, written apart from the interpreter: what it must give in qemu's stead."""


def signed(v, bits):
    v &= (1 << bits) - 1
    return v - (1 << bits) if v >> bits - 1 else v


def elements(v, bits, count):
    """The least significant first."""
    return [v >> bits * k & (1 << bits) - 1 for k in range(count)]


def joined(values, bits):
    return sum((v & (1 << bits) - 1) << bits * k for k, v in enumerate(values))


def pairs(a, b, bits, count):
    return list(zip(elements(a, bits, count), elements(b, bits, count)))


def compare(a, b, bits, test):
    return joined([int(test(signed(x, bits), signed(y, bits)))
                   for x, y in pairs(a, b, bits, 64 // bits)], 1)


def rounded(product, shift):
    return (product + (1 << shift - 1)) // (1 << shift)


def multiply(pixels, factors, shift):
    return joined([rounded(x * signed(y, 16), shift) for x, y in zip(pixels, factors)], 16)


def low_bytes(v, count):
    return [x & 0xff for x in elements(v, 16, count)]


def high_bytes(v, count):
    return [signed(x >> 8, 8) for x in elements(v, 16, count)]


def edge(name, a, b):
    width = int("".join(ch for ch in name if ch.isdigit()))
    count = 64 // width
    first, last = (a & 7) * count // 8, (b & 7) * count // 8
    within = range(first, (last if a >> 3 == b >> 3 else count - 1) + 1)
    little = "l" in name[4:]
    return sum(1 << (k if little else count - 1 - k) for k in within)


def array(a, n):
    """Bits of the integer parts, from the lowest of the address up."""
    x, y, z = a >> 11 & 0x7ff, a >> 33 & 0x7ff, a >> 55
    address, at = 0, 0
    for value, low, count in ((x, 0, 2), (y, 0, 2), (z, 0, 1), (x, 2, 4), (y, 2, 4), (z, 1, 4),
                              (x, 6, n), (y, 6, n), (z, 5, 4)):
        address |= (value >> low & (1 << count) - 1) << at
        at += count
    return address


def shuffle(a, b, gsr):
    source = (a << 64 | b).to_bytes(16, "big")
    return int.from_bytes(bytes(source[gsr >> 60 - 4 * k & 15] for k in range(8)), "big")


def expected(name, a, b, gsr):
    """The result register, or None for an instruction that is not in question.

    Of singles a is the high half of the first operand (%f0), b the low half of
    the second (%f3).
    """
    a1, b1 = a >> 32, b & 0xffffffff
    models = {
        "fcmple16": lambda: compare(a, b, 16, lambda x, y: x <= y),
        "fcmple32": lambda: compare(a, b, 32, lambda x, y: x <= y),
        "fcmpgt16": lambda: compare(a, b, 16, lambda x, y: x > y),
        "fcmpgt32": lambda: compare(a, b, 32, lambda x, y: x > y),
        "fpsub16": lambda: joined([x - y for x, y in pairs(a, b, 16, 4)], 16),
        "fpsub32": lambda: joined([x - y for x, y in pairs(a, b, 32, 2)], 32),
        "fpsub16s": lambda: joined([x - y for x, y in pairs(a1, b1, 16, 2)], 16),
        "fmul8x16": lambda: multiply(elements(a1, 8, 4), elements(b, 16, 4), 8),
        "fmul8x16au": lambda: multiply(elements(a1, 8, 4), [b1 >> 16] * 4, 8),
        "fmul8x16al": lambda: multiply(elements(a1, 8, 4), [b1] * 4, 8),
        "fmul8ulx16": lambda: multiply(low_bytes(a, 4), elements(b, 16, 4), 16),
        "fmuld8sux16": lambda: joined([x * signed(y, 16) << 8 for x, y in
                                       zip(high_bytes(a1, 2), elements(b1, 16, 2))], 32),
        "fmuld8ulx16": lambda: joined([x * signed(y, 16) for x, y in
                                       zip(low_bytes(a1, 2), elements(b1, 16, 2))], 32),
        "fpmerge": lambda: joined([x << 8 | y for x, y in pairs(a1, b1, 8, 4)], 16),
        "fexpand": lambda: joined([x << 4 for x in elements(b1, 8, 4)], 16),
        "bshuffle": lambda: shuffle(a, b, gsr),
        "array8": lambda: array(a, b),
        "array16": lambda: array(a, b) << 1,
        "array32": lambda: array(a, b) << 2,
    }
    if name.startswith("edge"):
        return edge(name, a, b)
    return models[name]() if name in models else None
