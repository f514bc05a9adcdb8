// Counts, people and bars. Every expected number is added by hand.

import { test } from "node:test";
import assert from "node:assert/strict";
import { model } from "./model.mjs";
import { alone, lower, upper } from "./studies.mjs";

const close = (found, wanted) =>
  assert.ok(Math.abs(found - wanted) < 1e-12, `${found}, not ${wanted}`);

test("cases at or beyond a cutoff are called positive", () => {
  const counts = (test) => [0, 1, 2].map((edge) => Object.values(model.countsAt(test, edge)));
  assert.deepEqual(counts(upper), [
    [9, 1, 12, 8],
    [7, 3, 6, 14],
    [4, 6, 2, 18],
  ]);
  assert.deepEqual(counts(lower), [
    [4, 6, 2, 18],
    [7, 3, 6, 14],
    [9, 1, 12, 8],
  ]);
  assert.deepEqual(model.ratesAt(upper, 2), { tpr: 0.4, tnr: 0.9 });
});

test("the nearest edge is the lower one of two; a typed cutoff means the one on its positive side", () => {
  const nearest = [-9, 1.4, 1.5, 1.6, 2, 9].map((value) => model.nearestEdge(upper, value));
  assert.deepEqual(nearest, [0, 0, 0, 1, 1, 2]);
  const typed = (test) => [0.5, 1, 1.5, 3, 3.5].map((value) => model.edgeOfTyped(test, value));
  assert.deepEqual(typed(upper), [0, 0, 1, 2, -1]);
  assert.deepEqual(typed(lower), [-1, 0, 0, 2, 2]);
});

test("people are whole numbers: the largest remainders are rounded up", () => {
  assert.deepEqual(model.wholes([0.5, 0.5], 1), [1, 0]);
  assert.deepEqual(model.wholes([0.2, 0.8], 1), [0, 1]);
  assert.deepEqual(model.wholes([0.29, 0.71], 100), [29, 71]);
  assert.deepEqual(model.wholes([0.745, 0.255], 37), [28, 9]);
  assert.deepEqual(model.wholes([0.25, 0.25, 0.5], 2), [1, 0, 1]);
  assert.deepEqual(model.wholes([0.3, 0.35, 0.35], 5), [1, 2, 2]);
});

test("people of 100, and of 1000 where a cell would show none", () => {
  const of = (...given) => model.peopleOf(...given);
  assert.deepEqual(of(0.1, 0.7, 0.8, 100), {
    total: 100,
    found: 7,
    missed: 3,
    alarms: 18,
    cleared: 72,
    fewer: [],
  });
  // cell by cell 28 and 10 would be 38, of 37.3 who are ill
  assert.deepEqual(of(0.373, 0.745, 0.75, 100), {
    total: 100,
    found: 28,
    missed: 9,
    alarms: 16,
    cleared: 47,
    fewer: [],
  });
  assert.deepEqual(of(0.001, 0.8, 1, 100).fewer, ["found", "missed"]);
  assert.deepEqual(of(0.001, 1, 1, 100).fewer, ["found"]);
  assert.deepEqual(of(0.999, 0.5, 0.8, 100).fewer, ["alarms", "cleared"]);
  assert.deepEqual(of(0.999, 0.5, 0, 100).fewer, ["alarms"]);
  assert.deepEqual(of(0.5, 1, 1, 100).fewer, []);
  assert.deepEqual(of(0.5, 0, 1, 100).fewer, []); // nobody is found: that cell is empty
  assert.deepEqual(of(1, 0.5, 0.5, 100).fewer, []); // nobody is well
  const one = (tpr, tnr) => ({ tpr: { estimate: tpr }, tnr: { estimate: tnr } });
  const totals = (...tests) => model.peopleOfAll(0.1, tests).map(({ total }) => total);
  assert.deepEqual(totals(one(0.8, 0.8), one(0.7, 0.9)), [100, 100]);
  assert.deepEqual(totals(one(0.8, 0.8), one(0.97, 0.9)), [1000, 1000]);
});

test("ratings are whole numbers in a row, few of them, or have names", () => {
  const is = (edges, more = {}) => model.isOrdinal({ edges, names: null, yes_no: false, ...more });
  const upTo = (n) => Array.from({ length: n }, (_, i) => i + 1);
  assert.deepEqual(
    [is([1, 2, 3]), is([1]), is([1.5, 2.5]), is([1, 3]), is([1, 2, 4])],
    [true, false, false, false, false],
  );
  assert.deepEqual([is(upTo(20)), is(upTo(21))], [true, false]);
  assert.deepEqual([is([1], { names: {} }), is([1.5], { yes_no: true })], [true, true]);
});

test("bins of a score are bounded by the edges next to a regular grid", () => {
  // steps of 1 on the axis; no place of the grid is next to 5.1, between 5 and 5.05
  const wide = { axis: [0, 32], edges: [1.2, 4.9, 5.6, 10, 31.4] };
  assert.deepEqual(model.gridEdges(wide), [0, 1, 2, 3, 4]);
  assert.deepEqual(model.gridEdges({ ...wide, edges: [5, 5.05, 20] }), [0, 1, 2]);
  assert.deepEqual(model.gridEdges({ ...wide, edges: [5, 5.05, 5.09, 20] }), [0, 2, 3]);
  // the last place of the grid is one step before the end of the axis
  assert.deepEqual(model.gridEdges({ ...wide, edges: [1.2, 31.2, 31.9] }), [0, 1]);
  assert.deepEqual(
    model.gridEdges({ axis: [-16, 16], edges: [-15.6, 0.1, 0.15, 14.6, 15.2] }),
    [0, 1, 2, 3, 4],
  );
});

test("the end classes reach to the ends of the axis, one step at least, and none if empty", () => {
  const ends = (edges, pos, neg) => {
    const { low, high } = model.boundsOf({ axis: [0, 32], edges, pos, neg });
    return [low, high];
  };
  assert.deepEqual(ends([2, 30], [1, 1, 1], [0, 0, 0]), [0, 32]);
  assert.deepEqual(ends([2, 30], [0, 1, 0], [1, 0, 1]), [0, 32]);
  assert.deepEqual(ends([0.5, 31.75], [1, 1, 1], [1, 1, 1]), [-0.5, 32.75]);
  assert.deepEqual(ends([2, 30], [0, 1, 0], [0, 1, 0]), [2, 30]);
  const moved = model.boundsOf({ axis: [16, 80], edges: [17, 79], pos: [1, 1, 1], neg: [1, 1, 1] });
  assert.deepEqual(moved, { low: 15, high: 81 });
});

test("bars of a score: heights are shares per step, and a divided bar keeps its height", () => {
  // a step is 9 / 32; bounds are the ends of the axis and all four edges
  const bins = model.binsOf(alone, 1);
  const places = bins.map(({ from, to, low, high }) => [from, to, low, high]);
  assert.deepEqual(places, [
    [0, 1, 0, 0.5],
    [1, 2, 0.5, 1.25],
    [2, 3, 1.25, 2],
    [3, 4, 2, 8.5],
    [4, 5, 8.5, 9],
  ]);
  assert.deepEqual(
    bins.map(({ pos, neg }) => [pos, neg]),
    [
      [1, 8],
      [2, 6],
      [3, 3],
      [2, 2],
      [2, 1],
    ],
  );
  assert.deepEqual(
    bins.map(({ positive }) => positive),
    [false, false, true, true, true],
  );
  close(bins[0].heightPos, (0.1 * (9 / 32)) / 0.5);
  close(bins[3].heightNeg, (0.1 * (9 / 32)) / 6.5);
  const downward = model.binsOf({ ...alone, direction: "<=" }, 1);
  assert.deepEqual(
    downward.map(({ positive }) => positive),
    [true, true, false, false, false],
  );
  const [first] = model.binsOf({ ...alone, axis: [16, 80], edges: [20.5, 40, 60, 70] }, 0);
  close(first.heightPos, (0.1 * 2) / 4.5); // a step is 2, the first bar 16 to 20.5
  // 5.05 is no bound: the bar from 5 to 5.09 is divided there
  const fine = { ...alone, axis: [0, 32], edges: [5, 5.05, 5.09, 20] };
  const parts = model.binsOf(fine, 1);
  const shown = parts.map(({ low, high, pos, neg, positive }) => [low, high, pos, neg, positive]);
  assert.deepEqual(shown, [
    [0, 5, 1, 8, false],
    [5, 5.05, 2, 6, false],
    [5.05, 5.09, 3, 3, true],
    [5.09, 20, 2, 2, true],
    [20, 32, 2, 1, true],
  ]);
  close(parts[1].heightPos, 0.5 / 0.09);
  close(parts[2].heightNeg, 0.45 / 0.09);
  close(parts[2].heightPos, 0.5 / 0.09);
  // no bar where the last class is empty
  const ended = model.binsOf({ ...alone, pos: [1, 2, 3, 4, 0], neg: [8, 6, 3, 3, 0] }, 0);
  assert.deepEqual(
    ended.map(({ high }) => high),
    [0.5, 1.25, 2, 8.5],
  );
  const begun = model.binsOf({ ...alone, pos: [0, 3, 3, 2, 2], neg: [0, 14, 3, 2, 1] }, 0);
  assert.deepEqual(
    begun.map(({ low }) => low),
    [0.5, 1.25, 2, 8.5],
  );
});

test("words of ratings", () => {
  const words = (test) => test.pos.map((_, i) => model.classWords(test, i));
  assert.deepEqual(words(upper), ["<1", "1", "2", "\u22653"]);
  assert.deepEqual(words({ ...upper, axis: [1, 3] }), ["<1", "1", "2", "3"]);
  assert.deepEqual(words(lower), ["\u22641", "2", "3", ">3"]);
  assert.deepEqual(words({ ...lower, axis: [1, 3] }), ["1", "2", "3", ">3"]);
  const names = { 0: "no", 1: "hardly", 2: "maybe", 3: "sure", 10: "certain" };
  assert.deepEqual(words({ ...upper, names }), ["no", "hardly", "maybe", "sure to certain"]);
  assert.deepEqual(words({ ...lower, names }), ["no to hardly", "maybe", "sure", "certain"]);
  // names of numbers are in the order of the numbers, however they are written down
  const mixed = { 2.5: "late", 2.25: "early", 0: "no", "-1": "never" };
  assert.deepEqual(words({ ...upper, names: mixed }), [
    "never to no",
    "1",
    "early to late",
    "\u22653",
  ]);
  const last = { ...upper, names: { 9: "x", 10: "y", 11: "z" }, edges: [9, 10, 11] };
  assert.deepEqual(words(last), ["<x", "x", "y", "z"]);
});

test("bars of ratings: one each, without empty classes at the ends", () => {
  const bars = model.binsOf(upper, 1);
  const shown = bars.map(({ index, low, high, words, pos, neg, positive }) => [
    index,
    low,
    high,
    words,
    pos,
    neg,
    positive,
  ]);
  assert.deepEqual(shown, [
    [0, 0, 1, "<1", 1, 8, false],
    [1, 1, 2, "1", 2, 6, false],
    [2, 2, 3, "2", 3, 4, true],
    [3, 3, 4, "\u22653", 4, 2, true],
  ]);
  assert.deepEqual(
    bars.map(({ heightPos }) => heightPos),
    [0.1, 0.2, 0.3, 0.4],
  );
  assert.deepEqual(
    bars.map(({ heightNeg }) => heightNeg),
    [0.4, 0.3, 0.2, 0.1],
  );
  assert.deepEqual(
    model.binsOf(lower, 1).map(({ positive }) => positive),
    [true, true, false, false],
  );
  const rare = {
    ...upper,
    pos: [0, 5, 0, 5, 0],
    neg: [0, 0, 0, 20, 0],
    edges: [1, 2, 3, 4],
    texts: ["1", "2", "3", "4"],
  };
  assert.deepEqual(
    model.binsOf(rare, 1).map(({ index }) => index),
    [1, 2, 3],
  );
});
