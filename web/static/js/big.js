// The board for a projector: the game, whose turn it is, the score, the verdict, and a replay of each foul, seed by seed. Nothing
// can be ordered here.

import { Connection } from "./connection.js";
import { Diagram, accusing } from "./diagram.js";
import { byId, say } from "./dom.js";
import { drawFace } from "./face.js";
import { LOST, moodOf, verdictMood } from "./mood.js";
import { title } from "./offers.js";
import { showPlayer } from "./players.js";
import { Replay } from "./replay.js";
import { marksOf, whole } from "./trace.js";
import { name, speakOf, t } from "./words.js";

const shapes = {};
const verdicts = new Map();
let table = null;
let lost = false;
let live = { running: false, state: null };
const board = byId("board");
const diagram = new Diagram(board);
const replay = new Replay(({ position, now, wrong }) => diagram.show(shapes[position.board], position, wrong ? { now, wrong: [now] } : { now }), () => show());

drawFace(byId("face"));
new Connection({ table: takeTable, live: takeLive, up: () => linked(true), down: () => linked(false) }, "&public");

function takeTable(patch) {
  Object.assign(shapes, patch.shapes);
  if (patch.fresh) verdicts.clear();
  table = patch.table;
  document.body.classList.toggle("begun", Boolean(table.position?.ply));
  speakOf(table.game?.game);
  name({ ...table.teams, since: table.teams_since, called: table.team_names });
  for (const item of patch.items) if (item.kind === "verdict") verdicts.set(item.number, item);
  for (const number of verdicts.keys()) if (number !== table.ruling) verdicts.delete(number);
  show();
}

function takeLive(state) {
  live = state;
  show();
}

const full = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
byId("full").hidden = !document.fullscreenEnabled;
byId("full").addEventListener("click", full);
addEventListener("keydown", ({ key }) => key.toLowerCase() === "f" && full());
addEventListener("resize", fit);
document.fonts.ready.then(fit);

/** Fits the word into its place, so that the board never gives way to it: a long sentence stands beside the large words, then the
 *  letters grow smaller. */
function fit() {
  const speech = document.querySelector(".speech");
  for (const [beside, scale] of [[false, 1], ...[1, 0.9, 0.8, 0.7, 0.6, 0.5].map((smaller) => [true, smaller])]) {
    speech.classList.toggle("beside", beside);
    speech.style.setProperty("--fit", scale);
    if (speech.scrollHeight <= speech.clientHeight) return;
  }
}

function linked(is) {
  lost = !is;
  show();
}

function show() {
  if (!table) return;
  const open = verdicts.get(table.ruling);
  const now = lost ? LOST : moodOf(table, live, open);
  if (["blind", "off"].includes(now.name)) replay.stop(); // what is said now is about the board of now
  if (now.name === "illegal" && show.replayed?.number !== open.number) {
    show.replayed = open;
    say(byId("assertive"), `${now.word}. ${now.why}`);
    if (open.before && shapes[open.before.board] && whole(open.steps)) replay.start(shapes[open.before.board], open.before, open.steps);
  }
  const { name, word, why, turn } = replay.running ? verdictMood(show.replayed) : now; // play may go on meanwhile
  byId("referee").dataset.mood = name;
  const [large, small] = name === "watching" ? [why, word] : turn ? [turn, word] : [word, why]; // whose turn it is, in the largest letters
  say(byId("mood"), large);
  say(byId("why"), small);
  fit();
  const { game } = table;
  say(byId("what"), game ? `${title(game.game)} · ${game.board.replace("x", " × ")}` : "");
  say(byId("about"), game ? t(`wall.what.${game.game}`) : "");
  byId("again").hidden = !replay.running;
  showPlayer(byId("player-N"), "N", table);
  showPlayer(byId("player-S"), "S", table);
  const position = table.laying?.position ?? table.position;
  board.classList.toggle("empty", !position);
  document.body.classList.toggle("four", Boolean(position?.board.startsWith("4")));
  if (!position || replay.running) return;
  const shape = shapes[position.board];
  const { last } = table;
  const marks = !table.laying && last?.before?.board === position.board ? marksOf(shape, last.before, last.steps) : {};
  if (open?.expected) Object.assign(marks, accusing(open, shape), { doubt: [] });
  diagram.show(shape, position, marks);
}
