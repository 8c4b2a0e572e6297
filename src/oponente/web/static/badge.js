// A seat's sign: its number, in its colour and in a shape of its own.

import { h } from "./dom.js";

// Far apart for each kind of colour vision.
const COLOURS = ["#0f35e0", "#d08a00", "#a01508", "#42c08b", "#1f1a1a", "#fff02a"];

/** Return the colour of a seat; `colours`: those in which the game draws its seats. */
export const colourOf = (seat, colours) => colours[seat] ?? COLOURS[seat % COLOURS.length];

/** Return the sign of a seat. What is said beside it must name the seat to those who can't see it. */
export function badge(seat, colours) {
  const colour = colourOf(seat, colours);
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const bright = red * 0.3 + green * 0.59 + blue * 0.11 > 150;
  const element = h("span", { class: `badge shape-${seat % 6}${bright ? " bright" : ""}`, "aria-hidden": "true" }, seat + 1);
  element.style.setProperty("--badge", colour);
  return element;
}
