// The dot diagram: the scores of both groups side by side, a dot for each case, and the cutoff.

// More dots than these hide one another, and a slider redraws all of them.
const MOST_DOTS = 2000;

// Where the upper tail is so many times as long as the lower, positive scores get a log axis.
const SKEWED = 4;

/** Where the lowest class begins: on a scale from 0 within it, so that it has a place on a log axis. */
function lowestOf({ axis, edges }, exact) {
  const low = Math.min(axis[0], edges[0]);
  return exact || low !== 0 || edges.length < 2 ? low : edges[0] ** 2 / edges[1];
}

/**
 * The scores of a group, ascending. A page of counts does not know them: the cases between two
 * cutoffs are spread evenly there.
 */
function scoresOf(test, counts, exact) {
  const above = test.direction === ">=";
  return counts.flatMap((n, i) => {
    const low = i > 0 ? test.edges[i - 1] : lowestOf(test, exact);
    const high = i < test.edges.length ? test.edges[i] : Math.max(test.axis[1], test.edges[i - 1]);
    const at = (k) => (exact ? (above ? low : high) : low + ((high - low) * (k + 0.5)) / n);
    // A score at the edge is on the positive side of it.
    const positive = above ? (edge) => i > edge : (edge) => i <= edge;
    return Array.from({ length: n }, (_, k) => ({ value: at(k), positive }));
  });
}

/** Whether a log axis shows more: all scores are positive and the upper tail is long. */
function isSkewed(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, middle, high] = [0.05, 0.5, 0.95].map(
    (share) => sorted[Math.floor(share * (sorted.length - 1))],
  );
  return sorted[0] > 0 && high - middle > SKEWED * (middle - low);
}

/** 1, 2 and 5 times powers of ten within a range; of a long one the powers alone. */
function logTicks(low, high) {
  const [first, last] = [low, high].map((end) => Math.floor(Math.log10(end)));
  const factors = last - first > 2 ? [1] : [1, 2, 5];
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
    .flatMap((power) => factors.map((factor) => Number(factor + "e" + power)))
    .filter((value) => value >= low && value <= high)
    .map((value) => ({ value, text: grouped(String(value)) }));
}

/** Place of a dot across its column by its rank: 0, 1/4, -1/4, 1/8 ... fill it evenly. */
function jitter(rank) {
  let [place, step] = [0, 0.5];
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / 2)) {
    place += step * (rest % 2);
    step /= 2;
  }
  return place - 0.5;
}

/** A dot as a piece of a path: a circle has the condition, a square has not. */
function dotShape([x, y], ill, half) {
  const at = (number) => number.toFixed(1);
  return ill
    ? `M${at(x - half)} ${at(y)}a${half} ${half} 0 1 0 ${2 * half} 0a${half} ${half} 0 1 0 ${-2 * half} 0z`
    : `M${at(x - half)} ${at(y - half)}h${2 * half}v${2 * half}h${-2 * half}z`;
}

/** Dots of one column as two paths: right calls solid, wrong ones hollow. */
function dotPaths(dots, place, ill, half) {
  const of = (right) =>
    dots
      .filter(({ positive }) => (positive === ill) === right)
      .map(({ value, across }) => dotShape(place(across, value), ill, half))
      .join("");
  return [
    drawn("path", { d: of(true), fill: ill ? INK : WITHOUT }),
    drawn("path", { d: of(false), fill: "#fff", stroke: ERROR, "stroke-width": 0.8 }),
  ];
}

/** Dots of a group: their scores, sides, and places across the column, wide where many are. */
function dotsOf(scores, y, edge, every) {
  const kept = scores.filter((_, i) => i % every === 0);
  const rows = kept.map(({ value }) => Math.round(y(value) / 6));
  const crowd = new Map();
  rows.forEach((row) => crowd.set(row, (crowd.get(row) || 0) + 1));
  const most = Math.max(4, ...crowd.values());
  return kept.map(({ value, positive }, i) => ({
    value,
    positive: positive(edge),
    across: jitter(i) * Math.sqrt(crowd.get(rows[i]) / most),
  }));
}

/** The scale of the scores, from the bottom to the top, and how many cases a dot stands for. */
function dotsLayout(values, threshold, width, height) {
  const [low, high] = [Math.min(...values, threshold), Math.max(...values, threshold)];
  const log = isSkewed(values) && low > 0;
  const on = (value) => (log ? Math.log10(value) : value);
  const [left, top, bottom] = [46, 12, height - 26];
  const along = scale(on(low), high > low ? on(high) : on(low) + 1, bottom, top);
  const every = Math.ceil(values.length / MOST_DOTS);
  const column = (width - left - 8) / 2;
  const middles = [left + column / 2, left + 1.5 * column];
  const y = (value) => along(on(value));
  return { low, high, log, y, left, top, bottom, width, height, column, middles, every };
}

function dotsAxis({ low, high, log, y, left, top, bottom, height, column, middles }, say) {
  const ticks = log ? logTicks(low, high) : niceTicks(low, high, height / 60);
  const most = Math.floor(column / 7);
  const names = [say("dots_with", {}), say("dots_without", {})];
  if (names[0].length > most) names[0] = say("dots_with_short", {});
  return [
    line(left, top - 6, left, bottom + 4, {}),
    ticks.flatMap(({ value, text }) => [
      line(left - 4, y(value), left, y(value), {}),
      label(left - 7, y(value) + 4, inBrief(text, 7), {
        "text-anchor": "end",
        fill: SECOND,
        "font-size": 11.5,
      }),
    ]),
    names.map((name, i) =>
      label(middles[i], height - 6, inBrief(name, most), { "text-anchor": "middle" }),
    ),
  ];
}

function drawDots(one, exact, say, width, height) {
  const groups = [one.test.pos, one.test.neg].map((counts) => scoresOf(one.test, counts, exact));
  const values = groups.flat().map(({ value }) => value);
  const layout = dotsLayout(values, one.threshold, width, height);
  const { y, log, every, left, column, middles } = layout;
  const half = values.length / every > 500 ? 1.5 : 2;
  const paths = groups.map((scores, i) =>
    dotPaths(
      dotsOf(scores, y, one.edge, every),
      (across, value) => [middles[i] + across * (column - 12), y(value)],
      i === 0,
      half,
    ),
  );
  const at = y(one.threshold);
  const svg = picture(
    width,
    height,
    say("dots_sentence", { test: inBrief(one.label, 60), cutoff: one.cutoff }),
    dotsAxis(layout, say),
    paths,
    line(left, at, width, at, { stroke: TEXT, "stroke-width": 1.6 }),
  );
  const note = [
    say(exact ? "dots_exact" : "dots_counts", {}),
    every > 1 ? say("dots_every", { every: count(every) }) : "",
    log ? say("dots_log", {}) : "",
  ];
  return [svg, element("p", { class: "note" }, note.filter(Boolean).join(" "))];
}
