// The scores of those with the condition above a line, of those without below it, cut in two.

const GAP = 4; // between a half and the middle line

function scoresLayout(one, width, tall) {
  const ordinal = isOrdinal(one.test);
  const half = tall ? 128 : 96;
  const top = 40;
  const middle = top + half;
  return {
    ordinal, width, half, top, middle, bottom: middle + half, left: 10, right: width - 10,
    dots: middle + half + (ordinal ? 66 : 44),
  };
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
      above > 0 && rect(left, layout.middle - GAP - above, width, above,
        bin.positive ? right(INK) : wrong),
      below > 0 && rect(left, layout.middle + GAP, width, below,
        bin.positive ? wrong : right(WITHOUT)),
    ].filter(Boolean);
  });
}

/** The four counts in their corners; those called positive are on the side of the higher scores. */
function scoreCounts(one, layout, say) {
  const negativeLeft = one.test.direction === ">=";
  const left = { x: layout.left, "text-anchor": "start" };
  const right = { x: layout.right, "text-anchor": "end" };
  const [negative, positive] = negativeLeft ? [left, right] : [right, left];
  const at = (side, y, parts, attributes) => label(side.x, y, parts, { ...side, ...attributes });
  const counted = (cell) => [bold(count(one.counts[cell])), " " + say("scores_" + cell, {})];
  const small = { fill: SECOND, "font-size": 11 };
  const high = layout.top + layout.half * 0.42;
  const low = layout.bottom - layout.half * 0.22;
  return [
    at(negative, layout.top - 18, say("scores_negative", {}), small),
    at(positive, layout.top - 18, say("scores_positive", {}), small),
    at(negative, high, counted("missed"), { fill: ERROR, "font-size": 13 }),
    at(positive, high, counted("found"), { fill: INK, "font-size": 13 }),
    at(positive, high + 15, say("scores_of_pos", { n: count(one.test.n_pos) }), small),
    at(negative, low, counted("cleared"), { fill: SECOND, "font-size": 13 }),
    at(positive, low, counted("alarms"), { fill: ERROR, "font-size": 13 }),
    at(positive, low + 15, say("scores_of_neg", { n: count(one.test.n_neg) }), small),
  ];
}

function scoreAxis(one, bins, layout, x, say) {
  const base = line(layout.left, layout.bottom + 1, layout.right, layout.bottom + 1, {});
  const title = layout.ordinal ? layout.bottom + 58 : layout.bottom + 34;
  const key = one.test.direction === ">=" ? "scores_axis_above" : "scores_axis_below";
  const name = label(layout.width / 2, title, say(key, {
    test: inBrief(one.label, Math.max(8, Math.floor(layout.width / 7) - 26)),
  }), { "text-anchor": "middle" });
  if (layout.ordinal) {
    const slot = x(bins[0].high) - x(bins[0].low);
    const words = bins.map((bin) => linesOfText(x(bin.low + 0.5), layout.bottom + 16,
      wrapped(bin.words, Math.floor(slot / 6.2)), { fill: SECOND, "font-size": 11.5 }));
    return [base, ...words, one.test.yes_no ? "" : name];
  }
  const ticks = niceTicks(bins[0].low, bins[bins.length - 1].high, layout.width / 90);
  return [base, name, ...ticks.flatMap(({ value, text }) => [
    line(x(value), layout.bottom + 1, x(value), layout.bottom + 5, {}),
    label(x(value), layout.bottom + 18, text, {
      "text-anchor": "middle", fill: SECOND, "font-size": 11.5,
    }),
  ])];
}

/** The line of the cutoff with its value on top; words too long for the top are left to the answer. */
function cutoffLine(one, layout, cut) {
  const text = inBrief(one.cutoff, 24);
  const width = 7.6 * text.length + 18;
  const left = Math.min(Math.max(0, cut - width / 2), layout.width - width);
  return [
    line(cut, layout.top - 8, cut, layout.bottom, { stroke: TEXT, "stroke-width": 1.8 }),
    rect(left, layout.top - 34, width, 24, { rx: 12, fill: TEXT }),
    drawn("text", {
      x: left + width / 2, y: layout.top - 17.5, "text-anchor": "middle", fill: "#fff",
      "font-size": 13, "font-weight": 700,
    }, text),
    drawn("circle", {
      cx: cut, cy: layout.middle, r: 6.5, fill: "#fff", stroke: TEXT, "stroke-width": 1.6,
    }),
    line(cut - 1.5, layout.middle - 2.5, cut - 1.5, layout.middle + 2.5, { stroke: TEXT }),
    line(cut + 1.5, layout.middle - 2.5, cut + 1.5, layout.middle + 2.5, { stroke: TEXT }),
  ];
}

/** Where resampled studies put a chosen cutoff: fifty dots over its interval. */
function cutoffDraws(one, layout, x) {
  const { preset } = one;
  if (layout.ordinal || !preset || preset.threshold_low === null) return { behind: [], below: [] };
  const inside = (value) => Math.min(layout.right, Math.max(layout.left, x(value)));
  const [low, high] = [inside(preset.threshold_low), inside(preset.threshold_high)];
  const columns = new Map();
  preset.draws.forEach((draw) => {
    const column = Math.round(inside(draw) / 5);
    columns.set(column, (columns.get(column) || 0) + 1);
  });
  const step = Math.min(4.6, 32 / Math.max(1, ...columns.values()));
  const dots = [...columns].flatMap(([column, n]) => Array.from({ length: n }, (_, i) =>
    drawn("circle", {
      cx: column * 5, cy: layout.dots + 30 - i * step, r: Math.min(2.1, step * 0.6), fill: OCHRE,
    })));
  const band = { fill: OCHRE, "fill-opacity": 0.16 };
  return {
    behind: [rect(low, layout.top, Math.max(2, high - low), 2 * layout.half, band)],
    below: [...dots, rect(low, layout.dots + 35, Math.max(3, high - low), 3, { fill: OCHRE })],
  };
}

function scoresSentence(one, say) {
  return say("scores_sentence", {
    test: inBrief(one.label, 60),
    cutoff: one.cutoff,
    n_pos: count(one.test.n_pos),
    n_neg: count(one.test.n_neg),
    ...Object.fromEntries(Object.entries(one.counts).map(([cell, n]) => [cell, count(n)])),
  });
}

/** Draw one test; `edgeAt` finds the edge at a place of the picture, for the pointer. */
function drawScores(one, say, width, tall) {
  const layout = scoresLayout(one, width, tall);
  const bins = binsOf(one.test, one.edge);
  const { x, cut } = scoresScale(one, bins, layout);
  const hatch = hatching();
  const draws = cutoffDraws(one, layout, x);
  const height = draws.below.length ? layout.dots + 42 : layout.dots + (layout.ordinal ? 2 : -2);
  const svg = picture(width, height, scoresSentence(one, say),
    hatch.definition, draws.behind, scoreBars(bins, layout, x, hatch.fill),
    line(layout.left, layout.middle, layout.right, layout.middle, { stroke: TEXT }),
    scoreAxis(one, bins, layout, x, say), scoreCounts(one, layout, say),
    one.test.yes_no ? [] : cutoffLine(one, layout, cut), draws.below);
  const places = one.test.edges.map((edge, i) => x(layout.ordinal ? i + 1 : edge));
  const edgeAt = (place) => places.reduce(
    (best, at, i) => (Math.abs(at - place) < Math.abs(places[best] - place) ? i : best), 0);
  return { svg, edgeAt };
}

function drawsLegend(one, say) {
  const { preset } = one;
  if (!preset || preset.threshold_low === null || isOrdinal(one.test)) return [];
  return [element("p", { class: "note" }, say(preset.draws.length ? "scores_draws" : "scores_interval", {
    cutoff_low: thresholdText(one.test, preset.threshold_low),
    cutoff_high: thresholdText(one.test, preset.threshold_high),
  }))];
}

function scoresTable(view, say) {
  return view.tests.flatMap((one) => {
    const ordinal = isOrdinal(one.test);
    const above = one.test.direction === ">=";
    const place = (value) => signed(value.toFixed(one.test.decimals));
    const ends = [say(above ? "scores_from" : "scores_above", {}), say(above ? "scores_below" : "scores_to", {})];
    const head = [
      ...(ordinal ? [say("scores_value", {})] : ends), say("scores_pos", {}), say("scores_neg", {}),
    ];
    const rows = binsOf(one.test, one.edge).map((bin) => [
      ...(ordinal ? [bin.words] : [place(bin.low), place(bin.high)]), count(bin.pos), count(bin.neg),
    ]);
    const table = tableOf(head, rows);
    table.prepend(element("caption", {}, one.label));
    return [table];
  });
}

/** Let the pointer drag the cutoff; the slider does the same for the keyboard. */
function dragging(svg, edgeAt, move) {
  svg.classList.add("draggable");
  svg.addEventListener("pointerdown", (start) => {
    const box = svg.getBoundingClientRect();
    const follow = (event) => move(edgeAt(event.clientX - box.left));
    const stop = () => {
      window.removeEventListener("pointermove", follow);
      window.removeEventListener("pointerup", stop);
      window.removeEventListener("pointercancel", stop);
    };
    start.preventDefault();
    follow(start);
    window.addEventListener("pointermove", follow);
    window.addEventListener("pointerup", stop);
    window.addEventListener("pointercancel", stop);
  });
}

function scoresContent(view, say, width, act) {
  const tall = view.tests.length === 1 && width >= 480;
  const pictures = view.tests.flatMap((one) => {
    const { svg, edgeAt } = drawScores(one, say, width, tall);
    if (one.test.edges.length > 1 && !one.test.yes_no) {
      dragging(svg, edgeAt, (edge) => act.move(one.id, edge));
    }
    const name = view.tests.length > 1 ? [element("h4", {}, one.label)] : [];
    return [...name, svg, ...drawsLegend(one, say)];
  });
  return {
    title: say("scores_title", {}),
    note: [say("scores_note", {})],
    pictures,
    legend: [],
    summary: say("scores_table", {}),
    table: () => element("div", {}, scoresTable(view, say)),
  };
}
