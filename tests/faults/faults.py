#!/usr/bin/env python3
"""Makes each allocation and each write of a program fail, and checks how it ends.

    faults.py SOURCE-ROOT FAULT.so [--each N] [--only WORD] [--kind alloc|write]

Every command of commands.table runs once undisturbed, then once for each fault: the K-th
allocation (fault.so, preloaded) or the K-th call that writes, names or closes a file (strace's
injection) fails, once or from then on. What must hold for every such run:

  - no signal; status 0 or 1, nothing else
  - status 0: output and files are those of the undisturbed run, byte for byte
  - status 1: one line `PROGRAM: ...` on standard error, and no file that is not whole, but for
    those from which a next run goes on (a database, FILE.part, a checkpoint FILE.ck)
  - the program has freed what it allocated, as in the undisturbed run

--each N tries N places of each command and kind at the most: the first ones, then in equal
steps. Without it all are tried. A result is a line of TAP.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

# System calls that make a file, fill it, or give it its name.
WRITES = "write,writev,pwrite64,pwritev,ftruncate,fsync,fdatasync,linkat,rename,renameat,renameat2"
LINKS = {"configs": "configs", "traces": "traces", "examples": "netlink/programs/examples", "skeletons": "netlink/programs/skeletons",
         "exit.sparc": "tests/guest/exit.sparc"}
STUCK_SECONDS = 300  # only ends what would never end


class Place:
    """A folder in which commands run; one for each worker, as outputs have fixed names."""

    def __init__(self, top, source, made):
        self.path = tempfile.mkdtemp(dir=top)
        self.log = tempfile.mkdtemp(dir=top)
        for name, target in LINKS.items():
            os.symlink(os.path.join(source, target), os.path.join(self.path, name))
        for name in made:
            shutil.copy(name, self.path)

    def run(self, command, prefix="", **variables):
        """status, standard output, standard error, {file: bytes} of the folder out"""
        out = os.path.join(self.path, "out")
        shutil.rmtree(out, ignore_errors=True)
        os.mkdir(out)
        done = subprocess.run(["sh", "-c", f"exec {prefix} {command}"], cwd=self.path, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=STUCK_SECONDS,
                              env={**os.environ, "LC_ALL": "C", **variables}, check=False)
        files = {}
        for name in os.listdir(out):
            with open(os.path.join(out, name), "rb") as f:
                files[name] = f.read()
        return done.returncode, done.stdout, done.stderr.decode(errors="replace"), files


def comparable(files):
    """
    Files without what differs from run to run: databases hold the time of each point, reports what the run cost
    the host, the folder of their temporary files, and lines of the source where addr2line is installed.
    """
    host = re.compile(rb'^\W*(processor|messages_per_second|memory|seconds\b.*time of the search)\b.*$'
                      rb'| \(\w+\.c:\d+\)|\S*/inspire-\w{6}', re.M)
    return {name: host.sub(b"", data) for name, data in files.items() if ".sqlite" not in name}


class Allocations:
    name = "alloc"

    def __init__(self, library):
        self.library = library

    def _run(self, place, command, at, forever):
        log = os.path.join(place.log, "alloc")
        if os.path.exists(log):
            os.remove(log)
        variables = {"FAULT_PROGRAM": command.split()[0], "FAULT_AT": str(at), "FAULT_LOG": log,
                     "LD_PRELOAD": self.library}
        if forever:
            variables["FAULT_FOREVER"] = "1"
        result = place.run(command, **variables)
        count, live = 0, None
        if os.path.exists(log):
            with open(log, encoding="ascii") as f:
                count, live = map(int, f.read().split())
        return result, count, live

    def undisturbed(self, place, command):
        return self._run(place, command, 0, False)

    def disturbed(self, place, command, at, forever):
        result, _, live = self._run(place, command, at, forever)
        return result, live


class Writes:
    name = "write"

    def _run(self, place, command, inject):
        log = os.path.join(place.log, "write")
        result = place.run(command, f"strace -qq -o {log} -e trace={WRITES} {inject} -e signal=none")
        with open(log, encoding="utf-8", errors="replace") as f:
            return result, sum(1 for line in f if re.match(r"\w+\(", line))

    def undisturbed(self, place, command):
        result, count = self._run(place, command, "")
        return result, count, None

    def disturbed(self, place, command, at, forever):
        inject = f"-e inject={WRITES}:error=ENOSPC:when={at}{'+' if forever else ''}"
        return self._run(place, command, inject)[0], None


def faults_of(result, live, good, good_live, program, silent):
    """Returns what is wrong with the end of a disturbed run; None if nothing is."""
    status, output, errors, files = result
    if status not in (0, 1):
        return f"status {status}: {errors.strip()[-300:]}"
    whole, left = comparable({"standard output": good[1], **good[3]}), comparable({"standard output": output, **files})
    changed = sorted(name for name in set(whole) | set(left) if whole.get(name) != left.get(name))
    if status == 0 and changed:
        return f"status 0, but these differ from the undisturbed run's: {changed}"
    partial = [name for name in changed if name in files and not name.endswith((".part", ".ck"))]
    # a study has what is known, and says how many points failed
    if status == 1 and partial and not re.search(r"\d+ of \d+ points failed", errors):
        return f"status 1, and what is left is not whole: {sorted(partial)}"
    lines = errors.splitlines()
    for said in re.findall(rf"^{program}: note: (.*) was written before this$", "\n".join(lines[1:]), re.M):
        if os.path.basename(said) not in files:
            return f"status 1, and {said} is not there, though it is said to be written"
        lines.remove(f"{program}: note: {said} was written before this")
    if status == 1 and not silent and (len(lines) != 1 or not lines[0].startswith(program + ": ")):
        return f"status 1, expected one line '{program}: ...', got {errors!r}"
    if live is not None and good_live is not None and live > good_live:
        return f"{live} blocks are not freed, undisturbed {good_live} (status {status}: {errors.strip()})"
    return None


def chosen(count, each):
    if not each or count <= each:
        return range(1, count + 1)
    head = each // 2
    step = (count - head) / (each - head)
    return sorted(set(range(1, head + 1)) | {head + round(step * (k + 1)) for k in range(each - head)})


def try_command(places, kind, command, each):
    """(number of faults tried, what was wrong)"""
    unfreed = command.startswith("~")
    command = command.lstrip("~ ")
    program = command.split()[0]
    with places.one() as place:
        good, count, good_live = kind.undisturbed(place, command)
    if unfreed:
        good_live = None
    if good[0]:
        return 0, [f"undisturbed: status {good[0]}: {good[2]}"]
    if not count:
        return 0, ["undisturbed: nothing that could fail was seen"]
    wrong = []

    def one(at, forever):
        with places.one() as place:
            result, live = kind.disturbed(place, command, at, forever)
        # A disk that stays full, or a standard error that cannot be written, takes no message.
        silent = kind.name == "write"
        fault = faults_of(result, live, good, good_live, program, silent)
        if fault:
            wrong.append((at, f"{kind.name} {at} of {count}{' and later' if forever else ''}: {fault}"))

    jobs = [(at, forever) for at in chosen(count, each) for forever in (False, True)]
    with concurrent.futures.ThreadPoolExecutor(places.count) as pool:
        list(pool.map(lambda job: one(*job), jobs))
    return len(jobs), [text for _, text in sorted(wrong)]


class Places:
    def __init__(self, top, source, made, count):
        self.count = count
        self.free = [Place(top, source, made) for _ in range(count)]

    def one(self):
        places = self

        class Taken:
            def __enter__(self):
                self.place = places.free.pop()
                return self.place

            def __exit__(self, *_):
                places.free.append(self.place)

        return Taken()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("source")
    options.add_argument("library")
    options.add_argument("--each", type=int, default=0)
    options.add_argument("--only", default="")
    options.add_argument("--kind", default="alloc,write")
    a = options.parse_args()
    source = os.path.abspath(a.source)
    kinds = [k for k in (Allocations(os.path.abspath(a.library)), Writes()) if k.name in a.kind]
    if not shutil.which("strace"):
        kinds = [k for k in kinds if k.name != "write"]
        print("# no strace: failing writes are not tried")
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "commands.table"), encoding="utf-8") as f:
        lines = [line.rstrip("\n") for line in f if line.strip() and not line.startswith("#")]
    commands = [line for line in lines if not line.startswith("!") and a.only in line]
    with tempfile.TemporaryDirectory() as top:
        first = Place(top, source, [])
        for line in lines:
            if line.startswith("!"):
                subprocess.run(line[1:], shell=True, cwd=first.path, check=True)
        made = [os.path.join(first.path, n) for n in os.listdir(first.path)
                if n not in LINKS and os.path.isfile(os.path.join(first.path, n))]
        places = Places(top, source, made, os.cpu_count() or 1)
        print(f"1..{len(commands) * len(kinds)}")
        number = 0
        for command in commands:
            for kind in kinds:
                number += 1
                tried, wrong = try_command(places, kind, command, a.each)
                print(f"{'not ok' if wrong else 'ok'} {number} - {kind.name}: {command} ({tried} faults)", flush=True)
                for text in wrong[:10]:
                    print(f"{command}: {text}", file=sys.stderr)
                if len(wrong) > 10:
                    print(f"{command}: {len(wrong) - 10} more", file=sys.stderr)


main()
