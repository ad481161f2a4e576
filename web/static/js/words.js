// The table of messages, sent with the page: no sentence is written in a script.

const messages = JSON.parse(document.getElementById("messages").textContent);

/** The message of `key` with its values filled in; a key that is missing shows itself rather than nothing. */
export function t(key, values = {}) {
  const one = values.n === 1 ? messages[`${key}.one`] : undefined;
  const text = one ?? messages[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** Whether there is such a message. */
export const has = (key) => key in messages;

export const side = (letter) => (letter === "S" || letter === "N" ? t(`side.${letter}`) : "");

/** A probability for people: 99.98 % is not 100 %. */
export function percent(p) {
  if (!(p > 0)) return "0 %";
  if (p >= 0.99995) return "over 99.99 %";
  if (p > 0.99) return `${(Math.floor(p * 10000) / 100).toFixed(2)} %`;
  return p < 0.01 ? "under 1 %" : `${Math.round(p * 100)} %`;
}

/** An ISO time as the clock on this wall shows it. */
export const clock = (iso) =>
  new Date(iso).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** One step of a move in words: the table's own where it has some. */
export function textOf(step) {
  if (step.text) return step.text;
  const kind = step.kind === "stray" ? (step.n > 0 ? "came" : "went") : step.kind;
  return t(`path.${kind}`, { lap: step.lap, pit: step.pit || t("path.hand"), n: Math.abs(step.n) || 1 });
}
