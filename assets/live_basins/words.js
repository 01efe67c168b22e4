// What the picture and the particle show, in words made from their numbers.

import { nearest, pulls } from "./field.js";

const ALIKE = 0.005; // of the picture: below it the partition passes for Voronoi's
const NEARLY_ALIKE = 0.9; // of the largest entropy
const NEARLY_HARD = 0.3; // of the largest entropy

export const figures = (value, digits = 3) => {
  if (value === 0) return "0";
  const size = Math.floor(Math.log10(Math.abs(value)));
  if (size < -4 || size >= digits + 2) return value.toExponential(digits - 1).replace(/\.?0+e/, "e");
  return String(Number(value.toPrecision(digits)));
};

export function percent(share) {
  if (share === 0) return "0 %";
  return share < 0.001 ? "less than 0.1 %" : `${(100 * share).toFixed(1)} %`;
}

export const list = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

// `numbers`: {k, shownBeta, steps (0: attractor mode), leaving, attractors, entropy, heaviest (0 where
// all weigh alike), points, pointsLeaving}, as measured on the exact picture.
export function pictureSentence(numbers) {
  const { k, leaving, steps } = numbers;
  if (k === 1) {
    return "With a single memory there is a single basin: every point is recalled to it, whatever β is.";
  }
  const where = steps ? `; after T = ${steps} step${steps === 1 ? "" : "s"}` : ", and";
  const area =
    leaving === 0
      ? "every point of the picture belongs to its nearest memory"
      : `${percent(leaving)} of the picture belongs to a memory that is not its nearest`;
  return (
    `At β = ${figures(numbers.shownBeta, 4)} ${attractorWords(numbers)}${where} ${area}` +
    `${pointWords(numbers)}, because ${reason(numbers)}.`
  );
}

function attractorWords({ k, attractors }) {
  if (attractors === 1) return `the ${k} memories share one attractor`;
  if (attractors === k) return `each of the ${k} memories has an attractor of its own`;
  return `the ${k} memories have ${attractors < k ? "only " : ""}${attractors} attractors`;
}

function pointWords({ points, pointsLeaving }) {
  if (!points) return "";
  if (!pointsLeaving) return `, though none of the ${points} data points leaves its Voronoi cell`;
  const verb = pointsLeaving === 1 ? "leaves" : "leave";
  const share = percent(pointsLeaving / points);
  return `, and ${pointsLeaving} of the ${points} data points (${share}) ${verb} their Voronoi cell`;
}

function reason(numbers) {
  const { k, heaviest, leaving, attractors, entropy, steps } = numbers;
  const most = Math.log(k);
  const nats = `mean entropy ${entropy.toFixed(2)} of at most ln ${k} = ${most.toFixed(2)} nats`;
  if (leaving < ALIKE) return reasonAlike(numbers, entropy / most, nats);
  if (heaviest) {
    return attractors === 1
      ? `memory ${heaviest} weighs most and outdoes the others (${nats})`
      : `a memory of larger weight pulls from farther away, and more so the smaller β is (${nats})`;
  }
  if (attractors === 1) {
    const cause =
      entropy >= NEARLY_ALIKE * most
        ? "the softmax weighs all memories nearly alike"
        : "β is too small to hold memories this close apart";
    return `${cause} (${nats})${leftOver(steps, attractors)}`;
  }
  if (attractors < k) {
    return `memories that lie close together pull as one (${nats})${leftOver(steps, attractors)}`;
  }
  return `away from the memories several of them pull together (${nats}) and can outdo the nearest one`;
}

// Why basins and Voronoi cells agree.
function reasonAlike({ attractors, steps }, hardness, nats) {
  if (hardness < NEARLY_HARD) {
    return `the softmax is nearly hard (${nats}): the nearest memory alone decides`;
  }
  if (attractors === 1 && steps > 1) {
    const left = Math.round(100 * (1 - 1 / steps) ** steps);
    return (
      `the pulls nearly balance (${nats}), and the (1 − 1/T)^T = ${left} % of a start ` +
      "that T steps of 1/T keep decides"
    );
  }
  return `the pulls balance where the cells meet (${nats})`;
}

function leftOver(steps, attractors) {
  if (!steps) return attractors === 1 ? " and draws every point to their common middle" : "";
  if (steps === 1) return ", and the one full step takes every point close to their middle";
  const left = Math.round(100 * (1 - 1 / steps) ** steps);
  return (
    `, yet T steps of 1/T keep (1 − 1/T)^T = ${left} % of where a point started, ` +
    "and that still tells the basins apart"
  );
}

const STRONG = 0.1; // of the strongest pull: what is weaker is not spoken of
const CANCELLED = 0.4; // of the pulls' lengths: their sum is shorter than this

// Why a particle went where it went: `way` of field.js, from its first step's pulls.
export function particleSentence(field, way) {
  const never = energyNeverRises(way)
    ? "Its energy never rises on the way."
    : "Its energy rises on the way, which full recall forbids: the numbers are at their limit.";
  return `${journeySentence(field, way, "particle")} ${never}`;
}

export function journeySentence(field, way, what) {
  const [start, end] = [way[0], way.at(-1)];
  const first = nearest(field, start.v);
  const last = nearest(field, end.v);
  const name = (mu) => `memory ${mu + 1}`;
  const ends = `after ${way.length - 1} step${way.length === 2 ? "" : "s"} it is nearest to ${name(last)}`;
  if (first === last) {
    return `The ${what} starts nearest to ${name(first)} and stays with it: ${ends}.`;
  }
  return `The ${what} starts nearest to ${name(first)}, yet ${ends}: ${cause(field, start, first, last)}.`;
}

export const energyNeverRises = (way) =>
  way.every(({ energy }, t) => !t || energy <= way[t - 1].energy + 1e-9 * (1 + Math.abs(energy)));

function cause(field, start, first, last) {
  const all = pulls(field, start);
  const lengths = all.map((pull) => Math.hypot(...pull));
  const strongest = Math.max(...lengths);
  const inner = (one, other) => one.reduce((sum, x, i) => sum + x * other[i], 0);
  const toward = all[last].map((x) => x / (lengths[last] || 1));
  const others = all.map((_, mu) => mu).filter((mu) => lengths[mu] >= STRONG * strongest);
  const rivals = others.filter((mu) => mu !== last);
  const sum = rivals.reduce((total, mu) => total.map((x, i) => x + all[mu][i]), toward.map(() => 0));
  const length = rivals.reduce((total, mu) => total + lengths[mu], 0);
  const numbers = (which) => `memories ${list(which.map((mu) => mu + 1))}`;
  if (rivals.length > 1 && Math.hypot(...sum) < CANCELLED * length) {
    return `the pulls of ${numbers(rivals)} cancel each other, and memory ${last + 1} decides`;
  }
  const allies = others.filter((mu) => mu === last || inner(all[mu], toward) > 0.5 * lengths[mu]);
  if (allies.length > 1 && !allies.includes(first)) {
    return `${numbers(allies)} pull the same way, and together they outdo memory ${first + 1}`;
  }
  return "on its way the other memories come to pull more strongly";
}
