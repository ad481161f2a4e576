// The table of messages, sent with the page: no sentence is written in a script.

const table = document.getElementById("messages");
const messages = JSON.parse(table.textContent);
let spoken = table.dataset.game;

/** From here on the words of this game are used: its own messages stand under `GAME.KEY`. */
export function speakOf(game = "") {
  spoken = game;
}

const own = (key) => messages[`${spoken}.${key}`] ?? messages[key];

/** The message of `key` with its values filled in; a key that is missing shows itself rather than nothing. */
export function t(key, values = {}) {
  const one = values.n === 1 ? own(`${key}.one`) : undefined;
  const text = one ?? own(key) ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** Whether there is such a message. */
export const has = (key) => key in messages;

export const side = (letter) => (letter === "S" || letter === "N" ? t(`side.${letter}`) : "");

const NAMES = { South: "S", North: "N" };
let teams = { S: [], N: [], since: 0 };

/** Who plays: {S: [names], N: [names], called: {S, N}, the teams' names, since: number of the event from which on they do}. Whether
 *  that is news. */
export function name(now) {
  const news = JSON.stringify(now) !== JSON.stringify(teams);
  teams = now;
  return news;
}

/** What `say` makes of an item of the feed: said before these teams played, it names South and North; a verdict is told in the
 *  words of its game. */
export function about({ number, game = spoken }, say) {
  const now = [teams, spoken];
  if (number < teams.since) teams = { S: [], N: [], since: 0 };
  spoken = game;
  try {
    return say();
  } finally {
    [teams, spoken] = now;
  }
}

/** A side as people call it: by its team's name, or those of its players, where they were given. */
export function player(letter) {
  const names = teams[letter] ?? [];
  if (teams.called?.[letter]) return teams.called[letter];
  if (!names.length) return side(letter);
  return names.length === 1 ? names[0] : names.length === 2 ? t("team.two", { one: names[0], other: names[1] }) : t("team.of", { name: names[0] });
}

/** One of the table's English sentences, with the teams' names for South and North. */
const named = (text) => text.replace(/\b(South|North)\b/g, (word) => (teams[NAMES[word]]?.length || teams.called?.[NAMES[word]] ? player(NAMES[word]) : word));

const MOST_OTHERS = 2; // less likely explanations that are told

/** A ruleset's name for people: "driedger" as "Driedger's rules". */
export const ruleset = (name) => (has(`ruleset.${name}`) ? t(`ruleset.${name}`) : name);

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

/** Whether the page speaks English, as the table's own sentences do. */
export const english = document.documentElement.lang === "en";

/** One step of a move in words: the table's own where they are English and so is the page. */
export function textOf(step) {
  if (step.text && english) return step.text;
  const kind = step.kind === "stray" ? (step.n > 0 ? "came" : "went") : step.kind;
  return t(`path.${kind}`, { lap: step.lap, pit: step.pit || t("path.hand"), n: Math.abs(step.n) || 1 });
}

/** What a verdict says: the table's own sentence in English, else the same worded anew from what it rests on. */
export function sentenceOf(item) {
  if (english) return named(item.sentence);
  if (item.verdict === "not-sure") {
    const late = item.faults.filter(({ code }) => code === "late").map(({ n }) => t("late.beside", { seconds: n }));
    return [doubt(item), ...late].join(" ");
  }
  if (item.verdict !== "legal") return t("sentence", { text: inWords({ ...item, kind: item.verdict }, "", near(item)) });
  return t("sentence", { text: inWords({ ...item, kind: item.faults.length ? "legal.late" : "legal" }, gained(item)) });
}

/** What a legal move came to: its laps, its seeds and its bulls; "" where nothing is known of its way. */
function gained({ steps = [], captured }) {
  const laps = Math.max(0, ...steps.map(({ lap }) => lap));
  const bulls = steps.filter(({ kind }) => kind === "bull").flatMap(({ pit }) => pit.split(","));
  return [laps && t("said.laps", { n: laps }), captured && t("said.captured", { n: captured }),
    bulls.length && t("said.bulls", { n: bulls.length, pits: bulls.join(t("list.comma")) })].filter(Boolean).join(t("list.comma"));
}

/** What a verdict says that is not sure. */
const doubt = ({ best, pits }) => [
  best.length ? t("sentence", { text: t("sentence.not-sure", { what: inWords(best[0]) }) }) : "",
  pits.length || !best.length ? t(pits.length > 1 ? "verdict.look.many" : "verdict.look", { pits: pits.join(", ") || "?" }) : "",
].filter(Boolean).join(" ");

/** Another explanation of the same board whose odds are near to the sentence's own: under three to one, as in `engine/certainty.py`. */
const near = (item) => item.others.find(({ p, faults }) => faults.length && first(item) < 3 * p);

/** The odds of what a verdict says first; its certainty counts what it names beside that as well. */
const first = ({ confidence, best }) => best?.[0]?.p ?? confidence;

/** What it may have been, {what, p}: of a verdict that names two explanations both, and less likely ones, the likeliest first. */
export function explanations(item) {
  const close = item.verdict === "illegal" ? near(item) : null;
  const named = close ? [{ what: inWords({ ...item, kind: "illegal" }), p: first(item) }, { what: inWords(close), p: close.p }] : [];
  const rest = [...item.others, ...item.best.slice(1, 2)].filter((one) => one !== close && one.p > 0).sort((a, b) => b.p - a.p);
  return { named, rest: rest.slice(0, MOST_OTHERS).map((one) => ({ what: inWords(one), p: one.p })) };
}

/** That a move was asked about before, and what showed how it was; "" for any other. */
export function askedOf({ asked, ply }) {
  if (!asked) return "";
  const shown = asked.next ? "next" : asked.move ? "move" : "later";
  return t(`verdict.answer.${shown}`, { n: ply + 1, move: asked.move, time: clock(asked.at).slice(0, 5) });
}

const faultsOf = ({ faults }) => faults.map((fault) => t(`fault.${fault.code}`, fault)).join(t("list.comma"));

/** One explanation of a move, as a part of a sentence. what: what a legal move came to; other: one that is nearly as likely. */
export function inWords(one, what = "", other = null) {
  const { kind, player: who, move } = one;
  const values = { side: player(who), move, faults: other ? t("fault.or", { one: faultsOf(one), other: faultsOf(other) }) : faultsOf(one), what };
  if (what) return t(`said.${kind}`, values);
  return t(has(`second.${kind}`) ? `second.${kind}` : has(`verdict.${kind}`) ? `verdict.${kind}` : "second.other", values);
}

/** A sentence of the table's: its own English, or the message that was `told` with it, in this language; as it is where the
 *  page knows no such message. */
export const reason = (text, told) => sized(english || !told || !has(told.key) ? named(text ?? "") : tell(told));

/** The same with boards' sizes as people write them. */
const sized = (text) => text.replace(/\b([24])x(\d{1,2})\b/g, "$1 × $2");

const tell = ({ key, values = {} }) => key === "side.S" || key === "side.N" ? player(key.at(-1)) : t(key, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plain(value)])));

/** What stands in a message: a word or a number, a message, or a list of them. */
const plain = (value) => Array.isArray(value) ? value.map(plain).join(t("list.comma")) : typeof value === "object" ? tell(value) : value;

/** What the table answered to an order. */
export const answer = ({ sentence: text, told }) => sentence(reason(text, told));

/** With a capital and a full stop, as a sentence has. */
export function sentence(text) {
  if (!text) return "";
  const whole = text[0].toUpperCase() + text.slice(1);
  return /[.!?…。]$/.test(whole) ? whole : t("sentence", { text: whole });
}

/** A result as a sentence has it: the winner's seeds first. */
export const scoreOf = ({ result, winner }) => (winner === "N" ? result.split("-").reverse().join("-") : result);
