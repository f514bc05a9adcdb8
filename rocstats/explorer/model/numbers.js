// Numbers as text. Every rounding of a result is in this file; that of ticks is in axes.js.

const MINUS = "\u2212";
const DASH = "\u2013";

/** A true minus sign instead of a hyphen. */
function signed(text) {
  return text.replace("-", MINUS);
}

/** A number with some decimals, rounded half up on its decimal digits, as the tables round. */
function fixed(value, digits) {
  const size = String(Math.abs(value));
  // toFixed() rounds the binary number: 0.285, which is below, would be 0.28.
  if (size.includes("e")) return value.toFixed(digits);
  const rounded = Number(Math.round(Number(size + "e" + digits)) + "e-" + digits);
  return (value < 0 ? "-" : "") + rounded.toFixed(digits);
}

/** Digits of a percentage behind the point: none from 10, one from 1, two from 0.1, then three. */
function digitsOf(share) {
  const size = Math.abs(100 * share);
  return size >= 9.95 ? 0 : size >= 0.95 || size === 0 ? 1 : size >= 0.095 ? 2 : 3;
}

/** Return a share as a number of 100: "74", "3.9". What is not 0 or 100 is never shown as that. */
function percent(share, digits = digitsOf(share)) {
  if (share === null) return DASH;
  const value = 100 * share;
  if (value === 0 || value === 100) return String(value);
  const bound = boundOfHundred(share);
  if (bound) return bound;
  const rounded = Number(fixed(value, digits));
  const shown = fixed(value, rounded === 0 ? digitsOf(share) : rounded === 100 ? 1 : digits);
  return signed(Number(shown) === 0 ? "0" : shown);
}

/** "68 to 80", with as many digits as the estimate. */
function percentLimits(rate, digits = digitsOf(rate.estimate)) {
  return percent(rate.low, digits) + " to " + percent(rate.high, digits);
}

/** "74 (68 to 80)", or "74" if there are no limits. */
function percentWithLimits(rate) {
  if (rate.estimate === null) return DASH;
  return percent(rate.estimate) + (hasLimits(rate) ? " (" + percentLimits(rate) + ")" : "");
}

function hasLimits(rate) {
  return rate.low !== null && rate.high !== null;
}

/** A sensitivity or an area with two digits; never 0 or 1 for what is not. */
function fraction(value) {
  if (value === null) return DASH;
  if (value > 0 && value < 0.005) return "<0.01";
  if (value >= 0.995 && value < 1) return ">0.99";
  return fixed(value, 2);
}

function fractionLimits(rate) {
  return fraction(rate.low) + " to " + fraction(rate.high);
}

/** A whole number with separators of thousands: "1,000,000". */
function count(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A ratio with two digits that count: "2.5", "0.37", "12". */
function ratio(value) {
  if (value === null) return DASH;
  if (value >= 10) return count(Math.round(value));
  return Number(value.toPrecision(2)).toString();
}

/** "<0.001" or ">99.9" for a share that would round to 0 or 100 of 100, and is neither. */
function boundOfHundred(share) {
  const value = 100 * share;
  if (value > 0 && value < 0.0005) return "<0.001";
  return value >= 99.95 && value < 100 ? ">99.9" : "";
}

/** A prevalence as typed and shown, per 100: "10", "37.3", "0.1"; 0 and 100 only if exact. */
function perHundred(share) {
  const bound = boundOfHundred(share);
  if (bound) return bound;
  const value = 100 * share;
  return Number(value.toPrecision(value < 1 ? 2 : 3)).toString();
}

/** A worth as a number of 1000 people: "61", "6.1", "−3". A share of 0 or 1 is no bound of it. */
function thousand(share, digits = digitsOf(10 * share)) {
  const text = fixed(1000 * share, digits);
  return signed(Number(text) === 0 ? "0" : text);
}

/** "55 to 67", with as many digits as the estimate. */
function thousandLimits(worth) {
  const digits = Math.min(1, digitsOf(10 * worth.estimate));
  return thousand(worth.low, digits) + " to " + thousand(worth.high, digits);
}

/** False alarms accepted for one more case, as typed and shown: "20", "0.5". */
function alarmsText(alarms) {
  return Number(alarms.toPrecision(3)).toString();
}

/** A confidence level, as tables print it: "95%", "98.33%", "99.99%". */
function levelText(level) {
  return Number((100 * level).toPrecision(100 * level < 99.9 ? 4 : 10)) + "%";
}

/** People of a total: "10" of 100, "1" of 1000; one decimal where it is no whole number. */
function peopleCount(share, total) {
  return Number(fixed(share * total, 1)).toString();
}

/** A number of plain digits with separators of thousands from 10,000 on, and a true minus. */
function grouped(text) {
  const [whole, decimals] = text.split(".");
  const long = whole.replace(/\D/g, "").length > 4 && /^\D?\d+$/.test(whole);
  return signed((long ? count(whole) : whole) + (decimals ? "." + decimals : ""));
}

/** A cutoff in the test's own words, or as the study prints it: short, and calling the same cases. */
function edgeText(test, edge) {
  return (test.names && test.names[String(test.edges[edge])]) || grouped(test.texts[edge]);
}

/** A place on the axis: that of a cutoff as the cutoff is written, others in the test's decimals. */
function thresholdText(test, threshold) {
  const edge = test.edges.indexOf(threshold);
  if (edge >= 0) return edgeText(test, edge);
  const word = test.names && test.names[String(threshold)];
  return word || grouped(fixed(threshold, test.decimals));
}

/** A limit of a chosen cutoff, "low" or "high", with its decimals. */
function limitText(test, preset, end) {
  const word = test.names && test.names[String(preset["threshold_" + end])];
  return word || grouped(preset["text_" + end]);
}

/** Read "19,3", "1,000.5" or a true minus; NaN for what is no number. */
function readNumber(text) {
  const plain = text.trim().replace(MINUS, "-");
  if (plain === "") return NaN;
  const pointed =
    /^-?\d+,\d+$/.test(plain) && !/^-?\d{1,3},\d{3}$/.test(plain)
      ? plain.replace(",", ".")
      : plain.replace(/,(?=\d{3})/g, "");
  return Number(pointed);
}
