// What the model expects along each coordinate, the others kept at the recommendation.
import { axes, extent, frame, legend, margin, scoreScale } from "./charts.js";
import { clean, empty, make, panel, whenSized } from "./dom.js";
import { minimises, named, number, scoreLabel, thetaOf } from "./format.js";

const d3 = window.d3;
const height = 190, most = 16, ticksShown = 400;

function drawSlice(place, slice, index, state) {
  const { study, slices } = state, coordinate = study.theta[index];
  const width = place.clientWidth, foot = height - margin.bottom;
  const places = slice.x.map((at, i) => ({ x: at, value: slice.value[i], low: slice.low[i], high: slice.high[i] }))
    .filter((p) => typeof p.value === "number");
  const banded = places.filter((p) => typeof p.low === "number" && typeof p.high === "number");
  const x = d3.scale.linear().domain([coordinate.low, coordinate.high]).range([margin.left, width - margin.right]);
  const [lowest, highest] = extent(places.map((p) => p.value), 2);
  const values = places.map((p) => p.value)
    .concat(banded.flatMap((p) => [Math.max(p.low, lowest), Math.min(p.high, highest)]));
  const { scale: y, ticks } = scoreScale(study, values, [foot, margin.top]);
  const inside = (v) => Math.max(margin.top, Math.min(foot, y(v)));
  const at = slices.theta_array[index];
  const svg = frame(place, width, height, `${clean(named(coordinate))}: recommended ${number(at)}`);
  axes(svg, width, height, x, y, [named(coordinate), "score"], ticks.filter((_, i) => ticks.length < 6 || i % 2 === 0));
  svg.append("path").attr("class", "band")
    .attr("d", d3.svg.area().x((p) => x(p.x)).y0((p) => inside(p.low)).y1((p) => inside(p.high))(banded));
  svg.append("path").attr("class", "line promise").attr("d", d3.svg.line().x((p) => x(p.x)).y((p) => inside(p.value))(places));
  svg.append("line").attr("class", "here").attr("x1", x(at)).attr("x2", x(at)).attr("y1", margin.top).attr("y2", foot);
  const own = state.recommendation; // trials that confirm it are nothing to the model
  if (typeof own?.low === "number" && typeof own?.high === "number")
    svg.append("line").attr("class", "own").attr("x1", x(at)).attr("x2", x(at)).attr("y1", inside(own.low)).attr("y2", inside(own.high));
  if (typeof own?.value === "number")
    svg.append("circle").attr("class", "own").attr("cx", x(at)).attr("cy", inside(own.value)).attr("r", 3.5);
  const tried = state.trials.filter((t) => t.state === "told").slice(-ticksShown);
  svg.append("path").attr("class", "tried")
    .attr("d", tried.map((t) => `M${x(thetaOf(t, study)[index]).toFixed(1)},${foot}v-6`).join(""));
}

export function createSlices(root) {
  const { body } = panel(root, "What the model expects", { class: "wide later" });
  let state = null;
  function draw() {
    if (!state)
      return;
    const all = state.slices?.coordinates || [];
    if (!all.length) {
      body.replaceChildren(empty(state.slices === undefined ? "Reading …" : "The model has not seen enough trials yet, or the method has no model."));
      return;
    }
    const grid = make("div", { class: "slices" });
    body.replaceChildren(grid);
    const places = all.slice(0, most).map(() => grid.appendChild(make("div", { class: "slice" })));
    places.forEach((place, i) => drawSlice(place, all[i], i, state));
    legend(body, [["line promise", `expected ${scoreLabel(state.study)} at the largest tau`], ["band", "90 % interval"],
                  ["here", "recommended"], ["tried", "tried there"]]);
    if (all.length > most)
      body.append(make("p", { class: "quiet" }, `The first ${most} of ${all.length} coordinates.`));
    body.append(make("p", { class: "quiet" }, "Along one coordinate at a time, the others kept as recommended; " +
                     `${minimises(state.study) ? "less" : "more"} is better.`));
  }
  whenSized(body, draw);
  return { update(now) { state = now; draw(); } };
}
