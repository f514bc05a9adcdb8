// All controls: they stay on the page while the figures are redrawn, so that focus is kept.

/** On a phone what is not needed at each step folds away under one button. */
function moreButton(deck, say) {
  const summary = element("span", {});
  const button = element(
    "button",
    {
      type: "button",
      class: "more",
      "data-part": "more",
      "aria-expanded": "false",
    },
    say("control_more", {}),
  );
  button.addEventListener("click", () => {
    const open = deck.classList.toggle("open");
    button.setAttribute("aria-expanded", String(open));
    button.replaceChildren(say(open ? "control_less" : "control_more", {}));
  });
  const root = element("div", { class: "more-row" }, summary, button);
  const update = (view) =>
    summary.replaceChildren(
      say("control_summary", {
        prevalence: perHundred(view.prevalence),
        alarms: alarmsText(view.alarms),
      }),
    );
  return { root, update };
}

function controls(payload, say, act, buttons) {
  const tests = choice(payload, say, act);
  const prevalence = prevalenceControl(payload, say, act);
  const exchange = alarmsControl(payload, say, act);
  const dials = element("div", { class: "dials" });
  const deck = element("div", { class: "deck" }, dials, prevalence.root, exchange.root);
  const more = moreButton(deck, say);
  deck.append(more.root);
  let shown = [];

  // Dials are made anew only when other tests are shown.
  function showDials(view) {
    if (shown.map(({ id }) => id).join("\n") !== view.tests.map(({ id }) => id).join("\n")) {
      shown = view.tests.map((one) => ({ id: one.id, ...dial(one.test, payload, say, act) }));
      dials.replaceChildren(...shown.map(({ root }) => root));
      deck.classList.toggle("pair", shown.length > 1);
    }
    shown.forEach((one, i) => one.update(view.tests[i]));
  }

  const root = element("div", { class: "controls", "data-part": "controls" }, element("div", { class: "bar" }, tests.root, buttons), deck);
  const update = (view) => {
    tests.update(view);
    showDials(view);
    [prevalence, exchange, more].forEach((part) => part.update(view));
  };
  return { root, update };
}
