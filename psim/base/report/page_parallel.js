/* ---- parallel coordinates: a line a row, an axis a column ---- */
const LINES_AT_ONCE = 1500, AXES_AT_ONCE = 14;

/* The columns with more than one value: first what was varied, then figures, of which a few. */
function parallelColumns(table) {
  const varied = table.c.map((column, at) => at).filter(at => table.c[at][0] !== "front" && table.r.some(row => row[at] !== table.r[0][at]));
  const readings = /_(low|high)_|^memory_j$/;
  return varied.filter(at => !readings.test(table.c[at][0])).slice(0, AXES_AT_ONCE);
}

/* A function from the cells of a column to heights, and the marks beside the axis. */
function parallelAxis(table, at, top, bottom) {
  const cells = table.r.map(row => row[at]), [name, unit] = table.c[at];
  if (cells.every(cell => typeof cell === "number")) {
    const [from, to] = ends(cells), distinct = [...new Set(cells)].sort((a, b) => a - b);
    const even = distinct.length <= 8, place = value => even ? distinct.indexOf(value) / (distinct.length - 1 || 1) : (value - from) / (to - from || 1);
    return {name: titled(name, unit), to: value => bottom - place(value) * (bottom - top), marks: even ? distinct : [from, to], text: value => brief(value, unit)};
  }
  const texts = [...new Set(cells)];
  return {name: titled(name, unit), to: value => bottom - texts.indexOf(value) / (texts.length - 1 || 1) * (bottom - top),
    marks: texts.length <= 12 ? texts : [], text: value => shorten(String(value), 14)};
}

/* Drag along an axis selects rows on all axes together; a click on it takes that back. */
function parallelBrush(picture, x, top, bottom, chosen, change) {
  const place = event => Math.max(top, Math.min(bottom, (event.clientY - picture.getBoundingClientRect().top) / picture.getBoundingClientRect().height * 400));
  const area = element("rect", {x: x - 10, y: top - 6, width: 20, height: bottom - top + 12, fill: "transparent", style: "cursor:ns-resize"});
  let start = null;
  area.addEventListener("pointerdown", event => { start = place(event); area.setPointerCapture?.(event.pointerId); event.preventDefault(); });
  area.addEventListener("pointerup", event => {
    const span = [start, place(event)].sort((a, b) => a - b);
    if (start !== null) change(span[1] - span[0] > 3 ? span : null);
    start = null;
  });
  if (chosen) picture.append(element("rect", {class: "brush", x: x - 7, y: chosen[0], width: 14, height: chosen[1] - chosen[0]}));
  picture.append(area);
}

function parallel(table, rows, z) {
  const columns = parallelColumns(table), top = 60, bottom = 370, box = element("div", {}), chosen = new Map();
  const axes = columns.map(at => parallelAxis(table, at, top, bottom)), colour = rowColours(table, rows, z);
  const width = Math.max(WIDTH, 60 * columns.length); /* a picture that is wider than the page scrolls */
  const toX = n => 60 + n * (width - 160) / (columns.length - 1 || 1);
  const isChosen = row => [...chosen].every(([n, [from, to]]) => { const y = axes[n].to(row[columns[n]]); return y >= from - 1 && y <= to + 1; });
  function draw() {
    const picture = element("svg", {viewBox: `0 0 ${width} 400`, width, role: "img", style: width > WIDTH ? "max-width:none" : false});
    const inside = rows.filter(isChosen), step = Math.ceil(inside.length / LINES_AT_ONCE);
    for (const row of inside.filter((candidate, n) => n % step === 0))
      picture.append(withTip(element("path", {class: "mark thread", stroke: colour(row),
        d: "M" + columns.map((at, n) => `${toX(n).toFixed(1)} ${axes[n].to(row[at]).toFixed(1)}`).join("L")}),
        table.c.map(([name, unit], i) => `${words(name, unit)}: ${quantity(row[i], unit)}`).join("\n")));
    axes.forEach((axis, n) => {
      picture.append(element("line", {class: "axis", x1: toX(n), x2: toX(n), y1: top, y2: bottom}),
        element("text", {x: toX(n), y: n % 2 ? 34 : 16, "text-anchor": "middle"}, shorten(axis.name, 22)));
      for (const mark of axis.marks)
        picture.append(element("text", {class: "quiet halo", x: toX(n) + 5, y: axis.to(mark) + 4}, axis.text(mark)));
      parallelBrush(picture, toX(n), top, bottom, chosen.get(n), span => { if (span) chosen.set(n, span); else chosen.delete(n); draw(); });
    });
    box.replaceChildren(picture, element("p", {class: "quiet count"}, `${inside.length} of ${rows.length} rows` + (step > 1 ? `, 1 of ${step} drawn` : "") +
      "; drag along an axis to select, click it to see all"), colourLegend(table, z, colour) || "");
  }
  draw();
  return box;
}
