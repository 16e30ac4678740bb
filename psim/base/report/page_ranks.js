/* ---- ranks over time: what netlink/analysis/timeline_write.c packs ---- */
const SYMBOLS = "#$%&'()*+,-.0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
const CELL_SHARE = 34; /* a cell has the shares of its states in steps of 1 / 34 */
const SYMBOL_MOST = SYMBOLS.length ** 2 - 1;

/* Numbers of two symbols each. */
function unpack(text) {
  const value = new Uint8Array(128), made = new Uint16Array(text.length / 2);
  for (const [n, symbol] of [...SYMBOLS].entries()) value[symbol.charCodeAt(0)] = n;
  for (let i = 0; i < made.length; i++) made[i] = value[text.charCodeAt(2 * i)] * SYMBOLS.length + value[text.charCodeAt(2 * i + 1)];
  return made;
}

/* The shares (compute, late, network) of each number of a cell. */
const CELL_SHARES = (() => {
  const made = [];
  for (let a = 0; a <= CELL_SHARE; a++)
    for (let b = 0; a + b <= CELL_SHARE; b++)
      for (let c = 0; a + b + c <= CELL_SHARE; c++) made.push(a / CELL_SHARE, b / CELL_SHARE, c / CELL_SHARE);
  return new Float32Array(made);
})();

const PS = 1e-12, TIMELINE_HEIGHT = 400;

/* States of each rank: {from, late, to, call, peer}, in seconds; call 0 is computation. */
function unpackBars(text) {
  const ranks = new Map();
  for (const part of (text || "").split(" ").filter(Boolean)) {
    const [rank, list] = part.split(":");
    let at = 0;
    ranks.set(Number(rank), list.split(";").filter(Boolean).map(bar => {
      const [gap, length, call = 0, late = 0, peer = 0] = bar.split(",").map(Number), from = at + gap;
      at = from + length;
      return {from: from * PS, late: (from + late) * PS, to: at * PS, call, peer};
    }));
  }
  return ranks;
}

function unpackArrows(text) {
  return (text || "").split(";").filter(Boolean).map(arrow => {
    const [src, dst, bytes, sent, time] = arrow.split(",").map(Number);
    return {src, dst, bytes, from: sent * PS, to: (sent + time) * PS};
  });
}

/* Steps of the critical path: {from, to, rank, origin}. */
function unpackPath(text) {
  let at = 0;
  return (text || "").split(";").filter(Boolean).map(step => {
    const [length, rank, origin = rank] = step.split(",").map(Number), from = at;
    at += length;
    return {from: from * PS, to: at * PS, rank, origin};
  });
}

/* The timeline of a report, unpacked once; null: it has none. */
const unpacked = new WeakMap();
function ranksOf(within = report) {
  const group = find("timeline", within);
  if (!group) return null;
  if (unpacked.has(group)) return unpacked.get(group);
  const value = name => valueOf(`timeline.${name}`, within), numbers = name => (value(name) || "").split(",").map(Number);
  const made = {
    ranks: value("ranks"), seconds: value("seconds"), from: value("window_from"), to: value("window_to"), states: value("states"), messages: value("messages"), block: value("block"),
    levels: rowsOf("timeline.levels", within).map(level => ({...level, cells: unpack(level.cells), ends: unpack(level.ends)})),
    phases: rowsOf("timeline.phases", within).map(row => ({...row, ranks: unpack(row.ranks)})),
    calls: rowsOf("timeline.calls", within).map(row => row.call),
    bars: unpackBars(value("bars")), arrows: unpackArrows(value("arrows")), path: unpackPath(value("path")),
    axis: value("seconds"), high: TIMELINE_HEIGHT, /* of the time axis; px of the picture */
    waited: numbers("waited").map(ps => ps * PS), sent: numbers("sent"),
  };
  unpacked.set(group, made);
  return made;
}

/* "rank 3", or "ranks 8 to 15". */
function ranksText(first, end) {
  return end - first > 1 ? `ranks ${first} to ${end - 1}` : `rank ${first}`;
}

/* ---- density: the shares of states in a part of the run ---- */
const STATES = [["computes", COLOUR.BLUE], ["waits until the other side begins", COLOUR.GREY], ["waits for messages under way", COLOUR.VERMILION], ["in calls", COLOUR.ORANGE]];

/* The level whose cells are finest, in the coarser of their two directions, when `view` has width x height pixels. */
function levelFor(data, view, width, height) {
  const coarse = level => Math.max(level.interval / (view.to - view.from) * width, level.group / (view.end - view.first) * height);
  return data.levels.reduce((best, level) => coarse(level) < coarse(best) - 1e-9 ? level : best);
}

/* Adds the shares of a level's cells from time `from` to `to`, of rows a up to b, to sum[5]: the states, and ended. */
function sumCells(data, level, a, b, from, to, sum) {
  const first = Math.min(level.columns - 1, Math.floor(from / level.interval)), last = Math.min(level.columns, Math.max(first + 1, Math.ceil(to / level.interval - 1e-9)));
  sum.fill(0);
  for (let row = a; row < b; row++) {
    const ends = level.ends[row] / SYMBOL_MOST * data.seconds;
    for (let column = first; column < last; column++) {
      const begin = column * level.interval, alive = Math.max(0, Math.min(1, (ends - begin) / Math.min(level.interval, data.seconds - begin || level.interval)));
      const whole = Math.min(1, (data.seconds - begin) / level.interval) || 1, at = 3 * level.cells[row * level.columns + column];
      let known = 0;
      for (let k = 0; k < 3; k++) {
        const share = CELL_SHARES[at + k] / whole;
        sum[k] += share;
        known += share;
      }
      sum[3] += Math.max(0, alive - known);
      sum[4] += Math.max(0, 1 - Math.max(alive, known));
    }
  }
  const all = (b - a) * (last - first) || 1;
  for (let k = 0; k < 5; k++) sum[k] /= all;
  return sum;
}

/* The colours of states as numbers. */
const STATE_RGB = STATES.map(([, colour]) => [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16)));

/* Draws the shares of each pixel as a mixture of the states' colours. */
function drawDensity(canvas, data, view) {
  const {width, height} = canvas, pen = canvas.getContext("2d"), picture = pen.createImageData(width, height);
  const level = levelFor(data, view, width, height), sum = new Float64Array(5), time = (view.to - view.from) / width, ranks = (view.end - view.first) / height;
  for (let y = 0, before = -1; y < height; y++) {
    const a = Math.min(level.rows - 1, Math.floor((view.first + y * ranks) / level.group));
    const b = Math.min(level.rows, Math.max(a + 1, Math.floor((view.first + (y + 1) * ranks) / level.group)));
    if (b === a + 1 && a === before) { /* the same row of cells */
      picture.data.copyWithin(4 * y * width, 4 * (y - 1) * width, 4 * y * width);
      continue;
    }
    before = b === a + 1 ? a : -1;
    for (let x = 0; x < width && view.from + x * time < data.seconds; x++) {
      sumCells(data, level, a, b, view.from + x * time, view.from + (x + 1) * time, sum);
      const alive = sum[0] + sum[1] + sum[2] + sum[3], at = 4 * (y * width + x);
      for (let c = 0; c < 3; c++) picture.data[at + c] = alive > 0 ? STATE_RGB.reduce((mixed, rgb, k) => mixed + rgb[c] * sum[k], 0) / alive : 0;
      picture.data[at + 3] = 255 * Math.min(1, alive);
    }
  }
  pen.putImageData(picture, 0, 0);
}

/* ---- single states ---- */
const BARS_AT_ONCE = 6000, ARROWS_AT_ONCE = 800, RANK_LEAST = 4; /* px: of a rank whose states are drawn singly */

/* The states in view, if they are kept and their bars fit; or null. */
function barsIn(data, view, height) {
  if (!data.bars.size || (view.end - view.first) * RANK_LEAST > height) return null;
  const shown = [];
  for (let rank = Math.floor(view.first); rank < view.end; rank++)
    for (const bar of data.bars.get(rank) || [])
      if (bar.to > view.from && bar.from < view.to && shown.push({...bar, rank}) > BARS_AT_ONCE) return null;
  return shown;
}

/* The messages in view, from or to its ranks, if they are few; or null. */
function arrowsIn(data, view, height) {
  if ((view.end - view.first) * RANK_LEAST > height) return null;
  const seen = rank => rank >= Math.floor(view.first) && rank < view.end;
  const shown = data.arrows.filter(arrow => arrow.to >= view.from && arrow.from <= view.to && (seen(arrow.src) || seen(arrow.dst)));
  return shown.length <= ARROWS_AT_ONCE ? shown : null;
}

/* Functions from times and ranks to pixels of the canvas; ranks have their middle. */
function placesOf(canvas, view) {
  const high = canvas.height / (view.end - view.first);
  return {x: time => (time - view.from) / (view.to - view.from) * canvas.width, y: rank => (rank + .5 - view.first) * high, high};
}

/* The time at which a rank has ended, or its last state that is known. */
function endOf(data, rank) {
  const each = data.levels.find(level => level.group === 1);
  return each ? each.ends[rank] / SYMBOL_MOST * data.seconds : data.bars.get(rank).at(-1).to;
}

function drawBars(canvas, data, view, bars) {
  const pen = canvas.getContext("2d"), {x, y, high} = placesOf(canvas, view), height = Math.max(1, high * .8);
  const box = (rank, from, to, colour) => {
    pen.fillStyle = colour;
    pen.fillRect(x(from), y(rank) - height / 2, Math.max(.5, x(to) - x(from)), height);
  };
  for (let rank = Math.floor(view.first); rank < view.end; rank++) { /* a rank without a state is in calls until it ends */
    if (!data.bars.get(rank)?.length) continue;
    const from = Math.max(view.from, data.from), to = Math.min(view.to, data.to, endOf(data, rank));
    if (to > from) box(rank, from, to, STATES[3][1]);
  }
  for (const bar of bars) {
    if (!bar.call) { box(bar.rank, bar.from, bar.to, STATES[0][1]); continue; }
    if (bar.late > bar.from) box(bar.rank, bar.from, bar.late, STATES[1][1]);
    if (bar.to > bar.late) box(bar.rank, bar.late, bar.to, STATES[2][1]);
  }
}

function drawLines(canvas, view, lines, colour, width) {
  const pen = canvas.getContext("2d"), {x, y} = placesOf(canvas, view);
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.beginPath();
  for (const {from, to, src, dst} of lines) {
    pen.moveTo(x(from), y(src));
    pen.lineTo(x(to), y(dst));
  }
  pen.stroke();
}

/* An arrow's head at its end. */
function drawHeads(canvas, view, arrows, colour) {
  const pen = canvas.getContext("2d"), {x, y} = placesOf(canvas, view), size = 5 * canvas.scale;
  pen.fillStyle = colour;
  for (const {from, to, src, dst} of arrows) {
    const [dx, dy] = [x(to) - x(from), y(dst) - y(src)], length = Math.hypot(dx, dy) || 1, [ux, uy] = [dx / length * size, dy / length * size];
    pen.beginPath();
    pen.moveTo(x(to), y(dst));
    pen.lineTo(x(to) - ux - uy / 2, y(dst) - uy + ux / 2);
    pen.lineTo(x(to) - ux + uy / 2, y(dst) - uy - ux / 2);
    pen.fill();
  }
}

const PATH_COLOUR = "#000000"; /* on a white edge, to be seen on all states */

function drawPath(canvas, view, path) {
  const lines = path.filter(step => step.to >= view.from && step.from <= view.to).map(step => ({from: step.from, to: step.to, src: step.origin, dst: step.rank}));
  drawLines(canvas, view, lines, "#ffffff", 4 * canvas.scale);
  drawLines(canvas, view, lines, PATH_COLOUR, 1.8 * canvas.scale);
}
