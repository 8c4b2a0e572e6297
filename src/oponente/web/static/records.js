// Games that were recorded: those of the database, and files that were exported from one.

import { get, post } from "./api.js";
import { h, toast } from "./dom.js";
import { gameName } from "./names.js";
import * as room from "./room.js";
import { t } from "./texts.js";
import { refused } from "./words.js";

/** Show one game of the database: match, index and position. */
export async function showOne(main, match, index = "0", ply = undefined) {
  const open = async () => (await post("/api/replay", { match: Number(match), index: Number(index) })).room;
  return room.show(main, await open(), ply, open);
}

async function upload(file) {
  try { location.hash = `#/room/${(await post("/api/upload", file)).room}`; } catch (error) { toast(refused(error.message), "bad"); }
}

export async function show(main) {
  const { matches } = await get("/api/records");
  // A button of our own: a browser's speaks the language of the browser.
  const file = h("input", { type: "file", class: "visually-hidden", accept: ".json,application/json", id: "file", onchange: () => file.files[0] && upload(file.files[0]) });
  const rows = matches.map((one) => {
    const number = h("input", { type: "number", min: 0, max: Math.max(0, one.finished - 1), value: 0 });
    const which = h("label", { class: "row nowrap which" }, h("small", {}, t("number")), number);
    return h("tr", {}, h("td", { class: "number" }, one.match), h("td", { class: "what" }, gameName(one.game)), h("td", { class: "agents" }, one.agents.map((agent) => (agent === "human" ? t("person") : agent)).join(" · ")), h("td", { class: "number count" }, one.finished),
      h("td", { class: "open" }, h("div", { class: "row nowrap" }, one.finished > 1 ? which : null, h("button", { class: "small", type: "button", disabled: !one.can_show, "aria-label": `${t("show")}: ${gameName(one.game)}, ${t("match")} ${one.match}`, onclick: () => { location.hash = `#/record/${one.match}/${Number(number.value)}`; } }, t("show")))));
  });
  main.append(h("div", { class: "start" }, h("h1", {}, t("recordsTitle")),
    h("section", { class: "card" }, h("div", { class: "row spread file" }, h("strong", {}, t("upload")), file, h("label", { class: "button", for: "file" }, h("span", { class: "visually-hidden" }, `${t("upload")}: `), t("chooseFile")))),
    h("section", { class: "card scroll records" }, rows.length ? h("table", {}, h("thead", {}, h("tr", {}, h("th", { class: "number" }, t("match")), h("th", {}, t("game")), h("th", {}, t("agents")), h("th", { class: "number" }, t("games")), h("th", {}, h("span", { class: "visually-hidden" }, t("show"))))), h("tbody", {}, rows)) : h("p", {}, t("none")))));
}
