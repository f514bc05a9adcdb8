// How many false alarms are accepted to find one more case: what a found case weighs.

// Few are accepted where the action does harm: under 1 it is worse than what it prevents.
const ALARM_STOPS = [
  0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 2.5,
  ...Array.from({ length: 28 }, (_, i) => 3 + i),
  ...Array.from({ length: 14 }, (_, i) => 35 + 5 * i),
  150, 200, 300, 500, 999,
];

function alarmsEntry(say, act) {
  const entry = element("input", {
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    class: "entry",
    "data-part": "alarms-number",
    "aria-label": say("control_alarms_number", {}),
  });
  let shown = "";
  const read = () => {
    const alarms = readAlarms(String(readNumber(entry.value)));
    if (isAlarms(alarms)) act.alarms(alarms);
    else {
      act.refuse(say("control_not_alarms", { entry: inBrief(entry.value, 30), alarms: shown }));
      entry.value = shown;
    }
  };
  onEntry(entry, () => shown, read);
  const show = (view) => {
    shown = alarmsText(view.alarms);
    entry.value = shown;
  };
  return { entry, show };
}

function alarmsSlider(say, act) {
  const last = ALARM_STOPS.length - 1;
  const move = (stop) => act.alarms(ALARM_STOPS[Math.min(last, Math.max(0, stop))]);
  const slider = sliderOver(last, move, {
    "data-part": "alarms-slider",
    "aria-label": say("control_alarms", {}),
  });
  const root = element("div", { class: "rail" }, slider);
  const show = (view) => {
    const stop = nearestOf(ALARM_STOPS, view.alarms);
    slider.value = String(stop);
    slider.setAttribute("aria-valuetext", say("value_alarms", alarmsWords(view)));
    root.style.setProperty("--done", stop / last);
  };
  return { root, show };
}

function alarmsControl(payload, say, act) {
  const number = alarmsEntry(say, act);
  const slider = alarmsSlider(say, act);
  const same = element("p", { class: "note" });
  const root = element(
    "div",
    { class: "exchange" },
    element(
      "div",
      { class: "dial-head" },
      element("span", { class: "dial-name" }, element("strong", {}, say("control_alarms", {}))),
      number.entry,
    ),
    slider.root,
    same,
  );
  const update = (view) => {
    number.show(view);
    slider.show(view);
    const start = payload.alarms === null && view.alarms === UNKNOWN_ALARMS;
    const parts = [say("control_alarms_same", alarmsWords(view))];
    if (start) parts.push(say("control_alarms_start", {}));
    same.replaceChildren(parts.join(" "));
  };
  return { root, update };
}
