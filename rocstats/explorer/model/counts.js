// Counts at a cutoff: sums over the classes between edges.

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Cases on the positive side of an edge; the classes up to the edge lie below it. */
function calledPositive(test, counts, edge) {
  const below = sum(counts.slice(0, edge + 1));
  return test.direction === ">=" ? sum(counts) - below : below;
}

/** The four counts of the table of a cutoff. */
function countsAt(test, edge) {
  const found = calledPositive(test, test.pos, edge);
  const alarms = calledPositive(test, test.neg, edge);
  return { found, missed: test.n_pos - found, alarms, cleared: test.n_neg - alarms };
}

/** Sensitivity and specificity as observed. */
function ratesAt(test, edge) {
  const counts = countsAt(test, edge);
  return { tpr: counts.found / test.n_pos, tnr: counts.cleared / test.n_neg };
}

/** Index of the edge nearest to a value; the lower one of two as near. */
function nearestEdge(test, value) {
  return test.edges.reduce(
    (best, edge, i) => (Math.abs(edge - value) < Math.abs(test.edges[best] - value) ? i : best),
    0,
  );
}

/**
 * Index of the edge that a typed cutoff means: the nearest on its positive side, so that no case
 * between both is called otherwise than typed; -1 if there is none.
 */
function edgeOfTyped(test, value) {
  const above = test.direction === ">=";
  const reached = test.edges.map((edge) => (above ? edge >= value : edge <= value));
  return above ? reached.indexOf(true) : reached.lastIndexOf(true);
}

// Four cells of people are whole numbers with the right sum: the largest remainders are rounded up.
function wholes(shares, total) {
  const floors = shares.map((share) => Math.floor(share * total + 1e-9));
  const order = shares
    .map((share, i) => ({ i, rest: share * total - floors[i] }))
    .sort((a, b) => b.rest - a.rest || a.i - b.i);
  order.slice(0, total - sum(floors)).forEach(({ i }) => {
    floors[i] += 1;
  });
  return floors;
}

/**
 * People of a total; `fewer` names the cells that are not empty but round to 0. The ill are rounded
 * first: rounded cell by cell, 28 found and 10 missed would be more than the 37 who are ill.
 */
function peopleOf(prevalence, tpr, tnr, total) {
  const names = ["found", "missed", "alarms", "cleared"];
  const shares = [
    prevalence * tpr,
    prevalence * (1 - tpr),
    (1 - prevalence) * (1 - tnr),
    (1 - prevalence) * tnr,
  ];
  const ill = Math.round(prevalence * total);
  const people = [...wholes([tpr, 1 - tpr], ill), ...wholes([1 - tnr, tnr], total - ill)];
  const cells = Object.fromEntries(names.map((name, i) => [name, people[i]]));
  return { total, ...cells, fewer: names.filter((_, i) => people[i] === 0 && shares[i] > 0) };
}

/** People of each test: of 100, of 1000 if somewhere a cell that is not empty would show 0. */
function peopleOfAll(prevalence, tests) {
  const of = (total) =>
    tests.map(({ tpr, tnr }) => peopleOf(prevalence, tpr.estimate, tnr.estimate, total));
  const hundred = of(100);
  return hundred.some(({ fewer }) => fewer.length) ? of(1000) : hundred;
}
