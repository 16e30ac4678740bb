/* ---- the call tree as a flame graph, and the source of a function beside it ---- */
const FRAME_HEIGHT = 20, FRAME_LEAST = .4; /* px: of a call; the narrowest that is drawn */

/* The calls of the table, whose rows are callers before their callees: {row, depth, from, parent, inside}; the sum of all. */
function callFrames(table) {
  const path = [], frames = objectsOf(table).map((row, n) => ({...row, row: table.r[n]}));
  let end = 0;
  for (const frame of frames) {
    path.length = frame.depth;
    frame.parent = path[frame.depth - 1];
    frame.from = frame.parent ? frame.parent.used : end;
    frame.used = frame.from;
    if (frame.parent) frame.parent.used += frame.cycles; else end += frame.cycles;
    path.push(frame);
  }
  return {frames, whole: end};
}

/* Black or white, whichever is readable on a colour "rgb(r g b)". */
function inkOn(colour) {
  const [red, green, blue] = colour.match(/\d+/g).map(Number);
  return .299 * red + .587 * green + .114 * blue > 140 ? "#000" : "#fff";
}

/* The rows that show a function: by source line, else by instruction; and the path of their table. */
function sourceOf(place) {
  const path = shownBy(place), table = path && !/loops$/.test(path.replace("hot_loops", "")) ? find(path) : null;
  if (!table) return null;
  const at = table.c.findIndex(([name]) => name === "place");
  return {path, rows: objectsOf({c: table.c, r: table.r.filter(row => row[at] === place || String(row[at]).startsWith(place + "+"))})};
}

/* A call in words, and its source lines or instructions with the share of each. */
function callText(frame) {
  const source = sourceOf(frame.place), rows = source ? source.rows.slice(0, 400) : [], most = ends(rows.map(row => row.share || 0))[1];
  const callers = [];
  for (let caller = frame.parent; caller; caller = caller.parent) callers.push(caller.place);
  const bar = share => share > 0 ? `background:linear-gradient(to left, var(--bar) ${(100 * share / most).toFixed(1)}%, transparent 0)` : false;
  return [
    element("h3", {}, frame.place),
    element("p", {class: "quiet"}, `${plain(frame.calls)} calls${callers.length ? " from " + callers.join(" \u2190 ") : ""}; ` +
      `${frame.share.toFixed(2)} % of the run, ${frame.self.toFixed(2)} % in itself; ${brief(frame.ipc)} instructions per cycle`),
    rows.length ? element("div", {class: "lines"}, element("table", {}, element("tbody", {}, ...rows.map(row => element("tr", {},
      element("td", {class: "quiet"}, String(row.line ?? row.address).replace(/^.*:/, "")),
      element("td", {class: "number", style: bar(row.share)}, row.share > 0 ? row.share.toFixed(2) : ""),
      element("td", {class: "code"}, row.text || row.instruction || "")))))) : element("p", {class: "quiet"}, "Neither source lines nor instructions of it are in this report: --annotate " + frame.place + " adds them."),
    rows.length && !rows.some(row => row.text) ? element("p", {class: "quiet"}, "No source: it needs a program compiled with -g, and the file where it was or below --source FOLDER.") : null,
  ].filter(Boolean);
}

/* Width of a call's bar: its cycles; below it the functions that it calls. A click shows a call alone, and its source. */
function flame(table, rows) {
  const {frames, whole} = callFrames(table), wide = tableRoom() > 800, width = wide ? Math.floor(.58 * tableRoom()) : WIDTH;
  const [slow, fast] = ends(frames.map(frame => frame.ipc)), colour = frame => orderedColour((frame.ipc - slow) / (fast - slow || 1));
  const depth = ends(frames.map(frame => frame.depth))[1] + 1, found = new Set(rows), drawing = element("div", {}), text = element("div", {});
  const hottest = frames.reduce((best, frame) => frame.self > best.self ? frame : best, frames[0]);
  let shown = null, chosen = hottest;
  const isInside = (frame, outer) => !outer || frame === outer || (frame.parent !== undefined && isInside(frame.parent, outer));
  const drawn = () => frames.filter(frame => isInside(frame, shown) || (shown && isInside(shown, frame)));

  function bar(frame, from, scale) {
    const around = shown && frame !== shown && isInside(shown, frame), x = around ? 0 : (frame.from - from) * scale, length = around ? width : frame.cycles * scale;
    if (length < FRAME_LEAST) return null;
    const fill = colour(frame), y = frame.depth * FRAME_HEIGHT, open = () => { chosen = frame; shown = frame.depth || shown ? frame === shown ? frame.parent ?? null : frame : null; draw(); };
    const made = element("g", {class: "mark call" + (frame === chosen ? " chosen" : ""), role: "button", "aria-label": `${frame.place}, ${frame.share.toFixed(1)} %`,
      onclick: open, opacity: found.has(frame.row) ? 1 : .25},
      element("rect", {x, y: y + 1, width: Math.max(FRAME_LEAST, length - 1), height: FRAME_HEIGHT - 2, fill, rx: 2}),
      length > 34 ? element("text", {x: x + 4, y: y + 14, style: `fill:${inkOn(fill)}`}, shorten(frame.place, Math.floor(length / 7.2))) : null);
    withTip(made, `${frame.place}\n${brief(frame.cycles, "cycles")}, ${frame.share.toFixed(2)} % of the run\n${frame.self.toFixed(2)} % in itself\n${plain(frame.calls)} calls, ${brief(frame.ipc)} instructions per cycle`);
    return length > 34 ? withKeys(made) : made;
  }

  function draw() {
    const from = shown ? shown.from : 0, scale = width / ((shown ? shown.cycles : whole) || 1);
    drawing.replaceChildren(element("svg", {viewBox: `0 0 ${width} ${depth * FRAME_HEIGHT}`, width, role: "group"}, ...drawn().map(frame => bar(frame, from, scale))),
      element("div", {class: "legend"}, ...[slow, (slow + fast) / 2, fast].map(ipc => element("span", {}, element("i", {style: `background:${colour({ipc})}`}), `${brief(ipc)} insn/cycle`)),
        shown ? element("button", {onclick: () => { shown = null; draw(); }}, "the whole run") : element("span", {class: "quiet hint"}, "click: a call alone, and its source")));
    text.replaceChildren(...callText(chosen));
  }
  draw();
  return element("div", wide ? {class: "beside", style: `grid-template-columns:${width}px minmax(0, 1fr)`} : {}, drawing, text);
}
