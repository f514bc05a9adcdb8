// Sentences of a view. Strong numbers are wrapped in two private characters, so that a sentence is
// one string until it is written on the page.

const STRONG = ["\uE000", "\uE001"];

function strong(text) {
  return STRONG[0] + text + STRONG[1];
}

function plain(text) {
  return text.replace(/[\uE000\uE001]/g, "");
}

function limitsSentence(one, say) {
  const values = { tpr: fraction(one.tpr.estimate), tnr: fraction(one.tnr.estimate) };
  if (!hasLimits(one.tpr) || !hasLimits(one.tnr)) return say("answer_rates", values);
  return say("answer_limits", {
    found_limits: percentLimits(one.tpr),
    cleared_limits: percentLimits(one.tnr),
    ...values,
  });
}

/** The area under the curve; "" of a test that has none. */
function areaSentence({ test }, say) {
  if (!test.auc) return "";
  const area = fraction(test.auc.estimate);
  return hasLimits(test.auc)
    ? say("answer_area_limits", { area, limits: fractionLimits(test.auc) })
    : say("answer_area", { area });
}

function namedAnswer(one, say) {
  const found = strong(percent(one.tpr.estimate));
  const cleared = strong(percent(one.tnr.estimate));
  const test = inBrief(one.label, 60);
  return one.test.yes_no
    ? say("answer_named_yes_no", { test, found, cleared })
    : say("answer_named", { test, cutoff: one.cutoff, found, cleared });
}

/** The answer: for one test two sentences, for two tests one of each; the limits of each. */
function answerOf(view, say) {
  const limits = view.tests.map((one) => limitsSentence(one, say));
  const areas = view.tests.map((one) => areaSentence(one, say));
  if (view.tests.length === 2) {
    return view.tests.map((one, i) => ({ lines: [namedAnswer(one, say)], limits: limits[i], area: areas[i] }));
  }
  const [one] = view.tests;
  return [
    {
      lines: [
        // On paper, which has no controls, nothing else says which of several tests it is.
        say(view.several ? "answer_found_by" : "answer_found", {
          test: inBrief(one.label, 60),
          found: strong(percent(one.tpr.estimate)),
        }),
        say("answer_cleared", { cleared: strong(percent(one.tnr.estimate)) }),
      ],
      limits: limits[0],
      area: areas[0],
    },
  ];
}

function chosenNotice(one, say) {
  const { tpr, tnr, name, threshold_low: low, threshold_high: high } = one.preset;
  const parts = [
    say("notice_chosen", {
      cutoff: one.cutoff,
      rule: inBrief(name, 60),
      n: count(one.test.n_pos + one.test.n_neg),
      raw_found: percent(tpr.apparent),
      raw_cleared: percent(tnr.apparent),
    }),
  ];
  if (one.preset.partly) parts.push(say("notice_chosen_partly", {}));
  if (hasInterval(one.preset)) {
    parts.push(
      say("notice_chosen_again", {
        cutoff_low: limitText(one.test, one.preset, "low"),
        cutoff_high: limitText(one.test, one.preset, "high"),
      }),
    );
  } else if (low !== null || high !== null) {
    parts.push(say("notice_chosen_open", {}));
  }
  return [...parts, say("notice_chosen_confirm", {})].join(" ");
}

function movedNotice(one, say) {
  const parts = one.test.moved
    ? [say("notice_moved", {}), one.test.moved_reason]
    : [say("notice_moved_unlimited", { reason: one.test.moved_reason })];
  if (one.isBest) parts.unshift(say("notice_most_worth", {}));
  return parts.filter(Boolean).join(" ");
}

/** The words of the exchange: "20" false alarms, "5" percent from which on to act. */
function alarmsWords(view) {
  return { alarms: alarmsText(view.alarms), chance: perHundred(1 / (1 + view.alarms)) };
}

/** What kind of cutoff it is, and what that means for its limits. */
function noticeOf(one, say) {
  const kind = one.test.yes_no && one.kind === "prespecified" ? "yes_no" : one.kind;
  const texts = {
    yes_no: () => [say("notice_yes_no_title", {}), say("notice_yes_no", {})],
    prespecified: () => [say("notice_prespecified_title", {}), say("notice_prespecified", {})],
    chosen: () => [say("notice_chosen_title", {}), chosenNotice(one, say)],
    moved: () => [say("notice_moved_title", {}), movedNotice(one, say)],
  };
  const [title, text] = texts[kind]();
  return { kind: one.kind, title, text };
}

/** The value of a slider as it is read aloud. */
function sliderText(one, say) {
  return say("value_slider", {
    cutoff: one.cutoff,
    found: percent(one.tpr.estimate),
    cleared: percent(one.tnr.estimate),
  });
}

/**
 * What is said of a typed cutoff that is no cutoff of the page: in an exact page all scores are
 * cutoffs, so that the answer is that of the typed one.
 */
function typedNotice(test, edge, value, { entry, exact }, say) {
  const texts = [test.edges[edge], Number(test.texts[edge].replace(MINUS, "-"))];
  if (texts.includes(value)) return "";
  return say(exact ? "control_same_calls" : "control_no_counts", {
    entry,
    test: inBrief(test.label, 60),
    cutoff: edgeText(test, edge),
  });
}

/** A cell of people: the number, or "fewer than 1" where the share rounds to none. */
function peopleText(people, cell, say) {
  return people.fewer.includes(cell) ? say("people_fewer", {}) : count(people[cell]);
}
