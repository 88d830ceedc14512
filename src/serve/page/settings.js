// What was fixed when the study was created.
import { clean, make, panel } from "./dom.js";
import { number } from "./format.js";

const shown = (value) => typeof value === "number" ? number(value, 6)
  : Array.isArray(value) ? value.map(shown).join(", ")
  : value === null ? "none" : typeof value === "object" ? clean(JSON.stringify(value)) : clean(value);

export function createSettings(root) {
  const { body } = panel(root, "Settings", { class: "wide" });
  let last = "";
  return {
    update({ study }) {
      const rows = [["direction", study.direction], ["tau", study.tau], ["reps", study.reps]];
      if (study.domain)
        rows.push(["domain", study.domain]);
      if (study.arithmetic)
        rows.push(["arithmetic", study.arithmetic]);
      rows.push(...Object.entries(study.options || {}).filter(([name]) => !rows.some(([had]) => had === name)));
      const text = JSON.stringify(rows);
      if (text === last)
        return;
      last = text;
      body.replaceChildren(make("dl", { class: "settings" }, rows.map(([name, value]) =>
        make("div", {}, make("dt", {}, name), make("dd", {}, shown(value))))));
    },
  };
}
