"""Single instructions on interesting operands: the cases and their assembly.

A case is an instruction (or a short sequence) that runs in a loop over a table
of operands and stores what it changes. Seeded: the same every time.
"""
import random
import struct

M64 = (1 << 64) - 1


class Case:
    """kind: a template of single_asm.py; table: name of an operand table; text: the assembly."""

    def __init__(self, name, kind, table, text, setup=""):
        self.name, self.kind, self.table, self.text, self.setup = name, kind, table, text, setup


# ---- operand tables ----

def int_values(rng):
    fixed = [0, 1, 2, 3, 4, 7, 31, 32, 33, 63, 64, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff,
             0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0x100000000, 0x180000000,
             0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001, M64, M64 - 1,
             0xffffffff80000000, 0xffffffff00000000, 0xffffffff7fffffff,
             0x0123456789abcdef, 0xfedcba9876543210]
    return fixed + [rng.getrandbits(64) for _ in range(7)]


def pairs_with_state(values, rng, keep=lambda a, b, y: True):
    """Rows a, b, Y << 32 | CCR."""
    rows = []
    ys = [0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x12345678]
    for a in values:
        for b in values:
            y = rng.choice(ys)
            if keep(a, b, y):
                rows.append((a, b, y << 32 | rng.choice([0, 0xff, rng.getrandbits(8)])))
    return rows


F64 = [0x0000000000000000, 0x0000000000000001, 0x000fffffffffffff, 0x0008000000000000,
       0x0010000000000000, 0x0010000000000001, 0x0020000000000000, 0x3ca0000000000000,
       0x3cb0000000000000, 0x3fe0000000000000, 0x3fefffffffffffff, 0x3ff0000000000000,
       0x3ff0000000000001, 0x3ff8000000000000, 0x4000000000000000, 0x4004000000000000,
       0x3fd5555555555555, 0x3fb999999999999a, 0x400921fb54442d18, 0x41dfffffffc00000,
       0x41dfffffffe00000, 0x41e0000000000000, 0x41e0000000100000, 0x41e0000000200000,
       0x4330000000000001, 0x4340000000000000, 0x43dfffffffffffff, 0x43e0000000000000,
       0x7fe0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000000,
       0x7ff8000000001234, 0x7ff0000000000001, 0x7ff4000000abcdef, 0x7fffffffffffffff,
       0x36a0000000000000, 0x3690000000000000, 0x36a0000000000001, 0x380fffffe0000000,
       0x380ffffff0000000, 0x3810000000000000, 0x47efffffe0000000, 0x47effffff0000000,
       0x1ff0000000000000, 0x5ff0000000000001, 0x20123456789abcde]
F32 = [0x00000000, 0x00000001, 0x007fffff, 0x00400000, 0x00800000, 0x00800001, 0x01000000,
       0x33800000, 0x34000000, 0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000,
       0x40000000, 0x40200000, 0x3eaaaaab, 0x3dcccccd, 0x40490fdb, 0x4effffff, 0x4f000000,
       0x4f000001, 0x4b000001, 0x4b800000, 0x5effffff, 0x5f000000, 0x7f000000, 0x7f7fffff,
       0x7f800000, 0x7fc00000, 0x7fc01234, 0x7f800001, 0x7fa0abcd, 0x7fffffff, 0x1f800000,
       0x5f800001, 0x20123456]


def with_signs(values, bits):
    return values + [v | 1 << (bits - 1) for v in values]


def f64_values(rng):
    extra = []
    for _ in range(12):
        extra.append(rng.getrandbits(52) | rng.randrange(1, 2047) << 52 | rng.getrandbits(1) << 63)
    return with_signs(F64, 64) + extra


def f32_values(rng):
    extra = [rng.getrandbits(23) | rng.randrange(1, 255) << 23 | rng.getrandbits(1) << 31
             for _ in range(12)]
    return with_signs(F32, 32) + extra


def widened(v):
    """A double as a quad, the fraction filled up with a pattern at the low end."""
    sign, exponent, fraction = v >> 63, v >> 52 & 0x7ff, v & (1 << 52) - 1
    if exponent == 0x7ff:
        exponent = 0x7fff
    elif exponent:
        exponent += 16383 - 1023
    return sign << 127 | exponent << 112 | fraction << 60


def f128_values(rng):
    base = [widened(v) for v in F64]
    top = 0x7fff << 112
    base += [1, (1 << 112) - 1, 1 << 112, (1 << 112) + 1, 2 << 112, 0x7ffe << 112,
             top - 1, 0x3fff << 112 | 1, (0x3fff << 112) - 1, top | 1, top | 1 << 111 | 5,
             0x3f8e << 112, 0x3f8f << 112, 0x3f8f << 112 | 1, 0x403d << 112 | (1 << 112) - 1,
             0x403e << 112, 0x3c00 << 112 | 1, 0x3bff << 112 | (1 << 112) - 1,
             0x3c01 << 112 | (1 << 59), 0x3c01 << 112 | (3 << 59), 0x3fff << 112 | 1 << 111 | 1]
    values = with_signs(base, 128)
    for _ in range(8):
        values.append(rng.getrandbits(112) | rng.randrange(1, 0x7fff) << 112 | rng.getrandbits(1) << 127)
    return values


VIS_WORDS = [0, M64, 0x8000800080008000, 0x7fff7fff7fff7fff, 0x0001ffff8000007f, 0x00ff00ff00ff00ff,
             0x0102030405060708, 0x8081828384858687, 0x7f80ff0100fe1234, 0x7fffffff80000000,
             0x000000010000007f, 0xfffffffeffffff80, 0x0000800000007fff, 0x123456789abcdef0]


def tables(seed):
    rng = random.Random(seed)
    ints = int_values(rng)
    low = lambda v: v & 0xffffffff
    sample = lambda values, n: [(rng.choice(values), rng.choice(values)) for _ in range(n)]
    t = {}
    t["int"] = pairs_with_state(ints, rng)
    t["div32"] = pairs_with_state(ints, rng, lambda a, b, y: low(b))
    t["div64"] = pairs_with_state(ints, rng, lambda a, b, y: b)
    t["ccr"] = [(a, 0x1122334455667788, y << 32 | k) for k in range(256)
                for a, y in ((rng.choice(ints), 0),)]
    f64, f32, f128 = f64_values(rng), f32_values(rng), f128_values(rng)
    t["f64"] = [(a, b) for a in f64 for b in f64][::3] + sample(f64, 200)
    t["f32"] = [(a << 32 | 0x13579bdf, b << 32 | 0x2468ace0) for a in f32 for b in f32][::2]
    t["f64one"] = [(0, b) for b in f64]
    t["f32one"] = [(0, b << 32 | 0x2468ace0) for b in f32]
    t["i32"] = [(0, low(v) << 32) for v in ints]
    t["i64"] = [(0, v) for v in ints]
    t["f128"] = [(a, b) for a in f128 for b in f128][::7] + sample(f128, 200)
    t["f128one"] = [(0, b) for b in f128]
    t["vis"] = [(a, b) for a in VIS_WORDS for b in VIS_WORDS] + [
        (rng.getrandbits(64), rng.getrandbits(64)) for _ in range(60)]
    t["address"] = [(rng.getrandbits(60) << 4 | k, None) for k in range(16)]
    t["address"] = [(a | 0, (a & ~63) | rng.getrandbits(6)) for a, _ in t["address"]] + [
        (a, rng.getrandbits(64)) for a, _ in t["address"]] + [
        (a, (a & ~7) | rng.getrandbits(3)) for a, _ in t["address"]]
    t["array"] = [(rng.getrandbits(64), n) for n in range(6) for _ in range(12)]
    t["offset"] = [(k, rng.getrandbits(64)) for k in range(0, 64, 8)]
    return t


# ---- cases ----

CONDITIONS = ["n", "e", "le", "l", "leu", "cs", "neg", "vs",
              "a", "ne", "g", "ge", "gu", "cc", "pos", "vc"]
FCONDITIONS = ["n", "ne", "lg", "ul", "l", "ug", "g", "u",
               "a", "e", "ue", "ge", "uge", "le", "ule", "o"]
RCONDITIONS = ["z", "lez", "lz", "nz", "gz", "gez"]


def int_cases():
    plain = ["add", "and", "or", "xor", "sub", "andn", "orn", "xnor", "addc", "subc", "mulx",
             "addcc", "andcc", "orcc", "xorcc", "subcc", "andncc", "orncc", "xnorcc", "addccc",
             "subccc", "umul", "smul", "umulcc", "smulcc", "taddcc", "tsubcc", "mulscc",
             "sll", "srl", "sra", "sllx", "srlx", "srax"]
    out = [Case(m, "int", "int", m + " %o0, %o1, %l0") for m in plain]
    for m in plain:
        for imm in ([0, 1, 31, 5] if m[0] == "s" and m[1] in "lr" else [0, 1, -1, 4095, -4096, 5]):
            out.append(Case(f"{m} imm {imm}", "int", "ccr", f"{m} %o0, {imm}, %l0"))
    for m in ("sllx", "srlx", "srax"):
        out.append(Case(m + " imm 63", "int", "ccr", m + " %o0, 63, %l0"))
    for m in ("udiv", "sdiv", "udivcc", "sdivcc"):
        out.append(Case(m, "int", "div32", m + " %o0, %o1, %l0"))
    for m in ("udivx", "sdivx"):
        out.append(Case(m, "int", "div64", m + " %o0, %o1, %l0"))
    out.append(Case("popc", "int", "int", "popc %o1, %l0"))
    for k, cond in enumerate(CONDITIONS):
        for cc in ("icc", "xcc"):
            out.append(Case(f"mov{cond} {cc}", "int", "ccr", f"mov{cond} %{cc}, %o0, %l0"))
    for cond in RCONDITIONS:
        out.append(Case(f"movr{cond}", "int", "int", f"movr{cond} %o0, %o1, %l0"))
    return out


def branch_cases():
    out = []
    for cond in CONDITIONS:
        for annul in ("", ",a"):
            out.append(Case(f"b{cond}{annul}", "branch", "ccr", f"b{cond}{annul} 2f"))
            for cc in ("icc", "xcc"):
                out.append(Case(f"b{cond}{annul} {cc}", "branch", "ccr",
                                f"b{cond}{annul},pn %{cc}, 2f"))
    for cond in RCONDITIONS:
        for annul in ("", ",a"):
            out.append(Case(f"br{cond}{annul}", "branch", "int", f"br{cond}{annul},pn %o0, 2f"))
    return out


def fcc_cases():
    """Every condition of every fcc: branches, MOVcc, FMOVcc; the table is compared first."""
    out = []
    for cond in FCONDITIONS:
        for n in range(4):
            compare = f"fcmpd %fcc{n}, %f0, %f2"
            for annul in ("", ",a"):
                out.append(Case(f"fb{cond}{annul} fcc{n}", "fbranch", "f64few",
                                f"fb{cond}{annul},pn %fcc{n}, 2f", compare))
            out.append(Case(f"movf{cond} fcc{n}", "fp", "f64few",
                            f"{compare}; mov{cond} %fcc{n}, %l1, %l0; stx %l0, [%i1 + 16]"))
            out.append(Case(f"fmovd{cond} fcc{n}", "fp", "f64few",
                            f"{compare}; fmovd{cond} %fcc{n}, %f2, %f4"))
            out.append(Case(f"fmovs{cond} fcc{n}", "fp", "f64few",
                            f"{compare}; fmovs{cond} %fcc{n}, %f2, %f5"))
            out.append(Case(f"fmovq{cond} fcc{n}", "fpq", "f128few",
                            f"fcmpq %fcc{n}, %f0, %f4; fmovq{cond} %fcc{n}, %f4, %f8"))
    return out


def icc_fp_cases():
    """FMOVcc on the integer codes."""
    out = []
    for cond in CONDITIONS:
        for cc in ("icc", "xcc"):
            codes = "ldx [%i0 + 16], %l1; wr %l1, 0, %ccr"
            out.append(Case(f"fmovd{cond} {cc}", "fp", "ccr", f"{codes}; fmovd{cond} %{cc}, %f2, %f4"))
            out.append(Case(f"fmovs{cond} {cc}", "fp", "ccr", f"{codes}; fmovs{cond} %{cc}, %f2, %f5"))
            out.append(Case(f"fmovq{cond} {cc}", "fpdq", "ccr", f"{codes}; fmovq{cond} %{cc}, %f0, %f8"))
    return out


def fp_cases():
    out = []
    for rm in range(4):
        def case(name, kind, table, text):
            out.append(Case(f"{name} rd{rm}", kind, table, text, str(rm)))
        for m in ("fadd", "fsub", "fmul", "fdiv"):
            case(m + "d", "fp", "f64", f"{m}d %f0, %f2, %f4")
            case(m + "s", "fp", "f32", f"{m}s %f0, %f2, %f5")
            case(m + "q", "fpq", "f128", f"{m}q %f0, %f4, %f8")
        case("fsmuld", "fp", "f32", "fsmuld %f0, %f2, %f4")
        case("fdmulq", "fpdq", "f64", "fdmulq %f0, %f2, %f8")
        case("fsqrtd", "fp", "f64one", "fsqrtd %f2, %f4")
        case("fsqrts", "fp", "f32one", "fsqrts %f2, %f5")
        case("fsqrtq", "fpq", "f128one", "fsqrtq %f4, %f8")
        for m, table, to in (("fstod", "f32one", 4), ("fstox", "f32one", 4), ("fstoi", "f32one", 5),
                             ("fdtos", "f64one", 5), ("fdtox", "f64one", 4), ("fdtoi", "f64one", 5),
                             ("fitos", "i32", 5), ("fitod", "i32", 4), ("fxtos", "i64", 5),
                             ("fxtod", "i64", 4)):
            case(m, "fp", table, f"{m} %f2, %f{to}")
        for m, table in (("fstoq", "f32one"), ("fdtoq", "f64one"), ("fitoq", "i32"), ("fxtoq", "i64")):
            case(m, "fpdq", table, f"{m} %f2, %f8")
        for m in ("fqtos", "fqtod", "fqtoi", "fqtox"):
            case(m, "fpq", "f128one", f"{m} %f4, %f8")
    for m in ("fmov", "fneg", "fabs"):
        out.append(Case(m + "d", "fp", "f64one", m + "d %f2, %f4"))
        out.append(Case(m + "s", "fp", "f32one", m + "s %f2, %f5"))
        out.append(Case(m + "q", "fpq", "f128one", m + "q %f4, %f8"))
    for n in range(4):
        for e in ("", "e"):
            out.append(Case(f"fcmp{e}d fcc{n}", "fp", "f64", f"fcmp{e}d %fcc{n}, %f0, %f2"))
            out.append(Case(f"fcmp{e}s fcc{n}", "fp", "f32", f"fcmp{e}s %fcc{n}, %f0, %f2"))
            out.append(Case(f"fcmp{e}q fcc{n}", "fpq", "f128", f"fcmp{e}q %fcc{n}, %f0, %f4"))
    for cond in RCONDITIONS:
        out.append(Case(f"fmovrd{cond}", "fp", "i64pairs", f"ldx [%i0], %l1; fmovrd{cond} %l1, %f2, %f4"))
        out.append(Case(f"fmovrs{cond}", "fp", "i64pairs", f"ldx [%i0], %l1; fmovrs{cond} %l1, %f2, %f5"))
    return out


def vis_cases():
    out = []
    dd = ["fcmple16", "fcmpne16", "fcmple32", "fcmpne32", "fcmpgt16", "fcmpeq16", "fcmpgt32",
          "fcmpeq32"]
    out += [Case(m, "fp", "vis", f"{m} %f0, %f2, %l0; stx %l0, [%i1 + 16]") for m in dd]
    for m in ("fmul8sux16", "fmul8ulx16", "fpadd16", "fpadd32", "fpsub16", "fpsub32", "pdist",
              "fnor", "fandnot2", "fandnot1", "fxor", "fnand", "fand", "fxnor", "fornot2",
              "fornot1", "for"):
        out.append(Case(m, "fp", "vis", f"{m} %f0, %f2, %f4"))
    for m in ("fpadd16s", "fpadd32s", "fpsub16s", "fpsub32s", "fnors", "fandnot2s", "fandnot1s",
              "fxors", "fnands", "fands", "fxnors", "fornot2s", "fornot1s", "fors"):
        out.append(Case(m, "fp", "vis", f"{m} %f0, %f3, %f5"))
    out.append(Case("fmul8x16", "fp", "vis", "fmul8x16 %f0, %f2, %f4"))
    for m in ("fmul8x16au", "fmul8x16al", "fmuld8sux16", "fmuld8ulx16", "fpmerge"):
        out.append(Case(m, "fp", "vis", f"{m} %f0, %f3, %f4"))
    out.append(Case("fexpand", "fp", "vis", "fexpand %f3, %f4"))
    for gsr in [0, 1, 7, 0xf8, 0x28, 0x3b, 0x78, 0x7f, 0x0123456700000002, 0xfedcba9800000005]:
        set_gsr = f"setx {gsr}, %l2, %l1; wr %l1, 0, %gsr; "
        for m in ("fpack32", "faligndata", "bshuffle"):
            out.append(Case(f"{m} gsr {gsr:x}", "fp", "vis", f"{set_gsr}{m} %f0, %f2, %f4"))
        for m in ("fpack16", "fpackfix"):
            out.append(Case(f"{m} gsr {gsr:x}", "fp", "vis", f"{set_gsr}{m} %f2, %f5"))
    for m in ("fzero", "fone"):
        out.append(Case(m, "fp", "vis", f"{m} %f4"))
        out.append(Case(m + "s", "fp", "vis", f"{m}s %f5"))
    for m in ("fnot1", "fnot2", "fsrc1", "fsrc2"):
        out.append(Case(m, "fp", "vis", f"{m} %f2, %f4"))
        out.append(Case(m + "s", "fp", "vis", f"{m}s %f3, %f5"))
    edges = [f"edge{w}{l}{n}" for w in (8, 16, 32) for l in ("", "l") for n in ("", "n")]
    for m in edges + ["alignaddr", "alignaddrl", "bmask"]:
        out.append(Case(m, "gsr", "address", f"{m} %o0, %o1, %l0"))
    for m in ("array8", "array16", "array32"):
        out.append(Case(m, "gsr", "array", f"{m} %o0, %o1, %l0"))
    return out


def memory_cases():
    """Each leaves what it loaded and the bytes around; no partial stores, which qemu 7.2
    has not, and no STQF, of which it stores the first half twice."""
    out = []
    align = {"b": 1, "h": 2, "w": 4, "x": 8}
    for m in ("ldub", "ldsb", "lduh", "ldsh", "lduw", "ldsw", "ldx"):
        for off in range(0, 8, align[m[-1]]):
            out.append(Case(f"{m} +{off}", "mem", "offset", f"{m} [%l6 + {off}], %l0"))
            for asi in (0x80, 0x81, 0x82, 0x88, 0x89, 0x8a):
                out.append(Case(f"{m}a +{off} asi {asi:x}", "mem", "offset",
                                f"add %l6, {off}, %l3; {m}a [%l3] {asi}, %l0"))
    for m in ("stb", "sth", "stw", "stx"):
        for off in range(0, 8, align[m[-1]]):
            out.append(Case(f"{m} +{off}", "mem", "offset", f"{m} %l1, [%l6 + {off}]"))
            for asi in (0x80, 0x88):
                out.append(Case(f"{m}a +{off} asi {asi:x}", "mem", "offset",
                                f"add %l6, {off}, %l3; {m}a %l1, [%l3] {asi}"))
                out.append(Case(f"{m}a +{off} %asi {asi:x}", "mem", "offset",
                                f"wr %g0, {asi}, %asi; {m}a %l1, [%l6 + {off}] %asi"))
    for asi in (0x80, 0x88):
        out.append(Case(f"ldda asi {asi:x}", "mem", "offset", f"ldda [%l6] {asi}, %l0"))
        out.append(Case(f"stda asi {asi:x}", "mem", "offset", f"stda %l0, [%l6] {asi}"))
        out.append(Case(f"swapa asi {asi:x}", "mem", "offset", f"swapa [%l6] {asi}, %l1"))
        out.append(Case(f"ldstuba asi {asi:x}", "mem", "offset", f"ldstuba [%l6] {asi}, %l1"))
        out.append(Case(f"cas equal asi {asi:x}", "mem", "offset",
                        f"lduwa [%l6] {asi}, %l2; casa [%l6] {asi}, %l2, %l1"))
        out.append(Case(f"cas other asi {asi:x}", "mem", "offset", f"casa [%l6] {asi}, %l0, %l1"))
        out.append(Case(f"casx equal asi {asi:x}", "mem", "offset",
                        f"ldxa [%l6] {asi}, %l2; casxa [%l6] {asi}, %l2, %l1"))
        out.append(Case(f"casx other asi {asi:x}", "mem", "offset", f"casxa [%l6] {asi}, %l0, %l1"))
        out.append(Case(f"lddfa asi {asi:x}", "mem", "offset", f"ldda [%l6] {asi}, %f4; std %f4, [%l6 - 64]"))
        out.append(Case(f"stdfa asi {asi:x}", "mem", "offset", f"ldd [%l6 - 64], %f4; stda %f4, [%l6] {asi}"))
        out.append(Case(f"ldfa asi {asi:x}", "mem", "offset", f"lda [%l6 + %g0] {asi}, %f5; st %f5, [%l6 - 64]"))
        out.append(Case(f"stfa asi {asi:x}", "mem", "offset", f"ld [%l6 - 64], %f5; sta %f5, [%l6 + %g0] {asi}"))
    out.append(Case("ldd", "mem", "offset", "ldd [%l6], %l0"))
    out.append(Case("std", "mem", "offset", "std %l0, [%l6]"))
    out.append(Case("swap", "mem", "offset", "swap [%l6], %l1"))
    out.append(Case("ldstub", "mem", "offset", "ldstub [%l6 + 3], %l1"))
    out.append(Case("lddf stdf", "mem", "offset", "ldd [%l6], %f34; std %f34, [%l6 - 32]"))
    out.append(Case("ldf stf", "mem", "offset", "ld [%l6 + 4], %f7; ld [%l6], %f6; std %f6, [%l6 - 32]"))
    out.append(Case("ldqf", "mem", "base", "ldq [%l6], %f36; std %f36, [%l6 + 32]; std %f38, [%l6 + 48]"))
    for asi in (0xd0, 0xd1, 0xd8, 0xd2, 0xda):
        out.append(Case(f"short load {asi:x}", "mem", "offset", f"ldda [%l6] {asi}, %f4; std %f4, [%l6 - 64]"))
        out.append(Case(f"short store {asi:x}", "mem", "offset", f"ldd [%l6 - 64], %f4; stda %f4, [%l6] {asi}"))
    for asi in (0xf0, 0xf8):
        out.append(Case(f"block load {asi:x}", "mem", "base",
                        f"ldda [%l6] {asi}, %f16; " + "; ".join(
                            f"std %f{16 + 2 * k}, [%l6 + {64 + 8 * ((k + 3) % 8)}]" for k in range(8))))
    for asi in (0xf0, 0xf8, 0xe0):
        out.append(Case(f"block store {asi:x}", "mem", "base",
                        "; ".join(f"ldd [%l6 + {64 + 8 * ((k + 3) % 8)}], %f{32 + 2 * k}" for k in range(8))
                        + f"; stda %f32, [%l6] {asi}"))
    out.append(Case("prefetch", "mem", "offset", "prefetch [%l6], 0; prefetch [%l6], 2"))
    out.append(Case("nofault nothing", "mem", "offset", "mov 8, %l3; ldxa [%l3] 0x82, %l0"))
    return out


def all_cases(seed):
    t = tables(seed)
    rng = random.Random(seed + 1)
    t["f64few"] = [(0x3ff0000000000000, 0x3ff0000000000000), (0x3ff0000000000000, 0x4000000000000000),
                   (0xc000000000000000, 0x8000000000000000), (0x4000000000000000, 0x3ff0000000000000),
                   (0x7ff8000000000000, 0), (0, 0x8000000000000000)]
    t["f128few"] = [(widened(a), widened(b)) for a, b in t["f64few"]]
    t["i64pairs"] = [(v, rng.getrandbits(64)) for v in int_values(rng)]
    t["base"] = [(0, 0)]
    return t, (int_cases() + branch_cases() + fcc_cases() + icc_fp_cases() + fp_cases() +
               vis_cases() + memory_cases())
