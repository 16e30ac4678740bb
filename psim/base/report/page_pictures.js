/* ---- pictures ---- */
/* The room for pictures. In a narrow window they are narrow, rather than as wide as elsewhere with small letters. */
function pictureWidth() {
  const main = document.getElementById("main"), style = getComputedStyle(main);
  return Math.max(320, Math.min(900, Math.floor(main.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight))));
}

/* Set by fitWindow, before anything is drawn. */
let WIDTH, NARROW;
const BOX = {};

function fitWindow() {
  WIDTH = pictureWidth();
  NARROW = WIDTH < 600;
  Object.assign(BOX, {left: NARROW ? 52 : 80, right: WIDTH - (NARROW ? 16 : 40), top: 26, bottom: 330});
}

/* Round values from 0 or `from` to `to`, about `count` of them. */
function ticks(from, to, count) {
  const raw = (to - from) / count || 1, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(candidate => candidate >= raw);
  const all = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; i++) all.push(i * step);
  return all;
}

/* Powers of ten, and where these are few also twice and five times each. */
function powers(from, to) {
  const all = [], few = Math.log10(to / from) < 2.5;
  for (let p = Math.floor(Math.log10(from)); p <= Math.ceil(Math.log10(to)); p++) all.push(...(few ? [1, 2, 5] : [1]).map(factor => factor * 10 ** p));
  return all;
}

function shorten(text, most) {
  return text.length > most ? text.slice(0, most - 1) + "\u2026" : text;
}

/* One bar of all parts, and their legend. */
function stackedBar(parts) {
  const width = WIDTH, total = parts.reduce((sum, part) => sum + part.value, 0) || 1;
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
  const row = 20, left = Math.min(210, Math.round(.4 * WIDTH)), width = WIDTH, most = shown.length ? shown[0].value : 1;
  const picture = element("svg", {viewBox: `0 0 ${width} ${shown.length * row + 4}`, width, role: "img"});
  shown.forEach((entry, i) => {
    const length = Math.max(1, entry.value / most * (width - left - (NARROW ? 85 : 120)));
    picture.append(
      element("text", {x: left - 8, y: i * row + 15, "text-anchor": "end"}, shorten(entry.name, Math.floor(left / 7))),
      withTip(element("rect", {class: "mark", x: left, y: i * row + 3, width: length, height: row - 6, rx: 2,
        fill: entry.colour || COLOURS[0]}), `${entry.name}: ${format(entry.value)}\n${entry.meaning || ""}`),
      element("text", {class: "quiet", x: left + length + 6, y: i * row + 15}, format(Number(entry.value.toPrecision(4)))));
  });
  return shown.length ? picture : element("p", {class: "quiet"}, "All values are 0.");
}

/* A number beside a picture, with four digits. */
function brief(value, unit) {
  if (typeof value !== "number" || Number.isInteger(value)) return quantity(value, unit);
  return quantity(Number(value.toPrecision(4)), unit);
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
  const ownUnits = axis => axis.log && PREFIXED.test(axis.unit || ""); /* each number of a logarithmic axis has its prefix */
  const title = (axis, unit) => [axis.name, !ownUnits(axis) && unit && (axis.name ? `[${unitText(unit)}]` : unitText(unit)), axis.log && "(logarithmic)"].filter(Boolean).join(" ");
  const scale = (axis, low, high) => value => {
    const [v, a, b] = axis.log ? [value, axis.from, axis.to].map(Math.log10) : [value, axis.from, axis.to];
    return low + (v - a) / (b - a || 1) * (high - low);
  };
  const toX = scale(x, box.left, box.right), toY = scale(y, box.bottom, box.top);
  const marks = axis => (axis.log ? powers(axis.from, axis.to) : ticks(axis.from, axis.to, axis === x ? Math.ceil((box.right - box.left) / 130) : 6))
    .filter(value => value >= axis.from * (1 - 1e-9) && value <= axis.to * (1 + 1e-9));
  const text = (axis, value, factor) => ownUnits(axis) ? brief(value, axis.unit) : plain(Number((value / factor).toPrecision(6)));
  for (const value of marks(x))
    picture.append(element("line", {class: "grid", x1: toX(value), x2: toX(value), y1: box.top, y2: box.bottom}),
      element("text", {class: "quiet", x: toX(value), y: box.bottom + 16, "text-anchor": "middle"}, text(x, value, factorX)));
  for (const value of marks(y))
    picture.append(element("line", {class: "grid", x1: box.left, x2: box.right, y1: toY(value), y2: toY(value)}),
      element("text", {class: "quiet", x: box.left - 6, y: toY(value) + 4, "text-anchor": "end"}, text(y, value, factorY)));
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

/* The same with room for marks: an axis ends 4 % beyond its data, but begins at 0 where that is near. */
function roomyRange(values) {
  const {from, to} = range(values), room = .04 * (to - from);
  return {from: from === 0 ? 0 : from - room, to: to + room};
}

function titleOf([name, unit]) {
  return titled(name, unit) + (unit ? ` [${unitText(unit)}]` : "");
}

function axisOf([name, unit]) {
  return {name: titled(name, unit), unit};
}

/* The colours of ordered values. `at` is from 0 to 1. */
function orderedColour(at) {
  const last = RAMP.length - 1, place = last * Math.max(0, Math.min(1, at)), n = Math.min(last - 1, Math.floor(place));
  return "rgb(" + RAMP[n].map((low, c) => Math.round(low + (place - n) * (RAMP[n + 1][c] - low))).join(" ") + ")";
}

/* Numbers of a column as colours from purple to yellow; texts as one colour each. */
function rowColours(table, rows, at) {
  if (at === undefined || at < 0) return () => COLOURS[0];
  const cells = table.r.map(row => row[at]), texts = [...new Set(cells)];
  if (cells.some(cell => typeof cell !== "number")) return row => COLOURS[texts.indexOf(row[at]) % COLOURS.length];
  const [least, most] = ends(cells);
  return row => orderedColour((row[at] - least) / (most - least || 1));
}

/* What the colours of a picture are for: the values of a column, if they are few, or its ends. */
function colourLegend(table, at, colour) {
  if (at === undefined || at < 0) return null;
  const order = (a, b) => typeof a[at] === "number" ? a[at] - b[at] : String(a[at]).localeCompare(String(b[at]));
  const rows = [...new Map(table.r.map(row => [row[at], row])).values()].sort(order);
  const shown = rows.length <= 10 ? rows : [rows[0], rows[rows.length >> 1], rows[rows.length - 1]];
  return element("div", {class: "legend"}, ...shown.map(row => element("span", {},
    element("i", {style: `background:${colour(row)}`}), `${titled(...table.c[at])} ${brief(row[at], table.c[at][1])}`)));
}

const POINTS_AT_ONCE = 4000;

/* Figures of which less is better. */
const LESS_IS_BETTER = /^(seconds|cycles|cpi|power_w|area\w*|\w+_(j|js|mpki))$/;

/* The rows that no other one is as good as in columns x and y, and better in one; in the order of x. */
function frontOf(table, rows, x, y) {
  if (x === y || ![x, y].every(at => LESS_IS_BETTER.test(table.c[at][0]))) return [];
  let least = Infinity;
  return [...rows].sort((a, b) => a[x] - b[x] || a[y] - b[y]).filter(row => row[y] < least && ((least = row[y]), true));
}

/* A radius for each row: the area of its circle grows with column `at`. */
function rowRadii(table, at) {
  if (at === undefined || at < 0) return () => 4.5;
  const most = ends(table.r.map(row => row[at]).filter(cell => typeof cell === "number"))[1];
  return row => most > 0 && row[at] > 0 ? Math.max(2, 14 * Math.sqrt(row[at] / most)) : 2;
}

/* What lines and sizes of points are for. */
function pointsLegend(table, front, x, y, size) {
  const made = element("div", {class: "legend"});
  if (front.length > 1)
    made.append(element("span", {}, element("i", {class: "line"}), `front of ${titled(...table.c[x])} and ${titled(...table.c[y])} alone`));
  if (size >= 0) {
    const most = ends(table.r.map(row => row[size]).filter(cell => typeof cell === "number"))[1];
    made.append(element("span", {}, `area of a circle: ${titled(...table.c[size])}, largest ${brief(most, table.c[size][1])}`));
  }
  return made.childNodes.length ? made : null;
}

/* Names beside points, each above the ones that it would cover. */
function pointNames(picture, named, toX, toY, x, y) {
  const taken = [];
  for (const [row, name] of named) {
    const width = 7 * name.length, left = toX(row[x]) + 8 + width > BOX.right ? toX(row[x]) - 8 - width : toX(row[x]) + 8;
    let line = toY(row[y]) + 4;
    while (taken.some(box => Math.abs(box.line - line) < 14 && box.left < left + width && left < box.left + box.width)) line -= 14;
    taken.push({left, line, width});
    picture.append(element("text", {class: "halo", x: left, y: line}, name), element("circle", {class: "axis", cx: toX(row[x]), cy: toY(row[y]), r: 7}));
  }
}

/*
 * A circle a row: column `x` by column `y`, coloured by column `z`, as large as column `size`, with all cells as its tip.
 * `named`: rows with a name beside them.
 */
function scatter(table, rows, x, y, z, size, named = []) {
  const picture = element("svg", {viewBox: `0 0 ${WIDTH} 380`, width: WIDTH, role: "img"});
  const shown = rows.filter(row => typeof row[x] === "number" && typeof row[y] === "number");
  const colour = rowColours(table, rows, z), radius = rowRadii(table, size);
  const [toX, toY] = frame(picture, BOX, {...roomyRange(shown.map(row => row[x])), ...axisOf(table.c[x])},
    {...roomyRange(shown.map(row => row[y])), ...axisOf(table.c[y])});
  const step = Math.ceil(shown.length / POINTS_AT_ONCE), front = frontOf(table, shown, x, y);
  if (step > 1)
    picture.append(element("text", {class: "quiet", x: BOX.right, y: BOX.top + (NARROW ? 12 : -8), "text-anchor": "end"}, `1 of ${step} of ${shown.length} rows: filter for more`));
  if (front.length > 1)
    picture.append(element("path", {class: "front", d: "M" + front.map(row => `${toX(row[x]).toFixed(1)} ${toY(row[y]).toFixed(1)}`).join("L")}));
  for (const row of shown.filter((candidate, n) => n % step === 0).sort((a, b) => radius(b) - radius(a)))
    picture.append(withTip(element("circle", {class: "mark", cx: toX(row[x]), cy: toY(row[y]), r: radius(row), fill: colour(row), "fill-opacity": .8}),
      table.c.map(([name, unit], i) => `${words(name, unit)}: ${quantity(row[i], unit)}`).join("\n")));
  pointNames(picture, named, toX, toY, x, y);
  return element("div", {}, picture, colourLegend(table, z, colour), pointsLegend(table, front, x, y, size));
}

/* The part of the run that is shown, [from, to] in the unit of the first column, or null; and what draws itself anew for it. */
let shownSpan = null;
const spanned = [];

function inSpan(rows) {
  const inside = shownSpan ? rows.filter(row => row[0] >= shownSpan[0] && row[0] <= shownSpan[1]) : rows;
  return inside.length > 1 ? inside : rows;
}

function showSpan(span) {
  shownSpan = span;
  spanned.forEach(redraw => redraw());
}

/* Dragging over a picture selects the part of the run that all pictures over time show; a double click shows all. */
function selectable(picture, axis) {
  const place = event => {
    const box = picture.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * WIDTH;
    return axis.from + (x - BOX.left) / (BOX.right - BOX.left) * (axis.to - axis.from);
  };
  let start = null;
  picture.addEventListener("pointerdown", event => { start = place(event); event.preventDefault(); });
  picture.addEventListener("pointerup", event => {
    const ends = [start, place(event)].sort((a, b) => a - b);
    if (start !== null && ends[1] - ends[0] > (axis.to - axis.from) / 100) showSpan(ends);
    start = null;
  });
  picture.addEventListener("dblclick", () => showSpan(null));
  if (!NARROW) picture.append(element("text", {class: "quiet hint", x: BOX.right, y: BOX.top - 8, "text-anchor": "end"},
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
  const picture = element("svg", {viewBox: `0 0 ${WIDTH} 380`, width: WIDTH, role: "img"}), shown = inSpan(rows);
  const units = new Set(ys.map(y => table.c[y][1])), axis = {...range(shown.map(row => row[0])), ...axisOf(table.c[0])};
  const values = shown.flatMap(row => ys.map(y => row[y])).filter(cell => typeof cell === "number");
  if (!shownSpan) axis.from = Math.min(axis.from, 0);
  const [toX, toY] = frame(picture, BOX, axis, {...range(values.concat(0)), name: units.size === 1 ? titled(table.n) : "each in its unit", unit: units.size === 1 ? [...units][0] : ""});
  ys.forEach((y, i) => {
    const points = shown.filter(row => typeof row[y] === "number").map(row => `${toX(row[0]).toFixed(1)} ${toY(row[y]).toFixed(1)}`);
    picture.append(element("path", {class: "mark", d: "M" + points.join("L"), fill: "none", stroke: COLOURS[i % COLOURS.length], "stroke-width": 1.8}));
  });
  withValues(picture, table, shown, ys, axis, toX);
  if (ys.length === 1) return selectable(picture, axis);
  return element("div", {}, selectable(picture, axis), legendOf(table, ys, ys.map((y, i) => COLOURS[i % COLOURS.length])));
}

/* Shares that add up to 100 %, one above the other. */
function areas(table, rows, ys) {
  const picture = element("svg", {viewBox: `0 0 ${WIDTH} 380`, width: WIDTH, role: "img"}), shown = inSpan(rows);
  const axis = {...range(shown.map(row => row[0])), ...axisOf(table.c[0])};
  if (!shownSpan) axis.from = Math.min(axis.from, 0);
  const [toX, toY] = frame(picture, BOX, axis, {from: 0, to: 100, name: titled(table.n), unit: "%"});
  const floor = shown.map(() => 0), colours = ys.map(y => partColour(table.c[y][0]));
  ys.forEach((y, i) => {
    const below = shown.map((row, n) => `${toX(row[0]).toFixed(1)} ${toY(floor[n]).toFixed(1)}`).reverse();
    shown.forEach((row, n) => { floor[n] += row[y]; });
    const above = shown.map((row, n) => `${toX(row[0]).toFixed(1)} ${toY(floor[n]).toFixed(1)}`);
    picture.append(element("path", {class: "mark", d: `M${above.join("L")}L${below.join("L")}Z`, fill: colours[i]}));
  });
  withValues(picture, table, shown, ys, axis, toX);
  return element("div", {}, selectable(picture, axis), legendOf(table, ys, colours));
}

