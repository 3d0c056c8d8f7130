// What is drawn: boxes in rows, everything at the bottom.
const ROW = 18; // height of a row, pixels
const LEAST = 0.7; // boxes narrower than this are not drawn, pixels
const canvas = document.getElementById("canvas");
const graph = document.getElementById("graph");
const paper = canvas.getContext("2d");

const view = {
  unit: "objects",
  root: null, // of the forest shown
  focus: null, // the frame that takes the whole width
  selected: null,
  matches: null, // by name, while searching
  reversed: false, // the allocated class is below its callers
  folded: data.folded === true, // calls of code that is not the reader's are one frame
  downward: false, // everything is at the top
  rows: [], // boxes by depth: {frame, x, width}, from the left
  below: 0, // rows whose depth is negative, at the bottom
};

// rowOf has the boxes of a depth.
const rowOf = depth => view.rows[depth + view.below] || [];

const value = frame => frame[view.unit];

// layout places the boxes that are wide enough. What leads to the focus is as wide as it.
function layout() {
  const width = graph.clientWidth;
  const rows = new Map();
  const put = (frame, x, w) => {
    if (!rows.has(frame.depth)) rows.set(frame.depth, []);
    rows.get(frame.depth).push({frame, x, width: w});
  };
  for (let frame = view.focus.parent; frame; frame = frame.parent) put(frame, 0, width);
  const pending = [[view.focus, 0, width]];
  while (pending.length > 0) {
    const [frame, x, w] = pending.pop();
    if (frame !== view.focus.under) put(frame, x, w);
    if (frame.under) pending.push([frame.under, x, w]);
    const scale = w / value(frame);
    const children = frame.children.filter(child => value(child) * scale >= LEAST);
    children.sort((a, b) => value(b) - value(a) || (a.title < b.title ? -1 : 1));
    let left = x;
    for (const child of children) {
      pending.push([child, left, value(child) * scale]);
      left += value(child) * scale;
    }
  }
  view.below = -Math.min(0, ...rows.keys());
  view.rows = Array.from({length: Math.max(...rows.keys()) + view.below + 1}, (_, i) => rows.get(i - view.below) ?? []);
  for (const row of view.rows) row.sort((a, b) => a.x - b.x);
  document.getElementById("height").style.height = view.rows.length * ROW + "px";
  dispatchEvent(new Event("laid"));
}

// top is where a row begins on the canvas.
function top(depth) {
  if (view.downward) return depth * ROW - graph.scrollTop;
  return Math.max(view.rows.length * ROW, graph.clientHeight) - (depth + view.below + 1) * ROW - graph.scrollTop;
}

// clear makes a canvas that large, in the page's pixels, and empty.
function clear(paper, width, height) {
  const canvas = paper.canvas, ratio = devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
  }
  paper.setTransform(ratio, 0, 0, ratio, 0, 0);
  paper.clearRect(0, 0, width, height);
}

function draw() {
  const width = graph.clientWidth, height = graph.clientHeight;
  clear(paper, width, height);
  paper.textBaseline = "middle";
  view.rows.forEach((row, i) => {
    const y = top(i - view.below);
    if (y <= -ROW || y >= height) return;
    for (const box of row) drawBox(box, y);
  });
}

function drawBox({frame, x, width}, y) {
  const match = view.matches && frame.name >= 0 && view.matches[frame.name];
  paper.globalAlpha = view.matches && !match ? 0.4 : frame.depth < view.focus.depth && frame.depth >= 0 ? 0.5 : 1;
  paper.fillStyle = match ? "#d946ef" : colour(frame);
  const gap = width > 3 ? 1 : 0;
  paper.fillRect(x, y, Math.max(width - gap, 0.5), ROW - 1);
  if (frame === view.selected) {
    paper.strokeStyle = "#000";
    paper.lineWidth = 2;
    paper.strokeRect(x + 1, y + 1, Math.max(width - gap - 2, 1), ROW - 3);
  }
  if (width >= 28) {
    paper.fillStyle = "#16181b";
    paper.font = (frame.isClass ? "italic " : "") + "12px system-ui, 'Liberation Sans', 'DejaVu Sans', sans-serif";
    paper.fillText(fitted(frame, width - 8), x + 4, y + ROW / 2);
  }
  paper.globalAlpha = 1;
}

// fitted is as much of a frame's name as there is room for: with its package, without, the method alone, or its beginning.
function fitted(frame, room) {
  const whole = frame.title;
  if (paper.measureText(whole).width <= room) return whole;
  const parts = whole.split(".");
  if (!frame.isClass && parts.length > 1) {
    const simple = parts.slice(-2).join(".");
    if (paper.measureText(simple).width <= room) return simple;
  }
  const short = parts.slice(parts.at(-1).startsWith("<") ? -2 : -1).join("."); // <init> alone says nothing
  if (paper.measureText(short).width <= room) return short;
  let length = Math.min(short.length, Math.floor(room / 5));
  while (length > 0 && paper.measureText(short.slice(0, length) + "…").width > room) length--;
  return length > 1 ? short.slice(0, length) + "…" : "";
}

// boxAt is the box at a point of the canvas.
function boxAt(x, y) {
  const fromBottom = Math.max(view.rows.length * ROW, graph.clientHeight) - graph.scrollTop - y;
  const row = view.rows[Math.floor((view.downward ? y + graph.scrollTop : fromBottom) / ROW)] || [];
  let low = 0, high = row.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row[middle].x + row[middle].width <= x) low = middle + 1; else high = middle;
  }
  return row[low] && row[low].x <= x ? row[low] : null;
}

// reveal scrolls so that a row can be seen.
function reveal(depth) {
  const y = top(depth);
  if (y < 0) graph.scrollTop += y;
  else if (y + ROW > graph.clientHeight) graph.scrollTop += y + ROW - graph.clientHeight;
}
