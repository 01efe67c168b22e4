// Masked recall in numbers: equation 9 for one row. Only hidden coordinates move.

import { nearest, softmax, target } from "../live_basins/field.js";

// Every iterate of a row, the start first: [{v, label}], label the nearest memory.
export function completion(field, { truth, start, hidden, steps, stepSize }) {
  const shares = new Float64Array(field.k);
  let v = Float64Array.from(truth, (x, i) => (hidden[i] ? start[i] : x));
  const way = [];
  for (let t = 0; t <= steps; t++) {
    way.push({ v, label: nearest(field, v) });
    softmax(field, v, shares);
    const ahead = target(field, shares);
    v = v.map((x, i) => (hidden[i] ? x + stepSize * (ahead[i] - x) : x));
  }
  return way;
}

// Squared error over what is hidden and known: ClAM's loss of this row and mask.
export function squaredError(truth, v, hidden) {
  let sum = 0;
  truth.forEach((x, i) => {
    if (hidden[i] && x !== null) sum += (x - v[i]) ** 2;
  });
  return sum;
}

// A prepared value in the table's own unit.
export function own(feature, value) {
  const raw = value * feature.scale + feature.centre;
  if (!feature.log) return raw;
  return Math.exp(raw) - (feature.log < 0 ? 0 : feature.log);
}
