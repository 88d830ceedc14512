// Why the newest trial was chosen, in words; the knowledge gradient of every pair of levers as bars; what its legs could teach.
import { empty, make, panel, table } from "./dom.js";
import { cost, design, number, reasons, states, thetaOf } from "./format.js";
import { taught } from "./legs.js";

function bars(levers, chosen) {
  const most = Math.max(...levers.map((l) => l.kg_per_cost || 0));
  const is = (l) => chosen && l.tau === chosen.tau && l.reps === chosen.reps;
  const meter = (l) => make("meter", { min: 0, max: 1, value: most > 0 ? (l.kg_per_cost || 0) / most : 0, "aria-hidden": "true" });
  return table("Knowledge gradient of every pair of levers", ["tau", "reps", "cost", "kg", "share", "kg per cost"],
               levers.map((l) => [number(l.tau), number(l.reps), cost(l.cost), number(l.kg, 3), meter(l), `${number(l.kg_per_cost, 3)}${is(l) ? " ←" : ""}`]),
               { marked: (i) => is(levers[i]) });
}

function words(trial, study) {
  return make("p", {}, `Trial ${trial.trial} (${states[trial.state] || trial.state}): `, make("strong", {}, reasons[trial.reason] || trial.reason),
              `; tau ${number(trial.tau)}, ${trial.reps} replication${trial.reps === 1 ? "" : "s"}, ${design(thetaOf(trial, study), study)}.`);
}

export function createWhy(root) {
  const { body } = panel(root, "Why the newest trial was chosen", { class: "later" });
  return {
    update({ study, trials, explanation: answer, legs }) {
      const x = answer && { trial: answer.trial, ...(answer.explanation || answer) };
      const newest = trials.length ? trials[trials.length - 1] : null;
      const chosen = (x?.trial && trials.find((t) => t.trial === x.trial)) || newest;
      if (!chosen) {
        body.replaceChildren(empty("No trial has been asked for. Workers ask with ‘besd ask’, ‘besd run’ or POST …/ask."));
        return;
      }
      const parts = [words(chosen, study)];
      if (x?.why && x.trial === chosen.trial)
        parts.push(make("p", {}, x.why));
      if (x?.levers?.length)
        parts.push(bars(x.levers, chosen),
                   make("p", { class: "quiet" }, "kg: how much better the recommendation is expected to be after such a " +
                        "trial at the chosen place, on the model’s scale. The largest kg per cost is taken."));
      else
        parts.push(make("p", { class: "quiet" }, "Levers are not weighed against each other for such a trial, or it was " +
                        "asked without explanation."));
      parts.push(...taught(legs, chosen.trial));
      for (const other of [newest, [...trials].reverse().find((t) => t.reason === "legs")])
        if (other && other !== chosen && taught(legs, other.trial).length && !parts.some((p) => p.dataset?.trial === String(other.trial))) {
          const told = make("div", { "data-trial": other.trial }, words(other, study), ...taught(legs, other.trial));
          parts.push(told);
        }
      body.replaceChildren(...parts);
    },
  };
}
