// A tournament: its form, and its table while games are played.

import { connect, get, post } from "./api.js";
import { fill, h, toast } from "./dom.js";
import { gameName } from "./start.js";
import { t } from "./texts.js";

export async function show(main, token) {
  return token ? table(main, token) : form(main);
}

const whole = (value) => String(Math.round(value) || 0);

async function form(main) {
  const { games } = await get("/api/games");
  const game = h("select", { id: "contest-game" }, games.map((one) => h("option", { value: one.game, selected: one.game === "connect4" }, gameName(one.game))));
  const entrants = h("textarea", { id: "entrants", maxlength: 4000 });
  entrants.value = "random\nuct:100\nuct:1000\nalphabeta:depth=4";
  const blocks = h("input", { id: "blocks", type: "number", min: 1, max: 1000, value: 5 });
  const element = h("form", { class: "card start", onsubmit: async (event) => {
    event.preventDefault();
    const wanted = { game: game.value, entrants: entrants.value.split("\n").map((line) => line.trim()).filter(Boolean), blocks: Number(blocks.value) };
    try { location.hash = `#/tournament/${(await post("/api/tournament", wanted)).room}`; } catch (error) { toast(error.message, "bad"); }
  } },
  h("div", { class: "field" }, h("label", { for: "contest-game" }, t("game")), game),
  h("div", { class: "field" }, h("label", { for: "entrants" }, t("entrants")), entrants),
  h("div", { class: "field" }, h("label", { for: "blocks" }, t("blocks")), blocks),
  h("div", { class: "row end" }, h("button", { class: "primary", type: "submit" }, t("start"))));
  main.append(h("div", { class: "start" }, h("h1", {}, t("tournamentTitle")), element));
}

function table(main, token) {
  const progress = h("progress", { max: 1, value: 0, "aria-label": t("games") });
  const state = h("p", { role: "status" });
  const body = h("div", { class: "scroll" });
  const stop = h("button", { type: "button", onclick: () => socket.send("stop") }, t("stop"));
  main.append(h("div", { class: "start" }, h("h1", {}, t("standing")), h("section", { class: "card" }, h("div", { class: "row spread" }, state, stop), progress, body)));
  const socket = connect(token, {
    message(content) {
      if (content.failed) toast(content.failed, "bad");
      progress.max = content.of || 1;
      progress.value = content.games;
      state.textContent = (content.done ? `${t("finished")}: ` : "") + t("playingOf", { n: content.games, of: content.of || "…" });
      stop.hidden = content.done;
      fill(body, content.entrants.length ? h("table", {}, h("thead", {}, h("tr", {}, h("th", { class: "number" }, "#"), h("th", {}, t("agent")), h("th", { class: "number" }, t("rating")), h("th", { class: "number" }, "95 %"), h("th", { class: "number" }, t("score")), h("th", { class: "number" }, t("games")))),
        h("tbody", {}, content.entrants.map((one, rank) => h("tr", {}, h("td", { class: "number" }, rank + 1), h("td", {}, one.agent), h("td", { class: "number" }, whole(one.rating)), h("td", { class: "number" }, `${whole(one.ci95[0])} … ${whole(one.ci95[1])}`), h("td", { class: "number" }, one.score === null ? "" : `${(100 * one.score).toFixed(1)} %`), h("td", { class: "number" }, one.games))))) : h("p", { class: "quiet-text" }, t("starting")));
    },
    lost() { state.textContent = t("lostLink"); },
    gone() { state.textContent = t("noRoom"); },
  });
  return () => socket.close();
}
