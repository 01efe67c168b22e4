// Exact edges of a Voronoi partition of the plane: no raster is contoured.

// Edges between the cells of points [[x, y], ...], cut to {left, right, bottom, top}, as
// [[x1, y1, x2, y2], ...]. Each lies on a perpendicular bisector p(t) = middle + t * along; every
// other point and every side of the box leaves an interval of t by a linear inequality.
export function voronoiEdges(points, box) {
  const edges = [];
  for (let a = 0; a < points.length; a++) {
    for (let b = a + 1; b < points.length; b++) {
      const edge = edgeBetween(points, a, b, box);
      if (edge) edges.push(edge);
    }
  }
  return edges;
}

function edgeBetween(points, a, b, { left, right, bottom, top }) {
  const [ax, ay] = points[a];
  const [bx, by] = points[b];
  const middle = [(ax + bx) / 2, (ay + by) / 2];
  const along = [ay - by, bx - ax];
  if (!along[0] && !along[1]) return null; // the same point twice
  let [low, high] = [-Infinity, Infinity];
  const keep = (slope, room) => {
    if (slope > 0) high = Math.min(high, room / slope);
    else if (slope < 0) low = Math.max(low, room / slope);
    else if (room < 0) high = -Infinity;
  };
  for (let c = 0; c < points.length; c++) {
    const [cx, cy] = points[c];
    if (c === a || c === b || (cx === ax && cy === ay) || (cx === bx && cy === by)) continue;
    const toward = [cx - ax, cy - ay];
    const slope = 2 * (along[0] * toward[0] + along[1] * toward[1]);
    const room =
      cx * cx + cy * cy - ax * ax - ay * ay - 2 * (middle[0] * toward[0] + middle[1] * toward[1]);
    keep(slope, room);
  }
  keep(along[0], right - middle[0]);
  keep(-along[0], middle[0] - left);
  keep(along[1], top - middle[1]);
  keep(-along[1], middle[1] - bottom);
  const long = (high - low) * Math.hypot(...along);
  if (!(long > 1e-9 * (right - left))) return null;
  return [
    middle[0] + low * along[0],
    middle[1] + low * along[1],
    middle[0] + high * along[0],
    middle[1] + high * along[1],
  ];
}
