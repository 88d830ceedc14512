// The newest events, newest first: who did what, and when.
import { now } from "./api.js";
import { clean, empty, make, panel, say } from "./dom.js";
import { duration } from "./format.js";

const most = 12;

export function createHappenings(root) {
  const { body } = panel(root, "What happened");
  let shown = [];
  function tick() {
    for (const { event, age } of shown)
      say(age, `${duration(Math.max(0, Math.round(now() - event.at)))} ago`);
  }
  return {
    tick,
    update({ events }) {
      shown = [];
      const items = events.slice(-most).reverse().map((event) => {
        const age = make("span", { class: "quiet" });
        shown.push({ event, age });
        return make("li", {}, make("span", { class: "what" }, make("strong", {}, event.what),
                                   event.trial ? ` trial ${event.trial}` : "", event.who ? ` by ${clean(event.who)}` : ""), age);
      });
      body.replaceChildren(items.length ? make("ul", { class: "happenings" }, items)
                                        : empty("Nothing has happened to this study yet."));
      tick();
    },
  };
}
