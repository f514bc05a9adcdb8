// The page: its parts in order, drawn anew from a view.

// Width of a figure on paper: 85 mm at 96 pixels an inch.
const PAPER = 321;

function figures(payload, say, act) {
  const parts = ["scores", "roc", "people", "results", "worth"];
  const cards = Object.fromEntries(parts.map((part) => [part, card(part)]));
  const content = {
    scores: (view, width) => scoresContent(payload, view, say, width, act),
    roc: (view, width) => rocContent(payload, view, say, width),
    people: (view, width) => peopleContent(view, say, width),
    results: (view, width) => resultsContent(view, say, width),
    worth: (view, width) => worthContent(view, say, width),
  };
  const root = element(
    "div",
    { class: "figures" },
    parts.map((part) => cards[part].root),
  );
  const update = (view, onPaper) => {
    root.classList.toggle("pair", view.tests.length > 1);
    parts.forEach((part) => {
      const width = onPaper ? PAPER : Math.max(240, Math.floor(cards[part].picture.clientWidth));
      cards[part].show(content[part](view, width));
    });
  };
  return { root, update };
}

function addressLine(say) {
  const root = element("p", { class: "address", "data-part": "address" });
  // Read by people: names as they are written.
  const update = (view) =>
    root.replaceChildren(say("page_view", { address: decodeURI(view.address) }));
  return { root, update };
}

/** All parts in the order in which they are read; `current` returns the view that is shown. */
function pageOf(payload, say, act, current) {
  const live = liveRegion(say);
  const parts = {
    controls: controls(payload, say, act, tools(say, current, live.speak, act.reset)),
    answer: answerPart(say),
    notice: noticePart(payload, say),
    figures: figures(payload, say, act),
    table: comparison(say),
    address: addressLine(say),
  };
  const problem = addressNotice(say);
  const entry = entryNotice();
  const root = element(
    "div",
    { class: "app" },
    parts.controls.root,
    problem.root,
    entry.root,
    element("div", { class: "said" }, parts.answer.root, parts.notice.root),
    parts.figures.root,
    parts.table.root,
    parts.address.root,
    live.root,
  );
  const update = (view, onPaper) =>
    Object.values(parts).forEach((part) => part.update(view, onPaper));
  return { root, update, live, problem, entry };
}
