// The heap over time: areas by class, marks of collections, and the span that is chosen.
const HEIGHT = 200, STRIP = 14, LABELS = 16, LEFT = 8; // pixels
const GRAB = 8; // pixels at which a handle is caught
const areas = at("areas").getContext("2d");
const kinds = [ // of collections, what is drawn last lies on top
  {name: "young", colour: "#8b93a0", height: 5},
  {name: "mixed", colour: "#2e9e4f", height: 9},
  {name: "full", colour: "#d03030", height: STRIP},
];
const span = {from: 0, to: size - 1}; // points
const ink = name => getComputedStyle(document.documentElement).getPropertyValue(name);

const end = points.seconds.reduce((a, b) => Math.max(a, b), 0) || 1;
const room = () => Math.max(areas.canvas.parentElement.clientWidth - 24, 50);
const xOf = point => LEFT + points.seconds[point] / end * (room() - 2 * LEFT);

// highest is the top of the axis. What was used when collections began is known in bytes only.
function highest() {
  const used = view.unit === "bytes" ? points.found : [];
  return used.reduce((a, b) => Math.max(a, b), total.held[view.unit].reduce((a, b) => Math.max(a, b), 0)) || 1;
}

function drawTimeline() {
  const width = room(), floor = HEIGHT - STRIP - LABELS, top = highest();
  const yOf = n => floor - n / top * (floor - 12);
  clear(areas, width, HEIGHT);
  const below = new Float64Array(size);
  const stack = (values, colour, alpha) => {
    areas.beginPath();
    for (let i = size - 1; i >= 0; i--) areas.lineTo(xOf(i), yOf(below[i]));
    for (let i = 0; i < size; i++) areas.lineTo(xOf(i), yOf(below[i] += Math.max(0, values[i])));
    areas.globalAlpha = alpha;
    areas.fillStyle = colour;
    areas.fill();
    areas.globalAlpha = 1;
  };
  const rest = total.held[view.unit].slice();
  for (const c of largest) {
    stack(c.held[view.unit], nameColour(c.name), isCourseFound(c) ? 1 : 0.3);
    c.held[view.unit].forEach((n, i) => rest[i] -= n);
  }
  stack(rest, nameColour(-1), view.matches ? 0.3 : 0.6);
  if (view.unit === "bytes") {
    areas.beginPath();
    for (let i = 1; i < size; i++) areas.lineTo(xOf(i), yOf(points.found[i]));
    areas.strokeStyle = ink("--ink");
    areas.lineWidth = 1;
    areas.stroke();
  }
  for (const kind of kinds) {
    areas.fillStyle = kind.colour;
    points[kind.name].forEach((n, i) => n > 0 && areas.fillRect(xOf(i) - 0.5, floor + STRIP - kind.height, 1.5, kind.height));
  }
  drawAxes(width, floor, top);
  drawSpan(width, floor);
}

function drawAxes(width, floor, top) {
  areas.fillStyle = ink("--faint");
  areas.font = "11px system-ui, 'Liberation Sans', 'DejaVu Sans', sans-serif";
  areas.textBaseline = "top";
  areas.textAlign = "left";
  areas.fillText(`${short(top)} ${view.unit === "objects" ? "objects" : ""}`, LEFT, 0);
  const ticks = Math.max(1, Math.min(8, Math.floor(width / 120)));
  for (let i = 0; i <= ticks; i++) {
    areas.textAlign = i === 0 ? "left" : i === ticks ? "right" : "center";
    areas.fillText((end * i / ticks).toFixed(end < 10 ? 2 : end < 100 ? 1 : 0) + " s", LEFT + (width - 2 * LEFT) * i / ticks, HEIGHT - LABELS + 3);
  }
}

function drawSpan(width, floor) {
  const [left, right] = [xOf(span.from), xOf(span.to)];
  areas.fillStyle = ink("--page");
  areas.globalAlpha = 0.6;
  areas.fillRect(0, 12, left, floor - 12);
  areas.fillRect(right, 12, width - right, floor - 12);
  areas.globalAlpha = 1;
  areas.fillStyle = ink("--accent");
  for (const x of [left, right]) {
    areas.fillRect(x - 1, 12, 2, floor - 12);
    areas.fillRect(x - 3, floor / 2 - 10, 6, 20);
  }
}

// collections says how many collections there were behind a point, up to another.
function collections(from, to) {
  const counts = kinds.map(kind => [points[kind.name].slice(from + 1, to + 1).reduce((a, b) => a + b, 0), kind.name]);
  return counts.filter(([n]) => n > 0).map(([n, name]) => `${number(n)} ${name}`).join(", ") || "none";
}

// tellPoint says what there was at a point.
function tellPoint(event, point) {
  const held = total.held[view.unit][point];
  const lines = [points.moments[point], `held: ${number(total.held.objects[point])} objects, ${number(total.held.bytes[point])} bytes`];
  if (point > 0) {
    lines.push(`at the start of the pause, or of the fullest since the point before: ${number(points.found[point])} bytes used`);
    lines.push(`collections since the point before: ${collections(point - 1, point)}`);
  }
  const most = courses.filter(c => c.held[view.unit][point] > 0);
  most.sort((a, b) => b.held[view.unit][point] - a.held[view.unit][point]);
  for (const c of most.slice(0, 6)) lines.push(`${c.title}${c.site && `, ${c.site}`}: ${number(c.held[view.unit][point])} ${view.unit}, ${percent(c.held[view.unit][point], held)}`);
  tell(event, lines);
}

// nearest is the point at a place of the canvas.
function nearest(x) {
  let best = 0;
  for (let i = 1; i < size; i++) if (Math.abs(xOf(i) - x) < Math.abs(xOf(best) - x)) best = i;
  return best;
}

// choose makes the span go from one point to another; of one point alone it is all of the recording.
function choose(a, b) {
  [span.from, span.to] = a === b ? [0, size - 1] : [Math.min(a, b), Math.max(a, b)];
  at("from").value = span.from;
  at("to").value = span.to;
  at("from").setAttribute("aria-valuetext", points.moments[span.from]);
  at("to").setAttribute("aria-valuetext", points.moments[span.to]);
  const amount = (part, point) => number(total[part][view.unit][point]);
  at("span").textContent = `${points.moments[span.from]}: ${amount("held", span.from)} ${view.unit} held. ` +
    `${points.moments[span.to]}: ${amount("held", span.to)}. Collections in between: ${collections(span.from, span.to)}.`;
  drawTimeline();
  fillTable();
}

// nameDrawn names the colours.
function nameDrawn() {
  const entry = (colour, text, mark, more = "") => {
    const entry = document.createElement("span"), sample = document.createElement("i");
    entry.title = more;
    sample.style.background = colour;
    if (mark) sample.className = "mark";
    entry.append(sample, text);
    return entry;
  };
  const entries = largest.map(c => entry(nameColour(c.name), c.title, false, c.site));
  if (courses.length > largest.length) entries.push(entry(nameColour(-1), "others"));
  for (const kind of kinds) if (points[kind.name].some(n => n > 0)) entries.push(entry(kind.colour, kind.name + " collection", true));
  if (view.unit === "bytes") entries.push(entry(ink("--ink"), "line: used at the start of pauses", true));
  at("drawn").replaceChildren(...entries);
}

const across = event => event.clientX - areas.canvas.getBoundingClientRect().left;

// Dragging moves a handle that is near, or chooses a new span.
let anchor = -1; // the point that stays
areas.canvas.onpointerdown = event => {
  const x = across(event);
  const near = point => Math.abs(xOf(point) - x) < GRAB;
  const whole = span.from === 0 && span.to === size - 1;
  anchor = !whole && near(span.from) ? span.to : !whole && near(span.to) ? span.from : nearest(x);
  tell(null, null);
};
areas.canvas.onpointermove = event => {
  if (anchor < 0) tellPoint(event, nearest(across(event)));
};
addEventListener("pointermove", event => {
  const point = nearest(across(event));
  if (anchor >= 0 && point !== anchor) choose(anchor, point);
});
addEventListener("pointerup", event => {
  if (anchor >= 0 && event.target === areas.canvas && nearest(across(event)) === anchor) choose(0, 0);
  anchor = -1;
});
areas.canvas.onpointerleave = () => tell(null, null);
at("from").max = at("to").max = size - 1;
at("from").oninput = () => choose(Math.min(+at("from").value, span.to - 1), span.to);
at("to").oninput = () => choose(span.from, Math.max(+at("to").value, span.from + 1));
at("whole").onclick = () => choose(0, 0);
