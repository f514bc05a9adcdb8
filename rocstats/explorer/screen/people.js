// A hundred people, divided by the result of the test; a thousand where a hundred hide someone.

const POSITIVE = ["found", "alarms"];
const NEGATIVE = ["missed", "cleared"];

function peopleList(people, cells) {
  return cells.flatMap((cell) => Array(people[cell]).fill(cell));
}

/** As few rows as let the largest icons in; each side fills its columns from the top. */
function peopleLayout(people, width) {
  const gap = 14;
  const wanted = people.total === 100 ? 20 : 9.5;
  const sides = [POSITIVE, NEGATIVE].map((cells) => peopleList(people, cells).length);
  // The names of both sides are above them: a side of few columns keeps room for its name.
  const name = 86;
  const columns = (n, rows) => Math.max(1, Math.ceil(n / rows));
  const cellOf = (rows) => {
    const [left, right] = sides.map((n) => columns(n, rows));
    const even = (width - gap) / (left + right);
    if (left * even < name) return (width - gap - name) / right;
    return right * even < name ? (width - gap - name) / left : even;
  };
  let rows = people.total === 100 ? 7 : 20;
  while (rows < people.total && cellOf(rows) < wanted) rows += 1;
  const cell = Math.min(people.total === 100 ? 28 : 12, cellOf(rows));
  return { rows, cell, left: Math.max(name, columns(sides[0], rows) * cell), gap, top: 24 };
}

function peopleSentence(people, say) {
  return say("people_sentence", {
    people: count(people.total),
    ...Object.fromEntries(
      [...POSITIVE, ...NEGATIVE].map((cell) => [cell, peopleText(people, cell, say)]),
    ),
  });
}

function drawPeople(people, say, width) {
  const layout = peopleLayout(people, width);
  const { rows, cell, top } = layout;
  const right = layout.left + layout.gap;
  const marks = (cells, from) =>
    peopleList(people, cells).map((kind, i) =>
      personMark(
        kind,
        from + (Math.floor(i / rows) + 0.5) * cell,
        top + ((i % rows) + 0.5) * cell,
        cell * 0.6,
      ),
    );
  const total = (cells) => bold(count(sum(cells.map((kind) => people[kind]))));
  // The number is bold: the sentence is divided where it would be.
  const named = (x, side, cells) => {
    const [before, after] = say("people_" + side, { [side]: "\uE000" }).split("\uE000");
    return label(x, 13, [before, total(cells), after], {});
  };
  const height = top + rows * cell + 4;
  const middle = layout.left + layout.gap / 2;
  return picture(
    width,
    height,
    peopleSentence(people, say),
    named(2, "positive", POSITIVE),
    named(right + 2, "negative", NEGATIVE),
    line(middle, top, middle, height, { stroke: "#c3c9d2" }),
    marks(POSITIVE, 0),
    marks(NEGATIVE, right),
  );
}

function peopleLegend(people, say) {
  const item = (cell) =>
    element(
      "li",
      { "data-cell": cell },
      inlineMark(personMark(cell, 0, 0, 11)),
      element(
        "span",
        {},
        element("strong", {}, peopleText(people, cell, say)),
        " " + say("people_" + cell, {}),
      ),
    );
  return element(
    "ul",
    { class: "people-legend" },
    ["found", "missed", "alarms", "cleared"].map(item),
  );
}

/** The table of two results by two groups. */
function countsTable(one, positive, negative, say) {
  const table = tableOf(
    ["", say("scores_pos", {}), say("scores_neg", {})],
    [
      [say("people_called_positive", {}), ...positive],
      [say("people_called_negative", {}), ...negative],
    ],
  );
  table.prepend(element("caption", {}, one.label));
  return table;
}

function peopleTable(view, say) {
  return view.tests.map((one) => {
    const cells = (names) => names.map((cell) => peopleText(one.people, cell, say));
    return countsTable(one, cells(["found", "alarms"]), cells(["missed", "cleared"]), say);
  });
}

function peopleNote(say) {
  const hollow = { fill: "none", stroke: SECOND, "stroke-width": 1.5 };
  return [
    inlineMark(drawn("circle", { cx: 0, cy: 0, r: 4.5, ...hollow })),
    say("people_note_has", {}),
    " ",
    inlineMark(rect(-4.5, -4.5, 9, 9, hollow)),
    say("people_note_has_not", {}),
    "; " + say("people_note_calls", {}),
  ];
}

function peopleContent(view, say, width) {
  const several = view.tests.length > 1;
  const [{ people }] = view.tests;
  const beside = width >= 520;
  const inner = Math.floor(beside && several ? (width - 32) / 2 : beside ? width - 172 : width);
  const blocks = view.tests.map((one) =>
    element(
      "div",
      { class: "block" + (beside && !several ? " wide" : "") },
      several ? element("h4", {}, one.label) : "",
      drawPeople(one.people, say, inner),
      peopleLegend(one.people, say),
    ),
  );
  return {
    title: say("people_title", {
      people: count(people.total),
      ill: peopleCount(view.prevalence, people.total),
    }),
    note: peopleNote(say),
    pictures: [element("div", { class: "blocks" }, blocks)],
    legend: [],
    summary: say("people_table", {}),
    table: () => element("div", {}, peopleTable(view, say)),
  };
}
