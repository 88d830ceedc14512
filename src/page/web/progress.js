// How far a study is: cost against budget, trials by state, the time left, and what it would use today.
import { now, snapshot } from "./api.js";
import { make, panel, say } from "./dom.js";
import { cost, duration, interval, minimises, number, tauMax, when } from "./format.js";
import { countsText } from "./studies.js";

const looked = 30; // ended trials that the rate is taken from
const fewest = 3;
const ended = new Set(["told", "failed", "voided"]);

// The rate of cost over the last ended trials up to this moment, so that a standstill shows; null
// where nothing recent enough can be said.
export function rateOf(trials, at) {
  const all = trials.filter((t) => ended.has(t.state) && t.reason !== "added" && t.ended_at > 0 && t.cost > 0);
  all.sort((a, b) => b.ended_at - a.ended_at);
  const some = all.slice(0, looked);
  if (some.length < fewest)
    return null;
  const begin = Math.min(...some.map((t) => t.asked_at > 0 ? Math.min(t.asked_at, t.ended_at) : t.ended_at));
  const usual = (some[0].ended_at - begin) / some.length;
  const silent = at - some[0].ended_at;
  const pending = trials.some((t) => t.state === "asked");
  if (silent > Math.max(60, 10 * usual) && !pending)
    return null;
  return some.reduce((sum, t) => sum + t.cost, 0) / Math.max(at - begin, 1e-3);
}

// The sentence of the time left.
export function timeLeft(study, trials, at) {
  if (typeof study.budget !== "number")
    return { value: "no limit", note: "the study has no budget" };
  const pending = trials.filter((t) => t.state === "asked" || t.state === "waiting");
  const underWay = pending.reduce((sum, t) => sum + (t.cost || 0), 0);
  const left = study.budget - study.spent;
  const costs = trials.map((t) => t.cost).filter((c) => c > 0);
  const cheapest = costs.length ? Math.min(...costs) : 0;
  if (!pending.length && (left <= 0 || (costs.length && left < cheapest)))
    return { value: "none", note: "the budget is spent" };
  const rate = rateOf(trials, at);
  if (!rate)
    return { value: "unknown", note: trials.length < fewest ? "too few trials have ended" : "nothing has ended lately" };
  return { value: `about ${duration((Math.max(0, left) + underWay) / rate)}`,
           note: `at ${number(rate * 60, 3)} of cost a minute, as of late` };
}

function figure(root, label, live) {
  const value = make("dd", { class: "value" }), note = make("dd", { class: "note" });
  if (live)
    value.setAttribute("aria-live", "polite");
  root.append(make("div", { class: "figure" }, make("dt", {}, label), value, note));
  return (text, more) => {
    say(value, text);
    say(note, more || "");
  };
}

export function bestTrial(study, trials) {
  const sign = minimises(study) ? 1 : -1, top = tauMax(study);
  let best = null;
  for (const t of trials)
    if (t.state === "told" && t.tau === top && typeof t.mean === "number" && (!best || sign * (t.mean - best.mean) < 0))
      best = t;
  return best;
}

export function createProgress(root) {
  const { body } = panel(root, "Progress", { class: "wide progress" });
  const bar = make("progress", { max: "1", value: "0", "aria-label": "share of the budget that is spent" });
  const figures = make("dl", { class: "figures" });
  const first = make("p", { class: "empty" }, "No trial yet. Workers get the first one with ‘besd ask’, ‘besd run’ or " +
                     "POST …/ask, and what they tell appears here by itself.");
  body.append(bar, figures, first);
  const spent = figure(figures, "Cost", true), trials = figure(figures, "Trials");
  const left = figure(figures, snapshot ? "Newest result" : "Time left", !snapshot), promise = figure(figures, "Recommendation");
  const best = figure(figures, "Best trial so far");

  function tick(state) {
    if (snapshot) {
      const last = Math.max(0, ...state.trials.map((t) => t.ended_at || 0));
      const [day, time] = when(last).split(", ");
      left(last ? day : "none", last ? `at ${time}, ${duration(Math.max(0, Math.round(now() - last)))} before this page was made` : "nothing has ended");
      return;
    }
    const said = timeLeft(state.study, state.trials, now());
    left(said.value, said.note);
  }
  function update(state) {
    const { study, recommendation: r } = state;
    const limited = typeof study.budget === "number", share = limited ? study.spent / study.budget : 0;
    const top = bestTrial(study, state.trials);
    bar.hidden = !limited;
    first.hidden = state.trials.length > 0;
    bar.value = Math.min(1, share);
    spent(cost(study.spent), limited ? `${number(100 * share, 3)} % of the budget of ${cost(study.budget)}` : "no budget");
    trials(String(state.trials.length), countsText(study.trials));
    promise(r ? number(r.value) : "–",
            r ? `90 % interval ${interval(r.low, r.high)}` : r === null ? "none yet" : "reading …");
    best(top ? number(top.mean) : "–",
         top ? `trial ${top.trial} at tau ${number(top.tau)}, luck included` : "none told at the largest tau");
    tick(state);
  }
  return { update, tick };
}
