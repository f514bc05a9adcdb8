// The ROC square: curves, the band of one test, and each cutoff with the box of its limits.

function rocLayout(width) {
  const side = Math.min(width - 64, 400);
  return { side, left: 50, top: 10, bottom: 10 + side, height: side + 58 };
}

function rocTicks(layout) {
  const at = scale(0, 100, 0, layout.side);
  const small = { fill: SECOND, "font-size": 11.5 };
  return [0, 20, 40, 60, 80, 100].flatMap((value) => {
    const [x, y] = [layout.left + at(value), layout.bottom - at(value)];
    return [
      line(x, layout.bottom, x, layout.bottom + 4, {}),
      label(x, layout.bottom + 17, String(value), { "text-anchor": "middle", ...small }),
      line(layout.left - 4, y, layout.left, y, {}),
      label(layout.left - 8, y + 4, String(value), { "text-anchor": "end", ...small }),
    ];
  });
}

/** The name of an axis, with its term of the field where there is room. */
function rocAxisName(key, room, say) {
  const most = Math.floor(room / 6.4);
  const text = say(key, {});
  const term = " " + say(key + "_term", {});
  return text.length + term.length <= most
    ? [text, drawn("tspan", { fill: SECOND }, term)]
    : [inBrief(text, most)];
}

function rocAxes(layout, say) {
  const { left, top, side, bottom } = layout;
  const middle = top + side / 2;
  return [
    rect(left, top, side, side, { fill: "none", stroke: RULE }),
    ...rocTicks(layout),
    label(left + side / 2 - 18, bottom + 38, rocAxisName("roc_x", side + 60, say), {
      "text-anchor": "middle",
    }),
    label(14, middle, rocAxisName("roc_y", side, say), {
      "text-anchor": "middle",
      transform: "rotate(-90 14 " + middle + ")",
    }),
  ];
}

function rocPlace(layout) {
  return (fpr, tpr) => [layout.left + fpr * layout.side, layout.bottom - tpr * layout.side];
}

function path(place, xs, ys) {
  return xs
    .map((x, i) =>
      place(x, ys[i])
        .map((number) => number.toFixed(1))
        .join(","),
    )
    .join(" ");
}

function rocCurve(test, index, place, quiet) {
  const { colour, dash } = seriesOf(index);
  return drawn("polyline", {
    points: path(place, test.curve.fpr, test.curve.tpr),
    fill: "none",
    stroke: colour,
    "stroke-width": quiet ? 1.5 : 2.2,
    "stroke-dasharray": dash,
    "stroke-linejoin": "round",
  });
}

function rocBand(one, place, several) {
  const { band } = one.test;
  if (!band) return [];
  const { colour } = seriesOf(one.series);
  const points =
    path(place, band.fpr, band.high) +
    " " +
    path(place, [...band.fpr].reverse(), [...band.low].reverse());
  return [
    drawn("polygon", {
      points,
      fill: colour,
      "fill-opacity": several ? 0.08 : 0.14,
      stroke: several ? colour : "none",
      "stroke-width": 0.8,
      "stroke-opacity": 0.6,
    }),
  ];
}

/** The box of both rates' limits. */
function rocBox(one, place) {
  if (!hasLimits(one.tpr) || !hasLimits(one.tnr)) return [];
  const [left, top] = place(1 - one.tnr.high, one.tpr.high);
  const [right, bottom] = place(1 - one.tnr.low, one.tpr.low);
  return [
    rect(left, top, right - left, bottom - top, {
      fill: OCHRE,
      "fill-opacity": 0.22,
      stroke: TEXT,
      "stroke-width": 1,
      "stroke-dasharray": one.kind === "moved" ? "4 3" : null,
    }),
  ];
}

/** The cutoff with lines to the axes; a ring where it lay before correction. */
function rocPoint(one, place, layout) {
  const [x, y] = place(1 - one.tnr.estimate, one.tpr.estimate);
  const [cx, cy] = place(1 - one.tnr.apparent, one.tpr.apparent);
  const guide = { stroke: TEXT, "stroke-dasharray": "2 3" };
  const ring =
    one.kind === "chosen"
      ? [
          drawn("circle", {
            cx,
            cy,
            r: 5,
            fill: "#fff",
            stroke: TEXT,
            "stroke-width": 1.3,
          }),
        ]
      : [];
  return [
    line(x, y, x, layout.bottom, guide),
    line(layout.left, y, x, y, guide),
    ...ring,
    cutoffMark(one.kind, x, y, seriesOf(one.series).colour, 5.5),
  ];
}

function chanceLine(place, layout, say) {
  const [[x1, y1], [x2, y2]] = [place(0, 0), place(1, 1)];
  const words = place(0.06, 0.06);
  return [
    line(x1, y1, x2, y2, { stroke: SECOND, "stroke-dasharray": "1.5 3.5" }),
    layout.side > 330
      ? label(words[0], words[1] + 13, say("roc_chance", {}), {
          fill: SECOND,
          "font-size": 11,
          transform: "rotate(-45 " + words[0] + " " + words[1] + ")",
        })
      : "",
  ];
}

function rocPointSentence(one, say) {
  const values = {
    test: inBrief(one.label, 60),
    found: percent(one.tpr.estimate),
    alarms: percent(1 - one.tnr.estimate),
  };
  return one.test.yes_no
    ? say("roc_sentence_yes_no", values)
    : say("roc_sentence", { ...values, cutoff: one.cutoff });
}

function rocSentence(payload, view, say) {
  return view.tests
    .flatMap((one) => [
      rocPointSentence(one, say),
      one.test.auc
        ? say("roc_sentence_area", {
            test: inBrief(one.label, 60),
            area: fraction(one.test.auc.estimate),
          })
        : "",
    ])
    .join(" ")
    .trim();
}

/** Curves drawn: those shown, and the others of few tests thinly behind them. */
function curvesOf(payload, view) {
  const few = payload.tests.length <= SERIES.length;
  const shown = view.tests.map((one) => one.id);
  return payload.tests
    .map((test, index) => ({ test, index, quiet: !shown.includes(test.id) }))
    .filter(({ test, quiet }) => !test.yes_no && (few || !quiet));
}

function drawRoc(payload, view, say, width) {
  const layout = rocLayout(width);
  const place = rocPlace(layout);
  const several = view.tests.length > 1;
  return picture(
    layout.left + layout.side + 14,
    layout.height,
    rocSentence(payload, view, say),
    view.tests.flatMap((one) => rocBand(one, place, several)),
    chanceLine(place, layout, say),
    rocAxes(layout, say),
    curvesOf(payload, view).map(({ test, index, quiet }) => rocCurve(test, index, place, quiet)),
    view.tests.flatMap((one) => rocBox(one, place)),
    view.tests.flatMap((one) => rocPoint(one, place, layout)),
  );
}
