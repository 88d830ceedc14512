// Several lines in one chart, with bands and names at their ends: studies or methods side by side.
import { axes, colourOf, extent, frame, legend, margin } from "./charts.js";
import { clean, make } from "./dom.js";
import { number } from "./format.js";

const d3 = window.d3;
const isNumber = (v) => typeof v === "number" && Number.isFinite(v);

// How lines are told apart, also in grey: a colour and a dash each.
const looks = ["", "7,3", "2,3", "9,3,2,3", "4,2,1,2", "12,4", "1,3", "6,2,2,2,2,2"];
export const lookOf = (i) => ({ colour: colourOf(`--line-${i % 8}`), dash: looks[i % looks.length] });

function scaleY(series, { log, marks = [], from }, range) {
  const core = series.flatMap((s) => s.points.map((p) => p.y)).concat(marks.map((m) => m.y)).filter(isNumber);
  const [lowest, highest] = extent(core, 1); // wide bands must not flatten the lines
  const shown = core.concat(series.flatMap((s) => s.points.flatMap((p) => [p.low, p.high]))
    .filter((v) => isNumber(v) && v >= lowest && v <= highest)).filter((v) => !log || v > 0);
  if (!log || !shown.length) {
    const scale = d3.scale.linear().domain(extent(from === undefined ? shown : [from, ...shown])).range(range);
    return { scale, ticks: scale.ticks(5) };
  }
  const low = d3.min(shown) / 1.1, high = d3.max(shown) * 1.1, scale = d3.scale.log().domain([low, high]).range(range);
  const ticks = d3.range(Math.floor(Math.log10(low)), Math.ceil(Math.log10(high)) + 1)
    .flatMap((decade) => (high / low > 200 ? [1] : [1, 2, 5]).map((digit) => digit * 10 ** decade)).filter((t) => t >= low && t <= high);
  return { scale, ticks: ticks.length > 1 ? ticks : d3.scale.linear().domain([low, high]).ticks(4) };
}

// series: [{name, colour, dash, strong, points: [{x, y, low, high}]}]; marks: [{y, text}] are levels across.
export function drawLines(place, series, { labels, most, label, log = false, marks = [], steps = false, from, upright = null, height = 260 }) {
  const width = place.clientWidth, foot = height - margin.bottom, right = width - margin.right;
  const x = d3.scale.linear().domain([0, Math.max(most, 1e-9)]).range([margin.left, right]);
  const { scale: y, ticks } = scaleY(series, { log, marks, from }, [foot, margin.top]);
  const inside = (v) => Math.max(margin.top, Math.min(foot, y(log ? Math.max(v, 1e-12) : v)));
  const svg = frame(place, width, height, label), kind = steps ? "step-after" : "linear";
  axes(svg, width, height, x, y, labels, ticks);
  for (const mark of marks) {
    svg.append("line").attr("class", "level").attr("x1", margin.left).attr("x2", right).attr("y1", inside(mark.y)).attr("y2", inside(mark.y));
    svg.append("text").attr("class", "label").attr("x", right).attr("y", inside(mark.y) - 4).attr("text-anchor", "end").text(clean(mark.text));
  }
  if (upright)
    svg.append("line").attr("class", "level").attr("x1", x(upright)).attr("x2", x(upright)).attr("y1", margin.top).attr("y2", foot);
  const band = d3.svg.area().x((p) => x(p.x)).y0((p) => inside(p.low)).y1((p) => inside(p.high)).interpolate(kind);
  const line = d3.svg.line().defined((p) => isNumber(p.y)).x((p) => x(p.x)).y((p) => inside(p.y)).interpolate(kind);
  for (const s of series)
    svg.append("path").attr("fill", s.colour).attr("fill-opacity", s.strong ? 0.24 : 0.11)
      .attr("d", band(s.points.filter((p) => isNumber(p.low) && isNumber(p.high))) || "M0,0");
  for (const s of series)
    svg.append("path").attr("fill", "none").attr("stroke", s.colour).attr("stroke-width", s.strong ? 2.6 : 1.6)
      .attr("stroke-dasharray", s.dash || null).attr("d", line(s.points) || "M0,0")
      .append("title").text(`${clean(s.name)}: ${number(s.points.length ? s.points[s.points.length - 1].y : NaN)} at the end`);
}

// The names of lines with a piece of each, as they are drawn.
export function lineLegend(place, series, more = []) {
  const list = make("ul", { class: "legend" }, series.map((s) => {
    const item = make("li", {}), svg = d3.select(item).append("svg").attr("width", 30).attr("height", 10).attr("aria-hidden", "true");
    svg.append("path").attr("d", "M0,5H30").attr("stroke", s.colour).attr("stroke-width", s.strong ? 2.6 : 1.6).attr("stroke-dasharray", s.dash || null);
    item.append(clean(s.name));
    return item;
  }));
  place.append(list);
  if (more.length)
    legend(place, more);
}
