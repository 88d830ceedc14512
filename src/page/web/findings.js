// What a comparison says, in words: besd against the best other method of every domain. Variants of besd are no rivals.
import { make } from "./dom.js";
import { listed, number, plural } from "./format.js";

const fewRuns = 10; // with fewer the intervals are a sketch
const isNumber = (v) => typeof v === "number" && Number.isFinite(v);

export const titleOf = (domain) => domain.domain.toUpperCase();
export const isBesd = (name) => name === "besd" || name.startsWith("besd:");
export const methodOf = (domain, name) => domain.methods.find((m) => m.method === name);
export const lastOf = (method) => method.curve[method.curve.length - 1];
export const replications = (all) => Math.max(...all.domains.flatMap((d) => d.methods.map((m) => m.replications)));
const bestRivalry = (domain) => domain.comparisons.find((c) => c.best_baseline);
const hasCost = (domain, rivalry) => isNumber(rivalry.cost_ratio) && methodOf(domain, rivalry.method).optimises;

// As many decimals as the spread deserves.
export function spread(mean, two_se) {
  if (!isNumber(mean))
    return "–";
  const decimals = isNumber(two_se) && two_se > 0 ? Math.max(0, Math.min(6, 1 - Math.floor(Math.log10(two_se)))) : 1;
  return isNumber(two_se) ? `${mean.toFixed(decimals).replace(/^-(?=[0.]*$)/, "").replace("-", "−")} ± ${two_se.toFixed(decimals)}` : number(mean);
}

export function rangeText(i) {
  if (!isNumber(i.value))
    return "–";
  return isNumber(i.low) ? `${number(i.value, 3)} [${number(i.low, 3)}, ${number(i.high, 3)}]` : number(i.value, 3);
}

// Is besd's mean the best of all at a moment, "half" or "final"?
function leads(domain, moment) {
  const sign = domain.objective === "return" ? -1 : 1;
  return Boolean(bestRivalry(domain)) && domain.comparisons.every((c) => isBesd(c.method) || sign * c[moment].difference.value < 0);
}

const clearly = (domain, moment) => bestRivalry(domain)?.[moment].favours === "besd";
const names = (domains) => domains.length ? listed(domains.map(titleOf)) : "none";

function judgement(domain, rivalry) {
  if (domain.has_few)
    return "rests on too few runs to be judged";
  return rivalry.final.favours === "neither" ? "is within the noise of these replications" : "is clear: its 95 % interval excludes zero";
}

function duel(domain) {
  const rivalry = bestRivalry(domain), ours = lastOf(methodOf(domain, "besd")), theirs = lastOf(methodOf(domain, rivalry.method));
  return `besd ends at ${spread(ours.mean, ours.two_se)}, ${rivalry.method} at ${spread(theirs.mean, theirs.two_se)}. The difference of ` +
         `${rangeText(rivalry.final.difference)} ${judgement(domain, rivalry)}.`;
}

export function headline(all) {
  const runs = replications(all);
  return runs >= fewRuns ? "Subgoals by Bayesian optimisation: the comparison"
    : runs === 1 ? "Subgoals by Bayesian optimisation: a comparison of single runs"
      : `Subgoals by Bayesian optimisation: a comparison of only ${runs} runs each`;
}

export function standfirst(all) {
  const compared = all.domains.filter(bestRivalry), runs = plural(replications(all), "replication"), first = all.domains[0];
  const led = compared.filter((d) => leads(d, "final"));
  if (!compared.length)
    return `${plural(all.domains.length, "domain")}, ${runs}.`;
  const what = "besd places subgoals that teach a reinforcement-learning agent to explore. ";
  const tested = `${runs} of every method that optimises, tested on the same instances.`;
  if (all.domains.length > 1)
    return `${what}With the whole budget spent it has the best mean performance in ${led.length} of ${compared.length} domains` +
           `${led.length ? ` (${names(led)})` : ""}; ${tested}`;
  const rivals = first.methods.filter((m) => !isBesd(m.method)), many = led.length && rivals.length > 1;
  return `${what}On ${titleOf(first)}, with ${number(first.budget, 12)} interactions spent, its mean performance is ` +
         `${led.length ? "better than" : "not better than"} that of ${many ? (rivals.length === 2 ? "both other methods" : `all ${rivals.length} other methods`)
                                                                         : bestRivalry(first).method}; ${tested}`;
}

function oneDomain(domain) {
  const rivalry = bestRivalry(domain);
  return [`${domain.methods.length > 2 ? `The best other method at the end is ${rivalry.method}. ` : ""}${duel(domain)} At half of the budget besd is ` +
          `${leads(domain, "half") ? "ahead" : "not ahead"}.` +
          (hasCost(domain, rivalry) ? ` It reaches the final performance of ${rivalry.method} at ${number(rivalry.cost_ratio, 2)} times its cost.` : "")];
}

function manyDomains(all) {
  const compared = all.domains.filter(bestRivalry), half = compared.filter((d) => leads(d, "half")), end = compared.filter((d) => leads(d, "final"));
  const priced = compared.filter((d) => hasCost(d, bestRivalry(d))), cheap = priced.filter((d) => bestRivalry(d).cost_ratio <= 0.5);
  const dear = priced.filter((d) => bestRivalry(d).cost_ratio > 0.5).map((d) => `${titleOf(d)} (${number(bestRivalry(d).cost_ratio, 2)} of it)`);
  const sure = compared.filter((d) => clearly(d, "final")), unsure = half.filter((d) => !clearly(d, "half")), repeated = replications(all) > 1;
  const words = [`At half of the budget besd has the best mean performance in ${half.length} of ${compared.length} domains (${names(half)}), with all of it in ` +
                 `${end.length} (${names(end)}). It reaches the final performance of the best other method for at most half of the cost in ${cheap.length} ` +
                 `(${names(cheap)}).${dear.length ? ` It needs more in ${listed(dear)}.` : ""}`];
  if (repeated && unsure.length)
    words.push(`At half of the budget its lead is within the noise of these replications in ${names(unsure)}.`);
  if (repeated)
    words.push(`The 95 % interval of its difference to the best other method at the end excludes zero in its favour in ${sure.length} (${names(sure)}).`);
  if (end.length < compared.length)
    words.push("besd does not have the best mean at the end in:",
               ...compared.filter((d) => !leads(d, "final")).map((d) => `${titleOf(d)}: ${duel(d)}`));
  else if (repeated && sure.length < compared.length)
    words.push("Where the interval holds zero the lead is not proven by these replications.");
  return words;
}

// Paragraphs.
export function findings(all) {
  const compared = all.domains.filter(bestRivalry), runs = replications(all);
  if (!compared.length)
    return [];
  const words = all.domains.length === 1 ? oneDomain(all.domains[0]) : manyDomains(all);
  for (const domain of all.domains)
    for (const method of domain.methods.filter((m) => m.never_chose))
      words.push(`In ${titleOf(domain)} the initial design takes all of the budget of ${method.method}, which so never chose a trial.`);
  if (all.domains.some((d) => d.methods.some((m) => m.method !== "besd" && isBesd(m.method))))
    words.push("Variants of besd do not count as other methods here.");
  if (runs === 1)
    words.push("One replication proves nothing: other seeds may end otherwise.");
  else if (runs < fewRuns)
    words.push(`With ${runs} replications the bootstrap knows little: its intervals are too narrow, so take them as a sketch.`);
  return words.map((text) => make("p", {}, text));
}
