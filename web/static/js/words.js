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

/** A probability for people, rounded down. The server sends none that is more than was measured. */
export function percent(p) {
  if (!(p > 0)) return t("percent", { p: 0 });
  if (p < 0.01) return t("percent.under", { p: 1 });
  const tenths = Math.floor(p * 1000 + 1e-6) / 10;
  return t("percent", { p: tenths > 99 ? tenths.toFixed(1) : Math.floor(tenths) });
}

/** An ISO time as the clock on this wall shows it. */
export const clock = (iso) =>
  new Date(iso).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

const english = document.documentElement.lang === "en";

/** One step of a move in words: the table's own where they are English and so is the page. */
export function textOf(step) {
  if (step.text && english) return step.text;
  const kind = step.kind === "stray" ? (step.n > 0 ? "came" : "went") : step.kind;
  return t(`path.${kind}`, { lap: step.lap, pit: step.pit || t("path.hand"), n: Math.abs(step.n) || 1 });
}

/** What a verdict says: the table's own sentence in English, else the same worded anew from what it rests on. */
export function sentenceOf(item) {
  if (english) return item.sentence;
  if (item.verdict === "not-sure") {
    const late = item.faults.filter(({ code }) => code === "late").map(({ n }) => t("late.beside", { seconds: n }));
    return [doubt(item), ...late].join(" ");
  }
  const kind = item.verdict === "legal" && item.faults.length ? "legal.late" : item.verdict;
  return t("sentence", { text: inWords({ ...item, kind }) });
}

/** What a verdict says that is not sure. */
const doubt = (item) => item.best.length
  ? t("sentence", { text: t("sentence.not-sure", { what: inWords(item.best[0]) }) })
  : t(item.pits.length > 1 ? "verdict.look.many" : "verdict.look", { pits: item.pits.join(", ") || "?" });

/** One explanation of a move, as a part of a sentence. */
export function inWords({ kind, player, move, faults }) {
  const values = { side: side(player), move, faults: faults.map((fault) => t(`fault.${fault.code}`, fault)).join(t("list.comma")) };
  return t(has(`second.${kind}`) ? `second.${kind}` : has(`verdict.${kind}`) ? `verdict.${kind}` : "second.other", values);
}

/** A sentence of the table's: its own English, or the message that was `told` with it, in this language; as it is where the
 *  page knows no such message. */
export const reason = (text, told) => (english || !told || !has(told.key) ? text : tell(told));

const tell = ({ key, values = {} }) => t(key, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plain(value)])));

/** What stands in a message: a word or a number, a message, or a list of them. */
const plain = (value) => Array.isArray(value) ? value.map(plain).join(t("list.comma")) : typeof value === "object" ? tell(value) : value;

/** What the table answered to an order. */
export const answer = ({ sentence: text, told }) => sentence(reason(text, told));

/** The same of older journals, which keep English alone: rather the page's own word than that. */
export const orOwn = (text, told, key) => (english || told || !key || !has(key) ? reason(text, told) : t(key));

/** With a capital and a full stop, as a sentence has. */
export function sentence(text) {
  if (!text) return "";
  const whole = text[0].toUpperCase() + text.slice(1);
  return /[.!?…。]$/.test(whole) ? whole : t("sentence", { text: whole });
}
