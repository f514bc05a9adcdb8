// The ROC square: curves, the band of one test, and each cutoff with the box of its limits.

function rocLayout(width) {
  const side = Math.min(width - 64, 400);
  return { side, left: 50, top: 10, bottom: 10 + side, height: side + 58 };
}

function rocAxes(layout, say) {
  const at = scale(0, 100, 0, layout.side);
  const small = { fill: SECOND, "font-size": 11.5 };
  const ticks = [0, 20, 40, 60, 80, 100].flatMap((value) => [
    line(layout.left + at(value), layout.bottom, layout.left + at(value), layout.bottom + 4, {}),
    label(layout.left + at(value), layout.bottom + 17, String(value), {
      "text-anchor": "middle", ...small,
    }),
    line(layout.left - 4, layout.bottom - at(value), layout.left, layout.bottom - at(value), {}),
    label(layout.left - 8, layout.bottom - at(value) + 4, String(value), {
      "text-anchor": "end", ...small,
    }),
  ]);
  const middle = layout.top + layout.side / 2;
  const most = Math.floor(layout.side / 6.2);
  const name = (key) => {
    const text = say(key, {});
    const term = " " + say(key + "_term", {});
    return text.length + term.length <= most
      ? [text, drawn("tspan", { fill: SECOND }, term)]
      : [inBrief(text, most)];
  };
  return [
    rect(layout.left, layout.top, layout.side, layout.side, { fill: "none", stroke: RULE }),
    ...ticks,
    label(layout.left + layout.side / 2, layout.bottom + 38, name("roc_x"), {
      "text-anchor": "middle",
    }),
    label(14, middle, name("roc_y"), {
      "text-anchor": "middle", transform: "rotate(-90 14 " + middle + ")",
    }),
  ];
}

function rocPlace(layout) {
  return (fpr, tpr) => [layout.left + fpr * layout.side, layout.bottom - tpr * layout.side];
}

function path(place, xs, ys) {
  return xs.map((x, i) => place(x, ys[i]).map((number) => number.toFixed(1)).join(",")).join(" ");
}

function rocCurve(test, index, place, quiet) {
  const { colour, dash } = seriesOf(index);
  return drawn("polyline", {
    points: path(place, test.curve.fpr, test.curve.tpr), fill: "none", stroke: colour,
    "stroke-width": quiet ? 1.5 : 2.2, "stroke-dasharray": dash, "stroke-linejoin": "round",
  });
}

function rocBand(one, place, several) {
  const { band } = one.test;
  if (!band) return [];
  const { colour } = seriesOf(one.series);
  const points = path(place, band.fpr, band.high) + " " +
    path(place, [...band.fpr].reverse(), [...band.low].reverse());
  return [drawn("polygon", {
    points, fill: colour, "fill-opacity": several ? 0.08 : 0.14,
    stroke: several ? colour : "none", "stroke-width": 0.8, "stroke-opacity": 0.6,
  })];
}

/** The box of both rates' limits. */
function rocBox(one, place) {
  if (!hasLimits(one.tpr) || !hasLimits(one.tnr)) return [];
  const [left, top] = place(1 - one.tnr.high, one.tpr.high);
  const [right, bottom] = place(1 - one.tnr.low, one.tpr.low);
  return [rect(left, top, right - left, bottom - top, {
    fill: OCHRE, "fill-opacity": 0.22, stroke: TEXT, "stroke-width": 1,
    "stroke-dasharray": one.kind === "moved" ? "4 3" : null,
  })];
}

/** The cutoff with lines to the axes; a ring where it lay before correction. */
function rocPoint(one, place, layout) {
  const [x, y] = place(1 - one.tnr.estimate, one.tpr.estimate);
  const guide = { stroke: TEXT, "stroke-dasharray": "2 3" };
  const ring = one.kind === "chosen"
    ? [drawn("circle", {
      ...ringAt(place(1 - one.tnr.apparent, one.tpr.apparent)),
      r: 5, fill: "#fff", stroke: TEXT, "stroke-width": 1.3,
    })]
    : [];
  return [
    line(x, y, x, layout.bottom, guide), line(layout.left, y, x, y, guide), ...ring,
    cutoffMark(one.kind, x, y, seriesOf(one.series).colour, 5.5),
  ];
}

function ringAt([cx, cy]) {
  return { cx, cy };
}

function chanceLine(place, layout, say) {
  const [[x1, y1], [x2, y2]] = [place(0, 0), place(1, 1)];
  const words = place(0.22, 0.22);
  return [
    line(x1, y1, x2, y2, { stroke: SECOND, "stroke-dasharray": "1.5 3.5" }),
    layout.side > 330 ? label(words[0], words[1] + 13, say("roc_chance", {}), {
      fill: SECOND, "font-size": 11, transform: "rotate(-45 " + words[0] + " " + words[1] + ")",
    }) : "",
  ];
}

function rocPointSentence(one, say) {
  const values = {
    test: inBrief(one.label, 60), found: percent(one.tpr.estimate),
    alarms: percent(1 - one.tnr.estimate),
  };
  return one.test.yes_no
    ? say("roc_sentence_yes_no", values)
    : say("roc_sentence", { ...values, cutoff: one.cutoff });
}

function rocSentence(payload, view, say) {
  return view.tests.flatMap((one) => [
    rocPointSentence(one, say),
    one.test.auc ? say("roc_sentence_area", {
      test: inBrief(one.label, 60), area: fraction(one.test.auc.estimate),
    }) : "",
  ]).join(" ").trim();
}

/** Curves drawn: those shown, and the others of few tests thinly behind them. */
function curvesOf(payload, view) {
  const few = payload.tests.length <= SERIES.length;
  const shown = view.tests.map((one) => one.id);
  return payload.tests.map((test, index) => ({ test, index, quiet: !shown.includes(test.id) }))
    .filter(({ test, quiet }) => !test.yes_no && (few || !quiet));
}

function drawRoc(payload, view, say, width) {
  const layout = rocLayout(width);
  const place = rocPlace(layout);
  const several = view.tests.length > 1;
  return picture(layout.left + layout.side + 14, layout.height, rocSentence(payload, view, say),
    view.tests.flatMap((one) => rocBand(one, place, several)),
    chanceLine(place, layout, say), rocAxes(layout, say),
    curvesOf(payload, view).map(({ test, index, quiet }) => rocCurve(test, index, place, quiet)),
    view.tests.flatMap((one) => rocBox(one, place)),
    view.tests.flatMap((one) => rocPoint(one, place, layout)));
}

/** Areas in the order of the curves, highest first. */
function areaKey(payload, view, say) {
  const curves = curvesOf(payload, view).filter(({ test }) => test.auc)
    .sort((a, b) => b.test.auc.estimate - a.test.auc.estimate);
  if (!curves.length) return [];
  const items = curves.map(({ test, index, quiet }) => {
    const { colour, dash } = seriesOf(index);
    const sample = drawn("svg", { width: 26, height: 8, "aria-hidden": "true" },
      line(0, 4, 26, 4, { stroke: colour, "stroke-width": quiet ? 1.5 : 2.2, "stroke-dasharray": dash }));
    return element("li", {}, sample, element("span", {}, inBrief(test.label, 28) + " ",
      element("strong", {}, fraction(test.auc.estimate)),
      hasLimits(test.auc) ? " (" + fractionLimits(test.auc) + ")" : ""));
  });
  const band = view.tests.some((one) => one.test.band)
    ? [element("p", {}, say("roc_band", {}))] : [];
  return [element("div", { class: "key" },
    element("p", {}, say("roc_key", {})), element("ul", {}, items), band)];
}

/** What the marks are: cutoff, box and ring. */
function rocNote(view, say) {
  const marks = view.tests.flatMap((one) => {
    const provenance = {
      prespecified: say("roc_set", {}), chosen: say("roc_chosen", {}), moved: say("roc_moved", {}),
    }[one.kind];
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
      return tableOf(["", say("roc_found", {}), say("roc_cleared", {})],
        [[one.label, percentWithLimits(one.tpr), percentWithLimits(one.tnr)]]);
    }
    const head = [say("roc_cutoff", {}), say("roc_found", {}), say("roc_cleared", {})];
    const rows = one.test.edges.map((edge, i) => {
      const rates = movedRates(one.test, i);
      return [thresholdText(one.test, edge), percentWithLimits(rates.tpr), percentWithLimits(rates.tnr)];
    });
    const table = tableOf(head, rows);
    table.prepend(element("caption", {}, one.label + ". " + say("roc_raw", {})));
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
