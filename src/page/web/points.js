// Every told trial as a point over cost: the colour is tau, the size the number of replications. On
// a canvas, because thousands of elements would be slow.
import { axes, colourOf, frame, legend, margin, redrawWithTheme, scoreScale, tauColours } from "./charts.js";
import { empty, make, panel, say, whenSized } from "./dom.js";
import { cost, number, scoreLabel } from "./format.js";

const d3 = window.d3;
const height = 280;

// Told and voided trials with the cost that was spent when they ended.
export function overCost(trials) {
  const ended = trials.filter((t) => t.state === "told" || t.state === "failed" || t.state === "voided");
  ended.sort((a, b) => (a.ended_at || 0) - (b.ended_at || 0) || a.trial - b.trial);
  let spent = 0;
  return ended.map((trial) => ({ trial, cost: spent += trial.cost || 0 }))
    .filter(({ trial }) => typeof trial.mean === "number");
}

function radiusOf(study) {
  const most = Math.sqrt(Math.max(...study.reps));
  return (reps) => 2 + 4.5 * Math.sqrt(reps) / most;
}

function paint(canvas, width, points, x, y, study) {
  const ratio = window.devicePixelRatio || 1, colours = tauColours(study.tau), radius = radiusOf(study);
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  pen.lineWidth = 0.75;
  for (const { trial, cost: at } of points) {
    const colour = colours.get(trial.tau) || colourOf("--quiet");
    pen.beginPath();
    pen.arc(x(at), y(trial.mean), radius(trial.reps), 0, 2 * Math.PI);
    if (trial.state === "voided") {
      pen.globalAlpha = 0.8;
      pen.strokeStyle = colour;
      pen.stroke();
    } else {
      pen.globalAlpha = 0.72;
      pen.fillStyle = colour;
      pen.fill();
      pen.globalAlpha = 1;
      pen.strokeStyle = colourOf("--panel");
      pen.stroke();
    }
  }
}

function describe({ trial, cost: at }) {
  return `Trial ${trial.trial}: mean ${number(trial.mean)} of ${trial.reps} at tau ${number(trial.tau)}, cost so far ` +
         `${cost(at)}${trial.state === "voided" ? ", voided" : ""}`;
}

export function createPoints(root) {
  const { body } = panel(root, "Trials over cost", { class: "later" });
  let state = null;

  function draw() {
    if (!state)
      return;
    const { study } = state, points = overCost(state.trials);
    if (!points.length) {
      body.replaceChildren(empty("Points appear as soon as trials are told."));
      return;
    }
    const chart = make("div", { class: "chart" }), canvas = make("canvas", { "aria-hidden": "true" });
    const said = make("p", { class: "quiet readout" }, "Point at a trial to read it.");
    body.replaceChildren(chart);
    const width = body.clientWidth;
    const x = d3.scale.linear().domain([0, Math.max(points[points.length - 1].cost, 1e-9)]).range([margin.left, width - margin.right]);
    const { scale: y, ticks } = scoreScale(study, points.map((p) => p.trial.mean), [height - margin.bottom, margin.top]);
    const svg = frame(chart, width, height, `${points.length} trials over cost; the table below lists them`);
    axes(svg, width, height, x, y, ["cost", scoreLabel(study)], ticks);
    chart.append(canvas);
    paint(canvas, width, points, x, y, study);
    const tree = d3.geom.quadtree().x((p) => x(p.cost)).y((p) => y(p.trial.mean))(points);
    chart.addEventListener("pointermove", (event) => {
      const box = chart.getBoundingClientRect();
      const near = tree.find([event.clientX - box.left, event.clientY - box.top]);
      say(said, near ? describe(near) : "");
    });
    const colours = tauColours(study.tau), used = [...colours].filter(([tau]) => points.some((p) => p.trial.tau === tau));
    const entries = used.map(([tau, colour]) => ["dot", `tau ${number(tau)}`, colour]);
    if (study.reps.length > 1)
      entries.push(["", `larger: more replications (${Math.min(...study.reps)} to ${Math.max(...study.reps)})`]);
    if (points.some((p) => p.trial.state === "voided"))
      entries.push(["ring", "voided"]);
    legend(body, entries);
    body.append(said);
  }
  whenSized(body, draw);
  redrawWithTheme(draw);
  return { update(now) { state = now; draw(); } };
}
