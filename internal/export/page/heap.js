// The page's pictures together.
const tabs = [...document.querySelectorAll("[data-panel]")];

// open shows one of the panels. Those that are hidden are not drawn.
let shown = "";
function open(name) {
  for (const tab of tabs) {
    const chosen = tab.dataset.panel === name;
    tab.setAttribute("aria-selected", chosen);
    at(tab.dataset.panel).hidden = !chosen;
  }
  at("out").hidden = at("found").hidden = at("status").hidden = at("legend").hidden = name !== "graph";
  fillTable();
  drawMap();
  if (shown !== name && [shown, name].includes("map")) drawTimeline(); // it marks when the map is of
  shown = name;
  fitLived();
  resize();
  if (name === "graph") graph.scrollTop = graph.scrollHeight;
  draw();
  at(name).focus();
}

// redraw draws all but the graph, which has been.
function redraw() {
  chooseLargest();
  nameDrawn();
  choose(span.from, span.to);
  drawMap();
}

for (const tab of tabs) tab.onclick = () => open(tab.dataset.panel);
addEventListener("shown", redraw);
addEventListener("resize", drawTimeline);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
// The span that is chosen at first, in seconds: what collections had left by its ends.
const by = (seconds, otherwise) => Math.max(points.seconds.findLastIndex(s => s <= seconds + 1e-6), otherwise);
const [first, final] = data.span;
if (first > 0 && by(first, 0) < last()) span.from = by(first, 0);
if (final > 0) span.to = by(final, span.from + 1);
headTable();
redraw();
open("changes");
