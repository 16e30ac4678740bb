/* ---- what a page of psim-explore says first: the best designs in words ---- */
/* The parameters that vary, but of those that change together, such as a pair's, the first alone. */
function axesOf(designs) {
  const at = designs.c.map((column, n) => n).filter(n => designs.c[n][0].includes("."));
  const codes = at.map(n => {
    const seen = new Map();
    return designs.r.map(row => seen.get(row[n]) ?? (seen.set(row[n], seen.size), seen.size - 1)).join();
  });
  return at.filter((n, k) => codes.indexOf(codes[k]) === k).map(n => designs.c[n][0]);
}

/* A design's settings: those of the first six parameters that vary. */
function settingsOf(designs, row) {
  const names = axesOf(designs);
  const shown = names.slice(0, 6).map(name => `${name} ${plain(row[name])}`);
  return shown.join(", ") + (names.length > 6 ? ` and ${names.length - 6} more` : "");
}

/* The columns of a front's two figures; none for fronts of more figures. */
function objectivesOf(table) {
  const columns = {time: "seconds", energy: "system_j", area: "area_mm2", cost: "cost"};
  const names = /front: not dominated in (\w+) and (\w+),/.exec(table.d || "");
  return names ? names.slice(1).map(name => columns[name] || name) : [];
}

/* The tables of designs, one or one for each trace, each with that of the best ones. */
function exploreDesigns() {
  return report.filter(item => /designs$/.test(item.n) && item.r && item.r.length)
    .map(designs => ({designs, best: find(designs.n.replace(/designs$/, "best"))})).filter(({best}) => best && best.r.length);
}

/* The figures of designs that are compared: time, energy, and the area of a chip or the cost of a system. */
function compared(table) {
  return ["seconds", "system_j", table.c.some(([name]) => name === "cost") ? "cost" : "area_mm2"];
}

function designFigure(table, row, name) {
  const text = quantity(Number(row[name].toPrecision(4)), (table.c.find(([column]) => column === name) || [])[1]);
  return name === "cost" ? "a cost of " + text : text; /* it has no unit that names it */
}

/* How much more of a figure a design has than the best one: " (4.1 % more than the least)". */
function moreThan(row, best, name) {
  const least = best.find(candidate => candidate.least === {seconds: "time", system_j: "energy", area_mm2: "area", cost: "cost"}[name])[name];
  const more = 100 * (row[name] / least - 1);
  return more < .05 ? " (the least)" : ` (${more.toFixed(more < 10 ? 1 : 0)} % above the least)`;
}

/* The design of least energy-delay product: what it has, and how far that is from the least of each. */
function exploreHeadline({designs, best}) {
  const rows = objectsOf(best), row = rows.find(candidate => candidate.least === "energy-delay product") || rows[0];
  const front = designs.r.filter(cells => cells[designs.c.findIndex(([name]) => name === "front")] === "yes").length;
  const of = designs.n === "designs" ? "" : ` of ${words(designs.n.replace(/_?designs$/, ""))}`;
  return element("p", {}, element("b", {}, `Least ${row.least}${of}: ${settingsOf(designs, row)}.`), " It takes ",
    compared(best).map(name => designFigure(best, row, name) + moreThan(row, rows, name)).join(", "),
    `. ${front} of ${designs.r.length} designs are on the front: no other one is better in all.`);
}

function exploreVerdict() {
  const all = exploreDesigns(), skipped = valueOf("study.skipped");
  if (!all.length) return null;
  return element("div", {class: "verdict"}, ...all.slice(0, 4).map(exploreHeadline),
    skipped > 0 ? element("p", {}, `${skipped} of the ${valueOf("study.combinations")} combinations are invalid and were not simulated: see skipped reasons.`) : "");
}

/* Time against energy, coloured by area, with the best designs named; below it what these are. */
function exploreResult({designs, best}) {
  const at = name => designs.c.findIndex(([column]) => column === name), named = new Map();
  for (const row of objectsOf(best)) {
    const found = designs.r.find(cells => designs.c.every(([name], i) => name === "front" || cells[i] === row[name]));
    if (found) named.set(found, [...(named.get(found) || []), row.least]);
  }
  const picture = scatter(designs, designs.r, at("seconds"), at("system_j"), at(compared(designs)[2]), -1, [...named].map(([row, names]) => [row, "least " + names.join(", ")]));
  return element("div", {}, picture, ...objectsOf(best).map(row => element("p", {}, element("b", {}, `Least ${row.least}: `),
    compared(best).map(name => designFigure(best, row, name)).join(", "), `, with ${settingsOf(designs, row)}.`)));
}

/* A chapter for each table of designs. */
function exploreResults() {
  return exploreDesigns().slice(0, 4).map(pair => chapter("best_" + pair.designs.n, "time against energy", pair.designs.d.replace(/^all designs; /, ""), exploreResult(pair)));
}
