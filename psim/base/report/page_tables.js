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

/* The text of a number of a comparison, in whose rows the last cell is the unit; null of other cells. */
function ofUnit(table, i, row) {
  return table.n === "differences" && i && typeof row[i] === "number" && table.c[i][0].length === 1 ? brief(row[i], row[row.length - 1]) : null;
}

/* The cells of a row; a share has a bar behind it as long as the share of the largest. */
function cellsOf(table, formats, row, path) {
  return row.map((cell, i) => {
    const [name, unit] = table.c[i], format = formats[i];
    const bar = format.numeric && table.r.length > 2 && (unit === "%" || name === "energy" || name === "cycles") && format.most > 0 && cell > 0;
    const style = bar ? `background:linear-gradient(to left, var(--bar) ${(100 * cell / format.most).toFixed(1)}%, transparent 0)` : false;
    const kind = format.numeric ? "number" : ["instruction", "address", "text"].includes(name) ? "code" : name === "meaning" || name === "why" ? "meaning" : false;
    return element("td", {class: kind, style}, ofUnit(table, i, row) ?? (name === "place" ? placeLink(path, cell) : format.text(cell)));
  });
}

/* Views of a table beside the table itself: name, and a function of the filtered rows that draws. */
function viewsOf(table, path) {
  const numeric = table.c.map((column, i) => i).filter(i => table.r.some(row => typeof row[i] === "number"));
  const share = numeric.find(i => ["share", "energy", "area", "seconds"].includes(table.c[i][0])) ?? numeric[0];
  const views = [];
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
    views.push(["curves", [], rows => () => curves(table, rows, largest(table, numeric.slice(1), 8))]);
  if (overTime && path.endsWith(".parts"))
    views.push(["areas", [], rows => () => areas(table, rows, numeric.slice(1).filter(at => table.c[at][1] === "%" && table.r.some(row => row[at] > 0)))]);
  const first = path === "cycle_stack" || /^(energy|area)\.(units|stages)$/.test(path) ? "bars"
    : /designs$/.test(path) && numeric.length > 1 && table.r.length > 3 ? "points" : overTime ? views[views.length - 1][0] : "table";
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

function tableView(table, path) {
  const formats = table.c.map((column, i) => columnFormat(table, i));
  const {views, first, numeric} = viewsOf(table, path), overTime = views.some(([name]) => name === "curves");
  const state = {view: first, text: "", sort: null, down: true, most: ROWS_AT_ONCE, columns: Object.fromEntries(views.map(view => [view[0], [...view[1]]]))};
  const rowsNow = () => filtered(table, overTime ? inSpan(table.r) : table.r, state.text);
  const tools = element("div", {class: "tools"}), body = element("div", {class: "scroll"});
  const count = element("span", {class: "quiet"});

  function drawTable(rows) {
    const head = element("tr", {}, ...table.c.map(([name], i) => withKeys(element("th", {
      class: formats[i].numeric ? "number" : false, scope: "col", title: "sort by this column",
      "aria-sort": state.sort === i ? (state.down ? "descending" : "ascending") : false,
      onclick: () => { state.down = state.sort === i ? !state.down : formats[i].numeric; state.sort = i; draw(); },
    }, words(name, table.c[i][1]) + (state.sort === i ? (state.down ? " \u25be" : " \u25b4") : ""), element("small", {}, formats[i].unit || "\u00a0")))));
    const shown = sorted(rows, state.sort, state.down).slice(0, state.most);
    body.append(element("table", {}, element("thead", {}, head),
      element("tbody", {}, ...shown.map(row => element("tr", {}, ...cellsOf(table, formats, row, path))))));
    if (!rows.length) body.append(element("p", {class: "quiet"}, state.text ? "no row satisfies the filter" : "no rows"));
    if (shown.length < rows.length)
      body.append(element("button", {onclick: () => { state.most *= 10; draw(); }}, `${rows.length - shown.length} more rows`));
  }

  function draw() {
    const rows = rowsNow();
    const view = views.find(([name]) => name === state.view);
    count.textContent = state.text ? `${rows.length} of ${table.r.length} rows` : "";
    body.replaceChildren();
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
  draw();
  return element("div", {}, tools.childNodes.length ? tools : null, body);
}

