/* ---- tables ---- */
const ROWS_AT_ONCE = 200;

/* Rows that contain all words of the filter. A word like ipc>1.5 compares a column. */
function filtered(table, rows, text) {
  const tests = text.toLowerCase().split(/\s+/).filter(Boolean).map(word => {
    const compare = word.match(/^(\w+)(<=|>=|=|<|>)(-?[\d.e+-]+)$/);
    const at = compare ? table.c.findIndex(([name]) => name.toLowerCase() === compare[1]) : -1;
    if (at < 0) return row => row.some(cell => String(cell).toLowerCase().includes(word));
    const limit = Number(compare[3]);
    return row => ({"<": row[at] < limit, ">": row[at] > limit, "<=": row[at] <= limit, ">=": row[at] >= limit, "=": row[at] === limit})[compare[2]];
  });
  return rows.filter(row => tests.every(test => test(row)));
}

function sorted(rows, at, down) {
  if (at === null) return rows;
  const order = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", {numeric: true});
  return [...rows].sort((a, b) => down ? order(b[at], a[at]) : order(a[at], b[at]));
}

/* Cells that are not in their column's unit: of a comparison, whose last cell is the unit, and of a model's terms; null of others. */
function ofUnit(table, i, row) {
  if (typeof row[i] !== "number") return null;
  if (table.n === "differences" && i && table.c[i][0].length === 1) return brief(row[i], row[row.length - 1]);
  return table.n === "terms" && find("model") && table.c[i][0] !== "sum" ? coefficient(row[i], termOf(row)) : null;
}

/* ---- columns that fit the window ---- */
const COLUMN_GAP = 12, LEAST_TEXT = 130; /* px: between columns; a column of sentences, which wraps */

/* The width of a text in a table, in px. */
const measure = element("canvas").getContext("2d");
function textWidth(text, weight) {
  measure.font = `${weight} 15px system-ui, "DejaVu Sans", sans-serif`;
  return measure.measureText(text).width;
}

/* The room beside the other parts of the page. */
function tableRoom() {
  const main = document.getElementById("main"), style = getComputedStyle(main);
  return main.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
}

/* The parts of a name between which a line may break. */
function nameParts(name) {
  return name.split(/(?<=[._ ])/);
}

/* A name that breaks behind a point or underscore rather than being wide. */
function breakable(name) {
  return nameParts(name).flatMap((part, n) => n ? [element("wbr"), part] : [part]);
}

function columnWidth(table, formats, at) {
  const [name, unit] = table.c[at];
  if (wraps(name)) return LEAST_TEXT;
  const widest = (texts, weight) => texts.reduce((most, text) => Math.max(most, textWidth(text, weight)), 0);
  const cells = table.r.slice(0, ROWS_AT_ONCE).map(row => String(ofUnit(table, at, row) ?? formats[at].text(row[at])));
  return Math.max(widest(nameParts(words(name, unit)).map(part => part.trim()), 600), widest([formats[at].unit, ...longest(cells)], 400)) + COLUMN_GAP;
}

/* The longest of some texts by their letters. */
function longest(texts) {
  const most = texts.reduce((length, text) => Math.max(length, text.length), 0);
  return texts.filter(text => text.length > .8 * most).slice(0, 20);
}

function wraps(name) {
  return ["meaning", "why", "cost", "about", "warning"].includes(name);
}

/* The order in which columns matter: of designs the figures, then what differs; of others as they are. */
function columnOrder(table) {
  const all = [...table.c.keys()];
  if (!table.c.some(([name]) => name.includes("."))) return all;
  const differs = at => table.r.some(row => row[at] !== table.r[0][at]);
  const rank = at => {
    const [name] = table.c[at], figure = ["seconds", "system_j", "area_mm2"].indexOf(name);
    if (!at && !name.includes(".")) return 0;
    if (figure >= 0) return 1 + figure;
    return (name.includes(".") ? 4 : 5) + (differs(at) ? 0 : 2);
  };
  return all.sort((a, b) => rank(a) - rank(b) || a - b);
}

/* The columns in which a row has anything. */
function filledColumns(table) {
  return [...table.c.keys()].filter(at => !table.r.length || table.r.some(row => row[at] !== "" && row[at] !== null));
}

/* The columns that the window has room for, in their order; where all do not fit, those that matter most. */
function fittingColumns(table, formats, filled) {
  const widths = table.c.map((column, at) => columnWidth(table, formats, at));
  let room = tableRoom();
  const kept = columnOrder(table).filter(at => filled.includes(at)).filter((at, n) => {
    const fits = n < 2 || widths[at] <= room;
    room -= fits ? widths[at] : Infinity;
    return fits;
  });
  return kept.sort((a, b) => a - b);
}

/* The cells of a row; a share has a bar behind it as long as the share of the largest. */
function cellsOf(table, formats, row, path, columns) {
  return columns.map(i => {
    const cell = row[i], [name, unit] = table.c[i], format = formats[i];
    const bar = format.numeric && table.r.length > 2 && (unit === "%" || name === "energy" || name === "cycles") && format.most > 0 && cell > 0;
    const style = bar ? `background:linear-gradient(to left, var(--bar) ${(100 * cell / format.most).toFixed(1)}%, transparent 0)` : false;
    const kind = format.numeric ? "number" : ["instruction", "address", "text"].includes(name) ? "code" : wraps(name) ? "meaning" : false;
    return element("td", {class: kind, style}, ofUnit(table, i, row) ?? (name === "place" ? placeLink(path, cell) : format.text(cell)));
  });
}

/* Whether a column is where the interval of each row ends, which begins in the first column: a bound, not a value. */
function endsRows(table, at) {
  return table.c[at][1] === table.c[0][1] &&
    table.r.every((row, n) => row[at] > row[0] && (n + 1 === table.r.length || row[at] <= table.r[n + 1][0]));
}

/* The columns of a table over time that a picture has in one unit, which is that of most; of psim's tables all. */
function curveColumns(table, columns) {
  if (!table.n.startsWith("series_")) return columns;
  const count = unit => columns.filter(at => table.c[at][1] === unit).length, units = [...new Set(columns.map(at => table.c[at][1]))];
  const most = units.reduce((best, unit) => count(unit) > count(best) ? unit : best, units[0]);
  return columns.filter(at => table.c[at][1] === most && table.r.some(row => row[at] > 0));
}

/* Views of a table beside the table itself: name, and a function of the filtered rows that draws. */
function viewsOf(table, path) {
  const numeric = table.c.map((column, i) => i).filter(i => table.r.some(row => typeof row[i] === "number"));
  const share = numeric.find(i => ["share", "energy", "area", "seconds"].includes(table.c[i][0])) ?? numeric[0];
  const views = [];
  if (table.n === "calls") return {views: [["flame", [], rows => () => flame(table, rows)]], first: table.r.length ? "flame" : "table", numeric};
  if (table.n === "pipeline") return {views: [["picture", [], () => () => pipelinePictures(table)]], first: table.r.length ? "picture" : "table", numeric};
  if (path === "differences") return {views, first: "table", numeric};
  const named = table.r.length > 0 && typeof table.r[0][0] === "string";
  const meaning = table.c.findIndex(([name]) => name === "meaning"), part = table.c.findIndex(([name]) => name === "part");
  if (named && share !== undefined && table.r.length > 1)
    views.push(["bars", [share], rows => at => bars(rows.map(row => ({name: row[0], value: row[at[0]], meaning: row[meaning],
      colour: part > 0 ? partColour(row[part]) : undefined})),
      value => quantity(value, table.c[at[0]][1]))]);
  if (numeric.length > 1 && table.r.length > 3) {
    const pick = names => names.map(name => numeric.find(i => table.c[i][0] === name)).find(i => i !== undefined);
    const [frontX, frontY] = objectivesOf(table);
    const x = pick([frontX, "area_mm2", "area"]) ?? numeric[0], y = pick([frontY, "system_j", "energy_j", "seconds", "energy"]) ?? numeric[1];
    const z = table.c.findIndex(([name]) => name === "front");
    views.push(["points", [x, y, z, -1], rows => at => scatter(table, rows, ...at)]);
    if (/designs$/.test(path)) views.push(["parallel", [null, null, pick(["system_j"]) ?? z], rows => at => parallel(table, rows, at[2])]);
  }
  const overTime = /^(s|cycles|ps)$/.test(table.c[0][1]) && numeric[0] === 0 && numeric.length > 1 && table.r.length > 2;
  if (overTime)
    views.push(["curves", [], rows => () => curves(table, rows, largest(table, curveColumns(table, numeric.slice(1).filter(at => !endsRows(table, at))), 8))]);
  if (overTime && path.endsWith(".parts"))
    views.push(["areas", [], rows => () => areas(table, rows, numeric.slice(1).filter(at => table.c[at][1] === "%" && table.r.some(row => row[at] > 0)))]);
  const first = path === "cycle_stack" || /^(energy|area)\.(units|stages)$/.test(path) ? "bars"
    : overTime ? views[views.length - 1][0] : "table";
  return {views, first, numeric};
}

/* Selects the column for a place of a picture: x, y, the colour, which may be none and is any column, the size. */
const PLACES = ["x: ", "y: ", "colour: ", "size: "];

function columnChoice(table, numeric, chosen, place, change, alone) {
  const select = element("select", {"aria-label": "column", onchange: () => change(place, Number(select.value))});
  const columns = place < 2 ? numeric : [-1, ...(place === 2 ? table.c.keys() : numeric)];
  for (const i of columns) {
    const option = element("option", {value: i}, (alone ? "" : PLACES[place]) + (i < 0 ? "one" : titleOf(table.c[i]).replace(/:$/, "")));
    option.selected = i === chosen;
    select.append(option);
  }
  return select;
}

/* What shows all columns of tables on paper, which has more room. */
const papers = [];

function tableView(table, path) {
  const formats = table.c.map((column, i) => columnFormat(table, i));
  const {views, first, numeric} = viewsOf(table, path), overTime = views.some(([name]) => name === "curves");
  const state = {view: first, text: "", sort: null, down: true, most: ROWS_AT_ONCE, columns: Object.fromEntries(views.map(view => [view[0], [...view[1]]]))};
  const rowsNow = () => filtered(table, overTime ? inSpan(table.r) : table.r, state.text);
  const tools = element("div", {class: "tools"}), body = element("div", {class: "scroll"});
  const count = element("span", {class: "quiet"});

  /* A button that shows the columns which the window has no room for. */
  function moreColumns(hidden) {
    return element("button", {class: "more", onclick: () => { state.whole = !state.whole; draw(); }}, state.whole ? "columns that fit" : `${hidden} more column${hidden > 1 ? "s" : ""}`);
  }

  function drawTable(rows) {
    const filled = filledColumns(table), fitting = fittingColumns(table, formats, filled), columns = state.whole ? filled : fitting;
    if (fitting.length < filled.length) tools.insertBefore(moreColumns(filled.length - fitting.length), tools.querySelector(".copy"));
    const units = columns.some(i => formats[i].unit);
    const head = element("tr", {}, ...columns.map(i => [table.c[i], i]).map(([[name], i]) => withKeys(element("th", {
      class: formats[i].numeric ? "number" : false, scope: "col", title: "sort by this column",
      "aria-sort": state.sort === i ? (state.down ? "descending" : "ascending") : false,
      onclick: () => { state.down = state.sort === i ? !state.down : formats[i].numeric; state.sort = i; draw(); },
    }, ...breakable(words(name, table.c[i][1])), state.sort === i ? (state.down ? " \u25be" : " \u25b4") : "", units ? element("small", {}, formats[i].unit || "\u00a0") : null))));
    const shown = sorted(rows, state.sort, state.down).slice(0, state.most);
    body.append(element("table", {}, element("thead", {}, head),
      element("tbody", {}, ...shown.map(row => element("tr", {}, ...cellsOf(table, formats, row, path, columns))))));
    if (table.m) body.append(element("p", {class: "quiet"}, `the page has the ${table.r.length} largest of ${table.r.length + table.m} rows; --json has all`));
    if (!rows.length) body.append(element("p", {class: "quiet"}, state.text ? "no row satisfies the filter" : "no rows"));
    if (shown.length < rows.length)
      body.append(element("button", {onclick: () => { state.most *= 10; draw(); }}, `${rows.length - shown.length} more rows`));
  }

  function draw() {
    const rows = rowsNow();
    const view = views.find(([name]) => name === state.view);
    count.textContent = state.text ? `${rows.length} of ${table.r.length} rows` : "";
    body.replaceChildren();
    tools.querySelectorAll(".more").forEach(button => button.remove());
    tools.querySelectorAll("button:not(.copy)").forEach(button => button.setAttribute("aria-pressed", button.textContent === state.view));
    tools.querySelectorAll("select").forEach(select => select.remove());
    if (!view) { drawTable(rows); return; }
    const at = state.columns[state.view];
    at.forEach((chosen, place) => chosen !== null && tools.append(columnChoice(table, numeric, chosen, place, (where, column) => { at[where] = column; draw(); }, at.length === 1)));
    body.append(view[2](rows)(at));
  }

  if (views.length)
    for (const name of ["table", ...views.map(([view]) => view)])
      tools.append(element("button", {onclick: () => { state.view = name; draw(); }}, name));
  if (table.r.length > 8) {
    const input = element("input", {type: "search", placeholder: "filter: words, ipc>1.5", "aria-label": "filter",
      oninput: () => { state.text = input.value; noteFilter(path, state.text); draw(); }});
    tools.append(input, count);
    shownTables.set(path, {show: text => { input.value = state.text = text; state.view = "table"; draw(); }});
  }
  if (table.r.length) tools.append(copyButton(table, () => sorted(rowsNow(), state.sort, state.down)));
  if (overTime) spanned.push(draw);
  papers.push(() => { state.whole = true; draw(); });
  draw();
  return element("div", {}, tools.childNodes.length ? tools : null, body);
}

