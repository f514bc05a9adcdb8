// The control of one test's cutoff: number or word, slider over the edges, presets.

// An entry counts when Enter is pressed or it is left; one left empty shows again what holds.
function onEntry(entry, shown, read) {
  const isNew = () => entry.value !== shown();
  entry.addEventListener("change", () => {
    if (isNew() && entry.value.trim() !== "") read();
  });
  entry.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && isNew()) read();
  });
  entry.addEventListener("focus", () => entry.select());
  entry.addEventListener("blur", () => {
    entry.value = shown();
  });
}

/** A list of the words of ratings to choose from. */
function cutoffList(test, attributes, move) {
  const entry = element(
    "select",
    attributes,
    test.edges.map((_, i) => element("option", { value: i }, edgeText(test, i))),
  );
  entry.addEventListener("change", () => move(Number(entry.value)));
  const show = (one) => {
    entry.value = String(one.edge);
  };
  return { entry, show };
}

/** A field to type a cutoff in; what is no number, or beyond all cutoffs, is refused. */
function cutoffField(test, attributes, move, refuse) {
  const typed = { type: "text", inputmode: "decimal", autocomplete: "off" };
  const entry = element("input", { ...attributes, ...typed });
  let shown = "";
  const read = () => {
    const value = readNumber(entry.value);
    const edge = edgeOfTyped(test, value);
    if (edge < 0) {
      refuse(Number.isNaN(value) ? "control_not_a_cutoff" : "control_beyond", entry.value, shown);
      entry.value = shown;
    } else move(edge, { value, entry: inBrief(entry.value, 30) });
  };
  onEntry(entry, () => shown, read);
  const show = (one) => {
    shown = one.cutoff;
    entry.value = shown;
  };
  return { entry, show };
}

/** The entry: words of ratings are chosen from a list, other cutoffs are typed. */
function cutoffEntry(test, say, { move, enter }, refuse) {
  const attributes = {
    "data-part": "cutoff-number",
    "data-test": test.id,
    class: "entry",
    "aria-label": say("control_number", { test: test.label }),
  };
  return test.names
    ? cutoffList(test, attributes, move)
    : cutoffField(test, attributes, enter, refuse);
}

/** Share of the rail that lies before an edge. */
function railShare(test, edge) {
  return test.edges.length > 1 ? edge / (test.edges.length - 1) : 0;
}

/** On the rail: the interval of a chosen cutoff in ochre, a bar for one set beforehand. */
function railMarks(test) {
  return test.presets.flatMap((preset) => {
    if (preset.kind === "prespecified") {
      return [
        element("span", { class: "rail-bar", style: "--at:" + railShare(test, preset.edge) }),
      ];
    }
    if (!hasInterval(preset)) return [];
    const [low, high] = [preset.threshold_low, preset.threshold_high].map((value) =>
      railShare(test, nearestEdge(test, value)),
    );
    return [element("span", { class: "rail-interval", style: "--from:" + low + ";--to:" + high })];
  });
}

/** The name of a rule if it has one, "Youden index", else what it looks for. */
function shortRule(name) {
  const [, known] = /\(([^)]+)\)$/.exec(name) || ["", name];
  return inBrief(known, 60);
}

function presetText(test, preset, say) {
  const cutoff = edgeText(test, preset.edge);
  return preset.kind === "chosen"
    ? capital(say("control_preset_chosen", { rule: shortRule(preset.name), cutoff }))
    : say("control_preset_prespecified", { cutoff });
}

function presetButton(test, preset, say, move) {
  const button = element(
    "button",
    {
      type: "button",
      class: "chip",
      "data-part": "preset-" + preset.key,
      "data-test": test.id,
      "aria-pressed": "false",
    },
    inlineMark(cutoffMark(preset.kind, 0, 0, TEXT, 3.8)),
    presetText(test, preset, say),
  );
  button.addEventListener("click", () => move(preset.edge));
  return button;
}

/** The button of the cutoff of most worth, which moves with prevalence and false alarms. */
function mostWorthButton(test, say, move) {
  const button = element("button", {
    type: "button",
    class: "chip",
    "data-part": "most-worth",
    "data-test": test.id,
    "aria-pressed": "false",
  });
  let best = 0;
  button.addEventListener("click", () => move(best));
  const show = (one) => {
    best = one.best;
    const cutoff = edgeText(test, best);
    button.replaceChildren(
      inlineMark(cutoffMark("moved", 0, 0, TEXT, 3.8)),
      say("control_most_worth", { cutoff }),
    );
    button.setAttribute("aria-pressed", String(one.isBest));
  };
  return { button, show };
}

function presetButtons(test, say, move) {
  const buttons = test.presets.map((preset) => presetButton(test, preset, say, move));
  const best = mostWorthButton(test, say, move);
  const root = element(
    "div",
    {
      class: "presets",
      role: "group",
      "aria-label": say("control_presets", { test: test.label }),
    },
    buttons,
    best.button,
  );
  const show = (one) => {
    buttons.forEach((button, i) =>
      button.setAttribute("aria-pressed", String(test.presets[i].edge === one.edge)),
    );
    best.show(one);
  };
  return { root, show };
}

/** A slider over places 0 to `last`; `move` is called with the place, which may lie outside. */
function sliderOver(last, move, attributes) {
  const slider = element("input", { type: "range", min: 0, max: last, step: 1, ...attributes });
  slider.addEventListener("input", () => move(Number(slider.value)));
  // Browsers differ in what Page Up does on a range: here it is ten places in all of them.
  slider.addEventListener("keydown", (event) => {
    const steps = { PageUp: 10, PageDown: -10 }[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    move(Number(slider.value) + steps);
  });
  return slider;
}

function cutoffSlider(test, say, move) {
  const slider = sliderOver(test.edges.length - 1, move, {
    "data-part": "cutoff-slider",
    "data-test": test.id,
    "aria-label": say("control_slider", { test: test.label }),
  });
  const root = element("div", { class: "rail" }, railMarks(test), slider);
  const show = (one) => {
    slider.value = String(one.edge);
    slider.setAttribute("aria-valuetext", sliderText(one, say));
    root.style.setProperty("--done", railShare(test, one.edge));
  };
  return { root, show };
}

function stepButton(part, sign, key, test, say, step) {
  const button = element(
    "button",
    {
      type: "button",
      class: "step",
      "data-part": part,
      "data-test": test.id,
      "aria-label": say(key, { test: test.label }),
    },
    sign,
  );
  button.addEventListener("click", step);
  return button;
}

/** A test that has no other cutoff is named without a control. */
function fixedDial(test, say) {
  const text = test.yes_no
    ? say("control_yes_no", {})
    : say("control_one_cutoff", { cutoff: edgeText(test, 0) });
  const root = element(
    "div",
    { class: "dial fixed", "data-test": test.id },
    element("p", {}, element("strong", {}, test.label), " ", text),
  );
  return { root, update: () => undefined };
}

/** The name of a test, its direction, and its entry between a step down and a step up. */
function dialHead(test, say, entry, step) {
  const direction = say(test.direction === ">=" ? "control_above" : "control_below", {});
  return element(
    "div",
    { class: "dial-head" },
    element("span", { class: "dial-name" }, element("strong", {}, test.label), " " + direction),
    stepButton("cutoff-down", MINUS, "control_down", test, say, () => step(-1)),
    entry,
    stepButton("cutoff-up", "+", "control_up", test, say, () => step(1)),
  );
}

/** How many of all cutoffs are on the page, and why not all. */
function cutoffsText(test, { exact, frequencies }, say) {
  const [shown, all] = test.cutoffs.map(count);
  if (frequencies) return say("control_cutoffs_frequencies", { all });
  if (exact) return say("control_cutoffs_exact", { all });
  return shown === all
    ? say("control_cutoffs_all", { all })
    : say("control_cutoffs_counts", { shown, all });
}

function dial(test, payload, say, act) {
  if (test.yes_no || test.edges.length === 1) return fixedDial(test, say);
  let edge = 0;
  const move = (to) => act.move(test.id, to);
  const enter = (to, { value, entry }) =>
    act.move(test.id, to, typedNotice(test, to, value, { entry, exact: payload.exact }, say));
  const refuse = (key, typed, cutoff) => {
    const entry = inBrief(typed, 30);
    act.refuse(say(key, { entry, test: inBrief(test.label, 60), cutoff }));
  };
  const number = cutoffEntry(test, say, { move, enter }, refuse);
  const slider = cutoffSlider(test, say, move);
  const presets = presetButtons(test, say, move);
  const root = element(
    "div",
    { class: "dial", "data-test": test.id },
    dialHead(test, say, number.entry, (by) => move(edge + by)),
    slider.root,
    presets.root,
    element("p", { class: "note cutoffs" }, cutoffsText(test, payload, say)),
  );
  const update = (one) => {
    edge = one.edge;
    [number, slider, presets].forEach((part) => part.show(one));
  };
  return { root, update };
}
