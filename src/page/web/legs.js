// Legs: the parts of a path from point to point. What each of the recommended path's should take or earn, which other legs
// were tried, the path that the best legs make, and what the newest trial could teach about its own.
import { empty, make, panel, table, whenSized } from "./dom.js";
import { colourOf, legend, redrawWithTheme } from "./charts.js";
import { createScene, drawDiscs, groundEntries, isPlane } from "./map.js";
import { minimises, number, plural, tauMax } from "./format.js";

const d3 = window.d3;
const mostArrows = 16, gap = 9, aside = 4;

const known = (leg) => Array.isArray(leg.from) && Array.isArray(leg.to) && leg.from.some((v, i) => v !== leg.to[i]);
const length = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

// Pixels of a leg, and how it runs.
function lineOf(scene, leg) {
  const from = scene.place(leg.from), to = scene.place(leg.to), long = length(from, to);
  return { leg, from, to, long, way: [(to[0] - from[0]) / (long || 1), (to[1] - from[1]) / (long || 1)] };
}

// Do two legs run so near to each other that one arrow says it?
function alike(a, b) {
  if (a.way[0] * b.way[0] + a.way[1] * b.way[1] <= 0)
    return false;
  if (length(a.from, b.from) < 30 && length(a.to, b.to) < 30)
    return true;
  const [short, line] = a.long < b.long ? [a, b] : [b, a];
  const middle = [(short.from[0] + short.to[0]) / 2 - line.from[0], (short.from[1] + short.to[1]) / 2 - line.from[1]];
  const along = Math.max(0, Math.min(line.long, middle[0] * line.way[0] + middle[1] * line.way[1]));
  return a.way[0] * b.way[0] + a.way[1] * b.way[1] > 0.97 &&
         length(middle, [along * line.way[0], along * line.way[1]]) < 10;
}

// The legs that were tried most and do not hide each other or the path.
function choose(scene, legs) {
  const path = legs.path.filter(known).map((leg) => lineOf(scene, leg)), chosen = [];
  for (const leg of legs.tried.filter(known)) {
    const line = lineOf(scene, leg);
    if (chosen.length < mostArrows && line.long > 3 * gap && ![...path, ...chosen].some((other) => alike(line, other)))
      chosen.push(line);
  }
  return chosen;
}

// An arrow with its head; a leg keeps to the right of its line, so that there and back are two.
function drawArrow(group, { from, to, way, long }, { colour, width, dashed, shift, cut, title }) {
  const side = [-way[1] * shift, way[0] * shift], less = Math.min(cut, long / 4), head = 4 + 2.2 * width;
  const begin = [from[0] + way[0] * less + side[0], from[1] + way[1] * less + side[1]];
  const end = [to[0] - way[0] * less + side[0], to[1] - way[1] * less + side[1]];
  const neck = [end[0] - way[0] * head, end[1] - way[1] * head];
  const wing = head * 0.45, arrow = group.append("g").attr("class", "leg");
  arrow.append("path").attr("d", `M${begin}L${neck}`).attr("fill", "none").attr("stroke", colour).attr("stroke-width", width)
    .attr("stroke-dasharray", dashed ? `${3 * width},${2.2 * width}` : null);
  arrow.append("path").attr("fill", colour)
    .attr("d", `M${end}L${neck[0] - way[1] * wing},${neck[1] + way[0] * wing}L${neck[0] + way[1] * wing},${neck[1] - way[0] * wing}Z`);
  arrow.append("title").text(title);
}

// Beside the arrow, on the side where no arrow of the same leg is, with the ground's colour around it.
function drawNumber(group, { from, to, way, long }, text) {
  if (long < 36)
    return;
  const off = 13 + 2.5 * text.length * Math.abs(way[1]);
  group.append("text").attr("class", "leg-number").attr("text-anchor", "middle").attr("dy", "0.35em")
    .attr("x", (from[0] + to[0]) / 2 + way[1] * off).attr("y", (from[1] + to[1]) / 2 - way[0] * off).text(text);
}

const say = (leg) => `${number(leg.value, 3)}, ${number(leg.low, 3)} to ${number(leg.high, 3)}, tried ${plural(leg.tried, "time")}`;

function drawLegs(scene, legs) {
  const chosen = choose(scene, legs), means = chosen.map((line) => line.leg.mean), group = scene.svg.append("g");
  const shade = d3.scale.linear().domain([d3.min(means) ?? 0, d3.max(means) ?? 1])
    .range([colourOf("--leg-worst"), colourOf("--leg-best")]).interpolate(d3.interpolateLab);
  [...chosen].sort((a, b) => a.leg.mean - b.leg.mean).forEach((line) =>
    drawArrow(group, line, { colour: means.length > 1 ? shade(line.leg.mean) : colourOf("--leg-best"), width: 1.6,
                             dashed: line.leg.doubtful, shift: aside, cut: gap, title: `${say(line.leg)}${line.leg.doubtful ? ", doubtful" : ""}` }));
  const path = legs.path.filter(known).map((leg) => lineOf(scene, leg)).filter((line) => line.long > 24);
  const accent = colourOf("--accent"), ground = colourOf("--ground");
  path.forEach((line) => drawArrow(group, line, { colour: ground, width: 7, dashed: false, shift: 0, cut: 11, title: "" }));
  path.forEach((line) => drawArrow(group, line, { colour: accent, width: 3.2, dashed: line.leg.doubtful, shift: 0, cut: 11, title: say(line.leg) }));
  path.forEach((line) => drawNumber(group, line, number(line.leg.value, 3)));
  return chosen;
}

const place = (at, name) => `${name}${name && at ? " " : ""}${at ? `(${at.map((v) => number(v)).join(", ")})` : ""}` || "–";
const from = (leg) => place(leg.from, leg.first ? "the start" : "");
const to = (leg) => place(leg.to, leg.last ? "the goal" : "");
const doubt = (leg) => !leg.tried ? "not tried" : !leg.worked ? "never worked" : leg.doubtful ? "doubtful" : "";

export function tableOf(list, caption, counts) {
  return table(caption, ["leg", "from", "to", counts === "time" ? "expected time" : "expected to earn", "give or take", "tried", "worked",
                         "at the largest tau", "doubt"],
               list.map((leg, i) => [i + 1, from(leg), to(leg), number(leg.value, 3), `${number(leg.low, 3)} to ${number(leg.high, 3)}`,
                                     `${leg.tried}×`, `${leg.worked}×`, `${leg.seen}×`, doubt(leg)]),
               { text: [1, 2, 8] });
}

function composedParts(legs, study) {
  const { composed } = legs;
  if (!composed)
    return [];
  if (composed.same)
    return [make("p", {}, "It is also the path that the best legs make, whatever was tried together.")];
  const better = minimises(study) ? composed.promise < legs.promise : composed.promise > legs.promise;
  return better ? [make("p", {}, "The legs that are best by themselves, doubt deducted, make another path, with ",
                        make("strong", {}, number(composed.promise, 3)), " in all. It is recommended only when whole trials speak for it."),
                   tableOf(composed.legs, "The path of the best legs", legs.counts)] : [];
}

// What a trial could teach most: the leg that was known least before it.
export function taught(legs, trial) {
  const before = legs?.before?.find((b) => b.trial === trial);
  if (!before?.legs.length)
    return [];
  const i = d3.range(before.legs.length).reduce((most, k) => before.legs[k].sd > before.legs[most].sd ? k : most, 0), leg = before.legs[i];
  return [make("p", {}, `Of its legs it could teach most of leg ${i + 1} of ${before.legs.length}, from ${from(leg)} to ${to(leg)}, which should ` +
               `${legs.counts === "time" ? "take" : "earn"} ${number(leg.low, 3)} to ${number(leg.high, 3)} by what was known then; ` +
               `${leg.tried ? `replications had set out on it ${plural(leg.tried, "time")}` : "it had not been tried before"}.`),
          make("details", {}, make("summary", {}, `The legs of trial ${trial} as they were known before it`),
               tableOf(before.legs, "", legs.counts))];
}

function numberParts(legs, study) {
  const n = legs.numbers;
  if (!n)
    return [];
  return [make("h3", {}, "How many subgoals"),
          make("p", {}, make("strong", {}, String(n.visits)), ` of up to ${n.points[n.points.length - 1].points} subgoals ` +
               `${n.visits === 1 ? "is" : "are"} worth it${study.path?.price > 0 ? ", their price included" : ""}.` +
               (n.rival ? ` ${n.rival} may do as well: so far the two cannot be told apart.` : "")),
          table("The best path of every number of subgoals", ["subgoals", "expected score", "90 % interval"],
                n.points.map((p) => [p.points, number(p.value), typeof p.low === "number" ? `${number(p.low)} to ${number(p.high)}` : "–"]))];
}

export function createLegs(root) {
  const { body, show } = panel(root, "Legs", { class: "wide later" });
  let state = null;
  show(false);
  function draw() {
    const { legs, study, map } = state || {};
    show(Boolean(legs));
    if (!legs || !body.clientWidth)
      return;
    const side = make("div", { class: "legs-words" }), drawing = make("div", { class: "legs-map" }), below = make("div", {});
    body.replaceChildren(make("div", { class: "legs" }, drawing, side), below);
    const drawn = map && window.d3 && isPlane(map, study.dimension);
    drawing.hidden = !drawn;
    if (drawn) {
      const scene = createScene(drawing, map, study.dimension, { coordinates: study.theta,
        label: "Legs that were tried, and those of the recommended path; the table has the latter" });
      const chosen = drawLegs(scene, legs);
      drawDiscs(scene, legs.path.filter((leg) => !leg.last && leg.to).map((leg) => leg.to));
      const values = chosen.map((line) => line.leg).sort((a, b) => b.mean - a.mean);
      const left = legs.untold + legs.tried.length - chosen.length;
      legend(drawing, [["line promise thick", `recommended, ${number(legs.promise, 3)} in all`],
                       ...(values.length > 1 ? [["leg-best", `best other leg ${number(values[0].value, 3)}`],
                                                ["leg-worst", `worst shown ${number(values[values.length - 1].value, 3)}`]] : []),
                       ["dashed", "dashed: doubtful"], ...(left > 0 ? [["", `${plural(left, "more leg")} not drawn`]] : []), ...groundEntries(map)]);
    }
    side.append(make("p", {}, `Leg by leg, the recommended path should ${legs.counts === "time" ? "take" : "earn"} `,
                     make("strong", {}, number(legs.promise, 3)), ` in all after a training of ${number(tauMax(study))}. Of a leg that 5 or more ` +
                     "replications of the largest tau have set out on this is their mean; of others it is what the model of legs makes of " +
                     "their neighbours. The expected score comes from whole trials, and the two need not agree."),
                ...numberParts(legs, study));
    below.append(legs.path.length ? tableOf(legs.path, "The recommended path", legs.counts) : empty("It has no legs."), ...composedParts(legs, study));
  }
  whenSized(body.parentElement, draw);
  redrawWithTheme(draw);
  return { update(now) { state = now; draw(); } };
}
