// The unit circle as it is drawn: arcs of one memory each, the energy around them, points pressed to
// length 1, and the way of a ball that stays on it.

import { css, svg } from "../live_basins/svg.js";
import { drawPoint } from "./board.js";
import { arcs, atAngle, labelOf, normalised, softmax } from "./sphere.js";

const BAND = 0.12; // of the radius, the arcs' width: they lie outside the circle, points on it
const VALLEY = 1.22; // radius at which the lowest energy is drawn,
const HILL = 1.5; // and the highest
const SAMPLES = 240;
const RADIANS = Math.PI / 180;

export function drawCircle({ context, screen }, { model, sphere, points, way, shows, colours, ring }) {
  const middle = screen.to([0, 0]);
  const radius = screen.scale;
  drawArcs(context, middle, radius, { model, sphere, shows, colours });
  if (shows("energy")) drawEnergy(context, screen, { sphere, colours });
  if (shows("points")) drawPoints(context, screen, { model, sphere, points, shows, colours });
  ring.replaceChildren(...(way && shows("way") ? track(screen, way) : []));
}

function drawArcs(context, [x, y], radius, { model, sphere, shows, colours }) {
  context.lineCap = "butt";
  const band = BAND * radius;
  const found = shows("basins") && model.press === 1 ? arcs(sphere, model.steps) : [];
  for (const { from, to, label } of found) {
    context.beginPath();
    context.arc(x, y, radius + band / 2, -from * RADIANS, -to * RADIANS, true);
    context.lineWidth = band;
    context.strokeStyle = css(colours.fills[label]);
    context.stroke();
  }
  for (const { from } of found.length > 1 ? found : []) {
    const [c, s] = atAngle(from);
    context.beginPath();
    context.moveTo(x + (radius - band / 2) * c, y - (radius - band / 2) * s);
    context.lineTo(x + (radius + 1.5 * band) * c, y - (radius + 1.5 * band) * s);
    context.lineWidth = 3;
    context.strokeStyle = css(colours.ink);
    context.stroke();
  }
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.lineWidth = 1.5;
  context.strokeStyle = css(colours.ink, 0.6);
  context.stroke();
}

// The farther out, the higher: memories lie in the valleys.
function drawEnergy(context, screen, { sphere, colours }) {
  const shares = new Float64Array(sphere.k);
  const values = Array.from({ length: SAMPLES }, (_, i) => softmax(sphere, atAngle((360 * i) / SAMPLES), shares));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  context.beginPath();
  values.forEach((value, i) => {
    const reach = VALLEY + (HILL - VALLEY) * ((value - low) / (high - low || 1));
    context.lineTo(...screen.to(atAngle((360 * i) / SAMPLES).map((part) => reach * part)));
  });
  context.closePath();
  context.lineWidth = 2.5;
  context.strokeStyle = css(colours.energy[Math.floor(0.7 * colours.energy.length)]);
  context.stroke();
}

function drawPoints(context, screen, { model, sphere, points, shows, colours }) {
  context.lineWidth = 1;
  context.strokeStyle = css(colours.line);
  for (const point of points) {
    const unit = normalised(point);
    if (!unit) continue; // the middle has no direction
    const length = Math.hypot(...point);
    const reach = (1 - model.press) * length + model.press;
    const grey = !shows("basins") || model.press < 1;
    const label = grey ? 0 : labelOf(sphere, unit, model.steps);
    context.fillStyle = grey ? css(colours.ink, 0.5) : css(colours.strong[label]);
    drawPoint(context, screen.to([reach * unit[0], reach * unit[1]]), label, 4.2);
  }
}

// The way, its steps as dots.
function track(screen, way) {
  const places = way.map(({ v }) => screen.to([v[0], v[1]]));
  const d = `M${places.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" L")}`;
  const [x, y] = places.at(-1);
  return [
    svg("path", { class: "halo", d }),
    svg("path", { class: "track", d }),
    ...places.map(([cx, cy]) => svg("circle", { class: "dot", cx, cy, r: 3 })),
    svg("circle", { class: "now", cx: x, cy: y, r: 7 }),
  ];
}
