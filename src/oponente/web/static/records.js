// Games that were recorded: those of the database, and files that were exported from one.

import { get, post } from "./api.js";
import { h, toast } from "./dom.js";
import { gameName } from "./start.js";
import { t } from "./texts.js";

async function open(path, content) {
  try { location.hash = `#/room/${(await post(path, content)).room}`; } catch (error) { toast(error.message, "bad"); }
}

export async function show(main) {
  const { matches } = await get("/api/records");
  const file = h("input", { type: "file", accept: ".json,application/json", id: "file", onchange: () => file.files[0] && open("/api/upload", file.files[0]) });
  const rows = matches.map((one) => {
    const number = h("input", { type: "number", min: 0, max: Math.max(0, one.finished - 1), value: 0, "aria-label": t("number") });
    const cannot = one.own_file || !one.finished;
    return h("tr", {}, h("td", { class: "number" }, one.match), h("td", {}, gameName(one.game)), h("td", {}, one.agents.join(" · ")), h("td", { class: "number" }, one.finished),
      h("td", {}, h("div", { class: "row nowrap" }, one.finished > 1 ? number : null, h("button", { class: "small", type: "button", disabled: cannot, onclick: () => open("/api/replay", { match: one.match, index: Number(number.value) }) }, t("show")))));
  });
  main.append(h("div", { class: "start" }, h("h1", {}, t("recordsTitle")),
    h("section", { class: "card" }, h("div", { class: "field" }, h("label", { for: "file" }, t("upload")), file)),
    h("section", { class: "card scroll records" }, rows.length ? h("table", {}, h("thead", {}, h("tr", {}, h("th", { class: "number" }, t("match")), h("th", {}, t("game")), h("th", {}, t("agents")), h("th", { class: "number" }, t("games")), h("th", {}, ""))), h("tbody", {}, rows)) : h("p", {}, t("none")))));
}
