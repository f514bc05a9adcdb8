// The view model: every number of the page, from the payload and the state. Nothing is drawn here.

/** All that is said of one test at its cutoff. */
function viewOfTest(payload, state, id) {
  const test = testById(payload, id);
  const edge = state.edges[id];
  const preset = presetAt(test, edge);
  const rates = cutoffRates(test, edge, preset);
  const best = mostWorth(test, state);
  return {
    id,
    test,
    edge,
    preset,
    series: payload.tests.indexOf(test),
    label: test.label,
    threshold: test.edges[edge],
    cutoff: edgeText(test, edge),
    kind: preset ? preset.kind : "moved",
    counts: countsAt(test, edge),
    ...rates,
    ...chancesAt(state.prevalence, rates, preset),
    ratios: likelihoodRatios(rates),
    worth: worthOf(state, rates, preset),
    best,
    isBest: edge === best,
  };
}

function pairOf(payload, first, second) {
  if (!first.preset || !second.preset) return null;
  return (
    payload.pairs.find(
      (pair) =>
        pair.first === first.id &&
        pair.first_preset === first.preset.key &&
        pair.second === second.id &&
        pair.second_preset === second.preset.key,
    ) || null
  );
}

/** First minus second: paired for two presets, else with the limits of moved cutoffs. */
function differenceOf(payload, first, second) {
  const pair = pairOf(payload, first, second);
  if (pair) return { kind: "paired", tpr: pair.tpr, tnr: pair.tnr, reason: "" };
  const [one, two] = [first, second].map(({ test, edge }) => movedRates(test, edge));
  return {
    kind: "moved",
    tpr: movedDifference(one.tpr, two.tpr),
    tnr: movedDifference(one.tnr, two.tnr),
    reason: [first, second].map(({ test }) => test.moved_reason).find((reason) => reason) || "",
  };
}

/** The differences of both rates, and of the worth that follows from them. */
function withWorth(payload, state, [first, second]) {
  const difference = differenceOf(payload, first, second);
  return { ...difference, worth: worthDifference(state, difference, payload.clustered) };
}

function viewOf(payload, state) {
  const alone = state.tests.map((id) => viewOfTest(payload, state, id));
  const people = peopleOfAll(state.prevalence, alone);
  const tests = alone.map((one, i) => ({ ...one, people: people[i] }));
  return {
    level: payload.level,
    prevalence: state.prevalence,
    alarms: state.alarms,
    worthOfAll: worthOfAll(state),
    tests,
    several: payload.tests.length > 1,
    exact: payload.exact,
    difference: tests.length === 2 ? withWorth(payload, state, tests) : null,
    address: addressOf(payload, state),
  };
}
