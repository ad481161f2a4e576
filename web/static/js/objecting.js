// Objections: one tap, no PIN. This visitor's own are known from the server and from what this page sends.

import { byId } from "./dom.js";
import { give } from "./orders.js";

const mine = new Set((byId("feed")?.dataset.objected ?? "").split(" ").filter(Boolean).map(Number));

/** Whether the objection of that event is this visitor's. */
export const objected = (number) => mine.has(number);

/** Objects to the move of `item`; more: {why} gives the reason, {back: true} takes the objection back. done(wrong): a sentence, or "". */
export async function object(item, more, done) {
  const wrong = await give({ verdict: item.number, ...more }, "/objections", (number) => mine.add(number));
  done(wrong);
}
