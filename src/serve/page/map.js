// The map of the study's world with the subgoals: what was tried lately, fading with age, how the
// recommendation has moved, and where it is now.
import { clean, make, panel, whenSized } from "./dom.js";
import { legend, redrawWithTheme, roomFor } from "./charts.js";
import { named, number, thetaOf } from "./format.js";

const d3 = window.d3;
const recent = 60;
const kinds = { "#": "wall", w: "wall sometimes", S: "start", G: "goal", g: "goal sometimes", D: "door", d: "door sometimes",
                K: "key", k: "key sometimes", T: "treasure", t: "treasure sometimes",
                "^": "one-way", ">": "one-way", V: "one-way", "<": "one-way" };
const arrows = { "^": "↑", ">": "→", V: "↓", "<": "←" };

// theta as points; a path of one coordinate stands at a height of its own for every subgoal.
function pointsOf(theta, map, study) {
  const count = map.points_of_theta || 1, length = Math.max(1, Math.floor(study.dimension / count));
  return d3.range(count).map((k) => theta.slice(k * length, (k + 1) * length));
}

function cellsOf(map) {
  const all = [];
  (map.cells || []).forEach((row, r) => [...row].forEach((cell, x) => {
    if (kinds[cell])
      all.push({ x, y: map.cells.length - 1 - r, kind: cell });
  }));
  return all;
}

function drawGround(svg, map, x, y) {
  const cells = cellsOf(map), across = (map.high[0] - map.low[0]) / (map.width || 1), along = (map.high[1] - map.low[1]) / (map.height || 1);
  const side = Math.abs(x(across) - x(0)), tall = Math.abs(y(along) - y(0));
  const left = (c) => x(map.low[0] + c.x * across), top = (c) => y(map.low[1] + (c.y + 1) * along);
  svg.append("rect").attr("class", "ground").attr("x", x(map.low[0])).attr("y", y(map.high[1]))
    .attr("width", x(map.high[0]) - x(map.low[0])).attr("height", y(map.low[1]) - y(map.high[1]));
  svg.append("g").selectAll("rect").data(cells).enter().append("rect")
    .attr("class", (c) => `cell ${kinds[c.kind]}`).attr("x", left).attr("y", top)
    .attr("width", side).attr("height", tall);
  const letters = cells.filter((c) => !/[#w]/.test(c.kind));
  if (side >= 11 && letters.length <= 400)
    svg.append("g").selectAll("text").data(letters).enter().append("text").attr("class", "letter")
      .attr("x", (c) => left(c) + 3).attr("y", (c) => top(c) + Math.min(12, side - 1)).text((c) => arrows[c.kind] || c.kind.toUpperCase());
}

// Where a path starts and ends, when no cells show it.
function drawEnds(svg, map, x, y) {
  const ends = [["S", map.start], ["G", map.goal]].filter(([, at]) => !map.cells && Array.isArray(at) && at.length > 1);
  svg.append("g").selectAll("text").data(ends).enter().append("text").attr("class", "end").attr("text-anchor", "middle")
    .attr("dy", "0.35em").attr("x", ([, at]) => x(at[0])).attr("y", ([, at]) => y(at[1])).text(([letter]) => letter);
}

function drawMarks(svg, state, place) {
  const told = state.trials.slice(-recent);
  const tried = told.flatMap((t, i) => pointsOf(thetaOf(t, state.study), state.map, state.study)
    .map((p, k) => ({ at: place(p, k), k, fade: 0.08 + 0.5 * (i + 1) / told.length, trial: t.trial })));
  svg.append("g").selectAll("circle").data(tried).enter().append("circle").attr("class", (m) => `was was-${m.k % 4}`).attr("r", 3)
    .attr("cx", (m) => m.at[0]).attr("cy", (m) => m.at[1]).attr("opacity", (m) => m.fade)
    .append("title").text((m) => `trial ${m.trial}, subgoal ${m.k + 1}`);
  if (!state.recommendation)
    return;
  const marks = pointsOf(thetaOf(state.recommendation, state.study), state.map, state.study);
  const moved = state.moved.map((theta) => pointsOf(theta, state.map, state.study));
  marks.forEach((_, k) => {
    if (moved.length > 1)
      svg.append("path").attr("class", "trail").attr("d", d3.svg.line()(moved.map((points) => place(points[k], k))));
  });
  const group = svg.append("g").selectAll("g").data(marks).enter().append("g")
    .attr("transform", (p, k) => `translate(${place(p, k)})`);
  group.append("circle").attr("class", "goal-mark").attr("r", 9);
  group.append("text").attr("class", "goal-number").attr("text-anchor", "middle").attr("dy", "0.35em").text((_, k) => k + 1);
  group.append("title").text((p, k) => `recommended subgoal ${k + 1}: ${p.map((v) => number(v)).join(", ")}`);
}

function drawPlane(body, state) {
  const { map, study } = state, width = body.clientWidth, edge = 12;
  const wide = map.high[0] - map.low[0], tall = map.high[1] - map.low[1], foot = map.cells ? 0 : 34;
  const unit = Math.min((width - 2 * edge) / wide, 440 / tall);
  const across = unit * wide, up = Math.max(40, unit * tall), left = (width - across) / 2;
  const height = up + 2 * edge + foot;
  const x = d3.scale.linear().domain([map.low[0], map.high[0]]).range([left, left + across]);
  const y = d3.scale.linear().domain([map.low[1], map.high[1]]).range([edge + up, edge]);
  const svg = d3.select(body).append("svg").attr("width", width).attr("height", height).attr("role", "img")
    .attr("aria-label", "The map with the subgoals that were tried and those that are recommended");
  drawGround(svg, map, x, y);
  drawEnds(svg, map, x, y);
  if (foot)
    svg.append("text").attr("class", "label").attr("text-anchor", "middle").attr("x", width / 2).attr("y", height - 10)
      .text(clean(`${named(study.theta[0])} ${number(map.low[0])} to ${number(map.high[0])}, upwards ` +
                  `${named(study.theta[1])} ${number(map.low[1])} to ${number(map.high[1])}`));
  drawMarks(svg, state, (p) => [x(p[0]), y(p[1])]);
}

// One coordinate: a line for every subgoal, with a mountain below when it is one.
function drawLine(body, state) {
  const { map, study } = state, width = body.clientWidth, count = map.points_of_theta || 1;
  const hill = map.kind === "mountain" ? 90 : 0, height = 40 * count + hill + 50;
  const x = d3.scale.linear().domain([map.low[0], map.high[0]]).range([20, width - 20]);
  const svg = d3.select(body).append("svg").attr("width", width).attr("height", height).attr("role", "img")
    .attr("aria-label", "The positions that were tried and those that are recommended");
  const foot = 40 * count + hill + 8;
  if (hill) {
    const shape = d3.range(121).map((i) => map.low[0] + (map.high[0] - map.low[0]) * i / 120);
    svg.append("path").attr("class", "cell wall sometimes")
      .attr("d", d3.svg.area().x((v) => x(v)).y0(foot).y1((v) => foot - hill * (0.5 + 0.42 * Math.sin(3 * v)))(shape));
  }
  const axis = d3.svg.axis().scale(x).orient("bottom").ticks(roomFor(x, width)).tickSize(4, 0)
    .tickFormat((v) => number(v, 4));
  svg.append("g").attr("class", "axis x").attr("transform", `translate(0,${foot})`).call(axis);
  svg.append("text").attr("class", "label").attr("text-anchor", "middle").attr("x", width / 2).attr("y", height - 4)
    .text(clean(named(study.theta[0])));
  const row = (k) => 20 + 40 * k;
  svg.append("path").attr("class", "ground").attr("d", d3.range(count).map((k) => `M20,${row(k)}H${width - 20}`).join(""));
  drawMarks(svg, state, (p, k) => [x(p[0]), row(k)]);
}

export function createMap(root) {
  const { body, show } = panel(root, "Map");
  let state = null;
  show(false);
  function draw() {
    if (!state)
      return;
    show(state.map !== null);
    if (!state.map || !body.clientWidth)
      return;
    const { map } = state, coordinates = state.study.dimension / (map.points_of_theta || 1);
    body.replaceChildren();
    if (map.low.length > 1 && coordinates > 1)
      drawPlane(body, state);
    else
      drawLine(body, state);
    const shown = new Set(cellsOf(map).map((c) => c.kind));
    legend(body, [["goal-mark", "recommended subgoal, by its number"],
                  ...(state.trials.length ? [["was", `of the last ${Math.min(recent, state.trials.length)} trials, paler with age`]] : []),
                  ...(state.moved.length > 1 ? [["trail", "how the recommendation moved while you watched"]] : []),
                  ...(shown.has("w") ? [["wall sometimes", "wall in some instances"]] : []),
                  ...(Object.keys(arrows).some((kind) => shown.has(kind)) ? [["one-way", "entered as its arrow says only"]] : [])]);
    if (coordinates > 2)
      body.append(make("p", { class: "quiet" }, `Points have ${coordinates} coordinates; the first two are shown.`));
  }
  whenSized(body.parentElement, draw);
  redrawWithTheme(draw);
  return { update(now) { state = now; draw(); } };
}
