// The overlay for a film of the game: the score, whose turn it is, and the last verdict. Only what everybody may see.

import { Connection } from "./connection.js";
import { byId, say } from "./dom.js";
import { moodOf } from "./mood.js";
import { showPlayer } from "./players.js";
import { name, sentenceOf, speakOf, t } from "./words.js";

const FIRST = ["off", "blind", "starting", "searching", "setting-up", "withdrawing", "over", "waiting"]; // these come before any verdict
const verdicts = new Map();
let table = null;
let live = { running: false, state: null };

new Connection({ table: takeTable, live: takeLive, up: () => show(), down: () => word("off", t("line.lost"), "") }, "&public");

function takeTable(patch) {
  if (patch.fresh) verdicts.clear();
  table = patch.table;
  speakOf(table.game?.game);
  name({ ...table.teams, since: table.teams_since, called: table.team_names });
  for (const item of patch.items) if (item.kind === "verdict") verdicts.set(item.number, item);
  const begun = table.game?.number ?? 0;
  for (const number of verdicts.keys()) if (number < begun) verdicts.delete(number);
  show();
}

function takeLive(state) {
  live = state;
  show();
}

/** Returns the newest standing verdict of this game; nothing if there is none. */
function last() {
  return [...verdicts.values()].filter((item) => item.gone === null)
    .reduce((newest, item) => (item.number > (newest?.number ?? 0) ? item : newest), null);
}

function word(kind, title, sentence) {
  byId("word").dataset.kind = kind;
  say(byId("kind"), title);
  say(byId("sentence"), sentence);
}

function show() {
  if (!table) return;
  const verdict = last();
  const mood = moodOf(table, live, null);
  if (verdict && !table.held && !FIRST.includes(mood.name)) word(verdict.verdict, t(`verdict.${verdict.verdict}`), sentenceOf(verdict));
  else word(mood.name, mood.word, mood.why);
  showPlayer(byId("player-S"), "S", table);
  showPlayer(byId("player-N"), "N", table);
}
