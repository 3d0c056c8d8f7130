// What changed in the span, by class.
const columns = [
  {title: "Held before", value: c => c.held[view.unit][span.from]},
  {title: "Born", value: c => c.born[view.unit][span.to] - c.born[view.unit][span.from]},
  {title: "Died", value: c => c.held[view.unit][span.from] + c.born[view.unit][span.to] - c.born[view.unit][span.from] - c.held[view.unit][span.to]},
  {title: "Held after", value: c => c.held[view.unit][span.to]},
  {title: "Difference", value: c => c.held[view.unit][span.to] - c.held[view.unit][span.from]},
  {title: "Class", isText: true, value: c => c.title},
];
if (courses.some(c => c.site)) columns.push({title: "Site", isText: true, value: c => c.site});
const order = {column: columns[3], descending: true};

function headTable() {
  const row = document.createElement("tr");
  for (const column of columns) {
    const head = document.createElement("th"), button = document.createElement("button");
    button.textContent = column.title;
    button.onclick = () => {
      order.descending = order.column === column ? !order.descending : !column.isText;
      order.column = column;
      fillTable();
    };
    if (column.isText) head.className = "text";
    head.append(button);
    column.head = head;
    row.append(head);
  }
  document.querySelector("#changes thead").replaceChildren(row);
}

function fillTable() {
  if (at("changes").hidden) return;
  for (const column of columns) {
    column.head.setAttribute("aria-sort", column !== order.column ? "none" : order.descending ? "descending" : "ascending");
  }
  const compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;
  const list = courses.filter(c => isCourseFound(c) && columns.slice(0, 4).some(column => column.value(c) !== 0));
  list.sort((a, b) => {
    const by = compare(order.column.value(a), order.column.value(b)) * (order.descending ? -1 : 1);
    return by || compare(b.held[view.unit][span.to], a.held[view.unit][span.to]) || compare(a.title, b.title);
  });
  document.querySelector("#changes tbody").replaceChildren(...[total, ...list].map(c => {
    const row = document.createElement("tr");
    for (const column of columns) {
      const cell = document.createElement("td"), value = column.value(c);
      cell.textContent = column.isText ? value : (column.title === "Difference" && value > 0 ? "+" : "") + number(value);
      if (column.isText) cell.className = "text";
      if (column.title === "Class" && courseColours.has(c.name)) {
        const sample = document.createElement("i");
        sample.style.background = nameColour(c.name);
        cell.prepend(sample);
      }
      row.append(cell);
    }
    return row;
  }));
}
