// The heap over time: areas by class, marks of collections, and the span that is chosen.
// highest is the top of the axis. What was used when collections began is known in bytes only.
function highest() {
  const used = view.unit === "bytes" ? points.found : [];
  return used.reduce((a, b) => Math.max(a, b), total.held[view.unit].reduce((a, b) => Math.max(a, b), 0)) || 1;
}

const axisText = top => `${short(top)} ${view.unit === "objects" ? "objects" : ""}`;

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
    points[kind.name].forEach((n, i) => n > 0 && mark(kind, xOf(i), floor));
  }
  drawAxes(width, floor, top);
  drawSpan(width, floor);
  markMap(floor);
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

// spanChosen says what there is at the ends of the span.
function spanChosen() {
  at("from").setAttribute("aria-valuetext", points.moments[span.from]);
  at("to").setAttribute("aria-valuetext", points.moments[span.to]);
  const amount = (part, point) => number(total[part][view.unit][point]);
  at("span").textContent = `${points.moments[span.from]}: ${amount("held", span.from)} ${view.unit} held. ` +
    `${points.moments[span.to]}: ${amount("held", span.to)}. Collections in between: ${collections(span.from, span.to)}.`;
  fillTable();
  fitLived();
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
