// The design to use today, coordinate by coordinate, and what speaks against it.
import { clean, empty, make, panel } from "./dom.js";
import { design, interval, minimises, named, number, tauMax, thetaOf } from "./format.js";

// A smooth model rises to the end of an interval that it has not seen the other side of.
function atBounds(study, theta) {
  return study.theta.filter((c, i) => {
    const margin = 0.001 * (c.high - c.low);
    return theta[i] < c.low + margin || theta[i] > c.high - margin;
  }).map((c) => clean(c.name));
}

function remarks(study, r, theta) {
  const all = [], doubt = (text) => all.push(make("p", { class: "remark" }, text));
  const bounds = atBounds(study, theta);
  if (r.warning)
    doubt(clean(`${r.warning[0].toUpperCase()}${r.warning.slice(1)}.`));
  if (!r.tried)
    doubt(`Not tried at tau ${number(tauMax(study))} yet: this is what the model makes of the trials around it.`);
  if (bounds.length)
    doubt(`At the end of its interval: ${bounds.join(", ")}. A wider interval or a few trials inside tell whether ` +
          "it belongs there.");
  if (r.better < 0.5)
    doubt(`No design may be the better choice: ${number(r.baseline)} without any, and the probability that this one ` +
          `beats it is ${r.better < 0.01 ? "below 0.01" : number(r.better, 2)}.`);
  else if (typeof r.better === "number")
    all.push(make("p", {}, `It beats the ${number(r.baseline)} without any design with a probability of ` +
                  `${r.better > 0.99 ? "over 0.99" : number(r.better, 2)}.`));
  return all;
}

export function createRecommendation(root) {
  const { body } = panel(root, "Recommendation", { class: "later" });
  return {
    update({ study, trials, recommendation: r }) {
      if (!r) {
        const told = trials.some((t) => t.state === "told");
        body.replaceChildren(empty(r === undefined ? "Reading …"
          : told ? "The method of this study recommends none of these trials yet." : "Nothing can be recommended before trials are told."));
        return;
      }
      const theta = thetaOf(r, study);
      const rows = study.theta.map((c, i) => {
        const share = Math.max(0, Math.min(1, (theta[i] - c.low) / (c.high - c.low)));
        return make("tr", {}, make("th", { scope: "row" }, named(c)), make("td", { class: "number strong" }, number(theta[i])),
                    make("td", { class: "number" }, number(c.low)),
                    make("td", { class: "track" }, make("meter", { min: 0, max: 1, value: share, "aria-hidden": "true" })),
                    make("td", { class: "number" }, number(c.high)));
      });
      body.replaceChildren(
        make("p", {}, `Expected score at tau ${number(tauMax(study))}: `, make("strong", {}, number(r.value)),
             `, with 90 % probability ${interval(r.low, r.high)}; ${minimises(study) ? "less" : "more"} is better.`),
        make("div", { class: "scroll" },
             make("table", { class: "small", "aria-label": `The recommended design: ${clean(design(theta, study))}` },
                  make("thead", {}, make("tr", {}, ["coordinate", "use", "lowest", "", "highest"].map((text, i) =>
                    make("th", { scope: "col", class: i === 0 || i === 3 ? "" : "number" }, text)))),
                  make("tbody", {}, rows))),
        ...remarks(study, r, theta));
    },
  };
}
