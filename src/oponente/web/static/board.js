// The board: the server's picture, legal places that can be clicked, and what an analysis draws on it.

import { fill, h, picture, s } from "./dom.js";
import { t } from "./texts.js";
import { words } from "./words.js";

const SMALL = 62;
const BEFORE_BANK = 32;
const FINGER = 26; // pixels by which a finger may miss

/** Return the elements of a picture at a place, such as "node c4". */
function elements(root, place) {
  const at = place.indexOf(" ");
  return [...root.querySelectorAll(`[data-${place.slice(0, at)}="${CSS.escape(place.slice(at + 1))}"]`)];
}

/** Put what is written in a picture that is shown into the language that is chosen; it must not become too wide. */
function translate(root) {
  for (const one of root.querySelectorAll("text, tspan, title")) {
    const said = words(one.textContent);
    if (one.children.length || said === one.textContent) continue;
    one.textContent = said;
    // What has no room: on a label, and before the cards of the bank.
    if (!one.matches("rect + text[text-anchor=middle], [data-bank] > text:first-child")) continue;
    const label = one.previousElementSibling, room = label ? Number(label.getAttribute("width")) - 10 : BEFORE_BANK;
    if (one.getComputedTextLength() > room) {
      one.setAttribute("textLength", room);
      one.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }
  }
}

/** Return where an element is in the picture's own units: {x, y, width, height} of its box. */
function box(root, element) {
  const own = element.getBBox();
  const matrix = root.getScreenCTM().inverse().multiply(element.getScreenCTM());
  const corners = [[own.x, own.y], [own.x + own.width, own.y + own.height]].map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix));
  return { x: corners[0].x, y: corners[0].y, width: corners[1].x - corners[0].x, height: corners[1].y - corners[0].y };
}

function middle(root, place) {
  const element = elements(root, place)[0];
  if (!element) return null;
  const whole = box(root, element);
  const column = whole.height > 3 * whole.width, small = !column && Math.min(whole.width, whole.height) < SMALL;
  // Of what is small the disc counts, not what is written beside it.
  const { x, y, width, height } = small && element.querySelector("circle") ? box(root, element.querySelector("circle")) : whole;
  return { x: x + width / 2, y: y + height / 2, small };
}

/**
 * A board. `callbacks`: act(choice), chosen(path, candidates).
 */
export function board(callbacks) {
  const frame = h("div", { class: "board-frame" });
  const beside = h("div", { class: "board-beside" });
  const menu = h("div", { class: "board-menu", role: "group", "aria-label": t("choose") });
  const zoom = h("div", { class: "zoom" },
    h("button", { class: "small", type: "button", "aria-label": t("zoomIn"), onclick: () => scale(1.35) }, "+"),
    h("button", { class: "small", type: "button", "aria-label": t("zoomOut"), onclick: () => scale(1 / 1.35) }, "−"));
  const element = h("div", { class: "board" }, frame, zoom, menu);
  let root = null, text = "", offered = null, legal = [], path = [], ideas = [], factor = 1;
  // By place, what can be clicked; where the keyboard was last, and whether that was taken away while it was there.
  let targets = new Map(), last = null, asking = null, keyed = false;

  function scale(by) {
    factor = Math.min(3, Math.max(1, factor * by));
    size();
  }

  function size() {
    if (!root) return;
    root.style.width = `${100 * factor}%`;
    frame.classList.toggle("zoomed", factor > 1);
  }

  // Where the picture says where the board alone is, that fills the frame; what is beside it is shown by itself.
  function split() {
    beside.replaceChildren();
    if (!root) return;
    const part = root.dataset.board ?? root.getAttribute("viewBox");
    const [, , width, height] = part.split(" ").map(Number);
    root.setAttribute("viewBox", part);
    root.removeAttribute("width");
    root.removeAttribute("height");
    root.style.aspectRatio = `${width} / ${height}`;
    if (root.dataset.beside) {
      const copy = root.cloneNode(true);
      copy.querySelectorAll(".overlay").forEach((one) => one.remove());
      // Each id once: the copy refers to the symbols of the original.
      copy.querySelectorAll("defs").forEach((one) => one.remove());
      copy.setAttribute("viewBox", root.dataset.beside);
      const [, , w, height_] = root.dataset.beside.split(" ").map(Number);
      copy.style.aspectRatio = `${w} / ${height_}`;
      copy.style.width = "100%";
      beside.append(copy);
    }
    size();
  }

  /** Note where the keyboard is, before what is there is taken away. */
  function leaving() {
    const now = document.activeElement;
    for (const [place, one] of targets) if (one === now) last = place;
    if (menu.contains(now)) last = asking;
    if (now !== document.body) keyed = now.matches(":focus-visible");
  }

  /** Give the keyboard its place back, or another one on the board, once something can be done there. */
  function returning() {
    if (keyed && targets.size && document.activeElement === document.body) (targets.get(last) ?? targets.values().next().value).focus();
  }

  function redraw() {
    if (!root) return;
    leaving();
    draw();
    returning();
  }

  function draw() {
    root.querySelectorAll(".overlay").forEach((one) => one.remove());
    root.querySelectorAll(".target, .chosen").forEach((one) => {
      one.classList.remove("target", "chosen");
      for (const name of ["tabindex", "role", "aria-label"]) one.removeAttribute(name);
      one.onclick = one.onkeydown = null;
    });
    root.append(ideaLayer(), targetLayer());
    callbacks.chosen?.(path, candidates());
  }

  const candidates = () => legal.filter((choice) => path.every((place, i) => choice.places[i] === place));

  function targetLayer() {
    const layer = s("g", { class: "overlay targets" });
    const places = new Map();
    targets = new Map();
    for (const choice of candidates()) {
      const place = choice.places[path.length];
      if (place) places.set(place, [...(places.get(place) ?? []), choice]);
    }
    for (const place of path) elements(root, place).forEach((one) => one.classList.add("chosen"));
    for (const [place, choices] of places) {
      const found = elements(root, place), at = middle(root, place);
      if (!at) continue;
      // A number alone says nothing to who can't see the board.
      const said = choices.length === 1 && !/^\d+$/.test(choices[0].text) ? words(choices[0].text) : words(place);
      const label = [said, choices.length === 1 ? words(choices[0].note) : ""].filter(Boolean).join(", ");
      const listen = (one) => {
        targets.set(place, one);
        one.setAttribute("tabindex", "0");
        one.setAttribute("role", "button");
        one.setAttribute("aria-label", label);
        one.onclick = () => pick(place, choices);
        one.onkeydown = (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pick(place, choices); } };
      };
      found.forEach((one) => { one.classList.add("target"); one.onclick = () => pick(place, choices); });
      if (at.small) {
        const hit = s("circle", { cx: at.x, cy: at.y, r: 19, class: `hit ${place.split(" ")[0]}`, "data-place": place }, s("title"));
        hit.firstChild.textContent = label;
        listen(hit);
        layer.append(hit);
        const odds = path.length && /(\d+)%/.exec(choices[0].note ?? "");
        if (odds) layer.append(label_(at.x, at.y - 22, `${odds[1]} %`));
      } else listen(found[0]);
    }
    return layer;
  }

  function label_(x, y, content) {
    const text_ = s("text", { x, y, class: "odds", "text-anchor": "middle" });
    text_.textContent = content;
    return text_;
  }

  function pick(place, choices) {
    const full = choices.filter((choice) => choice.places.length === path.length + 1);
    if (full.length === choices.length && full.length === 1) { callbacks.act(full[0]); return; }
    if (full.length === choices.length) { ask(place, full); return; }
    path = [...path, place];
    redraw();
  }

  /** Let the user choose among actions at one place, as whom to rob. */
  function ask(place, choices) {
    asking = place;
    fill(menu, h("strong", {}, t("choose")),
      choices.map((choice) => h("button", { type: "button", onclick: () => { closeMenu(); callbacks.act(choice); } }, words(choice.text))),
      h("button", { class: "quiet", type: "button", onclick: closeMenu }, t("cancel")));
    menu.querySelector("button").focus();
  }

  function closeMenu() {
    fill(menu);
    targets.get(asking)?.focus();
  }

  /** Forget the places that were chosen. */
  function back() {
    if (menu.children.length) closeMenu();
    if (!path.length || !root) return;
    leaving();
    last = path[0];
    path = [];
    draw();
    returning();
  }

  function ideaLayer() {
    const layer = s("g", { class: "overlay ideas", "aria-hidden": "true" });
    const most = Math.max(...ideas.map((idea) => idea.share ?? 0), 0.001);
    ideas.slice(0, 5).forEach((idea, rank) => {
      const points = (idea.piece ? [idea.piece] : idea.places).map((place) => middle(root, place)).filter(Boolean);
      if (!points.length) return;
      const weight = idea.share === null ? 1 - rank / 6 : (idea.share ?? 0) / most;
      const to = points.at(-1);
      if (points.length > 1) {
        const [a, b] = points, dx = b.x - a.x, dy = b.y - a.y, length = Math.hypot(dx, dy) || 1;
        const tip = { x: b.x - (dx / length) * 14, y: b.y - (dy / length) * 14 };
        const width = 3 + 6 * weight, side = 5 + width;
        layer.append(
          s("path", { class: `arrow rank-${rank}`, "stroke-width": width, d: `M${a.x} ${a.y}L${tip.x - (dx / length) * side} ${tip.y - (dy / length) * side}` }),
          s("path", { class: `tip rank-${rank}`, d: `M${tip.x} ${tip.y}L${tip.x - (dx * side - dy * side) / length} ${tip.y - (dy * side + dx * side) / length}L${tip.x - (dx * side + dy * side) / length} ${tip.y - (dy * side - dx * side) / length}z` }));
      }
      layer.append(s("circle", { class: `ghost rank-${rank}`, cx: to.x, cy: to.y, r: idea.piece ? 25 : to.small ? 12 + 6 * weight : 20 }));
      const text_ = s("text", { class: "rank", x: to.x, y: to.y + 4, "text-anchor": "middle" });
      text_.textContent = idea.share === null ? String(rank + 1) : `${Math.round(100 * idea.share)}`;
      layer.append(text_);
    });
    return layer;
  }

  // A finger that misses a small place means the nearest one.
  frame.addEventListener("click", (event) => {
    if (event.target.closest(".hit, .target") || !(event.pointerType === "touch" || matchMedia("(pointer: coarse)").matches)) return;
    const far = (one) => { const { x, y, width, height } = one.getBoundingClientRect(); return Math.hypot(x + width / 2 - event.clientX, y + height / 2 - event.clientY); };
    const [nearest] = [...frame.querySelectorAll(".hit")].map((one) => [far(one), one]).sort((a, b) => a[0] - b[0]);
    if (nearest && nearest[0] < FINGER) nearest[1].onclick();
  });

  // Wherever the keyboard is: what has just been clicked on is gone, and the focus with it. A dialogue has its own Escape.
  addEventListener("keydown", keys);
  function keys(event) {
    if (!element.isConnected) { removeEventListener("keydown", keys); return; }
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) back();
  }

  return {
    element,
    /** Show a picture with the places of legal actions after `ply` actions; of what is known already nothing is made anew. */
    show(svg, choices, ply) {
      const now = JSON.stringify([ply, choices]);
      if (svg === text && now === offered) return; // what is half chosen stays
      offered = now;
      leaving();
      if (svg !== text) {
        text = svg;
        const first = !root;
        root = picture(svg);
        frame.replaceChildren(root);
        translate(root);
        // A wide map on a phone: large enough to hit, and to be moved about.
        if (first && frame.clientWidth < 560 && Number(root.getAttribute("width")) >= 900 && !root.dataset.beside) factor = 2;
        split();
      }
      legal = choices;
      path = [];
      fill(menu);
      draw();
      returning();
    },
    /** Draw an analysis: moves with places, the best first. */
    ideas(list) { ideas = list; root?.querySelector(".overlay.ideas")?.replaceWith(ideaLayer()); },
    /** Offer no actions: there is no position now. */
    rest() { offered = null; legal = []; path = []; redraw(); fill(menu); },
    back,
    get root() { return root; },
    /** What the picture shows beside the board. */
    beside,
  };
}
