// Limits of rates and predictive values at a cutoff. The statistics were made before: what is left
// is Bayes' rule, the clipping of rates, and the corners of the box of a moved cutoff.

const clip = (share) => Math.min(1, Math.max(0, share));
const logit = (share) => Math.log(share / (1 - share));
const expit = (log) => 1 / (1 + Math.exp(-log));

/** Chance of the condition after a positive result; null where no result is positive. */
function afterPositive(prevalence, tpr, tnr) {
  const ill = prevalence * tpr;
  const all = ill + (1 - prevalence) * (1 - tnr);
  return all > 0 ? ill / all : null;
}

/** Chance of the condition after a negative result; null where no result is negative. */
function afterNegative(prevalence, tpr, tnr) {
  return afterPositive(prevalence, 1 - tpr, 1 - tnr);
}

/** A moved rate keeps its distance to the limits at every cutoff (Dvoretzky-Kiefer-Wolfowitz). */
function movedRate(estimate, reach) {
  if (reach === null) return { estimate, low: null, high: null, apparent: estimate };
  return {
    estimate,
    low: clip(estimate - reach),
    high: clip(estimate + reach),
    apparent: estimate,
  };
}

/** Both rates as observed, with limits that hold for every cutoff at once. */
function movedRates(test, edge) {
  const { tpr, tnr } = ratesAt(test, edge);
  const reach = test.moved || { pos: null, neg: null };
  return { tpr: movedRate(tpr, reach.pos), tnr: movedRate(tnr, reach.neg) };
}

/** Whether both ends of the interval of a cutoff are thresholds: an infinite end is null. */
function hasInterval(preset) {
  return preset.threshold_low !== null && preset.threshold_high !== null;
}

/** Both rates of a cutoff: those of its preset, else moved ones. */
function cutoffRates(test, edge, preset) {
  return preset ? { tpr: preset.tpr, tnr: preset.tnr } : movedRates(test, edge);
}

// Limits of a preset keep their distances on the logit scale at every prevalence: they are those
// of a likelihood ratio, with clusters or empty cells not symmetric about the estimate.
function onLogitScale(prevalence, { log_ratio: ratio, low, high }) {
  const [estimate, least, most] = [ratio, low, high].map((end) => expit(logit(prevalence) + end));
  return { estimate, low: least, high: most };
}

// Both chances fall with specificity's loss and are monotone in each rate, so that the extremes
// over a box are at its corners: both rates at their best, or both at their worst.
function overBox(after, prevalence, tpr, tnr) {
  const estimate = after(prevalence, tpr.estimate, tnr.estimate);
  // Where nobody has the result there is no chance, and none has limits.
  if (estimate === null || !hasLimits(tpr) || !hasLimits(tnr)) {
    return { estimate, low: null, high: null };
  }
  const ends = [after(prevalence, tpr.low, tnr.low), after(prevalence, tpr.high, tnr.high)].sort(
    (a, b) => a - b,
  );
  return ends.includes(null)
    ? { estimate, low: null, high: null }
    : { estimate, low: ends[0], high: ends[1] };
}

/** Chances of the condition after a positive and a negative result, with their limits. */
function chancesAt(prevalence, rates, preset) {
  const chance = (after, given) => {
    if (preset && given) return onLogitScale(prevalence, given);
    if (!preset) return overBox(after, prevalence, rates.tpr, rates.tnr);
    const estimate = after(prevalence, rates.tpr.estimate, rates.tnr.estimate);
    return { estimate, low: null, high: null };
  };
  return {
    positive: chance(afterPositive, preset && preset.ppv),
    negative: chance(afterNegative, preset && preset.npv),
  };
}

/** Likelihood ratios; null where a division by 0 leaves none. */
function likelihoodRatios({ tpr, tnr }) {
  const divide = (top, bottom) => (bottom > 0 ? top / bottom : null);
  return {
    positive: divide(tpr.estimate, 1 - tnr.estimate),
    negative: divide(1 - tpr.estimate, tnr.estimate),
  };
}

/** Difference of two rates that each hold for every cutoff: the ends of their limits. */
function movedDifference(first, second) {
  const estimate = first.estimate - second.estimate;
  if (!hasLimits(first) || !hasLimits(second)) return { estimate, low: null, high: null };
  return { estimate, low: first.low - second.high, high: first.high - second.low };
}
