// Form controls for declared values: the options of a game, the parameters of an agent.

import { h } from "./dom.js";
import { label, meaning } from "./glossary.js";
import { t } from "./texts.js";

let count = 0;

/**
 * Return a control for a declared field: {element, changed() → text or null where it has its default}.
 */
export function field(declared, { value = null, onchange = () => {} } = {}) {
  const id = `field-${++count}`;
  const fallback = declared.default;
  const start = value ?? (fallback === null ? "" : String(fallback));
  let control;
  if (declared.choices.length) {
    const choices = fallback === null ? ["", ...declared.choices] : declared.choices;
    control = h("select", { id, onchange }, choices.map((choice) => h("option", { value: choice, selected: choice === start }, choice || t("auto"))));
  } else if (declared.kind === "bool" && fallback !== null) {
    control = h("input", { id, type: "checkbox", checked: start === "true", onchange });
  } else if (declared.kind === "bool") {
    control = h("select", { id, onchange }, ["", "true", "false"].map((choice) => h("option", { value: choice, selected: choice === start }, choice ? t(choice === "true" ? "yes" : "no") : t("auto"))));
  } else if (declared.kind === "str") {
    control = h("input", { id, value: start, maxlength: 60, pattern: "[A-Za-z0-9_+.\\-]*", onchange });
  } else {
    control = h("input", {
      id, type: "number", value: start, step: declared.kind === "int" ? 1 : "any", onchange, inputmode: declared.kind === "int" ? "numeric" : "decimal",
      min: declared.low, max: declared.high, placeholder: fallback === null ? t("auto") : String(fallback),
    });
  }
  control.name = declared.name;
  const range = declared.kind !== "bool" && !declared.choices.length && (declared.low !== null || declared.high !== null) ? ` (${declared.low ?? ""}…${declared.high ?? ""})` : "";
  const hint = `${id}-hint`;
  control.setAttribute("aria-describedby", hint);
  return {
    name: declared.name,
    element: h("div", { class: "field" }, h("label", { for: id }, label(declared.name)), control, h("small", { id: hint }, (meaning(declared.meaning) === label(declared.name) ? range.trim() : meaning(declared.meaning) + range))),
    changed() {
      const text = control.type === "checkbox" ? String(control.checked) : control.value.trim();
      return text === "" || text === String(fallback) ? null : text;
    },
  };
}

/** Return the values of fields that differ from their default. */
export function changes(fields) {
  return Object.fromEntries(fields.map((one) => [one.name, one.changed()]).filter(([, text]) => text !== null));
}

/** Return the spec of an agent with parameters. */
export function spec(name, values) {
  const quoted = (text) => (/[,:"= ]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const list = Object.entries(values).map(([key, text]) => `${key}=${quoted(text)}`).join(",");
  return list ? `${name}:${list}` : name;
}

/** Return the name and the parameters of a spec that this page, or an agent, has written. */
export function parseSpec(text, parameters) {
  const [name, ...rest] = text.split(":");
  const values = {};
  rest.join(":").split(",").filter(Boolean).forEach((part, place) => {
    const [key, value] = part.includes("=") ? part.split("=") : [parameters?.(name)?.[place]?.name, part];
    if (key) values[key] = value.replaceAll('"', "");
  });
  return { name, values };
}

/** Return a chooser of an agent with its parameters: {element, spec()}. */
export function agentChooser(agents, initial, { label: name_, onchange = () => {} } = {}) {
  const byName = new Map(agents.map((agent) => [agent.agent, agent]));
  const start = parseSpec(initial, (name) => byName.get(name)?.parameters);
  const id = `field-${++count}`;
  const about = h("p", { class: "about" });
  const box = h("div", { class: "fields" });
  const given = h("span", { class: "quiet-text" });
  const details = h("details", {}, h("summary", {}, t("parameters"), " ", given), box);
  const select = h("select", { id, onchange: () => { build({}); onchange(); } }, agents.map((agent) => h("option", { value: agent.agent, selected: agent.agent === start.name }, agent.agent)));
  let fields = [];
  function build(values) {
    const agent = byName.get(select.value);
    fields = agent.parameters.map((declared) => field(declared, { value: values[declared.name] ?? null, onchange: () => { told(); onchange(); } }));
    box.replaceChildren(...fields.map((one) => one.element));
    about.textContent = meaning(agent.about);
    details.hidden = !fields.length;
    told();
  }
  function told() { given.textContent = Object.entries(changes(fields)).map(([key, text]) => `${label(key)} ${text}`).join(", "); }
  build(start.values);
  return {
    element: h("div", { class: "agent-chooser" }, h("label", { class: "visually-hidden", for: id }, name_ ?? t("agent")), select, about, details),
    spec: () => spec(select.value, changes(fields)),
  };
}
