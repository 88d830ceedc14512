// Why the newest trial was chosen: the knowledge gradient of every pair of levers, as bars.
import { empty, make, panel } from "./dom.js";
import { cost, design, number, reasons, thetaOf } from "./format.js";

function bars(levers, chosen) {
  const most = Math.max(...levers.map((l) => l.kg_per_cost || 0));
  const rows = levers.map((l) => {
    const is = chosen && l.tau === chosen.tau && l.reps === chosen.reps;
    const share = most > 0 ? (l.kg_per_cost || 0) / most : 0;
    return make("tr", { class: is ? "chosen" : "" }, make("th", { scope: "row", class: "number" }, number(l.tau)),
                make("td", { class: "number" }, number(l.reps)), make("td", { class: "number" }, cost(l.cost)),
                make("td", { class: "number" }, number(l.kg, 3)),
                make("td", { class: "track" }, make("meter", { min: 0, max: 1, value: share, "aria-hidden": "true" })),
                make("td", { class: "number" }, `${number(l.kg_per_cost, 3)}${is ? " ←" : ""}`));
  });
  const heads = ["tau", "reps", "cost", "kg", "", "kg per cost"];
  return make("div", { class: "scroll" },
              make("table", { class: "small", "aria-label": "Knowledge gradient of every pair of levers" },
                   make("thead", {}, make("tr", {}, heads.map((text) => make("th", { scope: "col", class: "number" }, text)))),
                   make("tbody", {}, rows)));
}

export function createWhy(root) {
  const { body } = panel(root, "Why the newest trial was chosen", { class: "later" });
  return {
    update({ study, trials, explanation: answer }) {
      const x = answer && { trial: answer.trial, ...(answer.explanation || answer) };
      const newest = trials.length ? trials[trials.length - 1] : null;
      const chosen = x?.trial ? trials.find((t) => t.trial === x.trial) : newest;
      if (!chosen) {
        body.replaceChildren(empty("No trial has been asked for. Workers ask with ‘besd ask’, ‘besd run’ or " +
                                   "POST …/ask."));
        return;
      }
      const parts = [make("p", {}, `Trial ${chosen.trial}: `, make("strong", {}, reasons[chosen.reason] || chosen.reason),
                          `; tau ${number(chosen.tau)}, ${chosen.reps} replications, ${design(thetaOf(chosen, study), study)}.`)];
      if (x?.why)
        parts.push(make("p", {}, x.why));
      if (x?.levers?.length)
        parts.push(bars(x.levers, chosen),
                   make("p", { class: "quiet" }, "kg: how much better the recommendation is expected to be after such a " +
                        "trial at the chosen place, on the model’s scale. The largest kg per cost is taken."));
      else
        parts.push(make("p", { class: "quiet" }, "Levers are not weighed against each other for such a trial, or it was " +
                        "asked without explanation."));
      body.replaceChildren(...parts);
    },
  };
}
