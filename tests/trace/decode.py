#!/usr/bin/env python3
"""Reads traces by docs/formats/trace-format.md alone and compares with psim-trace --insns.

    decode.py PSIM-TRACE TRACE...

Every instruction's pc and effective address, and every region event, must be
the same: so the document, the writer and the reader agree.
"""
import bisect
import re
import struct
import subprocess
import sys
import zlib

MASK = 2**64 - 1


class Numbers:
    """Varints and strings from the front of some bytes."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self):
        n = self.number()
        return n >> 1 if n % 2 == 0 else -(n + 1 >> 1)

    def take(self, n):
        self.at += n
        return self.data[self.at - n:self.at]

    def string(self):
        return self.take(self.number()).decode()

    def done(self):
        return self.at == len(self.data)


def members(data):
    at = sequence = 0
    while at < len(data):
        head = data[at:at + 48]
        number, stored, inflated = struct.unpack_from('<III', head, 20)
        assert head[12:16] == b'PT\x20\0' and number == sequence
        assert struct.unpack_from('<I', head, 44)[0] == zlib.crc32(head[:44])
        content = zlib.decompress(data[at:at + stored], 31)  # 31: with gzip's head and trailer
        assert len(content) == inflated
        yield chr(head[16]), head[17], content
        at += stored
        sequence += 1


def addresses(word):
    """How many: loads, stores, prefetches (op 3), return, flushw, save, restore (op 2) one,
    transfers three, sxwait none."""
    op, op3 = word >> 30, word >> 19 & 63
    if op == 3:
        return {0x28: 3, 0x29: 3, 0x2a: 0}.get(op3, 1)
    return int(op == 2 and op3 in (0x39, 0x2b, 0x3c, 0x3d))


def descriptor(bits):
    """Pieces, bytes of each, stride, as psim-trace prints them."""
    stride = (bits >> 40 & 0x7fffff) - (bits >> 40 & 0x800000)
    return '%dx%d%+d' % (bits >> 24 & 0xffff, bits & 0xffffff, 8 * stride)


def read_code(content, blocks):
    n, end = Numbers(content), 0
    while not n.done():
        count = n.number() & 511  # 512: the SIMD mode bit
        pc = end + 4 * n.signed()
        words = struct.unpack('>%dI' % count, n.take(4 * count))
        blocks.append((pc, [addresses(w) for w in words]))
        end = pc + 4 * count


def read_lines(content, version):
    """Rows (address, "file:line" or None) of the header's line table, and whether there may be warm-up parts."""
    n = Numbers(content)
    n.string(), n.number(), n.string(), n.number(), n.number(), n.number()
    if version > 1:
        n.number(), n.number()
    arguments, symbols = n.number(), n.number()
    for _ in range(arguments):
        n.string()
    for _ in range(symbols):
        n.number(), n.number(), n.string()
    rows = []
    if version < 4:
        assert n.done()
        return rows, version == 3
    warm_up, files, count = n.number(), n.number(), n.number()
    names = [n.string().rpartition('/')[2] for _ in range(files)]
    address = line = 0
    for _ in range(count):
        address += 4 * n.number()
        file = n.number()
        line += n.signed() if file else 0
        rows.append((address, '%s:%d' % (names[file - 1], line) if file else None))
    assert n.done()
    return rows, bool(warm_up)


def with_lines(listing, rows):
    """The listing with a line '# file:line' where the source of an instruction is not that of the one before."""
    last = None
    for line in listing:
        if not line.startswith('#'):
            at = bisect.bisect_right(rows, int(line.split()[0], 16), key=lambda row: row[0])
            source = rows[at - 1][1] if at else None
            if source != last:
                yield '# ' + (source or 'source unknown')
            last = source
        yield line


def read_data(content, blocks, warm_up):
    """The lines of a chunk: 'pc' or 'pc @address', and region events."""
    n = Numbers(content)
    runs, insns, accesses = n.number(), n.number(), n.number()
    regions = [n.string() for _ in range(n.number())]
    columns = [Numbers(n.take(size)) for size in [n.number() for _ in range(5)]]
    assert n.done()
    jump_gap, jump, ea_gap, ea, events = columns
    table, index, followed, previous, state = [0] * 2**14, 0, {}, 0, {}
    right = jump_gap.number()
    ea_right = ea_gap.number()
    event = None if events.done() else events.number()
    for run in range(runs + 1):
        while event == 0:
            name = events.string()
            what, verb = (name, 'begins') if name else (regions[-1], 'ends')
            assert '\1' not in regions[:-1] and not (name and regions[-1:] == ['\1'])
            yield '# warm-up ' + verb if warm_up and what == '\1' else '# region %s %s' % (what, verb)
            regions = regions + [name] if name else regions[:-1]
            event = None if events.done() else events.number()
        if run == runs:
            break
        event = None if event is None else event - 1
        if right:
            right -= 1
            block = table[index]
        else:
            told = jump.number()
            block = told - 1 if told else followed.get(previous, 0)
            table[index] = block
            right = jump_gap.number()
        followed[previous] = previous = block
        index = (index << 5 ^ (block * 0x9E3779B1 % 2**32) >> 18) % 2**14
        pc, addressed = blocks[block]
        for k, count in enumerate(addressed):
            line = '%x' % (pc + 4 * k)
            for which in range(count):
                last, stride = state.get((block, k, which), (0, 0))
                if ea_right > 1:
                    ea_right -= 2
                    last += stride
                else:
                    step = ea.signed()
                    last, stride = last + step, step if ea_right % 2 else stride
                    ea_right = ea_gap.number()
                state[block, k, which] = last & MASK, stride
                line += ' @0x%x' % (last & MASK) if which < 2 else ' %s' % descriptor(last & MASK)
                accesses -= 1
            yield line
        insns -= len(addressed)
    assert all(c.done() for c in columns) and not (right or ea_right or insns or accesses)


def read_trace(path):
    blocks, listing = [], []
    with open(path, 'rb') as f:
        data = f.read()
    for kind, version, content in members(data):
        if kind == 'H':
            rows, warm_up = read_lines(content, version)
        elif kind == 'C':
            read_code(content, blocks)
        elif kind == 'D':
            listing += read_data(content, blocks, warm_up)
    return with_lines(listing, rows)


def listed(line):
    """The same from a line of psim-trace."""
    if line.startswith('#'):
        return line
    address = re.search(r' (@0x[0-9a-f]+( @0x[0-9a-f]+ \S+)?)(  (not )?taken)?$', line)
    return line.split()[1] + (' ' + address[1] if address else '')


def main(program, traces):
    for path in traces:
        output = subprocess.run([program, '--insns', path], capture_output=True, text=True, check=True)
        theirs = [listed(line) for line in output.stdout.splitlines()]
        ours = list(read_trace(path))
        for at, pair in enumerate(zip(ours, theirs)):
            if pair[0] != pair[1]:
                sys.exit('%s: line %d: %s by the document, %s by psim-trace' % (path, at, *pair))
        if len(ours) != len(theirs) or not ours:
            sys.exit('%s: %d lines by the document, %d by psim-trace' % (path, len(ours), len(theirs)))
        print('%s: %d lines agree' % (path, len(ours)))


main(sys.argv[1], sys.argv[2:])
