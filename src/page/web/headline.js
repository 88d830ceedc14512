// What the study says, in one sentence and a few more: the recommendation, whether anybody has measured it, and how far
// the study is.
import { now } from "./api.js";
import { clean, make } from "./dom.js";
import { cost, design, duration, interval, listed, minimises, number, plural, tauMax, thetaOf } from "./format.js";

const states = [["failed", "failed"], ["voided", "voided"], ["asked", "under way"], ["waiting", "waiting"]];

// Trials of the recommended design at the largest tau.
export function measuredIn({ study, trials, recommendation: r }) {
  const theta = thetaOf(r, study), top = tauMax(study);
  return trials.filter((t) => t.state === "told" && t.tau === top && thetaOf(t, study).every((v, i) => v === theta[i]));
}

function outcome(state) {
  const { study, trials, recommendation: r } = state, better = minimises(study) ? "less" : "more";
  if (r === undefined)
    return ["Reading what the model recommends …"];
  if (r === null) {
    const told = study.trials?.told > 0, failed = study.trials?.failed > 0;
    return [told ? "No recommendation yet: the method of this study recommends none of these trials."
      : failed && trials.every((t) => t.state === "failed") ? "Nothing to recommend: every trial has failed."
        : "Nothing to recommend yet: no trial has been told."];
  }
  if (r.tasks?.length)
    return ["Use a design for each task. ", ...r.tasks.flatMap((t) => [make("strong", {}, clean(t.task)), `: ${design(thetaOf(t, study), study)}, ` +
            `expected score ${number(t.value)}${typeof t.low === "number" ? `, with 90 % probability ${interval(t.low, t.high)}` : ""}; `]),
            `the best single design promises ${number(r.value)} (${better} is better).`];
  const measured = measuredIn(state), theta = thetaOf(r, study);
  const how = measured.length
    ? `measured in ${plural(measured.reduce((sum, t) => sum + t.reps, 0), "replication")} of ${plural(measured.length, "trial")} at tau ${number(tauMax(study))}`
    : `a forecast: nobody has tried this very design at tau ${number(tauMax(study))}`;
  const few = study.theta.length <= 8 ? design(theta, study) : `the design of ${study.theta.length} coordinates below`;
  return ["Use ", make("strong", {}, few), ": expected score ", make("strong", {}, number(r.value)),
          typeof r.low === "number" ? `, with 90 % probability ${interval(r.low, r.high)}` : "", ` (${better} is better) – ${how}.`];
}

function course({ study, trials }) {
  const { budget, spent } = study, limited = typeof budget === "number", counts = study.trials || {};
  const others = states.filter(([state]) => counts[state]).map(([state, word]) => `${counts[state]} ${word}`);
  const last = Math.max(0, ...trials.map((t) => t.ended_at || 0));
  const full = trials.filter((t) => t.tau === tauMax(study) && t.cost > 0).map((t) => t.cost), least = full.length ? Math.min(...full) : 0;
  const over = limited && !counts.asked && !counts.waiting && trials.length && (spent >= budget || budget - spent < least);
  const about = study.domain ? `Subgoals for ${clean(study.domain)}. ` : study.command ? `Trained by ${clean(study.command)}. ` : "";
  return `${about}${over ? "Finished: " : counts.asked ? "Running: " : ""}${plural(counts.told || 0, "trial")} told` +
         `${others.length ? `, ${listed(others)}` : ""}; ${cost(spent)} spent${limited ? ` of a budget of ${cost(budget)}` : " without a budget"}. ` +
         `Method ${study.options?.method ?? "unknown"}, seed ${study.options?.seed ?? "unknown"}.` +
         (!over && last > 0 && now() - last > 86400 ? ` Nothing has been told for ${duration(now() - last)}.` : "");
}

export function createHeadline(root) {
  const lead = make("p", { class: "lead" }), more = make("p", { class: "quiet" });
  root.append(make("section", { class: "headline", "aria-label": "Outcome" }, lead, more));
  return {
    update(state) {
      lead.replaceChildren(...outcome(state).map((part) => part instanceof Node ? part : clean(part)));
      more.textContent = course(state);
    },
  };
}
