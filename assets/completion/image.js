// A row that is an image, on canvases: what is known, hidden, filled.

import { own } from "./recall.js";

const HATCH = 5; // stripes across a hidden pixel's diagonal, about

// `places[pixel]` is the feature that a pixel is, or -1 where it never varies.
export function paint(canvas, image, features, values, { ink, paper, accent, hidden, outlined, cursor }) {
  const size = Math.max(1, Math.round(canvas.clientWidth * Math.min(2, devicePixelRatio)));
  if (canvas.width !== size) canvas.width = canvas.height = size;
  const context = canvas.getContext("2d");
  const { side, places, low, high } = image;
  const cell = size / side;
  const box = (pixel) => {
    const [x, y] = [pixel % side, Math.floor(pixel / side)];
    const [left, top] = [Math.round(x * cell), Math.round(y * cell)];
    return [left, top, Math.round((x + 1) * cell) - left, Math.round((y + 1) * cell) - top];
  };
  const is = (pixel) => hidden && places[pixel] >= 0 && hidden[places[pixel]];
  for (let pixel = 0; pixel < side * side; pixel++) {
    const feature = places[pixel];
    const value = feature < 0 ? low : values[feature] === null ? null : own(features[feature], values[feature]);
    const gone = value === null || (is(pixel) && !outlined);
    context.fillStyle = gone ? shade(paper, ink, 0.12) : shade(paper, ink, (value - low) / (high - low || 1));
    context.fillRect(...box(pixel));
    if (gone) hatch(context, box(pixel), shade(paper, ink, 0.5));
  }
  if (outlined) outline(context, side, is, box, accent);
  if (cursor !== undefined && cursor !== null) {
    const [x, y, width, height] = box(cursor);
    context.lineWidth = Math.max(2, cell / 10);
    context.strokeStyle = accent;
    context.strokeRect(x, y, width, height);
  }
}

function shade(paper, ink, share) {
  const part = Math.min(1, Math.max(0, share));
  return `rgb(${paper.map((p, i) => Math.round(p + part * (ink[i] - p))).join(" ")})`;
}

function hatch(context, [x, y, width, height], colour) {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = Math.max(1, width / 20);
  context.beginPath();
  for (let at = -height; at < width; at += Math.max(3, (2 * width) / HATCH)) {
    context.moveTo(x + at, y + height);
    context.lineTo(x + at + height, y);
  }
  context.stroke();
  context.restore();
}

// The border between what is hidden and what is not.
function outline(context, side, is, box, accent) {
  context.strokeStyle = accent;
  context.lineWidth = Math.max(1.5, context.canvas.width / 160);
  context.beginPath();
  for (let pixel = 0; pixel < side * side; pixel++) {
    const [x, y, width, height] = box(pixel);
    if (pixel % side < side - 1 && is(pixel) !== is(pixel + 1)) {
      context.moveTo(x + width, y);
      context.lineTo(x + width, y + height);
    }
    if (pixel + side < side * side && is(pixel) !== is(pixel + side)) {
      context.moveTo(x, y + height);
      context.lineTo(x + width, y + height);
    }
  }
  context.stroke();
}
