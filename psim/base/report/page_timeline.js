/* ---- the timeline: ranks over time, which zooms ---- */
const PHASES_HEIGHT = 26, LEAST_RANKS = 4;

/* The part of the run and the ranks in view: all timelines of the page show the same. */
let rankSpan = null; /* [first, end], or null: all */

function viewOf(data) {
  const [from, to] = shownSpan || [0, data.axis], [first, end] = rankSpan || [0, data.ranks];
  return {from, to, first: Math.min(first, data.ranks - 1), end: Math.min(end, data.ranks)};
}

/* Shows a part of the run; all of it where that is nearly so. */
function showView(data, {from, to, first, end}) {
  const least = data.axis * 1e-7, ranks = Math.min(data.ranks, LEAST_RANKS);
  if (end - first < ranks) [first, end] = [(first + end - ranks) / 2, (first + end + ranks) / 2];
  if (to - from < least) [from, to] = [(from + to - least) / 2, (from + to + least) / 2];
  if (first < 0) [first, end] = [0, end - first];
  if (end > data.ranks) [first, end] = [Math.max(0, first - end + data.ranks), data.ranks];
  if (from < 0) [from, to] = [0, to - from];
  if (to > data.axis) [from, to] = [Math.max(0, from - to + data.axis), data.axis];
  rankSpan = first <= 0 && end >= data.ranks ? null : [Math.floor(first), Math.ceil(end)];
  showSpan(from <= 0 && to >= data.axis * (1 - 1e-9) ? null : [from, to]);
}

/* The view, `factor` times as large, around a point at shares (x, y) of it; ranks only if there are more than fit. */
function zoomed(view, factor, x = .5, y = .5) {
  const time = view.from + x * (view.to - view.from), rank = view.first + y * (view.end - view.first);
  return {from: time - (time - view.from) * factor, to: time + (view.to - time) * factor, first: rank - (rank - view.first) * factor, end: rank + (view.end - rank) * factor};
}

/* The view moved by shares of itself. */
function moved(view, x, y) {
  const time = x * (view.to - view.from), ranks = y * (view.end - view.first);
  return {from: view.from + time, to: view.to + time, first: view.first + ranks, end: view.end + ranks};
}

/* Axes around the canvas: time below, ranks on the left, the first one above. */
function timelineAxes(picture, view, height) {
  const width = BOX.right - BOX.left, [factor, unit] = axisUnit({from: view.from, to: view.to, unit: "s"});
  const x = time => BOX.left + (time - view.from) / (view.to - view.from) * width, y = rank => (rank + .5 - view.first) / (view.end - view.first) * height;
  const digits = 2 + Math.max(0, Math.ceil(Math.log10(view.to / (view.to - view.from))));
  for (const time of ticks(view.from, view.to, Math.ceil(width / 130)))
    picture.append(element("line", {class: "axis", x1: x(time), x2: x(time), y1: height, y2: height + 4}),
      element("text", {class: "quiet", x: x(time), y: height + 17, "text-anchor": "middle"}, String(Number((time / factor).toPrecision(Math.min(12, digits + 1))))));
  for (const rank of [...new Set(ticks(view.first, view.end - 1, 8).map(Math.round))].filter(rank => rank >= view.first && rank < view.end))
    picture.append(element("text", {class: "quiet", x: BOX.left - 6, y: Math.min(height - 2, Math.max(10, y(rank) + 4)), "text-anchor": "end"}, String(rank)));
  picture.append(element("path", {class: "axis", d: `M${BOX.left} 0V${height}H${BOX.right}`}),
    element("text", {x: (BOX.left + BOX.right) / 2, y: height + 36, "text-anchor": "middle"}, `time [${unitText(unit)}]`),
    element("text", {x: 0, y: 12}, "rank"));
}

/* What a pixel shows, in words. */
function cellText(data, view, x, y, height, width) {
  const level = levelFor(data, view, width, height), time = view.from + x * (view.to - view.from), rank = view.first + y * (view.end - view.first);
  if (time > data.seconds) return `${brief(time, "s")}: the run has ended`;
  const row = Math.min(level.rows - 1, Math.floor(rank / level.group)), begin = Math.floor(time / level.interval) * level.interval, sum = new Float64Array(5);
  sumCells(data, level, row, row + 1, time, time, sum);
  return [ranksText(row * level.group, Math.min(data.ranks, (row + 1) * level.group)), `${brief(begin, "s")} to ${brief(Math.min(data.seconds, begin + level.interval), "s")}`,
    ...[...STATES.map(([name]) => name), "ended"].map((name, k) => [name, sum[k]]).filter(([, share]) => share >= .005).map(([name, share]) => `${name}: ${(100 * share).toFixed(0)} %`)].join("\n");
}

/* The state or message under the pointer, in words; else what the pixel shows. */
function pointText(data, view, shown, x, y, height, width) {
  const time = view.from + x * (view.to - view.from), rank = Math.floor(view.first + y * (view.end - view.first));
  if (!shown.bars) return cellText(data, view, x, y, height, width);
  const bar = shown.bars.find(candidate => candidate.rank === rank && candidate.from <= time && candidate.to >= time);
  if (!bar && time > data.seconds) return `${brief(time, "s")}: the run has ended`;
  if (!bar) return `rank ${rank}, ${brief(time, "s")}: ${time < data.from || time > data.to ? "not in the window" : data.bars.has(rank) && time > endOf(data, rank) ? "has ended" : "in calls"}`;
  const when = `${brief(bar.from, "s")} to ${brief(bar.to, "s")}`;
  if (!bar.call) return `rank ${rank} computes ${brief(bar.to - bar.from, "s")}\n${when}`;
  return `rank ${rank} waits ${brief(bar.to - bar.from, "s")} in ${data.calls[bar.call]}${bar.peer === rank ? " for its own message" : ` for rank ${bar.peer}`}\n` +
    `until it began: ${brief(bar.late - bar.from, "s")}; then: ${brief(bar.to - bar.late, "s")}\n${when}`;
}

/* Pointer: a drag selects a part, a double click all, the wheel with Ctrl zooms, values follow it. */
function timelinePointer(canvas, brush, data, shown) {
  const place = event => {
    const box = canvas.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height].map(share => Math.max(0, Math.min(1, share)));
  };
  let start = null;
  canvas.addEventListener("pointerdown", event => {
    start = place(event);
    try { canvas.setPointerCapture(event.pointerId); } catch (error) { /* a pointer of a script */ }
    event.preventDefault();
  });
  canvas.addEventListener("pointermove", event => {
    const at = place(event), box = canvas.getBoundingClientRect();
    showTip(event, pointText(data, viewOf(data), shown, at[0], at[1], canvas.height, canvas.width));
    if (!start) return;
    Object.assign(brush.style, {display: "block", left: `${canvas.offsetLeft + Math.min(start[0], at[0]) * box.width}px`, top: `${canvas.offsetTop + Math.min(start[1], at[1]) * box.height}px`,
      width: `${Math.abs(at[0] - start[0]) * box.width}px`, height: `${Math.abs(at[1] - start[1]) * box.height}px`});
  });
  canvas.addEventListener("pointerup", event => {
    const at = place(event), view = viewOf(data), from = start;
    brush.style.display = "none";
    start = null;
    if (!from || Math.abs(at[0] - from[0]) < .01) return;
    const [x0, x1] = [from[0], at[0]].sort((a, b) => a - b), [y0, y1] = Math.abs(at[1] - from[1]) < .03 ? [0, 1] : [from[1], at[1]].sort((a, b) => a - b);
    const time = view.to - view.from, ranks = view.end - view.first;
    showView(data, {from: view.from + x0 * time, to: view.from + x1 * time, first: view.first + y0 * ranks, end: view.first + y1 * ranks});
  });
  canvas.addEventListener("pointerleave", () => { document.getElementById("tip").hidden = true; });
  canvas.addEventListener("dblclick", () => showView(data, {from: 0, to: data.axis, first: 0, end: data.ranks}));
  canvas.addEventListener("wheel", event => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    showView(data, zoomed(viewOf(data), event.deltaY < 0 ? .7 : 1 / .7, ...place(event)));
  }, {passive: false});
}

/* What is on top of the states, as the reader chooses; of all timelines. */
const overlay = {path: true, messages: true};

function timelineTools(data) {
  const step = (name, title, change) => element("button", {title, onclick: () => showView(data, change(viewOf(data)))}, name);
  const toggle = (key, name) => element("button", {"aria-pressed": String(overlay[key]), onclick: event => {
    overlay[key] = !overlay[key];
    event.target.setAttribute("aria-pressed", String(overlay[key]));
    spanned.forEach(redraw => redraw());
  }}, name);
  return element("div", {class: "tools"}, step("+", "zoom in", view => zoomed(view, .5)), step("\u2212", "zoom out", view => zoomed(view, 2)),
    step("\u25c2", "earlier", view => moved(view, -.5, 0)), step("\u25b8", "later", view => moved(view, .5, 0)),
    step("\u25b4", "lower ranks", view => moved(view, 0, -.5)), step("\u25be", "higher ranks", view => moved(view, 0, .5)),
    step("whole run", "all ranks, all of the time", () => ({from: 0, to: data.axis, first: 0, end: data.ranks})),
    data.path.length ? toggle("path", "critical path") : null, data.arrows.length ? toggle("messages", "messages") : null);
}

/* "1 message", "3 messages". */
function counted(count, what) {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/* What the picture shows, and what it lacks. */
function timelineNote(data, view, shown, height, width) {
  const level = levelFor(data, view, width, height), what = shown.bars ? counted(shown.bars.length, "state") : `shares of states in cells of ${level.group > 1 ? `${level.group} ranks` : "a rank"} and ${brief(level.interval, "s")}`;
  const finer = data.bars.size ? "" : `; the run has ${data.states} states: --window and --window-ranks keep those of a part`;
  const arrows = !data.arrows.length ? "" : shown.arrows ? `, ${counted(shown.arrows.length, "message")}` : "; zoom in for messages";
  return `${ranksText(Math.floor(view.first), Math.ceil(view.end))}, ${brief(view.from, "s")} to ${brief(view.to, "s")}: ${what}${arrows}${shown.bars ? "" : finer}`;
}

/* The shares of ranks in each phase over time, one above the other. */
function phasesStrip(data) {
  if (!data.phases.length) return null;
  const canvas = element("canvas", {height: PHASES_HEIGHT, style: `margin-left:${BOX.left}px`, class: "strip"}), box = element("div", {});
  const names = data.phases.map(row => row.phase || "no phase");
  const draw = () => {
    const view = viewOf(data), width = canvas.width = BOX.right - BOX.left, pen = canvas.getContext("2d");
    for (let x = 0; x < width && view.from + x / width * (view.to - view.from) < data.seconds; x++) {
      let y = 0;
      for (const [n, row] of data.phases.entries()) {
        const column = Math.min(row.ranks.length - 1, Math.floor((view.from + (x + .5) / width * (view.to - view.from)) / row.interval)), high = row.ranks[column] / SYMBOL_MOST * PHASES_HEIGHT;
        pen.fillStyle = names[n] === "no phase" ? "#00000000" : CURVES[n % CURVES.length];
        pen.fillRect(x, y, 1, high);
        y += high;
      }
    }
  };
  spanned.push(draw);
  draw();
  box.append(canvas, element("div", {class: "legend", style: `margin-left:${BOX.left}px`}, ...names.map((name, n) => name === "no phase" ? null :
    element("span", {}, element("i", {style: `background:${CURVES[n % CURVES.length]}`}), `phase ${name}`)).filter(Boolean)));
  return box;
}

function statesLegend() {
  return element("div", {class: "legend"}, ...STATES.map(([name, colour]) => element("span", {}, element("i", {style: `background:${colour}`}), name)),
    element("span", {}, element("i", {class: "line", style: `border-top:2px solid ${PATH_COLOUR};outline:1px solid #fff`}), "critical path"));
}

/* Ranks over time: axes, states or their density, path, messages, a note. */
function ranksPicture(data) {
  const high = data.high, scale = Math.min(2, devicePixelRatio || 1), width = BOX.right - BOX.left;
  const canvas = element("canvas", {class: "ranks", width: Math.round(width * scale), height: Math.round(high * scale), style: `left:${BOX.left}px;width:${width}px;height:${high}px`, role: "img", "aria-label": "ranks over time"});
  const picture = element("svg", {viewBox: `0 0 ${WIDTH} ${high + 44}`, width: WIDTH}), note = element("p", {class: "quiet note"}), brush = element("div", {class: "brushbox"}), shown = {};
  canvas.scale = scale;
  const draw = () => {
    const view = viewOf(data), pen = canvas.getContext("2d");
    picture.replaceChildren();
    timelineAxes(picture, view, high);
    Object.assign(shown, {bars: barsIn(data, view, high), arrows: overlay.messages ? arrowsIn(data, view, high) : null});
    pen.clearRect(0, 0, canvas.width, canvas.height);
    if (shown.bars) drawBars(canvas, data, view, shown.bars); else drawDensity(canvas, data, view);
    if (shown.arrows) {
      const lines = shown.arrows.map(arrow => ({...arrow}));
      drawLines(canvas, view, lines, COLOUR.GREEN, scale);
      drawHeads(canvas, view, lines, COLOUR.GREEN);
    }
    if (overlay.path) drawPath(canvas, view, data.path);
    note.textContent = timelineNote(data, view, shown, canvas.height, canvas.width);
  };
  timelinePointer(canvas, brush, data, shown);
  spanned.push(draw);
  draw();
  return element("div", {}, element("div", {class: "timeline"}, picture, canvas, brush), note);
}

function timelineBody() {
  const data = ranksOf();
  return data && data.seconds > 0 ? element("div", {}, timelineTools(data), ranksPicture(data), statesLegend(), phasesStrip(data)) : null;
}

/* ---- who waits for whom, who sends to whom: blocks of ranks ---- */
const BLOCK_PICTURE = 320;

function blocksPicture(data, values, unit, verb) {
  const blocks = Math.round(Math.sqrt(values.length)), size = BLOCK_PICTURE / blocks, most = ends(values)[1] || 1, all = values.reduce((sum, value) => sum + value, 0) || 1;
  const canvas = element("canvas", {class: "blocks", width: BLOCK_PICTURE, height: BLOCK_PICTURE, role: "img", "aria-label": verb}), pen = canvas.getContext("2d");
  const range = n => ranksText(n * data.block, Math.min(data.ranks, (n + 1) * data.block));
  values.forEach((value, i) => {
    if (!(value > 0)) return;
    pen.fillStyle = orderedColour(1 - Math.sqrt(value / most));
    pen.fillRect(i % blocks * size, Math.floor(i / blocks) * size, Math.ceil(size), Math.ceil(size));
  });
  const at = event => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top].map(x => Math.max(0, Math.min(blocks - 1, Math.floor(x / box.width * blocks)))); };
  canvas.addEventListener("pointermove", event => {
    const [column, row] = at(event), value = values[row * blocks + column];
    showTip(event, `${range(row)} ${data.block === 1 ? verb.replace(/(\w+)/, "$1s") : verb} ${range(column)}:\n${brief(value, unit)}, ${(100 * value / all).toFixed(2)} % of all`);
  });
  canvas.addEventListener("pointerleave", () => { document.getElementById("tip").hidden = true; });
  canvas.addEventListener("click", event => {
    const rows = at(event).sort((a, b) => a - b);
    showView(data, {...viewOf(data), first: rows[0] * data.block, end: (rows[1] + 1) * data.block});
    document.getElementById("ranks_over_time")?.scrollIntoView();
  });
  return element("div", {}, element("h3", {}, `${verb} \u2026`), canvas, element("p", {class: "quiet"}, `rows ${verb} columns, from rank 0 at the top left; largest ${brief(most, unit)}`));
}

function waitsBody(within = report) {
  const data = ranksOf(within);
  if (!data || data.ranks < 2) return null;
  const made = [[data.waited, "s", "wait for"], [data.sent, "bytes", "receive from"]].filter(([values]) => ends(values)[1] > 0);
  return made.length ? element("div", {class: "pair"}, ...made.map(([values, unit, verb]) => blocksPicture(data, values, unit, verb))) : null;
}
