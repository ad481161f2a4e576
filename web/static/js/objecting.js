// Objections: one tap, no PIN. Which of them are this visitor's own the server tells, and what they send from here.

import { byId } from "./dom.js";
import { give } from "./orders.js";

const mine = new Set((byId("feed")?.dataset.objected ?? "").split(" ").filter(Boolean).map(Number));

/** Whether this visitor made the objection of that event. */
export const objected = (number) => mine.has(number);

/** Objects to the move of `item`; more: {why} gives the reason, {back: true} takes the objection back. done(wrong): a sentence, or "". */
export async function object(item, more, done) {
  const wrong = await give({ verdict: item.number, ...more }, "/objections", (number) => mine.add(number));
  done(wrong);
}
