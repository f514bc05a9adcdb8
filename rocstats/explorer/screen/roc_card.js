// The card of the ROC square: its key, what its marks mean, and all cutoffs as a table.

/** A curve as a line of the key: its stroke, its test and its area with limits. */
function areaItem({ test, index, quiet }) {
  const { colour, dash } = seriesOf(index);
  const stroke = {
    stroke: colour,
    "stroke-width": quiet ? 1.5 : 2.2,
    "stroke-dasharray": dash,
  };
  return element(
    "li",
    {},
    drawn("svg", { width: 26, height: 8, "aria-hidden": "true" }, line(0, 4, 26, 4, stroke)),
    element(
      "span",
      {},
      inBrief(test.label, 28) + " ",
      element("strong", {}, fraction(test.auc.estimate)),
      hasLimits(test.auc) ? " (" + fractionLimits(test.auc) + ")" : "",
    ),
  );
}

/** The key of the curves with their areas, highest first. */
function areaKey(payload, view, say) {
  const curves = curvesOf(payload, view)
    .filter(({ test }) => test.auc)
    .sort((a, b) => b.test.auc.estimate - a.test.auc.estimate);
  if (!curves.length) return [];
  const band = view.tests.some((one) => one.test.band)
    ? [element("p", {}, say("roc_band", {}))]
    : [];
  return [
    element(
      "div",
      { class: "key" },
      element("p", {}, say("roc_key", {})),
      element("ul", {}, curves.map(areaItem)),
      band,
    ),
  ];
}

/** How a cutoff came about, in a few words. */
function kindText(one, say) {
  if (one.test.yes_no) return say("table_yes_no", {});
  return say({ prespecified: "roc_set", chosen: "roc_chosen", moved: "roc_moved" }[one.kind], {});
}

/** What the marks are: cutoff, box and ring. */
function rocNote(view, say) {
  const marks = view.tests.flatMap((one) => {
    const provenance = kindText(one, say);
    return [
      inlineMark(cutoffMark(one.kind, 0, 0, seriesOf(one.series).colour, 4.2)),
      one.test.yes_no
        ? inBrief(one.label, 40)
        : say("roc_point", { cutoff: inBrief(one.cutoff, 24), provenance }),
      "; ",
    ];
  });
  const limited = view.tests.filter((one) => hasLimits(one.tpr) && hasLimits(one.tnr));
  const parts = [
    limited.some((one) => one.kind !== "moved") && say("roc_box_each", {}),
    limited.some((one) => one.kind === "moved") && say("roc_box_all", {}),
    view.tests.some((one) => one.kind === "chosen") && say("roc_ring", {}),
  ].filter(Boolean);
  return [...(parts.length ? marks : marks.slice(0, -1)), parts.join("; ")];
}

function rocTable(view, say) {
  return view.tests.map((one) => {
    if (one.test.yes_no) {
      return tableOf(
        ["", say("roc_found", {}), say("roc_cleared", {})],
        [[one.label, percentWithLimits(one.tpr), percentWithLimits(one.tnr)]],
      );
    }
    const head = [say("roc_cutoff", {}), say("roc_found", {}), say("roc_cleared", {})];
    const rows = one.test.edges.map((_, i) => {
      const rates = movedRates(one.test, i);
      return [
        edgeText(one.test, i),
        percentWithLimits(rates.tpr),
        percentWithLimits(rates.tnr),
      ];
    });
    const table = tableOf(head, rows);
    table.prepend(
      element(
        "caption",
        {},
        [
          one.label + ".",
          say(one.test.moved ? "roc_raw" : "roc_raw_unlimited", {}),
          one.test.moved ? "" : one.test.moved_reason,
          view.exact ? "" : say("roc_merged", {}),
        ].join(" "),
      ),
    );
    return table;
  });
}

function rocContent(payload, view, say, width) {
  const point = view.tests.every((one) => one.test.yes_no);
  return {
    title: say(point ? "roc_title_point" : "roc_title", {}),
    note: rocNote(view, say),
    pictures: [drawRoc(payload, view, say, width), ...areaKey(payload, view, say)],
    legend: [],
    summary: say(point ? "roc_table_point" : "roc_table", {}),
    table: () => element("div", {}, rocTable(view, say)),
  };
}
