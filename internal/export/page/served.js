// The page's views together, as the address says, and what is new of a recording that goes on.
const tabs = [...document.querySelectorAll("[data-view]")];
const filters = ["class", "in", "under", "thread", "transaction"];
const panels = {graph: "graph", sandwich: "graph", table: "rows", threads: "rows", transactions: "rows", source: "source"};
const panelOf = view => panels[view] ?? "frame"; // another page

// showPanels shows the panel of the view, and hides what is not about it.
function showPanels() {
  if (!tabs.some(tab => tab.dataset.view === chosen.view)) chosen.view = "graph";
  for (const tab of tabs) tab.setAttribute("aria-selected", tab.dataset.view === chosen.view);
  const panel = panelOf(chosen.view), isGraph = panel === "graph";
  for (const id of ["graph", "rows", "source", "frame"]) at(id).hidden = id !== panel;
  for (const id of ["units", "search", "keys"]) at(id).hidden = panel === "frame";
  for (const id of ["out", "fold", "reverse", "downward"]) at(id).hidden = chosen.view !== "graph";
  at("lines").hidden = at("legend").hidden = at("status").hidden = at("found").hidden = !isGraph;
  at("by").hidden = chosen.view !== "table";
  at("which").textContent = chosen.view === "sandwich" ? chosen.method ? `callers above, callees below: ${chosen.title}` : "choose a method in the table, or in the flame graph and C" : "";
  at("timeline").hidden = last() < 2;
  for (const name of ["downward", "lines"]) at(name).setAttribute("aria-pressed", chosen[name] !== "");
}

// showChosen shows what the address says.
async function showChosen() {
  at("search").value = chosen.search;
  for (const name of filters) at("filter-" + name).value = chosen[name];
  at("filtered").textContent = filters.filter(name => chosen[name]).map(name => `${name} ${chosen[name]}`).join(", ");
  Object.assign(view, {unit: chosen.unit === "objects" ? "objects" : "bytes", reversed: chosen.reversed !== "", folded: chosen.folded !== "", downward: chosen.downward !== "" && chosen.view === "graph"});
  for (const unit of ["objects", "bytes"]) at(unit).setAttribute("aria-checked", view.unit === unit);
  reverse.setAttribute("aria-pressed", view.reversed);
  fold.setAttribute("aria-pressed", view.folded);
  showPanels();
  try {
    await fillPanel();
    if (panelOf(chosen.view) === "graph") find(chosen.search);
    at("problem").textContent = "";
  } catch (error) {
    at("problem").textContent = error.message;
  }
}

function fillPanel() {
  switch (panelOf(chosen.view)) {
    case "rows": return fillRows();
    case "source": return fillSource();
    case "frame": return fillFrame();
  }
  return chosen.view === "sandwich" ? sandwich(chosen.method, chosen.title) : renew();
}

// fillFrame shows another page, about the span. It is asked for anew where the span is another one.
function fillFrame() {
  const frame = at("frame"), span = selection();
  const asked = ["from", "to"].filter(name => span[name]).map(name => [name, span[name]]);
  const address = chosen.view + (asked.length > 0 ? "?" + new URLSearchParams(asked) : "");
  if (frame.dataset.shows === address) return;
  frame.src = frame.dataset.shows = address;
  frame.dataset.generation = generation;
}

// What is changed by the controls that all pages have.
addEventListener("shown", () => {
  if (!ready) return;
  const now = {unit: view.unit, reversed: view.reversed ? "1" : "", folded: view.folded ? "1" : "", search: at("search").value};
  const isSearch = now.search !== chosen.search, isTurned = now.reversed !== chosen.reversed || now.folded !== chosen.folded;
  const isUnit = now.unit !== chosen.unit;
  if (!isSearch && !isTurned && !isUnit) return;
  note({...now, ...(isTurned && {path: ""})}, !isSearch);
  if (isUnit) drawTimeline();
  if (isTurned || isUnit || panelOf(chosen.view) === "rows") showChosen();
});

for (const tab of tabs) {
  tab.onclick = () => {
    if (at("frame").dataset.generation !== String(generation)) delete at("frame").dataset.shows; // there is more by now
    note({view: tab.dataset.view, ...(tab.dataset.view === "graph" && {path: chosen.view === "graph" ? chosen.path : ""})});
    showChosen();
    at(panelOf(chosen.view)).focus();
  };
}
for (const name of ["downward", "lines"]) {
  at(name).onclick = () => {
    note({[name]: chosen[name] ? "" : "1", ...(name === "lines" && {path: ""})});
    showChosen();
  };
}
at("by").onchange = () => { note({by: at("by").value}); showChosen(); };
for (const name of filters) {
  at("filter-" + name).onchange = () => { note({[name]: at("filter-" + name).value.trim()}); showChosen(); loadTimeline(); };
}
at("unfilter").onclick = () => { note(Object.fromEntries(filters.map(name => [name, ""]))); showChosen(); loadTimeline(); };

// about is the method that a key is about: the selected one, or the one that takes the whole width.
const about = () => methodOf(view.selected ?? view.focus);
keys.i = () => at("downward").click();
keys.l = () => at("lines").click();
keys.c = () => { const method = about(); if (method) sandwich(method.key, method.title); };
keys.s = () => { const method = about(); if (method) { note({view: "source", file: "", line: "", method: method.key, title: method.title}); showChosen(); } };

// A recording that goes on is looked at again.
let generation = data.generation, isPaused = false;
async function look() {
  try {
    const state = await (await fetch("state")).json();
    at("stale").textContent = state.problem ?? "";
    at("live").textContent = state.live ? `live, ${state.seconds.toFixed(0)} s` : "";
    at("pause").hidden = !state.live;
    if (state.generation !== generation && !isPaused) {
      generation = state.generation;
      await Promise.all([loadTimeline(), state.live || wasLive ? showChosen() : null]);
    }
    wasLive = state.live;
    if (!state.live && (state.timed || !data.times)) return;
  } catch {
    at("stale").textContent = "mallard view has ended";
  }
  setTimeout(look, 1000);
}
let wasLive = false;
at("pause").onclick = () => {
  isPaused = !isPaused;
  at("pause").setAttribute("aria-pressed", isPaused);
};

addEventListener("popstate", () => {
  chosen = readAddress();
  showChosen();
  loadTimeline();
});
addEventListener("resize", drawTimeline);
new ResizeObserver(redraw).observe(graph);
let ready = true;
showChosen();
loadTimeline();
look();
