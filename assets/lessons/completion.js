// Recall that completes: some coordinates of a point are hidden, filled with the mean, and only they
// move; their squared distance from what they were is the loss, equation 9 of the ClAM paper.

import { nearest, softmax, target } from "../live_basins/field.js";

// Places of a point whose coordinate `axis` is hidden, from the fill to where recall leaves it.
export function completion(field, point, axis, fill, nSteps) {
  const v = Float64Array.from(point);
  v[axis] = fill[axis];
  const shares = new Float64Array(field.k);
  const ahead = new Float64Array(field.d);
  const way = [Array.from(v)];
  for (let t = 0; t < nSteps; t++) {
    softmax(field, v, shares);
    target(field, shares, ahead);
    v[axis] += (ahead[axis] - v[axis]) / nSteps;
    way.push(Array.from(v));
  }
  return way;
}

// How far recall leaves the hidden coordinate from the truth.
export function miss(field, point, axis, fill, nSteps) {
  return Math.abs(completion(field, point, axis, fill, nSteps).at(-1)[axis] - point[axis]);
}

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

// The memory of a whole point: the one nearest to where recall takes it with nothing hidden.
export function labelOf(field, point, nSteps) {
  let v = Float64Array.from(point);
  const shares = new Float64Array(field.k);
  for (let t = 0; t < nSteps; t++) {
    softmax(field, v, shares);
    const ahead = target(field, shares);
    v = v.map((x, i) => x + (ahead[i] - x) / nSteps);
  }
  return nearest(field, v);
}
