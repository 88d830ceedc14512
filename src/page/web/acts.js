// What one may do to a study from here: enqueue a trial, set the budget, void and restore. The
// server decides who may; its refusals are shown where the act was tried.
import { person, post, studyPath } from "./api.js";
import { make, panel, say } from "./dom.js";
import { named, number, thetaOf } from "./format.js";

// An act in somebody's name, when the person has told it.
const act = (path, body) => post(path, person() ? { ...body, worker: person() } : body);

// Shows what came of an act beside its form.
async function attempt(said, call, success) {
  said.className = "said";
  say(said, "…");
  try {
    await call();
    say(said, success);
    return true;
  } catch (error) {
    said.className = "said refused";
    say(said, error.status === 401 || error.status === 403 ? `${error.message} The token goes into the field at the top.`
                                                           : error.message);
    return false;
  }
}

function voidDialog(name) {
  const why = make("input", { id: "void-why", type: "text", maxlength: "200", autocomplete: "off" });
  const said = make("p", { class: "said", role: "alert" }), title = make("h2", {}), text = make("p", {});
  const label = make("label", { for: "void-why" }, "Why (kept with the trial)");
  const yes = make("button", { type: "submit", class: "primary" });
  const dialog = make("dialog", {}, make("form", { method: "dialog", onsubmit: send }, title, text, label, why, said,
    make("div", { class: "line end" }, make("button", { type: "button", onclick: () => dialog.close() }, "Keep it as it is"), yes)));
  document.body.append(dialog);
  let asked = null;
  async function send(event) {
    event.preventDefault();
    const { id, restore } = asked;
    const path = `${studyPath(name)}/trials/${id}/${restore ? "restore" : "void"}`;
    if (await attempt(said, () => act(path, restore ? {} : { why: why.value }), ""))
      dialog.close();
  }
  return (id, restore) => {
    asked = { id, restore };
    why.value = "";
    why.hidden = label.hidden = restore;
    say(said, "");
    say(title, restore ? `Restore trial ${id}?` : `Void trial ${id}?`);
    say(text, restore ? "The model learns from it again, with the scores that were told first."
                      : "The model forgets its scores. The trial, its cost and this reason stay on record, and it can be restored.");
    say(yes, restore ? "Restore it" : "Void it");
    dialog.showModal();
  };
}

function budgetForm(name) {
  const field = make("input", { id: "budget", type: "text", inputmode: "decimal", autocomplete: "off" });
  const said = make("p", { class: "said", role: "status" });
  let shown = null;
  const form = make("form", { onsubmit: (event) => {
    event.preventDefault();
    const text = field.value.trim().replace(/[\s\u202f]/g, ""), budget = text === "" ? null : Number(text);
    if (budget !== null && !(budget > 0)) {
      said.className = "said refused";
      say(said, `The budget is a number above 0, or nothing for no limit; got “${field.value}”.`);
      return;
    }
    shown = null;
    attempt(said, () => act(`${studyPath(name)}/set`, { budget }), "The budget is set.");
  } }, make("h3", {}, "Budget"), make("label", { for: "budget" }, "Cost in all; nothing: no limit"),
     make("div", { class: "line" }, field, make("button", { type: "submit" }, "Set")), said);
  return {
    form,
    update({ study }) {
      const text = typeof study.budget === "number" ? String(study.budget) : "";
      if (shown !== text && document.activeElement !== field)
        field.value = shown = text;
    },
  };
}

function choice(id, values, first) {
  return make("select", { id }, make("option", { value: "0" }, first),
              values.map((value) => make("option", { value: String(value) }, number(value))));
}

function enqueueForm(name) {
  const fields = make("div", { class: "fields" }), said = make("p", { class: "said", role: "status" });
  const note = make("input", { id: "enqueue-note", type: "text", maxlength: "200", autocomplete: "off" });
  const levers = make("div", { class: "fields" });
  let study = null, inputs = [], tau = null, reps = null;
  const fill = make("button", { type: "button" }, "Fill in the recommendation");
  function read() {
    const theta = inputs.map((input) => Number(input.value.trim() === "" ? NaN : input.value));
    const wrong = theta.findIndex((v, i) => !(v >= study.theta[i].low && v <= study.theta[i].high));
    if (wrong >= 0) {
      const c = study.theta[wrong];
      inputs[wrong].focus();
      throw new Error(`${c.name}: expected a number from ${number(c.low)} to ${number(c.high)}, got “${inputs[wrong].value}”.`);
    }
    return theta;
  }
  const form = make("form", { onsubmit: (event) => {
    event.preventDefault();
    attempt(said, async () => act(`${studyPath(name)}/enqueue`,
                                   { theta: read(), tau: Number(tau.value), reps: Number(reps.value), note: note.value }),
            "It is asked next.");
  } }, make("h3", {}, "Enqueue a trial"), fields, levers, make("label", { for: "enqueue-note" }, "Note"), note,
     make("div", { class: "line" }, make("button", { type: "submit" }, "Enqueue"), fill), said);
  return {
    form,
    update(state) {
      if (study === null) {
        study = state.study;
        inputs = study.theta.map((c, i) => make("input", { id: `enqueue-${i}`, type: "text", inputmode: "decimal", autocomplete: "off",
                                                            placeholder: `${number(c.low)} to ${number(c.high)}` }));
        fields.append(...study.theta.map((c, i) => make("div", {}, make("label", { for: `enqueue-${i}` }, named(c)), inputs[i])));
        tau = choice("enqueue-tau", study.tau, "largest");
        reps = choice("enqueue-reps", study.reps, "fewest");
        levers.append(make("div", {}, make("label", { for: "enqueue-tau" }, "tau"), tau),
                      make("div", {}, make("label", { for: "enqueue-reps" }, "reps"), reps));
      }
      fill.disabled = !state.recommendation;
      fill.onclick = () => thetaOf(state.recommendation, study).forEach((v, i) => { inputs[i].value = String(Number(v.toPrecision(6))); });
    },
  };
}

export function createActs(name) {
  const ask = voidDialog(name);
  return {
    buttonFor(trial) {
      const restore = trial.state === "voided";
      return trial.state === "told" || restore
        ? make("button", { type: "button", class: "plain", "aria-label": `${restore ? "Restore" : "Void"} trial ${trial.trial}`,
                           onclick: () => ask(trial.trial, restore) }, restore ? "restore" : "void")
        : null;
    },
    createPanel(root) {
      const { body } = panel(root, "Act on the study"), budget = budgetForm(name), enqueue = enqueueForm(name);
      body.append(enqueue.form, budget.form);
      return { update(state) { budget.update(state); enqueue.update(state); } };
    },
  };
}
