// Borders between regions as lines, not pixels: found on a lattice, each crossing to a fraction of a
// pixel, so that they are smooth however coarse the raster beneath them is.

const HALVINGS = 9; // of a lattice's side, to a crossing
const DEPTH = 4; // of quartering where more than two regions meet

// `region(x, y)` of a box {left, right, bottom, top}, cut into `columns` x `rows` cells. Returns
// [[x1, y1, x2, y2], ...]; what is thinner than a cell can be missed.
export function bordersOf(region, { left, right, bottom, top }, columns, rows) {
  const xs = Array.from({ length: columns + 1 }, (_, i) => left + ((right - left) * i) / columns);
  const ys = Array.from({ length: rows + 1 }, (_, i) => bottom + ((top - bottom) * i) / rows);
  const known = ys.map((y) => xs.map((x) => region(x, y)));
  const segments = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const corners = [
        [xs[column], ys[row], known[row][column]],
        [xs[column + 1], ys[row], known[row][column + 1]],
        [xs[column + 1], ys[row + 1], known[row + 1][column + 1]],
        [xs[column], ys[row + 1], known[row + 1][column]],
      ];
      within(region, corners, DEPTH, segments);
    }
  }
  return segments;
}

// Corners are [x, y, region], in turn about the cell.
function within(region, corners, depth, segments) {
  const crossings = corners.flatMap((from, i) => {
    const to = corners[(i + 1) % 4];
    return from[2] === to[2] ? [] : [crossing(region, from, to)];
  });
  if (crossings.length === 2) segments.push(crossings.flat());
  if (crossings.length < 3) return;
  if (depth) for (const part of quarters(region, corners)) within(region, part, depth - 1, segments);
  else {
    const middle = [0, 1].map((i) => crossings.reduce((sum, at) => sum + at[i], 0) / crossings.length);
    for (const at of crossings) segments.push([...at, ...middle]);
  }
}

// Where the region of `from` ends on the way to `to`. The way is the same from either cell beside it.
function crossing(region, from, to) {
  let [[x, y, own], [farX, farY]] = from[0] < to[0] || from[1] < to[1] ? [from, to] : [to, from];
  for (let round = 0; round < HALVINGS; round++) {
    const [midX, midY] = [(x + farX) / 2, (y + farY) / 2];
    if (region(midX, midY) === own) [x, y] = [midX, midY];
    else [farX, farY] = [midX, midY];
  }
  return [(x + farX) / 2, (y + farY) / 2];
}

function quarters(region, [a, b, c, d]) {
  const between = (one, other) => {
    const [x, y] = [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
    return [x, y, region(x, y)];
  };
  const [ab, bc, cd, da, middle] = [between(a, b), between(b, c), between(c, d), between(d, a), between(a, c)];
  return [[a, ab, middle, da], [ab, b, bc, middle], [middle, bc, c, cd], [da, middle, cd, d]];
}
