// What a cutoff is worth: net benefit at the prevalence of the page, where a number of false alarms
// is accepted to find one more case. The prevalence is known, so that limits come from those of both
// rates: of a preset by MOVER, of a moved cutoff at the corners of its box.

/** Worth of both rates: cases found less false alarms, a case tested; `alarms` balance one found. */
function worthAt({ prevalence, alarms }, tpr, tnr) {
  return prevalence * tpr - ((1 - prevalence) * (1 - tnr)) / alarms;
}

/** What both rates weigh in the worth: their differences count so much. */
function weightsOf({ prevalence, alarms }) {
  return [prevalence, (1 - prevalence) / alarms];
}

// Limits of a weighted sum of two rates (Zou and Donner 2008). `correlation` is that of sensitivity
// with the false positive rate: 0 but in clusters.
function bothReaches(parts, correlation) {
  const reach = (side) => {
    const [one, other] = parts.map(({ weight, rate }) =>
      weight * Math.abs(rate[side] - rate.estimate));
    return Math.sqrt(Math.max(0, one * one + other * other - 2 * correlation * one * other));
  };
  return { low: reach("low"), high: reach("high") };
}

function weightedSum(now, tpr, tnr, shift, correlation) {
  const weights = weightsOf(now);
  const estimate = weights[0] * tpr.estimate + weights[1] * tnr.estimate - shift;
  if (correlation === null || !hasLimits(tpr) || !hasLimits(tnr)) {
    return { estimate, low: null, high: null };
  }
  const parts = [tpr, tnr].map((rate, i) => ({ weight: weights[i], rate }));
  const { low, high } = bothReaches(parts, correlation);
  return { estimate, low: estimate - low, high: estimate + high };
}

/** Worth at the corners of two intervals that hold together. */
function overCorners(now, tpr, tnr, shift) {
  const [ill, well] = weightsOf(now);
  const at = (end) =>
    tpr[end] === null || tnr[end] === null ? null : ill * tpr[end] + well * tnr[end] - shift;
  return { estimate: at("estimate"), low: at("low"), high: at("high") };
}

/** Worth of a cutoff; what cannot be is cut off: all ill found, or all others false alarms. */
function worthOf(now, { tpr, tnr }, preset) {
  const [most, least] = weightsOf(now);
  const worth = preset
    ? weightedSum(now, tpr, tnr, least, preset.correlation)
    : overCorners(now, tpr, tnr, least);
  if (!hasLimits(worth)) return worth;
  return { ...worth, low: Math.max(-least, worth.low), high: Math.min(most, worth.high) };
}

/** Worth of treating everybody; treating nobody has 0. */
function worthOfAll(now) {
  return worthAt(now, 1, 0);
}

/** A worth less the better of the two ways without a test; its sampling error is that of the test. */
function worthGain(now, worth) {
  const better = Math.max(0, worthOfAll(now));
  const less = (end) => (end === null ? null : end - better);
  return { estimate: worth.estimate - better, low: less(worth.low), high: less(worth.high) };
}

/** First minus second, from the differences of both rates. */
function worthDifference(now, difference, clustered) {
  const { tpr, tnr } = difference;
  return difference.kind === "paired"
    ? weightedSum(now, tpr, tnr, 0, clustered ? null : 0)
    : overCorners(now, tpr, tnr, 0);
}

/** The edge of most worth as observed; of several the strictest, which treats fewest. */
function mostWorth(test, now) {
  const edges = test.edges.map((_, i) => i);
  if (test.direction === ">=") edges.reverse();
  const worth = edges.map((edge) => {
    const { tpr, tnr } = ratesAt(test, edge);
    return worthAt(now, tpr, tnr);
  });
  // Sums of shares differ in their last digits from one edge to the next.
  const best = worth.reduce((most, value, i) => (value > worth[most] + 1e-12 ? i : most), 0);
  return edges[best];
}
