// The state in the address: #p=texture,area&t=19.32,699&prev=10&fa=20.

/** The text of a threshold in an address, which leads back to its edge. */
function thresholdAddress(test, edge) {
  const text = test.texts[edge].replace(MINUS, "-");
  return edgeOfTyped(test, Number(text)) === edge ? text : String(test.edges[edge]);
}

/** A prevalence per 100, with four digits. */
function prevalenceAddress(share) {
  return Number((100 * share).toPrecision(4)).toString();
}

/** The share of a text per 100: one of the study if it is written so, else its four digits. */
function readPrevalence(payload, text) {
  const wanted = prevalenceAddress(Number(text || NaN) / 100);
  const known = [payload.study_prevalence, payload.prevalence].find(
    (share) => share !== null && prevalenceAddress(share) === wanted,
  );
  return known === undefined ? Number(wanted) / 100 : known;
}

/** False alarms of a text, with the three digits that are shown. */
function readAlarms(text) {
  const alarms = Number(text || NaN);
  return Number(alarmsText(alarms));
}

function addressOf(payload, state) {
  const cutoffs = state.tests.map((id) => thresholdAddress(testById(payload, id), state.edges[id]));
  return (
    "#p=" +
    state.tests.map(encodeURIComponent).join(",") +
    "&t=" +
    cutoffs.join(",") +
    "&prev=" +
    prevalenceAddress(state.prevalence) +
    "&fa=" +
    alarmsText(state.alarms)
  );
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    return text;
  }
}

/** The parts of an address by their names; what has no "=" is another part of the page. */
function addressParts(hash) {
  return new Map(
    hash
      .replace(/^#/, "")
      .split("&")
      .filter((part) => part.includes("="))
      .map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]),
  );
}

function areTests(payload, ids) {
  const known = ids.every((id) => testById(payload, id));
  const pair =
    ids.length === 2 && ids[0] !== ids[1] && partnersOf(payload, ids[0]).includes(ids[1]);
  return known && (ids.length === 1 || pair);
}

// A threshold beyond all scores is no view of this study, even if an edge is the nearest to it.
function isThreshold(test, text) {
  const value = text.trim() === "" ? NaN : Number(text);
  return (
    value >= Math.min(test.axis[0], test.edges[0]) &&
    value <= Math.max(test.axis[1], test.edges[test.edges.length - 1])
  );
}

/** Return the state of an address, and the parts that this report cannot show. */
function readAddress(payload, hash) {
  const parts = addressParts(hash);
  const bad = [];
  let state = initialState(payload);
  const ids = parts.has("p") ? parts.get("p").split(",").map(decoded) : state.tests;
  if (areTests(payload, ids)) state = withTests(payload, state, ids);
  else bad.push("p=" + decoded(parts.get("p")));
  const cutoffs = parts.has("t") ? parts.get("t").split(",") : [];
  const owners = bad.length ? [] : ids;
  if (cutoffs.length > ids.length) bad.push("t=" + decoded(parts.get("t")));
  else
    owners.slice(0, cutoffs.length).forEach((id, i) => {
      const test = testById(payload, id);
      const edge = isThreshold(test, cutoffs[i]) ? edgeOfTyped(test, Number(cutoffs[i])) : -1;
      if (edge < 0) bad.push("t=" + decoded(cutoffs[i]));
      else state = withEdge(payload, state, id, edge);
    });
  if (parts.has("prev")) {
    const share = readPrevalence(payload, parts.get("prev"));
    if (isPrevalence(share)) state = withPrevalence(state, share);
    else bad.push("prev=" + decoded(parts.get("prev")));
  }
  if (parts.has("fa")) {
    const alarms = readAlarms(parts.get("fa"));
    if (isAlarms(alarms)) state = withAlarms(state, alarms);
    else bad.push("fa=" + decoded(parts.get("fa")));
  }
  return { state, bad };
}
