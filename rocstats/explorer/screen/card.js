// A figure: title, note, picture, legend, and its numbers as a table that can be opened.

function tableOf(head, rows) {
  const cells = (row) =>
    row.map((cell, i) => element(i ? "td" : "th", i ? {} : { scope: "row" }, cell));
  return element(
    "table",
    {},
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        head.map((cell) => element("th", { scope: "col" }, cell)),
      ),
    ),
    element(
      "tbody",
      {},
      rows.map((row) => element("tr", {}, cells(row))),
    ),
  );
}

// The table is made when it is opened: two hundred rows are not made at each step of a slider.
function card(part) {
  const title = element("h3", {});
  const note = element("p", { class: "note" });
  const picture = element("div", { class: "picture" });
  const legend = element("div", { class: "legend" });
  const summary = element("summary", {});
  const table = element("div", { class: "scroll", tabindex: 0, role: "region" });
  const details = element("details", {}, summary, table);
  const root = element(
    "section",
    { class: "card " + part, "data-part": "figure-" + part },
    title,
    note,
    picture,
    legend,
    details,
  );
  let rows = () => element("table", {});
  const write = () => {
    if (details.open) table.replaceChildren(rows());
  };
  details.addEventListener("toggle", write);

  function show(content) {
    title.replaceChildren(content.title);
    note.replaceChildren(...content.note);
    picture.replaceChildren(...content.pictures);
    legend.replaceChildren(...content.legend);
    summary.replaceChildren(content.summary);
    table.setAttribute("aria-label", content.summary);
    rows = content.table;
    write();
  }
  return { root, picture, show };
}
