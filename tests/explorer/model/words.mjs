// Sentences and the file of numbers. The words are those of texts.json; what fills them is by hand.

import { test } from "node:test";
import assert from "node:assert/strict";
import { model } from "./model.mjs";
import { alone, payload, upper } from "./studies.mjs";

const START = model.initialState(payload);
const say = model.speaker(payload);
const view = (more, study = payload) => model.viewOf(study, { ...START, ...more });

test("templates are filled, and a name without a value fails", () => {
  assert.equal(model.fill("{a} of {bc}, {a}", { a: 1, bc: "x" }), "1 of x, 1");
  assert.equal(model.fill("{a b} {}", { a: 1 }), "{a b} {}");
  assert.throws(() => model.fill("{a} of {b}", { a: 1 }), /no value for \{b\} in: \{a\} of \{b\}/);
  assert.equal(model.capital("women"), "Women");
});

test("a sentence starts with a capital where a word of the study starts it", () => {
  const words = { case: "woman", cases: "women", condition: "cancer", action: "biopsy" };
  const own = {
    one: "{case} x",
    all: "{cases} of {level}",
    ill: "{condition}",
    act: "{action}",
    name: "{test}",
    inside: "of {cases}",
  };
  const speak = model.speaker({ words, texts: own, level: 0.9 });
  const found = Object.keys(own).map((key) => speak(key, { test: "ca-125" }));
  assert.deepEqual(found, ["Woman x", "Women of 90%", "Cancer", "Biopsy", "ca-125", "of women"]);
});

test("a long label is cut, and kept on one line", () => {
  assert.equal(model.inBrief("a \n\t b", 9), "a b");
  assert.equal(model.inBrief("abcdef", 6), "abcdef");
  assert.equal(model.inBrief("abcdefg", 6), "abcde\u2026");
  assert.equal(model.inBrief("abcd efg", 6), "abcd\u2026");
});

test("strong numbers are between two private characters", () => {
  assert.equal(model.strong("74"), "\uE00074\uE001");
  assert.equal(model.plain("a \uE00074\uE001 and \uE0005\uE001"), "a 74 and 5");
});

test("the answer of one test is two sentences, with limits if both rates have some", () => {
  const [answer] = model.answerOf(view(), say);
  assert.deepEqual(answer.lines.map(model.plain), [
    "Of 100 cases with cancer, Upper finds 40.",
    "Of 100 without, it clears 90.",
  ]);
  assert.ok(
    answer.lines[0].includes("\uE00040\uE001") && answer.lines[1].includes("\uE00090\uE001"),
  );
  assert.equal(
    answer.limits,
    "95% confidence interval 16 to 70 found, 70 to 97 cleared. Sensitivity 0.40, specificity 0.90.",
  );
  const single = model.answerOf(view({}, { ...payload, tests: [upper] }), say);
  assert.equal(model.plain(single[0].lines[0]), "Of 100 cases with cancer the test finds 40.");
  const [bare] = model.answerOf(view({ tests: ["c, d"] }), say);
  assert.equal(bare.limits, "Sensitivity 0.70, specificity 0.70; no confidence interval.");
  const long = { ...upper, label: "x".repeat(61) };
  const cut = model.answerOf(view({}, { ...payload, tests: [long, alone] }), say);
  assert.ok(cut[0].lines[0].includes(`${"x".repeat(59)}\u2026 finds`));
  const [one] = view().tests;
  for (const part of ["tpr", "tnr"]) {
    const open = { ...one, [part]: { ...one[part], low: null } };
    assert.ok(model.limitsSentence(open, say).endsWith("; no confidence interval."));
  }
});

test("the answer of two tests is one sentence each", () => {
  const two = model.answerOf(view({ tests: ["a", "b"] }), say);
  assert.deepEqual(
    two.map(({ lines }) => lines.map(model.plain)),
    [
      ["Upper at 3 finds 40 of 100 with cancer and clears 90 of 100 without."],
      ["Lower at 1 finds 40 of 100 with cancer and clears 90 of 100 without."],
    ],
  );
  assert.ok(two[0].lines[0].includes("\uE00040\uE001"));
  assert.ok(two[0].lines[0].includes("\uE00090\uE001"));
  assert.ok(two.every(({ limits }) => limits.startsWith("95% confidence interval 16 to 70 found")));
  const [one] = view().tests;
  assert.equal(
    model.plain(model.namedAnswer({ ...one, test: { ...upper, yes_no: true } }, say)),
    "Upper finds 40 of 100 with cancer and clears 90 of 100 without.",
  );
  const long = model.namedAnswer({ ...one, label: "x".repeat(61) }, say);
  assert.ok(long.startsWith(`${"x".repeat(59)}\u2026 at 3`));
});

test("a notice says what kind of cutoff it is", () => {
  const [set] = view().tests;
  assert.deepEqual(model.noticeOf(set, say), {
    kind: "prespecified",
    title: "Set before the study.",
    text: "The limits are plain 95% confidence intervals.",
  });
  const yesNo = model.noticeOf({ ...set, test: { ...upper, yes_no: true } }, say);
  assert.deepEqual(yesNo, {
    kind: "prespecified",
    title: "A test that says yes or no.",
    text: "There is no cutoff to choose. The limits are plain 95% confidence intervals.",
  });
  const [moved] = view({ edges: { ...START.edges, a: 0 } }).tests;
  assert.deepEqual(
    model.noticeOf({ ...moved, test: { ...upper, yes_no: true } }, say).title,
    "You moved the cutoff.",
  );
});

test("the notice of a chosen cutoff has its raw results and how far it may move", () => {
  const [one] = view({ edges: { ...START.edges, a: 1 } }).tests;
  const textOf = (preset) => {
    const { kind, title, text } = model.noticeOf(
      { ...one, preset: { ...one.preset, ...preset } },
      say,
    );
    assert.deepEqual([kind, title], ["chosen", "Chosen after seeing the data."]);
    return text;
  };
  const start =
    "2 is what the rule \u201cYouden\u201d gave in these 30 cases, so its raw results " +
    "(70 found and 70 cleared) flatter it. The figures here are corrected for that.";
  const again = "Another sample would probably have put the cutoff between 1 and 3.";
  const open =
    "In another sample perhaps no cutoff would have been better than calling nobody positive.";
  const partly =
    "With so few cases the correction is not whole: a quarter or more of the flattery remains.";
  const end = "Confirm in new cases.";
  assert.equal(textOf({}), [start, again, end].join(" "));
  assert.equal(textOf({ partly: true }), [start, partly, again, end].join(" "));
  assert.equal(textOf({ threshold_low: null }), [start, open, end].join(" "));
  assert.equal(textOf({ threshold_high: null }), [start, open, end].join(" "));
  assert.equal(textOf({ threshold_low: null, threshold_high: null }), [start, end].join(" "));
  assert.ok(textOf({ name: "y".repeat(61) }).includes(`\u201c${"y".repeat(59)}\u2026\u201d`));
});

test("the notice of a moved cutoff says whether limits hold, and whether it has most worth", () => {
  const notice = (test, isBest) => model.movedNotice({ test, isBest }, say);
  const limits =
    "The limits now hold for every cutoff at once, so you may look around. To report a " +
    "cutoff, take it from a rule or set it before a new study.";
  const best = "This cutoff has the most worth in these very data, which flatters it.";
  assert.equal(notice(upper, false), limits);
  assert.equal(
    notice({ ...upper, moved_reason: "They assume much." }, true),
    `${best} ${limits} They assume much.`,
  );
  assert.equal(
    notice(alone, false),
    "Cases of a cluster are not independent. A cutoff that was set " +
      "beforehand or chosen by a rule may have limits.",
  );
});

test("words of the exchange, of a slider, of people and of a typed cutoff", () => {
  assert.deepEqual(model.alarmsWords({ alarms: 4 }), { alarms: "4", chance: "20" });
  assert.equal(model.sliderText(view().tests[0], say), "3: finds 40 of 100, clears 90 of 100");
  const people = { found: 1234, missed: 0, fewer: ["missed"] };
  assert.equal(model.peopleText(people, "found", say), "1,234");
  assert.equal(model.peopleText(people, "missed", say), "fewer than 1");
  const typed = (value, exact, test = upper) =>
    model.typedNotice(test, 1, value, { entry: String(value), exact }, say);
  assert.equal(typed(2, false), "");
  assert.equal(
    typed(1.9, true),
    "At 1.9 the test calls the same cases positive as at 2, the next " +
      "value of Upper in this study.",
  );
  assert.ok(
    typed(1.9, false).startsWith("This page has no counts at 1.9 and shows 2, the next cutoff"),
  );
  const short = { ...upper, edges: [1, -2.0004, 3], texts: ["1", "\u22122", "3"] };
  assert.deepEqual([typed(-2, true, short), typed(-2.0004, true, short)], ["", ""]);
  assert.ok(
    typed(1.9, true, { ...upper, label: "x".repeat(61) }).includes(`${"x".repeat(59)}\u2026 in`),
  );
});

test("a cell of the file is no formula, and has its quotes doubled", () => {
  const cells = [
    null,
    undefined,
    0.1,
    -3,
    "x",
    "=1+1",
    "+1",
    "-1",
    "@a",
    "\ta",
    "\rb",
    'a "b" "c"',
    "a,b",
    "a\nb",
    "a=b",
    "a\tb",
  ];
  assert.deepEqual(cells.map(model.csvCell), [
    "",
    "",
    "0.1",
    "-3",
    "x",
    "'=1+1",
    "'+1",
    "'-1",
    "'@a",
    "'\ta",
    '"\'\rb"',
    '"a ""b"" ""c"""',
    '"a,b"',
    '"a\nb"',
    "a=b",
    "a\tb",
  ]);
});

test("the file of a view has nine rows of each test, and three differences", () => {
  const interval = (estimate, low, high) => ({ estimate, low, high });
  const one = {
    label: "A",
    threshold: 3,
    kind: "moved",
    tpr: interval(0.4, 0.16, 0.7),
    tnr: interval(0.9, 0.7, 1),
    positive: interval(0.5, null, null),
    negative: interval(0.25, 0.1, 0.3),
    worth: interval(-0.06, -0.1, 0.02),
    counts: { found: 4, missed: 6, alarms: 2, cleared: 18 },
  };
  const numbers = { prevalence: 0.2, alarms: 4, tests: [one], difference: null };
  const head = "test,cutoff,kind,measure,estimate,low,high,prevalence,false_alarms_for_one_found";
  const rows = (label) => [
    `${label},3,moved,sensitivity,0.4,0.16,0.7,0.2,4`,
    `${label},3,moved,specificity,0.9,0.7,1,0.2,4`,
    `${label},3,moved,chance_after_positive,0.5,,,0.2,4`,
    `${label},3,moved,chance_after_negative,0.25,0.1,0.3,0.2,4`,
    `${label},3,moved,net_benefit,-0.06,-0.1,0.02,0.2,4`,
    `${label},3,moved,found,4,,,0.2,4`,
    `${label},3,moved,missed,6,,,0.2,4`,
    `${label},3,moved,false_alarms,2,,,0.2,4`,
    `${label},3,moved,cleared,18,,,0.2,4`,
  ];
  assert.equal(model.csvOf(numbers), [head, ...rows("A"), ""].join("\r\n"));
  const difference = {
    kind: "paired",
    tpr: interval(0.1, -0.1, 0.2),
    tnr: interval(0.3, 0.2, 0.4),
    worth: interval(0.5, 0.4, 0.6),
  };
  const two = { ...numbers, tests: [one, { ...one, label: "B" }], difference };
  assert.equal(
    model.csvOf(two),
    [
      head,
      ...rows("A"),
      ...rows("B"),
      "A minus B,,paired,sensitivity_difference,0.1,-0.1,0.2,,",
      "A minus B,,paired,specificity_difference,0.3,0.2,0.4,,",
      "A minus B,,paired,net_benefit_difference,0.5,0.4,0.6,0.2,4",
      "",
    ].join("\r\n"),
  );
});
