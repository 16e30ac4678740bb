/* ---- what a page of psim-diff shows first: what was changed, how much that is worth, where the slots go ---- */
/* The reports' letters and files. */
function comparedFiles() {
  return ((find("compared") || {}).i || []).filter(item => /^[a-p]$/.test(item.n));
}

/* A run beside the first one, in a sentence. */
function comparedSentence(run, first, file, changes, beside = "the first") {
  const faster = first.seconds / run.seconds, energy = run.energy_j / first.energy_j;
  const joules = energy > 0 ? `, and takes ${energy < 2 ? `${(100 * energy).toFixed(1)} % of` : `${energy.toFixed(1)} times`} its energy` : "";
  const speed = Math.abs(faster - 1) < .005 ? "as fast" : faster >= 1 ? `${faster.toFixed(2)} times as fast` : `slower: it takes ${(1 / faster).toFixed(2)} times as long`;
  return element("p", {}, element("b", {}, `${file} is ${speed}`), ` as ${beside}${joules}. `,
    changes.length ? `Configured: ${changes.join(", ")}.` : "The configuration is the same.");
}

/* Rows of a table of parts without the last one, which is the whole. */
function dividedRows(name) {
  return rowsOf(name).filter(row => row.part !== "all");
}

/* A part of a difference: from the first report to that of `letter`, with its share of the whole difference. */
function comparedPart(row, letter, whole, unit) {
  return `${words(row.part)}, ${brief(row.a, unit)} to ${brief(row[letter], unit)} (${(100 * (row[letter] - row.a) / whole).toFixed(1)} %)`;
}

/* The parts that most of a difference comes from, and the one that is most against it. */
function comparedParts(name, what, letter) {
  const all = rowsOf(name).find(row => row.part === "all"), unit = all && (find(name).c[1] || [])[1];
  const whole = all ? all[letter] - all.a : 0;
  if (!whole) return "";
  const rows = dividedRows(name).map(row => ({...row, share: (row[letter] - row.a) / whole})).sort((x, y) => y.share - x.share);
  const against = rows.at(-1).share < -.05 ? `; against it ${comparedPart(rows.at(-1), letter, whole, unit)}` : "";
  return ` Most of the ${brief(Math.abs(whole), unit)} ${whole < 0 ? "less" : "more"} ${what}: ` +
    `${rows.slice(0, 2).filter(row => row.share > .05).map(row => comparedPart(row, letter, whole, unit)).join("; ")}${against}.`;
}

function comparedVerdict() {
  const runs = rowsOf("runs"), files = comparedFiles();
  if (runs.length < 2 || files.length !== runs.length || !(runs[0].seconds > 0)) return null;
  const configured = rowsOf("differences").filter(row => row.name.startsWith("config."));
  return element("div", {class: "verdict"}, ...runs.slice(1).flatMap((run, i) => {
    const letter = files[i + 1].n, changes = configured.filter(row => row[letter] !== row.a);
    const named = changes.slice(0, 6).map(row => `${row.name.slice(7)} ${row.a} to ${row[letter]}`);
    if (changes.length > 6) named.push(`and ${changes.length - 6} more`);
    const made = comparedSentence(run, runs[0], files[i + 1].v, named);
    made.append(comparedParts("time_parts", "time", letter), comparedParts("energy_parts", "energy", letter));
    return made;
  }), comparedSaid(files));
}

/* ---- runs of systems, whose reports are the groups a, b, c ... of the page ---- */
/* The report of a file, or undefined: what the page compares are no systems. */
function comparedRun(file) {
  return (find(file.n) || {}).i;
}

function comparesSystems() {
  return comparedFiles().some(comparedRun);
}

/* What is said of each run alone. */
function comparedSaid(files) {
  const said = files.filter(comparedRun).map(file => [file, runSentences(comparedRun(file))]).filter(([, sentences]) => sentences.length);
  return said.length ? element("div", {class: "beside said"}, ...said.map(([file, sentences]) => element("div", {}, element("h3", {}, file.v), ...sentences))) : null;
}

const TIMELINES_HIGH = 480, TIMELINE_LEAST = 120; /* px: of all timelines together; of one */

/* The timelines of all runs, on one time axis. */
function comparedRanks() {
  const files = comparedFiles().filter(file => comparedRun(file) && ranksOf(comparedRun(file))), all = files.map(file => ranksOf(comparedRun(file)));
  const axis = ends(all.map(data => data.seconds))[1];
  if (!(axis > 0)) return null;
  for (const data of all) Object.assign(data, {axis, high: Math.max(TIMELINE_LEAST, Math.floor(TIMELINES_HIGH / all.length))});
  return element("div", {}, timelineTools(all.find(data => data.arrows.length) ?? all[0]), ...files.flatMap((file, n) => [element("h3", {}, file.v), ranksPicture(all[n]), phasesStrip(all[n])].filter(Boolean)), statesLegend());
}

/* One figure over time of all runs, a curve each; null: fewer than two have it. */
function comparedSeries(name, column, title) {
  const files = comparedFiles().filter(file => comparedRun(file) && rowsOf(name, comparedRun(file)).some(row => row[column] > 0));
  if (files.length < 2) return null;
  const unit = find(name, comparedRun(files[0])).c.find(([each]) => each === column)[1];
  const rows = files.flatMap((file, n) => rowsOf(name, comparedRun(file)).map(row => [row.time, ...files.map((other, k) => k === n ? row[column] : null)]));
  const table = {n: title, d: "", c: [["time", "s"], ...files.map(file => [file.v, unit])], r: rows.sort((x, y) => x[0] - y[0])};
  const box = element("div", {}), draw = () => box.replaceChildren(curves(table, table.r, files.map((file, n) => n + 1)));
  spanned.push(draw);
  draw();
  return box;
}

function comparedWaits() {
  const made = comparedFiles().filter(comparedRun).map(file => [file, waitsBody(comparedRun(file))]).filter(([, body]) => body);
  return made.length ? element("div", {}, ...made.flatMap(([file, body]) => [element("h3", {}, file.v), body])) : null;
}

/* The chapters of a page that compares. */
function comparedChapters() {
  if (!find("compared")) return [];
  const systems = comparesSystems();
  return [chapter("ranks_over_time", "ranks over time", "one time axis; drag: a part of it; double click: all", comparedRanks()),
    chapter("side", "time side by side", systems ? "seconds by part of the critical path" : "seconds by part of the machine", comparedBars(find("time_parts"), comparedFiles())),
    chapter("energy_side", "energy side by side", systems ? "joules by part of the machine" : "joules by unit of the chip", comparedBars(find("energy_parts"), comparedFiles())),
    chapter("power_side", "power over time", "of each run", comparedSeries("series_power", "power", "power")),
    chapter("throughput_side", "throughput over time", "mean of a NIC that sends, of each run", comparedSeries("series_throughput", "inject", "throughput")),
    chapter("waiting_for", "who waits for whom", "blocks of ranks; a click shows them over time", comparedWaits())];
}

/* The colour of a row: that of the machine's part, or of a unit's number, paler in the second turn. */
function dividedColour(table, name, n) {
  return table === "time_parts" ? {fill: BOUND_COLOURS[name] ?? partColour(name)} : {fill: COLOURS[n % COLOURS.length], "fill-opacity": n < COLOURS.length ? 1 : .5};
}

/* A bar for each report, as long as its time or its energy, of the parts that this is divided into. */
function comparedBars(whole, files) {
  if (!whole || !files.length) return null;
  const rows = objectsOf(whole).filter(row => row.part !== "all").filter(row => files.some(file => row[file.n] > 0)), unit = whole.c[1][1];
  const colours = rows.map((row, n) => dividedColour(whole.n, row.part, n));
  const left = Math.min(170, Math.round(.3 * WIDTH)), width = WIDTH, height = 34;
  const sums = files.map(file => rows.reduce((sum, row) => sum + row[file.n], 0)), most = ends(sums)[1] || 1;
  const picture = element("svg", {viewBox: `0 0 ${width} ${files.length * height + 4}`, width, role: "img"});
  files.forEach((file, i) => {
    let x = left;
    picture.append(element("text", {x: left - 8, y: i * height + 22, "text-anchor": "end"}, shorten(file.v, Math.floor(left / 7))));
    rows.forEach((row, n) => {
      const length = row[file.n] / most * (width - left - 130);
      picture.append(withTip(element("rect", {class: "mark", x, y: i * height + 5, width: Math.max(0, length - .5), height: height - 8, ...colours[n]}),
        `${file.v}\n${words(row.part)}: ${brief(row[file.n], unit)}, ${(100 * row[file.n] / sums[i]).toFixed(1)} %`));
      x += length;
    });
    picture.append(element("text", {class: "quiet", x: x + 6, y: i * height + 22}, brief(sums[i], unit)));
  });
  return element("div", {}, picture, element("div", {class: "legend"}, ...rows.map((row, n) =>
    element("span", {}, element("i", {style: `background:${colours[n].fill};opacity:${colours[n]["fill-opacity"] ?? 1}`}), words(row.part)))));
}
