// Games that were recorded: those of the database, and files that were exported from one.

import { get, post } from "./api.js";
import { fill, h, toast } from "./dom.js";
import { gameName } from "./names.js";
import * as room from "./room.js";
import { t } from "./texts.js";
import { refused } from "./words.js";

/** Show one game of the database: match, index and position. */
export async function showOne(main, match, index = "0", ply = undefined) {
  const open = async () => (await post("/api/replay", { match: Number(match), index: Number(index) })).room;
  return room.show(main, await open(), ply, open);
}

/** Return a table of matches; `open(match, index)` shows a game of one. */
function table(matches, open) {
  const rows = matches.map((one) => {
    const number = h("input", { type: "number", min: 0, max: Math.max(0, one.finished - 1), value: 0 });
    const which = h("label", { class: "row nowrap which" }, h("small", {}, t("number")), number);
    return h("tr", {}, h("td", { class: "number" }, one.match), h("td", { class: "what" }, gameName(one.game)), h("td", { class: "agents" }, one.agents.map((agent) => (agent === "human" ? t("person") : agent)).join(" · ")), h("td", { class: "number count" }, one.finished),
      h("td", { class: "open" }, h("div", { class: "row nowrap" }, one.finished > 1 ? which : null, h("button", { class: "small", type: "button", disabled: !one.can_show, "aria-label": `${t("show")}: ${gameName(one.game)}, ${t("match")} ${one.match}`, onclick: () => open(one.match, Number(number.value)) }, t("show")))));
  });
  return h("div", { class: "scroll records" }, rows.length ? h("table", {}, h("thead", {}, h("tr", {}, h("th", { class: "number" }, t("match")), h("th", {}, t("game")), h("th", {}, t("agents")), h("th", { class: "number" }, t("games")), h("th", {}, h("span", { class: "visually-hidden" }, t("show"))))), h("tbody", {}, rows)) : h("p", {}, t("none")));
}

// The file that was chosen last, and its matches: who comes back from one of its games may want another one.
let chosen = null;
// What was asked of a file last: answers to what was asked before come too late.
let asked = null;

async function openOf(file, match, index, place) {
  const own = asked = {};
  try {
    const opened = await post(`/api/upload?match=${match}&game=${index}`, file);
    if (own === asked && place.isConnected) location.hash = `#/room/${opened.room}`; // who has gone on is not called back
  } catch (error) { if (own === asked) toast(refused(error.message), "bad"); }
}

/** Show the games of the file that was chosen. */
function list(place) {
  fill(place, chosen && [h("strong", {}, chosen.file.name), table(chosen.matches, (match, index) => openOf(chosen.file, match, index, place))]);
}

/** Choose a file: its only game is shown at once. */
async function choose(file, place) {
  const own = asked = {};
  try {
    const { matches } = await post("/api/matches", file);
    if (own !== asked) return;
    chosen = { file, matches };
    if (!place.isConnected) return;
    if (matches.length === 1 && matches[0].finished === 1) await openOf(file, matches[0].match, 0, place);
    else list(place);
  } catch (error) { if (own === asked) toast(refused(error.message), "bad"); }
}

/** Return fields for a match of the database that is not listed. */
function another(open) {
  const match = h("input", { type: "number", min: 1, required: true }), index = h("input", { type: "number", min: 0, value: 0, required: true });
  const asked = [["match", match], ["number", index]].map(([key, input]) => h("label", { class: "row nowrap which" }, h("small", {}, t(key)), input));
  return h("form", { class: "row another", onsubmit: (event) => { event.preventDefault(); open(Number(match.value), Number(index.value)); } },
    h("span", {}, t("older")), asked, h("button", { class: "small", type: "submit" }, t("show")));
}

export async function show(main) {
  const { matches, more } = await get("/api/records");
  const open = (match, index) => { location.hash = `#/record/${match}/${index}`; };
  const place = h("div", {});
  // A button of our own: a browser's speaks the language of the browser.
  const file = h("input", { type: "file", class: "visually-hidden", accept: ".json,application/json", id: "file", onchange: () => file.files[0] && choose(file.files[0], place) });
  list(place);
  main.append(h("div", { class: "start" }, h("h1", {}, t("recordsTitle")),
    h("section", { class: "card" }, h("div", { class: "row spread file" }, h("strong", {}, t("upload")), file, h("label", { class: "button", for: "file" }, h("span", { class: "visually-hidden" }, `${t("upload")}: `), t("chooseFile"))), place),
    h("section", { class: "card" }, table(matches, open), more ? another(open) : null)));
}
