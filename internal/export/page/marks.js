// Marks of collections on a timeline.
const STRIP = 14; // for marks of collections, pixels
const kinds = [ // of collections, what is drawn last lies on top
  {name: "young", colour: "#8b93a0", height: 5},
  {name: "mixed", colour: "#2e9e4f", height: 9},
  {name: "full", colour: "#d03030", height: STRIP},
];

// mark draws one at a place of a strip that begins at floor.
function mark({colour, height}, x, floor) {
  areas.fillStyle = colour;
  areas.fillRect(x - 0.5, floor + STRIP - height, 1.5, height);
}
