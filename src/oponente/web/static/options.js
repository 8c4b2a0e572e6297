// The options of a game in a form. One that is changed may change which others there are, how many play, and by which agents.

import { post } from "./api.js";
import { released, toast } from "./dom.js";
import { changes, field } from "./fields.js";
import { refused } from "./words.js";

/**
 * Return the options of the game of a form: {show(description, values) → fields, changes(), settled()}.
 *
 * `rebuild(description)` shows the form anew once the server has described the game with what was changed.
 */
export function gameOptions(form, rebuild) {
  let game = null, fields = [];
  // How often options were changed, whether another game of the kind was chosen since, and what is asked of the server for that.
  let changed = 0, other = false, asked = null;

  /** Show a game's options: return their fields, each with what the server `declared` of it. */
  function show(description, values = {}) {
    game = description.game;
    changed += 1;
    other = false;
    return (fields = description.options.map((declared) => ({ declared, ...field(declared, { value: values[declared.name] ?? null, onchange: redo }) })));
  }

  /** Return the options that were changed; another game of the kind has other levels. */
  function chosen() {
    const values = changes(fields);
    if (other) delete values.level;
    return values;
  }

  function redo(event) {
    other ||= event.target.name === "game";
    return (asked = renew(changed += 1));
  }

  async function renew(number) {
    const values = chosen();
    try {
      const next = await post("/api/describe", { game, options: values });
      await released(); // what is being pressed must not vanish before that is a click
      if (number !== changed) return; // a later change has its own answer
      const focused = document.activeElement?.name, entered = chosen();
      rebuild(next);
      if (focused) form.querySelector(`[name="${CSS.escape(focused)}"]`)?.focus();
      if (JSON.stringify(entered) !== JSON.stringify(values)) asked = renew(changed += 1); // typed meanwhile
    } catch (error) { toast(refused(error.message), "bad"); }
  }

  /** Wait until the form shows what was changed last. */
  async function settled() {
    for (let last = null; last !== asked;) await (last = asked);
  }

  return { show, changes: chosen, settled };
}
