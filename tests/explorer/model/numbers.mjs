// Numbers in print. Every expected text is rounded by hand.

import { test } from "node:test";
import assert from "node:assert/strict";
import { model } from "./model.mjs";

function table(name, cases) {
  for (const [given, wanted] of cases) {
    assert.equal(model[name](...given), wanted, `${name}(${JSON.stringify(given)})`);
  }
}

// The double whose product with 100 is this very number.
function shareOf(percentage) {
  const near = [0, 1, -1, 2, -2].map((k) => percentage / 100 + k * 2 ** -56);
  return near.find((share) => 100 * share === percentage);
}

test("a decimal is rounded half up on its own digits", () => {
  table("fixed", [
    [[0.285, 2], "0.29"],
    [[1.005, 2], "1.01"],
    [[-0.285, 2], "-0.29"],
    [[0.284, 2], "0.28"],
    [[0, 1], "0.0"],
    [[12, 0], "12"],
    [[1.6e-7, 7], "0.0000002"],
    [[-1e-9, 1], "-0.0"],
  ]);
  table("signed", [
    [["-3"], "\u22123"],
    [["3"], "3"],
  ]);
});

test("percentages have two digits that count, and two bounds", () => {
  table("percent", [
    [[null], "\u2013"],
    [[0], "0"],
    [[1], "100"],
    [[0.742], "74"],
    [[0.0996], "10"],
    [[0.0994], "9.9"],
    [[0.0096], "1.0"],
    [[0.0094], "0.94"],
    [[0.00096], "0.10"],
    [[0.0004], "0.040"],
    [[0.000004], "<0.001"],
    [[0.9994], "99.9"],
    [[0.9999], ">99.9"],
    [[0.996, 0], "99.6"],
    [[0.996], "99.6"],
    [[0.0004, 1], "0.040"],
    [[0.742, 1], "74.2"],
    [[-0.05], "\u22125.0"],
    [[-0.00000001], "0"],
    [[-0.5], "\u221250"],
    [[0.0369, 1], "3.7"],
    [[-0.0004, 0], "\u22120.040"],
  ]);
  table("percentLimits", [
    [[{ estimate: 0.742, low: 0.679, high: 0.796 }], "68 to 80"],
    [[{ estimate: 0.039, low: 0.0104, high: 0.125 }], "1.0 to 12.5"],
  ]);
  table("percentWithLimits", [
    [[{ estimate: 0.742, low: 0.679, high: 0.796 }], "74 (68 to 80)"],
    [[{ estimate: 0.742, low: null, high: 0.796 }], "74"],
    [[{ estimate: 0.742, low: 0.679, high: null }], "74"],
    [[{ estimate: null, low: 0.1, high: 0.2 }], "\u2013"],
  ]);
});

test("digits change where rounding would add one", () => {
  const cases = [
    [9.95, 0],
    [0.95, 1],
    [0.095, 2],
  ];
  for (const [bound, digits] of cases) {
    assert.equal(model.digitsOf(shareOf(bound)), digits);
    assert.equal(model.digitsOf(-shareOf(bound)), digits);
    assert.equal(model.digitsOf(0.99 * shareOf(bound)), digits + 1);
  }
  assert.equal(model.digitsOf(0), 1);
});

test("shares near 0 and 100 of 100 are bounds, but not the ends themselves", () => {
  table("boundOfHundred", [
    [[0], ""],
    [[1], ""],
    [[-0.1], ""],
    [[1.1], ""],
    [[0.5], ""],
    [[0.9994], ""],
    [[1e-9], "<0.001"],
    [[shareOf(0.0005)], ""],
    [[shareOf(99.95)], ">99.9"],
    [[1 - 1e-9], ">99.9"],
  ]);
  table("perHundred", [
    [[0.1], "10"],
    [[0.3726], "37.3"],
    [[0.001], "0.1"],
    [[0.00123], "0.12"],
    [[0.01234], "1.23"],
    [[0], "0"],
    [[1], "100"],
    [[1e-9], "<0.001"],
    [[0.9997], ">99.9"],
    [[0.9994], "99.9"],
  ]);
});

test("fractions have two digits, and are 0 or 1 only if exact", () => {
  table("fraction", [
    [[null], "\u2013"],
    [[0], "0.00"],
    [[1], "1.00"],
    [[0.285], "0.29"],
    [[0.004], "<0.01"],
    [[0.005], "0.01"],
    [[0.995], ">0.99"],
    [[0.9999], ">0.99"],
    [[0.994], "0.99"],
    [[-0.1], "-0.10"],
    [[1.2], "1.20"],
  ]);
  table("fractionLimits", [[[{ low: 0.25, high: 0.9999 }], "0.25 to >0.99"]]);
});

test("counts, ratios, levels and false alarms", () => {
  table("count", [
    [[999], "999"],
    [[1000], "1,000"],
    [[1234567], "1,234,567"],
    [[12345], "12,345"],
  ]);
  table("ratio", [
    [[null], "\u2013"],
    [[2.5], "2.5"],
    [[0.374], "0.37"],
    [[10.4], "10"],
    [[12.6], "13"],
    [[1234.6], "1,235"],
    [[9.94], "9.9"],
    [[0], "0"],
  ]);
  table("levelText", [
    [[0.95], "95%"],
    [[0.975], "97.5%"],
    [[1 - 0.05 / 3], "98.33%"],
    [[0.9999], "99.99%"],
    [[0.99999], "99.999%"],
    [[0.999], "99.9%"],
  ]);
  table("alarmsText", [
    [[20], "20"],
    [[0.5], "0.5"],
    [[1 / 3], "0.333"],
    [[19.96], "20"],
  ]);
  table("peopleCount", [
    [[0.1, 100], "10"],
    [[0.001, 1000], "1"],
    [[0.1234, 100], "12.3"],
  ]);
});

test("a worth is a number of 1000 people", () => {
  table("thousand", [
    [[0.0613], "61"],
    [[0.0061], "6.1"],
    [[-0.003], "\u22123.0"],
    [[-0.00001, 0], "0"],
    [[0], "0"],
    [[-0.2], "\u2212200"],
    [[0.00061], "0.61"],
    [[0.0613, 1], "61.3"],
  ]);
  table("thousandLimits", [
    [[{ estimate: 0.0613, low: 0.0552, high: 0.0669 }], "55 to 67"],
    [[{ estimate: 0.0005, low: 0.00012, high: 0.0024 }], "0.1 to 2.4"],
    [[{ estimate: 0.0061, low: -0.0012, high: 0.0142 }], "\u22121.2 to 14.2"],
  ]);
});

test("long numbers are grouped, exponents are not", () => {
  table("grouped", [
    [["12345"], "12,345"],
    [["1234"], "1234"],
    [["-1234"], "\u22121234"],
    [["-12345"], "\u221212,345"],
    [["12345.678"], "12,345.678"],
    [["1e10000"], "1e10000"],
    [["0.12345"], "0.12345"],
    [["10000"], "10,000"],
    [["1234.5"], "1234.5"],
  ]);
});

test("a cutoff is a word, else the text of the study", () => {
  const plain = {
    names: null,
    edges: [1, 20000, -2.5],
    texts: ["1.0", "20000", "-2.5"],
    decimals: 2,
  };
  const named = { ...plain, names: { 1: "benign", 7: "sure" } };
  table("edgeText", [
    [[plain, 0], "1.0"],
    [[plain, 1], "20,000"],
    [[named, 0], "benign"],
    [[named, 1], "20,000"],
  ]);
  table("thresholdText", [
    [[plain, 20000], "20,000"],
    [[plain, 1.234], "1.23"],
    [[plain, 1], "1.0"],
    [[named, 7], "sure"],
    [[named, 1], "benign"],
    [[named, -3], "\u22123.00"],
    [[plain, -2.5], "\u22122.5"],
  ]);
  const preset = { threshold_low: 1, text_low: "1.1", threshold_high: 20000, text_high: "20000.5" };
  table("limitText", [
    [[plain, preset, "low"], "1.1"],
    [[named, preset, "low"], "benign"],
    [[named, preset, "high"], "20,000.5"],
    [[plain, preset, "high"], "20,000.5"],
  ]);
});

test("typed numbers may have a comma for decimals, or commas for thousands", () => {
  table("readNumber", [
    [["19,3"], 19.3],
    [["1,000.5"], 1000.5],
    [["\u22123"], -3],
    [[""], NaN],
    [["  "], NaN],
    [["1,000"], 1000],
    [["-1,000"], -1000],
    [["10,000"], 10000],
    [["1000,000"], 1000],
    [["1,0000"], 1],
    [["-0,5"], -0.5],
    [["12,34,567"], NaN],
    [["1,234,567"], 1234567],
    [["abc"], NaN],
    [[" 5 "], 5],
    [["12,5"], 12.5],
    [["1,5"], 1.5],
    [["0.5"], 0.5],
    [["1,23"], 1.23],
  ]);
});
