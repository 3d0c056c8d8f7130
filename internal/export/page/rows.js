// Tables, of which the server gives as many rows as are looked at.
const COUNT = 200; // rows that are asked for at once
const pair = (name, title, part, isSort) => [
  {title: title + "objects", sort: isSort && name, unit: "objects", cell: row => number(row[part][0])},
  {title: title + "bytes", sort: isSort && name, unit: "bytes", cell: row => number(row[part][1])},
  {title: "%", cell: (row, whole) => percent(row[part][view.unit === "bytes" ? 1 : 0], whole[view.unit === "bytes" ? 1 : 0])},
];
const text = (title, name, sort) => ({title, sort, isText: true, cell: row => row[name] ?? ""});
const self = pair("self", "self ", "self", true), all = pair("all", "with callees ", "all", true), own = pair("self", "", "self", true);
const positive = name => row => row[name] > 0 ? number(row[name]) : "";
const tables = {
  method: [...self, ...all, text("method", "title", "title")],
  class: [...own, text("class", "title", "title")],
  site: [...own, text("class", "class"), text("site", "title", "title")],
  line: [...self, ...all, text("line", "title", "title")],
  thread: [...own, {title: "threads", cell: positive("number")}, text("thread", "title", "title")],
  transaction: [...own, {title: "ended", cell: positive("number")}, {title: "bytes, half at most", cell: positive("typical")},
    {title: "bytes, largest", cell: positive("most")}, text("transaction", "title", "title")],
};

const kindOfRows = () => ({threads: "thread", transactions: "transaction"})[chosen.view] ?? (tables[chosen.by] ? chosen.by : "method");

// fillRows asks for rows, and shows them; offset is that of the first one, behind those that are there.
async function fillRows(offset = 0) {
  const by = kindOfRows(), columns = tables[by];
  const sort = columns.some(c => c.sort && c.sort === chosen.sort.replace("-", "")) ? chosen.sort : "self";
  const answer = await ask("rows", {by, sort, unit: view.unit, search: chosen.search, offset, count: COUNT});
  at("by").value = chosen.by;
  const head = document.createElement("tr");
  for (const column of columns) {
    const cell = document.createElement("th"), isSorted = column.sort && column.sort === sort.replace("-", "") && (!column.unit || column.unit === view.unit);
    if (column.isText) cell.className = "text";
    cell.setAttribute("aria-sort", !isSorted ? "none" : sort.startsWith("-") !== (column.sort === "title") ? "ascending" : "descending");
    if (column.sort) {
      const button = document.createElement("button");
      button.textContent = column.title;
      button.onclick = () => {
        note({sort: isSorted && !sort.startsWith("-") ? "-" + column.sort : column.sort, unit: column.unit ?? view.unit}, false);
        if (column.unit && column.unit !== view.unit) show(column.unit, view.reversed); else fillRows();
      };
      cell.append(button);
    } else {
      cell.textContent = column.title;
    }
    head.append(cell);
  }
  document.querySelector("#rows thead").replaceChildren(head);
  const rows = answer.rows.map(row => {
    const line = document.createElement("tr");
    for (const column of columns) {
      const cell = document.createElement("td");
      if (column.isText) cell.className = "text";
      const action = column.isText && column.sort === "title" && actionOf(by, row);
      if (action) {
        const button = document.createElement("button");
        button.className = "link";
        button.textContent = column.cell(row);
        button.onclick = action;
        cell.append(button);
      } else {
        cell.textContent = column.cell(row, answer.total);
      }
      line.append(cell);
    }
    return line;
  });
  const body = document.querySelector("#rows tbody");
  if (offset > 0) body.append(...rows); else body.replaceChildren(...rows);
  const there = body.children.length;
  at("shown").textContent = `${number(there)} of ${number(answer.count)} ${answer.count === 1 ? "row" : "rows"}`;
  at("more").hidden = there >= answer.count;
  at("more").onclick = () => fillRows(there);
}

// actionOf is what a click on a row does; null for nothing.
function actionOf(by, row) {
  switch (by) {
    case "method": return () => sandwich(row.key, row.title);
    case "class": return () => { note({view: "graph", reversed: "1", path: row.key}); showChosen(); };
    case "thread": return () => { note({view: "graph", thread: row.title.replace(/ \(carrier\)$/, ""), path: ""}); showChosen(); };
    case "transaction": return row.title === "(none)" ? null : () => { note({view: "graph", transaction: row.title, path: ""}); showChosen(); };
  }
  return row.file && row.line > 0 ? () => { note({view: "source", file: row.file, line: String(row.line), method: ""}); showChosen(); } : null;
}
