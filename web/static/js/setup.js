// While the table is set up: the picture stays alive, and what the server says of each step is looked at again. What people are
// filling in is left alone: only the parts that carry a data-fresh are replaced.

const picture = document.getElementById("live");
const AGAIN_MS = 2500;
/** The step that is shown; after an error the address is that of the form. */
const page = document.querySelector("main").dataset.page ?? location.pathname;

if (picture) {
  const next = () => setTimeout(() => {
    if (!document.hidden) picture.src = `/live/frame.jpg?${Date.now()}`;
    else next();
  }, 700);
  picture.addEventListener("load", next);
  picture.addEventListener("error", next);
  next();
}

async function look() {
  try {
    const answer = await fetch(page, { signal: AbortSignal.timeout(2 * AGAIN_MS) });
    if (!answer.ok) return;
    const found = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of document.querySelectorAll("[data-fresh]")) {
      const now = found.querySelector(`[data-fresh="${part.dataset.fresh}"]`);
      if (!now || part.dataset.held || part.innerHTML === now.innerHTML || part.contains(document.activeElement)) continue;
      part.replaceChildren(...now.childNodes);
    }
  } catch {
    // the server is away for a moment: the next look will tell
  }
}

setInterval(() => document.hidden || look(), AGAIN_MS);
