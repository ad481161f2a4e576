// The page for programs: sends what people type, with the token if there is one, and shows the raw answer.

import { below, byId, h, say } from "./dom.js";

const ENDLESS_MS = 5000; // how long to listen to the events
const MOST = 20000; // most letters of an answer to show

const texts = byId("main").dataset;
let token = "";

for (const form of document.querySelectorAll("form[data-path]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (form.className === "pin") getToken(form);
    else show(form);
  });
}

async function getToken(form) {
  const note = form.querySelector("[role=status]");
  const given = await ask(form, form.dataset.path, JSON.stringify({ pin: byId("pin").value }));
  byId("pin").value = "";
  token = given.status === 201 ? JSON.parse(given.text).token : "";
  note.hidden = false;
  note.classList.toggle("good", token !== "");
  say(note, token ? texts.there : sentence(given));
}

async function show(form) {
  const answer = form.querySelector(".answer");
  answer.replaceChildren();
  const given = await ask(form, addressOf(form), form.querySelector("textarea")?.value);
  const status = given.status ? h("p", {}, h("strong", {}, String(given.status))) : null;
  answer.replaceChildren(...[status, h("pre", { tabindex: "0" }, indented(given).slice(0, MOST))].filter(Boolean));
}

function addressOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const input of form.querySelectorAll("input[data-in]")) {
    if (input.dataset.in === "path") path = path.replace(`{${input.name}}`, encodeURIComponent(input.value));
    else if (input.value) query.set(input.name, input.value);
  }
  return query.size ? `${path}?${query}` : path;
}

async function ask(form, path, body) {
  const headers = body === undefined ? {} : { "Content-Type": "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  const stop = new AbortController();
  const endless = "endless" in form.dataset;
  if (endless) setTimeout(() => stop.abort(), ENDLESS_MS);
  let status = 0, text = "";
  try {
    const answer = await fetch(below(path), { method: form.dataset.method.toUpperCase(), headers, body, signal: stop.signal,
      credentials: "omit" });
    status = answer.status;
    const decoder = new TextDecoder();
    for (const reader = answer.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    if (!stop.signal.aborted) text = texts.silent;
  }
  return { status, text };
}

function sentence(given) {
  try {
    return JSON.parse(given.text).error;
  } catch {
    return given.text;
  }
}

function indented(given) {
  try {
    return JSON.stringify(JSON.parse(given.text), null, 2);
  } catch {
    return given.text;
  }
}
