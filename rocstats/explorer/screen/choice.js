// Which test is shown, or which two side by side.

// Up to three names fit side by side; more are a list.
const SEGMENTS = 3;

function segmented(options, say, choose) {
  const inputs = options.map(({ value, text }) => {
    const input = element("input", {
      type: "radio",
      name: "explorer-test",
      value,
      class: "unseen",
    });
    input.addEventListener("change", () => choose(value));
    return { value, input, text };
  });
  const root = element(
    "fieldset",
    { class: "segments", "data-part": "tests" },
    element("legend", { class: "unseen" }, say("control_test", {})),
    inputs.map(({ input, text }) => element("label", {}, input, element("span", {}, text))),
  );
  const show = (value) =>
    inputs.forEach(({ input, value: own }) => {
      input.checked = own === value;
    });
  return { root, show };
}

function listed(part, name, options, choose) {
  const select = element(
    "select",
    { "data-part": part },
    options.map(({ value, text }) => element("option", { value }, text)),
  );
  select.addEventListener("change", () => choose(select.value));
  const root = element("label", { class: "listed" }, element("span", {}, name), select);
  return {
    root,
    select,
    show: (value) => {
      select.value = value;
    },
  };
}

/** Two tests: each of them, or both. Values are places in the study: ids may hold anything. */
function choiceOfTwo(payload, say, act) {
  const ids = payload.tests.map((test) => test.id);
  const options = payload.tests.map((test, i) => ({ value: String(i), text: test.label }));
  const both = partnersOf(payload, ids[0]).length
    ? [{ value: "both", text: say("control_both", {}) }]
    : [];
  const control = segmented([...options, ...both], say, (value) =>
    act.choose(value === "both" ? ids : [ids[Number(value)]]),
  );
  const update = (view) =>
    control.show(view.tests.length === 2 ? "both" : String(ids.indexOf(view.tests[0].id)));
  return { root: control.root, update };
}

/** Three or more: one test, and a list of those that can be shown beside it. */
function choiceOfMany(payload, say, act) {
  const ids = payload.tests.map((test) => test.id);
  const options = payload.tests.map((test, i) => ({
    value: String(i),
    text: inBrief(test.label, 60),
  }));
  let first = 0;
  const one = (value) => act.choose([ids[Number(value)]]);
  const control =
    ids.length <= SEGMENTS
      ? segmented(options, say, one)
      : listed("tests", say("control_test", {}), options, one);
  const beside = listed("beside", say("control_beside", {}), [], (value) =>
    act.choose(value === "" ? [ids[first]] : [ids[first], ids[Number(value)]]),
  );
  const update = (view) => {
    const shown = view.tests.map(({ id }) => ids.indexOf(id));
    // The list is of the partners of the test chosen first, whichever is first in the study.
    if (!shown.includes(first) || shown.length === 1) [first] = shown;
    control.show(String(first));
    const partners = partnersOf(payload, ids[first]).map((id) => ids.indexOf(id));
    beside.root.hidden = partners.length === 0;
    beside.select.replaceChildren(
      element("option", { value: "" }, say("control_alone", {})),
      ...partners.map((i) => element("option", { value: i }, options[i].text)),
    );
    const other = shown.find((i) => i !== first);
    beside.show(other === undefined ? "" : String(other));
  };
  return { root: element("div", { class: "choices" }, control.root, beside.root), update };
}

function choice(payload, say, act) {
  if (payload.tests.length === 1)
    return { root: element("div", { hidden: true }), update: () => undefined };
  return payload.tests.length === 2
    ? choiceOfTwo(payload, say, act)
    : choiceOfMany(payload, say, act);
}
