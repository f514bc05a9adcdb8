// The state of the page and its moves. A state is never changed: a move returns a new one.
// State: { tests: one or two ids, edges: { id: index of the cutoff's edge }, prevalence,
// alarms: false alarms that are accepted to find one more case }.

// Where the study cannot say how common the condition is, the control starts here.
const UNKNOWN_PREVALENCE = 0.1;
// Where nobody said how many false alarms one found case is worth, the control starts here: acting
// from a chance of 10% on.
const UNKNOWN_ALARMS = 9;

function testById(payload, id) {
  return payload.tests.find((test) => test.id === id);
}

/** The first preset; without one the middle edge. */
function firstEdge(test) {
  return test.presets.length ? test.presets[0].edge : Math.floor((test.edges.length - 1) / 2);
}

function initialState(payload) {
  return {
    tests: [payload.tests[0].id],
    edges: Object.fromEntries(payload.tests.map((test) => [test.id, firstEdge(test)])),
    prevalence: payload.prevalence === null ? UNKNOWN_PREVALENCE : payload.prevalence,
    alarms: payload.alarms === null ? UNKNOWN_ALARMS : payload.alarms,
  };
}

/** Tests that can be shown beside a test: those it is paired with. */
function partnersOf(payload, id) {
  const partners = new Set(
    payload.pairs.flatMap(({ first, second }) =>
      first === id ? [second] : second === id ? [first] : [],
    ),
  );
  return payload.tests.filter((test) => partners.has(test.id)).map((test) => test.id);
}

/** One test, or two that are paired, in the order of the study. */
function withTests(payload, state, ids) {
  return { ...state, tests: payload.tests.map((test) => test.id).filter((id) => ids.includes(id)) };
}

function withEdge(payload, state, id, edge) {
  const last = testById(payload, id).edges.length - 1;
  return { ...state, edges: { ...state.edges, [id]: Math.min(last, Math.max(0, edge)) } };
}

function withPrevalence(state, prevalence) {
  return { ...state, prevalence };
}

function isPrevalence(share) {
  return share > 0 && share < 1;
}

function withAlarms(state, alarms) {
  return { ...state, alarms };
}

// Ends of the scale: beyond, one of both errors counts as nothing.
function isAlarms(alarms) {
  return alarms >= 0.001 && alarms <= 1000;
}

/** The preset of an edge: one set beforehand comes before one that the data chose. */
function presetAt(test, edge) {
  const here = test.presets.filter((preset) => preset.edge === edge);
  return here.find((preset) => preset.kind === "prespecified") || here[0] || null;
}
