// A tournament: its form, and its table while games are played.

import { connect, get, post } from "./api.js";
import { fill, h, toast } from "./dom.js";
import { agentChooser } from "./fields.js";
import { gameName } from "./names.js";
import { gameOptions } from "./options.js";
import { onchange } from "./settings.js";
import { number, t } from "./texts.js";
import { refused } from "./words.js";

export async function show(main, token) {
  return token ? table(main, token) : form(main);
}

// As in the form of a game: what the form holds, and what it held when the language was changed.
let held = null, left = null;
onchange(() => { left = held?.() ?? null; });

const whole = (value) => String(Math.round(value) || 0);

async function form(main) {
  const before = left;
  left = null;
  const games = (await get("/api/games")).games.filter((one) => one.players > 1);
  const start = before?.game ?? (games.some((one) => one.game === "connect4") ? "connect4" : games[0].game);
  const game = h("select", { id: "contest-game", onchange: () => choose(game.value).catch((error) => toast(refused(error.message), "bad")) }, games.map((one) => h("option", { value: one.game, selected: one.game === start }, gameName(one.game))));
  const list = h("div", { class: "seat-list", role: "group", "aria-label": t("entrants") });
  const add = h("button", { type: "button", class: "small", onclick: () => enter(description.opponent) }, t("addEntrant"));
  const blocks = h("input", { id: "blocks", type: "number", min: 1, max: 1000, value: before?.blocks ?? 5, required: true, "aria-describedby": "blocks-hint" });
  const hint = h("small", { id: "blocks-hint" });
  const openings = h("input", { id: "opening-plies", type: "number", min: 0, max: 100, value: before?.openings ?? 0, required: true, "aria-describedby": "opening-plies-hint" });
  const seed = h("input", { id: "seed", type: "number", min: 0, max: Number.MAX_SAFE_INTEGER, placeholder: t("seedHint"), value: before?.seed ?? "" });
  const fields = h("div", { class: "fields" });
  const details = h("details", { open: before?.open ?? false }, h("summary", {}, t("options")), fields);
  const element = h("form", { class: "card start", novalidate: true });
  const options = gameOptions(element, (next) => build(next, held()));
  let description = null, entrants = [];

  function enter(initial) {
    const chooser = agentChooser(description.agents, initial);
    const row = h("div", { class: "contest-entrant" }, chooser.element, h("button", { type: "button", class: "quiet small", "aria-label": t("removeEntrant"), onclick: () => {
      if (entrants.length <= 2) return;
      entrants = entrants.filter((one) => one !== chooser);
      row.remove();
    } }, "×"));
    entrants.push(chooser);
    list.append(row);
  }

  function build(found, { values = {}, entrants: kept } = {}) {
    description = found;
    hint.textContent = t("blocksHint", { n: description.players });
    fill(fields, options.show(description, values).map((one) => one.element),
      h("div", { class: "field" }, h("label", { for: "opening-plies" }, t("openingPlies")), openings, h("small", { id: "opening-plies-hint" }, t("openingPliesHint"))),
      h("div", { class: "field" }, h("label", { for: "seed" }, t("seed")), seed));
    fill(list);
    entrants = [];
    const suggested = [...new Set(["random", description.opponent, "uct:100", "uct:1000"])];
    const played = (text) => description.agents.some((one) => one.agent === text.split(":")[0]);
    (kept ?? suggested).filter(played).forEach(enter);
    held = () => ({ game: game.value, values: options.changes(), entrants: entrants.map((one) => one.spec()), blocks: blocks.value, openings: openings.value, seed: seed.value, open: details.open });
  }

  async function choose(name, kept = {}) {
    const found = await post("/api/describe", { game: name, options: kept.values ?? {} });
    if (game.value === name) build(found, kept);
  }

  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    await options.settled(); // who plays may depend on what was changed last
    if (!element.checkValidity()) {
      element.querySelectorAll("details").forEach((one) => { if (one.querySelector(":invalid")) one.open = true; });
      element.reportValidity();
      return;
    }
    const wanted = { game: game.value, options: options.changes(), entrants: entrants.map((one) => one.spec()), blocks: Number(blocks.value), opening_plies: Number(openings.value) };
    if (seed.value !== "") wanted.seed = Number(seed.value);
    try { location.hash = `#/tournament/${(await post("/api/tournament", wanted)).room}`; } catch (error) { toast(refused(error.message), "bad"); }
  });
  element.append(
    h("div", { class: "field" }, h("label", { for: "contest-game" }, t("game")), game),
    h("div", { class: "field" }, h("span", { class: "label" }, t("entrants")), list, h("div", { class: "row" }, add)),
    h("div", { class: "field" }, h("label", { for: "blocks" }, t("blocks")), blocks, hint),
    details,
    h("div", { class: "row end" }, h("button", { class: "primary", type: "submit" }, t("start"))));
  await choose(start, before ?? {});
  main.append(h("div", { class: "start" }, h("h1", {}, t("tournamentTitle")), element));
  return () => { held = null; };
}

function table(main, token) {
  const progress = h("progress", { max: 1, value: 0, "aria-label": t("games") });
  const state = h("p", { role: "status" });
  const body = h("div", { class: "scroll" });
  const cross = h("div", { class: "scroll" });
  const against = h("details", { hidden: true }, h("summary", {}, t("cross")), cross);
  const note = h("p", { class: "quiet-text", hidden: true });
  const stop = h("button", { type: "button", onclick: () => socket.send("stop") }, t("stop"));
  main.append(h("div", { class: "start" }, h("h1", {}, t("standing")), h("section", { class: "card" }, h("div", { class: "row spread" }, state, stop), progress, body, note, against)));
  const socket = connect(token, {
    message(content) {
      if (content.failed) toast(refused(content.failed), "bad");
      progress.max = content.of || 1;
      progress.value = content.games;
      state.textContent = (content.done ? `${t(content.stopped ? "stopped" : "finished")}: ` : "") + t("playingOf", { n: content.games, of: content.of || "…" });
      stop.hidden = content.done;
      note.hidden = !content.copies;
      note.textContent = t("copies", { n: content.copies });
      against.hidden = !content.entrants.length;
      fill(cross, crossTable(content));
      fill(body, content.entrants.length ? h("table", { class: "standing" }, h("thead", {}, h("tr", {}, h("th", { class: "number" }, "#"), h("th", {}, t("agent")), h("th", { class: "number" }, t("rating")), h("th", { class: "number" }, "95 %"), h("th", { class: "number" }, t("score")), h("th", { class: "number" }, t("games")))),
        h("tbody", {}, content.entrants.map((one, rank) => h("tr", {}, h("td", { class: "number" }, rank + 1), h("td", { class: "agent" }, one.agent), h("td", { class: "number", "data-label": t("rating") }, one.games ? whole(one.rating) : "–"), h("td", { class: "number", "data-label": "95 %" }, one.games ? `${whole(one.ci95[0])} … ${whole(one.ci95[1])}` : "–"), h("td", { class: "number", "data-label": t("score") }, one.score === null ? "–" : `${number(100 * one.score, 1)} %`), h("td", { class: "number", "data-label": t("games") }, one.games))))) : h("p", { class: "quiet-text" }, content.done ? "" : t("starting")));
    },
    lost() { state.textContent = t("lostLink"); },
    unsent() { toast(t("lostLink"), "bad"); },
    gone(reason, none) { state.textContent = none ? t("noRoom") : `${t("cantShow")}: ${refused(reason)}`; },
  });
  return () => socket.close();
}

/** Return the table of what share of better results each has against each other, in the order of the standing. */
function crossTable({ entrants, cross }) {
  const names = entrants.map((_, rank) => h("th", { class: "number" }, rank + 1));
  return h("table", {}, h("thead", {}, h("tr", {}, h("th", { class: "number" }, "#"), h("th", {}, t("agent")), names)),
    h("tbody", {}, entrants.map((one, rank) => h("tr", {}, h("td", { class: "number" }, rank + 1), h("th", {}, one.agent),
      cross[rank].map((share) => h("td", { class: "number" }, share === null ? "–" : `${number(100 * share, 1)} %`))))));
}
