#!/usr/bin/env python3
"""Labels of the stored pictures: no two overlap, and those of designs are beside what they name.

    picture_labels.py SOURCE-ROOT
    picture_labels.py PICTURE.svg...

In a picture of psim-explore a label names a dot with a ring. It is at most NEAR pixels from one, and no other dot is nearer by more
than its radius; or a line goes from the middle of one to it. Widths are those of DejaVu Sans at 12 pixels, of its file of metrics.
"""
import glob
import math
import os
import re
import sys

NEAR, TOUCH, RADIUS = 16, 2.5, 5
ABOVE, BELOW = 9, 3  # of a label's base line: its letters
# thousandths of the size: advance widths of DejaVu Sans 2.37
WIDTHS = {**dict.fromkeys("0123456789", 636), **dict.fromkeys(" .,\u00b7", 318), **dict.fromkeys("ijlIJ", 290),
          **dict.fromkeys("frt-:;()/'|", 400), **dict.fromkeys("mMwW%+=<>", 900)}
SIZE, OTHER = 12, 640


class Label:
    """A text and its extent."""

    def __init__(self, x, y, anchor, text):
        width = sum(WIDTHS.get(c, OTHER) for c in text) * SIZE / 1000
        self.text = text
        self.left = x - {"start": 0, "middle": width / 2, "end": width}[anchor]
        self.right, self.top, self.bottom = self.left + width, y - ABOVE, y + BELOW

    def distance(self, x, y):
        return math.hypot(x - min(max(x, self.left), self.right), y - min(max(y, self.top), self.bottom))

    def meets(self, other):
        return (self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom)


def numbers(tag, *names):
    return [float(re.search(rf'\b{name}="([-0-9.e]+)"', tag)[1]) for name in names]


def labels_of(panel):
    found = re.findall(r'<text x="([-0-9.]+)" y="([-0-9.]+)" class="label" text-anchor="(\w+)">([^<]*)</text>', panel)
    return [Label(float(x), float(y), anchor, text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
            for x, y, anchor, text in found]


def dots_of(panel):
    """[(x, y, whether it has a ring)] of designs, which have a tooltip."""
    return [(*numbers(tag, "cx", "cy"), 'class="ring"' in tag) for tag in re.findall(r"<circle [^>]*>(?=<title>)", panel)]


def is_beside(label, dots, leaders):
    for x1, y1, x2, y2 in leaders:
        if label.distance(x2, y2) <= TOUCH and any(ring and math.hypot(x - x1, y - y1) < 1 for x, y, ring in dots):
            return True
    nearest = min(label.distance(x, y) for x, y, _ in dots)
    ringed = min((label.distance(x, y) for x, y, ring in dots if ring), default=math.inf)
    return ringed <= min(NEAR, nearest + RADIUS)


def wrong_with(text):
    """Yields what is wrong with a picture."""
    for panel in re.split(r'<g transform="translate\(', text):
        labels, dots = labels_of(panel), dots_of(panel)
        for n, label in enumerate(labels):
            for other in labels[:n]:
                if label.meets(other):
                    yield f"labels '{other.text}' and '{label.text}' overlap, expected them apart"
        leaders = [numbers(tag, "x1", "y1", "x2", "y2") for tag in re.findall(r'<line [^>]*class="leader"/>', panel)]
        for label in labels if any(ring for *_, ring in dots) else []:
            if not is_beside(label, dots, leaders):
                yield f"label '{label.text}' is not beside a dot with a ring, nor has a line to one, expected one of both"


def main(paths):
    if len(paths) == 1 and os.path.isdir(paths[0]):
        paths = sorted(glob.glob(os.path.join(paths[0], "docs", "**", "*.svg"), recursive=True))
    bad = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            bad += [f"{path}: {message}" for message in wrong_with(file.read())]
    print("\n".join(bad), file=sys.stderr, end="\n" if bad else "")
    return 1 if bad or not paths else 0


sys.exit(main(sys.argv[1:]))
