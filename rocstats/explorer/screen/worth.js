// Is it worth using? Net benefit of each test at its cutoff, of treating everybody and of nobody.

// Beyond this the axis is cut: treating everybody may be worth less without end.
const WORTH_DEPTH = 0.6; // of the height that is possible

function worthRows(view, say) {
  const tests = view.tests.map((one) => ({
    name: inBrief(one.label, 40) + (one.test.yes_no ? "" : ", " + inBrief(one.cutoff, 24)),
    worth: one.worth,
    mark: (x, y) => cutoffMark(one.kind, x, y, seriesOf(one.series).colour, 4.8),
    colour: seriesOf(one.series).colour,
  }));
  const exact = (estimate) => ({ estimate, low: null, high: null });
  const plain = (x, y) =>
    drawn("circle", { cx: x, cy: y, r: 4.6, fill: "#fff", stroke: SECOND, "stroke-width": 1.8 });
  return [
    ...tests,
    { name: say("worth_all", {}), worth: exact(view.worthOfAll), mark: plain, colour: SECOND },
    { name: say("worth_nobody", {}), worth: exact(0), mark: plain, colour: SECOND },
  ];
}

function worthScale(rows, view, width) {
  const most = view.prevalence;
  const ends = rows.flatMap(({ worth }) => [worth.estimate, worth.low, worth.high]);
  const known = ends.filter((end) => end !== null);
  const low = Math.max(-WORTH_DEPTH * most, Math.min(0, ...known));
  const high = Math.max(0.1 * most, ...known);
  return { low, high, x: scale(low, high, 8, width - 10) };
}

/** A worth with its limits: "61 (55 to 67)". */
function worthText(worth) {
  const limits = hasLimits(worth) ? " (" + thousandLimits(worth) + ")" : "";
  return [bold(thousand(worth.estimate)), drawn("tspan", { fill: SECOND }, limits)];
}

function worthRow({ name, worth, mark, colour }, { x, low }, top) {
  const y = top + 15;
  const inside = (value) => x(Math.max(low, value));
  const text = label(0, top, [name + ": ", ...worthText(worth)], {});
  // The line of no worth is drawn beside the bars only, never through words.
  const none = line(x(0), y - 8, x(0), y + 8, {
    stroke: TEXT,
    "stroke-dasharray": "2 2",
    "stroke-width": 1.6,
  });
  const stem = line(x(0), y, inside(worth.estimate), y, { stroke: "#c3c9d2" });
  const bar = hasLimits(worth)
    ? [line(inside(worth.low), y, inside(worth.high), y, { stroke: colour, "stroke-width": 3 })]
    : [];
  // What lies deeper than the axis is an arrow at its end; the number says how deep.
  const place =
    worth.estimate < low
      ? drawn("path", { d: `M ${x(low)} ${y - 5} l -7 5 l 7 5 z`, fill: colour })
      : mark(x(worth.estimate), y);
  return [text, none, stem, ...bar, place];
}

function worthSentence(view, say) {
  const tests = view.tests.map((one) =>
    say("worth_sentence", {
      test: inBrief(one.label, 60),
      worth: thousand(one.worth.estimate),
    }),
  );
  const all = say("worth_sentence_all", { worth: thousand(view.worthOfAll) });
  return [...tests, all].join(" ");
}

function drawWorth(view, say, width) {
  const rows = worthRows(view, say);
  const places = worthScale(rows, view, width);
  const [top, each] = [16, 40];
  const bottom = top + each * rows.length - 8;
  const { x, low, high } = places;
  const ticks = niceTicks(1000 * low, 1000 * high, 4).map(({ value, text }) => [
    line(x(value / 1000), 4, x(value / 1000), bottom, { stroke: "#e4e7ec" }),
    label(x(value / 1000), bottom + 16, text, {
      "text-anchor": "middle",
      fill: SECOND,
      "font-size": 11.5,
    }),
  ]);
  return picture(
    width,
    bottom + 22,
    worthSentence(view, say),
    ticks,
    rows.flatMap((row, i) => worthRow(row, places, top + i * each)),
  );
}

/** What each test adds to the better of the two ways without a test. */
function worthLegend(view, say) {
  const better = say(view.worthOfAll > 0 ? "worth_better_all" : "worth_better_nobody", {});
  const gains = view.tests.map((one) => {
    const gain = worthGain(view, one.worth);
    const limits = hasLimits(gain) ? " (" + thousandLimits(gain) + ")" : "";
    const test = inBrief(one.label, 60);
    return say("worth_gain", { test, better, gain: thousand(gain.estimate) + limits });
  });
  const unlimited = view.tests.some((one) => !hasLimits(one.worth));
  const lines = [...gains, unlimited ? say("worth_unlimited", {}) : ""].filter(Boolean);
  return lines.map((text) => element("p", { class: "note" }, text));
}

function worthTable(view, say) {
  const text = (worth) =>
    thousand(worth.estimate) + (hasLimits(worth) ? " (" + thousandLimits(worth) + ")" : "");
  const rows = worthRows(view, say).map(({ name, worth }) => [name, text(worth)]);
  return [tableOf([say("worth_way", {}), say("worth_per", {})], rows)];
}

function worthContent(view, say, width) {
  return {
    title: say("worth_title", {}),
    note: [say("worth_note", { alarms: alarmsText(view.alarms) })],
    pictures: [drawWorth(view, say, width)],
    legend: worthLegend(view, say),
    summary: say("worth_table", {}),
    table: () => element("div", {}, worthTable(view, say)),
  };
}
