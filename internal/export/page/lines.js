// Lines of source, with what they have allocated and led to.
async function fillSource() {
  const panel = at("source"), body = panel.querySelector("tbody");
  const parameters = chosen.file ? {file: chosen.file, ...(chosen.line && {line: chosen.line})} : {method: chosen.method};
  if (!chosen.file && !chosen.method) {
    at("file").textContent = "Choose a line or a site in the table, or a method and S.";
    body.replaceChildren();
    return;
  }
  let answer;
  try {
    answer = await ask("source", parameters);
  } catch (error) {
    at("file").textContent = error.message;
    body.replaceChildren();
    return;
  }
  at("file").textContent = answer.file + (answer.place === "" ? ": no source found; --source PATH says where it is" : answer.place !== answer.file ? ` (${answer.place})` : "");
  const unit = view.unit === "bytes" ? 1 : 0;
  const most = answer.lines.reduce((most, line) => Math.max(most, line.all[unit]), 1);
  body.replaceChildren(...answer.lines.map(line => {
    const row = document.createElement("tr");
    const parts = [...line.self, ...line.all].map(n => n !== 0 ? number(n) : "");
    for (const [i, part] of [...parts, String(line.line), line.text].entries()) {
      const cell = document.createElement("td");
      cell.textContent = part;
      if (i === 5) cell.className = "code";
      row.append(cell);
    }
    if (line.all[unit] > 0) row.style.background = `color-mix(in srgb, var(--accent) ${Math.round(4 + 36 * line.all[unit] / most)}%, transparent)`;
    if (line.line === answer.first) row.id = "line";
    return row;
  }));
  at("line")?.scrollIntoView({block: "center"});
}
