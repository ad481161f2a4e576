// Where the seeds of a pit lie: a sunflower's order, so that any number fills the hollow evenly and the first ones stay put.

const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const MOST = 30; // a fuller heap looks the same; the number says the rest

/** Positions in a hollow of radius 1: [x, y, turn in degrees, tone 0…3], deterministic for a pit. */
export function lay(n, pit) {
  const shown = Math.min(n, MOST);
  const spread = Math.min(0.29, 0.79 / Math.sqrt(shown));
  const start = pit * 2.1;
  return Array.from({ length: shown }, (_, i) => {
    const far = spread * Math.sqrt(i + (shown === 1 ? 0.1 : 0.55));
    const angle = start + i * GOLDEN;
    const hash = (pit * 31 + i * 17) % 97;
    return [far * Math.cos(angle), far * Math.sin(angle), (hash * 53) % 180, hash % 4];
  });
}
