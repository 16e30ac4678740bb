/*
 * Uses the timeline of a page of nsim or bsim as a reader would, and leaves what it shows in an element "seen", a line each.
 * pages.t appends it to a page, which Chromium prints after its scripts.
 */
(() => {
  const seen = [], all = (selector, inside = document) => [...inside.querySelectorAll(selector)], one = selector => document.querySelector(selector);
  const canvas = one("canvas.ranks"), note = one(".note"), first = note.textContent;
  const event = (name, x, y, target = canvas) => {
    const box = target.getBoundingClientRect();
    target.dispatchEvent(new PointerEvent(name, {clientX: box.left + x * box.width, clientY: box.top + y * box.height, bubbles: true, cancelable: true}));
  };
  const click = text => all("#ranks_over_time button").find(button => button.textContent === text).click();
  const tip = (x, y, target) => {
    event("pointermove", x, y, target);
    return one("#tip").textContent.replace(/\n/g, " / ");
  };
  const drag = (x0, y0, x1, y1) => {
    event("pointerdown", x0, y0);
    event("pointermove", x1, y1);
    event("pointerup", x1, y1);
  };
  /* the colour of a pixel */
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const colour = (x, y) => {
    const at = 4 * (Math.floor(y * canvas.height) * canvas.width + Math.floor(x * canvas.width));
    return [...pixels.slice(at, at + 3)].join(" ");
  };

  seen.push("title: " + document.title, "whole: " + first, `elements: ${all("*").length < 3000 ? "fewer than 3000" : all("*").length}`);
  for (const [x, y] of JSON.parse(POINTS)) seen.push(`at ${x} ${y}: ${colour(x, y)}, ${tip(x, y)}`);
  drag(.5, .5, 1, 1);
  seen.push("dragged: " + note.textContent, "there: " + tip(.1, .1));
  click("+");
  seen.push("nearer: " + note.textContent);
  click("\u25c2");
  seen.push("earlier: " + note.textContent);
  click("whole run");
  seen.push(note.textContent === first ? "whole run again" : "other: " + note.textContent);
  for (let i = 0; i < 30 && !/ states$| messages$/.test(note.textContent.split(";")[0]) && i < 12; i++) click("+");
  seen.push("nearest: " + note.textContent);
  event("dblclick", .5, .5);
  seen.push(note.textContent === first ? "whole run again" : "other: " + note.textContent);
  click("critical path");
  seen.push("pressed: " + all("#ranks_over_time button[aria-pressed]").map(button => `${button.textContent} ${button.getAttribute("aria-pressed")}`).join(", "));
  for (const blocks of all("canvas.blocks")) seen.push("block: " + tip(.99, .01, blocks), "block: " + tip(.01, .99, blocks));
  const result = document.createElement("pre");
  result.id = "seen";
  result.textContent = "\n" + seen.join("\n") + "\nend\n";
  document.body.append(result);
})();
