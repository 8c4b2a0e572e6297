// Steering in games that don't wait: keys of the keyboard, and buttons for fingers.

import { fill, h } from "./dom.js";
import { t } from "./texts.js";

const SIGNS = { ArrowUp: ["▲", "up"], ArrowLeft: ["◀", "left"], ArrowDown: ["▼", "down"], ArrowRight: ["▶", "right"], Space: ["●", "use"] };

/** `callbacks`: hold(action), pause(on). */
export function steering(callbacks) {
  const element = h("div", { class: "steer", hidden: true });
  const held = [];
  let keys = {}, idle = 0, seated = false, on = false, moving = false;

  const press = (key) => { if (!held.includes(key)) { held.push(key); tell(); } };
  const release = (key) => { const at = held.indexOf(key); if (at >= 0) { held.splice(at, 1); tell(); } };
  const tell = () => callbacks.hold(held.length ? keys[held.at(-1)] : idle);

  function down(event) {
    if (!on || !(event.code in keys) || /INPUT|SELECT|TEXTAREA/.test(event.target.nodeName) || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    if (!event.repeat) press(event.code);
  }
  function up(event) { if (on && event.code in keys) release(event.code); }
  // While time goes on, a slider that was moved with the mouse does not keep the keys.
  function released(event) { if (on && moving && event.target.matches?.("input[type=range]")) event.target.blur(); }
  function blur() { held.length = 0; if (on) tell(); }
  addEventListener("keydown", down);
  addEventListener("keyup", up);
  addEventListener("pointerup", released);
  addEventListener("blur", blur);

  // Once the game is over the keys are those of the page again.
  function steer(to) {
    on = to;
    held.length = 0;
    element.hidden = !on;
    document.documentElement.toggleAttribute("data-steering", on);
  }

  return {
    element,
    begin(hello) {
      ({ keys, idle } = hello);
      seated = hello.moves_on && hello.seat !== null;
      steer(seated);
      if (!seated) return;
      const pads = Object.keys(keys).map((key) => {
        const [sign, name] = SIGNS[key] ?? [key, key];
        const button = h("button", { type: "button", class: `pad ${name}`, "aria-label": t(name), tabindex: -1,
          onpointerdown: (event) => { event.preventDefault(); button.setPointerCapture(event.pointerId); press(key); }, onpointerup: () => release(key), onpointercancel: () => release(key), oncontextmenu: (event) => event.preventDefault() }, sign);
        return button;
      });
      fill(element, h("p", { class: "quiet-text keys" }, t("steer")), h("div", { class: "pads" }, pads));
    },
    show(position) {
      moving = position.status === "playing";
      if (on && (position.status === "over" || position.status === "failed")) steer(false);
      if (!on) return;
      const begin = element.querySelector(".begin");
      if (position.status === "paused" && position.last === 0) {
        if (!begin) element.prepend(h("button", { class: "primary begin", type: "button", onclick: () => callbacks.pause(false) }, t("begin")));
      } else begin?.remove();
    },
    stop() {
      removeEventListener("keydown", down);
      removeEventListener("keyup", up);
      removeEventListener("pointerup", released);
      removeEventListener("blur", blur);
      document.documentElement.removeAttribute("data-steering");
    },
  };
}
