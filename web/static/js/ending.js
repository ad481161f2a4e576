// The end of a game: who won, the match's score, what comes next. It stays until somebody moves in the next game.

import { below, h } from "./dom.js";
import { may } from "./orders.js";
import { badge } from "./players.js";
import { player, reason, resigned, scoreOf, sentence, t } from "./words.js";

/** Returns which game of a match it is: "game 1 of 3". match: its score; n: the game's number. */
export const placeOf = (match, n) => t(has(match) ? `match.place.${has(match)}` : "match.place", { n, of: match.agreed });

const has = ({ form }) => ({ sticks: "games", games: "games", "ol-alai": "wins" })[form] ?? "";

/** Shows the end, or nothing. last: the verdict on the game's last move if it may be counted again, else null; order: the
 *  order that ended the game, if one did and it may be undone, else 0; acts: {recount(item), undone(order), next()}. */
export function showEnding(node, table, last, order, acts) {
  const { ended, match } = table;
  const begun = Boolean(ended) && table.game?.number !== ended.number;
  const key = ended ? JSON.stringify([ended, begun, match?.score, match?.place, match?.over, last?.number, order, may(), table.teams]) : "";
  if (node.dataset.key === key) return;
  node.dataset.key = key;
  node.hidden = !ended;
  node.classList.toggle("begun", begun); // the next game needs the room
  node.replaceChildren(...(ended ? parts(ended, begun, match, last, order, acts) : []).filter(Boolean));
}

function parts(ended, begun, match, last, order, acts) {
  const counts = match && ended.place;
  const button = (text, onclick, tone = "quiet") => h("button", { type: "button", class: tone, onclick }, text);
  return [
    h("h2", {}, ended.winner ? badge(ended.winner) : "", t(ended.winner ? "ending.won" : "ending.draw", { side: player(ended.winner) })),
    resigned(ended) ? "" : h("p", { class: "ending-score" }, scoreOf(ended).replace("–", " – ")),
    h("p", {}, sentence(reason(ended.reason, ended.told))),
    counts ? h("p", { class: "ending-match" }, t("ending.match", { score: match.score.join(" : "), south: player("S"), north: player("N"), place: placeOf(match, ended.place) })) : "",
    begun ? "" : h("p", { class: "ending-next" }, next(match)), // of the next game, the card above says more
    h("p", { class: "buttons" },
      may() && !begun ? button(t("ending.start"), acts.next, "strong") : "",
      h("a", { class: "button", href: below(`/games/${ended.number}`) }, t("ending.moves")),
      may() && order ? button(t("ending.undo"), () => acts.undone(order)) : "",
      may() && last && !resigned(ended) ? button(t("ending.correct"), () => acts.recount(last)) : "")];
}

/** Whether a side gave the game up: then the seeds decided nothing. */

function next(match) {
  if (!match) return t("ending.next");
  if (!match.over) return t("match.next", { n: match.place });
  return match.over.winner ? t("ending.match.won", { side: player(match.over.winner) }) : t("ending.match.drawn");
}
