/* ---- what a page of psim-explore says first: the best designs in words ---- */
/* A design's settings: those of the first four parameters that vary. */
function settingsOf(table, row) {
  const names = table.c.map(([name]) => name).filter(name => name.includes("."));
  const shown = names.slice(0, 4).map(name => `${name} ${plain(row[name])}`);
  return shown.join(", ") + (names.length > 4 ? ` and ${names.length - 4} more` : "");
}

/* The columns of a front's two figures; none for fronts of more figures. */
function objectivesOf(table) {
  const columns = {time: "seconds", energy: "system_j", area: "area_mm2"};
  const names = /front: not dominated in (\w+) and (\w+),/.exec(table.d || "");
  return names ? names.slice(1).map(name => columns[name] || name) : [];
}

function exploreVerdict() {
  const table = find("best"), designs = rowsOf("designs");
  if (!table || !table.r.length) return null;
  const figure = (row, name) => quantity(Number(row[name].toPrecision(4)), (table.c.find(([column]) => column === name) || [])[1]);
  const made = objectsOf(table).map(row => element("p", {}, element("b", {}, `Least ${row.least}: `),
    ["seconds", "system_j", "area_mm2"].map(name => figure(row, name)).join(", "), `, with ${settingsOf(table, row)}.`));
  const front = designs.filter(row => row.front === "yes").length;
  if (front) made.push(element("p", {}, `${front} of ${designs.length} designs are on the front: no other one is better in all.`));
  const skipped = valueOf("study.skipped");
  if (skipped > 0) made.push(element("p", {}, `${skipped} of the ${valueOf("study.configurations")} combinations are invalid and were not simulated: see skipped reasons.`));
  return element("div", {class: "verdict"}, ...made);
}

