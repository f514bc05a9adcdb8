// What a result means: the chance of the condition after each result, at every prevalence.

// Ends of the axis of prevalence, at least twice the prevalence of the view.
const AXIS_ENDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

// Lines between so many places look like curves.
const PLACES = 60;

function prevalenceEnd({ prevalence }) {
  return AXIS_ENDS.find((end) => end >= 2 * prevalence) || 1;
}

function resultsSentence(view, say) {
  return view.tests
    .map((one) =>
      say("results_sentence", {
        test: inBrief(one.label, 60),
        positive: percentWithLimits(one.positive),
        negative: percentWithLimits(one.negative),
      }),
    )
    .join(" ");
}

/** A curve of predictive values with the band of its limits: solid after a positive result. */
function chanceCurve(one, result, end, place) {
  const { colour } = seriesOf(one.series);
  const shares = Array.from({ length: PLACES }, (_, i) => (end * (i + 0.5)) / PLACES);
  const chances = shares
    .map((share) => ({ share, ...chancesAt(share, one, one.preset)[result] }))
    .filter(({ estimate }) => estimate !== null);
  const along = (key, points) => path(place, points.map(({ share }) => share), points.map((at) => at[key]));
  const limited = chances.filter(hasLimits);
  return [
    drawn("polygon", {
      points: along("low", limited) + " " + along("high", [...limited].reverse()),
      fill: colour,
      "fill-opacity": 0.14,
    }),
    drawn("polyline", {
      points: along("estimate", chances),
      fill: "none",
      stroke: colour,
      "stroke-width": 2,
      "stroke-dasharray": result === "positive" ? null : "6 3",
    }),
  ];
}

/** Both chances at the prevalence of the view. */
function chanceMarks(view, one, place) {
  const { colour } = seriesOf(one.series);
  return [one.positive, one.negative].flatMap((chance) => {
    if (chance.estimate === null) return [];
    const [x, y] = place(view.prevalence, chance.estimate);
    const bar = hasLimits(chance)
      ? line(x, place(0, chance.low)[1], x, place(0, chance.high)[1], {
          stroke: colour,
          "stroke-width": 3,
        })
      : "";
    return [bar, cutoffMark(one.kind, x, y, colour, 4.8)];
  });
}

function drawResults(view, say, width) {
  const [left, right, top, bottom] = [34, width - 14, 10, 196];
  const end = prevalenceEnd(view);
  const [x, y] = [scale(0, end, left, right), scale(0, 1, bottom, top)];
  const place = (share, chance) => [x(share), y(chance)];
  const small = { fill: SECOND, "font-size": 11.5 };
  const across = niceTicks(0, 100 * end, 4).map(({ value, text }) =>
    label(x(value / 100), bottom + 16, text, { "text-anchor": "middle", ...small }),
  );
  const up = [0, 50, 100].map((value) => [
    line(left, y(value / 100), right, y(value / 100), { stroke: "#e4e7ec" }),
    label(left - 6, y(value / 100) + 4, String(value), { "text-anchor": "end", ...small }),
  ]);
  return picture(
    width,
    bottom + 42,
    resultsSentence(view, say),
    up,
    across,
    label((left + right) / 2, bottom + 36, inBrief(say("results_axis", {}), Math.floor(width / 8)), {
      "text-anchor": "middle",
    }),
    line(...place(0, 0), ...place(end, end), { stroke: SECOND, "stroke-dasharray": "1.5 3.5" }),
    view.tests.flatMap((one) =>
      ["positive", "negative"].flatMap((result) => chanceCurve(one, result, end, place)),
    ),
    line(x(view.prevalence), top, x(view.prevalence), bottom, {
      stroke: TEXT,
      "stroke-dasharray": "2 2",
    }),
    view.tests.flatMap((one) => chanceMarks(view, one, place)),
  );
}

/** A chance as a line of the key: its stroke, the result, and of 100 with limits. */
function chanceItem(one, result, say) {
  const chance = one[result];
  const stroke = {
    stroke: seriesOf(one.series).colour,
    "stroke-width": 2,
    "stroke-dasharray": result === "positive" ? null : "6 3",
  };
  const value =
    chance.estimate === null
      ? say("unknown", {})
      : say("results_chance", { chance: percent(chance.estimate) });
  return element(
    "li",
    {},
    drawn("svg", { width: 26, height: 8, "aria-hidden": "true" }, line(0, 4, 26, 4, stroke)),
    element(
      "span",
      {},
      say("results_" + result, {}) + " ",
      element("strong", {}, value),
      hasLimits(chance) ? " (" + percentLimits(chance) + ")" : "",
    ),
  );
}

function resultsLegend(view, say) {
  return view.tests.flatMap((one) => [
    view.tests.length > 1 ? element("h4", {}, one.label) : "",
    element(
      "ul",
      { class: "chances" },
      ["positive", "negative"].map((result) => chanceItem(one, result, say)),
    ),
    element(
      "p",
      { class: "note" },
      say("results_ratios", {
        ratio_positive: ratio(one.ratios.positive),
        ratio_negative: ratio(one.ratios.negative),
      }),
    ),
  ]);
}

function resultsTable(view, say) {
  return view.tests.map((one) => {
    const table = tableOf(
      [say("results_result", {}), say("results_have", {})],
      [
        [say("results_none", {}), perHundred(view.prevalence)],
        [say("results_after_positive", {}), percentWithLimits(one.positive)],
        [say("results_after_negative", {}), percentWithLimits(one.negative)],
      ],
    );
    table.prepend(element("caption", {}, one.label));
    return table;
  });
}

function resultsContent(view, say, width) {
  return {
    title: say("results_title", {}),
    note: [say("results_note", { prevalence: perHundred(view.prevalence) })],
    pictures: [drawResults(view, say, width)],
    legend: resultsLegend(view, say),
    summary: say("results_table", {}),
    table: () => element("div", {}, resultsTable(view, say)),
  };
}
