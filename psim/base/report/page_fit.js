/* ---- what a page of psim-fit shows first: the model in words, and beside its runs ---- */
const RAISED = {"-": "\u207b", 0: "\u2070", 1: "\u00b9", 2: "\u00b2", 3: "\u00b3", 4: "\u2074", 5: "\u2075", 6: "\u2076", 7: "\u2077", 8: "\u2078", 9: "\u2079"};

/* A term as people write it: n\u00b2 log\u2082 n for n^2*log2(n). */
function termText(term) {
  return term.replace(/\^(-?\d+)(?![\d.])/g, (power, digits) => [...digits].map(digit => RAISED[digit]).join(""))
    .replace(/log2\((\w+)\)/g, "log\u2082\u200a$1").replace(/\*/g, "\u2009");
}

function termOf(row) {
  return row[find("terms").c.findIndex(([name]) => name === "term")];
}

/* A coefficient in its unit, with a prefix: "6.98 ns per n\u00b2". */
function coefficient(value, term) {
  return brief(value, valueOf("model.unit")) + (term === "1" ? "" : " per " + termText(term));
}

/* The sums of the model, each a list of {term, coefficient}; none where it is interpolated. */
function modelSums() {
  const sums = [];
  for (const row of rowsOf("terms")) (sums[(row.sum || 1) - 1] ??= []).push(row);
  return sums;
}

/* "1.01 ns n\u00b2 + 0.34 ns n\u00b3", or the largest of several sums. */
function modelText() {
  const unit = valueOf("model.unit");
  const sum = rows => rows.filter(row => row.coefficient !== 0).map((row, n) => (row.coefficient < 0 ? n ? " \u2212 " : "\u2212" : n ? " + " : "") +
    brief(Math.abs(row.coefficient), unit) + (row.term === "1" ? "" : "\u2009\u00d7\u2009" + termText(row.term))).join("") || "0";
  const sums = modelSums().map(sum);
  return sums.length ? sums.length > 1 ? `the largest of ${sums.join(" and ")}` : sums[0] : valueOf("model.formula");
}

/* "time of dgemm" for regions.dgemm.seconds. */
function modelValue() {
  const parts = valueOf("model.value").split("."), last = titled(parts.pop());
  return last + (parts.length > 1 ? ` of ${parts.slice(1).join(".")}` : "");
}

function modelTitle() {
  return find("model.formula") && `${modelValue()}: a model`;
}

/* The values of a point named "n=64,m=2". */
function sizesOf(name) {
  return Object.fromEntries(name.split(",").map(part => part.split("=")).map(([variable, value]) => [variable, Number(value)]));
}

/* The value of a term: a product of powers of variables and of their logarithms. */
function termValue(term, sizes) {
  return term.split(/\*(?![^(]*\))/).reduce((product, factor) => {
    const [, log, inside, plainName, power] = /^(?:(log2)\((\w+)\)|(\w+))(?:\^(.+))?$/.exec(factor) || [];
    const [over, under = 1] = (power || "1").replace(/[()]/g, "").split("/").map(Number);
    const base = log ? Math.log2(sizes[inside]) : plainName === "1" ? 1 : sizes[plainName];
    return product * base ** (over / under);
  }, 1);
}

/* The value between the two knots around a size, by a power law; beyond the ends that of the last two. */
function knotValue(knots, size) {
  let n = 1;
  while (n < knots.length - 1 && knots[n].x1 < size) n++;
  const [a, b] = [knots[n - 1], knots[n]], power = Math.log(b.value / a.value) / Math.log(b.x1 / a.x1);
  return a.value * (size / a.x1) ** power;
}

function modelAt(sizes) {
  const knots = rowsOf("knots");
  if (knots.length) return knotValue(knots, Object.values(sizes)[0]);
  return Math.max(...modelSums().map(rows => rows.reduce((sum, row) => sum + row.coefficient * termValue(row.term, sizes), 0)));
}

function fitVerdict() {
  const unit = valueOf("model.unit"), ranges = rowsOf("variables"), heldOut = valueOf("model.held_out"), percent = value => `${Number(Math.max(value, .01).toPrecision(2))} %`;
  const made = [element("p", {}, element("b", {}, `${modelValue()} = ${modelText()}`), `, within ${percent(valueOf("model.max_error"))} of the ${valueOf("model.points")} runs with ` +
    ranges.map(row => `${row.variable} from ${plain(row.from)} to ${plain(row.to)}`).join(", ") +
    (heldOut > 0 ? `, and within ${percent(valueOf("model.held_out_error"))} of ${heldOut} that the fit did not use.` : "."))];
  for (const row of rowsOf("predictions").slice(0, 4))
    made.push(element("p", {}, element("b", {}, `For ${row.point.replace(/=/g, " = ")}: ${brief(row.model, unit)}`), `, ${brief(row.low, unit)} to ${brief(row.high, unit)}` +
      (row.outside > 1 ? `; that is ${Number(row.outside.toPrecision(3))} times beyond the sizes of the fit.` : ".")));
  const warnings = [...new Set(rowsOf("warnings").map(row => row.warning))];
  if (warnings.length) made.push(element("p", {}, `Reasons to doubt it: ${warnings.join("; ")}.`));
  return element("div", {class: "verdict"}, ...made);
}

/* An axis over values: logarithmic where they are of several magnitudes. */
function fitAxis(values, name, unit) {
  const [least, most] = ends(values);
  if (least > 0 && most > 20 * least) return {from: least / 1.3, to: most * 1.3, log: true, name, unit};
  return {...roomyRange(values), name, unit};
}

/* Points of the picture: {x, y, kind, tip}. With several variables x is the simulated value, and y the model's. */
function fitPoints(one) {
  const unit = valueOf("model.unit"), size = row => Object.values(sizesOf(row.point))[0];
  const runs = rowsOf("points").map(row => ({x: one ? size(row) : row.value, y: one ? row.value : row.model, kind: row.use,
    tip: `${row.point}, ${row.use === "fit" ? "fitted to" : row.use}\nsimulated: ${brief(row.value, unit)}\nmodel: ${brief(row.model, unit)}, ${row.error === null ? "-" : row.error.toFixed(2)} % off`}));
  const predicted = one ? rowsOf("predictions").map(row => ({x: size(row), y: row.model, low: row.low, high: row.high, kind: "predicted",
    tip: `${row.point}, predicted\n${brief(row.model, unit)}, ${brief(row.low, unit)} to ${brief(row.high, unit)}`})) : [];
  return runs.concat(predicted).filter(point => Number.isFinite(point.x) && Number.isFinite(point.y));
}

const FIT_COLOURS = {fit: CURVES[0], "held out": COLOUR.VERMILION, predicted: COLOUR.GREY};
const FIT_WORDS = {fit: "simulated, fitted to", "held out": "simulated, held out", predicted: "predicted, with its interval"};

/* The line of the model; its part outside the fit is dashed. */
function fitCurve(picture, toX, toY, axis, inside) {
  const spans = [[axis.from, inside[0], true], [inside[0], inside[1], false], [inside[1], axis.to, true]];
  for (const [from, to, dashed] of spans.filter(([low, high]) => high > low && (low > 0 || !axis.log))) {
    const places = [];
    for (let n = 0; n <= 100; n++) {
      const size = axis.log ? from * (to / from) ** (n / 100) : from + (to - from) * n / 100;
      const y = toY(modelAt({[rowsOf("variables")[0].variable]: size}));
      if (Number.isFinite(y) && y <= BOX.bottom && y >= BOX.top) places.push(`${toX(size).toFixed(1)} ${y.toFixed(1)}`);
    }
    if (places.length > 1) picture.append(element("path", {d: "M" + places.join("L"), fill: "none", stroke: CURVES[0], "stroke-width": 1.8, "stroke-dasharray": dashed ? "6 4" : false}));
  }
}

function fitPicture() {
  if (!find("model.formula")) return null;
  const variables = rowsOf("variables"), one = variables.length === 1, points = fitPoints(one), unit = valueOf("model.unit");
  if (points.length < 2) return null;
  const axisX = one ? fitAxis(points.map(point => point.x), variables[0].variable, "") : fitAxis(points.map(point => point.x), "simulated", unit);
  const axisY = fitAxis(points.flatMap(point => [point.y, point.low ?? point.y, point.high ?? point.y]), one ? modelValue() : "model", unit);
  const picture = element("svg", {viewBox: `0 0 ${WIDTH} 380`, width: WIDTH, role: "img"}), [toX, toY] = frame(picture, BOX, axisX, axisY);
  if (one) fitCurve(picture, toX, toY, axisX, [variables[0].from, variables[0].to]);
  else picture.append(element("line", {class: "front", x1: toX(ends(points.map(point => point.x))[0]), y1: toY(ends(points.map(point => point.x))[0]),
    x2: toX(ends(points.map(point => point.x))[1]), y2: toY(ends(points.map(point => point.x))[1])}));
  for (const point of points) {
    const colour = FIT_COLOURS[point.kind] ?? COLOUR.GREY, hollow = point.kind !== "fit";
    if (point.low > 0) picture.append(element("line", {x1: toX(point.x), x2: toX(point.x), y1: toY(point.low), y2: toY(point.high), stroke: colour, "stroke-width": 2}));
    picture.append(withTip(element("circle", {class: "mark", cx: toX(point.x), cy: toY(point.y), r: 5, fill: hollow ? "var(--ground)" : colour, stroke: colour, "stroke-width": 2}), point.tip));
  }
  const kinds = [...new Set(points.map(point => point.kind))];
  return element("div", {}, picture, element("div", {class: "legend"}, ...kinds.map(kind =>
    element("span", {}, element("i", {style: `background:${FIT_COLOURS[kind] ?? COLOUR.GREY}`}), FIT_WORDS[kind] ?? kind))));
}
