// The picture of lesson 7: weights in the plane, then directions on the unit circle.
//
// Its state: {space: "plane" | "circle", memories: [[x, y]], weights, angles: [degrees], beta, steps,
// particle: [x, y] | null, press, selected, layers}. `press` is how far points have gone to length 1;
// layers are some of "basins", "points", "way" (of the particle) and "energy".

import { nearest as nearestMemory } from "../live_basins/field.js";
import { ARROWS } from "../live_basins/keys.js";
import { fieldOf, rounded, sceneOf } from "../live_basins/model.js";
import {
  drawMarks, edgesOf, makeOverlay, numberPlaces, pointsOf, wayOf,
} from "../live_basins/overlay.js";
import { regionAt } from "../live_basins/raster.js";
import { svg } from "../live_basins/svg.js";
import { figures, list, percent } from "../live_basins/words.js";
import { drawBasins, frameOf, handle, leaveOut, makeBoard, namesOrNull, pictureOn, PLAIN, put } from "./board.js";
import { button, element, slider } from "./dom.js";
import { placed } from "./own.js";
import { drawCircle } from "./ring.js";
import {
  angleOf, arcs, atAngle, borderBetween, labelOf, makeSphere, nearest, path, turn,
} from "./sphere.js";

const QUICK = 200; // pixels of a side while the picture moves
const CIRCLE = { left: -1.6, right: 1.6, bottom: -1.6, top: 1.6 };
const BETA = { low: 0.1, high: 100 };
const WEIGHT = { low: 0.1, high: 10 };
const LAYERS = ["basins", "points", "way", "energy"];
const HALFWAY = 2; // degrees: a border nearer to the middle than this lies halfway
const ARROW_DEGREES = 2;
const FIRST = {
  space: "plane", memories: [[-1, 0], [1, 0]], weights: [1, 1], angles: [0, 90], beta: 1, steps: 10,
  particle: null, press: 0, selected: 0, layers: [], shown: null,
};

export function makePicture(stage, options) {
  const { own, centres, colours: themes, controls: wanted, changed, chose } = options;
  let [model, points, colours, locked] = [FIRST, options.points, themes.light, false];
  let [done, scene, sphere] = [new Set(), null, null];
  const onCircle = () => model.space === "circle";
  const shows = (layer) => model.layers.includes(layer);

  const board = makeBoard(stage, { label: "Memories, and what they attract", box: CIRCLE, draw });
  const plane = board.marks.appendChild(svg("g"));
  const overlay = makeOverlay(plane);
  const ring = board.marks.appendChild(svg("g"));
  const grips = board.marks.appendChild(svg("g", { class: "memories" }));

  // --- state -------------------------------------------------------------------------------------

  function adopt(values) {
    model = { ...model, ...values };
    const all = { ...model, energy: "weighted", mode: "steps", stepSize: null };
    if (!onCircle()) board.box = box ??= frameOf([...model.memories, ...points]);
    else board.box = CIRCLE;
    scene = sceneOf({ ...all, layers: [] }, { box: board.box, slice: null, colours, resting: [] });
    sphere = makeSphere({ keys: model.angles.flatMap(atAngle), beta: model.beta });
    show();
    board.touch();
  }
  let box = null;

  function set(values) {
    const next = cleaned(values);
    if (next.memories) box = null;
    if (own && next.memories) {
      ({ points, memories: next.memories } = placed(options.points, centres, next.memories));
    }
    if (own && next.angles) next.angles = ownAngles(next.angles);
    if (next.between) Object.assign(next, { particle: betweenMemories({ ...model, ...next }) });
    delete next.between;
    const { memories, weights } = { ...model, ...next };
    if (weights.length !== memories.length) next.weights = memories.map(() => 1);
    adopt(next);
    done = new Set();
  }

  function change(values, deed) {
    if (locked) return;
    done.add(deed);
    adopt(values);
    changed();
  }

  const ownAngles = (angles) =>
    (centres[String(angles.length)] ?? angles.map(atAngle)).map((at) => rounded(angleOf(at)));

  // A share of the way from one memory to the next: [first, second, share].
  function betweenMemories({ space, memories, angles, particle, between: [one, other, share] }) {
    const count = (space === "circle" ? angles : memories).length;
    if (![one, other].every((mu) => Number.isInteger(mu) && mu >= 0 && mu < count)) return particle;
    if (space === "circle") return atAngle(angles[one] + share * turn(angles[one], angles[other])).map(rounded);
    return memories[one].map((x, i) => rounded(x + share * (memories[other][i] - x)));
  }

  function cleaned(values) {
    const number = (value) => typeof value === "number" && Number.isFinite(value);
    const place = (at) => Array.isArray(at) && at.length === 2 && at.every(number);
    const several = (legal) => (all) => Array.isArray(all) && all.length > 1 && all.length <= 9 && all.every(legal);
    const within = ({ low, high }) => (value) => number(value) && value >= low && value <= high;
    const legal = {
      shown: namesOrNull,
      space: (value) => ["plane", "circle"].includes(value),
      memories: several(place),
      weights: several(within(WEIGHT)),
      angles: several(number),
      beta: within(BETA),
      steps: (value) => Number.isInteger(value) && value > 0 && value <= 100,
      particle: (value) => value === null || place(value),
      between: (value) => value === null || (Array.isArray(value) && value.length === 3 && value.every(number)),
      press: within({ low: 0, high: 1 }),
      selected: (value) => Number.isInteger(value) && value >= 0 && value < 9,
      layers: (value) => Array.isArray(value) && value.every((name) => LAYERS.includes(name)),
    };
    return Object.fromEntries(Object.entries(values).filter(([name, value]) => legal[name]?.(value)));
  }

  function holds(until, value) {
    const [name, how] = until.split(" ");
    const now = { beta: model.beta, weight: model.weights[model.selected], press: model.press }[name];
    if (how === "above") return done.has(name) && now >= value;
    if (how === "below") return done.has(name) && now <= value;
    return done.has(until);
  }

  // --- measures ----------------------------------------------------------------------------------

  const labelAt = (place) =>
    onCircle() ? labelOf(sphere, place, model.steps) : regionAt(scene)(place[0], place[1]);

  function truth(asks) {
    const border = /^border side (\d) (\d)$/.exec(asks);
    if (border) {
      const [one, other] = border.slice(1).map((number) => Number(number) - 1);
      const at = borderBetween(sphere, one, other, model.steps);
      const share = turn(model.angles[one], at ?? model.angles[other]);
      const off = Math.abs(share) - Math.abs(turn(model.angles[one], model.angles[other])) / 2;
      return Math.abs(off) < HALFWAY ? 1 : off < 0 ? 0 : 2;
    }
    const tripled = /^memory of particle if weight (\d) is (\d+)$/.exec(asks);
    if (tripled) {
      const weights = model.weights.map((own, mu) => (mu === tripled[1] - 1 ? Number(tripled[2]) : own));
      const field = fieldOf({ ...model, weights, energy: "weighted" }, null);
      return regionAt({ ...scene, field })(...model.particle);
    }
    if (asks === "memory of particle") return labelAt(model.particle);
    throw new Error(`the circle does not measure "${asks}"`);
  }

  function sentence() {
    const ball = model.particle && shows("way") ? ` ${ballSentence()}` : "";
    if (!onCircle()) return `${shows("basins") ? planeSentence() : `${model.memories.length} memories, basins hidden.`}${ball}`;
    if (model.press < 1) {
      const part = model.press ? `${Math.round(100 * model.press)} % of the way` : "still at their own lengths";
      return `${points.length} points, ${part}${model.press ? " to length 1" : ""}; only directions will stay.${ball}`;
    }
    if (!shows("basins")) {
      const shown = shows("points") ? `${points.length} points at length 1, and ` : "";
      return `${shown}${model.angles.length} memories on the circle at ${list(model.angles.map(degrees))}; arcs hidden.${ball}`;
    }
    const found = arcs(sphere, model.steps);
    const share = (mu) =>
      found.filter(({ label }) => label === mu).reduce((sum, { from, to }) => sum + (to - from) / 360, 0);
    const parts = model.angles.map((angle, mu) => `memory ${mu + 1} at ${degrees(angle)} gets ${percent(share(mu))}`);
    return `Of the circle at β = ${figures(model.beta)}, ${list(parts)}.${ball}`;
  }

  function planeSentence() {
    const region = regionAt(scene);
    const n = 100;
    const counts = model.memories.map(() => 0);
    const { left, right, bottom, top } = board.box;
    for (let i = 0; i < n * n; i++) {
      const [x, y] = [(i % n) + 0.5, Math.floor(i / n) + 0.5];
      counts[region(left + (x / n) * (right - left), bottom + (y / n) * (top - bottom))]++;
    }
    const parts = counts.map((count, mu) =>
      `memory ${mu + 1} of weight ${figures(model.weights[mu])} gets ${percent(count / (n * n))}`,
    );
    return `Of the picture at β = ${figures(model.beta)}, ${list(parts)}.`;
  }

  function ballSentence() {
    const first = onCircle() ? nearest(sphere, model.particle) : nearestMemory(scene.field, model.particle);
    const last = labelAt(model.particle);
    const stays = onCircle() ? ", and never leaves the circle" : "";
    return first === last
      ? `The ball goes to memory ${last + 1}, the nearest${stays}.`
      : `The ball goes to memory ${last + 1}, though memory ${first + 1} is nearer${stays}.`;
  }

  // --- drawing -----------------------------------------------------------------------------------

  function draw(picture, moving) {
    plane.toggleAttribute("hidden", onCircle());
    for (const layer of [ring, grips]) layer.toggleAttribute("hidden", !onCircle());
    stage.classList.toggle("bare", onCircle() || !shows("basins"));
    stage.classList.add("no-pulls");
    ball.toggleAttribute("hidden", !onCircle() || !model.particle);
    dots.hidden = onCircle();
    if (onCircle()) {
      const way = model.particle && path(sphere, model.particle, model.steps, 1 / model.steps);
      drawCircle(picture, { model, sphere, points, way, shows, colours, ring });
      drawHandles(picture.screen);
      return;
    }
    const { context, side, size, screen } = picture;
    scene.box = board.box;
    if (shows("basins")) {
      drawBasins(context, scene, { size: moving ? QUICK : size, side });
    }
    drawPlane(picture, screen, moving);
  }

  const dots = stage.appendChild(element("canvas", { class: "marks", "aria-hidden": "true" }));

  function drawPlane({ side }, screen, moving) {
    const shown = { ...model, energy: "weighted", layers: ["memories"], swarm: false };
    const found = shows("points") && pointsOf(scene, points);
    const grey = { ...colours, strong: [PLAIN] };
    drawMarks(dots, {
      scene, model: shown, points: shows("points") ? points : null, screen, side,
      found: shows("basins") ? found : points.map(() => ({ label: 0 })), colours: shows("basins") ? colours : grey,
    });
    const way = model.particle && wayOf(scene, model.particle).slice(0, shows("way") ? undefined : 1);
    overlay.draw({
      model: shown, scene, screen, side, selected: model.selected, way, step: way ? way.length - 1 : 0, slice: null,
      edges: edgesOf(scene, shown, null),
    });
    const numbered = shows("basins") && !moving;
    overlay.drawNumbers(numbered ? numberPlaces(scene, model.memories, [], screen, side) : []);
    for (const grip of plane.querySelectorAll("[data-memory], [data-particle]")) {
      grip.setAttribute("tabindex", locked ? "-1" : "0");
    }
  }

  // Memories and the ball on the circle: sliders of their angle.
  const onRing = [];

  function drawHandles(screen) {
    while (onRing.length < model.angles.length) onRing.push(ringHandle(onRing.length));
    while (onRing.length > model.angles.length) onRing.pop().remove();
    onRing.forEach((mark, mu) => {
      put(mark, screen.to(atAngle(model.angles[mu])), `Memory ${mu + 1}, at ${degrees(model.angles[mu])}; arrow keys turn it`);
      mark.setAttribute("tabindex", locked ? "-1" : "0");
    });
    ball.setAttribute("tabindex", locked ? "-1" : "0");
    if (model.particle) {
      put(ball, screen.to(model.particle), `Ball, dropped at ${degrees(angleOf(model.particle))}; arrow keys turn it`);
    }
  }

  const turned = (dx, dy) => ARROW_DEGREES * (dy || -dx); // right and down turn clockwise

  function ringHandle(mu) {
    const to = (angle) =>
      change({ angles: model.angles.map((one, i) => (i === mu ? rounded((angle + 360) % 360) : one)) }, "memory moved");
    const mark = handle(board, {
      className: "memory", text: String(mu + 1),
      chosen: () => locked && chose?.(mu),
      moved: (place) => to(angleOf(place)),
      stepped: (dx, dy) => to(model.angles[mu] + turned(dx, dy)),
    });
    mark.dataset.memory = String(mu);
    return grips.appendChild(mark);
  }

  const dropAt = (angle, deed) => change({ particle: atAngle(angle).map(rounded) }, deed);
  const ball = board.marks.appendChild(
    handle(board, {
      className: "start", radius: 9,
      moved: (place) => dropAt(angleOf(place), "particle moved"),
      stepped: (dx, dy) => dropAt(angleOf(model.particle) + turned(dx, dy), "particle moved"),
    }),
  );
  ball.querySelector(".disc").setAttribute("class", "ring");
  ball.dataset.particle = "ring";

  // --- controls ----------------------------------------------------------------------------------

  const weight = slider({
    name: "weight", label: "Weight", low: Math.log10(WEIGHT.low), high: Math.log10(WEIGHT.high), step: 0.01,
    input: (power) =>
      change({ weights: model.weights.map((own, mu) => (mu === model.selected ? rounded(10 ** power) : own)) }, "weight"),
  });
  const beta = slider({
    name: "beta", label: "β, inverse temperature", low: Math.log10(BETA.low), high: Math.log10(BETA.high), step: 0.01,
    input: (power) => change({ beta: rounded(10 ** power) }, "beta"),
  });
  const press = slider({
    name: "press", label: "Press the points to length 1", low: 0, high: 1, step: 0.01,
    input: (share) => change({ press: share }, "press"),
  });
  const drop = button("Drop a ball", () => {
    if (onCircle()) return dropAt(360 * Math.random(), "particle dropped");
    const { left, right, bottom, top } = board.box;
    const place = [left + (right - left) * Math.random(), bottom + (top - bottom) * Math.random()];
    return change({ particle: place.map(rounded) }, "particle dropped");
  }, { "data-control": "particle" });

  const all = new Map([["weight", weight.element], ["beta", beta.element], ["press", press.element], ["particle", drop]]);
  const controls = new Map([...all].filter(([name]) => wanted.includes(name)));
  const lit = new Map([...controls, ["memories", board.marks]]);

  function show() {
    leaveOut(controls, model.shown);
    const own = model.weights[model.selected] ?? 1;
    weight.element.querySelector("label").textContent = `Weight of memory ${model.selected + 1}`;
    weight.show(Math.log10(own), figures(own));
    beta.show(Math.log10(model.beta), figures(model.beta));
    press.show(model.press, percent(model.press));
    for (const one of [weight.input, beta.input, press.input, drop]) one.disabled = locked;
  }

  // --- hands and keys in the plane; the circle's handles have their own ------------------------------

  let held = null;

  const inside = ([x, y]) => {
    const { left, right, bottom, top } = board.box;
    return [Math.min(right, Math.max(left, x)), Math.min(top, Math.max(bottom, y))].map(rounded);
  };
  const moveTo = (mu, place) =>
    change({ memories: model.memories.map((at, i) => (i === mu ? inside(place) : at)) }, "memory moved");

  board.marks.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const grip = event.target.closest("[data-memory], [data-particle]");
    if (locked) {
      if (grip?.dataset.memory) chose?.(Number(grip.dataset.memory));
      return;
    }
    const place = board.place(event);
    if (!grip) {
      if (!wanted.includes("particle")) return;
      if (onCircle()) dropAt(angleOf(place), "particle dropped");
      else change({ particle: inside(place) }, "particle dropped");
      return;
    }
    held = grip.dataset;
    board.marks.setPointerCapture(event.pointerId);
    grip.focus({ preventScroll: true });
    if (held.memory) change({ selected: Number(held.memory) }, "memory picked");
  });
  board.marks.addEventListener("pointermove", (event) => {
    if (!held || locked) return;
    const place = board.place(event);
    if (held.particle) change({ particle: inside(place) }, "particle moved");
    else moveTo(Number(held.memory), place);
  });
  for (const end of ["pointerup", "pointercancel"]) board.marks.addEventListener(end, () => (held = null));
  plane.addEventListener("keydown", (event) => {
    const grip = event.target.closest("[data-memory], [data-particle]");
    if (!grip || locked) return;
    const way = ARROWS[event.key];
    if (!way && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (grip.dataset.memory) change({ selected: Number(grip.dataset.memory) }, "memory picked");
    if (!way) return;
    const reach = (board.box.right - board.box.left) * (event.shiftKey ? 0.05 : 0.01);
    const shifted = ([x, y]) => [x + reach * way[0], y + reach * way[1]];
    if (grip.dataset.particle) change({ particle: inside(shifted(model.particle)) }, "particle moved");
    else moveTo(model.selected, shifted(model.memories[model.selected]));
  });

  adopt({});
  return pictureOn(stage, board, {
    set,
    state: () => model,
    controls,
    lit,
    holds,
    lock(on) {
      locked = on;
      show();
      board.touch();
    },
    truth,
    regionAt: (x, y) => labelAt([x, y]),
    nearest: (place) => (onCircle() ? nearest(sphere, place) : nearestMemory(scene.field, place)),
    sentence,
    renew(dark) {
      colours = dark ? themes.dark : themes.light;
      adopt({});
    },
  });
}

const degrees = (angle) => `${Math.round(angle)}°`;
