// Going through the positions of a game: a slider, steps, and the moments that decided it.

import { fill, h, s, toast } from "./dom.js";
import { number, t } from "./texts.js";
import { refused } from "./words.js";

/** `callbacks`: show(ply or null), moments(agent), agent(), who(seat), link(): the address of the game to which the ply is added, or null, badge(seat), colour(seat). */
export function timeline(callbacks) {
  const slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": t("timeline"), "data-focus": "slider", oninput: () => go(Number(slider.value)) });
  const label = h("output", { class: "ply" });
  const button = (key, sign, to) => h("button", { class: "small", type: "button", "aria-label": t(key), title: t(key), onclick: () => go(to()) }, sign);
  const curve = h("div", { class: "curve" });
  const found = h("div", { class: "row moments" });
  const find = h("button", { class: "small", type: "button", onclick: () => { callbacks.moments(callbacks.agent()); searching(true); } }, t("findMoments"));
  const link = h("button", { class: "small quiet", type: "button", onclick: copyLink }, t("link"));
  const element = h("section", { class: "card timeline", "aria-label": t("timeline") },
    h("div", { class: "row" }, button("first", "«", () => 0), button("back", "◀", () => ply - 1), slider, button("forward", "▶", () => ply + 1), button("last", "»", () => last)),
    h("div", { class: "row spread" }, label, h("div", { class: "row" }, find, link)), curve, found);
  let ply = 0, last = 0, awaited = null, told = "";

  function searching(on) {
    find.disabled = on;
    find.textContent = t(on ? "searching" : "findMoments");
  }

  function go(to) {
    const wanted = Math.max(0, Math.min(last, to));
    ply = awaited = wanted; // at once, so that quick clicks and keys add up
    callbacks.show(wanted === last ? null : wanted);
  }

  async function copyLink() {
    const hash = `${callbacks.link()}/${ply}`;
    history.replaceState(null, "", hash);
    try { await navigator.clipboard.writeText(location.href); toast(t("copied")); } catch { toast(t("inAddress")); }
  }

  addEventListener("keydown", keys);
  function keys(event) {
    if (!element.isConnected) { removeEventListener("keydown", keys); return; }
    if (element.hidden || event.altKey || event.ctrlKey || event.metaKey || /INPUT|SELECT|TEXTAREA/.test(event.target.nodeName)) return;
    if (document.documentElement.hasAttribute("data-steering")) return;
    if (event.key === "ArrowLeft") go(ply - 1);
    if (event.key === "ArrowRight") go(ply + 1);
  }

  return {
    element,
    go,
    begin() { fill(curve); fill(found); searching(false); awaited = null; told = ""; },
    show(position) {
      const grown = position.last !== last;
      ({ last } = position);
      slider.max = last;
      // An answer to an earlier step must not undo those that came after it.
      if (awaited === null || position.ply === awaited || grown) {
        ({ ply } = position);
        awaited = null;
        slider.value = ply;
      }
      label.textContent = `${position.ply} / ${last}`;
      element.hidden = last === 0;
      link.hidden = callbacks.link() === null;
      find.hidden = position.status !== "over" && !position.returns;
    },
    moments(content) {
      if (content.preparing) return;
      if (content.failed) toast(refused(content.failed), "bad");
      searching(!content.done);
      const points = content.curve ?? [];
      if (points.length > 1) {
        const players = points[0][1].length, values = points.flatMap(([, list]) => list);
        const low = Math.min(0, ...values), high = Math.max(1, ...values);
        const chart = s("svg", { viewBox: "0 0 600 90", preserveAspectRatio: "none", role: "img", "aria-label": t("moments") });
        for (let seat = 0; seat < players; seat += 1) {
          const d = points.map(([at, list]) => `${((600 * at) / Math.max(1, last)).toFixed(1)} ${(85 - (80 * (list[seat] - low)) / (high - low)).toFixed(1)}`).join("L");
          const own = s("path", { class: `curve-${seat}`, d: `M${d}` });
          own.style.stroke = callbacks.colour(seat);
          chart.append(s("path", { class: "casing", d: `M${d}` }), own);
        }
        fill(curve, chart, h("div", { class: "legend" }, Array.from({ length: players }, (_, seat) => h("span", {}, callbacks.badge(seat), callbacks.who(seat)))));
      }
      const listed = JSON.stringify(content.moments ?? []);
      if (listed === told) return; // a button stays under the finger while others are looked for
      told = listed;
      fill(found, (content.moments ?? []).map((moment) => h("button", { class: "small moment", type: "button", onclick: () => go(moment.before) },
        content.chances ? t("momentText", { ply: moment.before, who: callbacks.who(moment.seat), n: Math.round(100 * moment.swing) })
          : t("momentValue", { ply: moment.before, who: callbacks.who(moment.seat), n: number(moment.swing, 2) }))));
    },
  };
}
