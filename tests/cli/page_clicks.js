/*
 * Uses a page of --html as a reader would, and leaves what it shows in an element "seen", a line each. page.t appends it
 * to a page, which Chromium prints after its scripts.
 */
(() => {
  const seen = [];
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const part = id => document.getElementById(id);
  const button = (inside, text) => all("button", inside).find(candidate => candidate.textContent === text);

  seen.push("title: " + document.title);
  for (const tile of all(".tile")) seen.push("tile: " + tile.innerText.replace(/\s+/g, " "));
  for (const sentence of all(".verdict p")) seen.push("verdict: " + sentence.innerText.slice(0, 60));

  /* every part opens, every view of every table draws something */
  let parts = 0, views = 0;
  for (const details of all("details")) {
    details.open = true;
    details.dispatchEvent(new Event("toggle"));
    if (details.childNodes.length > 1) parts++;
  }
  for (const tools of all(".tools"))
    for (const choice of all("button", tools)) {
      choice.click();
      if (tools.nextSibling.querySelector("svg, table, p")) views++;
      else seen.push("empty view: " + choice.textContent);
    }
  seen.push(parts === all("details").length && views > 0 ? "every part opens, every view draws" : `parts ${parts}, views ${views}`);

  /* a click on a column sorts, a filter selects */
  const stack = part("cycle_stack");
  if (stack) {
    button(stack, "table").click();
    const column = all("th", stack).find(head => head.textContent.startsWith("slots"));
    column.click();
    seen.push("most slots: " + stack.querySelector("tbody td").textContent);
    const filter = stack.querySelector("input");
    filter.value = "share>10 memory";
    filter.dispatchEvent(new Event("input"));
    seen.push("filtered: " + all("tbody tr", stack).map(row => row.cells[0].textContent).join(" "));
  }

  /* keys sort, an address filters, a copy has what is shown, a name leads to its instructions */
  if (stack) {
    const key = (target, name) => target.dispatchEvent(new KeyboardEvent("keydown", {key: name, bubbles: true}));
    const column = all("th", stack).find(head => head.textContent.startsWith("cause"));
    goTo("#cycle_stack~share>10");
    key(column.closest("table").querySelector("th"), "Enter");
    seen.push("sorted by key: " + all("tbody tr", stack).map(row => row.cells[0].textContent).join(" "));
    goTo("#cycle_stack~load_memory");
    const table = find("cycle_stack");
    seen.push("copied: " + csvOf(table, filtered(table, table.r, "load_memory")).split("\n").map(line => line.split(",").slice(0, 5).join(",")).join(" / "));
    seen.push("address: " + all("tbody tr", stack).length + " row");
    button(part("loops"), "table").click();
    const place = all("#loops td a")[0];
    seen.push("leads to: " + place.getAttribute("href"));
    goTo(place.getAttribute("href"));
    const rows = all("#hot_loops tbody tr");
    seen.push(`of it: ${rows.length < find("hot_loops").r.length ? "some" : "all"} instructions, of ` +
      [...new Set(rows.map(row => row.cells[1].textContent))].join(" "));
    key(document.body, "?");
    seen.push("keys: " + all("#keys:not([hidden]) kbd").map(item => item.textContent).join(" "));
    key(document.body, "?");
  }

  /* the pipeline of the hottest loops: lines, stages, and the cycle of the first one */
  const pipeline = part("pipeline");
  if (pipeline) {
    button(pipeline, "picture").click();
    const pictures = all(".pipeline", pipeline);
    const tips = all(".stages .mark", pictures[0]).slice(0, 400).map(mark => {
      mark.dispatchEvent(new PointerEvent("pointermove", {clientX: 5, clientY: 5}));
      return part("tip").textContent;
    });
    seen.push(`pipeline: ${pictures.length} loops, first ${pictures[0].previousSibling.textContent.split(" ")[0]}, ` +
      `${all(".labels .code", pictures[0]).length} lines`);
    const wait = tips.find(tip => tip.includes("waits for: operands"));
    seen.push("waits: " + (wait ? wait.split("\n")[0] : "none"));
  }

  /* the flame graph: the hottest function is beside it; a click shows a call alone, and a button all of them again */
  const calls = part("calls");
  if (calls) {
    button(calls, "flame").click();
    const frames = () => all(".call", calls).map(frame => frame.getAttribute("aria-label"));
    const beside = () => `${calls.querySelector("h3").textContent}, ${all(".lines tr", calls).length > 0 ? "with" : "without"} lines`;
    const before = frames();
    seen.push(`flame: ${before.slice(0, 2).join("; ")}; beside it ${beside()}`);
    all(".call", calls)[1].dispatchEvent(new MouseEvent("click"));
    seen.push(`alone: the widest is ${all(".call", calls).filter(frame => frame.classList.contains("chosen")).map(frame => frame.getAttribute("aria-label")).join()}`);
    button(calls, "the whole run").click();
    seen.push(frames().join() === before.join() ? "all calls again" : "other calls");
  }

  /* parallel coordinates: a drag along an axis selects */
  const designs = part("designs");
  if (designs) {
    button(designs, "parallel").click();
    const axis = all("rect", designs)[0], box = axis.getBoundingClientRect();
    axis.dispatchEvent(new PointerEvent("pointerdown", {clientX: box.left, clientY: box.top}));
    axis.dispatchEvent(new PointerEvent("pointerup", {clientX: box.left, clientY: box.top + box.height * .4}));
    seen.push("parallel: " + designs.querySelector(".count").textContent.split(";")[0]);
    button(designs, "points").click();
    seen.push(`points: ${all("circle", designs).length}`);
  }

  /* a drag over a picture shows a part of the run, in all pictures over time */
  const time = part("over_time");
  if (time) {
    for (const name of ["areas", "curves"]) all("button", time).filter(b => b.textContent === name).forEach(b => b.click());
    const box = all("svg", time)[0].getBoundingClientRect();
    const event = (name, x) => all("svg", time)[0].dispatchEvent(new PointerEvent(name, {clientX: box.left + x * box.width, clientY: box.top + 50}));
    event("pointermove", .5);
    seen.push("under the pointer: " + part("tip").textContent.split("\n").map(line => line.split(":")[0]).join(", "));
    event("pointerdown", .3);
    event("pointerup", .6);
    seen.push("where then: " + (part("where") || time).querySelector("p.quiet").textContent);
    seen.push("part of the run: " + all("svg", time).filter(picture => picture.textContent.includes("double click")).length + " pictures");
  }

  button(document, "dark / light").click();
  seen.push("theme: " + document.documentElement.dataset.theme);
  const result = document.createElement("pre");
  result.id = "seen";
  result.textContent = "\n" + seen.join("\n") + "\nend\n";
  document.body.append(result);
})();
