// Fetches parts of a page that the server rendered again. What people are filling in is left alone: only parts with a
// data-fresh are replaced, and none with the focus.

const PATIENCE_MS = 5000;

/** Fetches the page at that address again and returns it; null if the server is away for a moment. */
export async function renew(address) {
  let found = null;
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!answer.ok) return null;
    found = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    return null; // the next attempt will tell
  }
  for (const part of document.querySelectorAll("[data-fresh]")) {
    const now = found.querySelector(`[data-fresh="${part.dataset.fresh}"]`);
    if (!now || part.dataset.held || part.innerHTML === now.innerHTML || part.contains(document.activeElement)) continue;
    part.replaceChildren(...now.cloneNode(true).childNodes);
  }
  return found;
}
