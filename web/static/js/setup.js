// While the table is set up: the picture stays alive, and the steps are looked at again as long as nobody chooses anything.

const picture = document.getElementById("live");
const AGAIN_MS = 5000;

if (picture) {
  const next = () => setTimeout(() => {
    picture.src = `/live/frame.jpg?${Date.now()}`;
  }, 700);
  picture.addEventListener("load", next);
  picture.addEventListener("error", next);
  next();
}

/** Brings in how each step stands now, and leaves what people are filling in alone. */
async function look() {
  try {
    const answer = await fetch("/setup", { signal: AbortSignal.timeout(AGAIN_MS) });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const step of document.querySelectorAll("li.step[id]")) {
      const now = page.getElementById(step.id);
      if (!now) continue;
      step.className = now.className;
      step.querySelector("h2").replaceChildren(...now.querySelector("h2").childNodes);
      const [said, told] = [step.querySelector("p"), now.querySelector("p")];
      if (said.textContent !== told.textContent) said.textContent = told.textContent;
    }
  } catch {
    // the server is away for a moment: the next look will tell
  }
}

setInterval(() => document.hidden || look(), AGAIN_MS);
