// A drawing as one plain value: [[x, y, ink], ...] in whole steps of the canvas's side, from its
// lower left corner. Nothing here knows the screen.

const REACH = 3; // deviations of a dab that its radius holds

// Mulberry32: a sketch is the same at each visit, and so is what is found in it.
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Box and Muller's pair of normal numbers.
function normalPair(random) {
  const length = Math.sqrt(-2 * Math.log(1 - random()));
  const angle = 2 * Math.PI * random();
  return [length * Math.cos(angle), length * Math.sin(angle)];
}

const inside = ([x, y], side) => x >= 0 && x <= side && y >= 0 && y <= side;

// Points of one dab of the spray can; what falls beside the canvas is lost.
export function dab(at, ink, { radius, density, side }, random = Math.random) {
  const points = [];
  for (let i = 0; i < density; i++) {
    const [a, b] = normalPair(random);
    if (Math.hypot(a, b) > REACH) continue;
    const place = [a, b].map((shift, axis) => Math.round(at[axis] + (shift * radius) / REACH));
    if (inside(place, side)) points.push([...place, ink]);
  }
  return points;
}

export const without = (points, at, radius) =>
  points.filter(([x, y]) => Math.hypot(x - at[0], y - at[1]) > radius);

// Along a line from one place to another, so that a quick hand leaves no gaps.
export function between(from, to, step) {
  const count = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / step));
  return Array.from({ length: count }, (_, i) =>
    from.map((value, axis) => value + ((to[axis] - value) * (i + 1)) / count),
  );
}

const arc = (centre, radius, begin, end) => (share) => {
  const angle = Math.PI * (begin + (end - begin) * share);
  return [centre[0] + radius * Math.cos(angle), centre[1] + radius * Math.sin(angle)];
};
const spot = (at) => () => at;

// Name -> strokes of a hand: a way over the canvas, its width, its points and its ink.
const SKETCHES = {
  moons: [
    { way: arc([390, 430], 230, 0, 1), width: 36, count: 180, ink: 0 },
    { way: arc([610, 570], 230, 1, 2), width: 36, count: 180, ink: 1 },
  ],
  ring: [
    { way: arc([500, 500], 340, 0, 2), width: 34, count: 240, ink: 0 },
    { way: spot([500, 500]), width: 80, count: 120, ink: 1 },
  ],
  blobs: [
    { way: spot([270, 310]), width: 80, count: 120, ink: 0 },
    { way: spot([720, 340]), width: 80, count: 120, ink: 1 },
    { way: spot([480, 740]), width: 80, count: 120, ink: 2 },
  ],
  uneven: [
    { way: spot([320, 560]), width: 130, count: 300, ink: 0 },
    { way: spot([760, 400]), width: 35, count: 40, ink: 1 },
    { way: (share) => [250 + 500 * share, 160], width: 14, count: 60, ink: 2 },
  ],
};

export function sketch(name, side) {
  const random = randomOf(1);
  const unit = side / 1000;
  return SKETCHES[name].flatMap(({ way, width, count, ink }) =>
    Array.from({ length: count }, (_, i) => {
      const shift = normalPair(random);
      const place = way((i + 0.5) / count).map((value, axis) => value + width * shift[axis]);
      return [...place.map((value) => Math.round(value * unit)), ink];
    }).filter((place) => inside(place, side)),
  );
}

// What a browser kept: only a drawing of whole numbers within the limits is one.
export function isDrawing(points, { side, most, inks }) {
  const step = (value, last) => Number.isInteger(value) && value >= 0 && value <= last;
  return (
    Array.isArray(points) &&
    points.length <= most &&
    points.every(
      (point) =>
        Array.isArray(point) && point.length === 3 &&
        step(point[0], side) && step(point[1], side) && step(point[2], inks - 1),
    )
  );
}

// "312 of at most 2,000 points, in 2 inks."
export function countSentence(points, most) {
  const inks = new Set(points.map(([, , ink]) => ink)).size;
  const number = (value) => value.toLocaleString("en-GB");
  if (!points.length) return `No points yet, of at most ${number(most)}.`;
  if (points.length >= most) return `${number(most)} points, which is all there can be: erase some.`;
  const several = inks > 1 ? `, in ${inks} inks` : "";
  return `${number(points.length)} of at most ${number(most)} points${several}.`;
}
