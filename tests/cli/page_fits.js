/*
 * Opens all of a study's page and puts into its title how many tables are wider than the window has room for, whether the
 * table of designs leaves columns out, and how many it has behind its button and on paper.
 */
(() => {
  const heads = () => document.querySelectorAll("#designs th").length;
  document.querySelectorAll("main > details").forEach(part => { part.open = true; part.dispatchEvent(new Event("toggle")); });
  const tables = [...document.querySelectorAll(".scroll > table")], wide = tables.filter(table => table.scrollWidth > table.parentNode.clientWidth);
  const few = heads();
  document.querySelector("#designs .more")?.click();
  const all = heads();
  dispatchEvent(new Event("beforeprint"));
  document.title = `${innerWidth}: ${wide.length} tables are too wide; ${all > few ? "fewer" : "all"} columns, behind the button ${all}, on paper ${heads()}`;
})();
