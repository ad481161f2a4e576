// The table of messages, sent with the page: no script contains a sentence.

const table = document.getElementById("messages");
const messages = JSON.parse(table.textContent);
let spoken = table.dataset.game;

/** Uses the words of this game from here on: its own messages stand under `GAME.KEY`. */
export function speakOf(game = "") {
  spoken = game;
}

const own = (key) => messages[`${spoken}.${key}`] ?? messages[key];

/** Returns the message of `key` with its values filled in; the key itself if there is no such message. */
export function t(key, values = {}) {
  const one = values.n === 1 ? own(`${key}.one`) : undefined;
  const text = one ?? own(key) ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** Whether the message exists. */
export const has = (key) => key in messages;

export const side = (letter) => (letter === "S" || letter === "N" ? t(`side.${letter}`) : "");

const NAMES = { South: "S", North: "N" };
let teams = { S: [], N: [], since: 0 };

/** Sets who plays: {S: [names], N: [names], called: {S, N}, the teams' names, since: number of the event from which on they play}. Returns whether
 *  that is new. */
export function name(now) {
  const news = JSON.stringify(now) !== JSON.stringify(teams);
  teams = now;
  return news;
}

/** Returns `say`'s text for an item of the feed: an item from before these teams names South and North; a verdict uses the
 *  words of its game. */
export function about({ number, game = spoken }, say) {
  const now = { teams, spoken };
  if (number < teams.since) teams = { S: [], N: [], since: 0 };
  spoken = game;
  try {
    return say();
  } finally {
    ({ teams, spoken } = now);
  }
}

/** Returns a side's name: its team's or its players', if given. */
export function player(letter) {
  const names = teams[letter] ?? [];
  if (teams.called?.[letter]) return teams.called[letter];
  if (!names.length) return side(letter);
  return names.length === 1 ? names[0] : names.length === 2 ? t("team.two", { one: names[0], other: names[1] }) : t("team.of", { name: names[0] });
}

/** Returns one of the table's English sentences with the teams' names in place of South and North. */
const named = (text) => text.replace(/\b(South|North)\b/g, (word) => (teams[NAMES[word]]?.length || teams.called?.[NAMES[word]] ? player(NAMES[word]) : word));

const MOST_OTHERS = 2; // most less likely explanations to name

/** Returns a ruleset's name for people: "Driedger's rules" for "driedger". */
export const ruleset = (name) => (has(`ruleset.${name}`) ? t(`ruleset.${name}`) : name);

/** Returns a probability for people in whole percent, rounded down. The server sends none above the measured bound. */
export function percent(p) {
  if (!(p > 0)) return t("percent", { p: 0 });
  if (p < 0.01) return t("percent.under", { p: 1 });
  return t("percent", { p: Math.floor(100 * p + 1e-7) });
}

/** Returns an ISO time as local time. */
export const clock = (iso) =>
  new Date(iso).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

/** Whether the page speaks English, as the table's own sentences do. */
export const english = document.documentElement.lang === "en";

/** Returns pits joined as in "a, b and c". */
const listed = (pits) => pits.length > 1 ? t("list.and", { some: pits.slice(0, -1).join(t("list.comma")), last: pits.at(-1) }) : pits.join();

/** Returns one step of a move in words: the table's own on an English page. */
export function textOf(step) {
  if (step.text && english) return step.text;
  const kind = step.kind === "stray" ? (step.n > 0 ? "came" : "went") : step.kind;
  return t(`path.${kind}`, { lap: step.lap, pit: listed(step.pit.split(",")) || t("path.hand"), n: Math.abs(step.n) || 1 });
}

/** Returns a verdict's sentence: the table's own in English, else one built from the verdict's data. */
export function sentenceOf(item) {
  if (english) return named(item.sentence);
  if (item.verdict === "not-sure") {
    const late = item.faults.filter(({ code }) => code === "late").map(({ n }) => t("late.beside", { seconds: n }));
    return [doubt(item), ...late].join(" ");
  }
  if (item.verdict !== "legal") {
    const text = t("sentence", { text: inWords({ ...item, kind: item.verdict }, "", near(item)) });
    return item.followed ? `${text} ${sentence(reason("", item.followed))}` : text;
  }
  return t("sentence", { text: inWords({ ...item, kind: item.faults.length ? "legal.late" : "legal" }, gained(item)) });
}

/** Returns what a legal move achieved: its laps if several, captured seeds and bulls; "" for none of these. */
function gained({ steps = [], captured }) {
  const laps = Math.max(0, ...steps.map(({ lap }) => lap));
  const bulls = steps.filter(({ kind }) => kind === "bull").flatMap(({ pit }) => pit.split(","));
  return [laps > 1 && t("said.laps", { n: laps }), captured && t("said.captured", { n: captured }),
    bulls.length && t("said.bulls", { n: bulls.length, pits: listed(bulls) })].filter(Boolean).join(t("list.comma"));
}

/** Returns the sentence of a verdict that is not sure. */
const doubt = ({ best, pits }) => [
  best.length ? t("sentence", { text: t("sentence.not-sure", { what: inWords(best[0]) }) }) : "",
  pits.length || !best.length ? t(pits.length > 1 ? "verdict.look.many" : "verdict.look", { pits: pits.join(", ") || "?" }) : "",
].filter(Boolean).join(" ");

/** Returns another explanation of the same board that is nearly as likely as the named one: under three to one, as in `engine/certainty.py`. */
const near = (item) => item.others.find(({ p, faults }) => faults.length && first(item) < 3 * p);

/** Returns the probability of the named explanation alone; the verdict's certainty also counts the one named beside it. */
const first = ({ confidence, best }) => best?.[0]?.p ?? confidence;

/** Returns the explanations {what, p}: both if the verdict names two, and less likely ones, the likeliest first. */
export function explanations(item) {
  const close = item.verdict === "illegal" ? near(item) : null;
  const named = close ? [{ what: inWords({ ...item, kind: "illegal" }), p: first(item) }, { what: inWords(close), p: close.p }] : [];
  const rest = [...item.others, ...item.best.slice(1, 2)].filter((one) => one !== close && one.p > 0).sort((a, b) => b.p - a.p);
  return { named, rest: rest.slice(0, MOST_OTHERS).map((one) => ({ what: inWords(one), p: one.p })) };
}

/** Returns the sentence that a move was questioned and what answered the question; "" for any other verdict. */
export function askedOf({ asked, ply }) {
  if (!asked) return "";
  const shown = asked.next ? "next" : asked.move ? "move" : "later";
  return t(`verdict.answer.${shown}`, { n: ply + 1, move: asked.move, time: clock(asked.at).slice(0, 5) });
}

const faultsOf = ({ faults }) => faults.map((fault) => t(`fault.${fault.code}`, fault)).join(t("list.comma"));

/** Returns one explanation of a move, as a part of a sentence. what: what a legal move achieved; other: one that is nearly as likely. */
export function inWords(one, what = "", other = null) {
  const { kind, player: who, move } = one;
  const values = { side: player(who), move, faults: other ? t("fault.or", { one: faultsOf(one), other: faultsOf(other) }) : faultsOf(one), what };
  if (what) return t(`said.${kind}`, values);
  return t(has(`second.${kind}`) ? `second.${kind}` : has(`verdict.${kind}`) ? `verdict.${kind}` : "second.other", values);
}

/** Returns a sentence of the table in this language, from the message `told` with it; in the table's English if the
 *  page does not know the message. */
export const reason = (text, told) => sized(english || !told || !has(told.key) ? named(text ?? "") : tell(told));

/** Returns the text with boards' sizes as people write them. */
const sized = (text) => text.replace(/\b([24])x(\d{1,2})\b/g, "$1 × $2");

const tell = ({ key, values = {} }) => key === "side.S" || key === "side.N" ? player(key.at(-1)) : t(key, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plain(value)])));

/** Returns a message's value as text: a word or a number, a message, or a list of these. */
const plain = (value) => Array.isArray(value) ? value.map(plain).join(t("list.comma")) : typeof value === "object" ? tell(value) : value;

/** Returns the table's answer to an order. */
export const answer = ({ sentence: text, told }) => sentence(reason(text, told));

/** Returns the text with a capital and a full stop. */
export function sentence(text) {
  if (!text) return "";
  const whole = text[0].toUpperCase() + text.slice(1);
  return /[.!?…。]$/.test(whole) ? whole : t("sentence", { text: whole });
}

/** Returns a result for a sentence: the winner's seeds first. */
export const scoreOf = ({ result, winner }) => (winner === "N" ? result.split("-").reverse() : result.split("-")).join("–");

/** Returns whether somebody resigned, after which the seeds no longer matter. */
export const resigned = ({ told }) => told?.key === "reason.forfeited";
