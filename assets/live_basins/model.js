// The state of the canvas as one plain value, and the scene that it makes.
//
// A model: {memories: [[x, y]], weights: [number], energy, beta, steps, stepSize, mode, layers,
// particle}. `beta` is the paper's; `mode` is "steps" or "attractor"; `stepSize` is a number, or
// null for 1/T; `particle` is [x, y] or null.

import { attractors, makeField } from "./field.js";
import { rangeOf } from "./raster.js";

export const MOST_MEMORIES = 64;
export const BETA = { low: 0.001, high: 1000 };
export const STEPS = { low: 1, high: 100 };
export const WEIGHT = { low: 0.01, high: 100 };
export const SHADES = ["energy", "entropy"];

// Four figures, so that equal pictures are equal in the link.
export const rounded = (value) => Number(value.toPrecision(4));

export const fieldOf = (model, slice, beta = model.beta) =>
  slice
    ? makeField({ keys: slice.keys, logWeights: slice.logWeights, beta, d: slice.d })
    : makeField({
        keys: model.memories.flat(),
        logWeights: model.weights.map((w) => (model.energy === "weighted" ? Math.log(w) : 0)),
        beta,
      });

// The square that shows memories and points; half a side is `room` times their extent.
export function frameOf(memories, points = [], room = 0.8) {
  const shown = [...memories, ...points];
  const ends = [0, 1].map((axis) => {
    let [low, high] = [Infinity, -Infinity];
    for (const at of shown) [low, high] = [Math.min(low, at[axis]), Math.max(high, at[axis])];
    return [low, high];
  });
  const extent = Math.max(...ends.map(([low, high]) => high - low));
  const half = extent > 0 ? extent * room : 1;
  const [x, y] = ends.map(([low, high]) => (low + high) / 2);
  return { left: x - half, right: x + half, bottom: y - half, top: y + half };
}

// What painters need, see raster.js; `colours` is of one theme, `resting` attractors known already.
export function sceneOf(model, { box, slice, colours, resting }) {
  const field = fieldOf(model, slice);
  const shade = SHADES.find((name) => model.layers.includes(name)) ?? "basins";
  const labels = Array.from({ length: field.k }, (_, mu) => mu);
  const scene = {
    field,
    lift: slice ? { origin: slice.origin, across: slice.across, up: slice.up } : null,
    box,
    steps: model.mode === "attractor" ? 0 : model.steps,
    size: model.stepSize ?? 1 / model.steps,
    attractors: resting ?? attractors(field, { captures: model.mode === "attractor" }),
    shade,
    hatch: model.layers.includes("disagreement"),
    paint: {
      fills: labels.map((mu) => colours.fills[mu % colours.fills.length]),
      strong: labels.map((mu) => colours.strong[mu % colours.strong.length]),
      line: colours.line,
      ink: colours.ink,
      scale: colours[shade] ?? [colours.line],
    },
  };
  return shade === "basins" ? scene : { ...scene, range: rangeOf(scene) };
}
