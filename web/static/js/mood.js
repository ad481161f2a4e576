// The one thing that the referee says now: a mood, a few words, and a sentence. The most urgent one wins.

import { english, has, player, reason, resigned, scoreOf, sentence, sentenceOf, t } from "./words.js";

const PASSING = ["hands-in", "settling", "judging"];
const PREPARING = ["starting", "searching", "setting-up", "withdrawing"];
const LOUD = ["illegal", "not-sure", "tampered"];

const mood = (name, why, word = t(`state.${name}`)) => ({ name, word, why });

/** The mood while people must decide on that verdict, or while a wall replays it. */
export const verdictMood = (item) => mood(item.verdict, sentenceOf(item), t(item.verdict === "legal" ? "verdict.legal" : `state.${item.verdict}`));

/** The mood while the connection is lost. */
export const LOST = mood("off", t("line.lost.why"), t("line.lost"));

/** table: the journal's; live: {running, state}; open: the feed's verdict that may still be ruled on, if any. */
export function moodOf(table, live, open) {
  if (table.problem) return mood("off", english ? table.problem : t("state.problem.why"), t("state.problem"));
  if (!live.running) return mood("off", t("state.off.why"));
  const state = live.state?.state || table.state.name;
  const now = live.state ?? table.state;
  const { why, told } = now.told?.key === "why.waiting" ? { why: "", told: null } : now; // waiting for the camera: whose turn it is says more
  if (table.blind || state === "blind") {
    const { blind } = table;
    const said = blind ? [reason(blind.why, blind.told), reason(blind.todo, blind.told_todo)] : [reason(why, told) || t("state.blind.why")];
    return mood("blind", said.filter(Boolean).map(sentence).join(" "));
  }
  if (table.held) return mood("judging", t("state.held.why"), t("state.held"));
  const turn = table.position && !table.over ? t("state.watching.why", { side: player(table.position.turn) }) : "";
  if (PREPARING.includes(state)) return mood(state, (why && sentence(reason(why, told))) || t(`state.${state}.why`));
  if (open && LOUD.includes(open.verdict)) return verdictMood(open);
  if (PASSING.includes(state) && !table.over) return { ...mood("moving", `${turn} ${t("state.moving.why")}`.trim()), turn };
  if (table.over) return mood("over", over(table.over));
  if (!table.game) return mood("waiting", t("state.waiting.why"));
  if (!has(`state.${state}`)) return mood("searching", sentence(reason(why, told)), state || t("state.starting"));
  return mood("watching", why && (told || live.state || english) ? sentence(reason(why, told)) : turn);
}

/** Returns how a game ended, in a sentence. */
export function over(end) {
  const { winner, reason: why, told } = end;
  const score = t(resigned(end) ? "ending.won" : winner ? "score.won" : "score.draw", { side: player(winner), result: scoreOf(end) });
  return `${sentence(score)} ${sentence(reason(why, told))}`.trim();
}
