/*
 * Uses a page of psim-diff on several runs of nsim or bsim as a reader would, and leaves what it shows in an element
 * "seen", a line each. pages.t appends it to a page, which Chromium prints after its scripts.
 */
(() => {
  const seen = [], all = (selector, inside = document) => [...inside.querySelectorAll(selector)], one = selector => document.querySelector(selector);
  const pictures = all("canvas.ranks"), notes = all(".note");
  const event = (name, x, y, target) => {
    const box = target.getBoundingClientRect();
    target.dispatchEvent(new PointerEvent(name, {clientX: box.left + x * box.width, clientY: box.top + y * box.height, bubbles: true, cancelable: true}));
  };
  const tip = (x, y, target) => {
    event("pointermove", x, y, target);
    return one("#tip").textContent.replace(/\n/g, " / ");
  };
  const pixels = pictures.map(canvas => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height));
  const painted = (n, x, y) => pixels[n].data[4 * (Math.floor(y * pixels[n].height) * pixels[n].width + Math.floor(x * pixels[n].width)) + 3] > 0;

  seen.push("title: " + document.title, "head: " + all(".verdict > p").map(part => part.innerText).join(" | "));
  for (const run of all(".said > div")) seen.push("said: " + run.innerText.split("\n").filter(Boolean).slice(0, 2).join(": "));
  seen.push("parts: " + all("main > details").map(part => part.id).join(" "));
  pictures.forEach((canvas, n) => seen.push(`picture ${n}: ${notes[n].textContent}; late: ${painted(n, .75, .1)}, ${tip(.75, .1, canvas)}; early: ${painted(n, .1, .1)}, ${tip(.1, .1, canvas)}`));
  event("pointerdown", .25, .5, pictures[0]);
  event("pointerup", .5, .5, pictures[0]);
  seen.push("dragged: " + notes.map(note => note.textContent).join(" | "));
  event("dblclick", .5, .5, pictures[1]);
  seen.push("whole: " + notes.map(note => note.textContent).join(" | "));
  seen.push("bars: " + all("#side svg rect").map(bar => Math.round(Number(bar.getAttribute("width")) / 10)).join(" "));
  seen.push("wider than the window: " + all("main *").filter(part => part.getBoundingClientRect().right > innerWidth && !part.closest(".scroll")).length);
  const result = document.createElement("pre");
  result.id = "seen";
  result.textContent = "\n" + seen.join("\n") + "\nend\n";
  document.body.append(result);
})();
