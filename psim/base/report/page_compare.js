/* ---- another run beside this one: a report that the reader opens ---- */
/* The items of a JSON report, as this page has its own. */
function itemsOf(group, units, path) {
  return Object.entries(group).map(([name, value]) => {
    const inner = path + name, unit = key => units[key] || "";
    if (Array.isArray(value)) {
      const columns = Object.keys(value[0] || {});
      return {n: name, d: "", c: columns.map(column => [column, unit(`${inner}.${column}`)]), r: value.map(row => columns.map(column => row[column]))};
    }
    if (value && typeof value === "object") return {n: name, d: "", i: itemsOf(value, units, inner + ".")};
    return {n: name, d: "", u: unit(inner), v: value};
  });
}

/* The items of a report from the text of its file: JSON, or a page as this one. Throws if it is neither. */
function readReport(text) {
  const page = /^const report = (\[.*\]);$/m.exec(text);
  if (page) return JSON.parse(page[1]);
  const {units, ...groups} = JSON.parse(text);
  return itemsOf(groups, units || {}, "");
}

/* Rows {name, a, b} of the values of two lists, by their name; of `a` first. */
function sideBySide(a, b, key, value) {
  const rows = new Map(a.map(row => [row[key], {name: row[key], a: row[value]}]));
  for (const row of b) rows.set(row[key], {...(rows.get(row[key]) || {name: row[key]}), b: row[value]});
  return [...rows.values()];
}

/* All values below a group, by their path. */
function leavesOf(items, path = "") {
  return (items || []).flatMap(item => item.v !== undefined ? [{name: path + item.n, value: item.v}] : leavesOf(item.i, `${path}${item.n}.`));
}

/* Each figure of both runs that the head of the page has; units without prefix are beside the name. */
function comparedFigures(other) {
  const from = wholeOf(other), rows = TILES.filter(path => path.startsWith(WHOLE + ".")).map(path => [find(path), find(path.replace(WHOLE, from), other)])
    .filter(([a, b]) => a && b && typeof a.v === "number" && typeof b.v === "number" && (a.v || b.v));
  const cells = ([a, b]) => [a, b].map(({v}) => PREFIXED.test(a.u) ? brief(v, a.u) : brief(v)).concat(a.v ? (b.v / a.v).toFixed(3) : "-");
  const head = element("tr", {}, ...["", "this run", "the other", "ratio"].map((name, n) => element("th", {class: n ? "number" : false}, name)));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows.map(row => element("tr", {},
    element("td", {class: "meaning"}, PREFIXED.test(row[0].u) ? titled(row[0].n, row[0].u) : titleOf([row[0].n, row[0].u])),
    ...cells(row).map(text => element("td", {class: "number"}, text))))));
}

/* The time of each part of the machine in both runs, as a table that comparedBars draws. */
function comparedTimes(other) {
  const seconds = within => valueOf(wholeOf(within) + ".seconds", within);
  const parts = within => slotsOf("cycle_parts", within).map(row => ({part: row.part, seconds: seconds(within) * row.share / 100}));
  const rows = sideBySide(parts(report), parts(other), "part", "seconds").map(row => [row.name, row.a || 0, row.b || 0]);
  return {n: "time_parts", c: [["part", ""], ["a", "s"], ["b", "s"]], r: rows};
}

/* Functions of all cores, each with its cycles. */
function functionsOf(within) {
  const groups = within.filter(item => /^core\d+$/.test(item.n)).map(item => item.n + ".");
  return (groups.length ? groups : [""]).flatMap(group => rowsOf(group + "functions", within));
}

function comparedFunctions(other) {
  const rows = sideBySide(functionsOf(report), functionsOf(other), "place", "cycles").map(row => [row.name, (row.b ?? 0) - (row.a ?? 0), row.a ?? 0, row.b ?? 0]);
  if (!rows.length) return null;
  const table = {n: "compared_functions", d: "", c: [["place", ""], ["difference", "cycles"], ["this run", "cycles"], ["the other", "cycles"]], r: rows.sort((x, y) => Math.abs(y[1]) - Math.abs(x[1]))};
  return element("div", {}, element("h3", {}, "functions"), tableView(table, "compared_functions"));
}

/* What another report says beside this one; a sentence where it is no run of psim. */
function compareWith(other, name) {
  const figures = within => ({seconds: valueOf(wholeOf(within) + ".seconds", within), energy_j: valueOf(wholeOf(within) + ".energy_j", within)});
  if (!Array.isArray(other) || !(figures(other).seconds > 0) || !slotsOf("cycle_parts", other).length)
    return [element("p", {}, `${name} is no report of psim, expected a page of --html or a file of --json.`)];
  const config = within => leavesOf((find("config", within) || {}).i), changes = sideBySide(config(report), config(other), "name", "value").filter(row => row.a !== row.b);
  const named = changes.slice(0, 6).map(row => `${row.name} ${row.a ?? "-"} to ${row.b ?? "-"}`);
  if (changes.length > 6) named.push(`and ${changes.length - 6} more`);
  return [
    element("div", {class: "verdict"}, comparedSentence(figures(other), figures(report), name, named, "this run")),
    element("div", {class: "scroll"}, comparedFigures(other)),
    comparedBars(comparedTimes(other), [{n: "a", v: "this run"}, {n: "b", v: name}]),
    comparedFunctions(other),
    element("p", {class: "quiet"}, "psim-diff A.json B.json compares every value."),
  ].filter(Boolean);
}

/* The other report, once it is read: {items, name}. */
let besides = null;

/* The part of the page that opens another report. Its bytes stay in the browser. */
function comparison() {
  if (!slotsOf("cycle_parts").length || !(valueOf(WHOLE + ".seconds") > 0)) return null;
  const body = element("div", {}), draw = () => { if (besides) body.replaceChildren(...compareWith(besides.items, besides.name)); };
  const input = element("input", {type: "file", accept: ".json,.html", "aria-label": "another report", onchange: () => { if (input.files[0]) made.show(input.files[0]); }});
  const made = element("details", {id: "compare"}, element("summary", {}, element("h2", {}, "compare"), element("span", {class: "quiet"}, "with another run: open its page or its JSON report")),
    element("div", {class: "tools"}, input), body);
  made.show = async file => {
    besides = {items: null, name: file.name};
    try { besides.items = readReport(await file.text()); } catch (error) { /* no report: compareWith says so */ }
    draw();
  };
  draw();
  return made;
}
