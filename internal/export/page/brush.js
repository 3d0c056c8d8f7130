// A span of time that is chosen on a canvas, by dragging or with sliders. points.seconds says when points were; what is drawn, and what is said of
// the span, is the page's: drawTimeline, axisText, tellPoint, spanChosen. The event "pointed" tells it the point that was clicked on, or that the
// span ends with; null when all is chosen.
const HEIGHT = 200, LABELS = 16, LEFT = 8; // pixels
const GRAB = 8; // pixels at which a handle is caught
const areas = at("areas").getContext("2d");
const last = () => points.seconds.length - 1;
const span = {from: 0, to: last()}; // points
const ink = name => getComputedStyle(document.documentElement).getPropertyValue(name);

// end is when the last point was, or a second where there is none.
const longest = {of: null, seconds: 1};
function end() {
  if (longest.of !== points.seconds) Object.assign(longest, {of: points.seconds, seconds: points.seconds.reduce((a, b) => Math.max(a, b), 0) || 1});
  return longest.seconds;
}

const room = () => Math.max(areas.canvas.parentElement.clientWidth - 24, 50);
const xAt = seconds => LEFT + seconds / end() * (room() - 2 * LEFT);
const xOf = point => xAt(points.seconds[point]);

function drawAxes(width, floor, top) {
  areas.fillStyle = ink("--faint");
  areas.font = "11px system-ui, 'Liberation Sans', 'DejaVu Sans', sans-serif";
  areas.textBaseline = "top";
  areas.textAlign = "left";
  areas.fillText(axisText(top), LEFT, 0);
  const ticks = Math.max(1, Math.min(8, Math.floor(width / 120)));
  for (let i = 0; i <= ticks; i++) {
    areas.textAlign = i === 0 ? "left" : i === ticks ? "right" : "center";
    areas.fillText((end() * i / ticks).toFixed(end() < 10 ? 2 : end() < 100 ? 1 : 0) + " s", LEFT + (width - 2 * LEFT) * i / ticks, HEIGHT - LABELS + 3);
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

// nearest is the point at a place of the canvas.
function nearest(x) {
  let best = 0;
  for (let i = 1; i <= last(); i++) if (Math.abs(xOf(i) - x) < Math.abs(xOf(best) - x)) best = i;
  return best;
}

// choose makes the span go from one point to another; of one point alone it is all of the recording.
function choose(a, b) {
  [span.from, span.to] = a === b ? [0, last()] : [Math.min(a, b), Math.max(a, b)];
  at("from").max = at("to").max = last();
  at("from").value = span.from;
  at("to").value = span.to;
  drawTimeline();
  spanChosen();
}

const pointed = point => dispatchEvent(new CustomEvent("pointed", {detail: point}));

// pull chooses a span, and has what it ends with be looked at.
function pull(a, b) {
  choose(a, b);
  pointed(span.to);
}

const across = event => event.clientX - areas.canvas.getBoundingClientRect().left;

// Dragging moves a handle that is near, or chooses a new span.
let anchor = -1; // the point that stays
areas.canvas.onpointerdown = event => {
  const x = across(event);
  const near = point => Math.abs(xOf(point) - x) < GRAB;
  const all = span.from === 0 && span.to === last();
  anchor = !all && near(span.from) ? span.to : !all && near(span.to) ? span.from : nearest(x);
  tell(null, null);
};
areas.canvas.onpointermove = event => {
  if (anchor < 0) tellPoint(event, nearest(across(event)));
};
addEventListener("pointermove", event => {
  const point = nearest(across(event));
  if (anchor >= 0 && point !== anchor) pull(anchor, point);
});
addEventListener("pointerup", event => {
  const point = nearest(across(event));
  if (anchor >= 0 && event.target === areas.canvas && point === anchor) {
    choose(0, 0);
    pointed(point);
  }
  anchor = -1;
});
areas.canvas.onpointerleave = () => tell(null, null);
at("from").oninput = () => pull(Math.min(+at("from").value, span.to - 1), span.to);
at("to").oninput = () => pull(span.from, Math.max(+at("to").value, span.from + 1));
at("whole").onclick = () => {
  choose(0, 0);
  pointed(null);
};
