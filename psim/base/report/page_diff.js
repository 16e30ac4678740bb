/* ---- what a page of psim-diff shows first: what was changed, how much that is worth, where the slots go ---- */
/* The reports' letters and files. */
function comparedFiles() {
  return ((find("compared") || {}).i || []).filter(item => /^[a-p]$/.test(item.n));
}

/* A run beside the first one, in a sentence. */
function comparedSentence(run, first, file, changes) {
  const faster = first.seconds / run.seconds, energy = run.energy_j / first.energy_j;
  const speed = Math.abs(faster - 1) < .005 ? "as fast" : faster >= 1 ? `${faster.toFixed(2)} times as fast` : `slower: it takes ${(1 / faster).toFixed(2)} times as long`;
  return element("p", {}, element("b", {}, `${file} is ${speed}`), ` as the first, and takes ${energy < 2 ? `${(100 * energy).toFixed(1)} % of` : `${energy.toFixed(1)} times`} its energy. `,
    changes.length ? `Configured: ${changes.join(", ")}.` : "The configuration is the same.");
}

/* Where most of the time that a run has gained or lost comes from. */
function comparedParts(parts, n) {
  const names = find("parts").c.slice(1).map(([name]) => name).filter(name => name !== "used");
  const [name, from, to] = names.map(name => [name, parts[0][name] || 0, parts[n][name] || 0]).sort((a, b) => Math.abs(b[2] - b[1]) - Math.abs(a[2] - a[1]))[0];
  return `Most of the difference: ${words(name)}, ${from.toFixed(4)} to ${to.toFixed(4)} cycles per instruction.`;
}

function comparedVerdict() {
  const runs = rowsOf("runs"), parts = rowsOf("parts"), files = comparedFiles();
  if (runs.length < 2 || files.length !== runs.length || !(runs[0].seconds > 0)) return null;
  const configured = rowsOf("differences").filter(row => row.name.startsWith("config."));
  return element("div", {class: "verdict"}, ...runs.slice(1).flatMap((run, i) => {
    const letter = files[i + 1].n, changes = configured.filter(row => row[letter] !== row.a);
    const named = changes.slice(0, 6).map(row => `${row.name.slice(7)} ${row.a} to ${row[letter]}`);
    if (changes.length > 6) named.push(`and ${changes.length - 6} more`);
    const made = comparedSentence(run, runs[0], files[i + 1].v, named);
    if (parts.length === runs.length && parts.every(row => typeof row.used === "number")) made.append(" " + comparedParts(parts, i + 1));
    return made;
  }));
}

/* A bar for each report that has the table, as long as its cycles per instruction, of the parts of the machine. */
function comparedBars() {
  const table = find("parts"), rows = rowsOf("parts").filter(row => typeof row.used === "number"), left = Math.min(170, Math.round(.3 * WIDTH)), width = WIDTH, height = 34;
  if (!table || !rows.length) return null;
  const names = table.c.slice(1).map(([name]) => name).filter(name => rows.some(row => row[name] > 0));
  const most = ends(rows.map(row => names.reduce((sum, name) => sum + (row[name] || 0), 0)))[1] || 1;
  const picture = element("svg", {viewBox: `0 0 ${width} ${rows.length * height + 4}`, width, role: "img"});
  rows.forEach((row, i) => {
    let x = left, sum = 0;
    picture.append(element("text", {x: left - 8, y: i * height + 22, "text-anchor": "end"}, shorten(row.report, Math.floor(left / 7))));
    for (const name of names) {
      const length = (row[name] || 0) / most * (width - left - 130);
      picture.append(withTip(element("rect", {class: "mark", x, y: i * height + 5, width: Math.max(0, length - .5), height: height - 8, fill: partColour(name)}),
        `${row.report}\n${words(name)}: ${brief(row[name], "cycles per instruction")}`));
      x += length;
      sum += row[name] || 0;
    }
    picture.append(element("text", {class: "quiet", x: x + 6, y: i * height + 22}, brief(sum, "cycles/insn")));
  });
  return element("div", {}, picture, element("div", {class: "legend"}, ...names.map(name =>
    element("span", {}, element("i", {style: `background:${partColour(name)}`}), words(name)))));
}
