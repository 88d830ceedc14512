// Trials that are under way or wait for a worker, with their leases counting down.
import { now } from "./api.js";
import { clean, empty, make, panel, say } from "./dom.js";
import { design, duration, number, thetaOf } from "./format.js";

const most = 40;

export function leaseText(trial, at) {
  if (trial.state === "waiting")
    return trial.reason === "enqueued" && !trial.worker ? "enqueued, the next to be asked" : "waiting for a worker";
  if (typeof trial.lease_until !== "number")
    return "no lease: kept until it is told";
  const left = trial.lease_until - at;
  return left > 0 ? `${duration(left)} of its lease left` : "its lease has run out";
}

export function createQueue(root) {
  const { body } = panel(root, "Under way and waiting", { class: "later" });
  let shown = [];

  function item(trial, study) {
    const lease = make("span", { class: "lease" }), age = make("span", { class: "quiet" });
    shown.push({ trial, lease, age });
    return make("li", {}, make("span", { class: `state ${trial.state}` }, trial.state),
                make("span", { class: "what" }, make("strong", {}, `trial ${trial.trial}`),
                     trial.worker ? ` by ${clean(trial.worker)}` : "", `, tau ${number(trial.tau)} × ${trial.reps}`, " ", lease, " ", age,
                     make("span", { class: "quiet block" }, design(thetaOf(trial, study), study))));
  }
  function tick() {
    const at = now();
    for (const { trial, lease, age } of shown) {
      say(lease, leaseText(trial, at));
      lease.classList.toggle("late", trial.state === "asked" && trial.lease_until <= at);
      say(age, trial.asked_at > 0 ? `(for ${duration(Math.max(0, at - trial.asked_at))})` : "");
    }
  }
  return {
    tick,
    update({ study, trials }) {
      const open = trials.filter((t) => t.state === "asked" || t.state === "waiting");
      shown = [];
      if (open.length) {
        body.replaceChildren(make("ul", { class: "queue" }, open.slice(0, most).map((t) => item(t, study))));
        if (open.length > most)
          body.append(make("p", { class: "quiet" }, `and ${open.length - most} more, in the table below`));
      } else {
        body.replaceChildren(empty("No trial is under way. A worker gets one with ‘besd ask’ or POST …/ask."));
      }
      tick();
    },
  };
}
