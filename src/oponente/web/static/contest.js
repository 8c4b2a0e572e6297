// A tournament: its form, and its table while games are played.

import { connect, get, post } from "./api.js";
import { fill, h, toast } from "./dom.js";
import { agentChooser } from "./fields.js";
import { gameName } from "./names.js";
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

  async function choose(name, kept = null) {
    const found = await post("/api/describe", { game: name });
    if (game.value !== name) return;
    description = found;
    hint.textContent = t("blocksHint", { n: description.players });
    fill(list);
    entrants = [];
    const suggested = ["random", description.opponent, "uct:100", "uct:1000"];
    (kept ?? [...new Set(suggested)].filter((text) => description.agents.some((one) => one.agent === text.split(":")[0]))).forEach(enter);
    held = () => ({ game: game.value, entrants: entrants.map((one) => one.spec()), blocks: blocks.value });
  }

  const element = h("form", { class: "card start", onsubmit: async (event) => {
    event.preventDefault();
    const wanted = { game: game.value, entrants: entrants.map((one) => one.spec()), blocks: Number(blocks.value) };
    try { location.hash = `#/tournament/${(await post("/api/tournament", wanted)).room}`; } catch (error) { toast(refused(error.message), "bad"); }
  } },
  h("div", { class: "field" }, h("label", { for: "contest-game" }, t("game")), game),
  h("div", { class: "field" }, h("span", { class: "label" }, t("entrants")), list, h("div", { class: "row" }, add)),
  h("div", { class: "field" }, h("label", { for: "blocks" }, t("blocks")), blocks, hint),
  h("div", { class: "row end" }, h("button", { class: "primary", type: "submit" }, t("start"))));
  await choose(start, before?.entrants);
  main.append(h("div", { class: "start" }, h("h1", {}, t("tournamentTitle")), element));
  return () => { held = null; };
}

function table(main, token) {
  const progress = h("progress", { max: 1, value: 0, "aria-label": t("games") });
  const state = h("p", { role: "status" });
  const body = h("div", { class: "scroll" });
  const stop = h("button", { type: "button", onclick: () => socket.send("stop") }, t("stop"));
  main.append(h("div", { class: "start" }, h("h1", {}, t("standing")), h("section", { class: "card" }, h("div", { class: "row spread" }, state, stop), progress, body)));
  const socket = connect(token, {
    message(content) {
      if (content.failed) toast(refused(content.failed), "bad");
      progress.max = content.of || 1;
      progress.value = content.games;
      state.textContent = (content.done ? `${t("finished")}: ` : "") + t("playingOf", { n: content.games, of: content.of || "…" });
      stop.hidden = content.done;
      fill(body, content.entrants.length ? h("table", { class: "standing" }, h("thead", {}, h("tr", {}, h("th", { class: "number" }, "#"), h("th", {}, t("agent")), h("th", { class: "number" }, t("rating")), h("th", { class: "number" }, "95 %"), h("th", { class: "number" }, t("score")), h("th", { class: "number" }, t("games")))),
        h("tbody", {}, content.entrants.map((one, rank) => h("tr", {}, h("td", { class: "number" }, rank + 1), h("td", { class: "agent" }, one.agent), h("td", { class: "number", "data-label": t("rating") }, one.games ? whole(one.rating) : "–"), h("td", { class: "number", "data-label": "95 %" }, one.games ? `${whole(one.ci95[0])} … ${whole(one.ci95[1])}` : "–"), h("td", { class: "number", "data-label": t("score") }, one.score === null ? "–" : `${number(100 * one.score, 1)} %`), h("td", { class: "number", "data-label": t("games") }, one.games))))) : h("p", { class: "quiet-text" }, t("starting")));
    },
    lost() { state.textContent = t("lostLink"); },
    unsent() { toast(t("lostLink"), "bad"); },
    gone(reason, none) { state.textContent = none ? t("noRoom") : `${t("cantShow")}: ${refused(reason)}`; },
  });
  return () => socket.close();
}
