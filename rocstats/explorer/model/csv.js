// The numbers of a view as CSV, unrounded.

/** A cell that a spreadsheet takes as it is: a formula becomes text, quotes are doubled. */
function csvCell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? "'" + value : value;
  return /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
}

function testRows(view, one) {
  const head = [one.label, one.threshold, one.kind];
  const row = (measure, { estimate, low, high }) => [
    ...head,
    measure,
    estimate,
    low,
    high,
    view.prevalence,
    view.alarms,
  ];
  const whole = (measure, number) => row(measure, { estimate: number, low: null, high: null });
  return [
    row("sensitivity", one.tpr),
    row("specificity", one.tnr),
    row("chance_after_positive", one.positive),
    row("chance_after_negative", one.negative),
    row("net_benefit", one.worth),
    whole("found", one.counts.found),
    whole("missed", one.counts.missed),
    whole("false_alarms", one.counts.alarms),
    whole("cleared", one.counts.cleared),
  ];
}

function differenceRows(view) {
  if (!view.difference) return [];
  const [first, second] = view.tests;
  const label = first.label + " minus " + second.label;
  const measures = {
    tpr: "sensitivity_difference",
    tnr: "specificity_difference",
    worth: "net_benefit_difference",
  };
  return Object.entries(measures).map(([key, measure]) => {
    const { estimate, low, high } = view.difference[key];
    const place = key === "worth" ? [view.prevalence, view.alarms] : [null, null];
    return [label, null, view.difference.kind, measure, estimate, low, high, ...place];
  });
}

function csvOf(view) {
  const head = ["test", "cutoff", "kind", "measure", "estimate", "low", "high", "prevalence"];
  head.push("false_alarms_for_one_found");
  const rows = [head, ...view.tests.flatMap((one) => testRows(view, one)), ...differenceRows(view)];
  return rows.map((row) => row.map(csvCell).join(",")).join("\r\n") + "\r\n";
}
