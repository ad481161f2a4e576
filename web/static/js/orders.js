// Orders to the table.

import { t } from "./words.js";

const meta = document.querySelector('meta[name="csrf-token"]');

async function post(order) {
  return fetch("/orders", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": meta.content },
    body: JSON.stringify(order),
    signal: AbortSignal.timeout(10000),
  });
}

/** Sends {type: "LetStand", verdict: 12} and the like. Gives "" when it was taken, or the sentence that says why not. */
export async function give(order) {
  try {
    let answer = await post(order);
    let body = await answer.json();
    if (!answer.ok && body.token === false) {
      meta.content = (await (await fetch("/token")).json()).token;
      answer = await post(order);
      body = await answer.json();
    }
    return answer.ok ? "" : body.error;
  } catch {
    return t("order.failed");
  }
}
