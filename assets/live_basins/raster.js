// Pixels on the processor: which region each belongs to, and how it is painted. Runs in workers.
//
// A scene is what one picture needs, as plain values that travel to workers and to the shader:
//   field       see field.js
//   lift        null in the plane; else {origin (d), across (d), up (d)}: plane -> the field's space
//   box         {left, right, bottom, top}
//   steps       T, or 0 for attractor mode; size: the step's, 1/T or as asked
//   attractors  [{at, label, radius}], in attractor mode
//   shade       "basins", "entropy" or "energy"; range [low, high] of a shade's values
//   hatch       whether pixels that leave their Voronoi cell are hatched
//   paint       {fills, strong, line, ink, scale}: colours as [r, g, b]
// Row 0 of a raster is at the bottom, as in the engine; painted rows run from the top.

import { nearest, softmax, entropy } from "./field.js";

export const MOST_FULL_STEPS = 400;
const BLOCK = 8; // pixels between samples while the picture moves
const LATTICE = 4; // pixels between samples of a shade while the picture moves
const HATCH = 14; // pixels of a period, of which 4 are struck
export const LEVELS = 12; // contour lines of the energy
const NEGLIGIBLE = -30; // exp below this adds nothing to a softmax in single precision

const POWERS = Float64Array.from({ length: 64 }, (_, n) => 2 ** -(n + 0.5));
const [C3, C4, C5, C6] = [1 / 6, 1 / 24, 1 / 120, 1 / 720];

// exp(z) for NEGLIGIBLE < z <= 0 to 2e-7, as single precision has it: quicker than Math.exp.
function quickExp(z) {
  const y = -1.4426950408889634 * z;
  const n = y | 0;
  const g = (n + 0.5 - y) * 0.6931471805599453;
  return POWERS[n] * (1 + g * (1 + g * (0.5 + g * (C3 + g * (C4 + g * (C5 + g * C6))))));
}

// The memory or the attractor that a pixel's query comes to: (x, y) -> region.
export function regionAt(scene) {
  if (scene.field.d !== 2) return regionInSpace(scene);
  const { k, keys, logWeights, beta } = scene.field;
  const xs = keys.filter((_, at) => at % 2 === 0);
  const ys = keys.filter((_, at) => at % 2 === 1);
  const logits = new Float64Array(k);
  const alike = logWeights.every((weight) => weight === logWeights[0]);
  const toRest = scene.steps === 0;
  const steps = toRest ? MOST_FULL_STEPS : scene.steps;
  const size = toRest ? 1 : scene.size;
  const rests = toRest ? scene.attractors : [];
  const restX = Float64Array.from(rests, ({ at }) => at[0]);
  const restY = Float64Array.from(rests, ({ at }) => at[1]);
  const reach = Float64Array.from(rests, ({ radius }) => radius * radius);

  return (x, y) => {
    for (let t = 0; t < steps; t++) {
      if (toRest) {
        for (let a = 0; a < restX.length; a++) {
          const dx = x - restX[a];
          const dy = y - restY[a];
          if (dx * dx + dy * dy < reach[a]) return a;
        }
      }
      let peak = -Infinity;
      let first = 0;
      for (let mu = 0; mu < k; mu++) {
        const dx = x - xs[mu];
        const dy = y - ys[mu];
        const logit = logWeights[mu] - beta * (dx * dx + dy * dy);
        logits[mu] = logit;
        if (logit > peak) {
          peak = logit;
          first = mu;
        }
      }
      let total = 0;
      let sumX = 0;
      let sumY = 0;
      for (let mu = 0; mu < k; mu++) {
        const z = logits[mu] - peak;
        if (z < NEGLIGIBLE) continue;
        const share = quickExp(z);
        total += share;
        sumX += share * xs[mu];
        sumY += share * ys[mu];
      }
      // One memory takes all, and it is nearest at both ends of what is left of the way.
      if (!toRest && alike && total < 1 + 1e-9) return first;
      x += size * (sumX / total - x);
      y += size * (sumY / total - y);
    }
    let best = 0;
    let least = Infinity;
    const [toX, toY] = toRest ? [restX, restY] : [xs, ys];
    for (let mu = 0; mu < toX.length; mu++) {
      const dx = x - toX[mu];
      const dy = y - toY[mu];
      const distance = dx * dx + dy * dy;
      if (distance < least) {
        least = distance;
        best = mu;
      }
    }
    return best;
  };
}

// The same in d dimensions, for a slice.
function regionInSpace({ field, lift, steps, size: asked, attractors }) {
  const { k, d, keys } = field;
  const v = new Float64Array(d);
  const shares = new Float64Array(k);
  const ahead = new Float64Array(d);
  const toRest = steps === 0;
  const most = toRest ? MOST_FULL_STEPS : steps;
  const size = toRest ? 1 : asked;
  const distance = (at) => {
    let sum = 0;
    for (let i = 0; i < d; i++) sum += (v[i] - at[i]) ** 2;
    return sum;
  };
  return (x, y) => {
    liftInto(v, lift, x, y);
    for (let t = 0; t < most; t++) {
      if (toRest) {
        const caught = attractors.findIndex(({ at, radius }) => distance(at) < radius * radius);
        if (caught >= 0) return caught;
      }
      softmax(field, v, shares);
      ahead.fill(0);
      for (let mu = 0; mu < k; mu++) {
        for (let i = 0; i < d; i++) ahead[i] += shares[mu] * keys[mu * d + i];
      }
      for (let i = 0; i < d; i++) v[i] += size * (ahead[i] - v[i]);
    }
    if (!toRest) return nearest(field, v);
    const gaps = attractors.map(({ at }) => distance(at));
    return gaps.indexOf(Math.min(...gaps));
  };
}

export function liftInto(v, lift, x, y) {
  if (!lift) {
    v[0] = x;
    v[1] = y;
  } else {
    for (let i = 0; i < v.length; i++) v[i] = lift.origin[i] + x * lift.across[i] + y * lift.up[i];
  }
  return v;
}

// The nearest memory of a pixel.
export function cellAt({ field, lift }) {
  const v = new Float64Array(field.d);
  return (x, y) => nearest(field, liftInto(v, lift, x, y));
}

// Entropy or energy of a pixel.
export function shadeAt({ field, lift, shade }) {
  const v = new Float64Array(field.d);
  const shares = new Float64Array(field.k);
  return (x, y) => {
    const energy = softmax(field, liftInto(v, lift, x, y), shares);
    return shade === "energy" ? energy : entropy(shares);
  };
}

// Smallest and largest value of the shade over the box, from a coarse grid.
export function rangeOf(scene, side = 40) {
  if (scene.shade === "entropy") return [0, Math.log(scene.field.k) || 1];
  const value = shadeAt(scene);
  const { left, right, bottom, top } = scene.box;
  let [low, high] = [Infinity, -Infinity];
  for (let row = 0; row <= side; row++) {
    for (let column = 0; column <= side; column++) {
      const at = value(left + ((right - left) * column) / side, bottom + ((top - bottom) * row) / side);
      low = Math.min(low, at);
      high = Math.max(high, at);
    }
  }
  return [low, high > low ? high : low + 1];
}

// --- rasters ------------------------------------------------------------------------------------

// Rows [from, to) of a raster of `size` x `size` pixels: fn at every pixel's centre.
function everywhere(fn, box, size, from, to, out) {
  const pixel = (box.right - box.left) / size;
  for (let row = from, at = 0; row < to; row++) {
    const y = box.bottom + (row + 0.5) * pixel;
    for (let column = 0; column < size; column++, at++) {
      out[at] = fn(box.left + (column + 0.5) * pixel, y);
    }
  }
  return out;
}

// The same from few samples: squares whose corners agree are filled, the others are quartered.
// What is thinner than BLOCK pixels can be missed: only for a picture that moves.
function whereItChanges(fn, box, size, from, to, out) {
  const pixel = (box.right - box.left) / size;
  const height = to - from;
  const known = new Uint8Array(out.length);
  const value = (column, row) => {
    const at = row * size + column;
    if (!known[at]) {
      known[at] = 1;
      out[at] = fn(box.left + (column + 0.5) * pixel, box.bottom + (from + row + 0.5) * pixel);
    }
    return out[at];
  };
  const refine = (left, bottom, right, top) => {
    const corner = value(left, bottom);
    const same =
      value(right, bottom) === corner && value(left, top) === corner && value(right, top) === corner;
    if (right - left < 2 && top - bottom < 2) return;
    if (same) {
      for (let row = bottom; row <= top; row++) {
        out.fill(corner, row * size + left, row * size + right + 1);
        known.fill(1, row * size + left, row * size + right + 1);
      }
      return;
    }
    const column = (left + right) >> 1;
    const row = (bottom + top) >> 1;
    refine(left, bottom, column, row);
    if (column < right) refine(column, bottom, right, row);
    if (row < top) refine(left, row, column, top);
    if (column < right && row < top) refine(column, row, right, top);
  };
  for (let row = 0; row < height; row += BLOCK) {
    for (let column = 0; column < size; column += BLOCK) {
      refine(
        column,
        row,
        Math.min(column + BLOCK, size - 1),
        Math.min(row + BLOCK, height - 1),
      );
    }
  }
  return out;
}

// A smooth field from samples on a lattice, straight lines between.
function betweenSamples(fn, box, size, from, to, out) {
  const pixel = (box.right - box.left) / size;
  const across = Math.ceil(size / LATTICE) + 1;
  const rows = Math.ceil((to - from) / LATTICE) + 1;
  const samples = new Float32Array(across * rows);
  for (let row = 0, at = 0; row < rows; row++) {
    const y = box.bottom + (from + row * LATTICE + 0.5) * pixel;
    for (let column = 0; column < across; column++, at++) {
      samples[at] = fn(box.left + (column * LATTICE + 0.5) * pixel, y);
    }
  }
  for (let row = 0, at = 0; row < to - from; row++) {
    const below = Math.floor(row / LATTICE) * across;
    const up = (row % LATTICE) / LATTICE;
    for (let column = 0; column < size; column++, at++) {
      const corner = below + Math.floor(column / LATTICE);
      const right = (column % LATTICE) / LATTICE;
      const low = samples[corner] + right * (samples[corner + 1] - samples[corner]);
      const high =
        samples[corner + across] +
        right * (samples[corner + across + 1] - samples[corner + across]);
      out[at] = low + up * (high - low);
    }
  }
  return out;
}

// Regions and Voronoi cells of a band of rows.
export function codes(scene, size, from, to) {
  const length = (to - from) * size;
  return {
    regions: everywhere(regionAt(scene), scene.box, size, from, to, new Uint8Array(length)),
    cells: everywhere(cellAt(scene), scene.box, size, from, to, new Uint8Array(length)),
  };
}

// Paint a band of rows; `quick` while the picture moves. Returns RGBA, its first row the topmost,
// and how many of the pixels looked at leave their Voronoi cell.
export function paintBand(scene, size, from, to, quick) {
  const { box, paint } = scene;
  const last = Math.min(to + 1, size); // borders look one row ahead
  const length = (last - from) * size;
  const over = quick ? whereItChanges : everywhere;
  const regions = over(regionAt(scene), box, size, from, last, new Uint8Array(length));
  const sparse = quick && !scene.hatch;
  const cells = sparse
    ? null
    : over(cellAt(scene), box, size, from, last, new Uint8Array(length));
  const values =
    scene.shade === "basins"
      ? null
      : (quick ? betweenSamples : everywhere)(
          shadeAt(scene), box, size, from, last, new Float32Array(length),
        );
  const labels = scene.steps === 0 ? scene.attractors.map(({ label }) => label) : null;
  const pixels = new Uint32Array((to - from) * size);
  const fills = paint.fills.map(packed);
  const strong = paint.strong.map(packed);
  const shades = paint.scale.map(packed);
  const line = packed(scene.shade === "basins" ? paint.line : paint.ink);
  const ink = packed(paint.ink);
  const [low, high] = scene.range ?? [0, 1];
  const depth = (at) => (values[at] - low) / (high - low);
  let leaving = 0;
  for (let row = from; row < to; row++) {
    const target = (to - 1 - row) * size;
    for (let column = 0; column < size; column++) {
      const at = (row - from) * size + column;
      const region = regions[at];
      const label = labels ? labels[region] : region;
      const right = column + 1 < size ? at + 1 : at;
      const up = row + 1 < last ? at + size : at;
      let colour = fills[label];
      if (values) {
        const share = Math.min(1, Math.max(0, depth(at)));
        colour = shades[Math.round(share * (shades.length - 1))];
        if (scene.shade === "energy") {
          const level = Math.floor(depth(at) * LEVELS);
          if (
            Math.floor(depth(right) * LEVELS) !== level ||
            Math.floor(depth(up) * LEVELS) !== level
          ) {
            colour = blend(colour, ink);
          }
        }
      }
      if (cells && cells[at] !== label) {
        leaving++;
        if (scene.hatch && (row + column) % HATCH < 4) colour = strong[cells[at]];
      }
      if (regions[right] !== region || regions[up] !== region) colour = line;
      pixels[target + column] = colour;
    }
  }
  const looked = sparse ? 0 : (to - from) * size;
  return { pixels, leaving, looked };
}

const packed = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
const blend = (one, other) =>
  (0xff000000 | (((one & 0xfefefe) >>> 1) + ((other & 0xfefefe) >>> 1))) >>> 0;
