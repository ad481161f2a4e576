// The places of everything on the drawn board, in its own units: a pit's column is 100 wide. As in `device/films/carved.py`.

export const PITCH = 100;
export const HOLLOW = 41;
export const STORE_WIDE = 66;
const STORE = 92; // the width that a store adds at each end
const LABEL = 54;
const EDGE = 30;
const NEAR = 8; // the letters stand nearer to the edge than the pits

/** shape: the server's list of pits. ends: whether to add the stores, which a board of two rows has at its ends. */
export function layout(shape, ends) {
  const rows = 1 + Math.max(...shape.map((pit) => pit.row));
  const cols = 1 + Math.max(...shape.map((pit) => pit.col));
  const stored = ends && rows === 2; // boards of four rows have none: captured seeds are sown on
  const left = EDGE + (stored ? STORE : 0);
  const tops = Array.from({ length: rows }, (_, row) => EDGE - NEAR + (PITCH + LABEL) * row + (row >= rows / 2 ? 6 : 0));
  const pits = shape.map((pit) => {
    const north = pit.row < rows / 2;
    return {
      ...pit,
      x: left + PITCH * (pit.col + 0.5),
      y: tops[pit.row] + (north ? LABEL : 0) + PITCH / 2,
      labelY: tops[pit.row] + (north ? 0 : PITCH) + LABEL / 2,
      cell: [left + PITCH * pit.col, tops[pit.row], PITCH, PITCH + LABEL],
    };
  });
  const width = 2 * left + PITCH * cols;
  const height = tops[rows - 1] + PITCH + LABEL + EDGE - NEAR;
  const high = height - 2 * EDGE - LABEL + NEAR;
  const stores = !stored ? [] : [
    { side: "S", x: width - EDGE - STORE / 2, top: EDGE, high, labelY: tops[1] + PITCH + LABEL / 2 },
    { side: "N", x: EDGE + STORE / 2, top: height - EDGE - high, high, labelY: tops[0] + LABEL / 2 }];
  return { rows, cols, pits, stores, width, height, ridge: tops[rows / 2] - 3 };
}
