// A room: a game that is played, watched, or looked at again.

import { connect, post } from "./api.js";
import { actions } from "./actions.js";
import { analysis } from "./analysis.js";
import { badge as badgeOf, colourOf } from "./badge.js";
import { board } from "./board.js";
import { dialog, fill, h, toast } from "./dom.js";
import { controls as catan } from "./catan.js";
import { controls as risk } from "./risk.js";
import { steering } from "./steer.js";
import { gameName } from "./names.js";
import { enter } from "./start.js";
import { onchange, settings } from "./settings.js";
import { t } from "./texts.js";
import { timeline } from "./timeline.js";
import { happened, notation, refused, words } from "./words.js";

const CONTROLS = { catan, risk };

// Which room is shown and at which position, and what that was when the language was changed, for the view made anew.
let held = null, kept = null;
onchange(() => { kept = held?.() ?? null; });

/** Show the room of a token, at a position if one is given. `reopen()` gives the token of a record's next room. */
export function show(main, token, at, reopen = null) {
  const before = kept?.token === token ? kept : null;
  kept = null;
  const room = {
    // Where a position is found again: never the link of a seat, which is a secret. Uploaded games have no number.
    get link() {
      if (room.match?.[0]) return `#/record/${room.match.join("/")}`;
      return room.hello?.seat === null ? `#/room/${token}` : null;
    },
    // `shown`: the position that is looked at; null: the present one, whatever it becomes; undefined: as the server has it.
    hello: null, position: null, log: [], shown: before ? before.shown : at ? Number(at) : undefined,
  };
  let current = token; // a record that is opened again is in another room
  const here = held = () => ({ token: current, shown: room.shown });
  const status = h("div", { class: "status", role: "status", "aria-live": "polite" });
  const seats = h("div", { class: "seats" });
  const bar = h("div", { class: "row bar" });
  // A line leads to the position after it; for those without a mouse there is the slider.
  const log = h("ol", { class: "log", onclick: (event) => { const line = event.target.closest("li"); if (line) time.go([...log.children].indexOf(line) + 1); } });
  const logCard = h("section", { class: "card log-card", "aria-label": t("log") }, h("h2", {}, t("log")), log);
  const view = board({ act, chosen: (path, candidates) => room.position?.legal && moves.show(room.position, path, candidates) });
  const moves = actions({ act, say, cancel: () => view.back() }, (position, send) => CONTROLS[room.hello.game]?.({ position, send, room, root: view.root }));
  const think = analysis({ ask: (agent, seconds) => socket.send("analyse", { ply: room.position.ply, agent, seconds }), stop: () => socket.send("stop"), ideas: (list) => view.ideas(list), players: who });
  const time = timeline({ show: (ply) => socket.send("show", { ply }), moments: (agent) => socket.send("moments", { agent }), agent: () => think.agent(), who, link: () => room.link, badge: (seat) => badge(seat), colour: (seat) => colourOf(seat, room.hello.colours) });
  const lines = h("div", { class: "lines" });
  const steer = steering({ hold: (action) => socket.send("hold", { action }), pause: (on) => socket.send("pause", { on }) });
  const left = h("div", { class: "left" }, status, h("div", { class: "card board-card" }, view.element), steer.element, lines, time.element);
  const right = h("div", { class: "right" }, seats, bar, moves.element, view.beside, think.element, logCard);
  const page = h("div", { class: "room" }, left, right);
  main.append(page);

  function who(seat) {
    if (seat < 0) return t("chance");
    return t("player", { n: seat + 1 }) + (seat === room.hello?.seat ? ` (${t("you")})` : "");
  }

  function act(choice) {
    socket.send("act", { ply: room.position.ply, action: choice.action });
  }

  function say(text) {
    socket.send("say", { ply: room.position.ply, text: notation(text) });
  }

  const handlers = {
    message(content) {
      if (content.type === "hello") hello(content);
      else if (content.type === "position") position(content);
      else if (content.type === "analysis") think.show(content, room.position);
      else if (content.type === "moments") time.moments(content);
      else if (content.type === "branched") { room.branch?.(); enter(content, room.wanted); }
      else if (content.type === "error") toast(refused(content.text), "bad");
    },
    lost() {
      fill(status, h("span", { class: "spinner" }), t("lostLink"));
      // What is clicked on now would reach nobody.
      view.rest();
      moves.element.hidden = true;
    },
    unsent() { toast(t("lostLink"), "bad"); },
    gone,
  };
  let socket = connect(token, handlers), ended = false;

  async function gone(reason, none) {
    // The room of a record is closed when nobody has been in it for long: it gets another one, unless that is closed at once.
    if (none && reopen && room.entered) {
      room.entered = false;
      handlers.lost();
      try {
        const next = await reopen();
        if (!ended) socket = connect(current = next, handlers);
        return;
      } catch (error) { reason = error.message; none = false; }
    }
    fill(page, h("div", { class: "card" }, h("h1", {}, t(none ? "noRoom" : "cantShow")), h("p", { class: "quiet-text" }, refused(reason))));
  }

  function hello(content) {
    room.hello = content;
    room.entered = true;
    room.signature = room.buttons = null;
    room.match = content.kind === "replay" ? [content.match, content.index] : null;
    room.log = [];
    log.replaceChildren();
    document.title = `${gameName(content.game)} · oponente`;
    document.documentElement.dataset.game = content.game;
    page.classList.toggle("moves-on", content.moves_on);
    think.begin(content);
    time.begin(content);
    steer.begin(content);
    logCard.hidden = content.moves_on;
    if (room.shown !== undefined) socket.send("show", { ply: room.shown });
  }

  function position(content) {
    const before = room.position;
    room.position = content;
    if (content.match) room.match = [content.match, 0];
    // Only what has changed is made anew: a button must not vanish under a finger with every tick.
    const { status: state, player, thinking, reason, pace, absent, returns, hidden, asked, svg, live, ply } = content;
    const signature = JSON.stringify([state, player, thinking, reason, pace, absent, returns, hidden, asked, svg === undefined, live || ply]);
    if (signature !== room.signature) {
      room.signature = signature;
      showStatus(content);
      showSeats(content);
    }
    const buttons = JSON.stringify([state, pace, svg === undefined, live || ply]);
    if (buttons !== room.buttons) {
      room.buttons = buttons;
      showBar(content);
    }
    const hinting = bar.querySelector("[data-focus=hint]");
    if (hinting) hinting.disabled = player !== room.hello.seat;
    steer.show(content);
    if (content.svg === undefined) {
      // It is prepared anew, as after a restart of the server: nothing can be done until it goes on.
      view.rest();
      moves.element.hidden = true;
      return;
    }
    room.shown = content.live ? null : content.ply;
    if (before && before.ply !== content.ply) think.left(content);
    view.show(content.svg, content.legal, content.ply);
    // Beside a board with panels there is no room for the log; below it there is.
    const place = view.beside.children.length ? left : right;
    if (logCard.parentElement !== place) place.append(logCard);
    showLog(content);
    fill(lines, content.lines.map(([seat, text]) => h("p", {}, seat === null ? null : badge(seat), " ", words(text))));
    time.show(content);
    think.allow(content);
    if (content.status === "over" && before && before.status !== "over" && room.hello.kind === "table") finished(content);
  }

  const badge = (seat) => badgeOf(seat, room.hello.colours);

  function showStatus(content) {
    const parts = [];
    if (content.hidden) parts.push(t("hiddenWatch"));
    else if (content.status === "preparing") parts.push(h("span", { class: "spinner" }), t("preparing"));
    else if (content.status === "failed") parts.push(h("strong", { class: "bad" }, t("error", { text: refused(content.reason) })));
    else if (content.status === "over") parts.push(h("span", {}, h("strong", {}, outcome(content)), content.reason ? ` (${words(content.reason)})` : ""));
    else if (room.hello.moves_on) parts.push(t(content.status === "paused" ? "resting" : "goesOn"));
    else if (content.player === room.hello.seat) parts.push(h("span", {}, h("strong", { class: "yours" }, t("yourTurn")), content.asked ? `: ${words(content.asked)}` : ""));
    else if (content.thinking !== null && content.thinking !== undefined) parts.push(h("span", { class: "spinner" }), t("thinks", { who: who(content.thinking) }));
    else if (content.player >= 0) parts.push(t("waiting", { who: who(content.player) }));
    if (content.status === "paused" && !room.hello.moves_on) parts.push(h("span", { class: "tag" }, t("paused")));
    fill(status, parts);
  }

  function outcome(content) {
    if (!content.returns) return t("over");
    const best = Math.max(...content.returns), own = room.hello.kind === "table" ? room.hello.seat : null;
    const winners = content.returns.map((value, seat) => [value, seat]).filter(([value]) => value === best).map(([, seat]) => seat);
    const alone = content.returns.length === 1;
    if (own !== null && own !== undefined && (alone ? content.returns[0] > 0 : winners.includes(own) && winners.length === 1)) return t("won");
    if (own !== null && own !== undefined && (alone ? content.returns[0] < 0 : !winners.includes(own))) return t("lost");
    return winners.length === 1 && (!alone || best > 0) ? t("wins", { who: who(winners[0]) }) : t("drawn");
  }

  function showSeats(content) {
    const hello_ = room.hello;
    fill(seats, hello_.names.map((name, seat) => {
      const moving = content.player === seat && content.status !== "over" && !hello_.moves_on;
      const absent = content.absent?.includes(seat);
      const human = name === "human" ? (seat === hello_.seat ? t("you") : t("person")) : name;
      const value = content.returns ? h("span", { class: "result" }, content.returns[seat].toLocaleString(settings.language, { maximumFractionDigits: 2 })) : null;
      return h("div", { class: `seat${moving ? " moving" : ""}` }, badge(seat),
        h("span", { class: "name", title: name }, human, absent ? h("small", {}, ` · ${t("absent")}`) : null),
        moving ? h("span", { class: "tag" }, content.thinking === seat ? "…" : t("toAct")) : null, value);
    }));
  }

  function showBar(content) {
    const parts = [], kind = room.hello.kind, mine = room.hello.seat !== null;
    const button = (key, onclick, extra = {}) => h("button", { class: "small", type: "button", "data-focus": key, onclick, ...extra }, t(key));
    const watching = kind === "table" && content.status !== "over" && (mine ? room.hello.moves_on : !room.hello.persons.length);
    if (watching && content.status !== "preparing") {
      const resting = content.status === "paused";
      parts.push(button(resting ? "go" : "pause", () => socket.send("pause", { on: !resting }), { class: resting ? "small primary" : "small" }));
      parts.push(button("step", () => socket.send("step")));
    }
    if (kind === "table" && mine && content.status !== "over" && !room.hello.moves_on) {
      const earlier = content.live === false;
      if (room.hello.persons.length === 1) parts.push(button(earlier ? "takebackHere" : "takeback", () => socket.send("takeback", earlier ? { ply: content.ply } : {})));
      parts.push(button("hint", hint));
    }
    if (kind === "table" && mine && content.status !== "over") parts.push(button("resign", () => sure("resignSure", () => socket.send("resign"))));
    const links = JSON.parse(sessionStorage.getItem(`oponente.links.${token}`) ?? "null");
    if (links && kind === "table" && content.status !== "over") parts.push(button("invite", () => invite(links)));
    if (content.status === "over" && !room.hello.moves_on && content.svg !== undefined) parts.push(button("tryHere", playOn));
    const paced = kind === "table" && content.status !== "over" && content.status !== "preparing" && (mine || !room.hello.persons.length);
    if (paced && (room.hello.moves_on || room.hello.persons.length < room.hello.names.length)) parts.push(speed(content));
    fill(bar, parts);
  }

  function speed(content) {
    const slowest = room.hello.moves_on ? 0.5 : 3;
    const input = h("input", { type: "range", min: 0, max: 100, "data-focus": "speed", value: Math.round(100 * (1 - Math.min(1, Math.sqrt(content.pace / slowest)))), "aria-label": t("speed"),
      onchange: (event) => socket.send("pace", { seconds: Math.round(1000 * slowest * (1 - event.target.value / 100) ** 2) / 1000 }) });
    return h("label", { class: "speed" }, h("span", {}, t("speed")), input);
  }

  function hint() { think.ask(2); }

  function sure(key, then) {
    dialog(t(key), (close) => h("div", { class: "row end" }, h("button", { type: "button", onclick: close }, t("no")), h("button", { type: "button", class: "primary", onclick: () => { close(); then(); } }, t("yes"))));
  }

  function invite(links) {
    const base = location.href.split("#")[0];
    const line = (label, key) => {
      const address = `${base}#/room/${key}`;
      const input = h("input", { value: address, readonly: true, "aria-label": label, onfocus: (event) => event.target.select() });
      return h("div", { class: "invite" }, h("strong", {}, label), h("div", { class: "row" }, input,
        h("button", { class: "small", type: "button", onclick: async () => { input.select(); try { await navigator.clipboard.writeText(address); toast(t("copied")); } catch { document.execCommand("copy"); toast(t("copied")); } } }, t("copy"))));
    };
    dialog(t("invite"), () => h("div", { class: "invites" }, h("p", { class: "quiet-text" }, t("inviteText")),
      links.seats.map((key, seat) => (key && key !== token ? line(t("seat", { n: seat + 1 }), key) : null)), line(t("watchLink"), links.watch)));
  }

  // From a position of a game that is over: the same game again up to there, then by other choices.
  function playOn() {
    const wanted = JSON.parse(sessionStorage.getItem(`oponente.wanted.${token}`) ?? "null");
    dialog(t("tryHere"), (close) => {
      const choices = room.hello.names.map((name, seat) => h("select", { "aria-label": who(seat) },
        h("option", { value: "human", selected: wanted ? wanted.seats[seat].agent === null : seat === Math.max(0, room.position.player) }, t("person")),
        ...[...new Set([name === "human" ? "random" : name, room.hello.analyst])].map((agent) => h("option", { value: agent, selected: wanted ? wanted.seats[seat].agent === agent : seat !== Math.max(0, room.position.player) && agent === name }, agent))));
      return h("div", { class: "seat-list" }, choices.map((choice, seat) => h("label", { class: "row nowrap" }, badge(seat), choice)),
        h("div", { class: "row end" }, h("button", { class: "primary", type: "button", onclick: () => {
          const seats_ = choices.map((choice) => ({ agent: choice.value === "human" ? null : choice.value }));
          room.wanted = { game: room.hello.game, options: room.hello.options, seats: seats_ };
          room.branch = close;
          socket.send("branch", { ply: room.position.ply, seats: seats_ });
        } }, t("start"))));
    });
  }

  function showLog(content) {
    if (room.hello.moves_on) return;
    room.log.length = content.log_start;
    while (log.children.length > content.log_start) log.lastChild.remove();
    for (const [seat, text] of content.log) {
      room.log.push([seat, text]);
      log.append(h("li", {}, seat >= 0 ? badge(seat) : h("span", { class: "badge dice", role: "img", "aria-label": t("chance") }, "⚄"), h("span", {}, seat >= 0 ? h("span", { class: "visually-hidden" }, `${who(seat)}: `) : null, happened(text, room.hello.game))));
    }
    const now = log.querySelector(".now"), next = log.children[content.ply - 1] ?? null;
    if (content.log.length && content.live) log.scrollTop = log.scrollHeight;
    if (now === next) return;
    now?.classList.remove("now");
    next?.classList.add("now");
    if (next && !content.live) log.scrollTop = next.offsetTop - log.clientHeight / 2;
  }

  function finished(content) {
    const again = sessionStorage.getItem(`oponente.wanted.${token}`);
    dialog(t("over"), (close) => [h("p", { class: "outcome" }, outcome(content)), content.reason ? h("p", { class: "quiet-text" }, words(content.reason)) : null,
      h("div", { class: "row end" }, h("button", { type: "button", onclick: close }, t("close")),
        again ? h("button", { type: "button", class: "primary", onclick: playAgain }, t("again")) : null)]);

    async function playAgain() {
      const wanted = JSON.parse(again);
      delete wanted.seed;
      try { enter(await post("/api/play", wanted), wanted); } catch (error) { toast(refused(error.message), "bad"); }
    }
  }

  return () => { ended = true; if (held === here) held = null; document.querySelectorAll("dialog").forEach((one) => one.close()); socket.close(); steer.stop(); delete document.documentElement.dataset.game; document.title = "oponente"; };
}
