// The answer in one sentence for each group, and what kind of cutoff gave it.

// A screen reader hears the answer when the slider rests, not at each of its steps.
const REST = 500;

function answerPart(say) {
  const root = element("div", { class: "answer", "data-part": "answer" });
  const update = (view) =>
    root.replaceChildren(
      ...answerOf(view, say).map(({ lines, limits, area }) =>
        element(
          "div",
          {},
          element(
            "p",
            { class: "lines" },
            lines.map((text) => element("span", {}, richNodes(text))),
          ),
          element("p", { class: "note" }, limits),
          area ? element("p", { class: "note" }, element("strong", {}, area)) : "",
        ),
      ),
    );
  return { root, update };
}

function noticeMark(kind) {
  return inlineMark(cutoffMark(kind, 0, 0, TEXT, 4.2));
}

function noticePart(payload, say) {
  const root = element("div", { class: "notices", "data-part": "notice" });
  const notice = (one, several) => {
    const { kind, title, text } = noticeOf(one, say);
    return element(
      "p",
      { class: "notice " + kind, "data-kind": kind, "data-test": one.id },
      noticeMark(kind),
      several ? inBrief(one.label, 60) + ": " : "",
      element("strong", {}, title),
      " " + text,
    );
  };
  const prevalence = (view) =>
    payload.study_prevalence === null && payload.prevalence === null
      ? [
          element(
            "p",
            { class: "notice plain", "data-kind": "prevalence" },
            say("notice_prevalence", { prevalence: perHundred(UNKNOWN_PREVALENCE) }),
          ),
        ]
      : [];
  const update = (view) =>
    root.replaceChildren(
      ...view.tests.map((one) => notice(one, view.tests.length > 1)),
      ...prevalence(view),
    );
  return { root, update };
}

/** What of the address could not be shown. */
function addressNotice(say) {
  const root = element("p", {
    class: "notice plain",
    role: "status",
    "data-part": "address-notice",
    hidden: true,
  });
  const update = (bad) => {
    root.hidden = bad.length === 0;
    root.replaceChildren(
      bad.length
        ? say("notice_address", {
            asked: bad.map((part) => inBrief(part, 60)).join(", "),
          })
        : "",
    );
  };
  return { root, update };
}

/** What is said of an entry that was not taken as it was typed; a screen reader hears it too. */
function entryNotice() {
  const root = element("p", {
    class: "notice plain",
    "data-part": "entry-notice",
    hidden: true,
  });
  const update = (text) => {
    root.hidden = text === "";
    root.replaceChildren(text);
  };
  return { root, update };
}

function liveRegion(say) {
  const root = unseen("div", { "aria-live": "polite", "aria-atomic": "true", "data-part": "live" });
  let timer = 0;
  const speak = (text) => {
    clearTimeout(timer);
    timer = setTimeout(() => root.replaceChildren(text), REST);
  };
  const update = (view, notice) => {
    const answer = answerOf(view, say).flatMap(({ lines, limits }) => [
      ...lines.map(plain),
      limits,
    ]);
    speak([notice, ...answer].filter(Boolean).join(" "));
  };
  return { root, update, speak };
}
