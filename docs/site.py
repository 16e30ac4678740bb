#!/usr/bin/env python3
"""The manual as HTML pages with a search that works from file://.

    site.py SOURCE-ROOT FOLDER

Pages are README.md, which is also index.html, all of docs, and what these link to in the source tree; other linked files
are copied. Colours are those of the reader's system, dark or light. Status 1 if a link leads nowhere: to no file, or to no
heading of a page.
"""
import html
import json
import os
import re
import shutil
import sys

STYLE = """
:root { color-scheme: light dark; --fg: #1c2430; --bg: #fff; --soft: #f2f4f8; --line: #cfd6e2; --link: #1558b0 }
@media (prefers-color-scheme: dark) { :root { --fg: #dde3ec; --bg: #14181f; --soft: #1f2530; --line: #3a4454; --link: #82b4ff } }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--fg); background: var(--bg); display: flex }
nav { width: 15rem; flex: none; height: 100vh; overflow: auto; position: sticky; top: 0; background: var(--soft); padding: 1rem;
  box-sizing: border-box; font-size: .9rem } nav ul { list-style: none; padding: 0; margin: .2rem 0 .8rem } nav b { display: block }
main { max-width: 66rem; padding: 1rem 2rem; min-width: 0 } main > p, main > ul { max-width: 52rem }
a { color: var(--link) } nav a { text-decoration: none } nav a[aria-current] { font-weight: bold }
#menu, #menu + label { display: none }
pre { background: var(--soft); padding: .7rem; overflow: auto; font-size: .82rem; line-height: 1.35 } code { font-size: .9em; overflow-wrap: break-word } code span { white-space: nowrap }
table { border-collapse: collapse; display: block; overflow: auto } table + table { margin-top: 1rem }
td, th { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top } img { max-width: 100%; height: auto } input { width: 100%; box-sizing: border-box }
main.gallery { max-width: 90rem; display: grid; gap: 0 2rem; align-content: start; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)) }
main.gallery > * { grid-column: 1 / -1; margin-bottom: 0 } main.gallery > section { grid-column: auto; min-width: 0 }
main.gallery img { width: 100%; max-height: 24rem; object-fit: contain; object-position: left top }
@media (max-width: 50rem) { body { display: block } nav { width: auto; height: auto; position: static }
  #menu + label { display: block; margin-top: .6rem; color: var(--link); cursor: pointer } #menu:not(:checked) ~ #pages { display: none }
  .text { min-width: 8.5rem } main { padding: .5rem 1rem } pre { margin-left: -1rem; margin-right: -1rem; padding: .7rem 1rem } }
"""

SEARCH = """
const field = document.getElementById("search"), found = document.getElementById("found"), top_ = document.body.dataset.top;
function search() {
  const words = field.value.toLowerCase().split(/\\s+/).filter(w => w.length > 1);
  found.textContent = "";
  if (!words.length) return;
  const hits = [];
  for (const [place, page, title, text] of SECTIONS) {
    const head = (page + " " + title).toLowerCase(), body = text.toLowerCase();
    if (!words.every(w => head.includes(w) || body.includes(w))) continue;
    hits.push([words.filter(w => head.includes(w)).length, place, page, title]);
  }
  hits.sort((a, b) => b[0] - a[0]);
  for (const [, place, page, title] of hits.slice(0, 30)) {
    const row = found.appendChild(document.createElement("li")), link = row.appendChild(document.createElement("a"));
    link.href = top_ + place;
    link.textContent = title === page ? page : page + ": " + title;
  }
  if (!hits.length) found.textContent = "nothing found";
}
field.addEventListener("input", search);
const asked = new URLSearchParams(location.search).get("q");
if (asked) { field.value = asked; search(); }
"""

FOLDERS = ("guide", "programs", "api", "models", "formats", "accuracy", "accuracy/appendix", "develop")
FRONT = "README.md"
GALLERY = "docs/gallery.md"
# above the folders in the list of all pages
FIRST = ((FRONT, "psim"), ("docs/README.md", "The manual"), (GALLERY, "Gallery"))


def short_title(title):
    """A page's title in the list of all pages: "nsim" for "nsim: MPI programs …", "Packets" for "Accuracy: packets"."""
    area, colon, what = title.partition(": ")
    return title if not colon or area == "Speed" else area if area not in ("Accuracy", "Appendix") else what[0].upper() + what[1:]


def slug(title, taken):
    """The anchor that GitHub gives a heading."""
    name = re.sub(r"[^\w\- ]", "", re.sub(r"<[^>]*>", "", html.unescape(title)).lower()).replace(" ", "-")
    count = taken[name] = taken.get(name, -1) + 1
    return f"{name}-{count}" if count else name


def code(text):
    """Code in a line of text. A word breaks at no hyphen, and only if it is long behind a slash, comma or parenthesis."""
    def word(match):
        pieces = re.split(r"(?<=[^.][/,(])(?=.)", match[0]) if len(match[0]) > 24 else [match[0]]
        return "<wbr>".join(f"<span>{html.escape(piece)}</span>" if "-" in piece else html.escape(piece) for piece in pieces)
    return "<code>" + re.sub(r"\S+", word, text) + "</code>"


# characters in a cell from which its column is one of text
TEXT = 20

# the space inside of a number or product, or before its unit: a narrow cell does not break there
NUMBER = re.compile(r"(?<=\d) (?=\d{3}(?!\d)|%|[munp]?s\b|[KMGT]i?B\b|[x×] \d)|(?<=\d [x×]) (?=\d)")


class Page:
    """One page: `body` in HTML, `anchors`, `links` to (place, anchor), and `sections` for the search."""

    def __init__(self, text):
        self.title, self.anchors, self.links, self.sections, self.out = "", {}, [], [], []
        self.lines, self.at = re.sub(r"<!--.*?-->\n?", "", text, flags=re.S).split("\n"), 0
        while self.at < len(self.lines):
            self.block()
        self.body = "\n".join(self.out)

    def block(self):
        line = self.lines[self.at]
        if line.startswith("```"):
            self.code(self.taken(lambda at: not at.startswith("```"), skip=1))
            self.at += 1
        elif not line.strip():
            self.at += 1
        elif re.match(r"#+ ", line):
            self.heading(line)
        elif line.startswith("    "):
            self.code(self.taken(lambda at: at.startswith("    ") or not at.strip(), cut=4))
        elif line.startswith("|"):
            self.table(self.taken(lambda at: at.startswith("|")))
        elif re.match(r"([-*]|\d+\.) ", line):
            self.items(self.taken(lambda at: re.match(r"([-*]|\d+\.) |  +\S", at)))
        else:
            ends = r"#+ |```|\||([-*]|\d+\.) "
            self.out.append(f"<p>{self.inline(' '.join(self.taken(lambda at: at.strip() and not re.match(ends, at), least=1)))}</p>")

    def taken(self, goes_on, skip=0, cut=0, least=0):
        """The lines from here on for which `goes_on` holds, at least `least` of them."""
        self.at += skip
        first = self.at
        while self.at < len(self.lines) and (self.at < first + least or goes_on(self.lines[self.at])):
            self.at += 1
        return [line[cut:] for line in self.lines[first:self.at]]

    def code(self, lines):
        text = "\n".join(lines).rstrip()
        self.note(text)
        self.out.append(f"<pre>{html.escape(text)}</pre>")

    def heading(self, line):
        self.at += 1
        marks, _, title = line.partition(" ")
        text = self.inline(title)
        name = slug(text, self.anchors)
        self.title = self.title or re.sub(r"<[^>]*>", "", text)
        self.sections.append([name, html.unescape(re.sub(r"<[^>]*>", "", text)), ""])
        self.out.append(f'<h{len(marks)} id="{name}">{text}</h{len(marks)}>')

    def table(self, lines):
        rows = [[cell.replace("\0", "|").strip() for cell in line.replace("\\|", "\0").strip().strip("|").split("|")] for line in lines]
        # A narrow window gives columns of text a width, and scrolls the table.
        shown = [[re.sub(r"\]\([^)]*\)", "", cell) for cell in row] for row in rows]
        wide = [len(rows[0]) > 2 and any(len(row) > at and len(row[at]) > TEXT for row in shown) for at in range(len(rows[0]))]
        self.out.append("<table>")
        for number, row in enumerate(rows):
            if number == 1 and all(re.fullmatch(r":?-+:?", cell) for cell in row):
                continue
            tag = "td" if number else "th"
            cells = [NUMBER.sub("&nbsp;", self.inline(cell)) for cell in row]
            if number and row[0].startswith("**") and not any(row[1:]):
                self.out.append(f'<tr><td colspan="{len(row)}">{cells[0]}</td></tr>')
                continue
            self.out.append("<tr>" + "".join(f"<{tag}{' class=text' * (at < len(wide) and wide[at])}>{cell}</{tag}>"
                                             for at, cell in enumerate(cells)) + "</tr>")
        self.out.append("</table>")

    def items(self, lines):
        kind = "ol" if lines[0][0].isdigit() else "ul"
        found = []
        for line in lines:
            mark = re.match(r"([-*]|\d+\.) (.*)", line)
            if mark:
                found.append(mark.group(2))
            else:
                found[-1] += " " + line.strip()
        self.out.append(f"<{kind}>" + "".join(f"<li>{self.inline(item)}</li>" for item in found) + f"</{kind}>")

    def note(self, text):
        if self.sections:
            self.sections[-1][2] += " " + text

    def inline(self, text):
        self.note(re.sub(r"\]\([^)]*\)|[`*]", "", text))
        kept = []

        def keep(piece):
            kept.append(piece)
            return f"\0{len(kept) - 1}\0"

        text = re.sub(r"`([^`]+)`", lambda m: keep(code(m.group(1))), text)
        text = re.sub(r"<br>|&nbsp;|<https?://[^>]+>", lambda m: keep(m.group(0) if m.group(0)[1] in "bn" else html.escape(m.group(0))), text)
        text = html.escape(text, quote=False)
        text = re.sub(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", lambda m: keep(self.link(*m.groups())) if m.group(1) else
                      self.opened(m.group(3), keep) + m.group(2).removesuffix(".md") + keep("</a>"), text)
        text = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text)
        text = re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"<i>\1</i>", text)
        while "\0" in text:
            text = re.sub(r"\0(\d+)\0", lambda m: kept[int(m.group(1))], text)
        return text

    def opened(self, target, keep):
        return keep(f'<a href="{self.target(target)}">')

    def link(self, _, words, target):
        place = self.target(target)
        return f'<a href="{place}"><img src="{place}" alt="{html.escape(words)}"></a>'

    def target(self, link):
        if "://" in link:
            return link
        place, _, anchor = link.partition("#")
        self.links.append((place, anchor))
        return re.sub(r"\.md$", ".html", place) + ("#" + anchor if anchor else "")


class Site:
    """All pages by their path in the source tree; `files` are copied, `wrong` says what is."""

    def __init__(self, root):
        self.root, self.pages, self.files, self.wrong = root, {}, set(), []
        ahead = ["README.md"] + [os.path.relpath(os.path.join(folder, name), root)
                                 for folder, _, names in os.walk(os.path.join(root, "docs")) for name in sorted(names)
                                 if name.endswith(".md")]
        while ahead:
            path = ahead.pop(0)
            if path in self.pages:
                continue
            with open(os.path.join(root, path), encoding="utf-8") as file:
                self.pages[path] = Page(file.read())
            ahead += [to for to, _ in self.targets(path) if to.endswith(".md") and os.path.isfile(os.path.join(root, to))]
        for path in self.pages:
            self.check(path)
        # In the order of the index's tables of all pages, which begin with start; then those that it does not name.
        index = [to for to, _ in self.targets("docs/README.md")]
        start = max((i for i, to in enumerate(index) if to == "docs/guide/start.md"), default=0)
        tables = index[start:]
        self.in_order = sorted(self.pages, key=lambda path: (tables.index(path) if path in tables else len(tables), path))

    def targets(self, path):
        return [(os.path.normpath(os.path.join(os.path.dirname(path), place)) if place else path, anchor)
                for place, anchor in self.pages[path].links]

    def check(self, path):
        for to, anchor in self.targets(path):
            if not os.path.exists(os.path.join(self.root, to)):
                self.wrong.append(f"{path}: {to}: no such file")
            elif to in self.pages:
                known = [section[0] for section in self.pages[to].sections]
                if anchor and anchor not in known:
                    self.wrong.append(f"{path}: {to}#{anchor}: no such heading, expected one of {', '.join(known)}")
            elif os.path.isfile(os.path.join(self.root, to)):
                self.files.add(to)
            else:
                self.wrong.append(f"{path}: {to}: a folder, expected a file")

    def navigation(self, top, here):
        """Search and list of all pages; a narrow window shows the list behind a word."""
        text = '<input id="search" placeholder="search" aria-label="search"><ul id="found"></ul>\n'
        text += '<input type="checkbox" id="menu"><label for="menu">all pages</label>\n<div id="pages"><ul>'
        for path, name in FIRST:
            text += self.entry(top, path, name, here) if path in self.pages else ""
        text += "</ul>"
        for folder in FOLDERS:
            text += f"<b>{os.path.basename(folder)}</b><ul>"
            for path in self.in_order:
                if os.path.dirname(path) == f"docs/{folder}":
                    text += self.entry(top, path, short_title(self.pages[path].title), here)
            text += "</ul>"
        return text + "</div>"

    def entry(self, top, path, name, here):
        return f'<li><a href="{top}{path[:-3]}.html"{" aria-current=page" if path == here else ""}>{name}</a></li>'

    def write(self, folder):
        sections = [[path[:-3] + ".html#" + name, page.title, title, text[:4000]]
                    for path, page in sorted(self.pages.items()) for name, title, text in page.sections]
        put(folder, "search.js", "const SECTIONS = " + json.dumps(sections, ensure_ascii=False) + ";\n" + SEARCH)
        put(folder, "style.css", STYLE)
        for path, page in self.pages.items():
            top = "../" * path.count("/")
            body, kind = (in_sections(page.body), ' class="gallery"') if path == GALLERY else (page.body, "")
            text = (f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{page.title}</title>'
                    f'<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="{top}style.css">\n'
                    f'<body data-top="{top}"><nav>{self.navigation(top, path)}</nav>\n<main{kind}>\n{body}\n</main>\n'
                    f'<script src="{top}search.js"></script></body></html>\n')
            for name in [path[:-3] + ".html"] + ["index.html"] * (path == FRONT):
                put(folder, name, text)
        for path in self.files:
            os.makedirs(os.path.dirname(os.path.join(folder, path)) or ".", exist_ok=True)
            shutil.copyfile(os.path.join(self.root, path), os.path.join(folder, path))


def in_sections(body):
    """A page whose parts are beside each other: each heading of the second level begins one."""
    head, *parts = re.split(r"^(?=<h2 )", body, flags=re.M)
    return head + "".join(f"<section>\n{part}</section>\n" for part in parts)


def put(folder, path, text):
    os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
    with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
        file.write(text)


def main():
    if len(sys.argv) != 3:
        print("site.py: expected SOURCE-ROOT FOLDER", file=sys.stderr)
        return 2
    site = Site(sys.argv[1])
    for line in site.wrong:
        print(f"site.py: {line}", file=sys.stderr)
    site.write(sys.argv[2])
    return 1 if site.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
