#!/usr/bin/env python3
"""`ninja programs` builds every target that is installed, so that nothing else has to be built for an installation.

    installed.py BUILD-ROOT
"""
import json
import os
import pathlib
import re
import subprocess
import sys


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    text = subprocess.run(["ninja", "-C", build, "-t", "query", "programs"], check=True, capture_output=True, text=True).stdout
    built = {os.path.normpath(build / name) for name in re.findall(r"^    (?:\| |\|\| )?(\S+)$", text, re.M)}
    targets = json.loads((build / "meson-info/intro-targets.json").read_text())
    wanted = {os.path.normpath(name) for target in targets if target["installed"] for name in target["filename"]}
    if not wanted:
        sys.exit("installed: no target is installed, expected the programs")
    for name in sorted(wanted - built):
        print(f"installed: {os.path.relpath(name, build)} is installed, but not a part of the target 'programs'", file=sys.stderr)
    return 1 if wanted - built else 0


sys.exit(main())
