// How the page talks to the server: JSON there and back, and a stream of events that comes back
// by itself after whatever interrupted it. A page that was written into a file has the answers inside.

const key = "besd-token", personKey = "besd-person";
const inside = document.getElementById("data");

// {version, made, documents: {path: answer}} of a file; null where a server answers.
export const snapshot = inside ? JSON.parse(inside.textContent) : null;

export const token = () => sessionStorage.getItem(key) || "";

// In whose name acts are done; the server puts its own name of a token first.
export const person = () => localStorage.getItem(personKey) || "";

export function setPerson(name) {
  if (name)
    localStorage.setItem(personKey, name);
  else
    localStorage.removeItem(personKey);
}

export function setToken(text) {
  if (text)
    sessionStorage.setItem(key, text);
  else
    sessionStorage.removeItem(key);
}

// The server's clock against ours: leases are counted by it. The header Date knows seconds only.
let ahead = 0;

export const now = () => snapshot ? snapshot.made : Date.now() / 1000 + ahead;

function readClock(response) {
  const there = Date.parse(response.headers.get("Date") || "") / 1000;
  const apart = there - Date.now() / 1000;
  ahead = Number.isFinite(apart) && Math.abs(apart) > 2 ? apart : 0;
}

export const studyPath = (name) => `/v1/studies/${encodeURIComponent(name)}`;

function headers(more) {
  const all = { ...more };
  if (token())
    all.Authorization = `Bearer ${token()}`;
  return all;
}

export class Refusal extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

async function refusal(response) {
  let sentence = `the server answers ${response.status}`;
  try {
    sentence = (await response.json()).error || sentence;
  } catch {
    // no JSON: the number must do
  }
  return new Refusal(response.status, sentence);
}

async function answer(path, options) {
  const response = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(120000), ...options });
  readClock(response);
  if (!response.ok)
    throw await refusal(response);
  return response.json();
}

async function look(path) {
  if (!Object.hasOwn(snapshot.documents, path))
    throw new Refusal(404, "this page does not have it");
  return snapshot.documents[path];
}

export const get = (path) => snapshot ? look(path) : answer(path, { headers: headers({ Accept: "application/json" }) });

export const post = (path, body) => answer(path, {
  method: "POST",
  headers: headers({ "Content-Type": "application/json", Accept: "application/json" }),
  body: JSON.stringify(body),
});

// null where there is nothing, which is no failure: a study without a map, say.
export async function getIfThere(path) {
  try {
    return await get(path);
  } catch (error) {
    if (error instanceof Refusal && error.status !== 401 && error.status !== 403)
      return null;
    throw error;
  }
}

// The connection that an error means.
export function connectionOf(error) {
  if (error instanceof Refusal && (error.status === 401 || error.status === 403))
    return "denied";
  return error instanceof Refusal && error.status === 404 ? "gone" : "reconnecting";
}

const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

export function backoff(attempt) {
  return Math.min(10, 0.5 * 2 ** attempt) * (0.75 + 0.5 * Math.random());
}

// The attempt from which on a study that the server cannot read is tried again.
const unhurried = 5;

// Longer than two of the server's signs of life.
const silence = 40000;

// The lines of one event; comments have no data.
function parseEvent(lines) {
  const event = { id: null, kind: "", data: "" };
  for (const line of lines) {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "id")
      event.id = Number(value);
    else if (field === "event")
      event.kind = value;
    else if (field === "data")
      event.data += event.data ? `\n${value}` : value;
  }
  return event.data ? event : null;
}

async function readStream(response, watch, onEvent) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "", lines = [];
  for (;;) {
    const { done, value } = await reader.read();
    watch();
    if (done)
      return;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const part of parts) {
      const line = part.replace(/\r$/, "");
      if (line)
        lines.push(line);
      const event = line ? null : parseEvent(lines);
      if (!line)
        lines = [];
      if (event)
        onEvent(event);
    }
  }
}

async function listen(path, last, onOpen, onEvent) {
  const controller = new AbortController();
  let timer = 0;
  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(), silence);
  };
  try {
    watch();
    const response = await fetch(`${path}/events?after=${last}`, {
      cache: "no-store",
      signal: controller.signal,
      headers: headers({ Accept: "text/event-stream", "Last-Event-ID": String(last) }),
    });
    readClock(response);
    if (!response.ok)
      throw await refusal(response);
    onOpen();
    await readStream(response, watch, onEvent);
  } finally {
    clearTimeout(timer);
  }
}

// Follows a study for ever, from the event after `last` on. `onState` hears what connectionOf says,
// or "live"; `onOpen(again)` that the stream stands, and whether it had been lost.
export async function follow(path, last, { onEvent, onState, onOpen }) {
  let attempt = 0, again = false;
  for (;;) {
    try {
      await listen(path, last, () => {
        attempt = 0;
        onState("live");
        onOpen(again);
        again = true;
      }, (event) => {
        if (event.kind === "error") {
          attempt = unhurried;
          throw new Refusal(503, JSON.parse(event.data).error);
        }
        last = Math.max(last, event.id ?? last);
        onEvent(JSON.parse(event.data));
      });
      onState("reconnecting");
    } catch (error) {
      onState(connectionOf(error));
    }
    await pause(backoff(attempt++));
  }
}

// Calls until it succeeds.
export async function insist(call, onState) {
  for (let attempt = 0;; attempt++) {
    try {
      return await call();
    } catch (error) {
      onState(connectionOf(error), error);
      await pause(backoff(attempt));
    }
  }
}
