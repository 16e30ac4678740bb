#!/usr/bin/env python3
"""Makes the ELF files of this folder: one valid, each of the others with one mistake.

    make.py [FOLDER]

The program is a few instructions at 0x100000 + its offset in the file.
"""
import os
import struct
import sys

FOLDER = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
BASE, HEADER, PHDR = 0x100000, 64, 56
LOAD, INTERP, DYNAMIC = 1, 3, 2


def imm(op3, rd, rs1, value):
    """An instruction of op 2 with an immediate."""
    return 2 << 30 | rd << 25 | op3 << 19 | rs1 << 14 | 1 << 13 | value & 0x1FFF


def load(op3, rd, rs1, value):
    return imm(op3, rd, rs1, value) | 1 << 30


OR, JMPL, LDX = 0x02, 0x38, 0x0B
G0, G1, O0 = 0, 1, 8
TA_SYSTEM_CALL = 0x91D0206D  # ta 0x6d
NOP = 0x01000000
EXIT = [imm(OR, G1, G0, 1), TA_SYSTEM_CALL]
EXIT_7 = [imm(OR, O0, G0, 7)] + EXIT


def elf(code=EXIT_7, segments=None, **change):
    """The file; `change` replaces fields of the header, `segments` those of the one segment."""
    text = b"".join(struct.pack(">I", word) for word in code)
    segments = segments if segments is not None else [{}]
    start = HEADER + PHDR * max(len(segments), 1)
    h = {"magic": b"\x7fELF", "class": 2, "data": 2, "type": 2, "machine": 43,
         "entry": BASE + start, "phoff": HEADER, "phentsize": PHDR, "phnum": len(segments)}
    h.update(change)
    end = "<" if h["data"] == 1 else ">"
    out = h["magic"] + bytes([h["class"], h["data"], 1]) + bytes(9)
    out += struct.pack(end + "HHIQQQIHHHHHH", h["type"], h["machine"], 1, h["entry"], h["phoff"],
                       0, 0, HEADER, h["phentsize"], h["phnum"], 0, 0, 0)
    for s in segments:
        p = {"type": LOAD, "flags": 5, "offset": 0, "vaddr": BASE, "filesz": start + len(text),
             "memsz": start + len(text)}
        p.update(s)
        out += struct.pack(end + "IIQQQQQQ", p["type"], p["flags"], p["offset"], p["vaddr"],
                           p["vaddr"], p["filesz"], p["memsz"], 8192)
    return out.ljust(start, b"\0") + text


files = {
    # valid files: what they do is what is tried
    "exit7": elf(),
    "bss-only": elf(segments=[{}, {"flags": 6, "offset": 0x2000, "vaddr": 0x202000, "filesz": 0,
                                   "memsz": 0x40000}]),
    "null-access": elf([load(LDX, O0, G0, 8)] + EXIT),
    "misaligned": elf([load(LDX, O0, G0, 9)] + EXIT),
    "illegal": elf([0] + EXIT),
    "jump-away": elf([imm(JMPL, G0, G0, 16), NOP] + EXIT),
    "runs-out": elf([NOP] * 4, segments=[{"memsz": 0x1F00}]),
    "write-code": elf([0x05000400, 0xC0708000] + EXIT),  # sethi %hi(0x100000), %g2; stx %g0, [%g2]
    # files with one mistake
    "empty": b"",
    "text": b"#!/bin/sh\necho this is no program\n",
    "short": elf()[:40],
    "class32": elf(**{"class": 1}),
    "little": elf(data=1),
    "machine": elf(machine=62),
    "object": elf(type=1),
    "shared": elf(type=3),
    "interpreter": elf(segments=[{}, {"type": INTERP}]),
    "dynamic": elf(segments=[{}, {"type": DYNAMIC}]),
    "phentsize": elf(phentsize=32),
    "no-headers": elf(phnum=0),
    "many-headers": elf(phnum=0xFFF0),
    "headers-outside": elf(phoff=1 << 40),
    "no-segment": elf(segments=[{"type": 4}]),
    "cut": elf(segments=[{"filesz": 1 << 20, "memsz": 1 << 20}]),
    "offset-wraps": elf(segments=[{"offset": (1 << 64) - 8192}]),
    "file-larger": elf(segments=[{"memsz": 16}]),
    "address-wraps": elf(segments=[{"vaddr": (1 << 64) - 8192}]),
    "address-zero": elf(segments=[{"vaddr": 0}], entry=120),
    "address-high": elf(segments=[{"vaddr": 1 << 43}]),
    "huge": elf(segments=[{"memsz": 1 << 42}]),
    "overlap": elf(segments=[{}, {"vaddr": BASE + 8, "offset": 8, "filesz": 8}]),
    "unordered": elf(segments=[{"vaddr": BASE + 8192}, {}]),
    "unaligned": elf(segments=[{"vaddr": BASE + 16}]),
    "entry-outside": elf(entry=0x500000),
    "entry-odd": elf(entry=BASE + 122),
    "entry-not-code": elf(segments=[{"flags": 6}]),
}
for name, content in files.items():
    with open(os.path.join(FOLDER, name + ".elf"), "wb") as f:
        f.write(content)
