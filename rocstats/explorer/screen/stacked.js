// A test that says yes or no: two bars, of those with the condition and of those without.

function stackedBar(one, cells, y, width, hatch, say) {
  const total = sum(cells.map((cell) => one.counts[cell]));
  const fills = {
    found: { fill: INK },
    cleared: { fill: WITHOUT },
    missed: { fill: hatch, stroke: ERROR },
    alarms: { fill: hatch, stroke: ERROR },
  };
  const colours = { found: INK, cleared: SECOND, missed: ERROR, alarms: ERROR };
  const key = cells[0] === "found" ? "scores_with" : "scores_without";
  const cut = 1 + ((width - 2) * one.counts[cells[0]]) / total;
  const words = (cell) => [
    bold(count(one.counts[cell])),
    " " + say("scores_" + cell, { n_pos: count(total), n_neg: count(total) }),
  ];
  return [
    label(1, y, say(key, { n: count(total) }), { "font-weight": 700 }),
    rect(1, y + 8, cut - 1, 34, fills[cells[0]]),
    rect(cut, y + 8, width - 1 - cut, 34, fills[cells[1]]),
    label(1, y + 60, words(cells[0]), { fill: colours[cells[0]], "font-size": 13 }),
    label(width - 1, y + 60, words(cells[1]), {
      fill: colours[cells[1]],
      "font-size": 13,
      "text-anchor": "end",
    }),
  ];
}

function drawStacked(one, say, width) {
  const hatch = hatching();
  return picture(
    width,
    172,
    scoresSentence(one, say),
    hatch.definition,
    stackedBar(one, ["found", "missed"], 16, width, hatch.fill, say),
    stackedBar(one, ["cleared", "alarms"], 106, width, hatch.fill, say),
  );
}
