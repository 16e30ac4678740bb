/* The report as a page. Items are described in report_html.c. */

/* ---- elements ---- */
const SVG = "http://www.w3.org/2000/svg";
/* Okabe and Ito's, which colour-blind readers tell apart, and four more */
const COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800", "#7f7f7f", "#8a5ac2", "#3f7f5f"];

function element(tag, attributes = {}, ...children) {
  const svg = ["svg", "g", "rect", "path", "line", "circle", "text"].includes(tag);
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
  const tip = document.getElementById("tip");
  mark.addEventListener("pointermove", event => {
    tip.hidden = false;
    tip.textContent = text;
    tip.style.left = Math.max(0, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = Math.max(0, Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)) + "px";
  });
  mark.addEventListener("pointerleave", () => { tip.hidden = true; });
  return mark;
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

/* The item at a path like "energy.units", or undefined. */
function find(path) {
  let items = report, item;
  for (const name of path.split(".")) {
    item = (items || []).find(candidate => candidate.n === name);
    if (!item) return undefined;
    items = item.i;
  }
  return item;
}

function valueOf(path) {
  const item = find(path);
  return item && item.v;
}

/* A table's rows as objects. */
function rowsOf(path) {
  const table = find(path);
  if (!table || !table.r) return [];
  return table.r.map(cells => Object.fromEntries(table.c.map(([name], i) => [name, cells[i]])));
}

/* A name in words, without the unit that it ends in. */
function words(name, unit = "") {
  const ending = {J: "_j", W: "_w", mm2: "_mm2", "J s": "_js"}[unit];
  return (ending && name.endsWith(ending) ? name.slice(0, -ending.length) : name).replace(/_/g, " ");
}

/* The colour of a part of the machine, the same in each picture. */
function partColour(part) {
  const parts = {used: 2, memory: 5, array: 0, execution: 4, load_store: 8, fetch: 1, prediction: 3, serial: 7};
  return COLOURS[parts[part] ?? 9];
}

/* ---- numbers ---- */
const PREFIXED = /^(s|J|W|J s|B|B\/s|flop|V|F)$/;
const PREFIXES = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "u"], [1e-9, "n"], [1e-12, "p"]];

/* The least and the largest of any number of values. */
function ends(values) {
  let least = Infinity, most = -Infinity;
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
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
  if (!PREFIXED.test(unit) || !value) return plain(value) + (unit ? " " + unit : "");
  const [factor, prefix] = PREFIXES.find(([least]) => Math.abs(value) >= least) || PREFIXES[PREFIXES.length - 1];
  return Number((value / factor).toPrecision(5)) + " " + prefix + unit;
}

/* Numbers of a column with as many decimals as the largest needs for five digits, or each its own if they differ much. */
function columnFormat(table, at) {
  const numbers = table.r.map(row => row[at]).filter(cell => typeof cell === "number");
  const most = numbers.reduce((so_far, number) => Math.max(so_far, Math.abs(number)), 0);
  const unit = table.c[at][1];
  const [factor, prefix] = PREFIXED.test(unit) && most
    ? PREFIXES.find(([least]) => most >= least) || PREFIXES[PREFIXES.length - 1] : [1, ""];
  const sizes = numbers.map(Math.abs).filter(size => size > 0), uneven = most > 1e5 * ends(sizes)[0];
  const whole = factor === 1 && numbers.every(Number.isInteger);
  const decimals = whole ? 0 : Math.max(0, Math.min(12, 4 - Math.floor(Math.log10(most / factor || 1))));
  return {
    numeric: numbers.length > 0, unit: prefix + unit, most,
    text: cell => typeof cell === "number" && !(uneven && !whole) ? (cell / factor).toFixed(decimals) : plain(typeof cell === "number" ? cell / factor : cell),
  };
}

/* ---- pictures ---- */
/* Round values from 0 or `from` to `to`, about `count` of them. */
function ticks(from, to, count) {
  const raw = (to - from) / count || 1, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(candidate => candidate >= raw);
  const all = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; i++) all.push(i * step);
  return all;
}

function powers(from, to) {
  const all = [];
  for (let p = Math.floor(Math.log10(from)); p <= Math.ceil(Math.log10(to)); p++) all.push(10 ** p);
  return all;
}

function shorten(text, most) {
  return text.length > most ? text.slice(0, most - 1) + "\u2026" : text;
}

/* One bar of all parts, and their legend. */
function stackedBar(parts) {
  const width = 900, total = parts.reduce((sum, part) => sum + part.value, 0) || 1;
  const picture = element("svg", {viewBox: `0 0 ${width} 44`, width, role: "img"});
  const legend = element("div", {class: "legend"});
  let x = 0;
  parts.forEach(part => {
    const share = part.value / total, colour = part.colour;
    if (!part.value) return;
    picture.append(withTip(element("rect", {class: "mark", x, y: 4, width: Math.max(share * width - 1, .5), height: 36, fill: colour}),
      `${part.name}: ${(100 * share).toFixed(2)} %\n${part.meaning || ""}`));
    x += share * width;
    legend.append(element("span", {title: part.meaning || ""}, element("i", {style: `background:${colour}`}),
      `${words(part.name)} ${(100 * share).toFixed(1)} %`));
  });
  return element("div", {}, picture, legend);
}

/* A bar a row, longest first. */
function bars(entries, format) {
  const shown = entries.filter(entry => entry.value > 0).sort((a, b) => b.value - a.value).slice(0, 40);
  const row = 20, left = 210, width = 900, most = shown.length ? shown[0].value : 1;
  const picture = element("svg", {viewBox: `0 0 ${width} ${shown.length * row + 4}`, width, role: "img"});
  shown.forEach((entry, i) => {
    const length = Math.max(1, entry.value / most * (width - left - 120));
    picture.append(
      element("text", {x: left - 8, y: i * row + 15, "text-anchor": "end"}, shorten(entry.name, 30)),
      withTip(element("rect", {class: "mark", x: left, y: i * row + 3, width: length, height: row - 6, rx: 2,
        fill: entry.colour || COLOURS[0]}), `${entry.name}: ${format(entry.value)}\n${entry.meaning || ""}`),
      element("text", {class: "quiet", x: left + length + 6, y: i * row + 15}, format(entry.value)));
  });
  return shown.length ? picture : element("p", {class: "quiet"}, "All values are 0.");
}

/* The factor and the unit in which an axis shows its numbers. */
function axisUnit(axis) {
  const most = Math.max(Math.abs(axis.from), Math.abs(axis.to));
  if (axis.log || !PREFIXED.test(axis.unit || "") || !most) return [1, axis.unit];
  const [factor, prefix] = PREFIXES.find(([least]) => most >= least) || PREFIXES[PREFIXES.length - 1];
  return [factor, prefix + axis.unit];
}

/* A frame with axes; gives functions from values to places. Axes: {from, to, log, name, unit}. */
function frame(picture, box, x, y) {
  const [factorX, unitX] = axisUnit(x), [factorY, unitY] = axisUnit(y);
  const title = (axis, unit) => [axis.name, unit && (axis.name ? `[${unit}]` : unit)].filter(Boolean).join(" ");
  const scale = (axis, low, high) => value => {
    const [v, a, b] = axis.log ? [value, axis.from, axis.to].map(Math.log10) : [value, axis.from, axis.to];
    return low + (v - a) / (b - a || 1) * (high - low);
  };
  const toX = scale(x, box.left, box.right), toY = scale(y, box.bottom, box.top);
  const marks = axis => (axis.log ? powers(axis.from, axis.to) : ticks(axis.from, axis.to, 6))
    .filter(value => value >= axis.from * (1 - 1e-9) && value <= axis.to * (1 + 1e-9));
  for (const value of marks(x))
    picture.append(element("line", {class: "grid", x1: toX(value), x2: toX(value), y1: box.top, y2: box.bottom}),
      element("text", {class: "quiet", x: toX(value), y: box.bottom + 16, "text-anchor": "middle"}, plain(Number((value / factorX).toPrecision(6)))));
  for (const value of marks(y))
    picture.append(element("line", {class: "grid", x1: box.left, x2: box.right, y1: toY(value), y2: toY(value)}),
      element("text", {class: "quiet", x: box.left - 6, y: toY(value) + 4, "text-anchor": "end"}, plain(Number((value / factorY).toPrecision(6)))));
  picture.append(
    element("path", {class: "axis", d: `M${box.left} ${box.top}V${box.bottom}H${box.right}`}),
    element("text", {x: (box.left + box.right) / 2, y: box.bottom + 36, "text-anchor": "middle"}, title(x, unitX)),
    element("text", {x: box.left, y: box.top - 8}, title(y, unitY)));
  return [toX, toY];
}

function range(values) {
  let [from, to] = ends(values);
  if (from > 0 && from < to / 2) from = 0;
  return from === to ? {from: from - 1, to: to + 1} : {from, to};
}

const BOX = {left: 80, right: 860, top: 26, bottom: 330};

function titleOf([name, unit]) {
  return words(name, unit) + (unit ? ` [${unit}]` : "");
}

function axisOf([name, unit]) {
  return {name: words(name, unit), unit};
}

/* Numbers of a column as colours from blue to yellow; texts as one colour each. */
function rowColours(table, rows, at) {
  if (at === undefined || at < 0) return () => COLOURS[0];
  const cells = table.r.map(row => row[at]), texts = [...new Set(cells)];
  if (cells.some(cell => typeof cell !== "number")) return row => COLOURS[texts.indexOf(row[at]) % COLOURS.length];
  const [least, most] = ends(cells);
  return row => `hsl(${240 - 190 * (row[at] - least) / (most - least || 1)} 75% ${40 + 15 * (row[at] - least) / (most - least || 1)}%)`;
}

/* What the colours of a picture are for: the values of a column, if they are few, or its ends. */
function colourLegend(table, at, colour) {
  if (at === undefined || at < 0) return null;
  const order = (a, b) => typeof a[at] === "number" ? a[at] - b[at] : String(a[at]).localeCompare(String(b[at]));
  const rows = [...new Map(table.r.map(row => [row[at], row])).values()].sort(order);
  const shown = rows.length <= 10 ? rows : [rows[0], rows[rows.length >> 1], rows[rows.length - 1]];
  return element("div", {class: "legend"}, ...shown.map(row => element("span", {},
    element("i", {style: `background:${colour(row)}`}), `${words(...table.c[at])} ${quantity(row[at], table.c[at][1])}`)));
}

const POINTS_AT_ONCE = 4000;

/* A circle a row: column `x` by column `y`, coloured by column `z`, with all cells as its tip. */
function scatter(table, rows, x, y, z) {
  const picture = element("svg", {viewBox: "0 0 900 380", width: 900, role: "img"});
  const shown = rows.filter(row => typeof row[x] === "number" && typeof row[y] === "number");
  const colour = rowColours(table, rows, z);
  const [toX, toY] = frame(picture, BOX, {...range(shown.map(row => row[x])), ...axisOf(table.c[x])},
    {...range(shown.map(row => row[y])), ...axisOf(table.c[y])});
  const step = Math.ceil(shown.length / POINTS_AT_ONCE);
  if (step > 1)
    picture.append(element("text", {class: "quiet", x: BOX.right, y: BOX.top - 8, "text-anchor": "end"}, `1 of ${step} of ${shown.length} rows: filter for more`));
  for (const row of shown.filter((candidate, n) => n % step === 0))
    picture.append(withTip(element("circle", {class: "mark", cx: toX(row[x]), cy: toY(row[y]), r: 4.5, fill: colour(row), "fill-opacity": .8}),
      table.c.map(([name, unit], i) => `${words(name, unit)}: ${quantity(row[i], unit)}`).join("\n")));
  return element("div", {}, picture, colourLegend(table, z, colour));
}

/* The part of the run that is shown, [from, to] in the unit of the first column, or null; and what draws itself anew for it. */
let shownSpan = null;
const spanned = [];

function inSpan(rows) {
  const inside = shownSpan ? rows.filter(row => row[0] >= shownSpan[0] && row[0] <= shownSpan[1]) : rows;
  return inside.length > 1 ? inside : rows;
}

/* Dragging over a picture selects the part of the run that all pictures over time show; a double click shows all. */
function selectable(picture, axis) {
  const place = event => {
    const box = picture.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * 900;
    return axis.from + (x - BOX.left) / (BOX.right - BOX.left) * (axis.to - axis.from);
  };
  let start = null;
  const show = span => { shownSpan = span; spanned.forEach(redraw => redraw()); };
  picture.addEventListener("pointerdown", event => { start = place(event); event.preventDefault(); });
  picture.addEventListener("pointerup", event => {
    const ends = [start, place(event)].sort((a, b) => a - b);
    if (start !== null && ends[1] - ends[0] > (axis.to - axis.from) / 100) show(ends);
    start = null;
  });
  picture.addEventListener("dblclick", () => show(null));
  picture.append(element("text", {class: "quiet", x: BOX.right, y: BOX.top - 8, "text-anchor": "end"},
    shownSpan ? "double click: the whole run" : "drag: a part of the run"));
  return picture;
}

/* The columns with the largest means, in their order. */
function largest(table, columns, most) {
  const sum = at => table.r.reduce((total, row) => total + (typeof row[at] === "number" ? row[at] : 0), 0);
  const kept = [...columns].sort((a, b) => sum(b) - sum(a)).slice(0, most);
  return columns.filter(at => kept.includes(at));
}

function legendOf(table, columns, colours) {
  return element("div", {class: "legend"}, ...columns.map((at, i) =>
    element("span", {}, element("i", {style: `background:${colours[i]}`}), words(...table.c[at]))));
}

/* A curve for each of the columns `ys` over the first one. */
function curves(table, rows, ys) {
  const picture = element("svg", {viewBox: "0 0 900 380", width: 900, role: "img"}), shown = inSpan(rows);
  const units = new Set(ys.map(y => table.c[y][1])), axis = {...range(shown.map(row => row[0])), ...axisOf(table.c[0])};
  const values = shown.flatMap(row => ys.map(y => row[y])).filter(cell => typeof cell === "number");
  if (!shownSpan) axis.from = Math.min(axis.from, 0);
  const [toX, toY] = frame(picture, BOX, axis, {...range(values.concat(0)), name: units.size === 1 ? "" : "each in its unit", unit: units.size === 1 ? [...units][0] : ""});
  ys.forEach((y, i) => {
    const points = shown.filter(row => typeof row[y] === "number").map(row => `${toX(row[0]).toFixed(1)} ${toY(row[y]).toFixed(1)}`);
    picture.append(withTip(element("path", {class: "mark", d: "M" + points.join("L"), fill: "none", stroke: COLOURS[i % COLOURS.length], "stroke-width": 1.8}),
      titleOf(table.c[y])));
  });
  return element("div", {}, selectable(picture, axis), legendOf(table, ys, ys.map((y, i) => COLOURS[i % COLOURS.length])));
}

/* Shares that add up to 100 %, one above the other. */
function areas(table, rows, ys) {
  const picture = element("svg", {viewBox: "0 0 900 380", width: 900, role: "img"}), shown = inSpan(rows);
  const axis = {...range(shown.map(row => row[0])), ...axisOf(table.c[0])};
  if (!shownSpan) axis.from = Math.min(axis.from, 0);
  const [toX, toY] = frame(picture, BOX, axis, {from: 0, to: 100, unit: "%"});
  const floor = shown.map(() => 0), colours = ys.map(y => partColour(table.c[y][0]));
  ys.forEach((y, i) => {
    const below = shown.map((row, n) => `${toX(row[0]).toFixed(1)} ${toY(floor[n]).toFixed(1)}`).reverse();
    shown.forEach((row, n) => { floor[n] += row[y]; });
    const above = shown.map((row, n) => `${toX(row[0]).toFixed(1)} ${toY(floor[n]).toFixed(1)}`);
    picture.append(withTip(element("path", {class: "mark", d: `M${above.join("L")}L${below.join("L")}Z`, fill: colours[i]}), titleOf(table.c[y])));
  });
  return element("div", {}, selectable(picture, axis), legendOf(table, ys, colours));
}

/* ---- tables ---- */
const ROWS_AT_ONCE = 200;

/* Rows that contain all words of the filter. A word like ipc>1.5 compares a column. */
function filtered(table, rows, text) {
  const tests = text.toLowerCase().split(/\s+/).filter(Boolean).map(word => {
    const compare = word.match(/^(\w+)(<=|>=|=|<|>)(-?[\d.e+-]+)$/);
    const at = compare ? table.c.findIndex(([name]) => name.toLowerCase() === compare[1]) : -1;
    if (at < 0) return row => row.some(cell => String(cell).toLowerCase().includes(word));
    const limit = Number(compare[3]);
    return row => ({"<": row[at] < limit, ">": row[at] > limit, "<=": row[at] <= limit, ">=": row[at] >= limit, "=": row[at] === limit})[compare[2]];
  });
  return rows.filter(row => tests.every(test => test(row)));
}

function sorted(rows, at, down) {
  if (at === null) return rows;
  const order = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", {numeric: true});
  return [...rows].sort((a, b) => down ? order(b[at], a[at]) : order(a[at], b[at]));
}

/* The cells of a row; a share has a bar behind it as long as the share of the largest. */
function cellsOf(table, formats, row) {
  return row.map((cell, i) => {
    const [name, unit] = table.c[i], format = formats[i];
    const bar = format.numeric && table.r.length > 2 && (unit === "%" || name === "energy" || name === "cycles") && format.most > 0 && cell > 0;
    const style = bar ? `background:linear-gradient(to left, var(--bar) ${(100 * cell / format.most).toFixed(1)}%, transparent 0)` : false;
    const kind = format.numeric ? "number" : name === "instruction" || name === "address" ? "code" : name === "meaning" || name === "why" ? "meaning" : false;
    return element("td", {class: kind, style}, format.text(cell));
  });
}

/* Views of a table beside the table itself: name, and a function of the filtered rows that draws. */
function viewsOf(table, path) {
  const numeric = table.c.map((column, i) => i).filter(i => table.r.some(row => typeof row[i] === "number"));
  const share = numeric.find(i => ["share", "energy", "area", "seconds"].includes(table.c[i][0])) ?? numeric[0];
  const views = [];
  const named = table.r.length > 0 && typeof table.r[0][0] === "string";
  const meaning = table.c.findIndex(([name]) => name === "meaning"), part = table.c.findIndex(([name]) => name === "part");
  if (named && share !== undefined && table.r.length > 1)
    views.push(["bars", [share], rows => at => bars(rows.map(row => ({name: row[0], value: row[at[0]], meaning: row[meaning],
      colour: part > 0 ? partColour(row[part]) : undefined})),
      value => quantity(value, table.c[at[0]][1]))]);
  if (numeric.length > 1 && table.r.length > 3) {
    const pick = names => numeric.find(i => names.includes(table.c[i][0]));
    const x = pick(["area_mm2", "area"]) ?? numeric[0], y = pick(["system_j", "energy_j", "seconds", "energy"]) ?? numeric[1];
    const z = table.c.findIndex(([name]) => name === "front");
    views.push(["points", [x, y, z], rows => at => scatter(table, rows, ...at)]);
  }
  const overTime = /^(s|cycles|ps)$/.test(table.c[0][1]) && numeric[0] === 0 && numeric.length > 1 && table.r.length > 2;
  if (overTime)
    views.push(["curves", [], rows => () => curves(table, rows, largest(table, numeric.slice(1), 8))]);
  if (overTime && path.endsWith(".parts"))
    views.push(["areas", [], rows => () => areas(table, rows, numeric.slice(1).filter(at => table.c[at][1] === "%" && table.r.some(row => row[at] > 0)))]);
  const first = path === "cycle_stack" || /^(energy|area)\.(units|stages)$/.test(path) ? "bars"
    : /designs$/.test(path) && numeric.length > 1 && table.r.length > 3 ? "points" : overTime ? views[views.length - 1][0] : "table";
  return {views, first, numeric};
}

/* Selects the column for a place of a picture: x, y, and the colour, which may be none and is any column. */
function columnChoice(table, numeric, chosen, place, change) {
  const select = element("select", {"aria-label": "column", onchange: () => change(place, Number(select.value))});
  const columns = place < 2 ? numeric : [-1, ...table.c.keys()];
  for (const i of columns) {
    const option = element("option", {value: i}, (place === 2 ? "colour: " : "") + (i < 0 ? "one" : titleOf(table.c[i])));
    option.selected = i === chosen;
    select.append(option);
  }
  return select;
}

function tableView(table, path) {
  const formats = table.c.map((column, i) => columnFormat(table, i));
  const {views, first, numeric} = viewsOf(table, path);
  const state = {view: first, text: "", sort: null, down: true, most: ROWS_AT_ONCE, columns: Object.fromEntries(views.map(view => [view[0], [...view[1]]]))};
  const tools = element("div", {class: "tools"}), body = element("div", {class: "scroll"});
  const count = element("span", {class: "quiet"});

  function drawTable(rows) {
    const head = element("tr", {}, ...table.c.map(([name], i) => element("th", {
      class: formats[i].numeric ? "number" : false, scope: "col", title: "sort by this column",
      "aria-sort": state.sort === i ? (state.down ? "descending" : "ascending") : false,
      onclick: () => { state.down = state.sort === i ? !state.down : formats[i].numeric; state.sort = i; draw(); },
    }, words(name) + (state.sort === i ? (state.down ? " \u25be" : " \u25b4") : ""), element("small", {}, formats[i].unit || "\u00a0"))));
    const shown = sorted(rows, state.sort, state.down).slice(0, state.most);
    body.append(element("table", {}, element("thead", {}, head),
      element("tbody", {}, ...shown.map(row => element("tr", {}, ...cellsOf(table, formats, row))))));
    if (shown.length < rows.length)
      body.append(element("button", {onclick: () => { state.most *= 10; draw(); }}, `${rows.length - shown.length} more rows`));
  }

  function draw() {
    const rows = filtered(table, table.r, state.text);
    const view = views.find(([name]) => name === state.view);
    count.textContent = state.text ? `${rows.length} of ${table.r.length} rows` : "";
    body.replaceChildren();
    tools.querySelectorAll("button").forEach(button => button.setAttribute("aria-pressed", button.textContent === state.view));
    tools.querySelectorAll("select").forEach(select => select.remove());
    if (!view) { drawTable(rows); return; }
    const at = state.columns[state.view];
    at.forEach((chosen, place) => tools.append(columnChoice(table, numeric, chosen, place, (where, column) => { at[where] = column; draw(); })));
    body.append(view[2](rows)(at));
  }

  if (views.length)
    for (const name of ["table", ...views.map(([view]) => view)])
      tools.append(element("button", {onclick: () => { state.view = name; draw(); }}, name));
  if (table.r.length > 8) {
    const input = element("input", {type: "search", placeholder: "filter: words, ipc>1.5", "aria-label": "filter",
      oninput: () => { state.text = input.value; draw(); }});
    tools.append(input, count);
  }
  if (first === "curves" || first === "areas") spanned.push(draw);
  draw();
  return element("div", {}, tools.childNodes.length ? tools : null, body);
}

/* ---- sections ---- */
function valuesView(values) {
  return element("table", {}, element("tbody", {}, ...values.map(item => element("tr", {},
    element("td", {}, words(item.n, item.u)), element("td", {class: typeof item.v === "number" ? "number" : false}, quantity(item.v, item.u)),
    element("td", {class: "meaning"}, item.d)))));
}

function contents(item, path) {
  if (item.c) return [tableView(item, path)];
  const values = item.i.filter(inner => inner.v !== undefined), others = item.i.filter(inner => inner.v === undefined);
  const made = values.length ? [element("div", {class: "scroll"}, valuesView(values))] : [];
  for (const other of others)
    made.push(element("h3", {id: `${path}.${other.n}`}, words(other.n), " ", element("span", {class: "quiet"}, other.d)),
      ...contents(other, `${path}.${other.n}`));
  return made;
}

/* Parts that are shown at first: of psim's long report these, of others all but what was put in. */
const OPEN = ["over_time", "core", "what_if", "cycle_stack", "functions", "loops", "hot_loops", "annotate_source", "annotate", "energy", "regions", "estimate", "chip"];
const CLOSED = ["run", "config", "study", "compared"];

function isOpen(name) {
  return find("cycle_parts") ? OPEN.includes(name) : !CLOSED.includes(name);
}

function section(item) {
  const made = element("details", {id: item.n}, element("summary", {}, element("h2", {}, words(item.n)), element("span", {class: "quiet"}, item.d)));
  const fill = () => { if (made.open && made.childNodes.length === 1) made.append(...contents(item, item.n)); };
  made.addEventListener("toggle", fill);
  made.open = isOpen(item.n);
  fill();
  return made;
}

/* ---- head of the page ---- */
const TILES = ["core.seconds", "core.ipc", "core.gflops", "core.share_of_peak", "core.energy_j", "core.power_w", "core.area_mm2",
  "program.seconds", "program.compute", "program.wait", "network.seconds", "network.messages", "network.packets", "network.link_busy", "network.message_latency_mean",
  "network.message_latency_max", "study.configurations", "study.points"];

function tileValue(item) {
  const [number, ...unit] = quantity(item.v, item.u).split(" ");
  return element("b", {}, number, " ", element("small", {}, unit.join(" ")));
}

function tiles() {
  const made = TILES.map(find).filter(item => item && item.v !== undefined).map(item =>
    element("div", {class: "tile", title: item.d}, tileValue(item), element("span", {class: "quiet"}, words(item.n, item.u))));
  return made.length ? element("div", {class: "tiles"}, ...made) : null;
}

/* What a user can do about each part of the machine that slots are lost to. */
const ADVICE = {
  prediction: "Branches decide late or irregularly: make them data flow, or enlarge bpred.",
  fetch: "The front end delivers too little: shorter code, fewer taken branches, or a larger L1I.",
  serial: "Serializing instructions and window traps empty the pipeline: fewer calls in depth, fewer barriers.",
  execution: "Operations wait for operations: unroll with several accumulators, or shorten the latency of the operations below.",
  load_store: "L1D hits, bank conflicts or stores are the limit: keep values in registers, use wider accesses.",
  memory: "Lines come from too far: block the loops, fetch ahead, or give memory more bandwidth and the caches more room.",
  array: "The SIMD array is the limit: overlap transfers with arithmetic, deal more work to each PE, or add PEs.",
};

function verdict() {
  const parts = rowsOf("cycle_parts");
  if (!parts.length) return null;
  const causes = rowsOf("cycle_stack"), peak = valueOf("core.share_of_peak");
  const used = parts.find(part => part.part === "used");
  const lost = parts.filter(part => part !== used).sort((a, b) => b.share - a.share);
  const made = [element("p", {}, `${used.share.toFixed(1)} % of the commit slots commit an instruction` +
    (peak > 0 ? `; arithmetic reaches ${peak.toFixed(1)} % of the peak.` : "."))];
  for (const part of lost.slice(0, 2).filter(candidate => candidate.share >= 5)) {
    const cause = causes.filter(row => row.part === part.part).sort((a, b) => b.share - a.share)[0];
    made.push(element("p", {}, element("b", {}, `${part.share.toFixed(1)} % are lost to ${part.part}`), `: ${part.meaning}` +
      (cause ? `; most of all ${cause.cause} (${cause.share.toFixed(1)} %): ${cause.meaning}. ` : ". "), ADVICE[part.part] || ""));
  }
  return element("div", {class: "verdict"}, ...made);
}

/* Peak and memory bandwidth as roofs, and the run as a point below them. */
function roofline() {
  const rate = valueOf("core.gflops"), share = valueOf("core.share_of_peak"), traffic = valueOf("memory.memory_bandwidth");
  const given = /^([\d.]+) *(GB\/s)/.exec(valueOf("config.memory.bandwidth") || "");
  if (!(rate > 0) || !(share > 0) || !(traffic > 0) || !given) return null;
  const unit = find("memory.memory_bandwidth").u === "B/s" ? 1e9 : 1, peak = rate / share * 100;
  const bandwidth = Number(given[1]), intensity = rate / (traffic / unit), ridge = peak / bandwidth;
  const axisX = {from: 10 ** Math.floor(Math.log10(Math.min(intensity, ridge) / 3)), to: 10 ** Math.ceil(Math.log10(Math.max(intensity, ridge) * 3)),
    log: true, name: "arithmetic intensity", unit: "flop a byte of memory"};
  const axisY = {from: 10 ** Math.floor(Math.log10(Math.min(rate, bandwidth * axisX.from))), to: 10 ** Math.ceil(Math.log10(peak * 1.2)), log: true, unit: "GFlop/s"};
  const picture = element("svg", {viewBox: "0 0 900 380", width: 900, role: "img"});
  const [toX, toY] = frame(picture, BOX, axisX, axisY);
  picture.append(
    element("path", {d: `M${toX(axisX.from)} ${toY(bandwidth * axisX.from)}L${toX(ridge)} ${toY(peak)}H${BOX.right}`, fill: "none", stroke: COLOURS[0], "stroke-width": 2}),
    element("text", {x: BOX.right, y: toY(peak) - 6, "text-anchor": "end"}, `peak ${plain(peak)} GFlop/s`),
    element("text", {x: toX(Math.sqrt(axisX.from * ridge)) + 14, y: toY(bandwidth * Math.sqrt(axisX.from * ridge)) + 18}, `memory ${bandwidth} GB/s`),
    withTip(element("circle", {class: "mark", cx: toX(intensity), cy: toY(rate), r: 7, fill: COLOURS[5]}),
      `this run: ${plain(rate)} GFlop/s at ${plain(intensity)} flop/B\nroof there: ${plain(Math.min(peak, bandwidth * intensity))} GFlop/s`));
  return picture;
}

function chapter(id, title, meaning, body) {
  return body && element("details", {id, open: ""}, element("summary", {}, element("h2", {}, title), element("span", {class: "quiet"}, meaning)), body);
}

function otherTheme() {
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = (root.dataset.theme || (dark ? "dark" : "light")) === "dark" ? "light" : "dark";
}

const FIRST = /^over_time$|designs$/;

function start() {
  readNumbers(report);
  const main = document.getElementById("main"), nav = document.getElementById("nav");
  const subject = valueOf("trace.program") || valueOf("program.file") || valueOf("study.title") || valueOf("run.program") || "report";
  const parts = rowsOf("cycle_parts").map(part => ({name: part.part, value: part.slots, meaning: part.meaning,
    colour: partColour(part.part)}));
  document.title = [subject, valueOf("run.program")].filter(Boolean).join(" - ");
  main.append(...[
    element("h1", {}, subject),
    element("div", {class: "quiet command"}, `${valueOf("run.command") || ""}`),
    tiles(), verdict(),
    chapter("parts", "where the time goes", "commit slots by part of the machine", parts.length ? stackedBar(parts) : null),
    chapter("roofline", "roofline", "performance beside what peak and memory allow", roofline()),
    ...report.filter(item => item.i || item.c).sort((a, b) => FIRST.test(b.n) - FIRST.test(a.n)).map(section),
    report.some(item => item.v !== undefined) ? valuesView(report.filter(item => item.v !== undefined)) : null,
  ].filter(Boolean));
  nav.append(element("button", {onclick: otherTheme, title: "dark or light"}, "dark / light"));
  for (const details of main.querySelectorAll("details"))
    nav.append(element("a", {href: "#" + details.id, onclick: () => { details.open = true; }}, details.querySelector("h2").textContent));
  addEventListener("beforeprint", () => { for (const details of main.querySelectorAll("details")) details.open = true; });
}

start();
