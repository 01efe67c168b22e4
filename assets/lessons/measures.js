// What the picture of the plane measures, and tells, from the scene as it stands.

import { nearest, pathToRest, softmax, spread } from "../live_basins/field.js";
import { wayOf } from "../live_basins/overlay.js";
import { cellAt, regionAt } from "../live_basins/raster.js";
import { journeySentence, list, percent } from "../live_basins/words.js";

const GRID = 120; // samples along each side of the picture
const MOST_ROUNDS = 100; // of k-means
const CHOICES = 4; // "1", "2", "3", "4 or more"

// (x, y) -> the memory that gets a start there.
export function labelAt(scene) {
  const region = regionAt(scene);
  if (scene.steps) return region;
  const labels = scene.attractors.map(({ label }) => label);
  return (x, y) => labels[region(x, y)];
}

// Calls with the label and the cell of every sample of the picture.
function everywhere(scene, visit, n = GRID) {
  const [label, cell] = [labelAt(scene), cellAt(scene)];
  const { left, right, bottom, top } = scene.box;
  for (let row = 0; row < n; row++) {
    const y = bottom + ((row + 0.5) / n) * (top - bottom);
    for (let column = 0; column < n; column++) {
      const x = left + ((column + 0.5) / n) * (right - left);
      visit(label(x, y), cell(x, y), x, y);
    }
  }
}

// Shares of the picture: of each memory's basin, and of what is not with its nearest memory.
export function shares(scene) {
  const counts = new Array(scene.field.k).fill(0);
  let leaving = 0;
  everywhere(scene, (label, cell) => {
    counts[label] += 1;
    if (label !== cell) leaving += 1;
  });
  return { of: counts.map((count) => count / GRID ** 2), leaving: leaving / GRID ** 2 };
}

// One round of k-means: each memory goes to the mean of the points nearest to it.
export function lloyd(memories, points) {
  const sums = memories.map(() => [0, 0, 0]);
  for (const [x, y] of points) {
    const gaps = memories.map(([a, b]) => (a - x) ** 2 + (b - y) ** 2);
    const own = sums[gaps.indexOf(Math.min(...gaps))];
    own[0] += x;
    own[1] += y;
    own[2] += 1;
  }
  return sums.map(([x, y, n], mu) => (n ? [x / n, y / n] : memories[mu]));
}

export const settled = (memories, points) => {
  const next = lloyd(memories, points);
  return memories.every(([x, y], mu) => Math.hypot(x - next[mu][0], y - next[mu][1]) < 1e-6);
};

function rounds(memories, points) {
  let [now, count] = [memories, 0];
  while (count < MOST_ROUNDS && !settled(now, points)) [now, count] = [lloyd(now, points), count + 1];
  return count;
}

// The share of its way that the ball still has to go, out of the way to where it would rest.
function wayLeft(scene, particle) {
  const rest = pathToRest(scene.field, particle).at(-1).v;
  const end = wayOf(scene, particle).at(-1).v;
  const far = Math.hypot(rest[0] - particle[0], rest[1] - particle[1]);
  return far ? Math.hypot(rest[0] - end[0], rest[1] - end[1]) / far : 0;
}

export function truth(asks, { scene, model, points }) {
  switch (asks) {
    case "memory of particle":
      return labelAt(scene)(...model.particle);
    case "share leaving":
      return 100 * shares(scene).leaving;
    case "share of memory 1":
      return 100 * shares(scene).of[0];
    case "attractors":
      return Math.min(CHOICES, scene.attractors.length) - 1;
    case "colours":
      return Math.min(CHOICES, shares(scene).of.filter((share) => share > 0).length) - 1;
    case "way left":
      return 100 * wayLeft(scene, model.particle);
    case "rounds":
      return rounds(model.memories, points);
    case "boundary": // a sketch is judged place by place
      return null;
    default:
      throw new Error(`the plane does not measure "${asks}"`);
  }
}

// A start as far inside as can be of what leaves its Voronoi cell; where nothing leaves, one that is
// almost as near to a second memory.
export function contested(scene) {
  const n = 40;
  const taken = new Array(n * n).fill(false);
  const places = [];
  everywhere(scene, (label, cell, x, y) => {
    taken[places.length] = label !== cell;
    places.push([x, y]);
  }, n);
  const inside = places.map((_, at) => {
    if (!taken[at]) return 0;
    let radius = 1;
    const [row, column] = [Math.floor(at / n), at % n];
    while (radius < 6) {
      const corners = [[-1, 0], [1, 0], [0, -1], [0, 1]];
      const all = corners.every(([dy, dx]) => taken[(row + radius * dy) * n + column + radius * dx]);
      if (!all) break;
      radius += 1;
    }
    return radius;
  });
  const most = Math.max(...inside);
  if (most > 1) return places[inside.indexOf(most)];
  const scale = spread(scene.field);
  const unsure = places.map(([x, y]) => {
    const gaps = [];
    for (let mu = 0; mu < scene.field.k; mu++) {
      gaps.push(Math.hypot(x - scene.field.keys[2 * mu], y - scene.field.keys[2 * mu + 1]));
    }
    gaps.sort((one, other) => one - other);
    const second = gaps[1] ?? 0;
    return Math.abs(second - gaps[0] - 0.15 * scale) + 0.2 * gaps[0];
  });
  return places[unsure.indexOf(Math.min(...unsure))];
}

// --- words --------------------------------------------------------------------------------------

const many = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

function basinsSentence(scene, layers) {
  const { of, leaving } = shares(scene);
  const parts = of.map((share, mu) => `memory ${mu + 1} gets ${percent(share)} of the picture`);
  const [first, ...rest] = parts.map((part, i) => (i ? part.replace(" of the picture", "") : part));
  const whole = `${list([first[0].toUpperCase() + first.slice(1), ...rest])}.`;
  const cells = layers.includes("voronoi")
    ? ` Not with its nearest memory: ${percent(leaving)}.`
    : "";
  const stars = layers.includes("attractors")
    ? ` Balls left to roll come to rest at ${many(scene.attractors.length, "place")}.`
    : "";
  return whole + absorbed(scene, of) + cells + stars;
}

// Memories whose balls roll on to a resting place that another memory is nearer to.
function absorbed(scene, of) {
  const without = scene.steps ? [] : of.flatMap((share, mu) => (share ? [] : [mu + 1]));
  if (!without.length) return "";
  const who = without.length > 1 ? `Memories ${list(without)} have` : `Memory ${without[0]} has`;
  return ` ${who} no resting place of ${without.length > 1 ? "their" : "its"} own: balls there roll on.`;
}

function ballSentence(scene, model) {
  const way = wayOf(scene, model.particle);
  if (model.layers.includes("pulls")) return journeySentence(scene.field, way, "ball");
  const first = nearest(scene.field, way[0].v) + 1;
  const last = labelAt(scene)(...model.particle) + 1;
  const left = scene.steps
    ? ` After T = ${many(scene.steps, "step")} ${Math.round(100 * wayLeft(scene, model.particle))} % of its way is left.`
    : "";
  const why = first === last ? "the nearest to its start" : `though memory ${first} is nearer to its start`;
  return `The ball goes to memory ${last}, ${why}.${left}`;
}

function sharesSentence({ field }, particle) {
  const dealt = new Float64Array(field.k);
  softmax(field, particle, dealt);
  const parts = Array.from(dealt, (share, mu) => `${percent(share)} memory ${mu + 1}`);
  return `Shares of the pull on the ball: ${list(parts)}.`;
}

export function sentence({ scene, model, points }) {
  const { layers, memories, particle } = model;
  const said = [];
  const shown = layers.includes("basins");
  if (shown && particle && layers.includes("pulls")) return ballSentence(scene, model);
  if (shown) said.push(basinsSentence(scene, layers));
  else said.push(`${many(memories.length, "memory").replace("memorys", "memories")}, basins hidden.`);
  if (particle && layers.includes("way")) said.push(ballSentence(scene, model));
  else if (particle && layers.includes("pulls")) said.push(sharesSentence(scene, particle));
  else if (particle && layers.includes("ball")) said.push("A ball waits.");
  if (layers.includes("points") && points.length) said.push(`${many(points.length, "data point")}.`);
  return said.join(" ").replaceAll(" %", "\u00a0%");
}
