// What was allocated over time, by class: the span of it that all is about is chosen here.
const points = {seconds: [0], classes: [], collections: []};

async function loadTimeline() {
  const t = await ask("timeline", {});
  points.seconds = [0, ...t.to];
  points.collections = t.collections;
  points.classes = t.classes.filter(c => c.objects.some(n => n !== 0));
  const place = text => text === "" ? -1 : points.seconds.findIndex(s => s >= +text - 1e-6);
  const from = place(chosen.from), to = place(chosen.to);
  span.from = from < 0 ? 0 : from;
  span.to = to < 0 ? last() : to;
  for (const [id, value] of [["from", span.from], ["to", span.to]]) {
    at(id).max = last();
    at(id).value = value;
  }
  spanShown();
  showPanels();
  drawTimeline();
}

const classColour = i => points.classes[i].title === "others" ? "#9aa0a8" : `hsl(${(30 + i * 137.508) % 360} 62% ${i % 2 ? 52 : 64}%)`;

function drawTimeline() {
  if (at("timeline").hidden) return;
  const width = room(), floor = HEIGHT - LABELS - (points.collections.length && STRIP), rates = points.seconds.map((_, i) => rate(i));
  const top = rates.reduce((a, b) => Math.max(a, b), 0) || 1;
  clear(areas, width, HEIGHT);
  for (let i = 1; i <= last(); i++) {
    const left = xOf(i - 1), wide = Math.max(xOf(i) - left, 0.5);
    let y = floor;
    points.classes.forEach((c, k) => {
      const height = Math.max(0, c[view.unit][i - 1]) / seconds(i) / top * (floor - 12);
      areas.fillStyle = classColour(k);
      areas.fillRect(left, y -= height, wide > 3 ? wide - 1 : wide, height);
    });
  }
  for (const c of points.collections) mark(kindOf(c), xAt(c.at), floor);
  drawAxes(width, floor, top);
  drawSpan(width, floor);
  nameDrawn();
}

const otherKind = {name: "other", colour: "#5b8def", height: 5};
const kindOf = collection => kinds.find(kind => kind.name === collection.kind) ?? otherKind;

const seconds = point => Math.max(points.seconds[point] - points.seconds[point - 1], 1e-3);
const sumAt = point => points.classes.reduce((sum, c) => sum + c[view.unit][point - 1], 0);
const rate = point => point > 0 ? Math.max(0, sumAt(point)) / seconds(point) : 0;

const compact = new Intl.NumberFormat("en", {notation: "compact", maximumSignificantDigits: 3}).format;
const axisText = top => `${compact(top)} ${view.unit} per second`;

function nameDrawn() {
  const entry = (colour, text, isMark) => {
    const entry = document.createElement("span"), sample = document.createElement("i");
    sample.style.background = colour;
    if (isMark) sample.className = "mark";
    entry.append(sample, text);
    return entry;
  };
  const marks = [...kinds, otherKind].filter(kind => points.collections.some(c => kindOf(c) === kind));
  at("drawn").replaceChildren(...points.classes.map((c, i) => entry(classColour(i), c.title)),
    ...marks.map(kind => entry(kind.colour, kind.name + " collection", true)));
}

// collected says how many collections began in a time.
function collected(from, to) {
  const list = points.collections.filter(c => c.at >= from && c.at < to);
  const sum = of => list.reduce((sum, c) => sum + of(c), 0), n = sum(c => c.count);
  return n > 0 ? [`${number(n)} ${n === 1 ? "collection" : "collections"}, ${milliseconds(sum(c => c.paused))} paused`] : [];
}

const milliseconds = seconds => `${(1000 * seconds).toFixed(seconds < 0.1 ? 1 : 0)} ms`;

// collectionAt is the one with the longest pause near a place of the canvas.
function collectionAt(x) {
  const near = points.collections.filter(c => Math.abs(xAt(c.at) - x) <= 3);
  return near.reduce((a, b) => a && a.pause >= b.pause ? a : b, null);
}

function describeCollection(c) {
  const lines = [`${c.kind} collection at ${c.at.toFixed(3)} s`, c.pause > 0 ? `paused ${milliseconds(c.pause)}` : "the program went on"];
  if (c.cause) lines.push(`cause: ${c.cause}`);
  if (c.before > 0 && c.after > 0) lines.push(`heap: ${number(c.before)} bytes before, ${number(c.after)} after`);
  if (c.count > 1) lines.push(`the longest pause of ${number(c.count)} collections`);
  return lines;
}

// tellPoint says what was allocated in the interval that ends at a point, or which collection is there.
function tellPoint(event, point) {
  const collection = collectionAt(across(event));
  const isMark = event.clientY - areas.canvas.getBoundingClientRect().top > HEIGHT - LABELS - STRIP;
  if (collection && isMark) return tell(event, describeCollection(collection));
  if (point < 1) return tell(null, null);
  const lines = [`${points.seconds[point - 1].toFixed(2)} s to ${points.seconds[point].toFixed(2)} s`, `${number(sumAt(point))} ${view.unit}`];
  const parts = points.classes.map(c => [c.title, c[view.unit][point - 1]]).filter(([, n]) => n > 0).sort((a, b) => b[1] - a[1]);
  for (const [title, n] of parts.slice(0, 6)) lines.push(`${title}: ${number(n)}, ${percent(n, sumAt(point))}`);
  tell(event, [...lines, ...collected(points.seconds[point - 1], points.seconds[point])]);
}

function spanShown() {
  const isAll = span.from === 0 && span.to === last();
  for (const id of ["from", "to"]) at(id).setAttribute("aria-valuetext", points.seconds[span[id]].toFixed(2) + " s");
  const text = isAll ? "all of the recording" : `${points.seconds[span.from].toFixed(2)} s to ${points.seconds[span.to].toFixed(2)} s of ${end().toFixed(2)} s`;
  at("span").textContent = [text, ...collected(points.seconds[span.from], isAll ? Infinity : points.seconds[span.to])].join("; ");
}

// spanChosen has everything be about the span. While it is dragged it is asked for once in a while.
let later = 0;
function spanChosen() {
  spanShown();
  const from = span.from === 0 ? "" : String(points.seconds[span.from]);
  const to = span.to === last() ? "" : String(points.seconds[span.to]);
  if (from === chosen.from && to === chosen.to) return;
  chosen = {...chosen, from, to};
  clearTimeout(later);
  later = setTimeout(() => {
    note({});
    showChosen();
  }, 60);
}
