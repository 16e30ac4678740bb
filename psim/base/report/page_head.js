/* ---- sections ---- */
function valuesView(values) {
  return element("table", {}, element("tbody", {}, ...values.map(item => element("tr", {},
    element("td", {}, words(item.n, item.u)), element("td", {class: typeof item.v === "number" ? "number" : "said"}, quantity(item.v, item.u)),
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
const OPEN = ["over_time", "core", "what_if", "cycle_stack", "calls", "functions", "loops", "hot_loops", "annotate_source", "annotate", "pipeline", "energy", "regions", "estimate", "chip"];
const CLOSED = ["run", "config", "study", "compared"];

function isOpen(name) {
  return find("cycle_parts") ? OPEN.includes(name) : !CLOSED.includes(name);
}

/* The text of source lines beside their numbers. */
function textFirst(table) {
  const at = table.c.findIndex(([name]) => name === "text");
  for (const row of [table.c, ...table.r]) row.splice(1, 0, ...row.splice(at, 1));
}

/* What fills the parts that are open: a toggle event comes too late for paper. */
const fills = [];

function section(item) {
  const made = element("details", {id: item.n}, element("summary", {}, element("h2", {}, words(item.n)), element("span", {class: "quiet"}, item.d)));
  const fill = () => { if (made.open && made.childNodes.length === 1) made.append(...contents(item, item.n)); };
  made.addEventListener("toggle", fill);
  made.open = isOpen(item.n);
  fill();
  fills.push(fill);
  return made;
}

/* ---- head of the page ---- */
const TILES = [...["core", "chip"].flatMap(whole => ["seconds", "ipc", "gflops", "share_of_peak", "energy_j", "power_w", "area_mm2"].map(name => `${whole}.${name}`)),
  "program.ranks", "program.seconds", "program.compute", "program.wait", "network.seconds", "network.messages", "network.packets", "network.link_busy", "network.message_latency_mean",
  "network.message_latency_max", "power.energy", "power.power", "study.chosen", "study.points"];

/* A count whose name is its unit has no other one. */
function tileValue(item) {
  const [number, ...unit] = quantity(item.v, item.u).split(" ");
  return element("b", {}, number, " ", element("small", {}, item.n === item.u ? "" : unit.join(" ")));
}

function tiles() {
  const made = TILES.filter(path => path !== "network.seconds" || !find("program.seconds")).map(path => find(path)).filter(item => item && item.v !== undefined).map(item =>
    element("div", {class: "tile", title: item.d}, tileValue(item), element("span", {class: "quiet"}, titled(item.n, item.u))));
  return made.length ? element("div", {class: "tiles"}, ...made) : null;
}

/* The group of the whole run: core, or of several cores chip. */
function wholeOf(within) {
  return find("chip", within) ? "chip" : "core";
}

const WHOLE = wholeOf(report);

/* Rows of cycle_parts or cycle_stack: of several cores summed, with shares of all slots. */
function slotsOf(name, within = report) {
  const cores = within.filter(item => /^core\d+$/.test(item.n));
  if (!cores.length) return rowsOf(name, within);
  const sums = new Map();
  for (const row of cores.flatMap(core => rowsOf(`${core.n}.${name}`, within))) {
    const key = row.cause ?? row.part, sum = sums.get(key);
    if (sum) sum.slots += row.slots; else sums.set(key, {...row});
  }
  const rows = [...sums.values()], all = rows.reduce((sum, row) => sum + row.slots, 0) || 1;
  return rows.map(row => ({...row, share: 100 * row.slots / all}));
}

/* What the roofs allow at the run's intensity, and what it reaches of that. */
function roofSentence() {
  const roof = roofs();
  if (!roof) return null;
  const memory = roof.levels[0], most = Math.min(roof.peak, memory.bandwidth * memory.intensity);
  return element("p", {}, `With ${brief(memory.intensity)} flop for each byte of memory, ` +
    (memory.bandwidth * memory.intensity < roof.peak ? "memory's bandwidth" : "the peak") + ` allows ${brief(most)} GFlop/s; the run reaches ` +
    `${brief(roof.rate)} GFlop/s, ${(100 * roof.rate / most).toFixed(1)} % of that.`);
}

/* The cores' groups: the report itself of one core. */
function coreGroups() {
  const cores = report.filter(item => /^core\d+$/.test(item.n)).map(item => item.n + ".");
  return cores.length ? cores : [""];
}

/* Share in percent of the slots of a stage, of all cores and PEs, that instructions move into. */
function stageUse(stage) {
  const row = rowsOf("energy.stages").find(candidate => candidate.stage === stage), cycles = valueOf(WHOLE + ".cycles");
  return row && row.slots * cycles > 0 ? 100 * row.slots_moved / (row.slots * cycles) : undefined;
}

/* What was counted beside the time that a part of the machine loses: path of a share or a stage, and what it is. */
const COUNTED = {
  prediction: [["branch.mispredict_share", "of the control transfers are mispredicted"]],
  fetch: [["memory.l1i_miss_share", "of the fetch groups miss L1I"]],
  execution: [["P fp", "of the slots of the FP pipes begin an operation"], ["P int", "of those of the integer pipes"]],
  load_store: [["P addr", "of the slots of the address pipes begin an access"]],
  memory: [["memory.l1d_miss_share", "of the loads and stores miss L1D"], ["memory.l2_miss_share", "of the line requests miss L2"],
    ["chip.memory_channel", "of the cycles the memory channel is busy"]],
  array: [["P simd", "of the slots of the array's pipes begin an instruction"]],
};

function countedOf(part) {
  const facts = (COUNTED[part] ?? []).map(([path, what]) => [valueOf(path) ?? stageUse(path), what]).filter(([share]) => typeof share === "number");
  return facts.length ? ` Counted: ${facts.map(([share, what]) => `${share.toFixed(1)} % ${what}`).join(", ")}.` : "";
}

/* The structures that are full for longest, of several cores the mean: how long each holds back dispatch or commit. */
function fullSentence() {
  const groups = coreGroups(), cycles = groups.reduce((sum, group) => sum + valueOf(group + "core.cycles"), 0), rows = new Map();
  for (const row of groups.flatMap(group => rowsOf(group + "occupancy"))) {
    const sum = rows.get(row.structure) ?? {...row, average: 0, stops_dispatch: 0};
    rows.set(row.structure, {...sum, average: sum.average + row.average / groups.length, stops_dispatch: sum.stops_dispatch + row.stops_dispatch});
  }
  if (!rows.size || !(cycles > 0)) return null;
  const full = [...rows.values()].map(row => ({...row, share: 100 * row.stops_dispatch / cycles})).filter(row => row.share >= 1).sort((x, y) => y.share - x.share);
  if (!full.length) return element("p", {}, "No full structure holds back dispatch or commit in as much as 1 % of the cycles.");
  return element("p", {}, element("b", {}, `${full[0].structure} is full, and holds back dispatch or commit, in ${full[0].share.toFixed(1)} % of the cycles`),
    `; of its ${full[0].entries} entries ${brief(full[0].average)} are in use on average` +
    full.slice(1, 4).map(row => `; ${row.structure} in ${row.share.toFixed(1)} %, ${brief(row.average)} of ${row.entries}`).join("") + ".");
}

/* The changes that save most, as --what-if has measured them, or how to measure them. */
function savings() {
  const rows = rowsOf("what_if"), best = rows.filter(row => row.saved_share >= 1).slice(0, 5);
  if (!rows.length)
    return element("p", {}, "Which change of the machine would help has not been measured: this command with ", element("code", {}, "--what-if"),
      " runs the whole trace again with each resource doubled or without limit.");
  const rest = `${best.length ? `${rows.length - best.length} other changes` : `None of ${rows.length} changes`} ${best.length ? "save less" : "saves as much"}`;
  return element("p", {}, best.length ? element("b", {}, "Measured, each change alone: ") : "",
    best.map(row => `${row.meaning} (${row.change}) saves ${row.saved_share.toFixed(1)} % of the cycles`).join("; ") + (best.length ? "; " : ""),
    best.length < 5 ? `${rest} ${best.length ? "than" : "as"} 1 %.` : "the others are in the table.");
}

function verdict() {
  const parts = slotsOf("cycle_parts");
  if (find("compared")) return comparedVerdict();
  if (find("study")) return exploreVerdict();
  if (find("model.formula")) return fitVerdict();
  if (!parts.length) return boundsVerdict();
  const causes = slotsOf("cycle_stack"), peak = valueOf(WHOLE + ".share_of_peak");
  const used = parts.find(part => part.part === "used");
  const lost = parts.filter(part => part !== used).sort((a, b) => b.share - a.share);
  const made = [element("p", {}, `${used.share.toFixed(1)} % of the commit slots commit an instruction` +
    (peak > 0 ? `; arithmetic reaches ${peak.toFixed(1)} % of the peak.` : "."))];
  for (const part of lost.slice(0, 2).filter(candidate => candidate.share >= 5)) {
    const cause = causes.filter(row => row.part === part.part).sort((a, b) => b.share - a.share)[0];
    made.push(element("p", {}, element("b", {}, `${part.share.toFixed(1)} % are lost to ${words(part.part)}`), `: ${part.meaning}` +
      (cause ? `; most of all ${cause.cause} (${cause.share.toFixed(1)} %): ${cause.meaning}.` : "."), countedOf(part.part)));
  }
  return element("div", {class: "verdict"}, ...made, fullSentence() || "", roofSentence() || "", savings());
}

/* A configured rate in GB/s: "8 GB/s", "512 MiB/s" or "32 B/cycle". NaN: another text. */
function bandwidthOf(text) {
  const [, number, prefix, binary, cycle] = /^([\d.]+) *([kKMGT]?)(i?)B\/(s|cycle)$/.exec(text || "") || [];
  const [, hertz, of] = /^([\d.]+) *([kMG]?)Hz$/.exec(valueOf("config.chip.frequency") || "") || [];
  const scale = {"": 1, k: 1e3, K: 1e3, M: 1e6, G: 1e9, T: 1e12};
  if (!number || (cycle === "cycle" && !hertz)) return NaN;
  const bytes = number * (binary ? 1024 ** ("kMGT".indexOf(prefix.replace("K", "k")) + 1) : scale[prefix]);
  return (cycle === "cycle" ? bytes * hertz * scale[of] : bytes) / 1e9;
}

/* Rate and peak in GFlop/s; for memory, and with one core L2, the bandwidth in GB/s and the operations for each of its bytes. */
function roofs() {
  const rate = valueOf(WHOLE + ".gflops"), share = valueOf(WHOLE + ".share_of_peak"), seconds = valueOf(WHOLE + ".seconds");
  const memory = find(WHOLE === "chip" ? "chip.memory_bandwidth" : "memory.memory_bandwidth");
  if (!(rate > 0) || !(share > 0) || !memory) return null;
  const line = Number(valueOf("config.l2.line_bytes")), lines = (valueOf("memory.l2.data_accesses") || 0) + (valueOf("memory.l2.instruction_accesses") || 0);
  const levels = [
    {name: "memory", bandwidth: bandwidthOf(valueOf("config.memory.bandwidth")), traffic: memory.v / (memory.u === "B/s" ? 1e9 : 1)},
    {name: "L2", bandwidth: bandwidthOf(valueOf("config.l2.bandwidth")), traffic: lines * line / seconds / 1e9},
  ].filter(level => level.bandwidth > 0 && level.traffic > 0).map(level => ({...level, intensity: rate / level.traffic}));
  return levels.length && levels[0].name === "memory" ? {rate, peak: rate / share * 100, levels} : null;
}

/* Peak and bandwidths as roofs, and the run as a point below each bandwidth, at the operations for a byte of that level. */
function roofline() {
  const roof = roofs();
  if (!roof) return null;
  const {rate, peak, levels} = roof, places = levels.flatMap(level => [level.intensity, peak / level.bandwidth]);
  const axisX = {from: ends(places)[0] / 4, to: ends(places)[1] * 4, log: true, name: "arithmetic intensity", unit: "flop/B"};
  const axisY = {from: Math.min(rate, ...levels.map(level => level.bandwidth * axisX.from)) / 2, to: peak * 1.6, log: true, name: "floating-point rate", unit: "GFlop/s"};
  const picture = element("svg", {viewBox: `0 0 ${WIDTH} 380`, width: WIDTH, role: "img"});
  const [toX, toY] = frame(picture, BOX, axisX, axisY), colours = [PARTS.memory, COLOURS[0]];
  levels.map((level, n) => [level, n]).reverse().forEach(([level, n]) => {
    const ridge = peak / level.bandwidth, from = Math.max(axisX.from, axisY.from / level.bandwidth);
    picture.append(
      element("path", {d: `M${toX(from)} ${toY(level.bandwidth * from)}L${toX(ridge)} ${toY(peak)}H${BOX.right}`, fill: "none", stroke: colours[n], "stroke-width": 2}),
      element("line", {x1: toX(level.intensity), x2: toX(level.intensity), y1: toY(rate), y2: toY(Math.min(peak, level.bandwidth * level.intensity)), stroke: colours[n], "stroke-dasharray": "3 3"}),
      withTip(element("circle", {class: "mark", cx: toX(level.intensity), cy: toY(rate), r: 7 + 4 * n, fill: colours[n]}),
        `this run: ${brief(rate)} GFlop/s, ${brief(level.intensity)} flop for each byte of ${level.name}\nroof there: ${brief(Math.min(peak, level.bandwidth * level.intensity))} GFlop/s`));
  });
  picture.append(element("text", {x: BOX.right, y: toY(peak) - 6, "text-anchor": "end"}, `peak ${brief(peak)} GFlop/s`));
  return element("div", {}, picture, element("div", {class: "legend"}, ...levels.map((level, n) =>
    element("span", {}, element("i", {style: `background:${colours[n]}`}), `${level.name}: ${brief(level.bandwidth)} GB/s, the run has ${brief(level.intensity)} flop for each of its bytes`))));
}

/* The parts of the machine in the shown part of the run, or in all of it. */
function shownParts() {
  const table = find("over_time.parts"), parts = slotsOf("cycle_parts");
  const rows = shownSpan && table ? inSpan(table.r) : null;
  return parts.map(part => {
    const at = rows ? table.c.findIndex(([name]) => name === part.part) : -1;
    return {name: part.part, value: at < 0 ? part.slots : rows.reduce((sum, row) => sum + row[at], 0), meaning: part.meaning, colour: partColour(part.part)};
  });
}

/* The bar of these parts, which follows the selected part of the run. */
function partsBar() {
  if (!slotsOf("cycle_parts").length) return null;
  const box = element("div", {});
  const draw = () => box.replaceChildren(stackedBar(shownParts()), shownSpan && find("over_time")
    ? element("p", {class: "quiet"}, `from ${quantity(shownSpan[0], "s")} to ${quantity(shownSpan[1], "s")}`) : "");
  spanned.push(draw);
  draw();
  return box;
}

function chapter(id, title, meaning, body) {
  return body && element("details", {id, open: ""}, element("summary", {}, element("h2", {}, title), element("span", {class: "quiet"}, meaning)), body);
}

function otherTheme() {
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = (root.dataset.theme || (dark ? "dark" : "light")) === "dark" ? "light" : "dark";
}

/* The order of the parts: these first, the others as the report has them. */
const FIRST = [/^over_time$|designs$/, /^calls$/, /^series_/, /^bounds$/, /^power/, /^waits$/];

function placeOf(item) {
  const at = FIRST.findIndex(names => names.test(item.n));
  return at < 0 ? FIRST.length : at;
}

/* Draws the page for the present width of the window. */
function drawPage() {
  const main = document.getElementById("main"), nav = document.getElementById("nav");
  fitWindow();
  for (const list of [fills, papers, spanned]) list.length = 0;
  shownTables.clear();
  const subject = valueOf("trace.program") || valueOf("core0.trace.program") || valueOf("program.file") || valueOf("study.title") || modelTitle() || systemTitle() || comparedFiles().map(file => file.v).join(", ") || valueOf("run.program") || "report";
  document.title = [subject, find("compared") ? "psim-diff" : valueOf("run.program")].filter(Boolean).join(" - ");
  main.replaceChildren(...[
    element("h1", {}, subject),
    element("div", {class: "quiet command"}, `${valueOf("run.command") || ""}`),
    find("study") ? null : tiles(), verdict(),
    ...exploreResults(), chapter("fitted", "the model and its runs", "dashed: outside the sizes that it was fitted to", fitPicture()),
    ...comparedChapters(),
    chapter("where", "where the time goes", "commit slots by part of the machine" + (WHOLE === "chip" ? ", all cores" : ""), partsBar()),
    chapter("ranks_over_time", "ranks over time", "drag: a part of the run; double click: all of it", timelineBody()),
    chapter("network_over_time", "the network over time", "colours: use of the busier direction of each line", networkBody()),
    chapter("bounded_by", "where the time goes", "parts of the critical path, whose length is the time of the run", boundsBar()),
    chapter("waiting_for", "who waits for whom", "blocks of ranks; a click shows them over time", waitsBody()),
    comparison(),
    chapter("roofline", "roofline", "performance beside what peak and memory allow", roofline()),
    ...report.filter(item => ((item.i && item.i.length) || item.c) && item.n !== "timeline" && item.n !== "network_map" && !comparedFiles().some(file => file.n === item.n)).sort((a, b) => placeOf(a) - placeOf(b)).map(section),
    report.some(item => item.v !== undefined) ? valuesView(report.filter(item => item.v !== undefined)) : null,
  ].filter(Boolean));
  nav.replaceChildren(element("button", {onclick: otherTheme, title: "dark or light"}, "dark / light"));
  for (const details of main.querySelectorAll("details"))
    nav.append(element("a", {href: "#" + details.id, onclick: () => { details.open = true; }}, details.querySelector("h2").textContent));
  nav.append(element("button", {onclick: KEYS.at(-1)[2], title: "keys of this page"}, "keys: ?"), keysHelp());
}

/* Draws the page again after the window became wider or narrower; parts stay open or closed. Paper has the page as it is. */
function drawResized() {
  const main = document.getElementById("main");
  if (Math.abs(pictureWidth() - WIDTH) < 20 || matchMedia("print").matches) return;
  const open = new Map([...main.querySelectorAll("details")].map(details => [details.id, details.open]));
  drawPage();
  for (const details of main.querySelectorAll("details")) details.open = open.get(details.id) ?? details.open;
  fills.forEach(fill => fill());
}

function start() {
  readNumbers(report);
  for (const item of [find("annotate_source"), find("core0.annotate_source")]) if (item) textFirst(item);
  drawPage();
  addEventListener("keydown", onKey);
  addEventListener("hashchange", () => goTo(location.hash));
  addEventListener("resize", drawResized);
  goTo(location.hash);
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("main > details")) details.open = true;
    fills.forEach(fill => fill());
    papers.forEach(paper => paper());
  });
}

start();
