// One course in the plane: basins or cells, points, those that change cluster, prototypes' ways.

import { makeField } from "../live_basins/field.js";
import { paintBand } from "../live_basins/raster.js";
import { css, screenOf } from "../live_basins/svg.js";
import { frameAt } from "./unpack.js";

const COARSE = [1, 1.5, 2, 3, 4, 6]; // CSS pixels of a raster's pixel while frames follow each other
const SLOW = 10; // milliseconds of a raster: above it the next ones are coarser,
const QUICK = 3.5; // below it finer
const BAND = 48; // rows of the exact raster that are painted at a time
const FLASH = 320; // milliseconds in which the rings about changed points close
const SHORT = 2.5; // pixels of a way: a shorter step is not seen
const CROWD = 60; // changed points: above it their rings are thinner
const MANY = 700; // points: above it they are drawn smaller
const TRAIL = 60; // frames of a way drawn in full; what is older fades

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
  const stamps = new Map();
  const size = evolution.shown > MANY ? 2.6 : 3.7;
  let [coarse, average, serial, flashAt, flashing, drawnAt] = [2, 6, 0, 0, 0, 0];
  let [shown, side, colours] = [null, 0, null];

  function put(scene, pixels) {
    const began = performance.now();
    if (ground.width !== pixels) ground.width = ground.height = pixels;
    const band = paintBand(scene, pixels, 0, pixels, true);
    const image = new ImageData(new Uint8ClampedArray(band.pixels.buffer), pixels);
    ground.getContext("2d").putImageData(image, 0, 0);
    average += 0.3 * (performance.now() - began - average);
    if (average > SLOW && coarse < COARSE.length - 1) [coarse, average] = [coarse + 1, 6];
    else if (average < QUICK && coarse > 0) [coarse, average] = [coarse - 1, 6];
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
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, pixels, pixels);
    return context;
  }

  const place = (i) => [
    ((points[2 * i] - box.left) / (box.right - box.left)) * side,
    ((box.top - points[2 * i + 1]) / (box.top - box.bottom)) * side,
  ];

  // What is drawn many times is painted once, and stamped at whole pixels: the quickest there is.
  function stamp(name, reach, paint) {
    const ratio = devicePixelRatio || 1;
    const key = `${name} ${reach} ${ratio} ${css(colours.line)}`;
    if (stamps.has(key)) return stamps.get(key);
    const made = document.createElement("canvas");
    made.width = made.height = Math.ceil(2 * reach * ratio);
    const context = made.getContext("2d");
    context.translate(made.width / 2, made.width / 2);
    context.scale(ratio, ratio);
    paint(context);
    stamps.set(key, made);
    return made;
  }

  function press(context, made, [x, y]) {
    const ratio = devicePixelRatio || 1;
    const half = made.width / 2;
    context.drawImage(made, Math.round(x * ratio - half), Math.round(y * ratio - half));
  }

  function circle(context, radius, width, stroke, fill) {
    context.beginPath();
    context.arc(0, 0, radius, 0, 2 * Math.PI);
    if (fill) {
      context.fillStyle = fill;
      context.fill();
    }
    context.lineWidth = width;
    context.strokeStyle = stroke;
    context.stroke();
  }

  const strong = (label) => css(colours.strong[label % colours.strong.length]);

  function drawPoints(context, labels) {
    const dots = Array.from({ length: k }, (_, label) =>
      stamp(`dot ${strong(label)}`, size + 1, (on) => circle(on, size, 1, css(colours.line, 0.9), strong(label))),
    );
    labels.forEach((label, i) => press(context, dots[label], place(i)));
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
    const ratio = devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.lineJoin = "bevel";
    for (const [path, width, colour] of [
      [old, 2, css(colours.ink, 0.35)],
      [fresh, 4.5, css(colours.line, 0.65)],
      [fresh, 2, css(colours.ink)],
    ]) {
      context.lineWidth = width;
      context.strokeStyle = colour;
      context.stroke(path);
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    const start = stamp("start", 9, (on) => {
      circle(on, 5.5, 5, css(colours.line, 0.8));
      circle(on, 5.5, 2.2, css(colours.ink));
    });
    for (let mu = 0; mu < k; mu++) press(context, start, at(0, mu));
    for (let mu = 0; mu < k; mu++) press(context, prototype(mu), at(t, mu));
  }

  function prototype(mu) {
    const radius = side > 420 ? 15 : 12;
    return stamp(`prototype ${mu}`, radius + 4, (on) => {
      circle(on, radius, 3, strong(mu), css(colours.ink));
      circle(on, radius + 2, 1.2, css(colours.line));
      on.fillStyle = css(colours.line);
      on.font = `700 ${radius + 1}px ${font}`;
      on.textAlign = "center";
      on.textBaseline = "middle";
      on.fillText(String(mu + 1), 0, 1);
    });
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

  // Rings about the points that have just changed cluster; they close as `share` goes to 1.
  function drawRings(share) {
    const context = fresh(rings);
    const changed = course.changes[shown];
    const width = changed.length > CROWD ? 1.5 : 2.2;
    const radius = Math.round(size + 3.5 + 14 * (1 - share));
    const ring = stamp(`ring ${width} ${share.toFixed(1)}`, radius + 4, (on) => {
      circle(on, radius, width + 2, css(colours.line, 0.7));
      circle(on, radius, width, css(colours.ink, 0.35 + 0.65 * share));
    });
    changed.forEach((i) => press(context, ring, place(i)));
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
