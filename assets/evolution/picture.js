// One course in the plane: basins or cells, points, those that change cluster, prototypes' ways.

import { makeField } from "../live_basins/field.js";
import { screenOf } from "../live_basins/overlay.js";
import { paintBand } from "../live_basins/raster.js";
import { frameAt } from "./unpack.js";

const COARSE = [1, 1.5, 2, 3, 4, 6]; // CSS pixels of a raster's pixel while frames follow each other
const SLOW = 14; // milliseconds of a raster: above it the next ones are coarser,
const QUICK = 5; // below it finer
const BAND = 48; // rows of the exact raster that are painted at a time
const FLASH = 320; // milliseconds in which the rings about changed points close
const SHORT = 1.2; // pixels of a way: a shorter step is not seen
const CROWD = 60; // changed points: above it their rings are thinner
const MANY = 700; // points: above it they are drawn smaller
const TRAIL = 60; // frames of a way drawn in full; what is older fades

const css = ([r, g, b], alpha = 1) => `rgb(${r} ${g} ${b} / ${alpha})`;

// What raster.js needs of a course at a frame; null where its energy has no regions in the plane.
export function sceneOf(evolution, course, t, colours) {
  if (course.regions === "none") return null;
  const { k, span, box } = evolution;
  const recalls = course.regions === "basins";
  const extent = box.right - box.left;
  // Cells are what recall shows when it does not move: the nearest prototype.
  const beta = recalls ? course.beta : 1e7 / (extent * extent);
  const weights = recalls ? course.weights(t) : null;
  const unit = (axis) => Array.from({ length: span }, (_, i) => Number(i === axis));
  const labels = Array.from({ length: k }, (_, mu) => mu);
  return {
    field: makeField({
      keys: course.keys(t), d: span, beta,
      logWeights: labels.map((mu) => (weights ? Math.log(weights[mu]) : 0)),
    }),
    lift: span > 2 ? { origin: new Array(span).fill(0), across: unit(0), up: unit(1) } : null,
    box,
    steps: recalls ? course.recall : 1,
    size: recalls ? course.size : 0,
    attractors: [],
    shade: "basins",
    hatch: false,
    paint: {
      fills: labels.map((mu) => colours.fills[mu % colours.fills.length]),
      strong: labels.map((mu) => colours.strong[mu % colours.strong.length]),
      line: colours.line,
      ink: colours.ink,
      scale: [colours.line],
    },
  };
}

export function makePicture(stage, evolution, course) {
  const layer = (name) => {
    const canvas = document.createElement("canvas");
    canvas.className = name;
    if (name === "marks") canvas.setAttribute("role", "img");
    else canvas.setAttribute("aria-hidden", "true");
    stage.append(canvas);
    return canvas;
  };
  const [ground, rings, marks] = [layer("ground"), layer("rings"), layer("marks")];
  const { points, k, span, box } = evolution;
  const font = getComputedStyle(stage).fontFamily;
  const stampsMade = new Map();
  const size = evolution.shown > MANY ? 2.6 : 3.7;
  let [coarse, average, serial, flashAt, flashing, drawnAt] = [2, 8, 0, 0, 0, 0];
  let [shown, side, colours] = [null, 0, null];

  function put(scene, pixels) {
    const began = performance.now();
    if (ground.width !== pixels) ground.width = ground.height = pixels;
    const band = paintBand(scene, pixels, 0, pixels, true);
    const image = new ImageData(new Uint8ClampedArray(band.pixels.buffer), pixels);
    ground.getContext("2d").putImageData(image, 0, 0);
    average += 0.3 * (performance.now() - began - average);
    if (average > SLOW && coarse < COARSE.length - 1) [coarse, average] = [coarse + 1, 8];
    else if (average < QUICK && coarse > 0) [coarse, average] = [coarse - 1, 8];
  }

  // Fine, a band at a time so that hands and keys come between; shown when all of it is there.
  function refine(scene, own) {
    const pixels = Math.round(side * Math.min(2, devicePixelRatio || 1));
    const whole = new ImageData(pixels, pixels);
    let from = 0;
    const next = () => {
      if (own !== serial || !stage.isConnected) return;
      const to = Math.min(pixels, from + BAND);
      const band = paintBand(scene, pixels, from, to, true);
      whole.data.set(new Uint8ClampedArray(band.pixels.buffer), 4 * pixels * (pixels - to));
      from = to;
      if (from < pixels) setTimeout(next, 0);
      else {
        ground.width = ground.height = pixels;
        ground.getContext("2d").putImageData(whole, 0, 0);
      }
    };
    setTimeout(next, 0);
  }

  function fresh(canvas) {
    const ratio = devicePixelRatio || 1;
    const pixels = Math.round(side * ratio);
    if (canvas.width !== pixels) canvas.width = canvas.height = pixels;
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, side, side);
    return context;
  }

  const place = (i) => [
    ((points[2 * i] - box.left) / (box.right - box.left)) * side,
    ((box.top - points[2 * i + 1]) / (box.top - box.bottom)) * side,
  ];

  // A dot is painted once for each colour and then stamped: two thousand are stamped in no time.
  function drawPoints(context, labels) {
    const ratio = devicePixelRatio || 1;
    const reach = size + 1;
    const stamps = Array.from({ length: k }, (_, label) => stamp(label, reach, ratio));
    labels.forEach((label, i) => {
      const [x, y] = place(i);
      context.drawImage(stamps[label], x - reach, y - reach, 2 * reach, 2 * reach);
    });
  }

  function stamp(label, reach, ratio) {
    const colour = css(colours.strong[label % colours.strong.length]);
    const name = `${colour} ${css(colours.line)} ${ratio}`;
    if (stampsMade.has(name)) return stampsMade.get(name);
    const made = document.createElement("canvas");
    made.width = made.height = Math.ceil(2 * reach * ratio);
    const context = made.getContext("2d");
    context.scale(made.width / (2 * reach), made.width / (2 * reach));
    context.beginPath();
    context.arc(reach, reach, size, 0, 2 * Math.PI);
    context.fillStyle = colour;
    context.fill();
    context.strokeStyle = css(colours.line, 0.9);
    context.stroke();
    stampsMade.set(name, made);
    return made;
  }

  function drawWays(context, t) {
    const screen = screenOf(box, side);
    const at = (frame, mu) => {
      const keys = course.keys(frame);
      return screen.to([keys[mu * span], keys[mu * span + 1]]);
    };
    const recent = Math.max(0, t - TRAIL);
    const [old, fresh] = [new Path2D(), new Path2D()];
    for (let mu = 0; mu < k; mu++) {
      trace(old, 0, recent, (frame) => at(frame, mu));
      trace(fresh, recent, t, (frame) => at(frame, mu));
    }
    context.lineCap = context.lineJoin = "round";
    for (const [path, alpha] of [[old, 0.35], [fresh, 1]]) {
      context.lineWidth = 4.5;
      context.strokeStyle = css(colours.line, 0.65 * alpha);
      context.stroke(path);
      context.lineWidth = 2;
      context.strokeStyle = css(colours.ink, alpha);
      context.stroke(path);
    }
    for (let mu = 0; mu < k; mu++) drawStart(context, at(0, mu));
    for (let mu = 0; mu < k; mu++) drawPrototype(context, at(t, mu), mu);
  }

  // A way from frame to frame, without the steps that are too short to be seen.
  function trace(path, from, to, at) {
    if (to <= from) return;
    let [x, y] = at(from);
    path.moveTo(x, y);
    for (let frame = from + 1; frame <= to; frame++) {
      const [nextX, nextY] = at(frame);
      if (frame < to && Math.abs(nextX - x) + Math.abs(nextY - y) < SHORT) continue;
      path.lineTo(nextX, nextY);
      [x, y] = [nextX, nextY];
    }
  }

  function drawStart(context, [x, y]) {
    for (const [width, colour] of [[5, css(colours.line, 0.8)], [2.2, css(colours.ink)]]) {
      context.beginPath();
      context.arc(x, y, 5.5, 0, 2 * Math.PI);
      context.lineWidth = width;
      context.strokeStyle = colour;
      context.stroke();
    }
  }

  function drawPrototype(context, [x, y], mu) {
    const radius = side > 420 ? 15 : 12;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = css(colours.ink);
    context.fill();
    context.lineWidth = 3;
    context.strokeStyle = css(colours.strong[mu % colours.strong.length]);
    context.stroke();
    context.lineWidth = 1.2;
    context.beginPath();
    context.arc(x, y, radius + 2, 0, 2 * Math.PI);
    context.strokeStyle = css(colours.line);
    context.stroke();
    context.fillStyle = css(colours.line);
    context.font = `700 ${radius + 1}px ${font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(String(mu + 1), x, y + 1);
  }

  function drawRings(share) {
    const context = fresh(rings);
    const changed = course.changes[shown];
    const ring = new Path2D();
    changed.forEach((i) => {
      const [x, y] = place(i);
      const radius = size + 3.5 + 14 * (1 - share);
      ring.moveTo(x + radius, y);
      ring.arc(x, y, radius, 0, 2 * Math.PI);
    });
    const width = changed.length > CROWD ? 1.5 : 2.2;
    context.lineWidth = width + 2;
    context.strokeStyle = css(colours.line, 0.7);
    context.stroke(ring);
    context.lineWidth = width;
    context.strokeStyle = css(colours.ink, 0.35 + 0.65 * share);
    context.stroke(ring);
  }

  function flash(now) {
    if (!stage.isConnected) return (flashing = 0);
    const share = Math.min(1, (now - flashAt) / FLASH);
    drawRings(share);
    flashing = share < 1 ? requestAnimationFrame(flash) : 0;
  }

  return {
    // Draw a tick on a square of `width` pixels; `moving`: others follow at once. Rings flash unless
    // `calm`, or where frames follow each other too quickly for it.
    draw({ tick, width, moving, calm, colours: now }) {
      side = width;
      if (!side) return;
      const quick = performance.now() - drawnAt < FLASH / 2;
      drawnAt = performance.now();
      serial++;
      const t = frameAt(course, tick);
      const other = t !== shown;
      [shown, colours] = [t, now];
      const scene = sceneOf(evolution, course, t, colours);
      ground.hidden = !scene;
      if (scene && (moving || other)) put(scene, Math.max(60, Math.round(side / COARSE[coarse])));
      if (scene && !moving) refine(scene, serial);
      const context = fresh(marks);
      drawPoints(context, course.labels[t]);
      drawWays(context, t);
      const ended = tick > t; // what stands changes no more
      if (ended) fresh(rings);
      else if (calm || quick || !other) drawRings(1);
      else {
        flashAt = performance.now();
        drawRings(0.25);
        flashing ||= requestAnimationFrame(flash);
      }
    },
    label: (text) => marks.setAttribute("aria-label", text),
  };
}
