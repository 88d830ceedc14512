// Which levers were paid for as cost grew: the shares of (tau, reps) among trials, tenth by tenth of the cost. The same
// picture for one study and for all runs of besd in a comparison.
import { axes, frame, legend, margin, redrawWithTheme, tauColours } from "./charts.js";
import { panel, whenSized } from "./dom.js";
import { number, plural } from "./format.js";

const d3 = window.d3;
const tenths = 10;

// pairs: [{tau, reps, trials: [tenths]}]; opacity tells reps apart, the colour tau.
export function drawLevers(place, pairs, most, height = 220) {
  const width = place.clientWidth, foot = height - margin.bottom, taus = [...new Set(pairs.map((p) => p.tau))];
  const reps = [...new Set(pairs.map((p) => p.reps))].sort((a, b) => a - b), colours = tauColours(taus);
  const faint = (p) => reps.length > 1 ? 0.45 + 0.55 * reps.indexOf(p.reps) / (reps.length - 1) : 1;
  const x = d3.scale.linear().domain([0, most]).range([margin.left, width - margin.right]);
  const y = d3.scale.linear().domain([0, 1]).range([foot, margin.top]);
  const svg = frame(place, width, height, `Shares of ${plural(pairs.length, "pair")} of tau and reps among trials, as cost grows`);
  axes(svg, width, height, x, y, ["cost", "share of trials"], [0, 0.5, 1]);
  const lower = new Array(tenths).fill(0), total = d3.range(tenths).map((b) => d3.sum(pairs, (p) => p.trials[b]));
  for (const pair of pairs)
    d3.range(tenths).filter((b) => pair.trials[b]).forEach((b) => {
      const upper = lower[b] + pair.trials[b] / total[b], left = x(most * (b + 0.04) / tenths);
      svg.append("rect").attr("class", "lever").attr("fill", colours.get(pair.tau)).attr("fill-opacity", faint(pair)).attr("x", left)
        .attr("width", Math.max(1, x(most * (b + 0.96) / tenths) - left)).attr("y", y(upper)).attr("height", Math.max(0, y(lower[b]) - y(upper)))
        .append("title").text(`tau ${number(pair.tau)} × ${pair.reps}: ${plural(pair.trials[b], "trial")} of ${total[b]}`);
      lower[b] = upper;
    });
  legend(place, [...[...colours].map(([tau, colour]) => ["dot", `tau ${number(tau)}`, colour]),
                 ...(reps.length > 1 ? [["", `paler: fewer replications (${reps.join(", ")})`]] : [])]);
}

// Trials in the order in which they ended, by tenths of what they cost together.
function pairsOf(trials) {
  const ended = trials.filter((t) => t.state === "told" && t.reason !== "added").sort((a, b) => (a.ended_at || 0) - (b.ended_at || 0) || a.trial - b.trial);
  const all = d3.sum(ended, (t) => t.cost || 0), pairs = new Map();
  let spent = 0;
  for (const t of ended) {
    spent += t.cost || 0;
    const key = `${t.tau} ${t.reps}`;
    if (!pairs.has(key))
      pairs.set(key, { tau: t.tau, reps: t.reps, trials: new Array(tenths).fill(0) });
    pairs.get(key).trials[Math.min(tenths - 1, Math.floor(tenths * (all ? (spent - (t.cost || 0) / 2) / all : 0)))]++;
  }
  return { all, pairs: [...pairs.values()].sort((a, b) => a.reps - b.reps || a.tau - b.tau) };
}

export function createLevers(root) {
  const { body, show } = panel(root, "What was paid for", { class: "later" });
  let state = null;
  show(false);
  function draw() {
    if (!state)
      return;
    const { all, pairs } = pairsOf(state.trials);
    show(pairs.length > 1);
    if (pairs.length < 2 || !body.clientWidth)
      return;
    body.replaceChildren();
    drawLevers(body, pairs, Math.max(all, 1e-9));
  }
  whenSized(body.parentElement, draw);
  redrawWithTheme(draw);
  return { update(now) { state = now; draw(); } };
}
