// Puts the page together: passes what the connection delivers to its parts.

import { Clock } from "./clock.js";
import { Connection } from "./connection.js";
import { decidable, showDecision } from "./decide.js";
import { askCount, askForfeit, askGame } from "./dialogs.js";
import { Diagram, accusing } from "./diagram.js";
import { byId, h, say } from "./dom.js";
import { enlarging } from "./enlarge.js";
import { showEnding } from "./ending.js";
import { drawFace } from "./face.js";
import { Feed } from "./feed.js";
import { Grid } from "./grid.js";
import { guided, showGuide } from "./guide.js";
import { drawLegend } from "./legend.js";
import { LOST, moodOf, verdictMood } from "./mood.js";
import { offer, title } from "./offers.js";
import { object, objected } from "./objecting.js";
import { give, may, roleChanged } from "./orders.js";
import { Picture, judgedOf } from "./picture.js";
import { showPlayer } from "./players.js";
import { askRecount } from "./recount.js";
import { Replay } from "./replay.js";
import { askUndo, askWithdraw } from "./retraction.js";
import { Sound } from "./sound.js";
import { Status } from "./status.js";
import { marksOf, whole } from "./trace.js";
import { objectButton } from "./verdict.js";
import { answer, askedOf, name, player, reason, ruleset, sentence, sentenceOf, speakOf, t } from "./words.js";

const LOUD = ["illegal", "not-sure", "tampered"];
const LINE_BACK_MS = 2500;
const WRITTEN = Number(byId("feed").dataset.number); // the newest event in the page as the server rendered it

const shapes = {};
let table = null;
let lost = false;
let shown = null; // the listed move that the board shows instead of the current position
let live = { running: false, frame: "0", state: null };

const board = byId("board");
const diagram = new Diagram(board);
const correct = (number) => may() && askCount(shapes[table.position.board][number], table.position.n[number], announce);
const grid = new Grid(board, correct);
const picture = new Picture(byId("picture"), byId("rate"), byId("overlay"));
const status = new Status(byId("status"));
picture.folding(byId("camera"));
const sound = new Sound(byId("sound"));
const clock = new Clock(byId("clock"), byId("clock-way"));
const replay = new Replay(showFrame, () => {
  say(byId("replay-word"), "");
  say(byId("replay"), t("replay.button"));
  showBoard();
});
const feed = new Feed(byId("feed"), byId("feed-empty"), {
  shape: (name) => shapes[name],
  shown: (item) => showMove(item),
  order: async (order) => {
    const wrong = await give(order);
    const answered = !wrong && feed.get(order.verdict)?.ruling?.done; // news may come before the order's own receipt
    if (!answered) line(wrong || t("order.sent"), wrong ? "bad" : "good");
    if (wrong) again();
  },
  replay: (item) => play(item.before, item.steps),
  undo: () => table?.undo ?? 0,
  undoAtTop: () => (table.over || decidable(feed.get(table.ruling)) ? 0 : table.undo),
  undoable: (order) => may() && String(order) in (table?.undoable ?? {}),
  undoBack: (order) => askUndo(order, announce),
  waits: (number) => may() && table.waiting.includes(number),
  withdraw: (item, label) => askWithdraw(item, label, table.teams, feed.after(item), announce),
  object: (item, more) => object(item, more, (wrong) => {
    line(wrong || t(more.back ? "object.taken-back" : "object.sent"), wrong ? "bad" : "good");
    again(); // only now is it known whose objection it is
  }),
  objected,
  objectable: (item) => feed.rulable(item) && !item.objections.some((one) => !one.ruled),
  recount: (item) => askRecount(item, shapes[item.before.board], capturedAfter(item), feed.after(item), Boolean(table?.over), announce),
  atTop: (item) => item.number === table?.ruling && decidable(item),
  correct: (name) => correct(shapes[table.position.board].findIndex((pit) => pit.name === name)),
});

byId("start-lies").addEventListener("click", startAsItLies);
drawFace(byId("face"));
enlarging(byId("picture"), byId("enlarge"));
byId("new-game").addEventListener("click", () => askGame(table?.game, table?.match && !table.match.over ? table.match : null, announce));
byId("resign").addEventListener("click", () => askForfeit(feed.get(table.ruling)?.player || table.position.turn, announce));
byId("present").addEventListener("click", () => feed.choose(0));
document.querySelector("details.invited")?.addEventListener("toggle", ({ target }) => target.open && target.scrollIntoView({ block: "nearest" }));
byId("replay").addEventListener("click", () => (replay.running ? replay.stop() : play(table.last.before, table.last.steps)));

new Connection({ table: takeTable, live: takeLive, up: () => linked(true), down: () => linked(false) });

roleChanged.addEventListener("change", () => table && again());

/** Redraws all buttons, because what people may do has changed or an order was refused. */
function again() {
  feed.again();
  delete byId("decide").dataset.key;
  delete byId("last").dataset.key;
  showMood();
}

/** Shows that the connection was lost, so that the page may be out of date, or is back. */
function linked(is) {
  lost = !is;
  if (lost) line(t("line.lost"), "bad");
  else line(table ? t("line.back") : "", "good");
  showMood();
}

function takeTable(patch) {
  // Events between the page's rendering and its first patch are news too; those of another journal are not.
  const known = table ? (patch.fresh ? Infinity : 0) : WRITTEN;
  const held = feed.hold();
  Object.assign(shapes, patch.shapes);
  if (patch.fresh) feed.clear();
  if (patch.fresh) shown = null;
  const waited = String(table?.waiting ?? "");
  table = patch.table;
  document.body.classList.toggle("begun", Boolean(table.position?.ply));
  speakOf(table.game?.game);
  const renamed = name({ ...table.teams, since: table.teams_since, called: table.team_names });
  byId("new-game").disabled = false; // enabled now: it offers the table's game, or the match's
  if (renamed || waited !== String(table.waiting)) feed.again();
  feed.show(patch.items, table.ruling, JSON.stringify([table.undo, table.undoable]), table.game?.number ?? 0, Boolean(table.over));
  showOpen("fouls", table.fouls);
  showOpen("objections", table.contested.length);
  if (shown && patch.items.some((item) => item.changed > known && item.kind === "verdict" && item.number > feed.chosen)) feed.choose(0);
  if (!replay.running) showBoard();
  showPlayer(byId("player-N"), "N", table);
  showPlayer(byId("player-S"), "S", table);
  byId("resign").hidden = Boolean(table.over);
  byId("resign").disabled = !table.position?.ply; // nothing moves when it is enabled
  byId("demo").hidden = table.camera_told?.key !== "camera.sim";
  const { game } = table;
  drawLegend(byId("legend"), !game || offer(game.game).bulls);
  say(byId("playing"), game ? [title(game.game), game.board.replace("x", " × "), ruleset(game.rules), table.match?.outside && t("match.outside.short")].filter(Boolean).join(" · ") : "");
  const last = table.over ? feed.get(feed.standing) : null;
  showEnding(byId("ending"), table, last?.before ? last : null, feed.ender(), {
    recount: feed.acts.recount, undone: (order) => feed.acts.order({ type: "Undo", order }), next: () => byId("new-game").click() });
  showMood();
  patch.items.filter(({ changed }) => changed > known).forEach(announceItem);
  held();
}

/** Returns the seeds that South and North had captured after that move, as people may have corrected them; [] in a game
 *  without captures. */
function capturedAfter(item) {
  if (!offer(table.game.game).captures) return [];
  return (feed.after(item).length ? (item.position ?? item.before) : table.position).captured;
}

/** Shows in the navigation how many fouls, or objections, wait for a ruling. */
function showOpen(what, n) {
  const [seen, heard] = byId(`open-${what}`).children;
  byId(`open-${what}`).hidden = !n;
  say(seen, String(n));
  say(heard, t(`nav.${what}.open`, { n }));
}

function takeLive(state) {
  const held = feed.hold(); // the referee's words may grow by a line
  live = state;
  const said = table && feed.get(table.ruling || table.last?.number);
  picture.show(state, said && !said.gone ? judgedOf(said, live.state, shapes[table.position.board]) : null);
  showMood();
  showNotice(live.state?.notice, live.state?.notice_told);
  sound.count(live.state?.why);
  if (table) clock.show(table, live, feed.get(table.last?.number));
  if (table?.laying || table?.forward) showBoard();
  held();
}

/** Shows the board to lay, and the seeds to move, after a move is taken back or a ruling is undone. */
function showLaying() {
  const laying = guided(table, shapes, live.state, !byId("guide").hidden);
  const stand = table.laying && may() ? () => feed.acts.order({ type: "LetStand", verdict: laying.verdict }) : null;
  return showGuide(byId("guide"), laying && shapes[laying.position?.board], laying, live.state, stand);
}

/** Shows what people must know in any state, such as a full disk. */
function showNotice(why, told) {
  byId("notice").hidden = !why;
  say(byId("notice"), why ? sentence(reason(why, told)) : "");
}

function showMood() {
  if (!table) return;
  status.show(live, Boolean(table.blind), lost);
  const now = lost ? LOST : moodOf(table, live, null);
  const open = decidable(feed.get(table.ruling)) ? feed.get(table.ruling) : null;
  const head = open ? verdictMood(open) : now;
  const node = byId("referee");
  node.hidden = head.name === "over" && !byId("ending").hidden; // the end's own panel says more
  if (node.dataset.mood !== head.name) node.dataset.mood = head.name;
  say(byId("mood"), head.word);
  showDecision(byId("decide"), open, feed.acts);
  const deciding = !byId("decide").hidden;
  say(byId("why"), open || !deciding ? head.why : "");
  showLast(!open && (deciding ? now.name !== "withdrawing" : ["watching", "moving"].includes(now.name)));
  showMeanwhile(deciding && now.name !== "over" ? now : null, head);
  const alarm = ["blind", "off"].includes(now.name);
  const titled = alarm ? now : head;
  document.title = alarm || ["illegal", "not-sure"].includes(head.name) ? `${titled.word} – inkeek` : t("title");
  byId("start").hidden = !(table.game && live.running && live.state?.state === "setting-up");
  if (now.name !== showMood.last && (now.name === "blind" || (now.name === "off" && showMood.last))) {
    if (now.name === "blind") sound.say("blind");
    aloud("assertive", `${now.word}. ${now.why}`);
  }
  showMood.last = now.name;
  if (cardSays(line.repeated)) byId("line").hidden = true;
}

/** Shows below the decision's buttons what goes on meanwhile, whatever it is: a finger may be on a button. now: null for nothing. */
function showMeanwhile(now, head) {
  const node = byId("meanwhile");
  node.hidden = !now;
  node.dataset.mood = now?.name ?? "";
  const word = now && now !== head && now.name !== "watching" ? `${now.word}.` : "";
  say(node, now ? [word, now.turn ?? now.why].filter(Boolean).join(" ") : "");
}

/** Shows the last move's verdict and the button to object to it. wanted: whether the card does not name it already. */
function showLast(wanted) {
  const item = wanted ? feed.get(feed.standing) : null;
  const none = wanted && table.position?.ply === 0 && !item;
  const node = byId("last");
  node.hidden = !item && !none;
  const text = item ? sentenceOf(item) : none ? t("last.none") : "";
  const accepted = item?.verdict !== "legal" && item?.ruling?.done && item.ruling.what === "stand";
  const kind = accepted ? "accepted" : item?.verdict ?? "";
  const object = item && objectButton(item, feed.acts);
  const key = `${kind} ${item?.number} ${text} ${Boolean(object)}`;
  if (node.dataset.key === key) return;
  node.dataset.key = key;
  node.dataset.kind = kind;
  const stamp = item && h("span", { class: "stamp" }, t(accepted ? "verdict.stood" : `verdict.${item.verdict}`));
  node.replaceChildren(...[h("span", { class: "last-said" }, ...(item ? [stamp, ` ${text}`] : [text])), object].filter(Boolean));
}

function showBoard() {
  const { position, last } = table;
  byId("replay").disabled = !(position && last?.before && last.before.board === position.board && whole(last.steps));
  board.classList.toggle("empty", !position);
  const toLay = showLaying();
  if (!position) return;
  if (replay.running) return;
  const shape = shapes[position.board];
  if (shown) {
    diagram.show(shapes[shown.position.board], shown.position, marksOf(shapes[shown.position.board], shown.before, shown.steps));
    return;
  }
  if (toLay) {
    const due = table.laying?.position ?? position;
    diagram.show(shape, due, { wrong: toLay });
    grid.show(shape, due, {});
    return;
  }
  const marks = last?.before?.board === position.board ? marksOf(shape, last.before, last.steps) : {};
  const open = feed.get(table.ruling);
  if (open && LOUD.includes(open.verdict)) {
    Object.assign(marks, accusing(open, shape));
  }
  diagram.show(shape, position, marks);
  grid.show(shape, position, marks);
}

/** Shows the board after a listed move, until the visitor returns to the present or a new verdict comes. */
function showMove(item) {
  replay.stop();
  shown = item?.position && shapes[item.position.board] ? item : null;
  byId("present").hidden = !shown;
  say(byId("replay-word"), shown ? t("list.shown", { n: item.ply + 1, side: player(item.player), move: item.move }) : "");
  board.classList.toggle("past", Boolean(shown));
  showBoard();
}

/** Orders the new game to begin from the board as it is read now; the table says whether that is possible. */
async function startAsItLies() {
  const button = byId("start-lies");
  const { game, rules, sets, board: size } = table.game;
  button.disabled = true;
  const wrong = await give({ type: "NewGame", game, rules, sets, board: size, position: "lies" });
  button.disabled = false;
  line(wrong || t("order.sent"), wrong ? "bad" : "good");
}

function play(before, steps) {
  const shape = shapes[before.board];
  if (!shape) return;
  say(byId("replay"), t("replay.stop"));
  board.scrollIntoView({ block: "nearest" });
  replay.start(shape, before, steps);
}

function showFrame({ position, now, lap }) {
  diagram.show(shapes[position.board], position, { now });
  say(byId("replay-word"), lap ? t("replay.lap", { n: lap }) : t("verdict.before"));
}

function announceItem(item) {
  if (item.kind === "verdict" && !item.ordered && !item.ruling) {
    const loud = LOUD.includes(item.verdict);
    sound.verdict(item.verdict);
    const asked = askedOf(item);
    aloud(loud ? "assertive" : "polite", [`${t(`verdict.${item.verdict}`)}.`, asked, sentenceOf(item)].filter(Boolean).join(" "));
    if (asked) line(`${asked} ${sentenceOf(item)}`, "good", sentenceOf(item)); // the answer stands further down, in the question's place
  } else if (item.answer) announce(answer(item.answer));
}

/** Announces to screen readers. Each piece of news gets its own element, so that none replaces another. */
function aloud(manner, text) {
  const region = byId(manner);
  region.append(h("p", {}, text));
  while (region.children.length > 3) region.firstChild.remove();
}

function announce(text) {
  line(text, "good");
}

/** Shows a line at the foot: a lost connection stays, everything else disappears by itself, or at once when the card says
 *  the same. repeated: the part of good news that the card may say. */
function line(text, tone, repeated = text) {
  const node = byId("line");
  clearTimeout(line.timer);
  line.repeated = tone === "good" ? repeated : "";
  const left = cardSays(line.repeated);
  if (left && repeated === text) aloud("polite", text);
  say(node, text);
  node.className = `line ${tone}`;
  node.hidden = !text || left;
  if (text !== t("line.lost")) line.timer = setTimeout(() => (node.hidden = true), LINE_BACK_MS);
}

const cardSays = (text) => Boolean(text) && !byId("referee").hidden && byId("referee").textContent.includes(text);
