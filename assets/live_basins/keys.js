// A number within bounds, and keys that move something in the plane, whose second axis points up.

export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export const clamp = (value, { low, high }) => Math.min(high, Math.max(low, value));
