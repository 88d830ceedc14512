// What was fixed when the study was created; what differs from the default comes first.
import { clean, make, panel } from "./dom.js";
import { number, plural } from "./format.js";

export const shown = (value) => typeof value === "number" ? number(value, 6)
  : Array.isArray(value) ? value.map(shown).join(", ")
  : value === null || value === undefined ? "none" : typeof value === "object" ? clean(JSON.stringify(value)) : clean(value);

function pathRows(path) {
  return path ? [["path", path.fewest ? `${path.fewest} to ${path.points} points` : plural(path.points, "point")], ["path: cap", path.cap],
                 ["path: cell", path.cell || null], ...(path.price > 0 ? [["path: price of a point", path.price]] : []),
                 ...(path.labels ? [["path: labels", path.labels]] : [])] : [];
}

// [name, value] of all settings, those that are not as initially first.
export function settingsOf(study) {
  const changed = new Set(study.changed || []), options = Object.entries(study.options || {});
  const own = [["domain", study.domain], ["command", study.command]].filter(([, value]) => value);
  return { changed: options.filter(([name]) => changed.has(name)),
           others: [...own, ["tau", study.tau], ["reps", study.reps], ...pathRows(study.path), ["arithmetic", study.arithmetic],
                    ...options.filter(([name]) => !changed.has(name))] };
}

const list = (rows, look) => make("dl", { class: `settings ${look}` }, rows.map(([name, value]) =>
  make("div", {}, make("dt", {}, name), make("dd", {}, shown(value)))));

export function createSettings(root) {
  const { body } = panel(root, "Settings", { class: "wide" });
  let last = "";
  return {
    update({ study }) {
      const { changed, others } = settingsOf(study), text = JSON.stringify([changed, others]);
      if (text === last)
        return;
      last = text;
      body.replaceChildren(
        make("h3", {}, changed.length ? "Not as initially" : "All options are as initially"), ...(changed.length ? [list(changed, "changed")] : []),
        make("details", { open: true }, make("summary", {}, "Everything else"), list(others, "")));
    },
  };
}
