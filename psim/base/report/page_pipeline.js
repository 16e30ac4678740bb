/* ---- the pipeline of the hottest loops ---- */
/* Stages by kind: F fetches and decodes, W waits, X executes, M is memory, C commits. */
const STAGE_KINDS = {
  F: ["fetch and decode", PARTS.fetch], W: ["waits", COLOUR.GREY + "90"], X: ["selected and executed", PARTS.execution], M: ["L1D", PARTS.load_store],
  miss: ["beyond L1D", PARTS.memory], C: ["result and commit", PARTS.used], A: ["array", PARTS.array],
};
const STAGES = {
  IA: "F", IT: "F", IM: "F", IB: "F", IR: "F", Ibuf: "W", E: "F", D: "F", Dw: "W", RS: "W", RSp: "W", Pundo: "W", P: "X", B: "X", X: "X",
  Psw: "W", wait: "W", PEw: "W", Ps: "M", Ts: "M", Ms: "M", Bs: "M", Rs: "M", miss: "miss", U: "C", Ww: "W", W: "C",
  C: "A", W1: "A", Pp: "A", Bp: "A", Xp: "A", SBM: "A",
};

/* The stages of a row: name, first cycle, cycles, and what it waits for. */
function stagesOf(row) {
  let from = row.begin;
  return row.stages.split(";").filter(Boolean).map(text => {
    const [name, length, ...why] = text.split(","), stage = {name, from, length: Number(length), why: why.join(",")};
    from += stage.length;
    return stage;
  });
}

/* The instructions of one place, a line each, a column a cycle; to scroll. */
function pipelinePicture(rows) {
  const first = ends(rows.map(row => row.begin))[0], all = rows.map(stagesOf);
  const last = ends(all.map(stages => stages.reduce((end, stage) => stage.from + stage.length, 0)))[1];
  const cycle = last - first <= 600 ? 12 : Math.max(2, 7200 / (last - first)), height = 17, top = 20;
  const size = {width: Math.ceil((last - first) * cycle) + 20, height: top + rows.length * height};
  const fixed = (width, height) => `width:${width}px;height:${height}px`;
  const labels = element("svg", {class: "labels", style: fixed(430, size.height)});
  const picture = element("svg", {viewBox: `0 0 ${size.width} ${size.height}`, class: "stages", role: "img", preserveAspectRatio: "none", style: fixed(size.width, size.height)});
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find(candidate => candidate * cycle >= 60) || 10000;
  const area = element("div", {class: "pipeline"}, labels, picture);
  labels.append(element("text", {class: "quiet", x: 0, y: 13}, "instruction"), element("text", {class: "quiet", x: 422, y: 13, "text-anchor": "end"}, "cycle"));
  for (let at = Math.ceil(first / step) * step; at <= last; at += step)
    picture.append(element("line", {class: "grid", x1: (at - first) * cycle, x2: (at - first) * cycle, y1: 4, y2: size.height}),
      element("text", {class: "quiet", x: (at - first) * cycle + 3, y: 13}, at));
  rows.forEach((row, i) => {
    const y = top + i * height;
    labels.append(
      element("text", {class: "code", x: 0, y: y + 12, onclick: () => { area.scrollLeft = (row.begin - first) * cycle - 20; }},
        shorten(`${row.address} ${row.instruction}`, 44)),
      element("text", {class: "quiet", x: 422, y: y + 12, "text-anchor": "end"}, shorten(row.source || "", 16)));
    for (const stage of all[i])
      picture.append(withTip(element("rect", {class: "mark", x: (stage.from - first) * cycle, y: y + 2, width: Math.max(1, stage.length * cycle - 1),
        height: height - 4, fill: STAGE_KINDS[STAGES[stage.name] || "W"][1]}),
        `${row.instruction}\n${stage.name}, ${stage.length} cycle${stage.length > 1 ? "s" : ""} from ${stage.from}` +
        (stage.why ? `\nwaits for: ${stage.why}` : "") + (row.note ? `\n${row.note}` : "")));
  });
  return area;
}

/* A picture for each place of the table pipeline. */
function pipelinePictures(table) {
  const rows = objectsOf(table), places = [...new Set(rows.map(row => row.place))];
  const legend = element("div", {class: "legend"}, ...Object.values(STAGE_KINDS).filter(([name]) => name !== "array" || find("array")).map(([name, colour]) =>
    element("span", {}, element("i", {style: `background:${colour}`}), name)));
  return element("div", {}, legend, ...places.flatMap(place => [
    element("h3", {}, place, " ", element("span", {class: "quiet hint"}, "scroll; a click on an instruction shows its begin")),
    pipelinePicture(rows.filter(row => row.place === place))]));
}
