// The list of studies, read again every few seconds.
import { get, insist } from "./api.js";
import { empty, make, say } from "./dom.js";
import { cost } from "./format.js";

const every = 3000;
const counted = ["told", "asked", "waiting", "failed", "voided"];

const words = { told: "told", asked: "under way", waiting: "waiting", failed: "failed", voided: "voided" };

export function countsText(trials) {
  const some = counted.filter((state) => trials?.[state]).map((state) => `${trials[state]} ${words[state]}`);
  return some.length ? some.join(", ") : "no trial yet";
}

function card(study) {
  const spent = make("p", { class: "quiet" });
  const bar = make("progress", { max: "1", value: "0", "aria-label": "share of the budget that is spent" });
  const counts = make("p", {});
  const item = make("li", { class: "card" },
                    make("a", { class: "name", href: `/study/${encodeURIComponent(study.name)}` }, study.name),
                    counts, bar, spent);
  return {
    item,
    update(now) {
      const limited = typeof now.budget === "number";
      const plural = now.dimension === 1 ? "coordinate" : "coordinates";
      bar.hidden = !limited;
      bar.value = limited && now.budget > 0 ? Math.min(1, now.spent / now.budget) : 0;
      say(counts, countsText(now.trials));
      say(spent, `cost ${cost(now.spent)}${limited ? ` of ${cost(now.budget)}` : ", no budget"}; ` +
                 `${now.dimension} ${plural}, ${now.direction}`);
    },
  };
}

export async function showStudies(root, onState) {
  const list = make("ul", { class: "cards" });
  const nothing = empty("No study is served yet. Create one in the served folder with ‘besd create’ or ‘besd run’, " +
                        "or send one to POST /v1/studies; it appears here by itself.");
  const cards = new Map();
  nothing.hidden = true;
  root.append(nothing, list);
  onState("connecting");
  for (;;) {
    const { studies } = await insist(() => get("/v1/studies"), onState);
    onState("live");
    nothing.hidden = studies.length > 0;
    const names = new Set(studies.map((study) => study.name));
    for (const [name, old] of cards)
      if (!names.has(name)) {
        old.item.remove();
        cards.delete(name);
      }
    for (const study of studies) {
      if (!cards.has(study.name)) {
        cards.set(study.name, card(study));
        list.append(cards.get(study.name).item);
      }
      cards.get(study.name).update(study);
    }
    await new Promise((done) => setTimeout(done, every));
  }
}
