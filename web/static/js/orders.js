// Sends orders from those who may rule, and objections from anybody.

import { below } from "./dom.js";
import { t } from "./words.js";

const meta = document.querySelector('meta[name="csrf-token"]');

/** Whether this visitor may rule, as far as the page knows; the server decides. */
export const may = () => document.body.dataset.role !== "watch";

/** Takes a change in what this visitor may do. */
export const roleChanged = new EventTarget();

function take(role) {
  if (!role || role === document.body.dataset.role) return;
  document.body.dataset.role = role;
  roleChanged.dispatchEvent(new Event("change"));
}

async function post(order, path) {
  return fetch(below(path), {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": meta.content },
    body: JSON.stringify(order),
    signal: AbortSignal.timeout(10000),
  });
}

/** Sends an order such as {type: "LetStand", verdict: 12}. Returns "" if it was accepted, else the sentence why not.
 *  taken(number): called with the number of its event. */
export async function give(order, path = "/orders", taken = () => {}) {
  try {
    let answer = await post(order, path);
    let body = await answer.json();
    if (!answer.ok && body.token === false) {
      const fresh = await (await fetch(below("/token"))).json();
      meta.content = fresh.token;
      take(fresh.role);
      answer = await post(order, path);
      body = await answer.json();
    }
    take(body.role);
    if (answer.ok) taken(body.order);
    return answer.ok ? "" : body.error;
  } catch {
    return t("order.failed");
  }
}
