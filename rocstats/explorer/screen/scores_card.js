// The card of the distributions: what its dots mean, its table, and the pointer on it.

function drawsLegend(one, say) {
  const { preset } = one;
  if (!preset || !hasInterval(preset) || isOrdinal(one.test)) return [];
  return [
    element(
      "p",
      { class: "note" },
      say(preset.draws.length ? "scores_draws" : "scores_interval", {
        cutoff_low: limitText(one.test, preset, "low"),
        cutoff_high: limitText(one.test, preset, "high"),
      }),
    ),
  ];
}

function scoresTable(view, say) {
  return view.tests.flatMap((one) => {
    if (one.test.yes_no) {
      const cells = (names) => names.map((cell) => count(one.counts[cell]));
      return [countsTable(one, cells(["found", "alarms"]), cells(["missed", "cleared"]), say)];
    }
    const ordinal = isOrdinal(one.test);
    const above = one.test.direction === ">=";
    const place = (value) => thresholdText(one.test, value);
    const ends = [
      say(above ? "scores_from" : "scores_above", {}),
      say(above ? "scores_below" : "scores_to", {}),
    ];
    const head = [
      ...(ordinal ? [say("scores_value", {})] : ends),
      say("scores_pos", {}),
      say("scores_neg", {}),
    ];
    const rows = binsOf(one.test, one.edge).map((bin) => [
      ...(ordinal ? [bin.words] : [place(bin.low), place(bin.high)]),
      count(bin.pos),
      count(bin.neg),
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

function scoresContent(payload, view, say, width, act) {
  const several = view.tests.length > 1;
  const room = several && width >= 800 ? Math.floor((width - 32) / 2) : width;
  const beside = room >= 440;
  const part = beside ? Math.floor(0.64 * room) : room;
  const pictures = view.tests.map((one) => {
    const name = several ? element("h4", {}, one.label) : "";
    const panel = (...children) => element("div", { class: "panel" }, name, children);
    if (one.test.yes_no) return panel(drawStacked(one, say, room));
    const { svg, edgeAt } = drawScores(one, say, isOrdinal(one.test) ? room : part, beside);
    if (one.test.edges.length > 1) dragging(svg, edgeAt, (edge) => act.move(one.id, edge));
    const bars = element("div", {}, svg, drawsLegend(one, say));
    if (isOrdinal(one.test)) return panel(bars);
    const dots = drawDots(one, payload.exact, say, beside ? room - part - 16 : room, beside ? 370 : 250);
    return panel(element("div", { class: "beside" + (beside ? " wide" : "") }, bars, element("div", {}, dots)));
  });
  const kind = view.tests.every((one) => one.test.yes_no) ? "_yes_no" : "";
  return {
    title: say("scores_title" + kind, {}),
    note: [[say("scores_note" + kind, {}), payload.counts].filter(Boolean).join(" ")],
    pictures,
    legend: [],
    summary: say("scores_table", {}),
    table: () => element("div", {}, scoresTable(view, say)),
  };
}
