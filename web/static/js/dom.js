// Makes elements in HTML and in SVG.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

/** h("p", {class: "x", onclick: f}, "text", child, …) */
export const h = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

/** The same in SVG. */
export const s = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

/** Returns an address of this page, below the path under which a proxy may serve it. */
export const below = (path) => (document.documentElement.dataset.below ?? "") + path;

export const byId = (id) => document.getElementById(id);

/** Sets an element's text only if it changed, so that nothing is announced or painted twice. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
