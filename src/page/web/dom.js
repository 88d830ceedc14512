// Elements from plain values. Texts of others only ever become text nodes, and never turn the
// direction of writing.

export const byId = (id) => document.getElementById(id);

// As the rest of besd shows them: controls are blanks, marks of direction question marks.
export function clean(text) {
  return String(text ?? "")
    .replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, " ")
    .replace(/[\u0080-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "?");
}

// make("td", {class: "number", onclick: f}, "text", child, ...)
export function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on"))
      element.addEventListener(name.slice(2), value);
    else if (value === true)
      element.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null)
      element.setAttribute(name, value);
  }
  for (const child of children.flat())
    if (child !== null && child !== undefined)
      element.append(child instanceof Node ? child : clean(child));
  return element;
}

// A section with a heading; what is in it goes into its body.
export function panel(root, title, options = {}) {
  const body = make("div", { class: "body" });
  const id = `panel-${title.toLowerCase().replace(/[^a-z]+/g, "-")}`;
  const section = make("section", { class: `panel ${options.class || ""}`, "aria-labelledby": id },
                       make("h2", { id }, title), body);
  root.append(section);
  return { section, body, show: (on) => { section.hidden = !on; } };
}

// Makes these the children, in this order. What stays is not touched: a click that has begun on it, the focus and a
// selection go on.
export function arrange(parent, children) {
  const wanted = new Set(children);
  for (const old of [...parent.childNodes])
    if (!wanted.has(old))
      old.remove();
  children.forEach((child, i) => {
    if (parent.childNodes[i] !== child)
      parent.insertBefore(child, parent.childNodes[i] || null);
  });
}

// A table that scrolls sideways when it must. Columns are numbers, and stand at the right, unless `text` lists them; a cell
// is a text or an element. `marked` says which rows stand out.
export function table(caption, heads, rows, { text = [], marked = () => false, wraps = false } = {}) {
  const look = (i) => text.includes(i) ? "" : "number";
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption || "Table" },
              make("table", { class: wraps ? "small wraps" : "small" }, caption ? make("caption", {}, caption) : null,
                   make("thead", {}, make("tr", {}, heads.map((head, i) => make("th", { scope: "col", class: look(i) }, head)))),
                   make("tbody", {}, rows.map((row, r) => make("tr", { class: marked(r) ? "chosen" : "" }, row.map((cell, i) =>
                     make(i === 0 ? "th" : "td", { class: look(i), scope: i === 0 ? "row" : null }, cell instanceof Node ? cell : String(cell))))))));
}

export const empty = (text) => make("p", { class: "empty" }, text);

// Only what has changed is written, so that readers of the screen are not disturbed.
export function say(element, text) {
  const said = clean(text);
  if (element.textContent !== said)
    element.textContent = said;
}

// Calls draw with the width of an element, now and when it changes.
export function whenSized(element, draw) {
  let width = 0;
  new ResizeObserver(() => {
    const now = Math.floor(element.clientWidth);
    if (now && now !== width) {
      width = now;
      draw();
    }
  }).observe(element);
}
