// What a result means: the chance of the condition before the test and after each result.

const AXIS_ENDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

const BEFORE = { stroke: TEXT, "stroke-dasharray": "2 2", "stroke-width": 1.6 };

function chanceEnd(view) {
  const chances = view.tests.flatMap(({ positive, negative }) => [positive, negative]);
  const most = Math.max(
    view.prevalence,
    ...chances.map(({ estimate, high }) => (high === null ? estimate || 0 : high)),
  );
  return AXIS_ENDS.find((end) => end >= 1.1 * most) || 1;
}

function chanceRow(one, name, chance, scene, top) {
  const { x, prevalence, width, say } = scene;
  const limits = hasLimits(chance) ? " (" + percentLimits(chance) + ")" : "";
  const value =
    chance.estimate === null
      ? say("unknown", {})
      : say("results_chance", { chance: percent(chance.estimate) });
  const y = top + 16;
  // The line of the chance before the test is drawn beside the bars only, never through words.
  const before = line(x(prevalence), y - 8, x(prevalence), y + 8, BEFORE);
  // On a narrow page the long words would run out of the picture.
  const long = say("results_" + name, {});
  const fits = (long.length + value.length + limits.length) * 6.6 < width;
  const words = fits ? long : say("results_" + name + "_short", {});
  const text = label(
    0,
    top,
    [words + " ", bold(value), drawn("tspan", { fill: SECOND }, limits)],
    {},
  );
  if (chance.estimate === null) return [text, before];
  const { colour } = seriesOf(one.series);
  const bar = hasLimits(chance)
    ? [line(x(chance.low), y, x(chance.high), y, { stroke: colour, "stroke-width": 3 })]
    : [];
  return [text, before, ...bar, cutoffMark(one.kind, x(chance.estimate), y, colour, 4.8)];
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

/** The scale of chances and where its lines begin and end. */
function resultsLayout(view, width) {
  const several = view.tests.length > 1;
  const each = several ? 106 : 92;
  const top = 26;
  return {
    x: scale(0, chanceEnd(view), 12, width - 26),
    width,
    several,
    top,
    bottom: top + each * view.tests.length + 2,
    rowsOf: (i) => top + i * each + (several ? 32 : 18),
  };
}

function chanceTicks(view, { x, top, bottom }) {
  return niceTicks(0, 100 * chanceEnd(view), 5).map(({ value, text }) => [
    line(x(value / 100), top, x(value / 100), bottom, { stroke: "#e4e7ec" }),
    label(x(value / 100), bottom + 16, text + "%", {
      "text-anchor": "middle",
      fill: SECOND,
      "font-size": 11.5,
    }),
  ]);
}

/** The chance before the test, with its words on the side that has room. */
function chanceBefore(view, { x, top, width }, say) {
  const before = x(view.prevalence);
  const toLeft = before > width * 0.55;
  const text = say("results_before", { prevalence: perHundred(view.prevalence) });
  return [
    line(before, 15, before, top, BEFORE),
    label(before + (toLeft ? 4 : -4), 11, text, {
      fill: SECOND,
      "font-size": 11.5,
      "text-anchor": toLeft ? "end" : "start",
    }),
  ];
}

function chanceRows(view, { x, width, several, rowsOf }, say) {
  const scene = { x, prevalence: view.prevalence, width, say };
  return view.tests.flatMap((one, i) => {
    const from = rowsOf(i);
    const name = several
      ? [label(0, from - 17, inBrief(one.label, Math.floor(width / 8)), { "font-weight": 700 })]
      : [];
    return [
      ...name,
      ...chanceRow(one, "positive", one.positive, scene, from),
      ...chanceRow(one, "negative", one.negative, scene, from + 39),
    ];
  });
}

function drawResults(view, say, width) {
  const layout = resultsLayout(view, width);
  return picture(
    width,
    layout.bottom + 22,
    resultsSentence(view, say),
    chanceTicks(view, layout),
    chanceBefore(view, layout, say),
    chanceRows(view, layout, say),
  );
}

function resultsLegend(view, say) {
  return view.tests.map((one) =>
    element(
      "p",
      { class: "note" },
      view.tests.length > 1 ? one.label + ": " : "",
      say("results_ratios", {
        ratio_positive: ratio(one.ratios.positive),
        ratio_negative: ratio(one.ratios.negative),
      }),
    ),
  );
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
