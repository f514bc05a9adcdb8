// The scores of those with the condition above a line, of those without below it, cut in two.

const GAP = 4; // between a half and the middle line

function scoresLayout(one, bins, width, tall) {
  const ordinal = isOrdinal(one.test);
  const slot = Math.floor((width - 20) / bins.length / 6.2);
  const lines = ordinal ? bins.map((bin) => wrapped(bin.words, slot)) : [["0"]];
  const half = tall ? 128 : 80;
  const top = 66;
  const middle = top + half;
  const bottom = middle + half;
  // Above and below the bars are lines of text: counts never lie over data.
  return {
    ordinal,
    width,
    half,
    top,
    middle,
    bottom,
    left: 10,
    right: width - 10,
    axis: bottom + 26,
    lines,
    title: bottom + 48 + 13 * Math.max(...lines.map((words) => words.length)),
  };
}

/** The name of the axis; a shorter one where the usual one has no room. */
function axisName(one, width, say) {
  const most = Math.floor(width / 6.6);
  const key = one.test.direction === ">=" ? "scores_axis_above" : "scores_axis_below";
  const usual = say(key, { test: one.label });
  if (usual.length <= most) return inBrief(usual, most);
  return inBrief(say(key + "_short", { test: inBrief(one.label, Math.max(8, most - 21)) }), most);
}

function scoresScale(one, bins, layout) {
  const x = scale(bins[0].low, bins[bins.length - 1].high, layout.left, layout.right);
  const cut = layout.ordinal ? one.edge + 1 : one.threshold;
  return { x, cut: Math.min(layout.right, Math.max(layout.left, x(cut))) };
}

/** Bars of both groups; solid where the call is right, hatched where it is wrong. */
function scoreBars(bins, layout, x, hatch) {
  const most = Math.max(...bins.flatMap((bin) => [bin.heightPos, bin.heightNeg]));
  const reach = (layout.half - GAP - 2) / most;
  return bins.flatMap((bin) => {
    const left = x(bin.low) + (layout.ordinal ? 3 : 0.5);
    const width = Math.max(0.75, x(bin.high) - x(bin.low) - (layout.ordinal ? 6 : 1));
    const [above, below] = [bin.heightPos * reach, bin.heightNeg * reach];
    const right = (colour) => ({ fill: colour });
    const wrong = { fill: hatch, stroke: ERROR, "stroke-width": 0.8 };
    return [
      above > 0 &&
        rect(left, layout.middle - GAP - above, width, above, bin.positive ? right(INK) : wrong),
      below > 0 &&
        rect(left, layout.middle + GAP, width, below, bin.positive ? wrong : right(WITHOUT)),
    ].filter(Boolean);
  });
}

/** The four counts in their corners; those called positive are on the side of the higher scores. */
function scoreCounts(one, layout, cut, say) {
  const [n_pos, n_neg] = [count(one.test.n_pos), count(one.test.n_neg)];
  const negativeLeft = one.test.direction === ">=";
  const left = { x: layout.left, "text-anchor": "start" };
  const right = { x: layout.right, "text-anchor": "end" };
  const [negative, positive] = negativeLeft ? [left, right] : [right, left];
  const at = (side, y, parts, attributes) => label(side.x, y, parts, { ...side, ...attributes });
  const short = layout.width < 22 * (n_pos.length + n_neg.length) + 260 ? "_short" : "";
  const counted = (cell) => {
    const key = "scores_" + cell + (cell === "found" || cell === "cleared" ? short : "");
    return [bold(count(one.counts[cell])), " " + say(key, { n_pos, n_neg })];
  };
  const row = (side, y, cell, colour) =>
    at(side, y, counted(cell), { fill: colour, "font-size": 13 });
  const head = (side, key) => at(side, 18, say(key, {}), { fill: SECOND, "font-size": 12 });
  const [high, low] = [layout.top - 14, layout.bottom + 17];
  // The value on top of the cutoff's line may need the place of a heading; the counts say as much.
  const free = (side) => Math.abs(cut - side.x) > 110 + 4 * one.cutoff.length;
  return [
    free(negative) ? head(negative, "scores_negative") : "",
    free(positive) ? head(positive, "scores_positive") : "",
    row(negative, high, "missed", ERROR),
    row(positive, high, "found", INK),
    row(negative, low, "cleared", SECOND),
    row(positive, low, "alarms", ERROR),
  ];
}

function scoreAxis(one, bins, layout, x, say) {
  const base = line(layout.left, layout.axis, layout.right, layout.axis, {});
  const name = label(layout.width / 2, layout.title, axisName(one, layout.width, say), {
    "text-anchor": "middle",
  });
  if (layout.ordinal) {
    const words = bins.map((bin, i) =>
      linesOfText(x(bin.low + 0.5), layout.axis + 16, layout.lines[i], {
        fill: SECOND,
        "font-size": 11.5,
      }),
    );
    return [base, ...words, name];
  }
  const ticks = niceTicks(bins[0].low, bins[bins.length - 1].high, layout.width / 90);
  return [
    base,
    name,
    ...ticks.flatMap(({ value, text }) => [
      line(x(value), layout.axis, x(value), layout.axis + 4, {}),
      label(x(value), layout.axis + 17, text, {
        "text-anchor": "middle",
        fill: SECOND,
        "font-size": 11.5,
      }),
    ]),
  ];
}

/** The line of the cutoff with its value on top; long words are cut, the answer has them all. */
function cutoffLine(one, layout, cut) {
  const text = inBrief(one.cutoff, 24);
  const width = 7.6 * text.length + 18;
  const left = Math.min(Math.max(0, cut - width / 2), layout.width - width);
  return [
    line(cut, 26, cut, layout.axis, { stroke: TEXT, "stroke-width": 1.8 }),
    rect(left, 2, width, 24, { rx: 12, fill: TEXT }),
    drawn(
      "text",
      {
        x: left + width / 2,
        y: 18.5,
        "text-anchor": "middle",
        fill: "#fff",
        "font-size": 13,
        "font-weight": 700,
      },
      text,
    ),
    drawn("circle", {
      cx: cut,
      cy: layout.middle,
      r: 6.5,
      fill: "#fff",
      stroke: TEXT,
      "stroke-width": 1.6,
    }),
    line(cut - 1.5, layout.middle - 2.5, cut - 1.5, layout.middle + 2.5, { stroke: TEXT }),
    line(cut + 1.5, layout.middle - 2.5, cut + 1.5, layout.middle + 2.5, { stroke: TEXT }),
  ];
}

/** Where resampled studies put a chosen cutoff: fifty dots over its interval. */
function cutoffDraws(one, layout, x) {
  const { preset } = one;
  if (layout.ordinal || !preset || !hasInterval(preset)) return { behind: [], below: [] };
  const inside = (value) => Math.min(layout.right, Math.max(layout.left, x(value)));
  const [low, high] = [inside(preset.threshold_low), inside(preset.threshold_high)];
  const columns = new Map();
  preset.draws.forEach((draw) => {
    const column = Math.round(inside(draw) / 5);
    columns.set(column, (columns.get(column) || 0) + 1);
  });
  const step = Math.min(4.6, 46 / Math.max(1, ...columns.values()));
  const dots = [...columns].flatMap(([column, n]) =>
    Array.from({ length: n }, (_, i) =>
      drawn("circle", {
        cx: column * 5,
        cy: layout.title + 56 - i * step,
        r: Math.min(2.1, step * 0.6),
        fill: OCHRE,
      }),
    ),
  );
  const band = { fill: OCHRE, "fill-opacity": 0.16 };
  return {
    behind: [rect(low, layout.top, Math.max(2, high - low), 2 * layout.half, band)],
    below: [...dots, rect(low, layout.title + 61, Math.max(3, high - low), 3, { fill: OCHRE })],
  };
}

function scoresSentence(one, say) {
  const values = {
    test: inBrief(one.label, 60),
    n_pos: count(one.test.n_pos),
    n_neg: count(one.test.n_neg),
    ...Object.fromEntries(Object.entries(one.counts).map(([cell, n]) => [cell, count(n)])),
  };
  return one.test.yes_no
    ? say("scores_sentence_yes_no", values)
    : say("scores_sentence", { ...values, cutoff: one.cutoff });
}

/** Draw one test; `edgeAt` finds the edge at a place of the picture, for the pointer. */
function drawScores(one, say, width, tall) {
  const bins = binsOf(one.test, one.edge);
  const layout = scoresLayout(one, bins, width, tall);
  const { x, cut } = scoresScale(one, bins, layout);
  const hatch = hatching();
  const draws = cutoffDraws(one, layout, x);
  const height = layout.title + (draws.below.length ? 68 : 8);
  const svg = picture(
    width,
    height,
    scoresSentence(one, say),
    hatch.definition,
    draws.behind,
    scoreBars(bins, layout, x, hatch.fill),
    line(layout.left, layout.middle, layout.right, layout.middle, { stroke: TEXT }),
    scoreAxis(one, bins, layout, x, say),
    scoreCounts(one, layout, cut, say),
    cutoffLine(one, layout, cut),
    draws.below,
  );
  const places = one.test.edges.map((edge, i) => x(layout.ordinal ? i + 1 : edge));
  const edgeAt = (place) =>
    places.reduce(
      (best, at, i) => (Math.abs(at - place) < Math.abs(places[best] - place) ? i : best),
      0,
    );
  return { svg, edgeAt };
}
