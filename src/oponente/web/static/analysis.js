// What an agent thinks of a position: chances, best moves, the expected course; it grows as the agent thinks on.

import { colourOf } from "./badge.js";
import { fill, h, toast } from "./dom.js";
import { number, t } from "./texts.js";
import { refused, words } from "./words.js";

/** `callbacks`: ask(agent, seconds), stop(), ideas(moves), players(seat). */
export function analysis(callbacks) {
  const known = h("datalist", { id: "analysts" });
  const select = h("input", { list: "analysts", maxlength: 300, spellcheck: "false" });
  const button = h("button", { class: "small primary", type: "button", "data-focus": "analyse", onclick: () => (running ? callbacks.stop() : ask(10)) }, t("analyse"));
  const out = h("div", { class: "findings", "aria-live": "polite" });
  const element = h("section", { class: "card analysis", "aria-label": t("analysis") }, h("div", { class: "row spread" }, h("h2", {}, t("analysis")), button), h("label", { class: "analyst" }, h("span", {}, t("analyst")), select), known, out);
  let running = false, at = null, colours = [], moves_on = false;

  function ask(seconds) {
    callbacks.ask(agent(), seconds);
    set(true);
  }

  const agent = () => select.value.trim() || select.defaultValue;

  function set(on) {
    running = on;
    button.textContent = t(on ? "stop" : "analyse");
    element.classList.toggle("running", on);
  }

  function bars(content) {
    const list = content.chances ?? content.values;
    const high = content.chances ? 1 : Math.max(...list.map(Math.abs), 1e-9);
    return [h("h3", {}, t(content.chances ? "chances" : "values")), h("div", { class: "bars" }, list.map((value, seat) => {
      const fillBar = h("span", { class: "bar-fill" });
      fillBar.style.width = `${Math.max(0, (100 * value) / high)}%`;
      fillBar.style.background = colourOf(seat, colours);
      return h("div", { class: "bar-row" }, h("span", {}, callbacks.players(seat)), h("span", { class: "bar-track" }, fillBar), h("span", { class: "bar-value" }, content.chances ? `${(100 * value).toFixed(0)} %` : number(value, 2)));
    }))];
  }

  return {
    element,
    agent,
    ask,
    begin(hello) {
      ({ colours } = hello);
      const name = hello.analyst.split(":")[0];
      const specs = [hello.analyst, ...hello.analysts.filter((other) => other !== name)];
      fill(known, specs.map((text) => h("option", { value: text })));
      select.defaultValue = select.value = specs[0];
      moves_on = hello.moves_on;
      set(false); // what was asked through a link that was lost is answered by nobody
    },
    /** A game that does not wait is analysed where it rests. */
    allow(position) {
      button.disabled = position.player < 0;
      element.hidden = moves_on && position.live && position.status === "playing";
    },
    /** The position is another one: what was found is of the old one. */
    left(position) {
      if (at === position.ply) return;
      at = null;
      fill(out);
      callbacks.ideas([]);
      if (running) { callbacks.stop(); set(false); }
    },
    show(content, position) {
      if (content.ply !== position?.ply) return;
      at = content.ply;
      if (content.failed) { toast(refused(content.failed), "bad"); fill(out); set(false); return; }
      if (content.preparing) { fill(out, h("div", { class: "row" }, h("span", { class: "spinner" }), t("preparing"))); return; }
      set(!content.done);
      if (!content.moves) return;
      callbacks.ideas(content.moves);
      fill(out, content.values.length ? bars(content) : null, h("h3", {}, t("best")),
        h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, t("move")), h("th", { class: "number" }, t("visits")), h("th", { class: "number" }, t("value")))),
          h("tbody", {}, content.moves.map((move, rank) => h("tr", { class: rank ? null : "best" }, h("td", {}, words(move.text)), h("td", { class: "number" }, move.visits ? number(move.visits) : ""), h("td", { class: "number" }, move.value === null ? "" : number(move.value, 3))))))),
        content.line.length ? [h("h3", {}, t("line")), h("p", { class: "quiet-text" }, content.line.map(words).join(" · "))] : null,
        h("p", { class: "quiet-text" }, content.nodes
          ? t("nodes", { n: number(content.nodes), s: number(content.seconds, 1), d: content.depth })
          : t("visited", { n: number(content.moves.reduce((sum, move) => sum + (move.visits ?? 0), 0)), s: number(content.seconds, 1) })));
    },
  };
}
