// The form that begins a game.

import { get, post } from "./api.js";
import { fill, h, picture, toast } from "./dom.js";
import { agentChooser, changes, field } from "./fields.js";
import { t } from "./texts.js";

const ICONS = {
  tictactoe: "<path d='M14 4v34M28 4v34M4 14h34M4 28h34' stroke='currentColor' stroke-width='2.5' fill='none'/><circle cx='21' cy='21' r='5' fill='none' stroke='#c2410c' stroke-width='3'/><path d='M5 5l7 7m0-7l-7 7' stroke='#0b6fb8' stroke-width='3'/>",
  connect4: "<rect x='2' y='4' width='38' height='34' rx='6' fill='#1b4f9c'/><g fill='#f4f7fb'><circle cx='11' cy='13' r='4.5'/><circle cx='21' cy='13' r='4.5'/><circle cx='31' cy='13' r='4.5'/></g><circle cx='11' cy='28' r='4.5' fill='#d7263d'/><circle cx='21' cy='28' r='4.5' fill='#ffd23f'/><circle cx='31' cy='28' r='4.5' fill='#d7263d'/>",
  catan: "<path d='M21 2l16 9v19l-16 9-16-9V11z' fill='#f0c23b' stroke='#7a5530' stroke-width='2'/><path d='M13 30V20l8-7 8 7v10z' fill='#8f1029' stroke='#fff' stroke-width='1.5'/>",
  risk: "<circle cx='21' cy='21' r='18' fill='#8fb3dd'/><path d='M9 14q8-8 14-2t12 2q2 8-4 12t-8 8q-8-2-9-9t-5-11z' fill='#a9c98b' stroke='#fff'/><path d='M21 33V15l9 4-9 4' fill='#b3122a' stroke='#22303c' stroke-width='1.5'/>",
  vgdl: "<rect x='2' y='10' width='38' height='23' rx='11' fill='#3b4a63'/><path d='M9 21h9M13.5 16.5v9' stroke='#fff' stroke-width='3'/><circle cx='28' cy='24' r='3' fill='#ff9d00'/><circle cx='34' cy='18' r='3' fill='#4ea8de'/>",
};
const NAMES = { tictactoe: "Tic-tac-toe", connect4: "Connect Four", catan: "Catan", risk: "Risk", vgdl: "Video games" };

export const gameName = (game) => NAMES[game] ?? game;

export async function show(main) {
  const { games } = await get("/api/games");
  const body = h("div", { class: "start" });
  const choices = h("div", { class: "games", role: "radiogroup", "aria-label": t("game") });
  const form = h("div", { class: "start" });
  main.append(h("div", { class: "start" }, h("div", {}, h("h1", {}, t("title")), h("p", { class: "quiet-text" }, t("subtitle"))), choices, form));
  let chosen = sessionStorage.getItem("oponente.game") ?? "catan";
  const buttons = games.map(({ game, about }) => {
    const icon = ICONS[game] ? picture(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 42 42" aria-hidden="true">${ICONS[game]}</svg>`) : null;
    return h("button", { class: "game-choice", type: "button", role: "radio", "data-game": game, onclick: () => choose(game) }, icon, h("strong", {}, gameName(game)), h("span", {}, about));
  });
  choices.append(...buttons);
  async function choose(game) {
    chosen = game;
    sessionStorage.setItem("oponente.game", game);
    for (const button of buttons) button.setAttribute("aria-checked", String(button.dataset.game === game));
    fill(form, h("div", { class: "card row" }, h("span", { class: "spinner" }), t("starting")));
    try {
      const description = await post("/api/describe", { game });
      if (chosen === game) fill(form, gameForm(description));
    } catch (error) { fill(form); toast(t("error", { text: error.message }), "bad"); }
  }
  await choose(games.some(({ game }) => game === chosen) ? chosen : games[0].game);
  return () => body.remove();
}

function gameForm(description, values = {}, seats = null) {
  const element = h("form", { class: "start", novalidate: true });
  const options = description.options.map((declared) => field(declared, { value: values[declared.name] ?? null, onchange: redo }));
  const rows = Array.from({ length: description.players }, (_, seat) => seatRow(description, seat, seats?.[seat]));
  const seed = h("input", { id: "seed", type: "number", min: 0, max: Number.MAX_SAFE_INTEGER, placeholder: t("seedHint") });
  const pace = h("input", { id: "pace", type: "number", min: 0, max: 30, step: "any", value: description.real_time ? 0.1 : 0.6 });
  const button = h("button", { class: "primary", type: "submit", id: "start" }, t("start"));

  // An option may change how many play, and by which agents.
  async function redo() {
    const chosen = changes(options);
    try {
      const next = await post("/api/describe", { game: description.game, options: chosen });
      element.replaceWith(gameForm(next, chosen, rows.map((row) => row.agent())));
    } catch (error) { toast(error.message, "bad"); }
  }

  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (![...options].every((one) => one.valid()) || !element.reportValidity()) return;
    button.disabled = true;
    button.textContent = t("starting");
    const wanted = { game: description.game, options: changes(options), seats: rows.map((row) => ({ agent: row.agent() })), pace: Number(pace.value) || 0 };
    if (seed.value !== "") wanted.seed = Number(seed.value);
    wanted.paused = description.real_time && wanted.seats.some((seat) => seat.agent === null);
    try { enter(await post("/api/play", wanted), wanted); } catch (error) {
      toast(error.message, "bad");
      button.disabled = false;
      button.textContent = t("start");
    }
  });
  element.append(
    h("section", { class: "card seat-list", "aria-label": t("seats") }, h("h2", {}, t("seats")), rows.map((row) => row.element)),
    h("section", { class: "card" },
      h("details", { open: Object.keys(values).length > 0 }, h("summary", {}, t("options")),
        h("div", { class: "fields" }, options.map((one) => one.element),
          h("div", { class: "field" }, h("label", { for: "seed" }, t("seed")), seed),
          h("div", { class: "field" }, h("label", { for: "pace" }, t(description.real_time ? "tick" : "pace")), pace)))),
    h("div", { class: "row end" }, button),
  );
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
      h("label", { class: "who", for: id }, h("span", { class: "badge" }, seat + 1), t("seat", { n: seat + 1 })),
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
