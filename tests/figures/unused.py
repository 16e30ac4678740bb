#!/usr/bin/env python3
"""Every key changes a figure of the report, or psim and bsim report that nothing reads it; one or the other, never both.

    unused.py [-j JOBS]

Keys of networks, engines and ranks (unused.table) with every engine and every kind of network that bsim lists; those of the
processor that are not always read with every predictor, and with parts that are perfect or left out. bsim, bsimcc and psim are
found in PATH. Status 5 if a key is neither, or both, or has no row, or a kind of network no size here.
"""
import os
import re
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
sys.path.insert(0, os.path.join(TOP, "psim/base/drivers"))
sys.dont_write_bytecode = True
from psim_drivers import MISSED, Command, Folder, Jobs, need, output, read, start, write  # noqa: E402
from micro_programs import cells  # noqa: E402

# topology.dims of each kind
SIZES = {"torus": "4x4", "mesh": "4x4", "tofu": "3x1x1", "crossbar": "16", "hypercube": "2^4", "hyper_crossbar": "4x4",
         "fat_tree": "4x4", "dragonfly": "2x4x2", "dragonfly_plus": "2x2x2x2", "hyperx": "4x4",
         "express_cube": "6x4", "rails": "4x4", "slim_fly": "3", "jellyfish": "16x4", "graph": None, "platform": None}
RING = "".join(f"{i} {(i + 1) % 16}\n" for i in range(16))
CLUSTER = """<platform version="4.1"><zone id="world" routing="Full"><cluster id="c" prefix="" suffix="" radical="0-15"
 speed="1f" bw="4GBps" lat="1us" topology="TORUS" topo_parameters="4,4"/></zone></platform>
"""
ENGINES_ONLY = ("topology.dims", "topology.routing")
TIMES = "message-times 1\ntable p2p\nbytes 0 100000\n0 1us 9us\n1 2us 90us\n2 3us 100us\n"
# A key without a row: those that decide which figures there are, or none; those that only calls read that the program of
# these runs has not (one-sided operations, files, threads, the host's clock, computing without an end); and what all these
# runs have, or jobs alone. What only traces read (chakra) is in tests/cli/chakra.t; hosts (protocol.file) are in
# tests/cli/protocol.t, with each engine; rules, mpi.island, copies (with each engine) in collectives.t; factors of nodes in
# slowdowns.t (machine.slowdowns); power
# and reliability in power.t and reliability.t, with each engine; trunks, which need several messages between two routers, in
# tests/unit/509-lines.c; nic.window_gain, which needs marks of some packets, in tests/unit/524-congestion.c.
NO_ROW = (r"topology\.(kind|up|groups|file|down|trunk)|link\.NAME\..*|router\.(vcs|class.*)|nic\.window_gain|"
          r"mpi\.(collective.*|payload|agent|island|node_times|leaders|copy|copy_part)|files\..*|chakra\..*|(power|cost|reliability)\..*|"
          r"ranks\.(stack|context|globals|measure|clock|loop_limit|thread_overhead|check)|machine\.(peak|slowdowns)|engine\.kind|(table|protocol)\.file|mpi\.rules")
# Rules of uses.def without a key here: what reads these keys is not in runs of one core without other outputs, or, of
# lsu.store_buffer_ahead, of sleep, of comparisons of the PEs and of constants of the array's energy, not in these machines and traces (sensitivity.table
# shows them).
NO_PROCESSOR_ROW = r"simd\.sleep_after .*|simd\.select|energy\.ambient|(chip\.sharing )?coherence\..*|energy\.interval|lsu\.store_buffer_ahead|technology\..*"
KINDS = ("bpred.kind", "l2.replacement", "l3.replacement", "prefetch.kind")  # of which each choice is a machine
PROCESSORS = ("l1d.perfect=yes",
              "l1i.perfect=yes", "l2.perfect=yes", "tlb.perfect=yes", "lsu.forwarding=no", "lsu.store_prefetch=no",
              "prefetch.enabled=yes", "prefetch.enabled=yes prefetch.kind=best_offset",
              "prefetch.enabled=yes prefetch.kind=next_line", "prefetch.enabled=yes prefetch.kind=ampm", "simd.pes=16",
              "memory.kind=dram", "l3.size=8MiB", "l3.size=8MiB l3.replacement=drrip", "l3.size=8MiB l2.perfect=yes",
              "l1d.victim_lines=8")
TRACES = ("quicksort", "chase", "dgemm")
# key, value, what else is set
PROCESSOR_KEYS = (
    ("fetch.wrong_path", "fetch", ""),
    ("bpred.entries", "16", ""),
    ("bpred.ways", "1", "bpred.entries=32"),
    ("bpred.history_bits", "2", ""),
    ("bpred.tage_base_bits", "2", ""),
    ("bpred.tage_tables", "1", ""),
    ("bpred.tage_bits", "3", ""),
    ("bpred.tage_tag_bits", "2", ""),
    ("bpred.tage_history_min", "100", ""),
    ("bpred.tage_history_max", "6", ""),
    ("energy.temperature", "100", ""),
    ("bpred.perceptron_bits", "1", ""),
    ("bpred.perceptron_history", "2", ""),
    ("bpred.targets", "ittage", ""),
    ("bpred.target_bits", "12", ""),
    ("bpred.target_history", "20", ""),
    ("bpred.target_tables", "8", ""),
    ("bpred.target_tag_bits", "12", ""),
    ("bpred.ras_entries", "1", ""),
    ("lsu.forward_latency", "10", ""),
    ("l1d.ways", "1", ""),
    ("l1d.line_bytes", "32", ""),
    ("l1d.miss_buffers", "1", ""),
    ("l1d.fill_latency", "20", ""),
    ("l1d.victim_latency", "30", "l1d.size=1KiB"),
    ("l1d.way_prediction", "mru", ""),
    ("l1d.way_latency", "16", "l1d.size=1KiB l1d.way_prediction=mru"),
    ("l1i.ways", "1", ""),
    ("l1i.line_bytes", "32", ""),
    ("l1i.way_prediction", "mru", ""),
    ("l1i.way_latency", "16", "l1i.size=1KiB l1i.way_prediction=mru"),
    ("l1i.miss_buffers", "1", ""),
    ("l1i.next_line_prefetch", "no", "l1i.size=1KiB"),
    ("l2.ways", "1", "l2.size=192KiB"),
    ("l2.rrpv_bits", "5", ""),
    ("l2.miss_buffers", "1", ""),
    ("l3.latency", "60", "l2.size=192KiB"),
    ("l3.inclusion", "exclusive", ""),
    ("l3.slices", "8", ""),
    ("l3.network", "ring", "l3.slices=8"),
    ("l3.hop_cycles", "9", "l3.slices=8 l3.network=mesh"),
    ("l3.rrpv_bits", "5", ""),
    ("memory.latency", "400ns", ""),
    ("dram.cl", "50", ""),
    ("prefetch.streams", "1", ""),
    ("prefetch.distance", "1", ""),
    ("prefetch.recent_bits", "2", ""),
    ("prefetch.score_max", "8", ""),
    ("prefetch.round_max", "2", ""),
    ("prefetch.bad_score", "60", ""),
    ("prefetch.zones", "1", ""),
    ("prefetch.degree", "1", ""),
    ("prefetch.references", "2", ""),
    ("tlb.main_ways", "1", "tlb.main_entries=16"),
    ("tlb.main_latency", "20", ""),
    ("tlb.walk_latency", "200", ""),
    ("lsu.wait_table_entries", "4", "lsu.disambiguation=wait_table"),
    ("lsu.ssit_entries", "4", "lsu.disambiguation=store_sets"),
    ("simd.rs_entries", "4", ""),
    ("simd.latency_fma", "12", ""),
    ("simd.sbm_latency", "6", ""),
    ("simd.transfers", "1", ""),
    ("simd.divide", "pe", ""),
    ("simd.dividers", "4", "simd.divide=shared"),
    ("simd.latency_div_d", "10", "simd.divide=pe"),
    ("simd.latency_cmp", "2", "simd.select=yes"),
    ("simd.integer", "yes", ""),
    ("simd.latency_int", "4", "simd.integer=yes"),
    ("simd.gather_cycles", "4", "simd.gather=yes"),
    ("simd.power", "gated", ""),
)


class Runs:
    """Runs by their commands: figures, and what the program says."""

    def __init__(self, folder, jobs):
        self.folder, self.jobs, self.names = folder, Jobs("unused.py", folder, jobs, quiet=True), {}

    def add(self, command, settings, operands):
        """Adds a run with these settings, which may fail; returns its name."""
        words = [*command, *(word for one in settings for word in ("-p", one))]
        known = (*words, *operands)
        if known not in self.names:
            name = self.names[known] = str(len(self.names))
            report, told = self.folder(name + ".csv"), self.folder(name + ".told")
            quoted = " ".join(f"'{word}'" for word in [*words, "-o", report, *operands])
            self.jobs.add([name + ".csv", name + ".told"],
                          [f"{{ {quoted} >/dev/null 2>'{told}' || {{ echo failed >>'{told}'; : >'{report}'; }}; }}"], (), name)
        return self.names[known]

    def figures(self, name):
        lines = read(self.folder(name + ".csv")).splitlines()
        return [line for line in lines if not re.match("run|host|config|notes", line)]

    def verdict(self, without, given, key):
        """Returns whether the key changes a figure, and whether it is reported as read by nothing."""
        text = read(self.folder(given + ".told"))
        failed = "failed" in text
        told = failed or re.search(rf"warning: .*{re.escape(key)}.* not used", text) is not None
        return not failed and self.figures(without) != self.figures(given), told


class Checks:
    """Pairs of runs, without a key and with it."""

    def __init__(self, runs):
        self.runs, self.pairs, self.bad = runs, [], 0

    def add(self, command, key, value, context, operands):
        self.pairs.append((self.runs.add(command, context, operands),
                           self.runs.add(command, [*context, f"{key}={value}"], operands), key, value,
                           " ".join(word for word in (*command, *context))))

    def complain(self, text):
        print(text)
        self.bad += 1

    def judge(self, key, value, shown, changed, told):
        if changed == told:
            self.complain(f"{key}={value} with {shown}: changes a figure: {yes(changed)}, told that it is not used: {yes(told)}")


def yes(flag):
    return "yes" if flag else "no"


def parameters(program="bsim"):
    """Keys of a program, in their order, with their ranges: for a choice its values, "a|b|c"."""
    section, found = "", {}
    for line in output(program, "--list-params").splitlines():
        words = line.split()
        if line.startswith("["):
            section = words[0].strip("[]")
        elif words and section:
            found[f"{section}.{words[0]}"] = words[2] if len(words) > 2 else ""
    return found


def networks(checks, folder, table):
    """Keys of unused.table, with every engine, and those of networks with every kind of network."""
    nics, times = folder("nics.so"), folder("p.times")
    ring, cluster = folder("ring.graph"), folder("cluster.xml")
    write(times, TIMES)
    write(ring, RING)
    write(cluster, CLUSTER)
    files = {"graph": ring, "platform": cluster}
    output("bsimcc", "-O1", "-o", nics, os.path.join(TOP, "tests/mpi/nics.c"))
    bsim = ["bsim", "-q", "--each-rank", "-f", "csv", "-p", f"table.file={times}"]
    engines = [line.split()[0] for line in output("bsim", "--list-engines").splitlines()]
    kinds = parameters()["topology.kind"].split("|")
    for kind in kinds:
        if kind not in SIZES:
            checks.complain(f"topology.kind={kind}: no size in unused.py")
    for key, value, context in table:
        settings = context.split()
        for engine in engines:
            checks.add([*bsim, "-e", engine], key, value, ["topology.dims=4x4", *settings], [nics, "mixed", "20000"])
        if key in ENGINES_ONLY or not key.startswith(("topology.", "link.")):
            continue
        for kind in kinds:
            size = f"topology.file={files[kind]}" if kind in files else f"topology.dims={SIZES.get(kind, '4x4')}"
            checks.add(bsim, key, value, [f"topology.kind={kind}", size, *settings], [nics, "mixed", "20000"])
    checks.runs.jobs.run()
    for without, given, key, value, shown in checks.pairs:
        checks.judge(key, value, shown, *checks.runs.verdict(without, given, key))


def processor(checks):
    """Keys of the processor: each trace in turn, until one shows that the key changes a figure, or is not read."""
    psim = ["psim", "-q", "-f", "csv", "--no-profile"]
    choices = parameters("psim")
    machines = [*(f"{key}={kind}" for key in KINDS for kind in choices[key].split("|")), *PROCESSORS]
    left = {(key, value, more, context): (False, False) for key, value, more in PROCESSOR_KEYS for context in machines
            if context != "simd.pes=16" or key.startswith("simd.")}
    for trace in TRACES:
        pairs = {}
        for (key, value, more, context), seen in left.items():
            if seen == (False, False):
                sample = "simd-fft" if context == "simd.pes=16" else trace
                path = os.path.join(TOP, f"traces/samples/{sample}.trace.gz")
                settings = [*context.split(), *more.split()]
                pairs[key, value, more, context] = (checks.runs.add(psim, settings, [path]),
                                                    checks.runs.add(psim, [*settings, f"{key}={value}"], [path]))
        checks.runs.jobs.run()
        for what, (without, given) in pairs.items():
            left[what] = checks.runs.verdict(without, given, what[0])
    for (key, value, more, context), (changed, told) in left.items():
        checks.judge(key, value, f"{context} {more}".strip(), changed, told)


def rows_missing(checks, table):
    """Keys of bsim that have no row and need one; rules of the processor without one of their keys."""
    having = {row[0] for row in table}
    for key in parameters():
        if not re.fullmatch(NO_ROW, key) and key not in having:
            checks.complain(f"{key}: no row in unused.table")
    having = {key for key, _, _ in PROCESSOR_KEYS} | set(KINDS)
    for keys in re.findall(r'^USE\("([^"]*)"', read(os.path.join(TOP, "psim/machine/uses.def")), re.M):
        if not re.fullmatch(NO_PROCESSOR_ROW, keys) and not any(re.fullmatch(keys.replace("*", ".*").replace(" ", "|"), key)
                                                                for key in having):
            checks.complain(f"USE(\"{keys}\", ...) of uses.def: no row in PROCESSOR_KEYS of unused.py")


def main(arguments):
    options, _ = Command("unused.py", "", __doc__ + "\n", values=("--jobs",), short={"-j": "--jobs"}).parse(arguments)
    need("cc", "ninja")
    table = cells("unused.table")
    with Folder() as folder:
        checks = Checks(Runs(folder, options["jobs"] or 1))
        rows_missing(checks, table)
        networks(checks, folder, table)
        processor(checks)
    if not checks.bad:
        print(f"every key changes a figure, or is told: {len(table)} keys")
    return MISSED if checks.bad else 0


if __name__ == "__main__":
    start("unused.py", main)
