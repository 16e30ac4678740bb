/* ---- links, keys, copies ---- */
/*
 * The address of a part is its path; behind "~" it has the filter of its table: #functions~main. What shows a table
 * registers itself in `shownTables`: {path, table, show(text): filters it, box}.
 */
const shownTables = new Map();

/* The part of the page at a path like "energy.units", opened; undefined: the page has none. */
function openPart(path) {
  const part = document.getElementById(path.split(".")[0]);
  if (part && part.tagName === "DETAILS") {
    part.open = true;
    part.dispatchEvent(new Event("toggle"));
  }
  return document.getElementById(path) || part;
}

function addressOf(path, text) {
  return "#" + path + (text ? "~" + encodeURIComponent(text) : "");
}

/* Opens the part that the address names, and filters its table. */
function goTo(address) {
  const [path, text] = address.replace(/^#/, "").split("~");
  const part = path && openPart(path);
  if (!part) return;
  if (text !== undefined && shownTables.has(path)) shownTables.get(path).show(decodeURIComponent(text));
  part.scrollIntoView();
}

/* Notes the filter of a table in the address, without a step back in the history for each letter. */
function noteFilter(path, text) {
  try { history.replaceState(null, "", addressOf(path, text)); } catch (error) { /* a page without an address of its own */ }
}

/* Where a function or loop is shown by instruction or line: the first table that has rows of it, or null. */
function shownBy(place) {
  const groups = report.filter(item => /^core\d+$/.test(item.n)).map(item => item.n + ".").concat("");
  for (const path of groups.flatMap(group => ["annotate_source", "annotate", "hot_loops", "loops"].map(name => group + name))) {
    const table = find(path), at = table && table.c ? table.c.findIndex(([name]) => name === "place") : -1;
    if (at >= 0 && table.r.some(row => row[at] === place || String(row[at]).startsWith(place + "+"))) return path;
  }
  return null;
}

/* The name of a function or loop of the table at `path`, as a link to its lines or instructions. */
function placeLink(path, name) {
  const to = /(^|\.)(functions|loops)$/.test(path) ? shownBy(name) : null;
  return to && to !== path ? element("a", {href: addressOf(to, name), title: "show " + words(to)}, name) : name;
}

/* A table as CSV: names with units in the first line. */
function csvOf(table, rows) {
  const cell = value => value === null || value === undefined ? "" : /[",\n]/.test(value) ? `"${String(value).replace(/"/g, '""')}"` : String(value);
  return [table.c.map(([name, unit]) => cell(unit ? `${name} [${unit}]` : name)), ...rows.map(row => row.map(cell))].map(line => line.join(",")).join("\n") + "\n";
}

/* Copies a text; a page of a file may lack the clipboard, then from a field. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch (error) {
    const field = element("textarea", {});
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

/* A button that copies the rows which `rows` returns. */
function copyButton(table, rows) {
  const made = element("button", {class: "copy", title: "copy the rows as CSV, with units", onclick: async () => {
    await copyText(csvOf(table, rows()));
    made.textContent = "copied";
    setTimeout(() => { made.textContent = "copy"; }, 1500);
  }}, "copy");
  return made;
}

/* Makes an element that has a click usable by keyboard. */
function withKeys(made) {
  made.tabIndex = 0;
  made.addEventListener("keydown", event => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    made.click();
  });
  return made;
}

/* ---- keys of the page ---- */
const KEYS = [
  ["/", "filter the table in view", () => firstInView("main input[type=search]")?.focus()],
  ["j", "next part", () => step(1)],
  ["k", "part before", () => step(-1)],
  ["t", "dark or light", () => otherTheme()],
  ["0", "the whole run over time", () => showSpan(null)],
  ["?", "show these keys", () => document.getElementById("keys").toggleAttribute("hidden")],
];

function firstInView(selector) {
  const all = [...document.querySelectorAll(selector)];
  return all.find(item => item.offsetParent && item.getBoundingClientRect().top >= 0) || all[0];
}

/* Goes to the next part of the page or the one before. */
function step(by) {
  const parts = [...document.querySelectorAll("main > details")], at = parts.findLastIndex(part => part.getBoundingClientRect().top < 5);
  const part = parts[Math.max(0, Math.min(parts.length - 1, at + by))];
  if (!part) return;
  part.scrollIntoView();
  part.querySelector("summary").focus({preventScroll: true});
}

function keysHelp() {
  return element("table", {id: "keys", hidden: ""}, element("tbody", {}, ...KEYS.map(([key, meaning]) =>
    element("tr", {}, element("td", {}, element("kbd", {}, key)), element("td", {class: "meaning"}, meaning)))));
}

function onKey(event) {
  const field = event.target.closest && event.target.closest("input, select, textarea");
  if (field && event.key === "Escape") field.blur();
  if (field || event.ctrlKey || event.metaKey || event.altKey) return;
  const row = KEYS.find(([key]) => key === event.key);
  if (!row) return;
  event.preventDefault();
  row[2]();
}

/* ---- values under the pointer ---- */
/* Shows, over a picture over time, all values of the row that is nearest to the pointer. */
function withValues(picture, table, rows, ys, axis, toX) {
  const line = element("line", {class: "axis", y1: BOX.top, y2: BOX.bottom, visibility: "hidden"}), tip = document.getElementById("tip");
  picture.append(line);
  picture.addEventListener("pointermove", event => {
    const box = picture.getBoundingClientRect(), at = axis.from + ((event.clientX - box.left) / box.width * WIDTH - BOX.left) / (BOX.right - BOX.left) * (axis.to - axis.from);
    const row = rows.reduce((best, candidate) => Math.abs(candidate[0] - at) < Math.abs(best[0] - at) ? candidate : best, rows[0]);
    if (!row || at < axis.from || at > axis.to) return;
    line.setAttribute("x1", toX(row[0]));
    line.setAttribute("x2", toX(row[0]));
    line.setAttribute("visibility", "visible");
    showTip(event, [[0, row[0]], ...ys.map(y => [y, row[y]])].map(([y, value]) => `${words(...table.c[y])}: ${brief(value, table.c[y][1])}`).join("\n"));
  });
  picture.addEventListener("pointerleave", () => { line.setAttribute("visibility", "hidden"); tip.hidden = true; });
  return picture;
}
