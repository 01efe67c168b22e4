// Recall that completes a point of the plane: one coordinate is hidden, filled with the mean, and only
// it moves; its squared distance from what it was is the loss, equation 9 of the ClAM paper.

import { completion as recalled } from "../completion/recall.js";

const wayOf = (field, truth, start, hidden, nSteps) =>
  recalled(field, { truth, start, hidden, steps: nSteps, stepSize: 1 / nSteps });

// Places of a point whose coordinate `axis` is hidden, from the fill to where recall leaves it.
export const completion = (field, point, axis, fill, nSteps) =>
  wayOf(field, point, fill, point.map((_, i) => i === axis), nSteps).map(({ v }) => Array.from(v));

// How far recall leaves the hidden coordinate from the truth.
export const miss = (field, point, axis, fill, nSteps) =>
  Math.abs(completion(field, point, axis, fill, nSteps).at(-1)[axis] - point[axis]);

// The mean of the squared misses over all points, each coordinate hidden in turn.
export function lossOf(field, points, fill, nSteps) {
  let sum = 0;
  for (const point of points) {
    for (let axis = 0; axis < field.d; axis++) {
      sum += miss(field, point, axis, fill, nSteps) ** 2;
    }
  }
  return sum / (points.length * field.d);
}

// The memory of a whole point: the one nearest to where recall takes it when all of it may move.
export const labelOf = (field, point, nSteps) =>
  wayOf(field, point, point, point.map(() => true), nSteps).at(-1).label;
