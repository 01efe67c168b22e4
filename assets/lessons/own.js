// A person's own points in a picture that was made for the toy's.

import { rounded } from "../live_basins/model.js";

export const middleOf = (places) => [0, 1].map((i) => places.reduce((sum, at) => sum + at[i], 0) / places.length);

// Own points and their centres, moved and stretched to where the toy's memories are, so that beta
// means the same on them: {points, memories}.
export function placed(points, centres, memories) {
  const ours = centres[String(memories.length)] ?? memories;
  const [from, to] = [ours, memories].map((places) => {
    const middle = middleOf(places);
    const far = Math.max(...places.map((at) => Math.hypot(at[0] - middle[0], at[1] - middle[1])));
    return { middle, far: far || 1 };
  });
  const moved = (at) =>
    at.map((x, i) => rounded(to.middle[i] + (to.far / from.far) * (x - from.middle[i])));
  return { points: points.map(moved), memories: ours.map(moved) };
}
