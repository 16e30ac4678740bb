#!/usr/bin/env python3
"""Known transitions replayed give the bytes that every transition simulated gives.

    memo.py [--samples] [NAME...]     psim, psim-kernels and psim-record are found in PATH

Runs psim with --no-memo, and with replay in several ways, on several machines; compares the reports without the line of the
command, the tables of energy and of the stages over time. On the scalar kernels of traces/kernels and the programs of the
array, at small sizes; with --samples on traces/samples. NAMEs: those alone. Prints a line for each difference; status 77
if the cross compilers are not there.
"""
import os
import subprocess
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import FAILED, Command, Folder, Stop, need, output, read, start, table_lines  # noqa: E402

# Machines of one core: a configuration and settings. Wide ones have windows of several words and many ways to conflict;
# narrow ones are full most of the time; small caches refuse accesses, which are repeated.
SCALAR = (
    ("sparc64v", ""),
    ("sparc64v-prefetched", ""),
    ("sparc64v", "core.rob_entries=160 decode.width=8 core.commit_width=6 core.int_pipes=4 core.fp_pipes=4 core.rsa_entries=32 "
     "decode.gub_entries=90 decode.fub_entries=90 lsu.load_queue=64 lsu.store_queue=40 lsu.store_buffer=40 "
     "lsu.disambiguation=wait_table lsu.wait_table_clear=500 bpred.kind=tage"),
    ("sparc64v", "core.rob_entries=9 decode.width=2 core.commit_width=2 core.rse_entries=2 core.rsf_entries=2 lsu.store_buffer=2 "
     "lsu.load_queue=3 lsu.store_queue=2 fetch.buffer_entries=2 core.address_pipes=1 decode.stages=1"),
    ("sparc64v", "l1d.size=4KiB l1i.size=4KiB l2.size=64KiB l2.ways=4 l2.replacement=srrip l1d.miss_buffers=2 l2.miss_buffers=3 prefetch.enabled=yes "
     "tlb.main_entries=16 memory.bandwidth=1B/cycle lsu.disambiguation=oracle bpred.kind=gshare"),
)
# Machines with an array: the last ones wait for ports, buffers and memory most of the time.
ARRAY = (("simd16", ""), ("simd16-prefetched", ""),
         ("simd16", "core.rob_entries=160 simd.sfub_entries=90 simd.rs_entries=40 simd.arithmetic_pipes=2 simd.load_pipes=4 "
          "simd.store_pipes=2 simd.sbm_ports=4 lsu.load_queue=64 lsu.store_queue=40 simd.c_cycles=0 simd.w1_cycles=0"),
         ("simd16", "core.rob_entries=20 simd.rs_entries=2 simd.load_pipes=1 simd.sbm_ports=1 simd.store_buffer=1 simd.transfers=2 "
          "simd.transfer_buffers=2 simd.sbm_port_bytes=8 simd.c_cycles=3 simd.w1_cycles=4 simd.forwarding=no l1d.size=4KiB l1i.size=4KiB "
          "l2.size=96KiB memory.bandwidth=3B/cycle lsu.disambiguation=oracle"))
ARRAY_CHIP = (("petascale-chip", "chip.cores=3"), ("simd16", "chip.cores=2 l1d.size=4KiB l1i.size=4KiB l2.size=96KiB l2.miss_buffers=2"))
# Chips without arrays.
CHIP = (("sparc64v", "chip.cores=3 l2.miss_buffers=4 lsu.disambiguation=store_sets lsu.ssit_clear=1000"),
        ("sparc64v", "chip.cores=2 l1d.size=4KiB l1i.size=4KiB l2.size=32KiB l2.ways=4 l2.miss_buffers=2 prefetch.enabled=yes "
         "prefetch.kind=best_offset"))
# Ways to replay. With checks recording never rests; so the second one replays as much as it can, even in these short runs.
WAYS = ("", "--memo-check 1000000000", "--memo-check 5", "--memo-memory 1", "--max-cycles 20011", "-p energy.interval=777")
# Arguments of the kernels where theirs take long.
SIZES = {"quicksort": "3000", "compress": "8", "chase": "1024 20000", "dgemm": "32", "dgemm-packed": "40", "zgemm": "30",
         "simd-triad": "3000", "simd-dot": "5000", "simd-stencil": "18 18 9", "simd-stencil-fortran": "18 18 9", "dgemm-fortran": "24"}


def results(folder, name, trace, machine, options):
    """Returns what psim writes, without the line that has its command."""
    config, settings = machine
    files = [folder(name + end) for end in (".csv", ".stages", ".energy")]
    psim = ["psim", "-q", "-c", os.path.join(TOP, "configs", config + ".ini"), "-f", "csv", "-o", files[0],
            "--stages-csv", files[1], *options]
    for setting in settings.split():
        psim += ["-p", setting]
    if any("interval" in option for option in options):
        psim += ["--energy-csv", files[2]]
    cores = next((int(s.split("=")[1]) for s in settings.split() if s.startswith("chip.cores=")), 1)
    run = subprocess.run([*psim, *[trace] * cores], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    said = run.stderr, run.returncode
    made = [[line for line in read(file).splitlines() if not line.startswith("run,command")]
            for file in files if os.path.exists(file)]
    for file in files:
        if os.path.exists(file):
            os.remove(file)
    return said, made


def difference(one, two):
    """The first difference; "" if there is none."""
    if one[0] != two[0]:
        return f"{one[0]} and {two[0]}"
    for a, b in zip(one[1], two[1]):
        for x, y in zip(a, b):
            if x != y:
                return f"{x} and {y}"
    return "" if one[1] == two[1] else "one has more lines"


def compare(folder, trace, machines, ways):
    """Returns the numbers of runs and of differences."""
    runs = wrong = 0
    for machine in machines:
        plain = {}
        for way in ways:
            options = way.split()
            same = tuple(options) if options and not options[0].startswith("--memo") else ()
            if same not in plain:
                plain[same] = results(folder, "detailed", trace, machine, ["--no-memo", *same])
                if plain[same][0][1] not in (0, 1) or not plain[same][1]:
                    raise Stop(FAILED, f"{trace}: {plain[same][0][0].strip()}")
            what = difference(results(folder, "memo", trace, machine, options), plain[same])
            runs += 1
            if what:
                wrong += 1
                print(f"{os.path.basename(trace)}, {' '.join(machine)}, psim {way}: {what}")
    return runs, wrong


def sample_traces(names):
    """Returns the sample traces, with the machines to run them on."""
    place = os.path.join(TOP, "traces/samples")
    for file in sorted(os.listdir(place)):
        name = file.removesuffix(".trace.gz")
        if name != file and (not names or name in names):
            yield os.path.join(place, file), (*ARRAY, *ARRAY_CHIP) if name.startswith(("simd", "axpy")) else (*SCALAR, *CHIP, ARRAY[0])


def kernel_traces(folder, names):
    """Records the kernels; returns their traces, with the machines to run them on."""
    need("sparc64-linux-gnu-gcc", "sparc64-linux-gnu-gfortran")
    sources = os.path.join(TOP, "traces/kernels")
    for _, _, cells in table_lines(os.path.join(sources, "kernels.table")):
        name, default, takes = cells[0], cells[3], cells[-2]
        if names and name not in names:
            continue
        array = [] if takes == "-" else ["--pes", "16", "--sbm", "64KiB"]
        output("psim-kernels", "-q", "--sources", sources, "-o", folder.path, *array, name, *SIZES.get(name, default).split())
        trace = folder(name + ".trace.gz")
        yield trace, ((*SCALAR[:1], *SCALAR[2:]) if takes == "-" else (ARRAY[0], *ARRAY[2:]))
        os.remove(trace)


def main(arguments):
    options, names = Command("memo.py", "", __doc__ + "\n", flags=["--samples"]).parse(arguments)
    runs = wrong = 0
    with Folder() as folder:
        for trace, machines in sample_traces(names) if options["samples"] else kernel_traces(folder, names):
            done, different = compare(folder, trace, machines, WAYS if options["samples"] else WAYS[1:2])
            runs += done
            wrong += different
    if not runs:
        raise Stop(FAILED, "nothing to compare")
    print(f"{runs} runs compared, {wrong} differ")
    return FAILED if wrong else 0


if __name__ == "__main__":
    start("memo.py", main)
