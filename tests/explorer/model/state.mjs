// States, addresses and views.

import { test } from "node:test";
import assert from "node:assert/strict";
import { model } from "./model.mjs";
import { alone, lower, payload, upper } from "./studies.mjs";

const START = { tests: ["a"], edges: { a: 2, b: 0, "c, d": 1 }, prevalence: 0.2, alarms: 4 };

test("a page starts at the first presets, at what the study says or the starting points", () => {
  assert.deepEqual(model.initialState(payload), START);
  const unknown = model.initialState({ ...payload, prevalence: null, alarms: null });
  assert.deepEqual([unknown.prevalence, unknown.alarms], [0.1, 9]);
  const middle = (n) =>
    model.firstEdge({ presets: [], edges: Array.from({ length: n }, (_, i) => i) });
  assert.deepEqual([middle(1), middle(2), middle(3), middle(4), middle(5)], [0, 0, 1, 1, 2]);
});

test("tests are shown beside those they are paired with, in the order of the study", () => {
  const partners = ["a", "b", "c, d"].map((id) => model.partnersOf(payload, id));
  assert.deepEqual(partners, [["b"], ["a"], []]);
  const many = { ...payload, pairs: [...payload.pairs, { first: "c, d", second: "a" }] };
  assert.deepEqual(model.partnersOf(many, "a"), ["b", "c, d"]);
  assert.deepEqual(model.partnersOf(many, "c, d"), ["a"]);
  assert.deepEqual(model.withTests(payload, START, ["b", "a"]), { ...START, tests: ["a", "b"] });
});

test("moves return a new state, within the edges", () => {
  const edges = [-1, 0, 2, 3].map((edge) => model.withEdge(payload, START, "a", edge).edges.a);
  assert.deepEqual(edges, [0, 0, 2, 2]);
  assert.deepEqual(model.withEdge(payload, START, "b", 1), {
    ...START,
    edges: { ...START.edges, b: 1 },
  });
  assert.deepEqual(model.withPrevalence(START, 0.3), { ...START, prevalence: 0.3 });
  assert.deepEqual(model.withAlarms(START, 7), { ...START, alarms: 7 });
  assert.deepEqual([-0.1, 0, 0.5, 1, 1.1].map(model.isPrevalence), [
    false,
    false,
    true,
    false,
    false,
  ]);
  const alarms = [0.0009, 0.001, 20, 1000, 1001, NaN].map(model.isAlarms);
  assert.deepEqual(alarms, [false, true, true, true, false, false]);
});

test("of two presets of an edge the one set beforehand counts", () => {
  const key = (presets, edge) => model.presetAt({ presets }, edge)?.key ?? null;
  const [set, chosen] = upper.presets;
  assert.deepEqual(
    [key([set, chosen], 0), key([set, chosen], 1), key([set, chosen], 2)],
    [null, "youden", "set"],
  );
  assert.equal(key([{ ...chosen, edge: 2 }, set], 2), "set");
  assert.equal(key([chosen, { ...chosen, key: "other" }], 1), "youden");
});

test("an address is read back as the state that wrote it", () => {
  assert.equal(model.addressOf(payload, START), "#p=a&t=3&prev=20&fa=4");
  const two = {
    ...START,
    tests: ["a", "b"],
    edges: { ...START.edges, b: 2 },
    prevalence: 0.1234567,
  };
  assert.equal(model.addressOf(payload, two), "#p=a,b&t=3,3&prev=12.35&fa=4");
  const quoted = { ...START, tests: ["c, d"], alarms: 1 / 3 };
  assert.equal(model.addressOf(payload, quoted), "#p=c%2C%20d&t=1.25&prev=20&fa=0.333");
  assert.deepEqual(model.readAddress(payload, "#p=a&t=3&prev=20&fa=4"), { state: START, bad: [] });
  assert.deepEqual(model.readAddress(payload, "p=b,a&t=2,3&prev=5&fa=0.3333"), {
    state: { tests: ["a", "b"], edges: { a: 2, b: 1, "c, d": 1 }, prevalence: 0.05, alarms: 0.333 },
    bad: [],
  });
  assert.deepEqual(model.readAddress(payload, "#p=c%2C%20d&t=2"), {
    state: { ...START, tests: ["c, d"], edges: { ...START.edges, "c, d": 2 } },
    bad: [],
  });
  assert.equal(model.readAddress(payload, "#t=1").state.edges.a, 0);
  for (const empty of ["", "#", "#results", "#results&p"]) {
    assert.deepEqual(model.readAddress(payload, empty), { state: START, bad: [] }, empty);
  }
});

test("a cutoff in an address is short, and leads back to its edge", () => {
  const test = { ...upper, edges: [-2, 0.12345, 0.9], texts: ["\u22122.0", "0.1235", "0.90"] };
  const texts = [0, 1, 2].map((edge) => model.thresholdAddress(test, edge));
  // 0.1235 lies above 0.12345, so that the next edge would be meant
  assert.deepEqual(texts, ["-2.0", "0.12345", "0.90"]);
});

test("what an address asks in vain is said, and the rest is shown", () => {
  const read = (hash) => {
    const { state, bad } = model.readAddress(payload, hash);
    return [state, bad];
  };
  assert.deepEqual(read("#p=x&t=2"), [START, ["p=x"]]);
  assert.deepEqual(read("#p=x%20y"), [START, ["p=x y"]]);
  assert.deepEqual(read("#p=a,x"), [START, ["p=a,x"]]);
  assert.deepEqual(read("#p=a,a"), [START, ["p=a,a"]]);
  assert.deepEqual(read("#p=a,c%2C%20d"), [START, ["p=a,c, d"]]);
  assert.deepEqual(read("#p=a,b,a"), [START, ["p=a,b,a"]]);
  assert.deepEqual(read("#p=%E0%A4"), [START, ["p=%E0%A4"]]);
  assert.deepEqual(read("#p=a&t=2,3"), [START, ["t=2,3"]]);
  assert.deepEqual(read("#p=a&t=x"), [START, ["t=x"]]);
  assert.deepEqual(read("#p=a&t=%20"), [START, ["t= "]]);
  assert.deepEqual(read("#p=a&t="), [START, ["t="]]);
  assert.deepEqual(read("#p=a&t=9&prev=30"), [{ ...START, prevalence: 0.3 }, ["t=9"]]);
  assert.deepEqual(read("#p=a&t=3.5"), [START, ["t=3.5"]]); // on the axis, beyond the last edge
  assert.deepEqual(read("#p=a&t=-1"), [START, ["t=-1"]]);
  for (const prev of ["0", "100", "x", ""]) {
    assert.deepEqual(read(`#prev=${prev}`), [START, [`prev=${prev}`]]);
  }
  for (const fa of ["0", "1010", "x", ""])
    assert.deepEqual(read(`#fa=${fa}`), [START, [`fa=${fa}`]]);
  assert.deepEqual(read("#prev=%20x&fa=%20y"), [START, ["prev= x", "fa= y"]]);
  assert.deepEqual(read("#p=a,b&t=2"), [
    { ...START, tests: ["a", "b"], edges: { ...START.edges, a: 1 } },
    [],
  ]);
  // one value of two is in vain: the other is taken
  assert.deepEqual(read("#p=a,b&t=x,2"), [
    { ...START, tests: ["a", "b"], edges: { ...START.edges, b: 1 } },
    ["t=x"],
  ]);
  assert.deepEqual(model.readAddress(payload, "#a=b=c&fa=7").state.alarms, 7);
  assert.deepEqual([...model.addressParts("#a=b=c&d")], [["a", "b=c"]]);
  assert.deepEqual([...model.addressParts("a=#1")], [["a", "#1"]]);
});

test("thresholds of an address lie on the axis, or within the edges where these reach further", () => {
  const inside = (test, ...values) => values.map((value) => model.isThreshold(test, value));
  assert.deepEqual(inside(upper, "-0.1", "0", "2", "4", "4.1"), [false, true, true, true, false]);
  const wide = { ...upper, axis: [1.5, 2.5] };
  assert.deepEqual(inside(wide, "0.9", "1", "3", "3.1"), [false, true, true, false]);
  assert.deepEqual(inside(upper, " ", "", "x"), [false, false, false]);
});

test("a prevalence of an address is that of the study where it is written so", () => {
  assert.equal(model.readPrevalence(payload, "33.33"), 1 / 3);
  assert.equal(model.readPrevalence({ ...payload, prevalence: 0.123456 }, "12.35"), 0.123456);
  assert.equal(model.readPrevalence(payload, "33.32"), 0.3332);
  const none = { study_prevalence: null, prevalence: null };
  assert.equal(model.readPrevalence(none, "12.34567"), 0.1235);
  assert.equal(model.readPrevalence(none, "0"), 0);
});

test("a view has all numbers of a test", () => {
  const view = model.viewOf(payload, START);
  const [one] = view.tests;
  const { tests, ...rest } = view;
  assert.deepEqual(rest, {
    level: 0.95,
    prevalence: 0.2,
    alarms: 4,
    worthOfAll: 0,
    several: true,
    exact: false,
    difference: null,
    address: "#p=a&t=3&prev=20&fa=4",
  });
  assert.equal(tests.length, 1);
  const { id, edge, series, label, threshold, cutoff, kind, counts, best, isBest, people } = one;
  assert.deepEqual(
    { id, edge, series, label, threshold, cutoff, kind, counts, best, isBest, people },
    {
      id: "a",
      edge: 2,
      series: 0,
      label: "Upper",
      threshold: 3,
      cutoff: "3",
      kind: "prespecified",
      counts: { found: 4, missed: 6, alarms: 2, cleared: 18 },
      best: 1,
      isBest: false,
      people: { total: 100, found: 8, missed: 12, alarms: 8, cleared: 72, fewer: [] },
    },
  );
  assert.equal(one.preset, upper.presets[0]);
  assert.equal(one.tpr, upper.presets[0].tpr);
  assert.ok(Math.abs(one.positive.estimate - 0.5) < 1e-12);
  assert.ok(Math.abs(one.ratios.positive - 4) < 1e-12);
  assert.ok(Math.abs(one.worth.estimate - (0.08 - 0.02)) < 1e-12);
  const moved = model.viewOfTest(payload, { ...START, edges: { b: 1 } }, "b");
  assert.deepEqual(
    [moved.kind, moved.series, moved.isBest, moved.preset],
    ["moved", 1, true, null],
  );
  assert.equal(model.viewOf({ ...payload, tests: [upper] }, START).several, false);
});

test("differences are paired at two presets of a pair, else of moved cutoffs", () => {
  const at = (tests, edges) =>
    model.viewOf(payload, { ...START, tests, edges: { ...START.edges, ...edges } }).difference;
  const paired = at(["a", "b"], {});
  assert.deepEqual([paired.kind, paired.reason, paired.tpr], ["paired", "", payload.pairs[0].tpr]);
  assert.deepEqual(paired.tnr, payload.pairs[0].tnr);
  assert.ok(Math.abs(paired.worth.estimate - 0.02) < 1e-12);
  for (const edges of [{ a: 1 }, { a: 0 }, { b: 1 }]) {
    const moved = at(["a", "b"], edges);
    assert.deepEqual(
      [moved.kind, moved.reason],
      ["moved", "They assume much."],
      JSON.stringify(edges),
    );
  }
  // at or above 2: .7 (.5 to .9); at or below 1: .4 (.3 to .5)
  const { tpr, tnr, worth } = at(["a", "b"], { a: 1 });
  const close = (found, wanted) =>
    wanted.forEach((value, i) =>
      assert.ok(Math.abs([found.estimate, found.low, found.high][i] - value) < 1e-12),
    );
  close(tpr, [0.3, 0, 0.6]);
  close(tnr, [-0.2, -0.4, 0]); // .7 (.55 to .85) less .9 (.85 to .95)
  close(worth, [0.02, -0.08, 0.12]);
  const first = { id: "a", preset: upper.presets[0] };
  const pair = (...given) => model.pairOf(payload, ...given);
  assert.equal(pair(first, { id: "b", preset: lower.presets[0] }), payload.pairs[0]);
  assert.equal(pair({ ...first, id: "x" }, { id: "b", preset: lower.presets[0] }), null);
  assert.equal(pair(first, { id: "x", preset: lower.presets[0] }), null);
  assert.equal(pair(first, { id: "b", preset: { key: "x" } }), null);
  assert.equal(
    pair({ id: "a", preset: { key: "x" } }, { id: "b", preset: lower.presets[0] }),
    null,
  );
  const unlimited = at(["a", "c, d"], { a: 1 });
  assert.equal(unlimited.reason, alone.moved_reason);
  const plain = model.differenceOf(payload, { test: upper, edge: 0 }, { test: upper, edge: 1 });
  assert.equal(plain.reason, "");
});
