// The table of the view: each test at its cutoff and, for two, their difference.

function tableRows(view, say) {
  const prevalence = perHundred(view.prevalence);
  return [
    { key: "tpr", value: (one) => one.tpr, difference: true },
    { key: "tnr", value: (one) => one.tnr, difference: true },
    { key: "ppv", value: (one) => one.positive },
    { key: "npv", value: (one) => one.negative },
    { key: "worth", value: (one) => one.worth, difference: true },
  ].map((row) => ({
    ...row,
    name: say("table_" + row.key, {}),
    term: say("table_" + row.key + "_term", { prevalence, ...alarmsWords(view) }),
  }));
}

// On a phone the heads of columns are not shown: `data-column` names each cell instead.
function worthCell(worth, column) {
  const limits = hasLimits(worth)
    ? [" ", element("span", { class: "limits" }, "(" + thousandLimits(worth) + ")")]
    : [];
  const estimate = element("strong", {}, thousand(worth.estimate));
  return element("td", { "data-column": column }, element("span", {}, estimate, limits));
}

function estimateCell(rate, column, digits = digitsOf(rate.estimate)) {
  const limits = hasLimits(rate)
    ? [" ", element("span", { class: "limits" }, "(" + percentLimits(rate, digits) + ")")]
    : [];
  return element(
    "td",
    { "data-column": column },
    element("span", {}, element("strong", {}, percent(rate.estimate, digits)), limits),
  );
}

function differenceCell(view, key, column) {
  const difference = view.difference[key];
  if (difference === undefined) return element("td", { class: "none" });
  if (key === "worth") return worthCell(difference, column);
  // A difference near 0 is as precise as one that is not: more digits would say nothing.
  const cell = estimateCell(difference, column, Math.min(1, digitsOf(difference.estimate)));
  if (difference.p_text) {
    cell.firstChild.append(" ", element("span", { class: "limits" }, difference.p_text));
  }
  return cell;
}

function tableNotes(view, say) {
  const { difference } = view;
  const unlimited = difference && difference.kind === "moved" && !hasLimits(difference.tpr);
  return [
    view.tests.some((one) => one.kind === "chosen") && say("table_chosen", {}),
    difference && difference.kind === "paired" && say("table_paired", {}),
    difference && difference.kind === "moved" && !unlimited && say("table_moved", {}),
    unlimited && say("table_no_difference", { reason: difference.reason }),
    difference && say("table_no_predictive", {}),
  ].filter(Boolean);
}

/** Names of the columns: each test at its cutoff, and the difference. */
function columnNames(view, say) {
  const names = view.tests.map(
    (one) => inBrief(one.label, 60) + (one.test.yes_no ? "" : ", " + one.cutoff),
  );
  if (!view.difference) return names;
  const [first, second] = view.tests.map((one) => inBrief(one.label, 40));
  return [...names, say("table_difference", { first, second })];
}

function columnHeads(view, names, say) {
  return names.map((name, i) =>
    element(
      "th",
      { scope: "col" },
      name,
      i < view.tests.length ? element("span", { class: "term" }, kindText(view.tests[i], say)) : "",
    ),
  );
}

function countsRow(view, names, say) {
  const cells = view.tests.map(({ counts }, i) =>
    element(
      "td",
      { class: "counts", "data-column": names[i] },
      [counts.found, counts.missed, counts.alarms, counts.cleared].map(count).join(" / "),
    ),
  );
  return element(
    "tr",
    { "data-row": "counts" },
    element("th", { scope: "row" }, say("table_counts", {})),
    cells,
    view.difference ? element("td", { class: "none" }) : "",
  );
}

function measureRow(view, row, names) {
  return element(
    "tr",
    { "data-row": row.key },
    element("th", { scope: "row" }, row.name, " ", element("span", { class: "term" }, row.term)),
    view.tests.map((one, i) => {
      const cell = row.key === "worth" ? worthCell : estimateCell;
      return cell(row.value(one), names[i]);
    }),
    view.difference ? differenceCell(view, row.key, names[2]) : "",
  );
}

function comparisonTable(view, say) {
  const names = columnNames(view, say);
  const heads = [
    element("th", { scope: "col" }, say("table_measure", {})),
    columnHeads(view, names, say),
  ];
  const rows = tableRows(view, say).map((row) => measureRow(view, row, names));
  return element(
    "table",
    { class: "of-" + view.tests.length },
    element("thead", {}, element("tr", {}, heads)),
    element("tbody", {}, rows, countsRow(view, names, say)),
  );
}

function comparison(say) {
  const title = say("table_title", {});
  const holder = element("div", {
    class: "scroll",
    tabindex: 0,
    role: "region",
    "aria-label": title,
  });
  const notes = element("p", { class: "note" });
  const root = element(
    "section",
    { class: "numbers", "data-part": "table" },
    element("h3", {}, title),
    holder,
    notes,
  );
  const update = (view) => {
    holder.replaceChildren(comparisonTable(view, say));
    notes.replaceChildren(tableNotes(view, say).join(" "));
  };
  return { root, update };
}
