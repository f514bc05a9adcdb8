// Scales and ticks.

function scale(low, high, from, to) {
  return (value) => from + ((value - low) / (high - low)) * (to - from);
}

/** Round values between two ends, about as many as wanted. */
function niceTicks(low, high, wanted) {
  const rough = (high - low) / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => ({
    value: (first + i) * step,
    text: signed(((first + i) * step).toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)))),
  }));
}

/** Words on at most three lines of some characters. */
function wrapped(text, characters) {
  const lines = [""];
  text.split(/\s+/).forEach((word) => {
    const last = lines[lines.length - 1];
    if (last === "") lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= characters) lines[lines.length - 1] += " " + word;
    else lines.push(word);
  });
  return lines.slice(0, 3).map((part) => inBrief(part, Math.max(3, characters)));
}

/** Text on several lines, centred. */
function linesOfText(x, y, lines, attributes) {
  return label(
    x,
    y,
    lines.map((part, i) => drawn("tspan", { x, dy: i ? 13 : 0 }, part)),
    {
      "text-anchor": "middle",
      ...attributes,
    },
  );
}
