// The form that begins a game.

import { get, post } from "./api.js";
import { badge } from "./badge.js";
import { fill, h, toast } from "./dom.js";
import { agentChooser } from "./fields.js";
import { meaning } from "./glossary.js";
import { gameIcon, gameName } from "./names.js";
import { gameOptions } from "./options.js";
import { onchange } from "./settings.js";
import { t } from "./texts.js";
import { refused } from "./words.js";

// What the form holds, while it is shown; and what it held when the language was changed, for the form made anew.
let held = null, left = null;
onchange(() => { left = held?.() ?? null; });

export async function show(main) {
  const before = left;
  left = null;
  const { games } = await get("/api/games");
  const choices = h("div", { class: "games", role: "group", "aria-label": t("game") });
  const form = h("div", { class: "start" });
  main.append(h("div", { class: "start" }, h("div", {}, h("h1", {}, t("title")), h("p", { class: "quiet-text" }, t("subtitle"))), choices, form));
  let chosen = sessionStorage.getItem("oponente.game") ?? "catan";
  const buttons = games.map(({ game, about }) => h("button", { class: "game-choice", type: "button", "data-game": game, onclick: () => choose(game) },
    gameIcon(game), h("strong", {}, gameName(game)), h("span", {}, meaning(about))));
  choices.append(...buttons);
  async function choose(game, kept = {}) {
    chosen = game;
    sessionStorage.setItem("oponente.game", game);
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.game === game));
    fill(form, h("div", { class: "card row" }, h("span", { class: "spinner" }), t("starting")));
    try {
      const description = await post("/api/describe", { game, options: kept.values ?? {} });
      if (chosen === game) fill(form, gameForm(description, kept));
    } catch (error) { fill(form); toast(t("error", { text: refused(error.message) }), "bad"); }
  }
  await choose(games.some(({ game }) => game === chosen) ? chosen : games[0].game, before?.game === chosen ? before : {});
  return () => { held = null; };
}

/** Return the form of a game. `kept`: what was entered before: option values, seats, seed, pace, whether all options are shown. */
function gameForm(description, kept = {}) {
  const element = h("form", { class: "start", novalidate: true });
  const parts = h("div", { class: "start" });
  const button = h("button", { class: "primary", type: "submit", id: "start" }, t("start"));
  const options = gameOptions(element, (next) => build(next, held()));
  let rows, seed, pace, details;

  function build(known, { values = {}, seats = [], ...entered }) {
    description = known;
    const fields = options.show(description, values);
    const [first, others] = [true, false].map((wanted) => fields.filter(({ declared }) => declared.first === wanted));
    rows = Array.from({ length: description.players }, (_, seat) => seatRow(description, seat, seats[seat]));
    seed = h("input", { id: "seed", type: "number", min: 0, max: Number.MAX_SAFE_INTEGER, placeholder: t("seedHint"), value: entered.seed ?? "" });
    pace = h("input", { id: "pace", type: "number", min: 0, max: 30, step: "any", value: entered.pace ?? (description.real_time ? 0.1 : 0.6) });
    details = h("details", { open: entered.open ?? false }, h("summary", {}, t("options")),
      h("div", { class: "fields" }, others.map((one) => one.element),
        h("div", { class: "field" }, h("label", { for: "seed" }, t("seed")), seed),
        h("div", { class: "field" }, h("label", { for: "pace" }, t(description.real_time ? "tick" : "pace")), pace)));
    fill(parts,
      h("section", { class: "card seat-list", "aria-label": t("seats") }, h("h2", {}, t("seats")),
        first.length ? h("div", { class: "fields" }, first.map((one) => one.element)) : null, rows.map((row) => row.element)),
      h("section", { class: "card" }, details));
  }

  held = () => ({ game: description.game, values: options.changes(), seats: rows.map((row) => row.agent()), seed: seed.value, pace: pace.value, open: details.open });

  function waiting(on) {
    button.disabled = on;
    button.textContent = t(on ? "starting" : "start");
  }

  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    waiting(true);
    await options.settled(); // who plays may depend on what was changed last
    if (!element.checkValidity()) {
      element.querySelectorAll("details").forEach((one) => { if (one.querySelector(":invalid")) one.open = true; });
      waiting(false);
      element.reportValidity();
      return;
    }
    const wanted = { game: description.game, options: options.changes(), seats: rows.map((row) => ({ agent: row.agent() })), pace: Number(pace.value) || 0 };
    if (seed.value !== "") wanted.seed = Number(seed.value);
    wanted.paused = description.real_time && wanted.seats.some((seat) => seat.agent === null);
    try { enter(await post("/api/play", wanted), wanted); } catch (error) {
      toast(refused(error.message), "bad");
      waiting(false);
    }
  });
  build(description, kept);
  element.append(parts, h("div", { class: "row end" }, button));
  return element;
}

function seatRow(description, seat, given) {
  const initial = given === undefined ? (seat === 0 ? null : description.opponent) : given;
  const chooser = agentChooser(description.agents, initial ?? description.opponent, { label: `${t("seat", { n: seat + 1 })}: ${t("agent")}` });
  const id = `kind-${seat}`;
  const kind = h("select", { id, onchange: show_ }, h("option", { value: "person", selected: initial === null }, t("person")), h("option", { value: "agent", selected: initial !== null }, t("agent")));
  function show_() { chooser.element.hidden = kind.value === "person"; }
  show_();
  return {
    element: h("div", { class: "seat-row" },
      h("label", { class: "who", for: id }, badge(seat, description.colours), t("seat", { n: seat + 1 })),
      h("div", { class: "seat-choice" }, kind, chooser.element)),
    agent: () => (kind.value === "person" ? null : chooser.spec()),
  };
}

/** Go to a game that was begun: to the first seat of a person, else to watch; the other links are kept to give away. */
export function enter(begun, wanted) {
  const own = begun.seats.find(Boolean) ?? begun.watch;
  sessionStorage.setItem(`oponente.links.${own}`, JSON.stringify(begun));
  sessionStorage.setItem(`oponente.wanted.${own}`, JSON.stringify(wanted));
  location.hash = `#/room/${own}`;
}
