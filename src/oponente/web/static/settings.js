// What the user has chosen for this browser: language and colours.

const listeners = new Set();

function read(key, fallback) {
  try { return localStorage.getItem(`oponente.${key}`) ?? fallback; } catch { return fallback; }
}

export const settings = {
  language: read("language", navigator.language?.startsWith("pt") ? "pt" : "en"),
  theme: read("theme", "auto"),
};

/** Change a setting, keep it, and tell those who listen if it is the language: the colours are in the style sheets. */
export function set(key, value) {
  settings[key] = value;
  try { localStorage.setItem(`oponente.${key}`, value); } catch { /* private window: it lasts as long as the page */ }
  apply();
  if (key === "language") listeners.forEach((listener) => listener());
}

/** Call a function whenever the language has changed. */
export function onchange(listener) { listeners.add(listener); }

/** Show the settings on the page. */
export function apply() {
  document.documentElement.lang = settings.language;
  document.documentElement.dataset.theme = settings.theme;
}
