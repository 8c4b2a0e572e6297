// Making elements. Text only ever becomes text: nothing here parses markup.

import { t } from "./texts.js";

/**
 * Return an element: attributes by name (on… with a function listens, false and null leave out), then children.
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (key in { value: 1, checked: 1, disabled: 1, selected: 1, open: 1, hidden: 1 }) element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** Return an SVG element. */
export function s(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Return the root of a picture that our own server has drawn. */
export function picture(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (root.nodeName !== "svg") throw new Error("no picture");
  return document.importNode(root, true);
}

/** Put children in place of what an element holds; the focus stays where it was, if that is still there. */
export function fill(element, ...children) {
  const focus = element.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  if (focus) element.querySelector(`[data-focus="${CSS.escape(focus)}"]`)?.focus();
  return element;
}

/** Tell something in the corner for some seconds; it is read aloud, too. */
export function toast(text, kind = "note") {
  const element = h("div", { class: `toast ${kind}` }, text);
  const toasts = document.getElementById("toasts");
  // Before a dialogue, which covers what is outside it: nothing there can be seen well or is read aloud.
  const shown = [...document.querySelectorAll("dialog[open]")].at(-1);
  (shown?.querySelector(".toasts") ?? toasts).append(element);
  setTimeout(() => element.remove(), 6000);
}

/** Show a dialog with a title; return it. `build(close)` gives the content. */
export function dialog(title, build, { onclose } = {}) {
  const element = h("dialog", { class: "dialog", "aria-label": title });
  const close = () => element.close();
  element.append(
    h("form", { method: "dialog", class: "dialog-head" }, h("h2", {}, title), h("button", { class: "quiet", "aria-label": t("close") }, "×")),
    h("div", { class: "dialog-body" }, build(close)),
    h("div", { class: "toasts", role: "status", "aria-live": "polite" }),
  );
  element.addEventListener("close", () => { element.remove(); onclose?.(); });
  element.addEventListener("click", (event) => { if (event.target === element) close(); });
  document.body.append(element);
  // What the dialog is about has the focus first, not what closes it.
  element.querySelector(".dialog-body :is(button, input):enabled")?.setAttribute("autofocus", "");
  element.showModal();
  return element;
}

let pressed = false;
const waiting = new Set();
for (const [kind, on] of [["pointerdown", true], ["pointerup", false], ["pointercancel", false], ["keydown", false]]) {
  addEventListener(kind, () => {
    pressed = on;
    if (!on) setTimeout(() => { waiting.forEach((done) => done()); waiting.clear(); }); // the click of a release comes first
  }, true);
}

/** Return once nothing is pressed with a mouse or finger: what is taken away before its release is never clicked. */
export const released = () => (pressed ? new Promise((done) => { waiting.add(done); }) : Promise.resolve());
