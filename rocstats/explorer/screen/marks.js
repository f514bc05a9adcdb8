// Marks and lines that all figures share.

const INK = "#17204f";
const ERROR = "#a8321a";
const WITHOUT = "#7f8b99";
const OCHRE = "#b98b00";
const TEXT = "#1c2330";
const SECOND = "#566170";
const RULE = "#5d6776";

// Series in the order of the study: colour and dashes both tell them apart.
const SERIES = [
  { colour: "#17204f", dash: null },
  { colour: "#8f2a12", dash: "8 3" },
  { colour: "#2477b3", dash: "9 3 2 3" },
  { colour: "#b98b00", dash: "2.5 2.5" },
];

function seriesOf(index) {
  return SERIES[index % SERIES.length];
}

function line(x1, y1, x2, y2, attributes) {
  return drawn("line", { x1, y1, x2, y2, stroke: RULE, ...attributes });
}

function rect(x, y, width, height, attributes) {
  return drawn("rect", {
    x,
    y,
    width: Math.max(0, width),
    height: Math.max(0, height),
    ...attributes,
  });
}

/** Text with a white edge, so that it can be read over bars and lines. */
function label(x, y, text, attributes) {
  return drawn(
    "text",
    {
      x,
      y,
      fill: TEXT,
      "font-size": 12,
      stroke: "#fff",
      "stroke-width": 3,
      "paint-order": "stroke",
      "stroke-linejoin": "round",
      ...attributes,
    },
    ...(Array.isArray(text) ? text : [text]),
  );
}

function bold(text) {
  return drawn("tspan", { "font-weight": 700 }, text);
}

/** Mark of a cutoff: a circle set before the study, a diamond chosen, a hollow one moved. */
function cutoffMark(kind, x, y, colour, size = 5) {
  const fill = kind === "moved" ? "#fff" : colour;
  const common = { fill, stroke: colour, "stroke-width": 1.8, "data-kind": kind };
  if (kind === "prespecified") return drawn("circle", { cx: x, cy: y, r: size, ...common });
  const reach = size * 1.25;
  const corners = [
    [x, y - reach],
    [x + reach, y],
    [x, y + reach],
    [x - reach, y],
  ];
  return drawn("polygon", { points: corners.join(" "), ...common });
}

let hatches = 0;

/** Hatching for wrong calls: its definition, and the fill that uses it. */
function hatching() {
  hatches += 1;
  const id = "explorer-hatch-" + hatches;
  const pattern = drawn(
    "pattern",
    {
      id,
      width: 5,
      height: 5,
      patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)",
    },
    rect(0, 0, 5, 5, { fill: "#fff" }),
    line(0, 0, 0, 5, { stroke: ERROR, "stroke-width": 2.2 }),
  );
  return { definition: drawn("defs", {}, pattern), fill: "url(#" + id + ")" };
}

/** A person: a circle has the condition, a square has not; a right call is solid. */
function personMark(cell, x, y, size) {
  const ill = cell === "found" || cell === "missed";
  const right = cell === "found" || cell === "cleared";
  const colour = { found: INK, cleared: WITHOUT, missed: ERROR, alarms: ERROR }[cell];
  const stroke = right ? 0 : Math.max(1, size * 0.16);
  const style = { fill: right ? colour : "#fff", stroke: colour, "stroke-width": stroke };
  const half = size / 2 - stroke / 2;
  return ill
    ? drawn("circle", { cx: x, cy: y, r: half, ...style })
    : rect(x - half, y - half, 2 * half, 2 * half, style);
}

/** A picture: one image for a screen reader, with its sentence. */
function picture(width, height, sentence, ...children) {
  return drawn(
    "svg",
    {
      width,
      height,
      viewBox: "0 0 " + width + " " + height,
      role: "img",
      "aria-label": sentence,
    },
    ...children,
  );
}

/** A mark within a line of text. */
function inlineMark(mark) {
  return drawn(
    "svg",
    {
      width: 14,
      height: 14,
      viewBox: "-7 -7 14 14",
      "aria-hidden": "true",
      class: "inline-mark",
    },
    mark,
  );
}
