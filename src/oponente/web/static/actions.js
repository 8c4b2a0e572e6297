// What the player to move can do that has no place on the board, in words, and a field to type moves in.

import { fill, h } from "./dom.js";
import { t } from "./texts.js";
import { words } from "./words.js";

const SHOWN = 24;

/** Return a button for a legal action. */
export function actionButton(choice, act, { label = null, primary = false } = {}) {
  return h("button", { type: "button", class: primary ? "primary" : null, "data-focus": `action ${choice.action}`, "data-action": choice.text, title: choice.note || null, onclick: () => act(choice) },
    label ?? words(choice.text), choice.note ? h("small", { class: "note" }, words(choice.note)) : null);
}

/**
 * The panel of actions. `send`: act(choice), say(text), cancel(). `special(position, send)`: the game's own controls, or null;
 * gives {element, rest}: the actions that it leaves to be listed.
 */
export function actions(send, special) {
  const own = h("div", { class: "own" });
  const list = h("div", { class: "row action-list" });
  const input = h("input", { id: "say", autocomplete: "off", maxlength: 500, "aria-label": t("say"), placeholder: t("say") });
  const example = (text) => { input.placeholder = text ? t("sayLike", { text }) : t("say"); };
  const form = h("form", { class: "row say", onsubmit: (event) => { event.preventDefault(); if (input.value.trim()) send.say(input.value.trim()); input.value = ""; } },
    input, h("button", { type: "submit" }, t("send")));
  const element = h("section", { class: "card actions", "aria-label": t("moves") }, own, list, form);
  let all = false;
  return {
    element,
    show(position, path, candidates) {
      const mine = position.legal.length > 0;
      element.hidden = !mine;
      if (!mine) return;
      example(position.legal.at(-1).text);
      const found = path.length ? null : special?.(position, send);
      fill(own, found?.element);
      const rest = path.length ? candidates : (found?.rest ?? position.legal).filter((choice) => !choice.places.length || !found);
      const listed = path.length || rest.some((choice) => !choice.places.length) ? rest.filter((choice) => path.length || !choice.places.length) : [];
      const shown = all ? listed : listed.slice(0, SHOWN);
      fill(list, path.length ? [h("p", { class: "quiet-text" }, t("thenWhere")), h("button", { type: "button", class: "small", "data-focus": "cancel", onclick: send.cancel }, t("cancel"))] : null, shown.map((choice) => actionButton(choice, send.act)),
        shown.length < listed.length ? h("button", { class: "quiet", type: "button", onclick: () => { all = true; fill(list, listed.map((choice) => actionButton(choice, send.act))); } }, t("more")) : null);
    },
  };
}
