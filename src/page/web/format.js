// Numbers, times and designs as people read them.

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

// So many significant digits, no exponent where none is needed, no digit of a whole number lost.
export function number(value, digits = 4) {
  if (!isNumber(value))
    return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e9 || size < 1e-4))
    return value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace(/-/g, "−");
  const whole = size >= 1 ? Math.floor(Math.log10(size)) + 1 : 1;
  const behind = size === 0 ? 0 : Math.max(0, size >= 1 ? digits - whole : digits - 1 - Math.floor(Math.log10(size)));
  return group(trim(value.toFixed(Math.min(behind, 12)))).replace("-", "−");
}

const trim = (text) => text.includes(".") ? text.replace(/\.?0+$/, "") : text;

// Thin blanks between thousands, from five digits on.
function group(text) {
  const [whole, rest] = text.split(".");
  const parted = whole.replace("-", "").length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, "\u202f") : whole;
  return rest === undefined ? parted : `${parted}.${rest}`;
}

// Cost and budget are counts; their digits matter up to the thousandth.
export const cost = (value) => number(value, 6);

export function interval(low, high, digits = 4) {
  return isNumber(low) && isNumber(high) ? `${number(low, digits)} to ${number(high, digits)}` : "not known yet";
}

// Seconds as two units at most: 3 d 4 h, 12 min 5 s, 0.4 s.
export function duration(seconds) {
  if (!isNumber(seconds) || seconds < 0)
    return "–";
  if (seconds < 1)
    return seconds === 0 ? "0 s" : `${Math.max(0.1, Math.round(seconds * 10) / 10)} s`;
  let rest = Math.round(seconds);
  const parts = [];
  for (const [unit, size] of [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]]) {
    if (rest >= size || (unit === "s" && !parts.length))
      parts.push(`${Math.floor(rest / size)} ${unit}`);
    else if (parts.length)
      break;
    rest %= size;
    if (parts.length === 2)
      break;
  }
  return parts.filter((part) => !part.startsWith("0 ") || parts.length === 1).join(" ");
}

export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

// "a, b and c"
export const listed = (words) => words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;

export function when(seconds) {
  return isNumber(seconds) && seconds > 0 ? new Date(seconds * 1000).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" }) : "–";
}

// theta as a list, whether it came by name or by place.
export function thetaOf(thing, study) {
  const theta = thing.theta_array || thing.theta;
  return Array.isArray(theta) ? theta : study.theta.map((coordinate) => theta?.[coordinate.name]);
}

export const named = (coordinate) => coordinate.unit ? `${coordinate.name} (${coordinate.unit})` : coordinate.name;

export function design(theta, study) {
  return study.theta.map((c, i) => `${c.name} = ${number(theta[i])}${c.unit ? ` ${c.unit}` : ""}`).join(", ");
}

export const minimises = (study) => String(study.direction).startsWith("min");

export const scoreLabel = (study) => `score (${minimises(study) ? "less" : "more"} is better)`;

export const tauMax = (study) => Math.max(...study.tau);

// What a trial's state means to someone who has not read the manual.
export const states = {
  asked: "under way",
  waiting: "waiting for a worker",
  told: "told",
  failed: "failed",
  voided: "voided: not in the model",
};

export const reasons = {
  initial: "part of the initial design",
  kg: "most knowledge per cost",
  exploit: "nothing promises to change the recommendation: it is tested again",
  share: "the least share of trials at the largest tau",
  random: "at random",
  retry: "a failed trial once more",
  improvement: "largest expected improvement",
  bound: "largest confidence bound",
  bracket: "a new design of a bracket",
  promoted: "it survived a rung",
  explore: "its turn to explore",
  confirm: "one of the best designs, trained again before the end",
  legs: "a path made of the best legs",
  added: "an earlier result that was added",
  enqueued: "somebody asked for it",
  source: "one of the best designs of an earlier study",
};
