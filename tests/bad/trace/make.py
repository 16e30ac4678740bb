#!/usr/bin/env python3
"""Makes the wrong traces of this folder from the right one of the fuzz corpus.

One file for each mistake; trace.t says what psim-trace says of it.
"""
import pathlib
import struct
import zlib

here = pathlib.Path(__file__).parent
good = (here / '../../fuzz/corpus/trace/small.trace.gz').read_bytes()


def members(data):
    at = 0
    while at < len(data):
        size = struct.unpack_from('<I', data, at + 24)[0]
        yield data[at:at + size]
        at += size


def content(member):
    return zlib.decompress(member[48:-8], -15)


def seal(head):
    """The head's own checksum."""
    return head[:44] + struct.pack('<I', zlib.crc32(head[:44]))


def pack(member, new):
    """The member with other content, and everything right about it."""
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
    deflated = deflater.compress(new) + deflater.flush()
    head = member[:24] + struct.pack('<II', 56 + len(deflated), len(new)) + member[32:44]
    return seal(head) + deflated + struct.pack('<II', zlib.crc32(new), len(new))


def numbers(data):
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


def varint(n):
    return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + varint(n >> 7)


def join(parts):
    """The file of these members, with the sizes of all in its end and tail."""
    end = next(i for i, p in enumerate(parts) if p[16:17] == b'E')
    n = list(numbers(content(parts[end])))
    lines = [x for i, p in enumerate(parts[1:end]) for x in (len(p), n[8 + 2 * i + 1])]
    offset = struct.pack('<Q', sum(map(len, parts[:end])))
    new_end = pack(parts[end], b''.join(map(varint, n[:8] + lines)))
    tail = parts[end + 1]
    return b''.join(parts[:end]) + new_end + seal(tail[:32] + offset + tail[40:44]) + tail[48:]


parts = list(members(good))
kinds = [p[16:17] for p in parts]
first_code, first_data = kinds.index(b'C'), kinds.index(b'D')


def replaced(index, member):
    return join(parts[:index] + [member] + parts[index + 1:])


def flip(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


def write(name, data):
    (here / (name + '.trace.gz')).write_bytes(data)


data = parts[first_data]
inside = content(data)
lined = list(members((here / '../../trace/lines.trace.gz').read_bytes()))
for name, table in (('line-cut', content(lined[0])[:-1]), ('line-behind', content(lined[0]) + b'\0')):
    write(name, pack(lined[0], table) + b''.join(lined[1:]))
write('empty', b'')
write('text', b'not a trace at all\n')
write('other-gzip', b'\x1f\x8b\x08\x00' + bytes(6) + b'\x03\x00' + bytes(8))
write('cut', good[:len(good) // 2])
write('no-end', b''.join(parts[:kinds.index(b'E')]))
write('behind', good + b'\0')
write('checksum', replaced(first_data, flip(data, len(data) - 8)))
write('deflate', replaced(first_data, data[:48] + b'\xff' * 8 + data[56:]))
write('head', replaced(first_data, flip(data, 33)))
write('version', replaced(0, seal(parts[0][:17] + b'\x09' + parts[0][18:44]) + parts[0][48:]))
write('kind', replaced(first_data, seal(data[:16] + b'X' + data[17:44]) + data[48:]))
write('missing-member', b''.join(parts[:first_data] + parts[first_data + 1:]))
write('bomb', seal(parts[0][:28] + struct.pack('<I', 60 << 20) + parts[0][32:44]) + parts[0][48:])
# right checksums, senseless contents
write('block-length', replaced(first_code, pack(parts[first_code], b'\0' + content(parts[first_code])[1:])))
write('columns', replaced(first_data, pack(data, inside + b'\0')))
write('counts', replaced(first_data, pack(data, bytes([inside[0] + 1]) + inside[1:])))
write('unknown-block', replaced(first_data, pack(data, b'\1' + inside[1:2] + b'\0\0' + b'\2\1\1\0\0'
                                                 + b'\0\0' + b'\x7f' + b'\0')))
