// Recall in numbers: the energies, steps and fixed points that every other module draws or tells.
// Nothing here knows of pages or pixels. Equation numbers are those of the ClAM paper.
//
// A field is a frozen object: k memories in d dimensions, `keys` (k * d, one memory after another),
// `logWeights` (k; all 0 for the Euclidean energy) and `beta`, the paper's inverse temperature.

export function makeField({ keys, logWeights, beta, d = 2 }) {
  return Object.freeze({
    k: logWeights.length,
    d,
    keys: Float64Array.from(keys),
    logWeights: Float64Array.from(logWeights),
    beta,
  });
}

export function squaredDistance(field, mu, v) {
  let sum = 0;
  for (let i = 0, at = mu * field.d; i < field.d; i++, at++) {
    const gap = v[i] - field.keys[at];
    sum += gap * gap;
  }
  return sum;
}

export function nearest(field, v) {
  let best = 0;
  let least = Infinity;
  for (let mu = 0; mu < field.k; mu++) {
    const distance = squaredDistance(field, mu, v);
    if (distance < least) [best, least] = [mu, distance];
  }
  return best;
}

// Fills `shares` (k) with the softmax at v and returns the energy there, equation 1 or 10.
export function softmax(field, v, shares) {
  let peak = -Infinity;
  for (let mu = 0; mu < field.k; mu++) {
    shares[mu] = field.logWeights[mu] - field.beta * squaredDistance(field, mu, v);
    if (shares[mu] > peak) peak = shares[mu];
  }
  let total = 0;
  for (let mu = 0; mu < field.k; mu++) total += shares[mu] = Math.exp(shares[mu] - peak);
  for (let mu = 0; mu < field.k; mu++) shares[mu] /= total;
  return -(peak + Math.log(total)) / field.beta;
}

// Equation 13, in nats.
export function entropy(shares) {
  let sum = 0;
  for (const share of shares) if (share > 0) sum -= share * Math.log(share);
  return Math.max(0, sum);
}

// Where a full step leads: the mean of the memories, each with its share of the softmax.
export function target(field, shares, out = new Float64Array(field.d)) {
  out.fill(0);
  for (let mu = 0; mu < field.k; mu++) {
    for (let i = 0; i < field.d; i++) out[i] += shares[mu] * field.keys[mu * field.d + i];
  }
  return out;
}

// Equation 4: every iterate of one query, with its energy, the softmax there and the pull of each
// memory, `share * (memory - v)`, whose sum is the velocity of equation 2.
export function path(field, start, nSteps, stepSize) {
  const way = [];
  let v = Float64Array.from(start);
  for (let t = 0; t <= nSteps; t++) {
    const shares = new Float64Array(field.k);
    const energy = softmax(field, v, shares);
    way.push({ v, energy, shares });
    const ahead = target(field, shares);
    v = v.map((x, i) => x + stepSize * (ahead[i] - x));
  }
  return way;
}

// Full steps until nothing moves: the way of a query in attractor mode.
export function pathToRest(field, start, { most = 400, least = 1e-6 } = {}) {
  const far = least * spread(field);
  const way = [];
  let v = Float64Array.from(start);
  for (let t = 0; t <= most; t++) {
    const shares = new Float64Array(field.k);
    const energy = softmax(field, v, shares);
    way.push({ v, energy, shares });
    const ahead = target(field, shares);
    if (gap(ahead, v) <= far) break;
    v = ahead;
  }
  return way;
}

export function pulls(field, { v, shares }) {
  return Array.from(shares, (share, mu) =>
    Array.from(v, (x, i) => share * (field.keys[mu * field.d + i] - x)),
  );
}

export function meanKey(field) {
  const mean = new Float64Array(field.d);
  field.keys.forEach((x, at) => (mean[at % field.d] += x / field.k));
  return mean;
}

// Largest distance of a memory from their mean.
export function spread(field) {
  const mean = meanKey(field);
  let most = 0;
  for (let mu = 0; mu < field.k; mu++) most = Math.max(most, squaredDistance(field, mu, mean));
  return Math.sqrt(most) || 1;
}

// --- attractors ---------------------------------------------------------------------------------

const GRID = 9;
const SETTLING_STEPS = 60;
const NEWTON_STEPS = 12;
const MOST_MIDPOINTS = 200;
const MERGE = 1e-4; // of the spread: fixed points nearer than this are one

// Stable fixed points, each with the memory that is nearest (`label`) and, where asked for, a radius
// of capture within which every query ends there. Ordered by label, then by energy.
export function attractors(field, { captures = true } = {}) {
  const scale = spread(field);
  const found = [];
  for (const start of starts(field)) {
    const at = settle(field, start, scale);
    if (at && !found.some((other) => gap(other, at) < MERGE * scale)) found.push(at);
  }
  let stable = found.filter((at) => isStable(field, at));
  if (!stable.length) stable = [lowest(field, found)]; // exactly at a critical beta
  const shares = new Float64Array(field.k);
  return stable
    .map((at) => ({
      at,
      label: nearest(field, at),
      energy: softmax(field, at, shares),
      radius: captures ? capture(field, at, scale) : 0,
    }))
    .sort((one, other) => one.label - other.label || one.energy - other.energy);
}

function gap(one, other) {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += (one[i] - other[i]) ** 2;
  return Math.sqrt(sum);
}

function lowest(field, points) {
  const shares = new Float64Array(field.k);
  const energies = points.map((at) => softmax(field, at, shares));
  return points[energies.indexOf(Math.min(...energies))];
}

// Memories, their mean, midpoints, and in the plane a grid over their box.
function* starts(field) {
  const key = (mu) => field.keys.subarray(mu * field.d, (mu + 1) * field.d);
  for (let mu = 0; mu < field.k; mu++) yield key(mu);
  yield meanKey(field);
  let midpoints = 0;
  for (let mu = 0; mu < field.k && midpoints < MOST_MIDPOINTS; mu++) {
    for (let nu = mu + 1; nu < field.k && midpoints < MOST_MIDPOINTS; nu++, midpoints++) {
      yield key(mu).map((x, i) => (x + key(nu)[i]) / 2);
    }
  }
  if (field.d !== 2) return;
  const [low, high] = [
    [Infinity, Infinity],
    [-Infinity, -Infinity],
  ];
  field.keys.forEach((x, at) => {
    low[at % 2] = Math.min(low[at % 2], x);
    high[at % 2] = Math.max(high[at % 2], x);
  });
  for (let row = 0; row < GRID; row++) {
    for (let column = 0; column < GRID; column++) {
      const shares = [column / (GRID - 1), row / (GRID - 1)];
      yield Float64Array.from(shares, (share, i) => low[i] + share * (high[i] - low[i]));
    }
  }
}

// Full steps, then Newton's method, which does not slow down near a critical beta.
function settle(field, start, scale) {
  let v = Float64Array.from(start);
  const shares = new Float64Array(field.k);
  const ahead = new Float64Array(field.d);
  const steps = field.d === 2 ? SETTLING_STEPS : 20 * SETTLING_STEPS;
  for (let t = 0; t < steps; t++) {
    softmax(field, v, shares);
    target(field, shares, ahead);
    const moved = gap(v, ahead);
    v.set(ahead);
    if (moved < 1e-12 * scale) return v;
  }
  if (field.d !== 2) return gap(v, stepFrom(field, v)) < 1e-4 * scale ? v : null;
  for (let t = 0; t < NEWTON_STEPS; t++) {
    const energy = softmax(field, v, shares);
    target(field, shares, ahead);
    const residual = [ahead[0] - v[0], ahead[1] - v[1]];
    const [xx, xy, yy] = jacobian(field, shares, ahead);
    const determinant = (1 - xx) * (1 - yy) - xy * xy;
    const next = Float64Array.of(
      v[0] + ((1 - yy) * residual[0] + xy * residual[1]) / determinant,
      v[1] + (xy * residual[0] + (1 - xx) * residual[1]) / determinant,
    );
    const length = gap(v, next);
    const downhill = softmax(field, next, shares) <= energy + 1e-12 * Math.abs(energy);
    v = downhill && length < 0.05 * scale ? next : Float64Array.from(ahead);
    if (length < 1e-10 * scale) break;
  }
  return gap(v, stepFrom(field, v)) < 1e-6 * scale ? v : null;
}

function stepFrom(field, v) {
  const shares = new Float64Array(field.k);
  softmax(field, v, shares);
  return target(field, shares);
}

// Of the full step in the plane: 2 beta times the covariance of the memories under the softmax.
function jacobian(field, shares, mean) {
  let [xx, xy, yy] = [0, 0, 0];
  for (let mu = 0; mu < field.k; mu++) {
    const x = field.keys[2 * mu] - mean[0];
    const y = field.keys[2 * mu + 1] - mean[1];
    xx += shares[mu] * x * x;
    xy += shares[mu] * x * y;
    yy += shares[mu] * y * y;
  }
  const gain = 2 * field.beta;
  return [gain * xx, gain * xy, gain * yy];
}

function isStable(field, at) {
  const shares = new Float64Array(field.k);
  softmax(field, at, shares);
  return largestSlope(field, shares, target(field, shares)) < 1;
}

// Largest eigenvalue of the full step's Jacobian, by power iteration beyond the plane.
function largestSlope(field, shares, mean) {
  if (field.d === 2) {
    const [xx, xy, yy] = jacobian(field, shares, mean);
    return (xx + yy) / 2 + Math.hypot((xx - yy) / 2, xy);
  }
  let direction = Float64Array.from({ length: field.d }, (_, i) => Math.sin(1 + i));
  let slope = 0;
  for (let round = 0; round < 60; round++) {
    const image = new Float64Array(field.d);
    for (let mu = 0; mu < field.k; mu++) {
      let inner = 0;
      for (let i = 0; i < field.d; i++) {
        inner += (field.keys[mu * field.d + i] - mean[i]) * direction[i];
      }
      for (let i = 0; i < field.d; i++) {
        image[i] += 2 * field.beta * shares[mu] * inner * (field.keys[mu * field.d + i] - mean[i]);
      }
    }
    slope = Math.hypot(...image);
    if (!slope) return 0;
    direction = image.map((x) => x / slope);
  }
  return slope;
}

// The largest ball in which every full step comes nearer, as sampled on circles around `at`.
function capture(field, at, scale) {
  const around = field.d === 2 ? onCircle(16) : onSphere(field.d, 48);
  const limit = field.d === 2 ? 1 : 0.5;
  let kept = 0;
  for (let radius = 1e-3; radius < 1; radius *= 1.5) {
    const inward = around.every((direction) => {
      const v = at.map((x, i) => x + radius * scale * direction[i]);
      return gap(stepFrom(field, v), at) < 0.999 * radius * scale;
    });
    if (!inward) break;
    kept = radius;
  }
  return limit * kept * scale;
}

const onCircle = (count) =>
  Array.from({ length: count }, (_, i) => [
    Math.cos((2 * Math.PI * i) / count),
    Math.sin((2 * Math.PI * i) / count),
  ]);

function onSphere(d, count) {
  return Array.from({ length: count }, (_, row) => {
    const v = Array.from({ length: d }, (_, i) => Math.sin(12.9898 * (row + 1) + 78.233 * (i + 1)));
    const length = Math.hypot(...v);
    return v.map((x) => x / length);
  });
}

// --- beta ---------------------------------------------------------------------------------------

const AUTO_ENTROPY = 0.2;

// The beta at which the softmax at the memories has a fifth of its largest entropy on average.
export function autoBeta(field) {
  if (field.k < 2) return field.beta;
  const shares = new Float64Array(field.k);
  const mean = (beta) => {
    const at = { ...field, beta };
    let sum = 0;
    for (let mu = 0; mu < field.k; mu++) {
      softmax(at, field.keys.subarray(mu * field.d, (mu + 1) * field.d), shares);
      sum += entropy(shares);
    }
    return sum / field.k / Math.log(field.k);
  };
  let [low, high] = [-3, 3];
  for (let round = 0; round < 40; round++) {
    const middle = (low + high) / 2;
    if (mean(10 ** middle) > AUTO_ENTROPY) low = middle;
    else high = middle;
  }
  return 10 ** ((low + high) / 2);
}
