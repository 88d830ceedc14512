// The ground of a study's designs, and what is drawn on it. A scene is one drawing of a ground; a page may have several,
// and each panel puts on its own what it is about: trials, the recommendation, legs, paths of recommendations.
import { clean, make, panel, whenSized } from "./dom.js";
import { legend, redrawWithTheme, roomFor, shorten } from "./charts.js";
import { named, number, thetaOf } from "./format.js";

const d3 = window.d3;
const recent = 60;
const kinds = { "#": "wall", w: "wall sometimes", S: "start", G: "goal", g: "goal sometimes", D: "door", d: "door sometimes",
                K: "key", k: "key sometimes", T: "treasure", t: "treasure sometimes",
                "^": "one-way", ">": "one-way", V: "one-way", "<": "one-way" };
const arrows = { "^": "↑", ">": "→", V: "↓", "<": "←" };
let clips = 0; // so that every scene cuts at its own edge

// theta as points; a path of one coordinate stands at a height of its own for every subgoal.
export function pointsOf(theta, map) {
  const count = map.points_of_theta || 1, length = Math.max(1, Math.floor(theta.length / count));
  return d3.range(count).map((k) => theta.slice(k * length, (k + 1) * length));
}

// Two points at one place are one that is visited.
export const visited = (points) => points.filter((p, k) => k === 0 || p.some((v, i) => v !== points[k - 1][i]));

export const isPlane = (map, dimension) => map.low.length > 1 && dimension / (map.points_of_theta || 1) > 1;

function cellsOf(map) {
  const all = [];
  (map.cells || []).forEach((row, r) => [...row].forEach((cell, x) => {
    if (kinds[cell])
      all.push({ x, y: map.cells.length - 1 - r, kind: cell });
  }));
  return all;
}

// Obstacles that a study was told of, behind everything else and cut at the edge of the ground.
function drawOutline(svg, map, x, y) {
  const id = `ground-${clips++}`, box = { x: x(map.low[0]), y: y(map.high[1]) };
  svg.append("clipPath").attr("id", id).append("rect").attr("x", box.x).attr("y", box.y)
    .attr("width", x(map.high[0]) - box.x).attr("height", y(map.low[1]) - box.y);
  const cut = svg.append("g").attr("clip-path", `url(#${id})`);
  if (map.picture && /^data:image\//.test(map.picture.data)) {
    const [left, bottom, right, top] = map.picture.extent;
    cut.append("image").attr("x", x(left)).attr("y", y(top)).attr("width", x(right) - x(left)).attr("height", y(bottom) - y(top))
      .attr("preserveAspectRatio", "none").attr("href", map.picture.data);
  }
  cut.selectAll("path").data(map.outline || []).enter().append("path").attr("class", "outline")
    .attr("d", (o) => `M${o.polygon.map((p) => `${x(p[0]).toFixed(1)},${y(p[1]).toFixed(1)}`).join("L")}Z`)
    .append("title").text((o) => clean(o.name || "obstacle"));
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
  if (map.outline?.length || map.picture)
    drawOutline(svg, map, x, y);
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

// One unit is as long upwards as to the right, unless the two are of different kinds or the map would be a thread.
function sizeOf(map, coordinates, width, most) {
  const wide = map.high[0] - map.low[0], tall = map.high[1] - map.low[1];
  const alike = map.cells || (coordinates?.[0]?.unit || "") === (coordinates?.[1]?.unit || "");
  const ratio = alike ? Math.min(4, Math.max(0.25, tall / wide)) : 0.7;
  const across = Math.min(width, most / ratio);
  return { across, up: across * ratio };
}

function planeScene(body, map, coordinates, label, most) {
  const width = body.clientWidth, edge = 12, foot = map.cells || !coordinates ? 0 : 34;
  const { across, up } = sizeOf(map, coordinates, width - 2 * edge, most), left = (width - across) / 2;
  const height = up + 2 * edge + foot;
  const x = d3.scale.linear().domain([map.low[0], map.high[0]]).range([left, left + across]);
  const y = d3.scale.linear().domain([map.low[1], map.high[1]]).range([edge + up, edge]);
  const svg = d3.select(body).append("svg").attr("width", width).attr("height", height).attr("role", "img").attr("aria-label", label);
  drawGround(svg, map, x, y);
  drawEnds(svg, map, x, y);
  if (foot)
    svg.append("text").attr("class", "label").attr("text-anchor", "middle").attr("x", width / 2).attr("y", height - 10)
      .text(shorten(`${named(coordinates[0])} ${number(map.low[0])} to ${number(map.high[0])}, upwards ` +
                    `${named(coordinates[1])} ${number(map.low[1])} to ${number(map.high[1])}`, width));
  return { svg, map, plane: true, place: (p) => [x(p[0]), y(p[1])] };
}

// One coordinate: a line for every subgoal, with a mountain below when it is one.
function lineScene(body, map, coordinates, label) {
  const width = body.clientWidth, count = map.points_of_theta || 1;
  const hill = map.kind === "mountain" ? 90 : 0, height = 40 * count + hill + 50;
  const x = d3.scale.linear().domain([map.low[0], map.high[0]]).range([20, width - 20]);
  const svg = d3.select(body).append("svg").attr("width", width).attr("height", height).attr("role", "img").attr("aria-label", label);
  const foot = 40 * count + hill + 8;
  if (hill) {
    const shape = d3.range(121).map((i) => map.low[0] + (map.high[0] - map.low[0]) * i / 120);
    svg.append("path").attr("class", "cell wall sometimes")
      .attr("d", d3.svg.area().x((v) => x(v)).y0(foot).y1((v) => foot - hill * (0.5 + 0.42 * Math.sin(3 * v)))(shape));
  }
  const axis = d3.svg.axis().scale(x).orient("bottom").ticks(roomFor(x, width)).tickSize(4, 0)
    .tickFormat((v) => number(v, 4));
  svg.append("g").attr("class", "axis x").attr("transform", `translate(0,${foot})`).call(axis);
  if (coordinates)
    svg.append("text").attr("class", "label").attr("text-anchor", "middle").attr("x", width / 2).attr("y", height - 4)
      .text(clean(named(coordinates[0])));
  const row = (k) => 20 + 40 * k;
  svg.append("path").attr("class", "ground").attr("d", d3.range(count).map((k) => `M20,${row(k)}H${width - 20}`).join(""));
  return { svg, map, plane: false, place: (p, k) => [x(p[0]), row(k)] };
}

// coordinates: of the study, for the label below; null where there is none. most: pixels upwards.
export function createScene(body, map, dimension, { coordinates = null, label, most = 440 }) {
  return isPlane(map, dimension) ? planeScene(body, map, coordinates, label, most) : lineScene(body, map, coordinates, label);
}

export function drawTried(scene, trials, study) {
  const told = trials.slice(-recent), seen = told.length;
  const tried = told.flatMap((t, i) => pointsOf(thetaOf(t, study), scene.map)
    .map((p, k) => ({ at: scene.place(p, k), k, fade: 0.08 + 0.5 * (i + 1) / seen, trial: t.trial })));
  scene.svg.append("g").selectAll("circle").data(tried).enter().append("circle").attr("class", (m) => `was was-${m.k % 4}`).attr("r", 3)
    .attr("cx", (m) => m.at[0]).attr("cy", (m) => m.at[1]).attr("opacity", (m) => m.fade)
    .append("title").text((m) => `trial ${m.trial}, subgoal ${m.k + 1}`);
  return seen;
}

// thetas: one after the other; each subgoal leaves a trail.
export function drawTrail(scene, thetas, look = "trail") {
  const moved = thetas.map((theta) => pointsOf(theta, scene.map));
  if (moved.length > 1)
    moved[0].forEach((_, k) => scene.svg.append("path").attr("class", look)
      .attr("d", d3.svg.line()(moved.map((points) => scene.place(points[k], k)))));
}

// points: of a theta, or of the legs of a path.
export function drawDiscs(scene, points, what = "recommended subgoal") {
  const marks = scene.plane ? visited(points) : points;
  const group = scene.svg.append("g").selectAll("g").data(marks).enter().append("g")
    .attr("transform", (p, k) => `translate(${scene.place(p, k)})`);
  group.append("circle").attr("class", "goal-mark").attr("r", 9);
  group.append("text").attr("class", "goal-number").attr("text-anchor", "middle").attr("dy", "0.35em").text((_, k) => k + 1);
  group.append("title").text((p, k) => `${what} ${k + 1}: ${p.map((v) => number(v)).join(", ")}`);
}

// What the ground has that is not plain, for a legend.
export function groundEntries(map) {
  const shown = new Set(cellsOf(map).map((c) => c.kind));
  return [...(shown.has("w") ? [["wall sometimes", "wall in some instances"]] : []),
          ...(Object.keys(arrows).some((kind) => shown.has(kind)) ? [["one-way", "entered as its arrow says only"]] : []),
          ...(map.outline?.length ? [["outline", "obstacle"]] : [])];
}

export function createMap(root) {
  const { body, show } = panel(root, "Map", { class: "later" });
  let state = null;
  show(false);
  function draw() {
    if (!state)
      return;
    show(state.map !== null);
    if (!state.map || !body.clientWidth)
      return;
    const { map, study, trials, recommendation, moved } = state, coordinates = study.dimension / (map.points_of_theta || 1);
    body.replaceChildren();
    const scene = createScene(body, map, study.dimension, { coordinates: study.theta,
      label: "The map with the subgoals that were tried and those that are recommended" });
    const seen = drawTried(scene, trials, study);
    drawTrail(scene, moved);
    if (recommendation)
      drawDiscs(scene, pointsOf(thetaOf(recommendation, study), map));
    legend(body, [...(recommendation ? [["goal-mark", "recommended subgoal, by its number"]] : []),
                  ...(seen ? [["was", seen === 1 ? "of the only trial" : `of the last ${seen} trials, paler with age`]] : []),
                  ...(moved.length > 1 ? [["trail", "how the recommendation moved while you watched"]] : []),
                  ...groundEntries(map)]);
    if (coordinates > 2)
      body.append(make("p", { class: "quiet" }, `Points have ${coordinates} coordinates; the first two are shown.`));
  }
  whenSized(body.parentElement, draw);
  redrawWithTheme(draw);
  return { update(now) { state = now; draw(); } };
}
