// Dialogs for orders other than rulings: correcting a pit, beginning a game, resigning.

import { below, byId, h } from "./dom.js";
import { give } from "./orders.js";
import { player, ruleset, side, t } from "./words.js";

/** Opens a dialog with `fields`; `order()` returns the order to send. Closes once the order is accepted. */
export function ask(title, fields, sendLabel, order, taken) {
  const wrong = h("p", { class: "wrong", role: "alert" });
  const send = h("button", { class: "strong", type: "submit" }, sendLabel);
  const form = h("form", { method: "dialog", onsubmit: async (event) => {
    event.preventDefault();
    send.disabled = true;
    wrong.textContent = await give(order());
    send.disabled = false;
    if (wrong.textContent) return;
    dialog.close();
    taken(t("order.sent"));
  } },
  h("h2", { id: "dialog-title" }, title), fields, wrong,
  h("div", { class: "buttons" },
    h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, t("dialog.cancel")), send));
  const dialog = h("dialog", { "aria-labelledby": "dialog-title", onclose: () => dialog.remove(),
    onclick: (event) => event.target === dialog && dialog.close() }, form);
  byId("dialogs").replaceChildren(dialog);
  dialog.showModal();
  return dialog;
}

/** Asks how many seeds a pit of the server's shape holds; n: the referee's count. */
export function askCount(pit, n, taken) {
  const { name } = pit;
  const input = h("input", { id: "count", type: "number", inputmode: "numeric", min: 0, max: 96, required: true, value: n });
  const step = (by, label, sign) => h("button", { type: "button", class: "step", "aria-label": label,
    onclick: () => (input.value = Math.min(96, Math.max(0, (Number(input.value) || 0) + by))) }, sign);
  ask(t("correct.title", { side: side(pit.side), name }), [
    h("label", { for: "count" }, t("correct.label")),
    h("div", { class: "stepper" }, step(-1, t("correct.less"), "−"), input, step(1, t("correct.more"), "+")),
    h("p", { class: "hint" }, t("correct.read", { n })),
  ], t("correct.send"), () => ({ type: "CorrectPit", pit: name, count: Number(input.value) }), taken);
  input.select();
}

const options = (select, pairs) => select.replaceChildren(...pairs.map(([value, label]) => h("option", { value }, label)));

/** Returns the table's changes to its ruleset: "Are turns timed? No". */
const changed = (sets) => Object.entries(sets).map(([name, value]) => {
  const said = value === "true" ? t("field.yes") : value === "false" ? t("field.no") : /^\d+$/.test(value) ? value : t(`field.${name}.${value}`);
  return t("field.is", { field: t(`field.${name}`), value: said });
});

/** Asks for the game, its rules, its board and its start. playing: the current or last game, whose rules are the default,
 *  with people's changes. due: {game, board} of the match whose next game may begin, or null. */
export function askGame(playing, due, taken) {
  const offers = JSON.parse(byId("offers").textContent);
  const field = (id, label) => {
    const select = h("select", { id });
    return [select, h("p", { class: "field" }, h("label", { for: id }, label), select)];
  };
  const [game, gameField] = field("game", t("new.game"));
  const [rules, rulesField] = field("rules", t("new.rules"));
  const [board, boardField] = field("on", t("new.board"));
  const [from, fromField] = field("from", t("new.from"));
  const house = h("p", { class: "hint" });
  /** Returns the changed fields for the new game: those of the current game if the rules are the same. */
  const sets = () => (playing?.game === game.value && playing.rules === rules.value ? playing.sets : {});
  const byMatch = () => from.value === "due";
  const told = () => {
    rulesField.hidden = offer().rules.length < 2 || byMatch();
    const each = changed(byMatch() ? due.sets : sets());
    const outside = due && (due.game !== game.value || due.board !== board.value || (due.due && from.value !== "due" && from.value !== "lies"));
    house.textContent = [byMatch() && t("new.due.rules", { n: due.place }), outside && t("new.outside"), each.length && t("field.changed", { each: each.join(t("list.comma")) })].filter(Boolean).join(" ");
    house.hidden = !house.textContent;
  };
  const offer = () => offers.find((one) => one.game === game.value);
  const beginnings = () => {
    const names = offer().boards.find((one) => one.board === board.value)?.setups ?? [];
    const said = names.map((name) => [name, names.length > 1 ? t("new.setup", { name: layout(name) }) : t("new.setup.only")]);
    if (due?.game === game.value && due.board === board.value) said.unshift(["due", t("new.due")]);
    options(from, [...said, ["lies", t("new.lies")]]);
    told();
  };
  const games = () => {
    options(rules, offer().rules.map((name) => [name, ruleset(name)]));
    if (playing?.game === game.value) rules.value = playing.rules;
    options(board, offer().boards.map((one) => [one.board, one.board.replace("x", " × ")]));
    board.value = offer().usual;
    boardField.hidden = offer().boards.length < 2;
    beginnings();
  };
  options(game, offers.map((one) => [one.game, one.title]));
  const like = due ?? playing;
  if (like && offers.some((one) => one.game === like.game)) game.value = like.game;
  games();
  if (like?.game === game.value && offer().boards.some((one) => one.board === like.board)) board.value = like.board;
  beginnings();
  game.addEventListener("change", games);
  board.addEventListener("change", beginnings);
  for (const one of [rules, from]) one.addEventListener("change", told);
  const warning = h("p", { class: "hint" }, playing ? `${t("new.warn")} ` : "", h("a", { href: below("/setup/game") }, t("new.more")));
  ask(t("new.title"), [gameField, rulesField, boardField, fromField, house, warning], t("new.send"),
    () => ({ type: "NewGame", game: game.value, rules: rules.value, board: board.value, position: from.value, sets: byMatch() ? {} : sets() }), taken);
}

/** Asks which side resigns; `letter` is the default. */
export function askForfeit(letter, taken) {
  const choice = (one) => h("label", { class: "radio" },
    h("input", { type: "radio", name: "side", value: one, checked: one === letter, required: true }), player(one));
  const choices = h("fieldset", {}, h("legend", {}, t("forfeit.who")), choice("S"), choice("N"));
  ask(t("forfeit.title"), [choices, h("p", { class: "hint" }, t("forfeit.hint"))], t("forfeit.send"),
    () => ({ type: "Forfeit", side: choices.querySelector("input:checked").value }), taken);
}

/** Returns a set-up's name for people: "2 × 8, seeds to the right" for "2x8-right". */
function layout(name) {
  const [board, how] = name.replace("x", " × ").split("-");
  return how ? t("layout", { board, how: t(`layout.${how}`) }) : board;
}
