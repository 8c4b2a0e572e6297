// The page: which view is shown for an address, language and colours.

import { fill, h, toast } from "./dom.js";
import { apply, onchange, set, settings } from "./settings.js";
import { t } from "./texts.js";
import * as contest from "./contest.js";
import * as records from "./records.js";
import * as room from "./room.js";
import * as start from "./start.js";

const VIEWS = { "": start, room, records, tournament: contest };
let leave = null;

/** Return the parts of the address: view, token and position. */
function address() {
  return location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
}

async function show() {
  leave?.();
  leave = null;
  const [name, ...rest] = address();
  const view = VIEWS[name] ?? start;
  const main = document.getElementById("main");
  main.replaceChildren();
  try {
    leave = (await view.show(main, ...rest)) ?? null;
  } catch (error) {
    toast(t("error", { text: error.message }), "bad");
  }
  frame();
}

function frame() {
  const [name] = address();
  const link = (view, key) => h("a", { href: `#/${view}`, "aria-current": name === view ? "page" : null }, t(key));
  fill(document.getElementById("nav"), link("", "play"), link("records", "records"), link("tournament", "tournament"));
  document.getElementById("skip").textContent = t("skip");
  const other = settings.language === "pt" ? "en" : "pt";
  const themes = ["auto", "light", "dark"];
  const next = themes[(themes.indexOf(settings.theme) + 1) % 3];
  fill(
    document.getElementById("tools"),
    h("button", { class: "small quiet", "data-focus": "language", onclick: () => set("language", other), "aria-label": `${t("language")}: ${settings.language}` }, settings.language.toUpperCase()),
    h("button", { class: "small quiet", "data-focus": "theme", onclick: () => set("theme", next), "aria-label": `${t("theme")}: ${t(settings.theme)}`, title: `${t("theme")}: ${t(settings.theme)}` }, { auto: "◐", light: "☀", dark: "☾" }[settings.theme]),
  );
}

document.getElementById("skip").addEventListener("click", (event) => { event.preventDefault(); document.getElementById("main").focus(); });
apply();
onchange(show);
addEventListener("hashchange", show);
show();
