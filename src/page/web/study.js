// One study: read once, then followed by its events. What changes is read again, as seldom as does.
import { follow, get, getIfThere, insist, snapshot, studyPath } from "./api.js";
import { createActs } from "./acts.js";
import { createCurve } from "./charts.js";
import { make, panel } from "./dom.js";
import { createHappenings } from "./happenings.js";
import { createHeadline } from "./headline.js";
import { createLegs } from "./legs.js";
import { createLevers } from "./levers.js";
import { createMap } from "./map.js";
import { createPoints } from "./points.js";
import { createProgress } from "./progress.js";
import { createQueue } from "./queue.js";
import { createRecommendation } from "./recommendation.js";
import { createSettings } from "./settings.js";
import { createSlices } from "./slices.js";
import { createTable } from "./table.js";
import { createWhy } from "./why.js";
import { thetaOf } from "./format.js";

const soon = 200;         // ms in which events are gathered
const oneByOne = 6;       // so many changed trials are read each on its own
const restOfModel = 2500; // ms at least between two questions to the model
const keptEvents = 40, keptMoves = 200;

const emptyState = (name) => ({
  name, study: null, trials: [], byId: new Map(), events: [], map: null, moved: [],
  explained: true, // an ask with reasons may have come since they were read
  // undefined: not read yet; null: there is none
  curve: undefined, recommendation: undefined, explanation: undefined, slices: undefined, legs: undefined,
});

function keepTrials(state, list) {
  for (const trial of list)
    state.byId.set(trial.trial, trial);
  state.trials = [...state.byId.values()].sort((a, b) => a.trial - b.trial);
}

async function readTrials(state, changed) {
  const path = studyPath(state.name), ids = [...changed].sort((a, b) => a - b);
  if (!ids.length)
    return;
  if (ids.length <= oneByOne)
    keepTrials(state, await Promise.all(ids.map((id) => get(`${path}/trials/${id}`))));
  else
    keepTrials(state, (await get(`${path}/trials?after=${ids[0] - 1}`)).trials);
}

// Where the events begin that were not yet seen when everything is read.
async function newestEvent(state) {
  const { events } = await get(`${studyPath(state.name)}/events?newest=${keptEvents}`);
  state.events = events.slice(-keptEvents);
  return events.length ? events[events.length - 1].id : 0;
}

const chartless = (root) => {
  panel(root, "Charts").body.append(make("p", { class: "empty" }, "This besd was built without d3, so it draws no charts. " +
                                         "On Debian and Ubuntu the package libjs-d3 has it; then build besd again."));
  return { update() {} };
};

function createPanels(root, name) {
  const grid = make("div", { class: "panels" }), acts = snapshot ? null : createActs(name), drawing = Boolean(window.d3);
  const all = [createHeadline(grid), createProgress(grid)];
  const flow = grid.appendChild(make("div", { class: "flow" }));
  all.push(...[drawing ? createCurve : chartless, drawing && createPoints, createRecommendation, drawing && createMap,
               createWhy, drawing && createLevers, !snapshot && createQueue].filter(Boolean).map((create) => create(flow)));
  if (drawing)
    all.push(createLegs(grid), createSlices(grid));
  all.push(createTable(grid, acts));
  const pair = grid.appendChild(make("div", { class: "panels pair" }));
  if (acts)
    all.push(acts.createPanel(pair));
  all.push(createHappenings(pair), createSettings(grid));
  return { grid, show: () => root.replaceChildren(grid), all };
}

// Draws at most once a frame.
function createPainter(state, panels) {
  let due = false;
  return () => {
    if (due)
      return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      panels.grid.classList.toggle("fresh", !state.trials.length);
      panels.all.forEach((one) => one.update(state));
      performance.mark("drawn", { detail: state.trials.length });
    });
  };
}

// What the model says costs the server time: one question after the other, with rests in between.
function createModelReader(state, paint) {
  const path = studyPath(state.name);
  let running = false, wanted = false, looking = true;
  async function read() {
    looking = true;
    const begin = performance.now();
    state.curve = await getIfThere(`${path}/curve`);
    if (state.explained) {
      state.explained = false;
      state.explanation = await getIfThere(`${path}/explain`);
    }
    paint();
    state.recommendation = await getIfThere(`${path}/recommend`);
    if (state.recommendation)
      keepMove(state);
    state.curve = await getIfThere(`${path}/curve`);
    paint();
    state.slices = await getIfThere(`${path}/slices`);
    state.legs = state.study.path ? await getIfThere(`${path}/legs`) : null;
    paint();
    return performance.now() - begin;
  }
  // Gaps of the curve, when nothing newer is to be read.
  async function lookBack() {
    const begin = performance.now(), answer = await getIfThere(`${path}/hindsight`);
    state.curve = await getIfThere(`${path}/curve`);
    paint();
    looking = Boolean(answer?.more);
    return performance.now() - begin;
  }
  return async function want() {
    wanted = true;
    if (running)
      return;
    running = true;
    while (wanted || looking) {
      const task = wanted ? read : lookBack;
      wanted = false;
      const took = await task().catch(() => 0);
      await new Promise((done) => setTimeout(done, Math.max(task === read ? restOfModel : soon, 2 * took)));
    }
    running = false;
  };
}

function keepMove(state) {
  const theta = thetaOf(state.recommendation, state.study), last = state.moved[state.moved.length - 1];
  if (!last || last.some((v, i) => v !== theta[i]))
    state.moved.push(theta);
  state.moved.splice(0, state.moved.length - keptMoves);
}

// Gathers events for a moment, then reads what they speak of.
function createGatherer(state, paint, wantModel, onState) {
  const path = studyPath(state.name), changed = new Set();
  let timer = 0, busy = false, failed = false;
  async function flush() {
    timer = 0;
    if (busy)
      return later();
    busy = true;
    const ids = new Set(changed);
    changed.clear();
    try {
      await readTrials(state, ids);
      state.study = await get(path);
      paint();
      wantModel();
      if (failed)
        onState("live");
      failed = false;
    } catch {
      failed = true;
      ids.forEach((id) => changed.add(id));
      onState("reconnecting");
      later(2000);
    }
    busy = false;
  }
  function later(wait = soon) {
    timer ||= setTimeout(flush, wait);
  }
  return (event) => {
    if (event) {
      state.events.push(event);
      state.events.splice(0, state.events.length - keptEvents);
      if (event.trial)
        changed.add(event.trial);
      state.explained ||= event.what === "asked" && event.detail !== null;
    }
    later();
  };
}

async function readAll(state) {
  const path = studyPath(state.name), study = await get(path);
  const last = await newestEvent(state);
  const { trials } = await get(`${path}/trials`);
  state.byId.clear();
  keepTrials(state, trials);
  state.study = study;
  state.map = await getIfThere(`${path}/map`);
  return last;
}

async function readModel(state) {
  const path = studyPath(state.name);
  for (const what of ["curve", "recommend", "slices", "legs", "explain"])
    state[{ recommend: "recommendation", explain: "explanation" }[what] || what] = await getIfThere(`${path}/${what}`);
}

// A study that a file has: everything is there at once, and nothing changes.
async function showKept(root, state) {
  await readAll(state);
  await readModel(state);
  const panels = createPanels(root, state.name);
  panels.show();
  createPainter(state, panels)();
}

export async function showStudy(root, name, onState) {
  const state = emptyState(name);
  if (snapshot)
    return showKept(root, state);
  const waiting = root.appendChild(make("p", { class: "empty", role: "status" }, "Reading the study …"));
  onState("connecting");
  const last = await insist(() => readAll(state), (now, error) => {
    onState(now);
    waiting.textContent = now === "reconnecting" && !error?.status ? "The server does not answer; trying again." : `${error.message}`;
  });
  const panels = createPanels(root, name), paint = createPainter(state, panels);
  panels.show();
  const wantModel = createModelReader(state, paint), gather = createGatherer(state, paint, wantModel, onState);
  paint();
  wantModel();
  setInterval(() => panels.all.forEach((one) => one.tick?.(state)), 1000);
  return follow(studyPath(name), last, {
    onState,
    onEvent: gather,
    onOpen: (again) => again && readAll(state).then(paint).then(wantModel).catch(() => {}),
  });
}
