// Recall on the unit sphere, equation 12 of the ClAM paper: only directions count.
//
// A sphere is a frozen object: k memories of unit length in d dimensions (`keys`, k * d, one after
// another) and `beta`, which has no unit here. A step goes all of -grad E and back to length 1.

export function makeSphere({ keys, beta, d = 2 }) {
  const unit = Float64Array.from(keys);
  for (let at = 0; at < unit.length; at += d) {
    unit.set(normalised(unit.subarray(at, at + d)), at);
  }
  return Object.freeze({ k: unit.length / d, d, keys: unit, beta });
}

// At length 1; a row of zeros has no direction, and there is nothing to return.
export function normalised(v) {
  const length = Math.hypot(...v);
  return length > 0 ? Float64Array.from(v, (x) => x / length) : null;
}

export function inner(sphere, mu, v) {
  let sum = 0;
  for (let i = 0; i < sphere.d; i++) sum += sphere.keys[mu * sphere.d + i] * v[i];
  return sum;
}

// Fills `shares` (k) with the softmax at v and returns the energy there.
export function softmax(sphere, v, shares) {
  let peak = -Infinity;
  for (let mu = 0; mu < sphere.k; mu++) {
    shares[mu] = sphere.beta * inner(sphere, mu, v);
    if (shares[mu] > peak) peak = shares[mu];
  }
  let total = 0;
  for (let mu = 0; mu < sphere.k; mu++) total += shares[mu] = Math.exp(shares[mu] - peak);
  for (let mu = 0; mu < sphere.k; mu++) shares[mu] /= total;
  return -(peak + Math.log(total)) / sphere.beta;
}

// Every place of one start, with its energy and the softmax there.
export function path(sphere, start, nSteps, stepSize) {
  const way = [];
  let v = normalised(start);
  for (let t = 0; t <= nSteps; t++) {
    const shares = new Float64Array(sphere.k);
    const energy = softmax(sphere, v, shares);
    way.push({ v, energy, shares });
    const ahead = Float64Array.from(v);
    for (let mu = 0; mu < sphere.k; mu++) {
      for (let i = 0; i < sphere.d; i++) {
        ahead[i] += stepSize * shares[mu] * sphere.keys[mu * sphere.d + i];
      }
    }
    v = normalised(ahead) ?? v; // exactly opposite pulls leave it where it is
  }
  return way;
}

// The memory that is nearest to where recall ends.
export function labelOf(sphere, start, nSteps, stepSize = 1 / nSteps) {
  return nearest(sphere, path(sphere, start, nSteps, stepSize).at(-1).v);
}

export function nearest(sphere, v) {
  let best = 0;
  for (let mu = 1; mu < sphere.k; mu++) {
    if (inner(sphere, mu, v) > inner(sphere, best, v)) best = mu;
  }
  return best;
}

// --- the circle ---------------------------------------------------------------------------------

export const atAngle = (degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return [Math.cos(angle), Math.sin(angle)];
};

export const angleOf = ([x, y]) => ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360;

const ARC_SAMPLES = 720;
const HALVINGS = 30;

// Arcs of the circle that share a memory: [{from, to, label}], in degrees, `to` > `from`.
export function arcs(sphere, nSteps, stepSize = 1 / nSteps) {
  const label = (degrees) => labelOf(sphere, atAngle(degrees), nSteps, stepSize);
  const width = 360 / ARC_SAMPLES;
  const samples = Array.from({ length: ARC_SAMPLES }, (_, i) => label(i * width));
  const borders = [];
  samples.forEach((own, i) => {
    const next = samples[(i + 1) % ARC_SAMPLES];
    if (own !== next) borders.push({ at: between(label, i * width, (i + 1) * width, own), next });
  });
  if (!borders.length) return [{ from: 0, to: 360, label: samples[0] }];
  return borders.map(({ at, next }, i) => {
    const following = borders[(i + 1) % borders.length].at;
    return { from: at, to: following > at ? following : following + 360, label: next };
  });
}

// Where the label changes, by bisection.
function between(label, low, high, own) {
  for (let round = 0; round < HALVINGS; round++) {
    const middle = (low + high) / 2;
    if (label(middle) === own) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

// The border between two memories on the shorter way from one to the other; null where none lies.
export function borderBetween(sphere, one, other, nSteps) {
  const from = angleOf(sphere.keys.subarray(one * sphere.d));
  const way = turn(from, angleOf(sphere.keys.subarray(other * sphere.d)));
  const label = (share) => labelOf(sphere, atAngle(from + share * way), nSteps);
  for (let i = 0; i < ARC_SAMPLES; i++) {
    const [low, high] = [i / ARC_SAMPLES, (i + 1) / ARC_SAMPLES];
    if (label(low) === one && label(high) === other) {
      return (from + way * between(label, low, high, one) + 360) % 360;
    }
  }
  return null;
}

// From one angle to another the shorter way, in degrees from -180 to 180.
export const turn = (from, to) => ((((to - from) % 360) + 540) % 360) - 180;
