// Classes between edges as bars. Of a continuous score: about thirty bins of like width, whose
// bounds are edges, because between edges no counts are known. Of ratings: a bar for each class.

const BINS = 32;

function isOrdinal(test) {
  const steps = test.edges.slice(1).map((edge, i) => edge - test.edges[i]);
  const whole = test.edges.length > 1 && test.edges.length <= 20 &&
    Number.isInteger(test.edges[0]) && steps.every((step) => step === 1);
  return test.names !== null || test.yes_no || whole;
}

/** Edges that bound the bins: those nearest to a regular grid, and the cutoff. */
function gridEdges(test, edge) {
  const [low, high] = test.axis;
  const grid = Array.from({ length: BINS - 1 }, (_, i) => low + ((i + 1) * (high - low)) / BINS);
  const chosen = new Set([edge, ...grid.map((value) => nearestEdge(test, value))]);
  return [...chosen].sort((a, b) => a - b);
}

// The end classes reach to the axis' ends; the width of a grid step keeps one at the end visible.
function boundsOf(test, edge) {
  const [low, high] = test.axis;
  const step = (high - low) / BINS;
  const first = Math.min(low, test.edges[0] - step);
  const last = Math.max(high, test.edges[test.edges.length - 1] + step);
  return test.direction === ">="
    ? { low: test.pos[0] + test.neg[0] ? first : test.edges[0], high: last }
    : { low: first, high: last };
}

function share(counts, from, to, total) {
  return sum(counts.slice(from, to)) / total;
}

/** Bins of a continuous score: `height` is the share of its group per width of a grid step. */
function continuousBins(test, edge) {
  const step = (test.axis[1] - test.axis[0]) / BINS;
  const ends = boundsOf(test, edge);
  const inner = gridEdges(test, edge);
  const classes = [0, ...inner.map((i) => i + 1), test.pos.length];
  const places = [ends.low, ...inner.map((i) => test.edges[i]), ends.high];
  return classes.slice(1).map((to, i) => {
    const from = classes[i];
    const width = Math.max(places[i + 1] - places[i], 1e-300);
    const heightOf = (counts, total) => (share(counts, from, to, total) * step) / width;
    return {
      low: places[i],
      high: places[i + 1],
      pos: sum(test.pos.slice(from, to)),
      neg: sum(test.neg.slice(from, to)),
      heightPos: heightOf(test.pos, test.n_pos),
      heightNeg: heightOf(test.neg, test.n_neg),
      positive: (test.direction === ">=") === (from > edge),
    };
  }).filter((bin) => bin.high > bin.low);
}

/** The words of a class of ratings: "suspicious", or "normal to benign" where classes were merged. */
function classWords(test, index) {
  const above = test.direction === ">=";
  const [low, high] = [test.edges[index - 1], test.edges[index]];
  const within = (value) => above
    ? (low === undefined || value >= low) && (high === undefined || value < high)
    : (low === undefined || value > low) && (high === undefined || value <= high);
  const known = test.names || {};
  const named = Object.keys(known).map(Number).filter(within).sort((a, b) => a - b);
  if (named.length) {
    const [first, last] = [named[0], named[named.length - 1]].map((value) => known[String(value)]);
    return first === last ? first : first + " to " + last;
  }
  const own = above ? low : high;
  if (own !== undefined) return thresholdText(test, own);
  return above ? "<" + thresholdText(test, high) : ">" + thresholdText(test, low);
}

/** A bar for each class of ratings; classes without cases at the ends are left out. */
function ordinalBins(test, edge) {
  const used = test.pos.map((pos, i) => pos + test.neg[i] > 0);
  const [first, last] = [used.indexOf(true), used.lastIndexOf(true)];
  return test.pos.map((pos, i) => ({
    index: i,
    low: i,
    high: i + 1,
    words: classWords(test, i),
    pos,
    neg: test.neg[i],
    heightPos: pos / test.n_pos,
    heightNeg: test.neg[i] / test.n_neg,
    positive: (test.direction === ">=") === (i > edge),
  })).slice(first, last + 1);
}

function binsOf(test, edge) {
  return isOrdinal(test) ? ordinalBins(test, edge) : continuousBins(test, edge);
}
