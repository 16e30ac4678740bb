/* The report as a page. Items are described in report_html.c. */

/* ---- elements ---- */
const SVG = "http://www.w3.org/2000/svg";
/* COLOUR, CURVES, PARTS and RAMP are those of colours.h. */
const COLOURS = [...CURVES, COLOUR.GREY];

function element(tag, attributes = {}, ...children) {
  const svg = ["svg", "g", "rect", "path", "line", "circle", "text", "tspan", "clipPath"].includes(tag);
  const made = svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== false && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
}

/* A text that follows the pointer while it is over `mark`. */
function withTip(mark, text) {
  mark.addEventListener("pointermove", event => showTip(event, text));
  mark.addEventListener("pointerleave", () => { document.getElementById("tip").hidden = true; });
  return mark;
}

/* Shows a text beside the pointer. */
function showTip(event, text) {
  const tip = document.getElementById("tip");
  tip.hidden = false;
  tip.textContent = text;
  tip.style.left = Math.max(0, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)) + "px";
  tip.style.top = Math.max(0, Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)) + "px";
}

/* ---- items of the report ---- */
/* Columns of texts that are all numbers become numbers: a study's parameters. */
function readNumbers(items) {
  for (const item of items) {
    if (item.i) readNumbers(item.i);
    for (const [at] of (item.c || []).entries())
      if (item.r.length && item.r.every(row => /^-?\d+(\.\d+)?$/.test(row[at])))
        item.r.forEach(row => { row[at] = Number(row[at]); });
  }
}

/* The item at a path like "energy.units" of this report or another one, or undefined. */
function find(path, within = report) {
  let items = within, item;
  for (const name of path.split(".")) {
    item = (items || []).find(candidate => candidate.n === name);
    if (!item) return undefined;
    items = item.i;
  }
  return item;
}

function valueOf(path, within) {
  const item = find(path, within);
  return item && item.v;
}

/* A table's rows as objects. */
function objectsOf(table) {
  return table.r.map(cells => Object.fromEntries(table.c.map(([name], i) => [name, cells[i]])));
}

function rowsOf(path, within) {
  const table = find(path, within);
  return table && table.r ? objectsOf(table) : [];
}

/* A name in words, without the unit that it ends in. */
function words(name, unit = "") {
  if (name.includes(".")) return name; /* a parameter, as it is typed */
  const ending = {J: "_j", W: "_w", mm2: "_mm2", "J s": "_js"}[unit];
  return (ending && name.endsWith(ending) ? name.slice(0, -ending.length) : name).replace(/_/g, " ");
}

/* Names of figures in titles of pictures and over them. */
const TITLES = {
  ipc: "instructions per cycle", cpi: "cycles per instruction", gflops: "floating-point rate", seconds: "time", system_j: "energy with memory",
  energy_j: "energy of core and L2", memory_j: "energy of memory", area_mm2: "area", power_w: "power", energy_delay_js: "energy \u00d7 time",
  branch_mpki: "mispredictions", l1d_mpki: "L1D misses", l2_mpki: "L2 misses", l1i: "L1I", l1d: "L1D", l2: "L2", front: "on the front:",
  series_power: "power", series_throughput: "throughput", series_busy: "links in use",
  parts: "commit slots", structures: "entries in use", power: "power", misses: "misses", rates: "instructions per cycle",
};

/* A figure's title: in words, without its unit. That of a system is all its energy. */
function titled(name, unit = "") {
  if (name === "system_j" && report.some(item => item.c && item.c.some(([column]) => column === "cost"))) return "energy";
  return TITLES[name] ?? words(name, unit);
}

/* The colour of a part of the machine, the same in each picture. */
function partColour(part) {
  return PARTS[part] ?? PARTS.other;
}

/* ---- numbers ---- */
const PREFIXED = /^(s|J|W|J s|B|B\/s|bytes|bytes\/s|flop|flop\/s|V|F)$/;
const PREFIXES = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "\u00b5"], [1e-9, "n"], [1e-12, "p"]];

/* The least and the largest of any number of values. */
function ends(values) {
  let least = Infinity, most = -Infinity;
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
}

/* A unit as it is written: mm\u00b2 for mm2, B/s for bytes/s. */
function unitText(unit) {
  return (unit || "").replace(/\bmm2\b/, "mm\u00b2").replace(/bytes\/s$/, "B/s").replace(/bytes$/, "B");
}

function plain(value) {
  if (typeof value !== "number") return value === null ? "-" : String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const size = Math.abs(value);
  return size >= 1e6 || size < 1e-4 ? value.toExponential(4) : String(Number(value.toPrecision(6)));
}

/* A number with its unit, with a prefix where the unit takes one. */
function quantity(value, unit) {
  if (typeof value !== "number") return plain(value);
  if (!PREFIXED.test(unit) || !value) return plain(value) + (unit ? " " + unitText(unit) : "");
  const [factor, prefix] = PREFIXES.find(([least]) => Math.abs(value) >= least) || PREFIXES[PREFIXES.length - 1];
  return Number((value / factor).toPrecision(5)) + " " + prefix + unitText(unit);
}

/* The largest absolute value of a column. */
function mostOf(table, at) {
  return table.r.reduce((most, row) => typeof row[at] === "number" ? Math.max(most, Math.abs(row[at])) : most, 0);
}

const SAME_PREFIX = 1000; /* columns of one unit whose largest values differ by less have one prefix */

/* The prefix of a column's unit: that of the largest column of the same unit, unless that is much larger. */
function columnPrefix(table, at) {
  const unit = table.c[at][1], most = mostOf(table, at);
  if (!PREFIXED.test(unit) || !most) return [1, ""];
  const alike = table.c.map((column, i) => column[1] === unit ? mostOf(table, i) : 0).filter(other => other < SAME_PREFIX * most);
  return PREFIXES.find(([least]) => Math.max(most, ...alike) >= least) || PREFIXES[PREFIXES.length - 1];
}

/* A number with as many decimals as five digits need, without exponent while it has less than ten. */
function fiveDigits(value) {
  return Math.abs(value) >= 1e-5 || !value ? String(Number(value.toPrecision(5))) : value.toExponential(3);
}

/* Numbers of a column with as many decimals as the largest needs for five digits, or each its own if they differ much. */
function columnFormat(table, at) {
  const numbers = table.r.map(row => row[at]).filter(cell => typeof cell === "number");
  const most = mostOf(table, at), [factor, prefix] = columnPrefix(table, at), unit = table.c[at][1];
  const sizes = numbers.map(Math.abs).filter(size => size > 0), uneven = most > 1e5 * ends(sizes)[0];
  const whole = factor === 1 && numbers.every(Number.isInteger);
  const decimals = whole ? 0 : Math.max(0, Math.min(12, 4 - Math.floor(Math.log10(most / factor || 1))));
  const own = uneven && PREFIXED.test(unit); /* each cell has its prefix */
  const shown = cell => own ? quantity(cell, unit) : uneven && !whole ? fiveDigits(cell) : (cell / factor).toFixed(decimals);
  return {numeric: numbers.length > 0, unit: own ? "" : prefix + unitText(unit), most, text: cell => typeof cell === "number" ? shown(cell) : plain(cell)};
}

