// How common the condition is where the test is used, per 100 tested.

// Steps of the slider per 100: tenths below 1, halves below 10, then whole numbers.
const STOPS = [
  ...Array.from({ length: 9 }, (_, i) => (i + 1) / 10),
  ...Array.from({ length: 18 }, (_, i) => 1 + i / 2),
  ...Array.from({ length: 90 }, (_, i) => 10 + i),
];

/** Place of the stop nearest to a value. */
function nearestOf(stops, value) {
  return stops.reduce(
    (best, stop, i) => (Math.abs(stop - value) < Math.abs(stops[best] - value) ? i : best),
    0,
  );
}

function prevalenceEntry(payload, say, act) {
  const entry = element("input", {
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    class: "entry",
    "data-part": "prevalence-number",
    "aria-label": say("control_prevalence_number", {}),
  });
  let shown = "";
  const read = () => {
    const share = readPrevalence(payload, String(readNumber(entry.value)));
    if (isPrevalence(share)) act.prevalence(share);
    else {
      act.refuse(
        say("control_not_a_prevalence", { entry: inBrief(entry.value, 30), prevalence: shown }),
      );
      entry.value = shown;
    }
  };
  onEntry(entry, () => shown, read);
  const show = (view) => {
    shown = perHundred(view.prevalence);
    entry.value = shown;
  };
  return { entry, show };
}

function prevalenceSlider(say, act) {
  const last = STOPS.length - 1;
  const move = (stop) => act.prevalence(STOPS[Math.min(last, Math.max(0, stop))] / 100);
  const slider = sliderOver(last, move, {
    "data-part": "prevalence-slider",
    "aria-label": say("control_prevalence", {}),
  });
  const root = element("div", { class: "rail" }, slider);
  const show = (view) => {
    const stop = nearestOf(STOPS, 100 * view.prevalence);
    slider.value = String(stop);
    slider.setAttribute(
      "aria-valuetext",
      say("value_prevalence", { prevalence: perHundred(view.prevalence) }),
    );
    root.style.setProperty("--done", stop / last);
  };
  return { root, show };
}

/** The button of the study's own prevalence; "" where the study has none. */
function studyPrevalenceButton(study, say, act) {
  if (study === null) return "";
  const button = element(
    "button",
    { type: "button", class: "chip", "data-part": "prevalence-study" },
    say("control_prevalence_study", { prevalence: perHundred(study) }),
  );
  button.addEventListener("click", () => act.prevalence(study));
  return button;
}

function prevalenceControl(payload, say, act) {
  const number = prevalenceEntry(payload, say, act);
  const slider = prevalenceSlider(say, act);
  const study = payload.study_prevalence;
  const button = studyPrevalenceButton(study, say, act);
  const root = element(
    "div",
    { class: "prevalence" },
    element(
      "div",
      { class: "dial-head" },
      element("span", { class: "dial-name" }, element("strong", {}, say("control_prevalence", {}))),
      number.entry,
    ),
    slider.root,
    element("div", { class: "presets" }, button),
  );
  const update = (view) => {
    number.show(view);
    slider.show(view);
    if (button) button.setAttribute("aria-pressed", String(view.prevalence === study));
  };
  return { root, update };
}
