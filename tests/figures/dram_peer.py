#!/usr/bin/env python3
"""Memory of banks and rows beside DRAMsim3 (S. Li et al., IEEE Computer Architecture Letters 19, 2020): docs/models/dram.md.

    dram_peer.py PROGRAM [DRAMSIM3]

PROGRAM is tests/figures/dram-peer of the build; DRAMSIM3 is the folder of DRAMsim3, whose dramsim3main is in build/ (cmake -B
build && make -C build dramsim3main). It simulates DDR4_8Gb_x8_3200.ini and HBM2_8Gb_x128.ini with the same requests: random
lines, and eight streams, at exponential distances, of reads alone and of reads and writes. Without it, the latencies that it
had are in THEIRS. A clock is subtracted from those, which a request takes there from its queue to that of its bank.

Prints mean latencies of reads in clocks: DRAMsim3's; ours with its scheduler, dram.scheduler = banks_in_turn; ours with the
default. Status 5 if one with its scheduler differs by more than BAR.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
MISSED = 5
REQUESTS = 20000
BAR = 3  # percent
# memory, DRAMsim3's file, ours
MEMORIES = {
    "ddr4": ("DDR4_8Gb_x8_3200.ini", "ddr4-3200.ini"),
    "hbm2": ("HBM2_8Gb_x128.ini", "hbm2.ini"),
}
MAPPING = "rorababgcoch"  # row_bank_column
# Its queues of transactions and of banks hold more reads than the default's window.
SCHEDULERS = (("dram.scheduler=banks_in_turn",), ("dram.scheduler=first_ready", "dram.read_queue=256"))
# memory, requests, mean clocks between them, share of writes: DRAMsim3's latency
THEIRS = {
    ("ddr4", "random", 200, 0): 77.5,
    ("ddr4", "random", 30, 0): 92.3,
    ("ddr4", "random", 12, 0): 105.3,
    ("ddr4", "random", 8, 0): 126.1,
    ("ddr4", "random", 6, 0): 166.7,
    ("ddr4", "random", 30, 0.33): 94.3,
    ("ddr4", "random", 12, 0.33): 115.7,
    ("ddr4", "random", 8, 0.33): 158.2,
    ("ddr4", "streams", 200, 0): 47.8,
    ("ddr4", "streams", 30, 0): 51.6,
    ("ddr4", "streams", 12, 0): 58.1,
    ("ddr4", "streams", 8, 0): 73.9,
    ("ddr4", "streams", 6, 0): 105.1,
    ("ddr4", "streams", 30, 0.33): 54.5,
    ("ddr4", "streams", 12, 0.33): 65.6,
    ("ddr4", "streams", 8, 0.33): 88.1,
    ("hbm2", "random", 20, 0): 50.0,
    ("hbm2", "random", 4, 0): 62.6,
    ("hbm2", "random", 2, 0): 74.6,
    ("hbm2", "random", 1.5, 0): 87.7,
    ("hbm2", "random", 4, 0.33): 63.9,
    ("hbm2", "random", 2, 0.33): 77.0,
    ("hbm2", "random", 1.5, 0.33): 91.9,
    ("hbm2", "streams", 20, 0): 40.3,
    ("hbm2", "streams", 4, 0): 43.6,
    ("hbm2", "streams", 1.5, 0): 47.9,
    ("hbm2", "streams", 1, 0): 51.1,
    ("hbm2", "streams", 4, 0.33): 44.1,
    ("hbm2", "streams", 1.5, 0.33): 50.4,
    ("hbm2", "streams", 1, 0.33): 57.3,
}


def requests(kind, gap, writes):
    """The lines of a trace."""
    draw, at = random.Random(7), 0.0
    stream = [draw.randrange(1 << 34) & ~63 for _ in range(8)]
    for _ in range(REQUESTS):
        at += draw.expovariate(1 / gap)
        if kind == "random":
            address = draw.randrange(1 << 34) & ~63
        else:
            which = draw.randrange(8)
            stream[which] += 64
            address = stream[which]
            if draw.random() < 0.02:
                stream[which] = draw.randrange(1 << 34) & ~63
        yield f"{address:#x} {'WRITE' if draw.random() < writes else 'READ'} {int(at)}\n"


def ours(program, memory, scheduler, trace):
    command = [program, "-c", os.path.join(TOP, "configs/memory", MEMORIES[memory][1]), "dram.latency=0cycles", *scheduler]
    with open(trace, encoding="ascii") as lines:
        out = subprocess.run(command, stdin=lines, check=True, capture_output=True, text=True).stdout
    return float(out.split()[1])


def theirs(folder, peer, memory, gap, trace):
    clocks, settings = int(REQUESTS * gap * 1.1) + 10000, os.path.join(folder, "settings.ini")
    with open(os.path.join(peer, "configs", MEMORIES[memory][0]), encoding="utf-8") as given, \
            open(settings, "w", encoding="utf-8") as own:
        own.write(re.sub("address_mapping = .*", "address_mapping = " + MAPPING, given.read()))
    subprocess.run([os.path.join(peer, "build/dramsim3main"), settings, "-o", folder,
                    "-t", trace, "-c", str(clocks)], check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(folder, "dramsim3.json"), encoding="utf-8") as text:
        channels = json.load(text).values()
    reads = sum(one["num_reads_done"] for one in channels)
    return sum(one["num_reads_done"] * one["average_read_latency"] for one in channels) / reads - 1


def main():
    program, peer = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    missed = 0
    print("memory  requests  clocks between  writes  DRAMsim3   ours    off  default    off")
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace")
        for (memory, kind, gap, writes), latency in THEIRS.items():
            with open(trace, "w", encoding="ascii") as lines:
                lines.writelines(requests(kind, gap, writes))
            if peer:
                latency = theirs(folder, peer, memory, gap, trace)
            own, default = (ours(program, memory, scheduler, trace) for scheduler in SCHEDULERS)
            off, of_default = (100 * (one / latency - 1) for one in (own, default))
            missed += abs(off) > BAR
            print(f"{memory:7} {kind:9} {gap:13g} {writes:8g} {latency:9.1f} {own:7.1f} {off:+5.1f} % "
                  f"{default:7.1f} {of_default:+5.1f} %")
    print(f"{len(THEIRS) - missed} of {len(THEIRS)} within {BAR} %")
    return MISSED if missed else 0


if __name__ == "__main__":
    sys.exit(main())
