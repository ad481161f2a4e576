// Turns a move's steps into the frames of its replay and the marks on the board.

/** Returns the positions of a move, step by step: [{position, now, lap, kind, wrong, taken, step}], the first being the one before
 *  it. step: the index of the step that it shows. A step with several pits ("A,B") gives several frames. */
export function frames(shape, before, steps) {
  const numbers = new Map(shape.map((pit, number) => [pit.name, number]));
  const n = [...before.n];
  const bulls = { ...before.bulls };
  const captured = [...before.captured];
  const made = [{ position: before, now: -1, lap: 0, step: -1 }];
  let won = 0; // the first pit's step has the capture's total; the following pits give the rest
  steps.forEach((step, i) => {
    const pits = (step.pit || "").split(",").map((name) => numbers.get(name)).filter((pit) => pit !== undefined);
    for (const pit of pits) {
      let taken = 0;
      if (step.kind === "lift") n[pit] -= Math.min(n[pit], step.n || n[pit]);
      else if (step.kind === "drop") n[pit] += step.n || 1;
      else if (step.kind === "stray") n[pit] = Math.max(0, n[pit] + step.n);
      else if (step.kind === "bull") bulls[pit] = before.turn;
      else if (step.kind === "capture") {
        won = (pit === pits[0] && step.n) || won || n[pit];
        taken = Math.min(n[pit], won);
        n[pit] -= taken;
        won -= taken;
        captured[before.turn === "S" ? 0 : 1] += taken; // if captured seeds are sown on, no store is drawn
      } else continue;
      const position = { ...before, n: [...n], bulls: { ...bulls }, captured: [...captured] };
      made.push({ position, now: pit, lap: step.lap, kind: step.kind, wrong: step.wrong, taken, step: i });
    }
  });
  return made;
}

/** Returns the marks of a move: the pit it lifted first, its captures by pit, and the path of each lap. */
export function marksOf(shape, before, steps) {
  const marks = { captured: {}, path: [] };
  if (!before) return marks;
  for (const { kind, now, taken } of frames(shape, before, steps)) {
    if (kind === "lift") {
      marks.lifted ??= now;
      marks.path.push([now]);
    } else if (kind === "drop") marks.path.at(-1)?.push(now);
    else if (kind === "capture") marks.captured[now] = taken;
  }
  return marks;
}

/** Whether the steps are complete; a very long relay lacks its middle and cannot be shown. */
export const whole = (steps) =>
  steps.length > 1 && steps.every((step, i) => i === 0 || step.lap - steps[i - 1].lap <= 1);
