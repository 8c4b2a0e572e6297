// The page: which view is shown for an address, language and colours.

import { fill, h } from "./dom.js";
import { apply, onchange, set, settings } from "./settings.js";
import { t } from "./texts.js";
import * as contest from "./contest.js";
import * as records from "./records.js";
import * as room from "./room.js";
import * as start from "./start.js";
import { refused } from "./words.js";

const VIEWS = { "": start, room, records, record: { show: records.showOne }, tournament: contest };
let leave = null, page = null;

/** Return a part of an address; one with an escape that is none stays as it is. */
function part(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

/** Return the parts of the address: view, token and position. */
function address() {
  return location.hash.replace(/^#\/?/, "").split("/").map(part);
}

async function show() {
  leave?.();
  leave = null;
  // What a view that was left still brings comes into an element that is no longer on the page.
  const own = page = h("div");
  const [name, ...rest] = address();
  const view = Object.hasOwn(VIEWS, name) ? VIEWS[name] : start;
  document.getElementById("main").replaceChildren(own);
  frame();
  try {
    const ended = (await view.show(own, ...rest)) ?? null;
    if (page === own) leave = ended;
    else ended?.();
  } catch (error) {
    // What can't be shown leaves no empty page.
    if (page === own) fill(own, h("div", { class: "card", role: "alert" }, h("h1", {}, t("cantShow")), h("p", { class: "quiet-text" }, refused(error.message))));
  }
}

function frame() {
  const [name] = address();
  const link = (view, key) => h("a", { href: `#/${view}`, "aria-current": name === view || (view === "records" && name === "record") ? "page" : null }, t(key));
  fill(document.getElementById("nav"), link("", "play"), link("records", "records"), link("tournament", "tournament"));
  document.getElementById("skip").textContent = t("skip");
  const other = settings.language === "pt" ? "en" : "pt";
  const themes = ["auto", "light", "dark"];
  const next = themes[(themes.indexOf(settings.theme) + 1) % 3];
  fill(
    document.getElementById("tools"),
    h("button", { class: "small quiet", "data-focus": "language", onclick: () => set("language", other), "aria-label": `${t("language")}: ${settings.language}` }, settings.language.toUpperCase()),
    h("button", { class: "small quiet", "data-focus": "theme", onclick: () => { set("theme", next); frame(); }, "aria-label": `${t("theme")}: ${t(settings.theme)}`, title: `${t("theme")}: ${t(settings.theme)}` }, { auto: "◐", light: "☀", dark: "☾" }[settings.theme]),
  );
}

document.getElementById("skip").addEventListener("click", (event) => { event.preventDefault(); document.getElementById("main").focus(); });
apply();
onchange(show);
addEventListener("hashchange", show);
show();
