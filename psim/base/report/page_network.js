/* ---- the network: its links coloured by their use, in an interval that a slider chooses, or over the run ---- */
const MAP_SIDE = 1000, MAP_LETTERS = ["(", "Z"].map(letter => letter.charCodeAt(0)), MAP_NAMED = 100, MAP_DOWN = "!".charCodeAt(0);

/* What the report has of the network, as numbers; null: nothing. */
function networkMap() {
  if (!find("network_map")) return null;
  const rows = name => String(valueOf(`network_map.${name}`)).split(";").map(row => row.split(","));
  const lines = rows("lines").map(row => row.map(Number)), letters = String(valueOf("network_map.use"));
  const intervals = valueOf("network_map.intervals"), use = new Float32Array(letters.length);
  for (let i = 0; i < use.length; i++) use[i] = letters.charCodeAt(i) === MAP_DOWN ? -1 : (letters.charCodeAt(i) - MAP_LETTERS[0]) / (MAP_LETTERS[1] - MAP_LETTERS[0]);
  return {routers: rows("routers").map(([x, y, ...name]) => ({x: Number(x), y: Number(y), name: name.join(",")})),
    lines, use, intervals, interval: valueOf("network_map.interval")};
}

/* The use of a line in interval `at`, negative if it is down; -1: mean of all, down at the end counts as down. */
function lineUse(map, line, at) {
  if (at >= 0) return map.use[at * map.lines.length + line];
  let sum = 0;
  if (map.use[(map.intervals - 1) * map.lines.length + line] < 0) return -1;
  for (let i = 0; i < map.intervals; i++) sum += Math.max(map.use[i * map.lines.length + line], 0);
  return sum / map.intervals;
}

function useText(use) {
  return use < 0 ? "down" : `${(100 * use).toFixed(0)} %`;
}

function linePath(map, [low, high, bend]) {
  const a = map.routers[low], b = map.routers[high], x = (a.x + b.x) / 2 - bend * (b.y - a.y), y = (a.y + b.y) / 2 - bend * (b.x - a.x);
  return `M${a.x} ${a.y}` + (bend ? `Q${x} ${y} ${b.x} ${b.y}` : `L${b.x} ${b.y}`);
}

function networkBody() {
  const map = networkMap();
  if (!map) return null;
  let shown = -1; /* interval; -1: all */
  const half = map.routers.length <= MAP_NAMED ? 14 : map.routers.length <= 300 ? 5 : 3;
  const picture = element("svg", {viewBox: `-60 -60 ${MAP_SIDE + 120} ${MAP_SIDE + 120}`, style: "max-width: 720px; width: 100%"});
  const paths = map.lines.map((line, i) => {
    const path = element("path", {d: linePath(map, line), fill: "none", "stroke-width": 4});
    path.addEventListener("pointermove", event => showTip(event, `${map.routers[line[0]].name} to ${map.routers[line[1]].name}: ${useText(lineUse(map, i, shown))}`));
    path.addEventListener("pointerleave", () => { document.getElementById("tip").hidden = true; });
    return path;
  });
  picture.append(...paths);
  for (const router of map.routers) {
    picture.append(element("rect", {x: router.x - half, y: router.y - half, width: 2 * half, height: 2 * half, rx: 3, fill: COLOUR.GREY}));
    if (map.routers.length <= MAP_NAMED) picture.append(element("text", {x: router.x, y: router.y + 5, "text-anchor": "middle", style: "font-size: 14px; fill: #000"}, router.name));
  }
  const note = element("span", {class: "quiet"});
  const show = at => {
    shown = at;
    paths.forEach((path, i) => {
      const use = lineUse(map, i, at);
      path.setAttribute("stroke", use < 0 ? COLOUR.VERMILION : orderedColour(use));
      path.setAttribute("stroke-dasharray", use < 0 ? "10 8" : "none");
      path.setAttribute("stroke-width", use < 0 ? 3 : 2 + 8 * use);
    });
    note.textContent = at < 0 ? "whole run, mean" : `${brief(at * map.interval, "s")} to ${brief((at + 1) * map.interval, "s")}`;
  };
  const slider = element("input", {type: "range", min: 0, max: map.intervals - 1, value: 0, style: "width: 50%", "aria-label": "time", oninput: () => show(Number(slider.value))});
  show(-1);
  const scale = [0, .25, .5, .75, 1].map(use => element("span", {}, element("i", {style: `background:${orderedColour(use)}`}), `${100 * use} %`));
  if (map.use.some(use => use < 0)) scale.push(element("span", {}, element("i", {style: `background:${COLOUR.VERMILION}`}), "down"));
  return element("div", {}, element("div", {}, slider, " ", element("button", {onclick: () => show(-1)}, "whole run"), " ", note), picture,
    element("div", {class: "legend"}, ...scale));
}
