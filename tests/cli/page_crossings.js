/*
 * Opens all of a page and puts into its title whether it is as wide as the window, and how many texts of its pictures cross
 * another one or leave the picture.
 */
(() => {
  document.querySelectorAll("main > details").forEach(part => { part.open = true; part.dispatchEvent(new Event("toggle")); });
  const found = [], pictures = [...document.querySelectorAll("svg")].filter(picture => !picture.closest(".pipeline, .timeline"));
  for (const picture of pictures) {
    const box = picture.getBoundingClientRect();
    const texts = [...picture.querySelectorAll("text")].filter(text => text.textContent.trim()).map(text => [text.textContent, text.getBoundingClientRect()]).filter(([, place]) => place.width);
    texts.forEach(([text, a], n) => {
      if (a.left < box.left - 1 || a.right > box.right + 1 || a.top < box.top - 1 || a.bottom > box.bottom + 1) found.push(`${text} leaves its picture`);
      for (const [other, b] of texts.slice(n + 1))
        if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4) found.push(`${text} crosses ${other}`);
    });
  }
  const wide = document.documentElement.scrollWidth > innerWidth ? `${document.documentElement.scrollWidth} of ${innerWidth} pixels` : `fits ${innerWidth}`;
  document.title = `${wide}; ${pictures.length ? "pictures" : "no picture"}, ${found.length} texts cross${found.length ? ": " + found.slice(0, 3).join("; ") : ""}`;
})();
