"""The papers' figures beside ours as pictures, from what programs printed (seeds.py): curves of ours with the points that
the papers' texts give, bars where they give single runs. Each function returns lines for seeds-picture, or None where an
output is missing."""
import re

PQ580 = (("HPL 160", "PQ580 HPL 160 000 on 1024, total, s", "BSIM's own prediction, HPL 160 000 on 1024, total, s"),
         ("240", "PQ580 HPL 240 000 on 1024, total, s", "BSIM's own prediction, HPL 240 000 on 1024, total, s"),
         ("320", "PQ580 HPL 320 000 on 1024, total, s", "BSIM's own prediction, HPL 320 000 on 1024, total, s"),
         ("NB 180", "PQ580 HPL 320 000, NB 180, total, s", "BSIM's own prediction, HPL 320 000, NB 180, total, s"),
         ("160, 256", "PQ580 HPL 160 000 on 256, total, s", "BSIM's own prediction, HPL 160 000 on 256, total, s"),
         ("160, 512", "PQ580 HPL 160 000 on 512, total, s", "BSIM's own prediction, HPL 160 000 on 512, total, s"))
PACING = (("8 x 8", "experiment 1, 8 x 8 without pacing, ms"), ("9 x 9", "experiment 1, 9 x 9 without pacing, ms"),
          ("8 x 8, 1.25", "experiment 2, 8 x 8, bias 1.25, ms"), ("9 x 9, 1.25", "experiment 2, 9 x 9, bias 1.25, ms"),
          ("exp. 3", "experiment 3, best bias of each phase, ms"),
          ("barriers", "experiment 4, biases of 3 and barriers, ms"), ("at 3 us", "experiment 4, tuned at 3 us, ms"))
MAPPING = tuple((f"{program} {way}" if way == "in order" else way, f"{name} {way}, ms")
                for program, name in (("CG", "CG 512"), ("SP", "SP 484")) for way in ("in order", "none", "mincost", "minlink"))


def bars(title, doc, unit, names, rows):
    lines = [f"title {title}", f"doc {doc}", f"axes - | run time | {unit}", "bars " + " | ".join(names)]
    return lines + [f"group {name} | " + " | ".join(map(str, values)) for name, *values in rows]


def beside(title, doc, unit, rows, figures):
    """Bars of the paper's and of ours, from the table."""
    return bars(title, doc, unit, ("paper", "psim"), [(name, figures[key].published, figures[key].ours) for name, key in rows])


def trees(outputs):
    """Random ranks on fat trees: figure 2 of MFS as a ratio, with the points of the text."""
    text = outputs.get("mfs-random", "")
    at = re.findall(r"(?m)^ +(\d+) +([\d.]+) \(", text.partition("random ranks")[2].partition("\nmean")[0])
    if not at:
        return None
    return ["title All-to-all on fat trees with random ranks", "doc time beside that of ranks in order; MFS, figure 2 and its text",
            "axes nodes | time / (N - 1) | -", "curve psim, mode F", *(f"at {x} | {y}" for x, y in at),
            "points the paper's text", "at 54 | 2.5", "at 3456 | 3.4"]


def curves(outputs):
    """Run time over the gap bias: the pacing paper's figure 11, with the points of its text."""
    text = outputs.get("pacing-curves", "")
    lines = ["title All-to-all of 1 MiB: run time over the gap bias", "doc the pacing paper's figure 11 and its text",
             "axes gap bias, packets | run time | ms"]
    for n in (8, 9):
        at = [(x, y) for x, y in re.findall(rf"(?m)^curve {n} ([\d.]+) ([\d.]+) ", text) if float(x) <= 6]
        if not at:
            return None
        lines += [f"curve psim, {n} x {n}", *(f"at {x} | {y}" for x, y in at)]
    return [*lines, "points paper, 8 x 8", "at 1.25 | 42.7", "points paper, 9 x 9", "at 1.25 | 30.7"]


def all_of(outputs, figures):
    """{name: lines} of the pictures whose outputs are there."""
    made = {
        "hpl": bars("HPL on the PRIMEQUEST 580", "PSI-SIM, Table 6: N in thousands on 1024 ranks, or on 256 and 512", "s",
                    ("measured", "BSIM", "psim"),
                    [(name, figures[row].published, figures[own].published, figures[row].ours) for name, row, own in PQ580]),
        "placements": beside("An iteration of CG and SP in four placements", "task mapping, Tables 3 and 4", "ms", MAPPING, figures),
        "pacing": beside("All-to-all of 1 MiB with packet pacing", "the pacing paper's experiments 1 to 4", "ms", PACING, figures),
        "trees": trees(outputs),
        "bias": curves(outputs),
    }
    return {name: lines for name, lines in made.items() if lines}
