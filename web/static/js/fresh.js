// Parts of a page that the server wrote are fetched again. What people are filling in is left alone: only the parts that carry a
// data-fresh are replaced, and none that somebody is in.

const PATIENCE_MS = 5000;

/** Looks at the page at that address again. Gives the new page; null where the server is away for a moment. */
export async function renew(address) {
  let found = null;
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!answer.ok) return null;
    found = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    return null; // the next look will tell
  }
  for (const part of document.querySelectorAll("[data-fresh]")) {
    const now = found.querySelector(`[data-fresh="${part.dataset.fresh}"]`);
    if (!now || part.dataset.held || part.innerHTML === now.innerHTML || part.contains(document.activeElement)) continue;
    part.replaceChildren(...now.cloneNode(true).childNodes);
  }
  return found;
}
