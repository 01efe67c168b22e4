// The picture of lesson 6: memories that learn to complete points.
//
// Its state: {epoch, hide: "nothing" | "x" | "y", point: number | null, layers}; `shown` are the
// controls that are not left out (null: all); layers are some of
// "misses" (of every point), "trails", "basins", "means" and "pair" (two points, A and B). `frames` come
// from Python: {beta, steps, fill, memories: [epoch][mu][x, y], losses: [epoch]}.

import { makeField } from "../live_basins/field.js";
import { regionAt } from "../live_basins/raster.js";
import { css, svg } from "../live_basins/svg.js";
import { figures } from "../live_basins/words.js";
import {
  choice, drawBasins, drawPoint, frameOf, leaveOut, makeBoard, namesOrNull, nearestPoint, pictureOn, short,
  stepper, toggle,
} from "./board.js";
import { completion, labelOf, lossOf, miss } from "./completion.js";
import { button, element, slider } from "./dom.js";
import { middleOf } from "./own.js";

const AXES = { x: 0, y: 1 };
const HIDING = { nothing: "hide nothing", x: "hide x", y: "hide y" };
const NAMES = { x: "left–right place", y: "height" };
const QUICK = 160; // pixels of a side while the picture moves
const PACE = 110; // milliseconds of an epoch while it plays
const FIRST = { epoch: 0, hide: "nothing", point: null, layers: [], shown: null };
const LAYERS = ["misses", "trails", "basins", "means", "pair"];
const PAIR = [0.3, 0.97]; // shares of the points, by their miss, at which A and B are taken
const NEAR = 1.1; // of the way to its points' middle: a memory farther out lies beyond it

export function makePicture(stage, { points, frames, colours: themes, controls: wanted, changed, chose }) {
  const { beta, steps, fill, memories, losses } = frames;
  const last = memories.length - 1;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let [model, colours, locked, playing, done] = [FIRST, themes.light, false, null, new Set()];

  const fieldAt = (epoch) =>
    makeField({ keys: memories[epoch].flat(), logWeights: memories[epoch].map(() => 0), beta });
  const labelsAt = (field) => points.map((point) => labelOf(field, point, steps));
  const shows = (layer) => model.layers.includes(layer);
  let field = fieldAt(0);
  let labels = labelsAt(field);

  const board = makeBoard(stage, {
    label: "Points, and memories that learn to complete them",
    box: frameOf([...memories.at(-1), ...points]),
    draw,
  });
  const grips = board.marks.appendChild(svg("g", { class: "memories" }));

  // --- state -------------------------------------------------------------------------------------

  function adopt(values) {
    model = { ...model, ...values };
    field = fieldAt(model.epoch);
    labels = labelsAt(field);
    show();
    board.touch();
  }

  function set(values) {
    stop();
    adopt(cleaned(values));
    done = new Set();
  }

  function change(values, deed) {
    if (locked) return;
    done.add(deed);
    adopt(values);
    changed();
  }

  function cleaned(values) {
    const whole = (value, high) => Number.isInteger(value) && value >= 0 && value <= high;
    const legal = {
      shown: namesOrNull,
      epoch: (value) => value === "last" || whole(value, last),
      hide: (value) => ["nothing", "x", "y"].includes(value),
      point: (value) => value === null || whole(value, points.length - 1),
      layers: (value) => Array.isArray(value) && value.every((name) => LAYERS.includes(name)),
    };
    const known = Object.entries(values).filter(([name, value]) => legal[name]?.(value));
    const kept = Object.fromEntries(known);
    return kept.epoch === "last" ? { ...kept, epoch: last } : kept;
  }

  function holds(until, value) {
    if (until === "epoch above") return done.has("epoch") && model.epoch >= Math.min(value, last);
    return done.has(until);
  }

  // --- measures ----------------------------------------------------------------------------------

  const axis = () => AXES[model.hide] ?? null;
  const missAt = (i, along) => miss(field, points[i], along, fill, steps);

  // Two points to compare: one that the memories complete about as well as most, one worse.
  function pair() {
    const along = axis() ?? 1;
    const misses = points.map((_, i) => missAt(i, along));
    const order = points.map((_, i) => i).sort((a, b) => misses[a] - misses[b]);
    const [good, bad] = PAIR.map((share) => order[Math.floor(share * (points.length - 1))]);
    return points.length % 2 ? [bad, good] : [good, bad];
  }

  function beyond() {
    const field = fieldAt(last);
    const own = labelsAt(field);
    const ratios = memories[last].flatMap((memory, mu) => {
      const members = points.filter((_, i) => own[i] === mu);
      if (!members.length) return [];
      const mean = middleOf(members);
      return [Math.hypot(...gap(memory, fill)) / (Math.hypot(...gap(mean, fill)) || 1)];
    });
    return ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  }

  function truth(asks) {
    if (asks === "better completed") {
      const [a, b] = pair().map((i) => missAt(i, axis() ?? 1));
      return a <= b ? 0 : 1;
    }
    if (asks === "where memories end") {
      const ratio = beyond();
      return ratio > NEAR ? 2 : ratio < 1 / NEAR ? 0 : 1;
    }
    throw new Error(`the training does not measure "${asks}"`);
  }

  function sentence() {
    const now = `Epoch ${model.epoch} of ${last}: `;
    if (shows("means")) {
      return `${now}the memories lie ${short(beyond())} times as far out as the middles (×) of their points.`;
    }
    if (shows("pair") && shows("misses")) {
      const [a, b] = pair().map((i) => short(missAt(i, axis() ?? 1)));
      return `${now}recall misses A by ${a} and B by ${b}.`;
    }
    const spoken = model.shown === null || shows("misses") || ["misses", "epoch", "basins"].some((name) => model.shown.includes(name));
    if (model.point === null && !spoken) {
      const learned = model.epoch ? `after ${model.epoch} of ${last} epochs` : "that have not learned yet";
      return `${points.length} points, and ${memories[0].length} memories ${learned}.`;
    }
    if (model.point === null || axis() === null) {
      return (
        `${now}over ${points.length} points, each coordinate hidden in turn, the mean squared miss is ` +
        `${losses[model.epoch].toFixed(2)}: the loss.`
      );
    }
    const along = axis();
    const at = points[model.point][along];
    const end = completion(field, points[model.point], along, fill, steps).at(-1)[along];
    return (
      `${now}the ${NAMES[model.hide]} of point ${model.point + 1} is hidden. Recall starts at the mean, ` +
      `${short(fill[along])}, and ends at ${short(end)}; the truth is ${short(at)}: it misses by ` +
      `${short(Math.abs(end - at))}.`
    );
  }

  // --- drawing -----------------------------------------------------------------------------------

  const sceneOf = () => ({
    field, lift: null, box: board.box, steps, size: 1 / steps, attractors: [], shade: "basins", hatch: false,
    paint: { fills: colours.fills, strong: colours.strong, line: colours.line, ink: colours.ink, scale: [colours.line] },
  });

  function draw({ context, side, size, screen }, moving) {
    if (shows("basins")) {
      drawBasins(context, sceneOf(), { size: moving ? QUICK : size, side });
    }
    if (shows("trails")) drawTrails(context, screen);
    const quiet = !shows("basins");
    context.lineWidth = 1;
    points.forEach((at, i) => {
      context.fillStyle = quiet ? css(colours.ink, 0.45) : css(colours.strong[labels[i]]);
      context.strokeStyle = css(colours.line);
      drawPoint(context, screen.to(at), quiet ? 0 : labels[i], points.length > 600 ? 3 : 4.2);
    });
    if (shows("misses") && axis() !== null) drawMisses(context, screen);
    if (shows("means")) drawMeans(context, screen);
    if (shows("pair")) pair().forEach((i, at) => drawName(context, screen.to(points[i]), "AB"[at]));
    if (model.point !== null) drawChosen(context, screen, side);
    drawMemories(screen);
  }

  function drawTrails(context, screen) {
    memories[0].forEach((_, mu) => {
      for (const [width, colour] of [[5, css(colours.line)], [2.5, css(colours.strong[mu])]]) {
        context.beginPath();
        memories.slice(0, model.epoch + 1).forEach((all) => context.lineTo(...screen.to(all[mu])));
        context.lineWidth = width;
        context.strokeStyle = colour;
        context.stroke();
      }
    });
  }

  function drawMisses(context, screen) {
    const along = axis();
    context.strokeStyle = css(colours.strong[1], 0.75);
    context.lineWidth = 1.6;
    for (const point of points) {
      const end = completion(field, point, along, fill, steps).at(-1);
      context.beginPath();
      context.moveTo(...screen.to(point));
      context.lineTo(...screen.to(end));
      context.stroke();
    }
  }

  function drawMeans(context, screen) {
    context.strokeStyle = css(colours.ink);
    context.lineWidth = 3;
    memories[0].forEach((_, mu) => {
      const members = points.filter((_, i) => labels[i] === mu);
      if (!members.length) return;
      const [x, y] = screen.to(middleOf(members));
      context.beginPath();
      for (const [dx, dy] of [[1, 1], [1, -1]]) {
        context.moveTo(x - 7 * dx, y - 7 * dy);
        context.lineTo(x + 7 * dx, y + 7 * dy);
      }
      context.stroke();
    });
  }

  function drawName(context, [x, y], name) {
    context.beginPath();
    context.arc(x, y, 7, 0, 2 * Math.PI);
    context.lineWidth = 2.5;
    context.strokeStyle = css(colours.ink);
    context.stroke();
    context.font = "700 17px sans-serif";
    context.textAlign = "center";
    context.lineWidth = 4;
    context.strokeStyle = css(colours.line);
    context.strokeText(name, x, y - 13);
    context.fillStyle = css(colours.ink);
    context.fillText(name, x, y - 13);
  }

  // The line on which the hidden point may lie, the way of recall along it, and what it misses.
  function drawChosen(context, screen, side) {
    const point = points[model.point];
    const [x, y] = screen.to(point);
    const along = axis();
    context.strokeStyle = css(colours.ink);
    if (along !== null) {
      const way = completion(field, point, along, fill, steps).map(screen.to);
      const end = way.at(-1);
      context.setLineDash([6, 5]);
      context.lineWidth = 1.5;
      stroke(context, along ? [[x, 0], [x, side]] : [[0, y], [side, y]]);
      context.setLineDash([]);
      const off = along ? [9, 0] : [0, 9]; // beside the line, so that both are seen
      const beside = ([a, b]) => [a + off[0], b + off[1]];
      context.lineWidth = 6;
      context.strokeStyle = css(colours.strong[1]);
      stroke(context, [beside(end), beside([x, y])]);
      context.fillStyle = context.strokeStyle = css(colours.ink);
      context.lineWidth = 2;
      for (const place of way.slice(0, -1)) disc(context, place, 2.6);
      disc(context, end, 7, css(colours.line));
    }
    context.lineWidth = 3;
    context.beginPath();
    context.arc(x, y, 7.5, 0, 2 * Math.PI);
    context.stroke();
  }

  function drawMemories(screen) {
    const marks = memories[model.epoch].map((memory, mu) => {
      const [x, y] = screen.to(memory);
      const text = svg("text", { dy: "0.35em" });
      text.textContent = String(mu + 1);
      const at = memory.map((value) => figures(value)).join(", ");
      const place = { class: "memory fixed", transform: `translate(${x} ${y})`, role: "img" };
      return svg("g", { ...place, "aria-label": `Memory ${mu + 1} at (${at})` }, svg("circle", { class: "disc", r: 13 }), text);
    });
    grips.replaceChildren(...marks);
  }

  // --- controls ----------------------------------------------------------------------------------

  const epoch = slider({
    name: "epoch", label: "Epoch", low: 0, high: last, step: 1,
    input: (value) => {
      stop();
      change({ epoch: value }, "epoch");
    },
  });
  const play = button("Learn", () => (playing ? stop() : start()), { "data-control": "play" });
  const curve = svg("svg", { class: "loss", viewBox: "0 0 100 30", preserveAspectRatio: "none", role: "img" });
  epoch.element.prepend(curve);
  epoch.element.append(play);
  const hide = choice(
    "hide", "Hide", [["nothing", "nothing"], ["x", NAMES.x], ["y", NAMES.y]],
    (value) => change({ hide: value }, HIDING[value]),
  );
  const point = stepper(points.length, (i) => change({ point: i }, "point picked"));
  const switches = [["misses", "All misses"], ["basins", "Basins"]].map(([name, words]) =>
    [name, toggle(name, words, (on) => change({ layers: switched(name, on) }, `${name} shown`))],
  );
  const switched = (name, on) => [...model.layers.filter((one) => one !== name), ...(on ? [name] : [])];
  const all = [["epoch", epoch], ["hide", hide], ["point", point], ...switches];
  const controls = new Map(all.filter(([name]) => wanted.includes(name)).map(([name, { element: one }]) => [name, one]));
  const lit = new Map([...controls, ["memories", grips]]);

  function start() {
    if (locked) return;
    let at = model.epoch === last ? 0 : model.epoch;
    const pace = still.matches ? 5 : 1; // fewer pictures where motion is unwelcome
    playing = setInterval(() => {
      at = Math.min(last, at + pace);
      change({ epoch: at }, "epoch");
      if (at === last) stop();
    }, pace * PACE);
    show();
  }

  function stop() {
    clearInterval(playing);
    playing = null;
    show();
  }

  function show() {
    leaveOut(controls, model.shown);
    epoch.show(model.epoch, `${model.epoch} of ${last}, loss ${losses[model.epoch].toFixed(2)}`);
    play.textContent = playing ? "Pause" : model.epoch === last ? "Learn again" : "Learn";
    drawLoss();
    hide.show(model.hide);
    point.show(model.point);
    for (const [name, one] of switches) one.show(shows(name));
    const own = [epoch.input, play, ...hide.inputs, ...point.buttons, ...switches.map(([, one]) => one.element)];
    for (const one of own) one.disabled = locked;
  }

  // The loss so far above the slider, so that what is to come can be predicted.
  function drawLoss() {
    const high = Math.max(...losses);
    const place = (i) => `${((100 * i) / last).toFixed(2)},${(28 - (26 * losses[i]) / high).toFixed(2)}`;
    const upTo = Array.from({ length: model.epoch + 1 }, (_, i) => place(i));
    curve.setAttribute("aria-label", `The loss from epoch 0 to ${model.epoch}`);
    curve.replaceChildren(
      svg("path", { class: "floor", d: "M0,28 L100,28" }),
      svg("path", { class: "curve", d: `M${upTo.join(" L")}` }),
    );
  }

  board.marks.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const place = board.place(event);
    if (locked) {
      if (shows("pair")) chose?.(nearestPoint(pair().map((i) => points[i]), place));
      return;
    }
    if (wanted.includes("point")) change({ point: nearestPoint(points, place) }, "point picked");
  });

  show();
  return pictureOn(stage, board, {
    set,
    state: () => model,
    controls,
    lit,
    holds,
    lock(on) {
      locked = on;
      if (on) stop();
      show();
    },
    truth,
    regionAt: (x, y) => regionAt(sceneOf())(x, y),
    nearest: (place) => nearestPoint(memories[model.epoch], place),
    sentence,
    renew(dark) {
      colours = dark ? themes.dark : themes.light;
      board.touch();
    },
    stop() {
      stop();
      board.stop();
    },
    // For tests: the loss as this module computes it, and the labels.
    measured: () => ({ loss: lossOf(field, points, fill, steps), labels }),
  });
}

const gap = (one, other) => one.map((x, i) => x - other[i]);

function stroke(context, places) {
  context.beginPath();
  places.forEach((place) => context.lineTo(...place));
  context.stroke();
}

function disc(context, [x, y], radius, fill = context.fillStyle) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  const before = context.fillStyle;
  context.fillStyle = fill;
  context.fill();
  context.fillStyle = before;
  if (radius > 4) context.stroke();
}
