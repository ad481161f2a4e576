// The games that can be played here, as the server sent them with the page.

const offers = JSON.parse(document.getElementById("offers").textContent);

/** Returns {title, captures, bulls} of a game; for an unknown game, as if it had both. */
export const offer = (game) => offers.find((one) => one.game === game) ?? { title: game, captures: true, bulls: true };

export const title = (game) => offer(game).title;
