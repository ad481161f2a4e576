// Where things stand on the drawn board, in its own units: a pit's column is 100 wide.

export const PITCH = 100;
export const HOLLOW = 41;
const LABEL = 54;
const EDGE = 30;

/** shape: the server's list of pits. label: with room for numbers outside the pits (the small boards write into them). */
export function layout(shape, label = true) {
  const rows = 1 + Math.max(...shape.map((pit) => pit.row));
  const cols = 1 + Math.max(...shape.map((pit) => pit.col));
  const room = label ? LABEL : 0;
  const edge = label ? EDGE : 24;
  const tops = [];
  let y = edge - (label ? 8 : 0);
  for (let row = 0; row < rows; row += 1) {
    const north = row < rows / 2;
    tops.push({ cell: y, pit: y + (north ? room : 0), label: north ? y : y + PITCH });
    y += PITCH + room;
    if (row === rows / 2 - 1) y += label ? 6 : 4; // the ridge between the players
  }
  const pits = shape.map((pit) => ({
    ...pit,
    x: edge + PITCH * (pit.col + 0.5),
    y: tops[pit.row].pit + PITCH / 2,
    labelY: tops[pit.row].label + LABEL / 2,
    cell: [edge + PITCH * pit.col, tops[pit.row].cell, PITCH, PITCH + room],
  }));
  const width = 2 * edge + PITCH * cols;
  const height = y + edge - (label ? 8 : 0);
  return { rows, cols, pits, width, height, ridge: (tops[rows / 2 - 1].pit + tops[rows / 2].pit + PITCH) / 2 };
}
