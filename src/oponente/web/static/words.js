// The texts of the server (moves, what happened, what is asked, what pictures say) in the language that is chosen. Games
// write in English and in their notation; what is a whole clause of theirs becomes a whole clause of the other language.

import { CLAUSES, HAPPENED, NOUNS, TERRITORIES } from "./phrases.js";
import { REFUSALS } from "./refusals.js";
import { settings } from "./settings.js";

const translating = () => settings.language === "pt";

/** Put the names of things into Portuguese. */
const nouns = (text) => NOUNS.reduce((result, [pattern, noun]) => result.replace(pattern, noun), text);

/** Return cards ("2 lumber 1 ore") as people list them. */
function cards(text) {
  const list = text.match(/\d+ [a-z]+/g) ?? [text];
  const all = list.length > 1 ? `${list.slice(0, -1).join(", ")} ${translating() ? "e" : "and"} ${list.at(-1)}` : list[0];
  return translating() ? nouns(all) : all;
}

// In a template {1} is a group with the names of things in the language, [1] one of cards, <1> a clause, $1 what may be typed.
const filled = (template, groups) => template.replace(/\{(\d)\}|\[(\d)\]|<(\d)>|\$(\d)/g, (_, named, listed, told, typed) => {
  const group = groups[named ?? listed ?? told ?? typed] ?? "";
  if (typed) return group.replaceAll(" or ", " ou ");
  if (told) return each(group, []);
  return listed ? cards(group) : translating() ? nouns(group) : group;
});

/** Return a clause by the first rule that knows it: [pattern, English or null (as it is), Portuguese]. */
function clause(text, rules) {
  for (const [pattern, english, portuguese] of rules) {
    const groups = pattern.exec(text);
    if (!groups) continue;
    const template = translating() ? portuguese : english;
    return template === null ? text : filled(template, groups);
  }
  return null;
}

const upper = (text) => text[0].toUpperCase() + text.slice(1);

/** Return clauses by the rules, those of all games included; the first one begins as it did. */
const each = (text, rules) => text.split("; ").map((part) => {
  const said = clause(part, rules) ?? clause(part, CLAUSES) ?? (translating() ? nouns(part) : part);
  return /^[A-Z]/.test(part) ? upper(said) : said;
}).join("; ");

/** Return what the server has written, translated. */
export const words = (text) => (translating() ? each(text, []) : text);

/** Return why the server refuses something, translated. */
export const refused = (text) => (translating() ? each(text, REFUSALS) : text);

/** Return a line of the log in words: what a player has done, or what has come of it. */
export const happened = (text, game) => each(text, HAPPENED[game] ?? []);

/** Return what somebody has typed in the notation of the games, which knows territories by their English names. */
export const notation = (text) => (translating()
  ? TERRITORIES.reduce((result, [english, portuguese]) => result.replace(new RegExp(portuguese, "giu"), english), text) : text);
