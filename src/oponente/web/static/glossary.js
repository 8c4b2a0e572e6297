// What options and parameters are called and mean, in the language that is chosen. They are declared in English; what a
// user's own game or agent declares stays as it is.

import { LABELS, MEANINGS } from "./portuguese.js";
import { settings } from "./settings.js";

const found = (table, text) => (settings.language === "pt" && Object.hasOwn(table, text) ? table[text] : text);

/** Return what an option or a parameter is called. */
export const label = (name) => found(LABELS, name).replaceAll("_", " ");

/** Return what an option, a parameter, an agent or a game is said to be. */
export const meaning = (text) => found(MEANINGS, text);
