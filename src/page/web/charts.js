// What all charts share: scales, axes with labels, the colours of tau; and the curve over cost.
import { clean, empty, make, panel, whenSized } from "./dom.js";
import { cost, interval, minimises, number, scoreLabel } from "./format.js";

const d3 = window.d3;
const dark = matchMedia("(prefers-color-scheme: dark)");

// Charts that are drawn again when light becomes dark.
const drawn = new Set();
export const redrawWithTheme = (draw) => drawn.add(draw);
dark.addEventListener("change", () => drawn.forEach((draw) => draw()));

// Draws in a place when it has a width, again when that changes, and in the other theme.
export function whenDrawn(place, draw) {
  const now = () => place.clientWidth && draw();
  whenSized(place, now);
  redrawWithTheme(now);
}

// Told apart with every kind of colour vision, by lightness alone if need be; the largest tau is
// what stands out most on the ground it is drawn on.
const ramps = {
  light: ["#e8a33d", "#d5654f", "#a3278f", "#2a0a8f"],
  dark: ["#8367dd", "#d5538a", "#f2924a", "#f4ee4e"],
};

export function tauColours(taus) {
  const ramp = dark.matches ? ramps.dark : ramps.light, levels = [...taus].sort((a, b) => a - b);
  const scale = d3.scale.linear().domain(ramp.map((_, i) => i / (ramp.length - 1))).range(ramp).interpolate(d3.interpolateLab);
  return new Map(levels.map((tau, i) => [tau, scale(levels.length > 1 ? i / (levels.length - 1) : 1)]));
}

export const colourOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// A little room around what is shown.
export function extent(values, room = 0.05) {
  const some = values.filter((v) => typeof v === "number" && Number.isFinite(v));
  if (!some.length)
    return [0, 1];
  const low = d3.min(some), high = d3.max(some), around = (high - low || Math.abs(high) || 1) * room;
  return [low - around, high + around];
}

// Scores that the study looks at by their logarithm are shown so, when all are positive.
export function scoreScale(study, values, range) {
  const some = values.filter((v) => typeof v === "number" && Number.isFinite(v));
  if (study.options?.transform !== "log" || !some.length || d3.min(some) <= 0) {
    const scale = d3.scale.linear().domain(extent(values)).range(range);
    return { scale, ticks: scale.ticks(5) };
  }
  const low = d3.min(some), high = d3.max(some), around = Math.pow(high / low || 1, 0.05) * 1.02;
  const scale = d3.scale.log().domain([low / around, high * around]).range(range);
  const ticks = [];
  for (let decade = Math.floor(Math.log10(low)) - 1; decade <= Math.log10(high) + 1; decade++)
    for (const digit of [1, 2, 5])
      ticks.push(digit * Math.pow(10, decade));
  const inside = ticks.filter((t) => t >= low / around && t <= high * around);
  return { scale, ticks: inside.length > 1 ? inside : d3.scale.linear().domain(scale.domain()).ticks(4) };
}

export const margin = { top: 10, right: 20, bottom: 40, left: 58 };

// An empty chart with its axes; x and y are {domain or scale, ticks, label}.
export function frame(place, width, height, label) {
  const svg = d3.select(place).append("svg").attr("width", width).attr("height", height).attr("role", "img")
    .attr("aria-label", clean(label));
  return svg;
}

// A label that is too long for its chart is cut; the table has it whole.
export function shorten(text, width) {
  const most = Math.max(8, Math.floor((width - margin.left) / 7)), whole = clean(text);
  return whole.length > most ? `${whole.slice(0, most - 1)}…` : whole;
}

// As many ticks as there is room for their labels.
export function roomFor(scale, width) {
  const longest = Math.max(...scale.domain().map((v) => number(Math.round(v), 5).length));
  return Math.max(2, Math.min(12, Math.floor((width - margin.left) / (7 * longest + 28))));
}

export function axes(svg, width, height, x, y, labels, ticks) {
  const bottom = d3.svg.axis().scale(x).orient("bottom").ticks(roomFor(x, width)).tickSize(4, 0)
    .tickPadding(5).tickFormat((v) => number(v, 5));
  const left = d3.svg.axis().scale(y).orient("left").tickSize(-(width - margin.left - margin.right), 0).tickPadding(6)
    .tickFormat((v) => number(v, 4));
  if (ticks)
    left.tickValues(ticks);
  else
    left.ticks(5);
  svg.append("g").attr("class", "axis y").attr("transform", `translate(${margin.left},0)`).call(left);
  svg.append("g").attr("class", "axis x").attr("transform", `translate(0,${height - margin.bottom})`).call(bottom);
  svg.append("text").attr("class", "label").attr("x", (margin.left + width - margin.right) / 2).attr("y", height - 6)
    .attr("text-anchor", "middle").text(shorten(labels[0], width));
  svg.append("text").attr("class", "label").attr("text-anchor", "middle")
    .attr("transform", `translate(13,${(margin.top + height - margin.bottom) / 2}) rotate(-90)`).text(clean(labels[1]));
}

export function legend(place, entries) {
  place.append(make("ul", { class: "legend" }, entries.map(([kind, text, colour]) => {
    const mark = make("span", { class: `mark ${kind}`, "aria-hidden": "true" });
    if (colour)
      mark.style.background = colour;
    return make("li", {}, mark, text);
  })));
}

const mostDots = 60; // more of them hide their line
const known = (p) => typeof p.value === "number";
const sure = (p) => known(p) && typeof p.low === "number" && typeof p.high === "number";

function drawCurve(place, { study, curve }) {
  const width = place.clientWidth, height = 280, points = curve.points;
  const x = d3.scale.linear().domain([0, Math.max(d3.max(points, (p) => p.cost) || 1, 1e-9)])
    .range([margin.left, width - margin.right]);
  // Early intervals can be so wide that they would flatten everything else.
  const core = points.flatMap((p) => [p.best, p.value]);
  const [lowest, highest] = extent(core, 1.5);
  const shown = core.concat(points.filter(sure).flatMap((p) => [Math.max(p.low, lowest), Math.min(p.high, highest)]));
  const { scale: y, ticks } = scoreScale(study, shown, [height - margin.bottom, margin.top]);
  const inside = (v) => Math.max(margin.top, Math.min(height - margin.bottom, y(v)));
  const last = points[points.length - 1];
  const svg = frame(place, width, height, `Best so far ${number(last.best)} at a cost of ${cost(last.cost)}; ` +
                    `recommendation ${number(last.value)}, ${interval(last.low, last.high)}`);
  axes(svg, width, height, x, y, ["cost", scoreLabel(study)], ticks);
  const band = d3.svg.area().x((p) => x(p.cost)).y0((p) => inside(p.low)).y1((p) => inside(p.high)).interpolate("step-after");
  const value = d3.svg.line().defined(known).x((p) => x(p.cost)).y((p) => inside(p.value)).interpolate("step-after");
  const best = d3.svg.line().defined((p) => typeof p.best === "number").x((p) => x(p.cost)).y((p) => inside(p.best))
    .interpolate("step-after");
  svg.append("path").attr("class", "band").attr("d", band(points.filter(sure)));
  svg.append("path").attr("class", "line best").attr("d", best(points));
  svg.append("path").attr("class", "line promise").attr("d", value(points.filter(known)));
  const dots = points.filter(known);
  svg.selectAll("circle.known").data(dots.length <= mostDots ? dots : dots.slice(-1)).enter().append("circle").attr("class", "known").attr("r", 2.5)
    .attr("cx", (p) => x(p.cost)).attr("cy", (p) => inside(p.value))
    .append("title").text((p) => `cost ${cost(p.cost)}: ${number(p.value)}, ${interval(p.low, p.high)}`);
}

export function createCurve(root) {
  const { body } = panel(root, "Best so far and recommendation over cost", { class: "later" });
  let state = null;
  function draw() {
    if (!state)
      return;
    if (state.curve === undefined) {
      body.replaceChildren(empty("Reading …"));
      return;
    }
    if (!state.curve?.points?.some((p) => typeof p.best === "number" || known(p))) {
      body.replaceChildren(empty("The curve begins with the first result at the largest tau."));
      return;
    }
    body.replaceChildren();
    drawCurve(body, state);
    const side = minimises(state.study) ? "lowest" : "highest";
    legend(body, [["line best", `${side} mean score of a trial so far`], ["line promise", "recommendation, from the trials until then"],
                  ["band", "its 90 % interval"]]);
  }
  whenSized(body, draw);
  redrawWithTheme(draw);
  return { update(now) { state = now; draw(); } };
}
