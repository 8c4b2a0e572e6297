// What games are called, and their signs.

import { picture } from "./dom.js";
import { t } from "./texts.js";

const ICONS = {
  tictactoe: "<path d='M14 4v34M28 4v34M4 14h34M4 28h34' stroke='currentColor' stroke-width='2.5' fill='none'/><circle cx='21' cy='21' r='5' fill='none' stroke='#c2410c' stroke-width='3'/><path d='M5 5l7 7m0-7l-7 7' stroke='#0b6fb8' stroke-width='3'/>",
  connect4: "<rect x='2' y='4' width='38' height='34' rx='6' fill='#1b4f9c'/><g fill='#f4f7fb'><circle cx='11' cy='13' r='4.5'/><circle cx='21' cy='13' r='4.5'/><circle cx='31' cy='13' r='4.5'/></g><circle cx='11' cy='28' r='4.5' fill='#d7263d'/><circle cx='21' cy='28' r='4.5' fill='#ffd23f'/><circle cx='31' cy='28' r='4.5' fill='#d7263d'/>",
  catan: "<path d='M21 2l16 9v19l-16 9-16-9V11z' fill='#f0c23b' stroke='#7a5530' stroke-width='2'/><path d='M13 30V20l8-7 8 7v10z' fill='#8f1029' stroke='#fff' stroke-width='1.5'/>",
  risk: "<circle cx='21' cy='21' r='18' fill='#8fb3dd'/><path d='M9 14q8-8 14-2t12 2q2 8-4 12t-8 8q-8-2-9-9t-5-11z' fill='#a9c98b' stroke='#fff'/><path d='M21 33V15l9 4-9 4' fill='#b3122a' stroke='#22303c' stroke-width='1.5'/>",
  vgdl: "<rect x='2' y='10' width='38' height='23' rx='11' fill='#3b4a63'/><path d='M9 21h9M13.5 16.5v9' stroke='#fff' stroke-width='3'/><circle cx='28' cy='24' r='3' fill='#ff9d00'/><circle cx='34' cy='18' r='3' fill='#4ea8de'/>",
};
const OWN = "<rect x='4' y='4' width='34' height='34' rx='8' fill='none' stroke='currentColor' stroke-width='2.5'/><circle cx='14' cy='14' r='3.5' fill='#ff9d00'/><circle cx='28' cy='28' r='3.5' fill='#1f5fd0'/><circle cx='21' cy='21' r='3.5' fill='currentColor'/>";

/** Return what a game is called; one of the user's own by its name. */
export const gameName = (game) => (Object.hasOwn(ICONS, game) ? t(`name.${game}`) : game[0].toUpperCase() + game.slice(1));

/** Return the sign of a game. */
export const gameIcon = (game) => picture(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 42 42" aria-hidden="true">${Object.hasOwn(ICONS, game) ? ICONS[game] : OWN}</svg>`);
