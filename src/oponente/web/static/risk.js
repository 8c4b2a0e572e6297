// Risk: how many armies, and buttons that end a phase.

import { h } from "./dom.js";
import { t } from "./texts.js";
import { actionButton } from "./actions.js";

const DONE = { attack: "doneAttacks", move: "doneMoves", trade: "doneTrade" };

/** Return the controls of a decision: {element, rest}. */
export function controls({ position, send }) {
  const legal = position.legal;
  const numbers = legal.filter((choice) => /^\d+$/.test(choice.text)).map((choice) => Number(choice.text));
  if (numbers.length) {
    const least = Math.min(...numbers), most = Math.max(...numbers);
    const input = h("input", { type: "range", min: least, max: most, value: most, "aria-label": t("amount"), "data-focus": "amount", oninput: () => { button.textContent = t("amountDo", { n: input.value }); } });
    const button = h("button", { class: "primary", type: "button", "data-do": "amount", onclick: () => send.say(String(input.value)) }, t("amountDo", { n: most }));
    return {
      element: h("div", { class: "amounts" }, h("strong", {}, t("amount")), h("div", { class: "row" }, h("span", {}, least), input, h("span", {}, most)),
        h("div", { class: "row end" }, button)),
      rest: [],
    };
  }
  const done = legal.find((choice) => choice.text === "done");
  const trades = legal.filter((choice) => choice.text.startsWith("trade "));
  const phase = trades.length ? "trade" : /attack/.test(position.asked) ? "attack" : /move/.test(position.asked) ? "move" : null;
  const parts = trades.map((choice) => actionButton(choice, send.act, { primary: true }));
  if (done) parts.push(actionButton(done, send.act, { label: t(DONE[phase] ?? "done"), primary: !trades.length }));
  const hint = legal.some((choice) => choice.places.length) ? h("p", { class: "quiet-text" }, t("mapHint")) : null;
  return { element: [hint, parts.length ? h("div", { class: "row" }, parts) : null], rest: legal.filter((choice) => choice !== done && !trades.includes(choice)) };
}
