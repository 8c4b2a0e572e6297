// Catan: buttons of a turn, and dialogues for trade, the bank, discards and cards.

import { dialog, fill, h } from "./dom.js";
import { t } from "./texts.js";
import { words } from "./words.js";

const RESOURCES = ["lumber", "brick", "wool", "grain", "ore"];
const COLOURS = { lumber: "#23734b", brick: "#c25e33", wool: "#a9d36e", grain: "#f0c23b", ore: "#8b95a1" };
const COSTS = { road: ["lumber", "brick"], settlement: ["lumber", "brick", "wool", "grain"], city: ["grain", "grain", "ore", "ore", "ore"], card: ["wool", "grain", "ore"] };
let open = null;

/** Return the cards in a hand, as the picture shows them. */
function hand(root, seat) {
  const counts = Object.fromEntries(RESOURCES.map((name) => [name, 0]));
  for (const card of root?.querySelectorAll(`[data-player="${seat + 1}"] [data-card]`) ?? []) {
    if (card.dataset.card in counts) counts[card.dataset.card] = Number(card.dataset.count);
  }
  return counts;
}

const written = (counts) => RESOURCES.filter((name) => counts[name]).map((name) => `${counts[name]} ${name}`).join(" ");
const total = (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

function chip(name) {
  const element = h("span", { class: "chip" }, t(name));
  element.style.setProperty("--chip", COLOURS[name]);
  return element;
}

/**
 * Rows to choose cards: {element, counts}. `most(name)` is how many of one may be chosen.
 */
function chooser(label, most, onchange, hint = () => null) {
  const counts = Object.fromEntries(RESOURCES.map((name) => [name, 0]));
  const element = h("div", { class: "chooser", role: "group", "aria-label": label }, h("strong", {}, label));
  const rows = h("div", { class: "chooser-rows" });
  element.append(rows);
  const outputs = {};
  function step(name, by) {
    counts[name] = Math.max(0, Math.min(most(name, counts), counts[name] + by));
    refresh();
    onchange();
  }
  function refresh() {
    for (const name of RESOURCES) {
      outputs[name].textContent = counts[name];
      const [less, more] = rows.querySelectorAll(`[data-resource="${name}"] button`);
      less.disabled = counts[name] === 0;
      more.disabled = counts[name] >= most(name, counts);
    }
  }
  for (const name of RESOURCES) {
    outputs[name] = h("output", {}, 0);
    const note = hint(name);
    rows.append(h("div", { class: "chooser-row", "data-resource": name }, chip(name), note ? h("small", {}, note) : null,
      h("button", { type: "button", class: "small", "aria-label": `− ${t(name)}`, onclick: () => step(name, -1) }, "−"), outputs[name],
      h("button", { type: "button", class: "small", "aria-label": `+ ${t(name)}`, onclick: () => step(name, 1) }, "+")));
  }
  refresh();
  return { element, counts, refresh };
}

function show(title, build) {
  open?.close();
  const shown = dialog(title, build, { onclose: () => { if (open === shown) open = null; } });
  open = shown;
  return shown;
}

/** The dialogue of an offer or counter-offer. */
function tradeDialog(word, root, seat, send) {
  const own = hand(root, seat);
  show(t(word === "offer" ? "tradeTitle" : "counterTitle"), (close) => {
    const submit = h("button", { class: "primary", type: "button", "data-do": word, onclick: () => { close(); send.say(`${word} ${written(give.counts)} for ${written(want.counts)}`); } }, t("offer"));
    const check = () => {
      give.refresh();
      want.refresh();
      submit.disabled = !total(give.counts) || !total(want.counts);
    };
    let give = null, want = null;
    give = chooser(t("give"), (name) => (want?.counts[name] ? 0 : own[name]), () => check(), (name) => t("have", { n: own[name] }));
    want = chooser(t("want"), (name) => (give.counts[name] ? 0 : 9), () => check());
    check();
    return [h("div", { class: "two" }, give.element, want.element), h("div", { class: "row end" }, h("button", { type: "button", onclick: close }, t("cancel")), submit)];
  });
}

/** The dialogue of the bank: only what is legal. */
function bankDialog(choices, send) {
  show(t("bankTitle"), (close) => {
    const parsed = choices.map((choice) => { const [, rate, give, get] = /^bank (\d+) (\w+) for (\w+)$/.exec(choice.text); return { choice, rate, give, get }; });
    const gives = [...new Map(parsed.map((one) => [one.give, one])).values()];
    const area = h("div", { class: "row", role: "group", "aria-label": t("want") });
    const buttons = gives.map((one) => h("button", { type: "button", "data-give": one.give, "aria-pressed": "false", onclick: () => pick(one.give) }, chip(one.give), t("rate", { n: one.rate })));
    function pick(name) {
      buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.give === name)));
      fill(area, parsed.filter((one) => one.give === name).map((one) => h("button", { type: "button", "data-get": one.get, onclick: () => { close(); send.act(one.choice); } }, chip(one.get))));
    }
    pick(gives[0].give);
    return [h("strong", {}, t("give")), h("div", { class: "row" }, buttons), h("strong", {}, t("want")), area];
  });
}

/** A choice of one resource, for a monopoly. */
function oneDialog(title, choices, send) {
  show(title, (close) => [h("p", {}, t("which")), h("div", { class: "row" }, choices.map((choice) => h("button", { type: "button", onclick: () => { close(); send.act(choice); } }, chip(choice.text.split(" ").at(-1)))))]);
}

/** Two cards of the bank. */
function plentyDialog(choices, send) {
  const pairs = new Map(choices.map((choice) => [choice.text.replace("year of plenty ", ""), choice]));
  const size = [...pairs.keys()][0].split(" ").length;
  show(t("plenty"), (close) => {
    const submit = h("button", { class: "primary", type: "button", onclick: () => { close(); send.act(found()); } }, t("yes"));
    const found = () => pairs.get(RESOURCES.flatMap((name) => Array(pick.counts[name]).fill(name)).join(" "));
    const pick = chooser(t("pick", { n: size }), (name, counts) => counts[name] + (total(counts) < size ? 1 : 0), () => { pick.refresh(); submit.disabled = !found(); });
    submit.disabled = true;
    return [pick.element, h("div", { class: "row end" }, submit)];
  });
}

/** Which cards to give away after a seven. */
function discardDialog(count, own, send) {
  show(t("discard", { n: count }), (close) => {
    const left = h("output", {}, t("chosen", { n: 0, of: count }));
    const submit = h("button", { class: "primary", type: "button", "data-do": "discard", onclick: () => { close(); send.say(`discard ${written(pick.counts)}`); } }, t("discardDo"));
    const pick = chooser(t("yourHand"), (name, counts) => (total(counts) < count ? own[name] : counts[name]), () => {
      pick.refresh();
      left.textContent = t("chosen", { n: total(pick.counts), of: count });
      submit.disabled = total(pick.counts) !== count;
    }, (name) => t("have", { n: own[name] }));
    submit.disabled = true;
    return [pick.element, h("div", { class: "row spread" }, left, submit)];
  });
}

/** Return the controls of a decision: {element, rest}. */
export function controls({ position, send, room, root }) {
  const legal = position.legal, seat = room.hello.seat;
  const by = (word) => legal.filter((choice) => choice.text.startsWith(`${word} `) || choice.text === word);
  const used = new Set();
  const simple = (word, key, primary = false) => by(word).filter((choice) => choice.text === word).map((choice) => {
    used.add(choice);
    return h("button", { type: "button", class: primary ? "primary" : null, "data-action": word, "data-focus": word, onclick: () => send.act(choice) }, t(key));
  });
  const opener = (choices, key, run) => {
    choices.forEach((choice) => used.add(choice));
    return choices.length ? h("button", { type: "button", "data-open": key, "data-focus": key, onclick: run }, t(key)) : null;
  };
  const discards = by("discard"), offers = by("offer"), bank = by("bank"), monopoly = by("monopoly"), plenty = by("year of plenty"), confirms = by("confirm");
  const owed = Number(/discard (\d+) more/.exec(position.asked)?.[1] ?? 0);
  const offer = [...(root?.querySelectorAll("[data-offer] text") ?? [])].map((line) => line.textContent);
  const parts = [];
  if (discards.length) parts.push(opener(discards, "discardDo", () => discardDialog(owed, hand(root, seat), send)));
  if (by("accept").length || by("reject").length || confirms.length) {
    parts.push(h("div", { class: "offer" }, h("strong", {}, t("offerOf")), offer.map((line) => h("p", {}, line))));
  }
  parts.push(simple("roll", "roll", true), simple("accept", "accept", true), simple("reject", "reject"));
  if (by("reject").length) parts.push(h("button", { type: "button", "data-open": "counter", onclick: () => tradeDialog("counter", root, seat, send) }, t("counter")));
  for (const choice of confirms) {
    used.add(choice);
    parts.push(h("button", { type: "button", class: "primary", "data-action": choice.text, onclick: () => send.act(choice) }, t("confirmWith", { n: choice.text.split(" ").at(-1) })));
  }
  parts.push(simple("withdraw", "withdraw"));
  parts.push(opener(offers, "trade", () => tradeDialog("offer", root, seat, send)));
  parts.push(opener(bank, "bank", () => bankDialog(bank, send)));
  parts.push(simple("buy card", "buyCard"), simple("knight", "knight"), simple("road building", "roadBuilding"));
  parts.push(opener(monopoly, "monopoly", () => oneDialog(t("monopoly"), monopoly, send)));
  parts.push(opener(plenty, "plenty", () => plentyDialog(plenty, send)));
  parts.push(simple("end", "end", true));
  const hints = [];
  if (legal.some((choice) => /^(road|settlement|city) /.test(choice.text))) hints.push(h("p", { class: "quiet-text" }, t("build")));
  if (by("robber").length) hints.push(h("p", { class: "quiet-text" }, t("robberHint")));
  const costs = h("details", {}, h("summary", {}, t("costs")), Object.entries(COSTS).map(([thing, cards]) => h("div", { class: "row cost" }, h("span", {}, t(thing)), cards.map(chip))));
  return { element: [parts.flat().some(Boolean) ? h("div", { class: "row" }, parts) : null, hints, costs], rest: legal.filter((choice) => !used.has(choice) && !/^(offer|counter|discard|bank) /.test(choice.text)) };
}
