// One state, one render. The parts of the page carry names for tests and for scripts:
//
//   data-part="controls"  "tests" (segments or list) "beside" (list)  "more"
//   "cutoff-slider" "cutoff-number" "cutoff-down" "cutoff-up" "preset-KEY" "most-worth"  with data-test="ID"
//   "prevalence-slider" "prevalence-number" "prevalence-study"  "alarms-slider" "alarms-number"
//   "reset" "copy" "print" "csv"
//   "answer"  "notice" (its children: data-kind="prespecified|chosen|moved|prevalence")
//   "address-notice"  "entry-notice"  "figure-scores" "figure-roc" "figure-people" "figure-results" "figure-worth"
//   "table" (rows: data-row="tpr|tnr|ppv|npv|worth")  "live"  "address"
//
// `window.rocstats` shows, read-only, the `payload`, the `state` and the numbers of the `view`.

// The address is written when the slider rests: some browsers limit how often it may change.
const ADDRESS_REST = 150;

function frozen(value) {
  if (value && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

/** Write the state into the address; a page in a frame without an address goes on without. */
function writeAddress(address) {
  try {
    history.replaceState(history.state, "", address);
  } catch (error) {
    if (error.name !== "SecurityError") throw error;
  }
}

/** Call `redraw` when the width changes, and before and after the page is printed. */
function onNewWidth(container, redraw) {
  let width = container.clientWidth;
  let onPaper = false;
  const print = (paper) => () => {
    onPaper = paper;
    redraw(onPaper);
  };
  window.addEventListener("beforeprint", print(true));
  window.addEventListener("afterprint", print(false));
  new ResizeObserver(() => {
    if (onPaper || container.clientWidth === width) return;
    width = container.clientWidth;
    redraw(false);
  }).observe(container);
}

/** The page and what it shows now; `render` shows another state. */
function explorerOf(payload) {
  const now = { payload, state: null, view: null };
  let timer = 0;
  const act = {
    choose: (ids) => go(withTests(payload, now.state, ids)),
    move: (id, edge, notice = "") => go(withEdge(payload, now.state, id, edge), notice),
    prevalence: (share) => go(withPrevalence(now.state, share)),
    reset: () => go(initialState(payload)),
    alarms: (alarms) => go(withAlarms(now.state, alarms)),
    refuse: (notice) => {
      page.entry.update(notice);
      page.live.speak(notice);
    },
  };
  const page = pageOf(payload, speaker(payload), act, () => now.view);

  function render(next) {
    now.state = frozen(next);
    now.view = frozen(viewOf(payload, now.state));
    page.update(now.view, false);
  }

  function go(next, notice = "") {
    render(next);
    page.problem.update([]);
    page.entry.update(notice);
    page.live.update(now.view, notice);
    clearTimeout(timer);
    timer = setTimeout(() => writeAddress(now.view.address), ADDRESS_REST);
  }
  return { now, page, render };
}

function followAddress({ now, page, render }) {
  const asked = readAddress(now.payload, location.hash);
  render(asked.state);
  page.problem.update(asked.bad);
  page.entry.update("");
}

/** What scripts and tests may read: the payload, the state and the view of the moment. */
function readOnly(now) {
  return Object.freeze({
    get payload() {
      return now.payload;
    },
    get state() {
      return now.state;
    },
    get view() {
      return now.view;
    },
  });
}

function start(container) {
  const data = document.getElementById("explorer-data").textContent;
  const explorer = explorerOf(frozen(JSON.parse(data)));
  const { now, page } = explorer;
  container.append(page.root);
  followAddress(explorer);
  // Only now: should a script fail before, the static view is still there.
  container.querySelector("[data-part=static]").hidden = true;
  window.addEventListener("hashchange", () => {
    // A link to a heading of the report leaves the view as it is.
    const isOurs = addressParts(location.hash).size > 0;
    if (location.hash !== now.view.address && isOurs) followAddress(explorer);
  });
  onNewWidth(container, (onPaper) => page.update(now.view, onPaper));
  window.rocstats = readOnly(now);
}

start(document.getElementById("explorer"));
