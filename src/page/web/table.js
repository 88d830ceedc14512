// The trials as a table: filter, sort by any column, a page at a time, with details on demand.
import { now } from "./api.js";
import { arrange, clean, make, panel, say } from "./dom.js";
import { cost, duration, named, number, reasons, states, thetaOf, when } from "./format.js";

const perPage = 50;

const ageOf = (t) => t.asked_at > 0 ? Math.max(0, now() - t.asked_at) : null;
const durationOf = (t) => typeof t.duration === "number" ? t.duration
  : t.ended_at > 0 && t.asked_at > 0 ? t.ended_at - t.asked_at : null;
const tagsOf = (t) => (t.tags || []).join(", ");

// What a column is called, how it is sorted and what it says; `number` ones stand at the right.
function columnsOf(study) {
  const column = (key, label, value, text, isNumber) => ({ key, label, value, text, number: isNumber });
  return [
    column("trial", "trial", (t) => t.trial, (t) => String(t.trial), true),
    column("state", "state", (t) => t.state, (t) => t.state),
    column("reason", "why", (t) => t.reason, (t) => t.reason),
    column("tau", "tau", (t) => t.tau, (t) => number(t.tau), true),
    column("reps", "reps", (t) => t.reps, (t) => number(t.reps), true),
    column("cost", "cost", (t) => t.cost, (t) => cost(t.cost), true),
    column("mean", "mean score", (t) => t.mean, (t) => number(t.mean), true),
    ...study.theta.map((c, i) => column(`theta-${i}`, named(c), (t) => thetaOf(t, study)[i],
                                        (t) => number(thetaOf(t, study)[i]), true)),
    column("worker", "worker", (t) => t.worker || "", (t) => t.worker || ""),
    column("age", "age", ageOf, (t) => duration(ageOf(t)), true),
    column("duration", "duration", durationOf, (t) => duration(durationOf(t)), true),
    column("tags", "tags", tagsOf, tagsOf),
    column("note", "note", (t) => t.note || "", (t) => t.note || ""),
  ];
}

function compare(a, b) {
  const none = (v) => v === null || v === undefined || v === "";
  if (none(a) || none(b))
    return none(a) - none(b);
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
}

function details(t, span) {
  const rows = [["state", states[t.state] || t.state], ["chosen", reasons[t.reason] || t.reason],
                ["scores", t.scores?.length ? t.scores.map((v) => number(v)).join(", ") : "none"],
                ["asked", when(t.asked_at)], ["ended", when(t.ended_at)], ["seed", String(t.seed ?? "–")]];
  if (t.repeats)
    rows.push(["asked again for", `trial ${t.repeats}`]);
  if (t.why)
    rows.push(["voided or replaced because", t.why]);
  if (t.note)
    rows.push(["note", t.note]);
  return make("tr", { class: "details" }, make("td", { colspan: span },
              make("dl", {}, rows.flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]))));
}

export function createTable(root, acts) {
  const { body } = panel(root, "Trials", { class: "wide" });
  const filter = make("input", { id: "filter", type: "search", spellcheck: "false", placeholder: "worker, note, tag, number …" });
  const chosen = make("select", { id: "filter-state" }, make("option", { value: "" }, "all states"),
                      Object.keys(states).map((state) => make("option", { value: state }, state)));
  const count = make("p", { class: "quiet", role: "status" });
  const head = make("tr", {}), rows = make("tbody", {});
  const box = make("div", { class: "scroll trials", tabindex: "0", role: "region", "aria-label": "Table of trials" },
                   make("table", {}, make("thead", {}, head), rows));
  const pages = make("nav", { class: "pages", "aria-label": "Pages of the table" });
  body.append(make("div", { class: "line filters" }, make("label", { for: "filter" }, "Filter"), filter,
                   make("label", { for: "filter-state" }, "State"), chosen, count), box, pages);
  let state = null, columns = [], sort = { key: "trial", down: true }, page = 0;
  const open = new Set(), made = new Map(); // rows by their trial
  let shown = [], headed = "", paged = "";

  function matches(t, words) {
    if (chosen.value && t.state !== chosen.value)
      return false;
    if (!words.length)
      return true;
    const text = clean([t.trial, t.state, t.reason, `tau ${t.tau}`, t.worker, tagsOf(t), t.note, t.why].join(" ")).toLowerCase();
    return words.every((word) => text.includes(word));
  }
  function heads() {
    const now = JSON.stringify([sort, columns.map((column) => column.label)]);
    if (now === headed)
      return;
    headed = now;
    const ths = columns.map((column) => {
      const sorted = sort.key === column.key;
      const button = make("button", { type: "button", "data-key": column.key, class: column.label.length > 18 ? "long" : "", onclick: () => {
        sort = { key: column.key, down: sorted ? !sort.down : column.key === "trial" };
        page = 0;
        draw();
        head.querySelector(`[data-key="${column.key}"]`).focus();
      } }, column.label, sorted ? make("span", { class: "arrow", "aria-hidden": "true" }, sort.down ? "▾" : "▴") : null);
      return make("th", { scope: "col", class: column.number ? "number" : "", "data-key": column.key,
                          "aria-sort": sorted ? (sort.down ? "descending" : "ascending") : "none" }, button);
    });
    const focused = document.activeElement?.dataset?.key;
    head.replaceChildren(...ths, make("th", { scope: "col" }, make("span", { class: "hidden" }, "what to do")));
    if (focused && head.querySelector(`button[data-key="${focused}"]`))
      head.querySelector(`button[data-key="${focused}"]`).focus();
  }
  // The row of a trial as long as the trial is what it was.
  function rowOf(t) {
    const old = made.get(t.trial);
    if (old?.of === t)
      return old;
    const row = { of: t, ...makeRow(t) };
    made.set(t.trial, row);
    return row;
  }
  function makeRow(t) {
    let age = null;
    const cells = columns.map((column) => {
      if (column.key === "trial")
        return make("th", { scope: "row", class: "number" },
                    make("button", { type: "button", class: "plain", "aria-expanded": String(open.has(t.trial)), "data-trial": t.trial,
                                     "aria-label": `Trial ${t.trial}, details`, onclick: () => toggle(t.trial) }, String(t.trial)));
      if (column.key === "state")
        return make("td", {}, make("span", { class: `state ${states[t.state] ? t.state : ""}` }, t.state));
      const text = column.text(t);
      const cell = make("td", { class: `${column.number ? "number" : ""} ${column.key === "note" ? "note" : ""}`.trim() }, text);
      age = column.key === "age" ? cell : age;
      return cell;
    });
    const element = make("tr", { "data-row": t.trial }, cells, acts ? make("td", { class: "act" }, acts.buttonFor(t)) : null);
    return { element, age, button: cells[0].firstChild, details: details(t, columns.length + 1) };
  }
  function tick() {
    for (const { of, age } of shown)
      say(age, duration(ageOf(of)));
  }
  function toggle(id) {
    if (!open.delete(id))
      open.add(id);
    draw();
  }
  function turn(to) {
    page = to;
    draw();
  }
  function drawPages(last) {
    if (paged === `${page} ${last}`)
      return;
    paged = `${page} ${last}`;
    pages.hidden = last === 0;
    const button = (label, to, off) => make("button", { type: "button", disabled: off, onclick: () => turn(to) }, label);
    pages.replaceChildren(button("First", 0, page === 0), button("Back", page - 1, page === 0),
                          make("span", {}, `page ${page + 1} of ${last + 1}`),
                          button("Next", page + 1, page === last), button("Last", last, page === last));
  }
  function draw() {
    if (!state)
      return;
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const column = columns.find((c) => c.key === sort.key) || columns[0], sign = sort.down ? -1 : 1;
    const found = state.trials.filter((t) => matches(t, words)).map((t) => ({ t, value: column.value(t) }));
    found.sort((a, b) => {
      const none = (v) => v === null || v === undefined || v === "";
      const order = compare(a.value, b.value);
      return (none(a.value) || none(b.value) ? order : sign * order) || sign * (a.t.trial - b.t.trial);
    });
    const last = Math.max(0, Math.ceil(found.length / perPage) - 1);
    page = Math.min(page, last);
    const some = found.slice(page * perPage, (page + 1) * perPage).map(({ t }) => t);
    const kept = document.activeElement?.closest?.("tbody") === rows ? document.activeElement.dataset.trial : null;
    heads();
    shown = some.map(rowOf);
    arrange(rows, shown.flatMap((row) => open.has(row.of.trial) ? [row.element, row.details] : [row.element]));
    shown.forEach((row) => row.button.setAttribute("aria-expanded", String(open.has(row.of.trial))));
    if (!some.length)
      rows.replaceChildren(make("tr", {}, make("td", { colspan: columns.length + 1, class: "empty" }, state.trials.length
        ? "No trial is like that; empty the filter to see all." : "No trial yet. Workers ask with ‘besd ask’ or POST …/ask.")));
    if (kept && document.activeElement === document.body)
      rows.querySelector(`[data-trial="${kept}"]`)?.focus();
    tick();
    drawPages(last);
    say(count, found.length === state.trials.length ? `${found.length} trials` : `${found.length} of ${state.trials.length} trials`);
  }
  for (const control of [filter, chosen])
    control.addEventListener("input", () => turn(0));
  return {
    tick,
    update(next) {
      if (!state || state.study.theta.length !== next.study.theta.length || !columns.length)
        columns = columnsOf(next.study);
      state = next;
      draw();
    },
  };
}
