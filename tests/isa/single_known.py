"""Where qemu-sparc64 7.2 does not do what the manuals say: each difference is
recognised by its operands and both results, so that no other hides behind it."""
import re

import single_vis

LAYOUT = {"s": (23, 8), "d": (52, 11), "q": (112, 15)}
UNDERFLOW, INVALID = 0x84, 0x210  # aexc and cexc


def is_nan(v, form):
    fraction, exponent = LAYOUT[form]
    return v >> fraction & (1 << exponent) - 1 == (1 << exponent) - 1 and v & (1 << fraction) - 1


def is_signalling(v, form):
    return is_nan(v, form) and not v >> LAYOUT[form][0] - 1 & 1


def operands(row, form):
    return [v >> 32 if form == "s" else v for v in row]


def both_nan(case, row, here, qemu):
    m = re.match(r"f(?:add|sub|mul|div)([sdq]) |f([sd])mul[dq] ", case.name)
    form = m and (m[1] or m[2])
    return form and all(is_nan(v, form) for v in operands(row, form)) and fsr(case, here) == fsr(case, qemu)


def fsr(case, record):
    return int(record[1 if case.kind == "fp" else 2], 16)


def results(case, record):
    return record[:1] if case.kind == "fp" else record[:2]


def tiny_before_rounding(case, row, here, qemu):
    m = re.match(r"f(?:mul|div|add|sub)([sdq]) |f[dq]to([sd]) ", case.name)
    if not m or results(case, here) != results(case, qemu):
        return False
    form = m[1] or m[2]
    value = int("".join(results(case, here)), 16)
    if case.kind == "fpq" and form != "q":  # a narrow result of a quad: in the upper part
        value >>= 96 if form == "s" else 64
    value &= {"s": 0x7fffffff, "d": ~(1 << 63), "q": ~(1 << 127)}[form]
    return value == 1 << LAYOUT[form][0] and fsr(case, here) == fsr(case, qemu) | UNDERFLOW


def negative_nan_to_integer(case, row, here, qemu):
    m = re.match(r"f([sdq])to[ix] ", case.name)
    if not m:
        return False
    value = operands(row, m[1])[1]
    sign = sum(LAYOUT[m[1]])
    return is_nan(value, m[1]) and value >> sign and fsr(case, here) == fsr(case, qemu)


def widened_signalling_nan(case, row, here, qemu):
    m = re.match(r"f([sd])to[dq] ", case.name)
    return (m and is_signalling(operands(row, m[1])[1], m[1]) and
            results(case, here) == results(case, qemu) and fsr(case, here) == fsr(case, qemu) | INVALID)


def quiet_quad_comparison(case, row, here, qemu):
    quiet = not any(is_signalling(v, "q") for v in row) and any(is_nan(v, "q") for v in row)
    return (case.kind == "fpq" and "fcmpq" in case.text and quiet and
            fsr(case, qemu) & ~INVALID == fsr(case, here) and results(case, here) == results(case, qemu))


def vis(case, row, here, qemu):
    """Only what differs from qemu in nothing but the result, and has the model's result."""
    words = case.name.split()
    gsr = int(words[2], 16) if "gsr" in words else 0
    value = single_vis.expected(words[0], *row[:2], gsr) if case.kind in ("fp", "gsr") else None
    if value is None:
        return False
    at = 2 if "stx %l0, [%i1 + 16]" in case.text else 0
    result = int(here[at], 16)
    if "%f5" in case.text.split("; ")[-1]:  # a single in the low half
        result &= 0xffffffff
    return result == value and here[:at] + here[at + 1:] == qemu[:at] + qemu[at + 1:]


RULES = [
    (both_nan, "of two NaNs rs2 goes before rs1, a signalling one before a quiet one (V9 B.2.2)"),
    (tiny_before_rounding, "tininess is detected before rounding (V9 impl. dep. 55; SPARC64 V supplement, table B-5)"),
    (negative_nan_to_integer, "a NaN becomes the largest or smallest integer by its sign (V9 B.5)"),
    (widened_signalling_nan, "a signalling NaN raises invalid in every conversion (V9 B.2.1)"),
    (quiet_quad_comparison, "FCMPq raises invalid for signalling NaNs only (V9 A.13)"),
    (vis, "VIS as JPS1 Commonality A describes it (single_vis.py); qemu corrected it later"),
]


def reason(case, row, here, qemu):
    for rule, text in RULES:
        if rule(case, row, here, qemu):
            return text
    return None
