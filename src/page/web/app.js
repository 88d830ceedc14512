// Which page this is, the state of the connection, the token and the name of the person. A page in a file shows what it
// has inside; where it has several studies, the part of the address behind # says which.
import { person, setPerson, setToken, snapshot, token } from "./api.js";
import { showComparison } from "./comparison.js";
import { byId, clean, make } from "./dom.js";
import { when } from "./format.js";
import { showSide } from "./side.js";
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
  if (snapshot || place.dataset.state === state)
    return;
  place.dataset.state = state;
  place.textContent = words[state];
  if (state === "denied")
    byId("access").open = true;
}

function watchAccess() {
  byId("token").value = token();
  byId("person").value = person();
  byId("person").addEventListener("change", () => setPerson(byId("person").value.trim()));
  byId("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    setPerson(byId("person").value.trim());
    setToken(byId("token").value.trim());
    location.reload();
  });
  byId("token-forget").addEventListener("click", () => {
    setToken("");
    location.reload();
  });
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const coded = encodeURIComponent;
const namesIn = (text) => text.split(",").filter(Boolean).map(decoded);

function entitle(title, page) {
  byId("title").textContent = clean(title);
  document.title = clean(page);
}

function showServed(main) {
  const [, kind, rest] = /^\/(study|comparison)\/(.+)$/.exec(location.pathname) || [];
  const side = /^#side=(.+)$/.exec(location.hash), linkOf = (name) => `/study/${coded(name)}`;
  addEventListener("hashchange", () => location.reload());
  if (kind) {
    const name = decoded(rest);
    entitle(name, `${name} – besd`);
    return kind === "study" ? showStudy(main, name, showConnection) : showComparison(main, name, showConnection);
  }
  if (side) {
    entitle("Side by side", "besd: studies side by side");
    return showSide(main, namesIn(side[1]), linkOf).then(() => showConnection("live"));
  }
  entitle("Studies", "besd: studies");
  return showStudies(main, showConnection, { linkOf, comparisonLink: (name) => `/comparison/${coded(name)}`, sideLink: (names) => `/#side=${names.map(coded).join(",")}` });
}

// What is inside decides: a comparison, one study, or several with an overview.
function showKept(main) {
  const { documents, made, version } = snapshot, names = documents["/v1/studies"].studies.map((study) => study.name);
  const chosen = /^#study=(.+)$/.exec(location.hash), linkOf = (name) => `#study=${coded(name)}`;
  byId("access")?.remove();
  document.querySelector(".brand").href = "#";
  byId("connection").dataset.state = "kept";
  byId("connection").textContent = `as of ${when(made)}, besd ${clean(version)}`;
  main.replaceChildren();
  if (documents.comparison)
    return showComparison(main, null, showConnection);
  const name = chosen && names.includes(decoded(chosen[1])) ? decoded(chosen[1]) : names.length === 1 ? names[0] : null;
  if (name !== null) {
    entitle(name, `${name} – besd`);
    if (names.length > 1)
      main.append(make("p", { class: "quiet" }, make("a", { href: "#" }, "All studies of this page")));
    return showStudy(main.appendChild(make("div", {})), name, showConnection);
  }
  entitle(`${names.length} studies`, "besd: studies side by side");
  return showSide(main, names, linkOf);
}

if (snapshot) {
  addEventListener("hashchange", () => showKept(byId("main")));
  showKept(byId("main"));
} else {
  watchAccess();
  showServed(byId("main"));
}
