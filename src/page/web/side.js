// Several studies side by side: what they recommend, what they found on the way, and in which settings they differ.
import { get, getIfThere, studyPath } from "./api.js";
import { whenDrawn } from "./charts.js";
import { clean, empty, make, panel, table } from "./dom.js";
import { cost, interval, minimises, named, number, plural, tauMax, thetaOf } from "./format.js";
import { drawLines, lineLegend, lookOf } from "./lines.js";
import { overCost } from "./points.js";
import { settingsOf, shown } from "./settings.js";

async function read(name) {
  const path = studyPath(name);
  try {
    const [study, { trials }] = [await get(path), await get(`${path}/trials`)];
    return { name, study, trials, recommendation: await getIfThere(`${path}/recommend`) };
  } catch (error) {
    const listed = (await get("/v1/studies")).studies.find((study) => study.name === name);
    return { name, error: listed?.error || error.message };
  }
}

const spaceOf = (one) => JSON.stringify(one.study.theta.map((c) => [c.name, c.unit]));
const same = (all, what) => all.every((one) => what(one) === what(all[0]));

// The best mean score of a told trial at the largest tau, over cost.
function bestSoFar({ study, trials }) {
  const top = tauMax(study), sign = minimises(study) ? 1 : -1, points = [];
  let best = null;
  for (const { trial, cost: at } of overCost(trials)) {
    if (trial.state === "told" && trial.tau === top && (best === null || sign * (trial.mean - best) < 0))
      best = trial.mean;
    if (best !== null)
      points.push({ x: at, y: best });
  }
  return points;
}

function results(all, linkOf) {
  const same_space = same(all, spaceOf), first = all[0].study;
  const heads = ["study", "method", "model", "seed", "told", "cost", "expected score", "90 % interval", "best single trial",
                 ...(same_space ? first.theta.map(named) : [])];
  const rows = all.map((one) => {
    const { study, recommendation: r } = one, best = bestSoFar(one), o = study.options || {};
    const failed = study.trials?.failed ? ` (${study.trials.failed} failed)` : "";
    return [make("a", { href: linkOf(one.name) }, one.name), o.method ?? "–", o.model ?? "–", shown(o.seed), `${study.trials?.told ?? 0}${failed}`, cost(study.spent),
            r ? number(r.value) : "–", r && typeof r.low === "number" ? interval(r.low, r.high) : "–", best.length ? number(best[best.length - 1].y) : "–",
            ...(same_space ? study.theta.map((_, i) => r ? number(thetaOf(r, study)[i]) : "–") : [])];
  });
  const words = [make("p", { class: "quiet" }, "The expected score is that of the recommended design at the largest tau, by all trials of a study. The best " +
                      "single trial is the best mean score at the largest tau, luck included.")];
  if (!same_space)
    words.push(make("p", { class: "quiet" }, "The recommended coordinates are left out, because the studies do not have the same, in the same units."));
  return [table("", heads, rows, { text: [0, 1, 2] }), ...words];
}

function differences(all) {
  const settings = all.map((one) => {
    const { changed, others } = settingsOf(one.study);
    return new Map([["space", one.study.theta.map((c) => `${named(c)} ${number(c.low)} to ${number(c.high)}`).join(", ")],
                    ["direction", one.study.direction], ["budget", one.study.budget], ...changed, ...others]
      .map(([name, value]) => [name, shown(value)]));
  });
  const names = [...new Set(settings.flatMap((s) => [...s.keys()]))].filter((name) => name !== "seed");
  const differing = names.filter((name) => new Set(settings.map((s) => s.get(name) ?? "–")).size > 1);
  if (!differing.length)
    return [make("p", {}, new Set(settings.map((s) => s.get("seed"))).size > 1 ? "The studies have the same options but for their seeds."
                                                                               : "The studies have the same options.")];
  return [table("", ["setting", ...all.map((one) => one.name)], differing.map((name) => [name, ...settings.map((s) => s.get(name) ?? "–")]),
                { text: [0, ...all.map((_, i) => i + 1)], wraps: true })];
}

function createLinesPanel(root, all) {
  const { body } = panel(root, "Best so far over cost", { class: "wide" });
  const drawable = all.filter((one) => bestSoFar(one).length);
  const reason = !drawable.length ? "There is no figure: nothing has been told at the largest tau yet."
    : !same(all, (one) => one.study.direction) ? "There is no figure: the studies differ in direction, and their scores have no axis in common." : null;
  whenDrawn(body, () => {
    body.replaceChildren();
    if (reason || !window.d3) {
      body.append(empty(reason || "This besd was built without d3, so it draws no charts."));
      return;
    }
    const series = drawable.map((one, i) => ({ name: one.name, ...lookOf(i), points: bestSoFar(one) }));
    const log = drawable.every((one) => one.study.options?.transform === "log"), last = Math.max(...series.flatMap((s) => s.points.map((p) => p.x)));
    series.forEach((s) => s.points.push({ x: last, y: s.points[s.points.length - 1].y }));
    drawLines(body, series, { labels: ["cost", `score (${minimises(all[0].study) ? "less" : "more"} is better)`], most: last, log, steps: true,
                              label: `The best mean score so far of ${plural(series.length, "study")}`.replace("studys", "studies") });
    lineLegend(body, series);
  });
}

export async function showSide(root, names, linkOf) {
  const all = await Promise.all(names.map(read)), good = all.filter((one) => one.study), bad = all.filter((one) => one.error);
  const grid = make("div", { class: "panels" }), told = good.reduce((sum, one) => sum + (one.study.trials?.told || 0), 0);
  root.replaceChildren(grid);
  grid.append(make("section", { class: "headline", "aria-label": "Outcome" },
    make("p", { class: "lead" }, `${all.length} studies side by side: ${plural(told, "told trial")} at a cost of ${cost(good.reduce((sum, one) => sum + one.study.spent, 0))}.`),
    ...bad.map((one) => make("p", { class: "remark" }, make("strong", {}, one.name), ` cannot be read: ${clean(one.error)}`))));
  if (!good.length)
    return;
  panel(grid, "What they recommend", { class: "wide" }).body.append(...results(good, linkOf));
  createLinesPanel(grid, good);
  panel(grid, "In what they differ", { class: "wide" }).body.append(...differences(good));
}
