// How a drawing looks: each ink has a shape of its own besides its colour.

import { css } from "../live_basins/svg.js";

const SIZE = 3.6; // pixels from the middle of a mark to its edge

// Add a mark about (x, y) to a context's path.
const SHAPES = [
  (path, x, y, r) => {
    path.moveTo(x + r, y);
    path.arc(x, y, r, 0, 2 * Math.PI);
  },
  (path, x, y, r) => path.rect(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r),
  (path, x, y, r) => corners(path, x, y, 1.3 * r, 4, 0),
  (path, x, y, r) => corners(path, x, y, 1.25 * r, 3, -0.5),
  (path, x, y, r) => star(path, x, y, 1.2 * r, 0.25),
  (path, x, y, r) => star(path, x, y, 1.25 * r, 0),
];

function corners(path, x, y, r, count, turn) {
  for (let i = 0; i < count; i++) {
    const angle = Math.PI * (turn + (2 * i) / count);
    path[i ? "lineTo" : "moveTo"](x + r * Math.cos(angle), y + r * Math.sin(angle));
  }
  path.closePath();
}

// A cross of four arms.
function star(path, x, y, r, turn) {
  for (let i = 0; i < 12; i++) {
    const arm = Math.floor(i / 3);
    const [along, aside] = [[r, -0.35 * r], [r, 0.35 * r], [0.35 * r, 0.35 * r]][i % 3];
    const angle = Math.PI * (turn + arm / 2);
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const place = [x + along * cos - aside * sin, y + along * sin + aside * cos];
    path[i ? "lineTo" : "moveTo"](...place);
  }
  path.closePath();
}

// A picture of an ink, for its button.
export function swatch(ink, colours) {
  const canvas = document.createElement("canvas");
  const ratio = 2;
  canvas.width = canvas.height = 18 * ratio;
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  context.fillStyle = css(colours.strong[ink]);
  context.beginPath();
  SHAPES[ink](context, 9, 9, 5.5);
  context.fill();
  return canvas;
}

// Draw points, and where the brush is: `brush` is {at, radius, cross} in steps, or null.
export function drawPoints(canvas, points, { side, pixels, colours, brush }) {
  const ratio = devicePixelRatio || 1;
  const size = Math.round(pixels * ratio);
  if (canvas.width !== size) canvas.width = canvas.height = size;
  const context = canvas.getContext("2d");
  const scale = pixels / side;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, pixels, pixels);
  context.lineWidth = 0.75;
  context.strokeStyle = css(colours.line);
  for (const [x, y, ink] of points) {
    context.fillStyle = css(colours.strong[ink]);
    context.beginPath();
    SHAPES[ink](context, x * scale, pixels - y * scale, SIZE);
    context.fill();
    context.stroke();
  }
  if (brush) drawBrush(context, brush, { scale, pixels, colours });
}

function drawBrush(context, { at, radius, cross }, { scale, pixels, colours }) {
  const [x, y] = [at[0] * scale, pixels - at[1] * scale];
  context.strokeStyle = css(colours.ink);
  context.lineWidth = 1.5;
  if (radius) {
    context.beginPath();
    context.setLineDash([4, 4]);
    context.arc(x, y, radius * scale, 0, 2 * Math.PI);
    context.stroke();
    context.setLineDash([]);
  }
  if (!cross) return;
  context.beginPath();
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
    context.moveTo(x + 4 * dx, y + 4 * dy);
    context.lineTo(x + 14 * dx, y + 14 * dy);
  }
  context.lineWidth = 2.5;
  context.stroke();
}
