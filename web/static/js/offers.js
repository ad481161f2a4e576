// What games can be played here, as the server sent it with the page.

const offers = JSON.parse(document.getElementById("offers").textContent);

/** What is to be known of a game: {title, captures, bulls}; as if it had all where it is not known. */
export const offer = (game) => offers.find((one) => one.game === game) ?? { title: game, captures: true, bulls: true };

export const title = (game) => offer(game).title;
