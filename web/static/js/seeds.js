// Places of drawn seeds, as in `device/films/carved.py`.

const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const MOST = 30; // a fuller heap looks the same; the number tells the rest
const MOST_CAPTURED = 42;
const TONES = 4;
const [PILE, PILED] = [3, 17]; // seeds side by side in a store, and the distance between its rows

/** Returns places in a hollow of radius 1, [x, y, tone], in a sunflower's spiral, so that any number fills the hollow evenly and the
 *  first ones stay put. */
export function heap(n, pit) {
  const shown = Math.min(n, MOST);
  const spread = Math.min(0.29, 0.79 / Math.sqrt(shown));
  return Array.from({ length: shown }, (_, i) => {
    const far = spread * Math.sqrt(i + (shown === 1 ? 0.1 : 0.55));
    const angle = pit * 2.1 + i * GOLDEN;
    return [far * Math.cos(angle), far * Math.sin(angle), ((pit * 31 + i * 17) % 97) % TONES];
  });
}

/** Returns the places of captured seeds, [x, y, tone], row by row from their owner's end. */
export function pile(n, { side, x, top, high }) {
  const up = side === "S" ? -1 : 1;
  const near = side === "S" ? top + high - PILED : top + PILED;
  return Array.from({ length: Math.min(n, MOST_CAPTURED) }, (_, i) =>
    [x + ((i % PILE) - 1) * 19 + ((i * 13) % 5) - 2, near + up * Math.floor(i / PILE) * PILED + ((i * 7) % 5) - 2, ((i * 17) % 97) % TONES]);
}
