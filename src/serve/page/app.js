// Which page this is, the state of the connection, and the token.
import { token, setToken } from "./api.js";
import { byId, clean } from "./dom.js";
import { showStudies } from "./studies.js";
import { showStudy } from "./study.js";

const words = {
  connecting: "connecting …",
  live: "live",
  reconnecting: "reconnecting …",
  denied: "a token is needed",
  gone: "not on this server",
};

export function showConnection(state) {
  const place = byId("connection");
  if (place.dataset.state === state)
    return;
  place.dataset.state = state;
  place.textContent = words[state];
  if (state === "denied")
    byId("access").open = true;
}

function watchToken() {
  byId("token").value = token();
  byId("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    setToken(byId("token").value.trim());
    location.reload();
  });
  byId("token-forget").addEventListener("click", () => {
    setToken("");
    location.reload();
  });
}

function nameOfStudy() {
  const found = /^\/study\/(.+)$/.exec(location.pathname);
  if (!found)
    return null;
  try {
    return decodeURIComponent(found[1]);
  } catch {
    return found[1];
  }
}

const name = nameOfStudy();
watchToken();
byId("title").textContent = name === null ? "Studies" : clean(name);
document.title = name === null ? "besd: studies" : `${clean(name)} – besd`;
if (name === null)
  showStudies(byId("main"), showConnection);
else
  showStudy(byId("main"), name, showConnection);
