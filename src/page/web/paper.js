// What belongs to the paper alone: its Table 1, and where besd's experiments differ from it, and why.
import { make, table } from "./dom.js";
import { number } from "./format.js";

const columns = ["gw10", "gw20", "tr", "mc", "key2", "key3"];
const isNumber = (v) => typeof v === "number" && Number.isFinite(v);

// Elements; none where no domain of the paper was run.
export function tableOne(all) {
  const { rows, cells, at_least_as_good } = all.table1, used = columns.filter((name) => isNumber(rows[0]?.[name]));
  if (!used.length)
    return [];
  const stepOf = (name) => all.domains.find((d) => d.identity === name || d.domain === name)?.checkpoint;
  const hasTr = used.includes("tr"), good = (row, name) => name === "tr" ? row[name] >= row.paper[name] : row[name] <= row.paper[name];
  const cell = (row, name) => make("span", {}, good(row, name) ? make("strong", {}, row[name].toFixed(3)) : row[name].toFixed(3),
                                   ` (${number(row.paper[name], 3)})`);
  return [make("h3", {}, "The paper's Table 1"),
          make("p", {}, "Performance with besd's final recommendations, divided by that without subgoals, in the test instances and four times as many more. " +
               "Rows count the interactions of an agent with its instance in units of m, which the paper chose for each domain. " +
               (!hasTr ? "Less is better." : cells ? "Less is better, for TR more." : "More is better.")),
          table("Ours (the paper's)", ["interactions", ...used.map((name) => `${name.toUpperCase()}, m = ${number(stepOf(name))}`),
                                       ...(hasTr ? ["TR, return", "TR, small random start"] : [])],
                rows.map((row) => [`${row.interactions_in_m} m`, ...used.map((name) => cell(row, name)),
                                   ...(hasTr ? [number(row.tr_return), number(row.tr_small_random, 3)] : [])])),
          ...(cells ? [make("p", {}, `${hasTr ? "Outside TR ours" : "Ours"} is at least as good as the paper's in ${at_least_as_good} of ${cells} cells (bold).`)] : [])];
}

// A note concerns a comparison that has one of these methods (with any options) and one of these domains; null: any.
const notes = [
  [null, null, "One instance per trial, for every method.", "All replications of a trial share an instance, as the paper's text says. In the authors' code " +
   "besd drew a new instance for each replication and the baselines did not."],
  [null, ["gw10", "gw20", "tr", "key2", "key3"], "A blocked move is a bump.", "It costs a step and leaves the agent where it is, so step counts without " +
   "subgoals are higher than with an agent that never tries one."],
  [null, ["mc"], "MC has the paper's sparse reward,", "nothing before the goal. Plain Q-learning then rarely reaches it, and its curve is near the cap. The " +
   "discount is 0.98 and the width of the potential 2, with which tile-coded agents learn; the paper's width is 10."],
  [["besd"], ["tr"], "TR's ratio depends on how plain Q-learning starts.", "With zeros it sometimes finds the goal, with small random values hardly ever, " +
   "because an agent that prefers to bump into a wall goes on doing so, and the ratio changes by orders of magnitude. The return is the figure to look at."],
  [["hyperband", "hyperband-paper"], null, "Hyperband's unit is the shortest training length,", "capped at the longest. hyperband-paper is the authors' " +
   "reading: half of the longest, uncapped, best over all lengths."],
  [["ei", "ei-paper"], null, "EI is the modern form", "(logarithmic, one length scale per coordinate); ei-paper is the one the authors ran, with one length " +
   "scale for all coordinates and no prior. Otherwise both share besd's model."],
  [["random"], null, "random keeps its best design so far;", "the paper's figure shows the latest one, which is random:selection=latest."],
  [["besd"], null, "besd differs from the paper's in six ways:", "every trial of the initial design has a theta of its own (besd:initial_crossed=true is the " +
   "paper's) and the fewest replications (besd:initial_reps=max: the most), theta is refined between the points of the discretisation (besd:discrete=true: " +
   "not), a quarter of the trials explore until two thirds of the budget are spent (besd:explore=0: none), it recommends by mean minus standard deviation " +
   "(besd:caution=0: by the mean), and its prior makes it costly to believe that short and full trainings contradict each other."],
  [["besd"], ["key2", "key3"], "Key ratios are read up to 10 m = 5000 interactions, as in the paper's Table 1,", "which is five times the training length " +
   "that the designs were optimised for."],
  [["besd"], ["key2"], "In KEY2 these two lengths want different designs.", "The left key, then a place above the right one (the paper's behaviour B) takes " +
   "270 steps after 1000 interactions and 30 after 5000; the best pair after 1000 takes 130, and after 5000 still 130."],
];

const isListed = (name, list) => list.includes(name.split(":")[0]);

export function differences(all) {
  const concerns = ([methods, domains]) => all.domains.some((d) => (!domains || (domains.includes(d.identity) && d.built_in)) &&
                                                                  (!methods || d.methods.some((m) => isListed(m.method, methods))));
  return make("ul", { class: "notes" }, notes.filter(concerns).map(([, , begin, rest]) => make("li", {}, make("strong", {}, begin), ` ${rest}`)));
}
