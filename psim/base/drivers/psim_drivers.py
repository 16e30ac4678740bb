"""Shared by the drivers: Python programs that compile, record, simulate and judge with psim's programs.

A driver lists its runs as jobs; ninja runs them, several at a time, and again only when an input
has changed. Its figures are rows of a `Verdicts` table, each with the published value and a tolerance.
Requires only Python's standard library and ninja.
"""
import csv
import difflib
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

FAILED, USAGE, MISSED, SKIPPED = 1, 2, 5, 77  # exit statuses; docs/programs/common.md has all of them
ABOUT = ("--help", "--man", "--version", "--list-options")
LISTED = ("--list-params", "--list-configs")  # psim's, of programs with --config
NEAR = 0.75  # how alike an option and the one that is proposed are, from 0 to 1
KERNEL_COLUMNS = ("name", "source", "region", "arguments", "sizes", "same", "pes", "what")


class Stop(Exception):
    """Ends the program with this status and, unless it is empty, one line on stderr."""

    def __init__(self, status, text=""):
        super().__init__(text)
        self.status, self.text = status, text


def complain(text):
    """Writes a line to standard error, if anybody reads it."""
    try:
        if sys.stderr:
            print(text, file=sys.stderr, flush=True)
    except OSError:
        pass


def start(program, function):
    """Runs function(arguments), whose result is the exit status (None: 0), and ends the program."""
    if sys.stdout is None:  # closed: writing fails, as it does in the other programs
        os.dup2(os.open(os.devnull, os.O_RDONLY), 1)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)
    try:
        status = function(sys.argv[1:]) or 0
        sys.stdout.flush()
    except Stop as stop:
        if stop.text:
            complain(f"{program}: {stop.text}")
        status = stop.status
    except BrokenPipeError:
        status = 0  # the reader has enough
    except KeyboardInterrupt:
        status = 128 + 2
    except OSError as error:
        complain(f"{program}: {error.filename or 'output'}: {error.strerror}")
        status = FAILED
    try:
        sys.stdout.flush()
    except OSError:
        status = status or FAILED
    os._exit(status)  # no second attempt to flush


def need(*tools):
    """Ends the program as skipped unless all tools are installed."""
    for tool in tools:
        if not shutil.which(tool):
            print(f"skipped: {tool} is not installed")
            raise Stop(SKIPPED)


class Command:
    """A command line in the style of psim's programs.

    `usage` is the help text. `flags` and `values` are the long options without and with a value, `lists` those that may
    be given more than once, `short` gives options of one letter their long name. `anywhere`: options may also follow
    operands.
    """

    def __init__(self, program, about, usage, flags=(), values=(), lists=(), short=None, anywhere=False):
        self.program, self.about, self.usage, self.anywhere = program, about, usage, anywhere
        self.flags, self.values, self.lists = set(flags), set(values) | set(lists), set(lists)
        self.short = {"-h": "--help", "-V": "--version", **(short or {})}

    def parse(self, arguments):
        """Returns (options by their names without dashes, operands). Options end at `--`, or at the first operand."""
        found = {name[2:]: False for name in self.flags} | {name[2:]: None for name in self.values}
        found |= {name[2:]: [] for name in self.lists}
        rest, operands = list(arguments), []
        while rest:
            if not rest[0].startswith("-") or rest[0] == "-":
                if not self.anywhere:
                    break
                operands.append(rest.pop(0))
                continue
            word = rest.pop(0)
            if word == "--":
                break
            option, equals, value = word.partition("=") if word.startswith("--") else (word[:2], word[2:], word[2:])
            option = self.whole(self.short.get(option, option))
            if option in ABOUT or (option in LISTED and "--config" in self.values):
                self.tell(option)
            if option in self.flags and not equals:
                found[option[2:]] = True
            elif option in self.values:
                if not equals and not rest:
                    raise Stop(USAGE, f"{option} needs a value; --help shows the options")
                value = value if equals else rest.pop(0)
                found[option[2:]] = found[option[2:]] + [value] if option in self.lists else value
            else:
                near = difflib.get_close_matches(option, self.names(), 1, NEAR) or ["--help"]
                raise Stop(USAGE, f"unknown option {word}; did you mean {near[0]}?")
        return found, operands + rest

    def names(self):
        """Returns all long options, but for those that only other programs use."""
        return sorted({*self.flags, *self.values, *ABOUT} - {"--list-options"})

    def whole(self, option):
        """Returns the option of which this is the beginning, or the same word if there is none."""
        names = [name for name in self.names() if name.startswith(option)]
        if not option.startswith("--") or option in (*ABOUT, *LISTED, *names) or not names:
            return option
        if len(names) > 1:
            raise Stop(USAGE, f"{option} may be any of {', '.join(names)}")
        return names[0]

    def tell(self, option):
        """Prints what the option names, and ends the program."""
        if option == "--help":
            sys.stdout.write(self.usage)
        elif option == "--list-options":
            sys.stdout.write(self.list_options())
        elif option in LISTED:
            sys.stdout.write(output("psim", option))
        elif option == "--man":
            text = self.usage.replace("\\", "\\e").replace("-", "\\-")
            text = re.sub(r"(?m)^([.'])", r"\\&\1", text)
            about = self.about.replace("-", "\\-")
            sys.stdout.write(f'.TH "{self.program}" 1\n.SH NAME\n{self.program} \\- {about}\n'
                             f".SH DESCRIPTION\n.nf\n{text}.fi\n")
        else:
            text = subprocess.run(["psim-record", "--version"], capture_output=True, text=True).stdout
            sys.stdout.write(text.replace("psim-record", self.program, 1))
        raise Stop(0)


    def list_options(self):
        """Returns the options of the help text, a line each: name, letter, argument, meaning, separated by tabs."""
        rows = re.findall(r"(?m)^ {2}(?:(-\w), | {4})(--[\w-]+)(?: (\S.*?))?(?: {2,}|\n {10,})(\S.*)$", self.usage)
        return "".join(f"{name}\t{letter or '-'}\t{argument.strip(chr(39)) or '-'}\t{meaning}\n"
                       for letter, name, argument, meaning in rows)


def output(*command, cwd=None, statuses=(0,)):
    """Returns the output of the command; ends the program if its status is not one of `statuses`."""
    run = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, cwd=cwd,
                         check=False)
    if run.returncode not in statuses:
        raise Stop(run.returncode if run.returncode > 0 else FAILED, f"{os.path.basename(command[0])} failed")
    return run.stdout


class Folder:
    """A work folder: a kept one, or a temporary one that is removed at the end."""

    def __init__(self, kept=None):
        self.temporary = None if kept else tempfile.TemporaryDirectory()
        self.kept = bool(kept)
        self.path = os.path.realpath(kept or self.temporary.name)
        try:
            os.makedirs(self.path, exist_ok=True)
        except OSError:
            raise Stop(FAILED, f"{kept}: cannot be made") from None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.temporary:
            self.temporary.cleanup()

    def __call__(self, name):
        """Returns the path of a file in it."""
        return os.path.join(self.path, name)


class Jobs:
    """Commands that make files in a folder. ninja runs those whose command or inputs have changed."""

    def __init__(self, program, folder, jobs=1, quiet=False):
        self.program, self.folder, self.jobs, self.quiet = program, folder, int(jobs), quiet
        self.lines = ["rule run", "  command = $c", "  description = $what"]
        self.targets, self.stamps = [], {}

    def stamp(self, *paths):
        """Returns an input: a file that changes when the contents of one of the paths (programs, files, folders) do."""
        if paths not in self.stamps:
            total = hashlib.sha256()
            for path in paths:
                for name in sorted(files_of(shutil.which(path) or path)):
                    with open(name, "rb") as file:
                        total.update(hashlib.sha256(file.read()).digest())
            name = self.folder(hashlib.sha256("\n".join(paths).encode()).hexdigest()[:16] + ".sum")
            if not os.path.exists(name) or read(name) != total.hexdigest():
                write(name, total.hexdigest())
            self.stamps[paths] = name
        return self.stamps[paths]

    def add(self, outputs, commands, inputs=(), what=""):
        """Adds a sequence of commands that make the outputs (names in the folder) from the inputs."""
        made = [escaped(self.folder(name)) for name in outputs]
        if made[0] in self.targets:
            return
        self.targets += made
        command = " && ".join(c if isinstance(c, str) else shlex.join(str(w) for w in c) for c in commands)
        self.lines += [f"build {' '.join(made)}: run | {' '.join(map(escaped, inputs))}",
                       "  c = " + command.replace("$", "$$"), "  what = " + what.replace("$", "$$")]

    def run(self, rebuild=False, brief=False):
        """Runs outdated jobs, or all of them if `rebuild`; ends the program if a job fails.

        `brief`: the first failed job is told by its name and what it printed, without its command; the others are run,
        and counted if they fail."""
        if not shutil.which("ninja"):
            raise Stop(FAILED, "ninja: not found; Debian's package is ninja-build")
        if rebuild:
            for target in self.targets:
                if os.path.exists(target.replace("$ ", " ")):
                    os.remove(target.replace("$ ", " "))
        write(self.folder("build.ninja"), "\n".join(self.lines) + "\n")
        ninja = ["ninja", "-C", self.folder.path, f"-j{self.jobs}"] + (["--quiet"] if self.quiet else [])
        place = {**os.environ, "NINJA_STATUS": f"{self.program}: %f of %t: "}
        if brief:
            self.follow(["ninja", "-C", self.folder.path, f"-j{self.jobs}", "-k", "0"], place)
            return
        run = subprocess.run(ninja, env=place, stdout=subprocess.PIPE if self.quiet else sys.stderr, text=True)
        if run.returncode:
            sys.stderr.write(run.stdout or "")
            raise Stop(FAILED, "a run failed")

    def follow(self, ninja, place):
        """Runs ninja, hands on its lines of progress, and what the first failed job printed."""
        failed = []
        with subprocess.Popen(ninja, env=place, stdout=subprocess.PIPE, text=True) as run:
            skip = shown = False
            for line in run.stdout:
                progress = line.startswith(f"{self.program}: ")
                if line.startswith("FAILED: "):
                    failed.append(os.path.basename(line.split()[-1]))
                    skip, shown = True, len(failed) == 1  # the next line is the command
                elif skip:
                    skip = False
                elif progress:
                    shown = False
                    sys.stderr.write("" if self.quiet else line)
                elif shown and not line.startswith("ninja: "):
                    sys.stderr.write(line)
        if run.returncode:
            more = f" and {len(failed) - 1} more: cannot be made, their runs failed; this is what the first one said"
            raise Stop(FAILED, (failed[0] if failed else self.folder.path)
                       + (more if len(failed) > 1 else ": cannot be made, its run failed"))


def escaped(path):
    """Escapes a path for a file of ninja."""
    return path.replace("$", "$$").replace(" ", "$ ").replace(":", "$:")


def files_of(path):
    """Returns a file, or all files of a folder."""
    if not os.path.isdir(path):
        return [path]
    return [os.path.join(place, name) for place, _, names in os.walk(path) for name in names
            if not name.endswith(".pyc")]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def table_lines(path):
    """Yields (number, head, cells) of a table's lines but comments: cells have | between them, heads begin with =."""
    for number, line in enumerate(read(path).splitlines(), 1):
        if line and not line.startswith("#"):
            yield number, line.startswith("="), [cell.strip() for cell in line.lstrip("= ").split("|")]


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class Report:
    """A report of psim, bsim or psim-fit in the form csv."""

    def __init__(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            self.rows = [row for row in csv.reader(file) if len(row) > 3]

    def text(self, group, name):
        """Returns the last value of this group and name; "" if there is none."""
        return next((row[3] for row in reversed(self.rows) if row[:2] == [group, name]), "")

    def number(self, group, name):
        """Returns it as a number; NaN if it is not one."""
        return float(self.text(group, name) or "nan")

    def column(self, group, name):
        """Returns all values of this group and name, one for each row."""
        return [row[3] for row in self.rows if row[:2] == [group, name]]


def kernel_rows(sources):
    """Returns the rows of kernels.table in the folder of the kernels' sources, as {column: cell}."""
    table = os.path.join(sources, "kernels.table")
    try:
        lines = read(table).splitlines()
    except OSError:
        raise Stop(FAILED, f"{table}: not found, expected the kernels' directory as --sources FOLDER") from None
    return [dict(zip(KERNEL_COLUMNS, (cell.strip() for cell in line.split("|", len(KERNEL_COLUMNS) - 1))))
            for line in lines if line and not line.startswith("#")]


class Kernels:
    """Kernels of traces/kernels: runs of them on processors, as jobs."""

    def __init__(self, jobs, sources, keep=False):
        self.jobs, self.sources, self.keep = jobs, sources, keep

    def simulate(self, kernel, arguments, config, reports, array=()):
        """Compiles, records and simulates; `reports` are {file in the folder: psim's further options}.

        A file that ends in .json gets that format, any other csv. `array`: options of psim-kernels."""
        form = {name: "json" if name.endswith(".json") else "csv" for name in reports}
        place = self.jobs.folder("-".join(["run", kernel, *map(str, arguments)]) + "-" + short(config, *array))
        trace = os.path.join(place, kernel + ".trace.gz")
        steps = [["psim-kernels", "--sources", self.sources, "-q", "-o", place, *array, kernel, *arguments]]
        for name, options in reports.items():
            steps.append(["psim", "-q", "--no-profile", "-c", config, *options, "-f", form[name], "-o",
                          self.jobs.folder(name), trace])
        steps += [] if self.keep else [["rm", "-r", place]]
        inputs = [self.jobs.stamp("psim", "psim-record", "psim-kernels"), self.jobs.stamp(self.sources),
                  self.jobs.stamp(os.path.dirname(config))]
        self.jobs.add(list(reports), steps, inputs, " ".join([kernel, *map(str, arguments)]))


def fit(folder, name, points, terms, hold_out, limit, options=()):
    """Fits the model NAME to points (size, report's name in the folder) by psim-fit, in the folder.

    `terms`: one list, or more, of whose sums the largest counts. Returns psim-fit's report; whether what was held out
    is within `limit` percent is the caller's to say."""
    command = ["psim-fit", *options]
    for one in terms:
        command += ["--terms", one]
    command += ["--hold-out", hold_out, "--model", f"{name}.model", "--picture", f"{name}.svg",
                "--expect", f"model.held_out_error<={limit}", "-f", "csv", "-o", f"{name}.csv"]
    output(*command, *(f"{size}:{report}" for size, report in points), cwd=folder.path, statuses=(0, MISSED))
    return Report(folder(f"{name}.csv"))


def short(*words):
    """Returns a short name for these words."""
    return hashlib.sha256("\n".join(map(str, words)).encode()).hexdigest()[:8]


def setting(config, key):
    """Returns the value of section.key in a processor's configuration, as psim reads it."""
    section, name = key.split(".")
    here = ""
    for line in output("psim", "-c", config, "--dump-config").splitlines():
        if line.startswith("["):
            here = line.strip("[] ")
        left, equals, right = line.partition("=")
        if equals and here == section and left.strip() == name:
            return re.sub(r"\s*[;#].*", "", right).strip()
    raise Stop(USAGE, f"{config}: no {key}")


def span_text(low, high):
    """A tolerance in percent, as a text."""
    if low == -high:
        return f"{high:.3g}%"
    if low == -100:
        return f"<= {high:+.3g}%"
    return f">= {low:+.3g}%" if high == float("inf") else f"{low:+.3g}..{high:+.3g}%"


class Verdicts:
    """Figures beside published ones, in sections. A row: figure, ours, paper, off, tolerance, verdict, note.

    `beside`: heading of the figures for comparison."""

    def __init__(self, width=34, beside="paper"):
        self.rows, self.width, self.beside = [], width, beside
        self.sections = {}  # title: [number of judged rows, names of those that miss]
        self.title = None

    def section(self, title, heading=""):
        """Starts a section, under which the next figures are; `heading` is printed, or the title."""
        self.title = title
        self.sections[title] = [0, []]
        self.rows.append((heading or title,))

    def row(self, figure, ours, paper=None, tolerance=None, note="", low=None):
        """Adds a figure; True, False, or None if it is not judged: without a paper's figure or a tolerance.

        `tolerance`: percent of the paper's figure, both ways; with `low`, from low to tolerance: low=-100 bounds from above
        alone, an infinite tolerance from below."""
        off = None if paper is None else 100 * (ours / paper - 1)
        low = -tolerance if low is None and tolerance is not None else low
        judged = off is not None and tolerance is not None
        within = low <= off <= tolerance if judged else None
        span = span_text(low, tolerance) if judged else ""
        self.rows.append((figure, f"{ours:.4g}", "" if paper is None else f"{paper:.4g}",
                          "" if off is None else f"{off:+.1f}%", span,
                          "" if within is None else "within" if within else "NOT within", note))
        if judged:
            section = self.sections.setdefault(self.title, [0, []])
            section[0] += 1
            section[1] += [] if within else [figure]
        return within

    def text(self):
        """Returns the table."""
        head = ("figure", "ours", self.beside, "off", "tolerance", "verdict", "")
        lines = []
        for row in [head] + self.rows:
            if len(row) == 1:
                lines.append("\n" + row[0])
                continue
            lines.append(f"{row[0]:{self.width}} {row[1]:>10} {row[2]:>10} {row[3]:>8} {row[4]:>11}  {row[5]:10} {row[6]}"
                         .rstrip())
        return "\n".join(lines) + "\n"

    def summary(self):
        """Returns a line for each section: how many of its rows are within their tolerance, and which are not."""
        return "".join(f"{title}: {judged - len(missed)} of {judged} within{'; not: ' if missed else ''}"
                       f"{', '.join(missed)}\n" for title, (judged, missed) in self.sections.items())

    def missed(self):
        """Returns the names of all figures outside their tolerance."""
        return [f"{title}: {name}" for title, (_, missed) in self.sections.items() for name in missed]

    def status(self):
        """Returns 5 if a figure is outside its tolerance, else 0."""
        return MISSED if self.missed() else 0
