// Limits, chances and worth. Every expected number is worked out by hand.

import { test } from "node:test";
import assert from "node:assert/strict";
import { model } from "./model.mjs";
import { alone, lower, upper } from "./studies.mjs";

const rate = (estimate, low, high) => ({ estimate, low, high });
const none = rate(0.5, null, null);

function close(found, wanted) {
  for (const [key, value] of Object.entries(wanted)) {
    if (value === null) assert.equal(found[key], null, key);
    else assert.ok(Math.abs(found[key] - value) < 1e-12, `${key}: ${found[key]}, not ${value}`);
  }
}

test("Bayes' rule", () => {
  // of 100: 20 ill, 16 found; 80 well, 8 false alarms
  close([model.afterPositive(0.2, 0.8, 0.9), model.afterNegative(0.2, 0.8, 0.9)], [2 / 3, 1 / 19]);
  assert.equal(model.afterPositive(0.2, 0, 1), null);
  assert.equal(model.afterNegative(0.2, 1, 0), null);
  assert.equal(model.afterPositive(0.2, 0, 0.5), 0);
});

test("moved rates keep their distance to their limits, within 0 and 1", () => {
  const { tpr, tnr } = model.movedRates(upper, 2);
  close(tpr, { estimate: 0.4, low: 0.2, high: 0.6, apparent: 0.4 });
  close(tnr, { estimate: 0.9, low: 0.75, high: 1, apparent: 0.9 });
  close(model.movedRates(lower, 0).tnr, { estimate: 0.9, low: 0.85, high: 0.95 });
  close(model.movedRate(0.1, 0.3), { low: 0, high: 0.4 });
  const unlimited = model.movedRates(alone, 0);
  assert.deepEqual(unlimited.tpr, { estimate: 0.9, low: null, high: null, apparent: 0.9 });
  assert.deepEqual(unlimited.tnr, { estimate: 0.4, low: null, high: null, apparent: 0.4 });
  const [set] = upper.presets;
  assert.deepEqual(model.cutoffRates(upper, 2, set), { tpr: set.tpr, tnr: set.tnr });
  assert.deepEqual(model.cutoffRates(upper, 2, null), model.movedRates(upper, 2));
});

test("an interval of a cutoff has two ends", () => {
  const has = (threshold_low, threshold_high) =>
    model.hasInterval({ threshold_low, threshold_high });
  assert.deepEqual(
    [has(0, 1), has(null, 1), has(0, null), has(null, null)],
    [true, false, false, false],
  );
});

test("chances of a preset are those of likelihood ratios at the prevalence", () => {
  const [set] = upper.presets;
  const { positive, negative } = model.chancesAt(0.2, set, set);
  // odds before are 1 : 4; ratios 4, 2 and 9; 2/3, 1/4 and 1
  close(positive, { estimate: 0.5, low: 1 / 3, high: 9 / 13 });
  close(negative, { estimate: 1 / 7, low: 1 / 17, high: 0.2 });
  const chosen = { ...upper.presets[1], tpr: rate(0.8, 0.7, 0.9), tnr: rate(0.9, 0.8, 0.95) };
  const without = model.chancesAt(0.2, chosen, chosen);
  close(without.positive, { estimate: 2 / 3, low: null, high: null });
  close(without.negative, { estimate: 1 / 19, low: null, high: null });
  const half = model.chancesAt(0.2, chosen, { ...chosen, npv: set.npv });
  close(half.negative, { estimate: 1 / 7, low: 1 / 17, high: 0.2 });
  close(half.positive, { estimate: 2 / 3, low: null, high: null });
});

test("chances of a moved cutoff are at the corners of its box", () => {
  const rates = { tpr: rate(0.8, 0.5, 0.9), tnr: rate(0.9, 0.75, 0.95) };
  const { positive, negative } = model.chancesAt(0.2, rates, null);
  // .10 of .10 + .20; .18 of .18 + .04; after a negative result .10 of .10 + .60; .02 of .02 + .76
  close(positive, { estimate: 2 / 3, low: 1 / 3, high: 0.18 / 0.22 });
  close(negative, { estimate: 1 / 19, low: 0.02 / 0.78, high: 1 / 7 });
  for (const part of ["tpr", "tnr"]) {
    const open = model.chancesAt(0.2, { ...rates, [part]: none }, null);
    close(open.positive, { low: null, high: null });
    assert.ok(open.positive.estimate > 0.28);
  }
  // nobody is positive at the estimate, or at a corner
  const empty = { tpr: rate(0, 0, 0.2), tnr: rate(1, 0.8, 1) };
  close(model.chancesAt(0.2, empty, null).positive, { estimate: null, low: null, high: null });
  const corner = { tpr: rate(0.8, 0.5, 1), tnr: rate(0.5, 0, 0.6) };
  close(model.chancesAt(0.2, corner, null).negative, { estimate: 1 / 11, low: 0, high: 1 });
  const low = { tpr: rate(0.2, 0, 0.4), tnr: rate(0.9, 1, 1) };
  close(model.chancesAt(0.2, low, null).positive, { estimate: 1 / 3, low: null, high: null });
  // without a chance there are no limits, though both corners have some
  const hidden = { tpr: rate(0, 0.1, 0.2), tnr: rate(1, 0.8, 0.9) };
  close(model.chancesAt(0.2, hidden, null).positive, { estimate: null, low: null, high: null });
});

test("likelihood ratios, and differences of moved rates", () => {
  const ratios = (tpr, tnr) => model.likelihoodRatios({ tpr: rate(tpr), tnr: rate(tnr) });
  close(ratios(0.8, 0.9), { positive: 8, negative: 2 / 9 });
  assert.deepEqual([ratios(0.8, 1).positive, ratios(0.8, 0).negative], [null, null]);
  close(model.movedDifference(rate(0.7, 0.6, 0.85), rate(0.4, 0.25, 0.5)), {
    estimate: 0.3,
    low: 0.1,
    high: 0.6,
  });
  close(model.movedDifference(none, rate(0.4, 0.25, 0.5)), {
    estimate: 0.1,
    low: null,
    high: null,
  });
  close(model.movedDifference(rate(0.7, 0.6, 0.85), none), {
    estimate: 0.2,
    low: null,
    high: null,
  });
});

const now = { prevalence: 0.2, alarms: 4 }; // both rates weigh .2

test("a worth is cases found less false alarms", () => {
  assert.ok(Math.abs(model.worthAt(now, 0.8, 0.9) - (0.16 - 0.08 / 4)) < 1e-12);
  close(model.weightsOf({ prevalence: 0.2, alarms: 8 }), [0.2, 0.1]);
  assert.ok(Math.abs(model.worthOfAll({ prevalence: 0.2, alarms: 8 }) - 0.1) < 1e-12);
});

test("limits of a preset's worth are those of Zou and Donner", () => {
  const rates = { tpr: rate(0.8, 0.65, 0.95), tnr: rate(0.9, 0.7, 1) };
  // reaches .2 * .15 = .03 and .2 * .2 = .04: .05 below; .03 and .02: root of .0013 above
  const free = model.worthOf(now, rates, { correlation: 0 });
  close(free, { estimate: 0.14, low: 0.09, high: 0.14 + Math.sqrt(0.0013) });
  // less 2 * .5 * .03 * .04 = .0012, and 2 * .5 * .03 * .02 = .0006
  const tied = model.worthOf(now, rates, { correlation: 0.5 });
  close(tied, { low: 0.14 - Math.sqrt(0.0013), high: 0.14 + Math.sqrt(0.0007) });
  close(model.worthOf(now, rates, { correlation: null }), {
    estimate: 0.14,
    low: null,
    high: null,
  });
  for (const part of ["tpr", "tnr"]) {
    close(model.worthOf(now, { ...rates, [part]: none }, { correlation: 0 }), {
      low: null,
      high: null,
    });
  }
  // reaches alike that go wholly together: nothing is left
  const alike = { tpr: rate(0.8, 0.7, 0.9), tnr: rate(0.9, 0.8, 1) };
  close(model.worthOf(now, alike, { correlation: 1 }), { low: 0.14, high: 0.14 });
  close(model.worthOf(now, alike, { correlation: 1.01 }), { low: 0.14, high: 0.14 });
});

test("limits of a moved cutoff's worth are at both corners, within what can be", () => {
  const rates = { tpr: rate(0.8, 0.65, 0.95), tnr: rate(0.9, 0.7, 1) };
  close(model.worthOf(now, rates, null), { estimate: 0.14, low: 0.07, high: 0.19 });
  close(model.worthOf(now, { ...rates, tpr: none }, null), {
    estimate: 0.08,
    low: null,
    high: null,
  });
  close(model.worthOf(now, { ...rates, tnr: none }, null), {
    estimate: 0.06,
    low: null,
    high: null,
  });
  const half = { tpr: rate(0.8, 0.65, null), tnr: rate(0.9, 0.7, 1) };
  close(model.worthOf(now, half, null), { low: 0.07, high: null });
  const wide = { tpr: rate(0.9, -1, 2), tnr: rate(0.9, -1, 2) };
  close(model.worthOf(now, wide, null), { estimate: 0.16, low: -0.2, high: 0.2 });
});

test("what a test gains is over the better way without one", () => {
  close(model.worthGain({ prevalence: 0.2, alarms: 8 }, rate(0.14, 0.09, null)), {
    estimate: 0.04,
    low: -0.01,
    high: null,
  });
  // treating everybody is worth .2 - .8 / 2, so that nobody is treated
  close(model.worthGain({ prevalence: 0.2, alarms: 2 }, rate(0.14, null, 0.2)), {
    estimate: 0.14,
    low: null,
    high: 0.2,
  });
});

test("differences of worth", () => {
  const difference = { tpr: rate(0.1, -0.05, 0.25), tnr: rate(0.2, 0, 0.3), kind: "paired" };
  // reaches .03 and .04 below, .03 and .02 above
  close(model.worthDifference(now, difference, false), {
    estimate: 0.06,
    low: 0.01,
    high: 0.06 + Math.sqrt(0.0013),
  });
  close(model.worthDifference(now, difference, true), { estimate: 0.06, low: null, high: null });
  close(model.worthDifference(now, { ...difference, kind: "moved" }, true), {
    estimate: 0.06,
    low: -0.01,
    high: 0.11,
  });
});

test("the edge of most worth is the strictest of the best", () => {
  // a false alarm for 4 found: at or above 1, 2, 3 found .18 .14 .08 less .12 .06 .02
  assert.equal(model.mostWorth(upper, now), 1);
  assert.equal(model.mostWorth(lower, now), 1);
  assert.equal(model.mostWorth(upper, { prevalence: 0.2, alarms: 100 }), 0);
  assert.equal(model.mostWorth(lower, { prevalence: 0.2, alarms: 100 }), 2);
  assert.equal(model.mostWorth(upper, { prevalence: 0.2, alarms: 0.5 }), 2);
  assert.equal(model.mostWorth(lower, { prevalence: 0.2, alarms: 0.5 }), 0);
  // the class between 1 and 2 has a like share of both groups: both edges are worth the same
  const tied = { ...upper, pos: [1, 3, 3, 3], neg: [8, 6, 4, 2] };
  assert.equal(model.mostWorth(tied, now), 1);
  assert.equal(model.mostWorth({ ...lower, pos: [3, 3, 3, 1], neg: [2, 4, 6, 8] }, now), 1);
});
