// A comparison of methods: what came out in words, performance over cost, differences with their intervals, learning,
// levers, paths, and what belongs to the paper where its domains were run.
import { get, insist, snapshot } from "./api.js";
import { whenDrawn } from "./charts.js";
import { byId, clean, make, panel, table } from "./dom.js";
import { findings, headline, isBesd, lastOf, rangeText, replications, spread, standfirst, titleOf } from "./findings.js";
import { duration, number, plural } from "./format.js";
import { drawLevers } from "./levers.js";
import { drawLines, lineLegend, lookOf } from "./lines.js";
import { createScene, drawDiscs, drawTrail, groundEntries, pointsOf } from "./map.js";
import { differences, tableOne } from "./paper.js";

const isNumber = (v) => typeof v === "number" && Number.isFinite(v);
const order = ["besd", "ei", "random", "hyperband", "lcb", "ql", "tql", "ei-paper"];

// Methods look the same in every domain: besd first and thick.
function looksOf(all) {
  const names = [...new Set(all.domains.flatMap((d) => d.methods.map((m) => m.method)))];
  const rank = (name) => order.includes(name) ? order.indexOf(name) : isBesd(name) ? 0.5 : order.length;
  names.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
  return new Map(names.map((name, i) => [name, { name, ...lookOf(i), strong: name === "besd" }]));
}

const unitOf = (domain) => domain.objective === "return" ? "discounted return (more is better)" : "steps to the goal (less is better)";

// Regret is averaged as its logarithm, where the optimum is known and less is better.
const showsRegret = (domain) => domain.objective !== "return" && isNumber(domain.optimum);

function seriesOf(domain, looks) {
  const regret = showsRegret(domain);
  return domain.methods.map((m) => ({ ...looks.get(m.method), points: m.curve.map((p) => regret
    ? { x: p.cost, y: Math.exp(p.log_regret), low: Math.exp(p.log_regret - p.log_regret_two_se), high: Math.exp(p.log_regret + p.log_regret_two_se) }
    : { x: p.cost, y: p.mean, low: p.mean - p.two_se, high: p.mean + p.two_se }).filter((_, i) => isNumber(regret ? m.curve[i].log_regret : m.curve[i].mean)) }))
    .sort((a, b) => a.strong - b.strong);
}

// One chart for each domain, side by side where there is room. draw(place, domain) draws one; a domain may be left out.
function charts(body, domains, draw, foot) {
  const grid = make("div", { class: "charts" }), places = domains.map((domain) => {
    const place = make("div", { class: "chart-of" });
    grid.append(make("figure", {}, make("figcaption", {}, titleOf(domain)), place));
    return place;
  });
  body.append(grid);
  if (foot)
    foot(body);
  places.forEach((place, i) => whenDrawn(place, () => {
    place.replaceChildren();
    draw(place, domains[i]);
  }));
}

function costPanel(root, all, looks) {
  const { body } = panel(root, "Performance over cost", { class: "wide" });
  const runs = replications(all), regret = all.domains.some(showsRegret);
  const hasEnd = all.domains.some((d) => isNumber(d.methods.find((m) => m.method === "besd")?.initial_design_ends_at));
  charts(body, all.domains, (place, domain) => drawLines(place, seriesOf(domain, looks), {
    labels: ["interactions", showsRegret(domain) ? "regret, steps (less is better)" : unitOf(domain)], most: domain.budget, log: showsRegret(domain),
    marks: !showsRegret(domain) && isNumber(domain.optimum) ? [{ y: domain.optimum, text: "optimum" }] : [],
    upright: domain.methods.find((m) => m.method === "besd")?.initial_design_ends_at || null,
    label: `${titleOf(domain)}: ${domain.methods.map((m) => `${m.method} ends at ${spread(lastOf(m).mean, lastOf(m).two_se)}`).join(", ")}` }),
  (place) => lineLegend(place, [...looks.values()], hasEnd ? [["here", "end of besd's initial design"]] : []));
  body.append(make("p", { class: "quiet" }, runs === 1 ? "One run of every method." : `Mean of up to ${runs} runs, band ± 2 standard errors.` +
    (regret ? " Regret is averaged as its logarithm, so these lines are geometric means: a few lost runs weigh less in them than in the tables." : "")));
}

function domainTable(domain) {
  const area = isNumber(domain.optimum), rivalry = (name) => domain.comparisons.find((c) => c.method === name);
  return table(`${titleOf(domain)}, ${unitOf(domain)}`, ["method", "runs", "at half the budget", "at the end", "besd − method", "P(besd better)", "cost ratio",
                                                         ...(area ? ["mean regret"] : [])],
               domain.methods.map((m) => {
                 const half = m.curve[Math.floor(m.curve.length / 2) - 1], end = lastOf(m), c = rivalry(m.method);
                 const against = c ? [make("span", { class: c.final.favours === "rival" ? "worse" : "" }, rangeText(c.final.difference)), rangeText(c.final.improvement),
                                      !m.optimises ? "–" : isNumber(c.cost_ratio) ? number(c.cost_ratio, 2) : "never"] : ["", "", ""];
                 return [m.method, String(m.replications), spread(half.mean, half.two_se), spread(end.mean, end.two_se), ...against, ...(area ? [number(m.area)] : [])];
               }), { text: [0], marked: (i) => domain.methods[i].method === "besd" });
}

function outcomePanel(root, all) {
  const { body } = panel(root, "What came out", { class: "wide prose" });
  body.append(...findings(all));
  return body;
}

function tablesPanel(root, all) {
  panel(root, all.domains.length > 1 ? "Domain by domain" : "In numbers", { class: "wide" }).body.append(
    make("p", { class: "quiet" }, "Mean ± two standard errors over replications. Differences, and the probability that a run of besd beats a run of the method, " +
         "have 95 % bootstrap intervals over replications. The cost ratio is the cost at which besd first has the method's final regret, divided by the cost " +
         "at which the method first has it. The mean regret is taken over the whole budget, the area under the curve."), ...all.domains.map(domainTable));
}

function profilePanel(root, all, looks) {
  if (!all.profiles.length || !all.profiles[0].shares.length)
    return;
  const { body } = panel(root, "Performance profile", { class: "wide" }), scaled = all.domains.filter((d) => d.has_scale);
  const series = all.profiles.map((p) => ({ ...looks.get(p.method), points: p.shares.map((s) => ({ x: s.threshold, y: s.value, low: s.low, high: s.high })) }));
  const place = body.appendChild(make("div", {}));
  whenDrawn(place, () => {
    place.replaceChildren();
    drawLines(place, series, { labels: ["normalised score", "share of runs above it"], most: 1, from: 0, label: "Share of runs above a normalised score; the table has the means" });
  });
  lineLegend(body, series);
  body.append(make("p", { class: "quiet" }, `A score of 0 is learning without subgoals, 1 the best policy there is; ${scaled.map(titleOf).join(", ")} together, with 95 % ` +
                   "bootstrap intervals."),
              table("Interquartile mean of the normalised score", ["method", "interquartile mean", "mean"],
                    all.profiles.map((p) => [p.method, rangeText(p.iqm), rangeText(p.mean)]), { text: [0] }));
}

function learningPanel(root, all) {
  const domains = all.domains.filter((d) => d.learning.points.some((p) => isNumber(p.plain) || isNumber(p.mean)));
  if (!domains.length)
    return;
  const { body } = panel(root, "Learning with and without subgoals", { class: "wide" });
  const series = (domain) => [{ name: "no subgoals", ...lookOf(5), points: domain.learning.points.map((p) => ({ x: p.interactions, y: p.plain })) },
                              { name: "besd's recommendations", ...lookOf(0), strong: true, points: domain.learning.points.filter((p) => isNumber(p.mean))
                                .map((p) => ({ x: p.interactions, y: p.mean, low: p.mean - p.two_se, high: p.mean + p.two_se })) }];
  charts(body, domains, (place, domain) => drawLines(place, series(domain), {
    labels: ["interactions with an instance", unitOf(domain)], most: domain.learning.points[domain.learning.points.length - 1].interactions, from: 0,
    marks: isNumber(domain.learning.optimum) ? [{ y: domain.learning.optimum, text: "optimum" }] : [],
    label: `${titleOf(domain)}: learning with besd's recommendations and without subgoals` }),
  (place) => lineLegend(place, series(domains[0]).reverse()));
}

function leversPanel(root, all) {
  const domains = all.domains.filter((d) => d.levers.length);
  if (domains.length)
    charts(panel(root, "What besd paid for", { class: "wide" }).body, domains, (place, domain) => drawLevers(place, domain.levers, domain.budget));
}

function pathsPanel(root, all) {
  const domains = all.domains.filter((d) => d.map && d.paths.some((run) => run.length));
  if (!domains.length)
    return;
  const { body } = panel(root, "Where the recommendations went", { class: "wide" }), runs = Math.max(...domains.map((d) => d.paths.length));
  charts(body, domains, (place, domain) => {
    const dimension = domain.paths.find((run) => run.length)[0].theta.length;
    const scene = createScene(place, domain.map, dimension, { label: `${titleOf(domain)}: how besd's recommendations moved as cost grew`, most: 340 });
    domain.paths.filter((run) => run.length).forEach((run, i) => {
      const first = run.filter((p) => !(p.cost < (domain.methods.find((m) => m.method === "besd").initial_design_ends_at || 0)));
      drawTrail(scene, (first.length ? first : run.slice(-1)).map((p) => p.theta), `trail run-${i}`);
      if (i === 0)
        drawDiscs(scene, pointsOf(run[run.length - 1].theta, domain.map), "final subgoal of the first run");
    });
  });
  const entries = new Map(domains.flatMap((d) => groundEntries(d.map)));
  body.append(make("p", { class: "quiet" }, `Lines: ${plural(runs, "run")} of besd after the initial design, a colour each. Discs: where the first run ended.` +
                   (entries.size ? ` Pale: ${[...entries.values()].join("; ")}.` : "")));
}

// What is on the drawings of gnuplot; those that do not say so themselves have it below.
const drawings = {
  surface: ["An instance with besd's best recommendation, and what goal and subgoals pay. Only the potential of the next subgoal is in force at a time.", true],
  values: ["What one agent has learnt with the best recommendation: the largest action value and the greedy move of every cell it has been to, at each stage."],
  slices: ["What the model of a study believes after 300 000 interactions with GW10: steps to the goal along each coordinate, the others kept at the recommendation."],
};

function picturesPanel(root, pictures) {
  const names = Object.keys(drawings).filter((name) => /^data:image\//.test(pictures?.[name] || ""));
  if (names.length)
    panel(root, "What the subgoals do", { class: "wide" }).body.append(...names.map((name) =>
      make("figure", { class: "drawn" }, make("img", { src: pictures[name], alt: drawings[name][0] }),
           drawings[name][1] ? make("figcaption", {}, drawings[name][0]) : null)));
}

// A word as a shell reads it, because readers copy the command.
const quoted = (word) => /^[\w\-+=:,./@%]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;

function commandOf(all, making) {
  if (making?.command)
    return making.command;
  const first = all.domains[0], settings = [];
  for (const domain of all.domains)
    for (const word of domain.identity.split(" ").slice(1))
      if (!word.startsWith("constants=") && !settings.includes(word))
        settings.push(word);
  const budget = all.domains.every((d) => d.budget === first.budget) ? ` --budget ${first.budget}` : "";
  return `besd compare ${all.domains.map((d) => quoted(d.domain)).join(" ")}${settings.map((s) => s.startsWith("map=") ? " --map FILE" : ` --set ${quoted(s)}`).join("")} ` +
         `--methods ${first.methods.map((m) => quoted(m.method)).join(",")}${budget} --replications ${replications(all)} --test ${first.test_instances} --seed ${first.seed} --out DIR`;
}

function makingPanel(root, all, making) {
  const { body } = panel(root, "What was run", { class: "wide prose" });
  body.append(make("p", {}, make("code", {}, commandOf(all, making))));
  if (all.domains.some((d) => !d.built_in))
    body.append(make("p", {}, "Domains that besd does not bring along are called by name; in a command their file or command stands in place of it."));
  if (making)
    body.append(make("p", {}, `${snapshot ? `besd ${snapshot.version}, s` : "S"}eed ${all.domains[0].seed}, on ${making.processor} with ${plural(making.cores, "core")} (${making.system}).` +
                     (making.seconds >= 1 ? ` Running it took ${duration(making.seconds)} in all.` : "")));
  body.append(make("p", {}, `Every method spends interactions with training instances; at forty points of its budget the design that it would recommend there is tested on ` +
                   `${number(all.domains[0].test_instances)} fresh instances, the same for all methods and replications.` +
                   (all.domains.some((d) => isNumber(d.optimum)) ? " Regret is what the best policy would have done better on these very instances, by exact solution." : "")),
              table(all.domains.length > 1 ? "The domains" : "The domain", ["domain", "measure", "budget, interactions", "optimum", "without subgoals", "methods", "replications"],
                    all.domains.map((d) => [titleOf(d), d.objective, number(d.budget, 12), number(d.optimum), number(d.plain), String(d.methods.length),
                                            String(Math.max(...d.methods.map((m) => m.replications)))]), { text: [0, 1] }));
}

function filesPanel(root) {
  panel(root, "The numbers", { class: "wide prose" }).body.append(make("p", {},
    "The folder of the comparison has more files, which may not come with a copy of this page: curves.csv, learning.csv and trials.csv hold every measurement, " +
    "summary.csv, comparisons.csv and profile.csv what is drawn, reach.csv the cost at which every method reaches a regret, table1.csv the table, summary.json all " +
    "that this page has, results.besd (SQLite) the source of them. ‘besd plot’ draws the figures as svg, pdf or png."));
}

// name: of a comparison that is served; null: the one that this file has.
export async function showComparison(root, name, onState) {
  onState("connecting");
  const all = snapshot ? snapshot.documents.comparison : await insist(() => get(`/v1/comparisons/${encodeURIComponent(name)}`), onState);
  const making = snapshot?.documents.making, looks = looksOf(all), grid = make("div", { class: "panels" });
  onState("live");
  if (!name) {
    byId("title").textContent = clean(headline(all));
    document.title = clean(headline(all));
  }
  root.replaceChildren(grid);
  grid.append(make("section", { class: "headline", "aria-label": "Outcome" }, make("p", { class: "lead" }, standfirst(all))));
  outcomePanel(grid, all);
  if (window.d3)
    costPanel(grid, all, looks);
  tablesPanel(grid, all);
  if (window.d3) {
    profilePanel(grid, all, looks);
    pathsPanel(grid, all);
    learningPanel(grid, all);
  }
  const paper = tableOne(all);
  if (paper.length)
    panel(grid, "Against the paper", { class: "wide prose" }).body.append(...paper);
  if (window.d3)
    leversPanel(grid, all);
  picturesPanel(grid, snapshot?.documents.pictures);
  makingPanel(grid, all, making);
  if (all.domains.some((d) => d.built_in))
    panel(grid, "Where this differs from the paper, and why", { class: "wide prose" }).body.append(differences(all));
  filesPanel(grid);
  performance.mark("drawn");
}
