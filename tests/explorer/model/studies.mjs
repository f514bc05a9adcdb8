// Small studies whose counts are few enough to add by hand.

import { texts } from "./model.mjs";

const rate = (estimate, low, high) => ({ estimate, low, high, apparent: estimate });

/**
 * 10 ill, 20 well. At or above 1, 2 and 3: 9, 7 and 4 of the ill, 12, 6 and 2 of the well.
 * Set beforehand at 3; the data chose 2.
 */
export const upper = {
  id: "a",
  label: "Upper",
  direction: ">=",
  edges: [1, 2, 3],
  texts: ["1", "2", "3"],
  names: null,
  yes_no: false,
  axis: [0, 4],
  decimals: 1,
  n_pos: 10,
  n_neg: 20,
  pos: [1, 2, 3, 4],
  neg: [8, 6, 4, 2],
  moved: { pos: 0.2, neg: 0.15 },
  moved_reason: "",
  presets: [
    {
      key: "set",
      kind: "prespecified",
      name: "Set",
      edge: 2,
      threshold: 3,
      threshold_low: null,
      threshold_high: null,
      text_low: null,
      text_high: null,
      partly: false,
      correlation: 0,
      tpr: rate(0.4, 0.16, 0.7),
      tnr: rate(0.9, 0.7, 0.97),
      ppv: { log_ratio: Math.log(4), low: Math.log(2), high: Math.log(9) },
      npv: { log_ratio: Math.log(2 / 3), low: Math.log(0.25), high: 0 },
    },
    {
      key: "youden",
      kind: "chosen",
      name: "Youden",
      edge: 1,
      threshold: 2,
      threshold_low: 1,
      threshold_high: 3,
      text_low: "1",
      text_high: "3",
      partly: false,
      correlation: 0.5,
      tpr: { ...rate(0.65, 0.35, 0.85), apparent: 0.7 },
      tnr: { ...rate(0.68, 0.5, 0.8), apparent: 0.7 },
      ppv: null,
      npv: null,
    },
  ],
};

/** The same cases by a test whose low values are positive: at or below 1, 2 and 3. */
export const lower = {
  ...upper,
  id: "b",
  label: "Lower",
  direction: "<=",
  pos: [4, 3, 2, 1],
  neg: [2, 4, 6, 8],
  moved: { pos: 0.1, neg: 0.05 },
  moved_reason: "They assume much.",
  presets: [{ ...upper.presets[0], edge: 0, threshold: 1, key: "set" }],
};

/** A test that is paired with no other, and has no presets and no limits. */
export const alone = {
  ...upper,
  id: "c, d",
  label: "Alone",
  edges: [0.5, 1.25, 2, 8.5],
  texts: ["0.5", "1.25", "2", "8.5"],
  pos: [1, 2, 3, 2, 2],
  neg: [8, 6, 3, 2, 1],
  axis: [0, 9],
  moved: null,
  moved_reason: "Cases of a cluster are not independent.",
  presets: [],
};

export const payload = {
  level: 0.95,
  exact: false,
  clustered: false,
  texts,
  prevalence: 0.2,
  study_prevalence: 1 / 3,
  alarms: 4,
  tests: [upper, lower, alone],
  words: {
    case: "case",
    cases: "cases",
    condition: "cancer",
    action: "biopsy",
    outcome: "",
    counted: "cases",
  },
  pairs: [
    {
      first: "a",
      first_preset: "set",
      second: "b",
      second_preset: "set",
      tpr: { ...rate(0, -0.3, 0.3), p_text: "P = 1" },
      tnr: { ...rate(0.1, -0.1, 0.2), p_text: "" },
    },
  ],
};
