// The list of studies, read again every few seconds: searched, sorted, and chosen from for a look side by side. Below it
// the comparisons that `besd compare` has left in the folder.
import { get, getIfThere, insist, snapshot } from "./api.js";
import { arrange, clean, empty, make, say } from "./dom.js";
import { cost, when } from "./format.js";

const every = 3000;
const counted = ["told", "asked", "waiting", "failed", "voided"];

const words = { told: "told", asked: "under way", waiting: "waiting", failed: "failed", voided: "voided" };

export function countsText(trials) {
  const some = counted.filter((state) => trials?.[state]).map((state) => `${trials[state]} ${words[state]}`);
  return some.length ? some.join(", ") : "no trial yet";
}

const orders = {
  name: ["name", (a, b) => a.name.localeCompare(b.name)],
  busy: ["under way first", (a, b) => (b.trials?.asked || 0) - (a.trials?.asked || 0)],
  told: ["most told first", (a, b) => (b.trials?.told || 0) - (a.trials?.told || 0)],
  spent: ["most of its budget spent first", (a, b) => share(b) - share(a)],
};

const share = (study) => typeof study.budget === "number" && study.budget > 0 ? Math.min(1, study.spent / study.budget) : 0;

function card(study, linkOf, onChoose) {
  const spent = make("p", { class: "quiet" }), counts = make("p", {});
  const bar = make("progress", { max: "1", value: "0", "aria-label": "share of the budget that is spent" });
  const box = make("input", { type: "checkbox", "aria-label": `Choose ${study.name}`, onchange: onChoose });
  const item = make("li", { class: "card" }, make("div", { class: "line" }, box, make("a", { class: "name", href: linkOf(study.name) }, study.name)),
                    counts, bar, spent);
  return {
    item, box,
    update(now) {
      const limited = typeof now.budget === "number", plural = now.dimension === 1 ? "coordinate" : "coordinates";
      item.classList.toggle("broken", Boolean(now.error));
      bar.hidden = !limited;
      spent.hidden = box.hidden = Boolean(now.error);
      bar.value = share(now);
      say(counts, now.error ? clean(now.error) : countsText(now.trials));
      if (!now.error)
        say(spent, `cost ${cost(now.spent)}${limited ? ` of ${cost(now.budget)}` : ", no budget"}; ${now.dimension} ${plural}, ${now.direction}`);
    },
  };
}

function createTools(onChange) {
  const search = make("input", { id: "search", type: "search", spellcheck: "false", placeholder: "part of a name", oninput: onChange });
  const order = make("select", { id: "order", onchange: onChange }, Object.entries(orders).map(([key, [label]]) => make("option", { value: key }, label)));
  const side = make("a", { class: "button", href: "#", hidden: true }), count = make("p", { class: "quiet", role: "status" });
  const line = make("div", { class: "line filters tools" }, make("label", { for: "search" }, "Search"), search, make("label", { for: "order" }, "Order"), order,
                    side, count);
  return { search, order, side, count, line };
}

function listComparisons(place, list, comparisonLink) {
  place.hidden = !list.length;
  place.replaceChildren(make("h2", {}, "Comparisons"), make("ul", { class: "cards" }, list.map((one) =>
    make("li", { class: "card" }, make("a", { class: "name", href: comparisonLink(one.name) }, one.name),
         make("p", { class: "quiet" }, `of ${when(one.at)}`)))));
}

export async function showStudies(root, onState, { linkOf, comparisonLink, sideLink }) {
  const cards = new Map(), list = make("ul", { class: "cards", "aria-label": "Studies" }), comparisons = make("section", { hidden: true });
  const nothing = empty("No study is served yet. Create one in the served folder with ‘besd create’ or ‘besd run’, " +
                        "or send one to POST /v1/studies; it appears here by itself.");
  const none = empty("No study has such a name.");
  let studies = [];
  const tools = createTools(draw);
  nothing.hidden = none.hidden = tools.line.hidden = true;
  root.append(tools.line, nothing, none, list, comparisons);
  function choose() {
    const chosen = studies.filter((one) => cards.get(one.name)?.box.checked).map((one) => one.name);
    tools.side.hidden = chosen.length < 2;
    tools.side.textContent = `Show ${chosen.length} side by side`;
    tools.side.href = sideLink(chosen);
  }
  function draw() {
    const part = tools.search.value.trim().toLowerCase();
    const some = studies.filter((one) => one.name.toLowerCase().includes(part));
    some.sort((a, b) => Boolean(b.error) - Boolean(a.error) || orders[tools.order.value][1](a, b) || orders.name[1](a, b));
    nothing.hidden = studies.length > 0;
    none.hidden = !studies.length || some.length > 0;
    tools.line.hidden = studies.length < 2;
    say(tools.count, part ? `${some.length} of ${studies.length}` : `${studies.length} studies`);
    for (const one of studies) {
      if (!cards.has(one.name))
        cards.set(one.name, card(one, linkOf, choose));
      cards.get(one.name).update(one);
    }
    arrange(list, some.map((one) => cards.get(one.name).item));
    choose();
  }
  onState("connecting");
  for (;;) {
    ({ studies } = await insist(() => get("/v1/studies"), onState));
    const found = await getIfThere("/v1/comparisons").catch(() => null);
    onState("live");
    for (const name of [...cards.keys()])
      if (!studies.some((one) => one.name === name))
        cards.delete(name);
    draw();
    listComparisons(comparisons, found?.comparisons || [], comparisonLink);
    if (snapshot)
      return;
    await new Promise((done) => setTimeout(done, every));
  }
}
