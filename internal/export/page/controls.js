// What the reader does.
const at = id => document.getElementById(id);
const reverse = at("reverse"); // not of all pages
const fold = at("fold"); // the same
const number = new Intl.NumberFormat("en").format;
const percent = (part, whole) => (whole > 0 ? (100 * part / whole).toFixed(1) : "0.0") + " %";

function select(frame) {
  view.selected = frame;
  at("status").textContent = frame ? describe(frame).join(" · ") : "";
}

// enter shows a frame, or what is folded in it.
function enter(frame) {
  const opened = frame.open();
  if (opened) zoom(opened);
  if (opened && opened !== frame) select(view.focus);
}

function zoom(frame) {
  view.focus = frame;
  at("out").disabled = frame === view.root;
  layout();
  draw();
  reveal(frame.depth);
  draw();
  dispatchEvent(new Event("zoomed"));
}

// show begins with a unit and a direction anew.
function show(unit, reversed, folded = view.folded) {
  view.unit = unit;
  at("objects").setAttribute("aria-checked", unit === "objects");
  at("bytes").setAttribute("aria-checked", unit === "bytes");
  const turned = view.reversed !== reversed || view.folded !== folded;
  view.folded = folded;
  fold?.setAttribute("aria-pressed", folded);
  view.reversed = reversed;
  reverse?.setAttribute("aria-pressed", reversed);
  if (turned || !view.root) {
    view.root = reversed ? callerRoot() : callRoot();
    view.focus = view.root;
    select(null);
  }
  zoom(view.focus);
  if (view.focus === view.root && !view.downward) graph.scrollTop = graph.scrollHeight;
  find(at("search").value);
  legend();
  draw();
}

// find marks the frames whose names match.
function find(text) {
  view.matches = view.test = null;
  at("found").textContent = "";
  at("search").setAttribute("aria-invalid", false);
  if (text) {
    let test = name => name.toLowerCase().includes(text.toLowerCase());
    const pattern = /^\/(.+?)\/?$/.exec(text);
    try {
      if (pattern) {
        const expression = new RegExp(pattern[1], "i");
        test = name => expression.test(name);
      }
      view.matches = data.names.map(test);
      view.test = test;
      const unit = view.unit;
      share(text, unit, sum => at("found").textContent = `${percent(sum, whole[unit])}: ${number(sum)} ${unit} in or below matches`);
    } catch {
      at("search").setAttribute("aria-invalid", true);
    }
  }
  draw();
  dispatchEvent(new Event("shown"));
}

// step selects the next match, from the bottom row up, each from the left.
function step(direction) {
  if (!view.matches) return;
  const found = view.rows.flat().map(box => box.frame).filter(frame => frame.name >= 0 && view.matches[frame.name]);
  if (found.length === 0) return;
  const now = found.indexOf(view.selected);
  const next = now < 0 ? (direction > 0 ? 0 : found.length - 1) : (now + direction + found.length) % found.length;
  walk(found[next]);
}

// walk selects a frame and makes it visible.
function walk(frame) {
  if (!frame) return;
  select(frame);
  reveal(frame.depth);
  draw();
}

// neighbour is the frame beside, above or below the selected one, among those drawn.
function neighbour(key) {
  const frame = view.selected;
  if (!frame || !rowOf(frame.depth).some(box => box.frame === frame)) return view.focus;
  const row = rowOf(frame.depth);
  const place = row.findIndex(box => box.frame === frame);
  switch (key) {
    case "ArrowLeft": return row[place - 1]?.frame;
    case "ArrowRight": return row[place + 1]?.frame;
  }
  const step = (key === "ArrowUp") !== view.downward ? 1 : -1;
  return rowOf(frame.depth + step).find(box => box.frame.parent === frame || box.frame === frame.parent || box.frame.under === frame.parent || box.frame.parent === frame.under)?.frame;
}

function back() {
  if (at("search").value) {
    at("search").value = "";
    find("");
  } else if (view.focus !== view.root) {
    zoom(view.root);
  }
}

function showKeys() {
  at("help").hidden = !at("help").hidden;
  at("keys").setAttribute("aria-expanded", !at("help").hidden);
  resize();
}

function resize() {
  layout();
  draw();
}

const keys = {
  o: () => show("objects", view.reversed),
  b: () => show("bytes", view.reversed),
  n: () => step(1),
  p: () => step(-1),
  "/": () => at("search").focus(),
  "?": showKeys,
  Escape: back,
  Backspace: back,
  Enter: () => view.selected && enter(view.selected),
  ArrowUp: () => walk(neighbour("ArrowUp")),
  ArrowDown: () => walk(neighbour("ArrowDown")),
  ArrowLeft: () => walk(neighbour("ArrowLeft")),
  ArrowRight: () => walk(neighbour("ArrowRight")),
};

const everywhere = ["o", "b", "/", "?", "Escape"]; // keys that do not need the graph

addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === at("search")) {
    if (event.key === "Escape" || event.key === "Enter") graph.focus();
    if (event.key === "Escape") back();
    return;
  }
  if (event.target.tagName === "BUTTON" && event.key === "Enter" || event.target.matches?.("input, select")) return;
  if (!graph.clientHeight && !everywhere.includes(event.key)) return;
  const action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

at("objects").onclick = keys.o;
at("bytes").onclick = keys.b;
if (fold) fold.onclick = keys.f = () => show(view.unit, false, !view.folded);
if (reverse) reverse.onclick = keys.r = () => show(view.unit, !view.reversed);
at("out").onclick = () => zoom(view.root);
at("keys").onclick = showKeys;
at("search").oninput = () => find(at("search").value);
graph.onscroll = draw;
addEventListener("resize", resize);

// tell shows lines beside the mouse, or hides them.
function tell(event, lines) {
  const tip = at("tip");
  tip.hidden = !lines;
  if (!lines) return;
  tip.textContent = lines.join("\n");
  tip.style.left = Math.max(0, Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8)) + "px";
  const below = event.clientY + 16;
  tip.style.top = (below + tip.offsetHeight < innerHeight ? below : event.clientY - tip.offsetHeight - 8) + "px";
}

const place = event => {
  const edge = canvas.getBoundingClientRect();
  return boxAt(event.clientX - edge.left, event.clientY - edge.top);
};
canvas.onclick = event => {
  const box = place(event);
  if (!box) return;
  select(box.frame);
  enter(box.frame);
};
canvas.onmousemove = event => {
  const box = place(event);
  tell(event, box && describe(box.frame));
};
canvas.onmouseleave = () => tell(null, null);

show(data.unit ?? "objects", false);
graph.focus();
