// Classes between edges as bars. Of a continuous score: about thirty bins of like width, whose
// bounds are edges, because between edges no counts are known. Of ratings: a bar for each class.

const BINS = 32;

function isOrdinal(test) {
  const steps = test.edges.slice(1).map((edge, i) => edge - test.edges[i]);
  const whole =
    test.edges.length > 1 &&
    test.edges.length <= 20 &&
    Number.isInteger(test.edges[0]) &&
    steps.every((step) => step === 1);
  return test.names !== null || test.yes_no || whole;
}

/** Edges that bound the bins: those nearest to a regular grid. */
function gridEdges(test) {
  const [low, high] = test.axis;
  const grid = Array.from({ length: BINS - 1 }, (_, i) => low + ((i + 1) * (high - low)) / BINS);
  return [...new Set(grid.map((value) => nearestEdge(test, value)))].sort((a, b) => a - b);
}

// The end classes reach to the axis' ends; the width of a grid step keeps one at the end visible.
function boundsOf(test) {
  const [low, high] = test.axis;
  const step = (high - low) / BINS;
  const last = test.edges.length - 1;
  const empty = (index) => test.pos[index] + test.neg[index] === 0;
  return {
    low: empty(0) ? test.edges[0] : Math.min(low, test.edges[0] - step),
    high: empty(last + 1) ? test.edges[last] : Math.max(high, test.edges[last] + step),
  };
}

/** Classes `from` to `to` between two places; heights are shares of the group per grid step. */
function binOf(test, from, to, low, high) {
  const step = (test.axis[1] - test.axis[0]) / BINS;
  const [pos, neg] = [test.pos, test.neg].map((counts) => sum(counts.slice(from, to)));
  const perStep = step / (high - low);
  return {
    from,
    to,
    low,
    high,
    pos,
    neg,
    heightPos: (pos / test.n_pos) * perStep,
    heightNeg: (neg / test.n_neg) * perStep,
  };
}

// A bin that the cutoff divides keeps its height on both sides: the bars do not change while the
// cutoff moves, and a sliver beside it is no spike.
function divided(test, bin, edge) {
  const at = edge + 1;
  const above = test.direction === ">=";
  const side = (part, upper) => ({ ...part, positive: above === upper });
  if (bin.to <= at) return [side(bin, false)];
  if (bin.from >= at) return [side(bin, true)];
  const heights = { heightPos: bin.heightPos, heightNeg: bin.heightNeg };
  const place = test.edges[edge];
  return [
    side({ ...binOf(test, bin.from, at, bin.low, place), ...heights }, false),
    side({ ...binOf(test, at, bin.to, place, bin.high), ...heights }, true),
  ];
}

function continuousBins(test, edge) {
  const ends = boundsOf(test);
  const inner = gridEdges(test);
  const classes = [0, ...inner.map((i) => i + 1), test.pos.length];
  const places = [ends.low, ...inner.map((i) => test.edges[i]), ends.high];
  return classes
    .slice(1)
    .map((to, i) => binOf(test, classes[i], to, places[i], places[i + 1]))
    .filter((bin) => bin.high > bin.low)
    .flatMap((bin) => divided(test, bin, edge));
}

/** The words of a class of ratings: "suspicious", or "normal to benign" for a merged one. */
function classWords(test, index) {
  const above = test.direction === ">=";
  const [low, high] = [test.edges[index - 1], test.edges[index]];
  const within = (value) =>
    above
      ? (low === undefined || value >= low) && (high === undefined || value < high)
      : (low === undefined || value > low) && (high === undefined || value <= high);
  const known = test.names || {};
  const named = Object.keys(known)
    .map(Number)
    .filter(within)
    .sort((a, b) => a - b);
  if (named.length) {
    const [first, last] = [named[0], named[named.length - 1]].map((value) => known[String(value)]);
    return first === last ? first : first + " to " + last;
  }
  const own = above ? low : high;
  if (own !== undefined) {
    // The class at the end may hold several ratings: fewer than 5 cases are no class of their own.
    const open = above
      ? high === undefined && test.axis[1] > own
      : low === undefined && test.axis[0] < own;
    return (open ? (above ? "≥" : "≤") : "") + thresholdText(test, own);
  }
  return above ? "<" + thresholdText(test, high) : ">" + thresholdText(test, low);
}

/** A bar for each class of ratings; classes without cases at the ends are left out. */
function ordinalBins(test, edge) {
  const used = test.pos.map((pos, i) => pos + test.neg[i] > 0);
  const [first, last] = [used.indexOf(true), used.lastIndexOf(true)];
  return test.pos
    .map((pos, i) => ({
      index: i,
      low: i,
      high: i + 1,
      words: classWords(test, i),
      pos,
      neg: test.neg[i],
      heightPos: pos / test.n_pos,
      heightNeg: test.neg[i] / test.n_neg,
      positive: (test.direction === ">=") === i > edge,
    }))
    .slice(first, last + 1);
}

function binsOf(test, edge) {
  return isOrdinal(test) ? ordinalBins(test, edge) : continuousBins(test, edge);
}
