// One state, one render. The parts of the page carry names for tests and for scripts:
//
//   data-part="controls"  "tests" (segments or list) "beside" (list)  "more"
//   "cutoff-slider" "cutoff-number" "cutoff-down" "cutoff-up" "preset-KEY"     with data-test="ID"
//   "prevalence-slider" "prevalence-number" "prevalence-study"
//   "copy" "print" "csv"
//   "answer"  "notice" (its children: data-kind="prespecified|chosen|moved|prevalence")
//   "address-notice"  "figure-scores" "figure-roc" "figure-people" "figure-results"
//   "table" (rows: data-row="tpr|tnr|ppv|npv")  "live"  "address"
//
// `window.rocstats` shows, read-only, the `payload`, the `state` and the numbers of the `view`.

// Width of a figure on paper: 85 mm at 96 pixels an inch.
const PAPER = 321;

// The address is written when the slider rests: some browsers limit how often it may change.
const ADDRESS_REST = 150;

function frozen(value) {
  if (value && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

function figures(payload, say, act) {
  const cards = Object.fromEntries(["scores", "roc", "people", "results"].map((part) => [part, card(part)]));
  const content = {
    scores: (view, width) => scoresContent(view, say, width, act),
    roc: (view, width) => rocContent(payload, view, say, width),
    people: (view, width) => peopleContent(view, say, width),
    results: (view, width) => resultsContent(view, say, width),
  };
  const column = (...names) => element("div", { class: "column" }, names.map((part) => cards[part].root));
  const root = element("div", { class: "figures" }, column("scores", "people"), column("roc", "results"));
  const update = (view, onPaper) => Object.entries(cards).forEach(([part, one]) => {
    const width = onPaper ? PAPER : Math.max(240, Math.floor(one.picture.clientWidth));
    one.show(content[part](view, width));
  });
  return { root, update };
}

function addressLine(say) {
  const root = element("p", { class: "address", "data-part": "address" });
  return { root, update: (view) => root.replaceChildren(say("page_view", { address: view.address })) };
}

/** Write the state into the address; a page in a frame without an address goes on without. */
function writeAddress(address) {
  try {
    history.replaceState(history.state, "", address);
  } catch (error) {
    if (error.name !== "SecurityError") throw error;
  }
}

function start(container) {
  const payload = frozen(JSON.parse(document.getElementById("explorer-data").textContent));
  const say = speaker(payload);
  let state = null;
  let view = null;
  let onPaper = false;
  let timer = 0;

  const live = liveRegion(say);
  const act = {
    choose: (ids) => go(withTests(payload, state, ids)),
    move: (id, edge) => go(withEdge(payload, state, id, edge)),
    prevalence: (share) => go(withPrevalence(state, share)),
    speak: live.speak,
  };
  const addressProblem = addressNotice(say);
  const parts = {
    controls: controls(payload, say, act),
    answer: answerPart(say),
    notice: noticePart(payload, say),
    figures: figures(payload, say, act),
    table: comparison(say),
    address: addressLine(say),
  };

  function render() {
    view = frozen(viewOf(payload, state));
    Object.values(parts).forEach((part) => part.update(view, onPaper));
  }

  function go(next) {
    state = frozen(next);
    render();
    addressProblem.update([]);
    live.update(view);
    clearTimeout(timer);
    timer = setTimeout(() => writeAddress(view.address), ADDRESS_REST);
  }

  function goToAddress() {
    const { state: next, bad } = readAddress(payload, location.hash);
    state = frozen(next);
    render();
    addressProblem.update(bad);
  }

  function print(paper) {
    onPaper = paper;
    render();
  }

  const app = element("div", { class: "app" },
    tools(say, () => view, live.speak), parts.controls.root, addressProblem.root,
    element("div", { class: "said" }, parts.answer.root, parts.notice.root),
    parts.figures.root, parts.table.root, parts.address.root, live.root);
  container.append(app);
  goToAddress();
  container.querySelector("[data-part=static]").hidden = true;

  window.addEventListener("hashchange", () => {
    // A link to a heading of the report leaves the view as it is.
    if (location.hash !== view.address && addressParts(location.hash).size) goToAddress();
  });
  window.addEventListener("beforeprint", () => print(true));
  window.addEventListener("afterprint", () => print(false));
  let width = container.clientWidth;
  new ResizeObserver(() => {
    if (onPaper || container.clientWidth === width) return;
    width = container.clientWidth;
    render();
  }).observe(container);
  window.rocstats = Object.freeze({
    get payload() { return payload; },
    get state() { return state; },
    get view() { return view; },
  });
}

start(document.getElementById("explorer"));
