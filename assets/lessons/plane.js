// The picture of lessons 1 to 5: memories in the plane, their basins, and a ball that is pulled.
//
// Its state: {memories: [[x, y]], beta, steps, mode: "steps" | "attractor", particle: [x, y] | null,
// layers}; layers are some of "basins", "voronoi", "attractors", "disagreement", "points", "ball" (where
// it starts), "way" (all of its way) and "pulls"; `shown` are the controls that are not left out (null: all).
// `start` is not kept: where the toy's memories begin k-means, badly; own ones crowd around one centre.

import { nearest } from "../live_basins/field.js";
import { ARROWS, clamp } from "../live_basins/keys.js";
import { BETA, frameOf, rounded, sceneOf, STEPS } from "../live_basins/model.js";
import {
  drawMarks, edgesOf, makeOverlay, numberPlaces, pointsOf, wayOf,
} from "../live_basins/overlay.js";
import { makeRenderer } from "../live_basins/renderer.js";
import { screenOf, svg } from "../live_basins/svg.js";
import { figures } from "../live_basins/words.js";
import { PLAIN, leaveOut, namesOrNull } from "./board.js";
import { button, element, slider } from "./dom.js";
import { contested, labelAt, lloyd, sentence, settled, truth } from "./measures.js";
import { placed } from "./own.js";

const REST = 130; // milliseconds without a change, after which the exact picture is drawn
const ROLL = 900; // milliseconds of a ball's way
const SHARPEST = 1e6; // at which the nearest memory wins, however close another is
const CROWD = 0.15; // of their distances: what stays where memories are to start badly
const FIRST = {
  memories: [[0.3, 0.5], [0.7, 0.5]], beta: 10, steps: 10, mode: "steps", particle: null, layers: [],
  shown: null,
};

export function makePicture(stage, options) {
  const { own, centres, colours: themes, controls: wanted, changed, chose, addressOf } = options;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const canvas = element("canvas", { class: "marks", "aria-hidden": "true" });
  const root = svg("svg", { role: "group", "aria-label": "Memories and ball in the plane" });
  stage.append(canvas, root);
  const overlay = makeOverlay(root);
  const renderer = makeRenderer(stage, addressOf("live_basins/worker.js"), undefined, () => touch());

  let [model, points, box, side, scene] = [FIRST, options.points, null, 0, null];
  let [colours, locked, selected, asked, restTimer] = [themes.light, false, 0, false, 0];
  let [rolledAt, rollingOn, firstEnd, done] = [-Infinity, 0, null, new Set()];

  // --- state -------------------------------------------------------------------------------------

  function set(values) {
    const { start, ...known } = cleaned(values);
    const next = { ...model, ...known };
    if (own && known.memories) {
      ({ points, memories: next.memories } = placed(options.points, centres, known.memories));
    }
    if (known.memories || !box) box = frameOf(next.memories, points);
    if (start) next.memories = own ? crowded(next.memories) : start;
    model = next;
    selected = Math.min(selected, model.memories.length - 1);
    if (own && values.particle) model.particle = contested(sceneNow()).map(rounded);
    done = new Set();
    scene = sceneNow();
    firstEnd = endOf();
    leaveOut(controls, model.shown);
    if (values.particle || values.layers?.includes("way")) rolledAt = performance.now();
    touch();
  }

  function sceneNow() {
    const whole = { ...model, weights: model.memories.map(() => 1), energy: "euclidean", stepSize: null };
    return sceneOf(whole, { box, slice: null, colours, resting: null });
  }

  const endOf = () => model.particle && labelAt(scene)(...model.particle);

  function change(values, deed) {
    if (locked) return;
    model = { ...model, ...values };
    scene = sceneNow();
    done.add(deed);
    if (endOf() !== firstEnd) done.add("end changed");
    if (values.particle && deed === "particle dropped") rolledAt = performance.now();
    touch();
    changed();
  }

  function holds(until, value) {
    const [name, how] = until.split(" ");
    const now = { beta: model.beta, steps: model.steps }[name];
    if (how === "above") return now >= value && done.has(name);
    if (how === "below") return now <= value && done.has(name);
    if (how === "at") return now === value && done.has(name);
    if (until === "beta splits") return done.has("beta") && scene.attractors.length > 1;
    if (until === "lloyd settled") return settled(model.memories, points);
    return done.has(until);
  }

  // --- drawing -----------------------------------------------------------------------------------

  const shows = (layer) => model.layers.includes(layer);

  function touch() {
    if (!asked) {
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        draw(true);
      });
    }
    clearTimeout(restTimer);
    restTimer = setTimeout(() => draw(false), REST);
  }

  function draw(moving) {
    if (!side || !scene || !stage.isConnected) return;
    scene = sceneNow();
    stage.classList.toggle("bare", !shows("basins"));
    stage.classList.toggle("no-pulls", !shows("pulls"));
    if (shows("basins")) {
      const ratio = Math.min(2, devicePixelRatio || 1);
      renderer.draw({ scene, side, ratio, moving, done: () => {} });
    }
    const screen = screenOf(box, side);
    const edges = edgesOf(scene, model, null);
    overlay.drawNumbers(
      shows("basins") && !moving ? numberPlaces(scene, model.memories, edges, screen, side) : [],
    );
    marks(screen, edges);
    showControls();
  }

  function marks(screen, edges) {
    const found = shows("basins")
      ? pointsOf(scene, points).map(({ label }) => ({ label }))
      : points.map(() => ({ label: 0 }));
    const shades = shows("basins") ? colours : { ...colours, strong: [PLAIN] };
    const shown = { ...model, layers: [...model.layers, "memories"] };
    const picture = {
      model: shown, scene, screen, side, selected: -1, edges, colours: shades, slice: null,
      points: shows("points") ? points : null, found, way: null, step: 0,
    };
    drawMarks(canvas, picture);
    if (model.particle) Object.assign(picture, rolling());
    overlay.draw(picture);
    for (const grip of root.querySelectorAll("[data-memory], [data-particle]")) {
      if (locked) grip.setAttribute("tabindex", "-1");
      else if (grip.dataset.memory) grip.setAttribute("tabindex", "0");
      if (grip.dataset.particle) {
        const at = model.particle.map((x) => figures(x)).join(", ");
        grip.setAttribute("aria-label", `Ball, dropped at (${at}); arrow keys move it`);
      }
    }
  }

  // The ball rolls along its way once it is dropped; the picture beneath it stays.
  function rolling() {
    const whole = wayOf(scene, model.particle);
    if (!shows("way")) return { way: whole.slice(0, 1), step: 0 };
    const share = still.matches ? 1 : (performance.now() - rolledAt) / ROLL;
    if (share >= 1 || shows("pulls")) return { way: whole, step: shows("pulls") ? 0 : whole.length - 1 };
    cancelAnimationFrame(rollingOn);
    rollingOn = requestAnimationFrame(() => {
      if (stage.isConnected) marks(screenOf(box, side), edgesOf(scene, model, null));
    });
    const step = Math.floor(share * (whole.length - 1));
    return { way: whole.slice(0, step + 1), step };
  }

  // --- controls ----------------------------------------------------------------------------------

  const beta = slider({
    name: "beta", label: "β, inverse temperature", step: 0.01,
    low: Math.log10(0.1), high: Math.log10(BETA.high),
    input: (power) => change({ beta: rounded(10 ** power) }, "beta"),
  });
  const steps = slider({
    name: "steps", label: "T, steps of recall", step: 1, low: STEPS.low, high: 40,
    input: (count) => change({ steps: count }, "steps"),
  });
  const drop = button("Drop a ball", () => {
    const place = contested(scene).map((x) => x + 0.08 * (box.right - box.left) * (Math.random() - 0.5));
    change({ particle: place.map(rounded) }, "particle dropped");
  }, { "data-control": "particle" });
  const mode = button("", () => {
    change({ mode: model.mode === "steps" ? "attractor" : "steps" }, "mode pressed");
  }, { "data-control": "mode" });
  const round = button("Move each memory to the mean of its points", () => {
    change({ memories: lloyd(model.memories, points) }, "lloyd pressed");
  }, { "data-control": "lloyd" });

  const all = new Map([
    ["beta", beta.element],
    ["steps", steps.element],
    ["particle", drop],
    ["mode", mode],
    ["lloyd", round],
  ]);
  const controls = new Map([...all].filter(([name]) => wanted.includes(name)));
  const lit = new Map([...controls, ["memories", root.querySelector(".memories")]]);

  function showControls() {
    beta.show(Math.log10(model.beta), figures(model.beta));
    steps.show(model.steps, String(model.steps));
    steps.input.disabled = locked || model.mode === "attractor";
    beta.input.disabled = locked;
    for (const one of [drop, mode, round]) one.disabled = locked;
    round.disabled ||= settled(model.memories, points);
    mode.textContent = model.mode === "steps" ? "Let the balls roll to rest" : "Stop the balls after T steps";
  }

  // --- hands and keys ----------------------------------------------------------------------------

  const toPlane = (at) => screenOf(box, side).from(at);
  const toScreen = (at) => screenOf(box, side).to(at);
  const placeOf = (event) => {
    const { left, top } = stage.getBoundingClientRect();
    return toPlane([event.clientX - left, event.clientY - top]);
  };
  const inside = ([x, y]) => [
    rounded(clamp(x, { low: box.left, high: box.right })),
    rounded(clamp(y, { low: box.bottom, high: box.top })),
  ];
  let held = null;

  const moveTo = (mu, place) =>
    change({ memories: model.memories.map((one, i) => (i === mu ? inside(place) : one)) }, "memory moved");

  root.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const grip = event.target.closest("[data-memory], [data-particle]");
    const place = placeOf(event);
    held = { place, moved: false, memory: grip?.dataset.memory, particle: grip?.dataset.particle };
    if (!grip) return;
    if (held.memory) selected = Number(held.memory);
    const at = held.particle ? model.particle : model.memories[selected];
    held.offset = [at[0] - place[0], at[1] - place[1]];
    root.setPointerCapture(event.pointerId);
    event.preventDefault();
    grip.focus({ preventScroll: true });
  });
  root.addEventListener("pointermove", (event) => {
    if (!held) return;
    const place = placeOf(event);
    const far = Math.hypot(place[0] - held.place[0], place[1] - held.place[1]);
    held.moved ||= far * screenOf(box, side).scale > 3;
    if (!held.offset || !held.moved || locked) return;
    const to = [place[0] + held.offset[0], place[1] + held.offset[1]];
    if (held.particle) change({ particle: inside(to) }, "particle moved");
    else moveTo(selected, to);
  });
  root.addEventListener("pointerup", (event) => {
    const { memory, particle, moved } = held ?? { moved: true };
    held = null;
    if (moved) return;
    if (locked && memory) chose?.(Number(memory));
    else if (!memory && !particle && wanted.includes("particle")) {
      change({ particle: inside(placeOf(event)) }, "particle dropped");
    }
  });
  root.addEventListener("pointercancel", () => (held = null));
  root.addEventListener("keydown", (event) => {
    const grip = event.target.closest("[data-memory], [data-particle]");
    const way = ARROWS[event.key];
    if (!grip || !way || locked) return;
    event.preventDefault();
    const reach = (box.right - box.left) * (event.shiftKey ? 0.05 : 0.01);
    const shifted = ([x, y]) => inside([x + reach * way[0], y + reach * way[1]]);
    if (grip.dataset.particle) return change({ particle: shifted(model.particle) }, "particle moved");
    selected = Number(grip.dataset.memory);
    moveTo(selected, shifted(model.memories[selected]));
  });

  // --- its life ----------------------------------------------------------------------------------

  const sizes = new ResizeObserver(() => {
    if (!stage.clientWidth || stage.clientWidth === side) return;
    side = stage.clientWidth;
    root.setAttribute("viewBox", `0 0 ${side} ${side}`);
    touch();
  });
  sizes.observe(stage);

  return {
    set,
    get state() {
      return model;
    },
    controls,
    lit,
    holds,
    lock(on) {
      locked = on;
      stage.classList.toggle("locked", on);
      touch();
    },
    truth: (asks) => truth(asks, { scene: sceneNow(), model, points }),
    regionAt: (x, y) => labelAt(scene)(x, y),
    nearest: (place) => nearest(scene.field, place),
    stage,
    get size() {
      return side;
    },
    toPlane,
    toScreen,
    sentence: () => sentence({ scene: sceneNow(), model, points }),
    renew({ dark }) {
      colours = dark ? themes.dark : themes.light;
      if (scene) touch();
    },
    stop() {
      sizes.disconnect();
      clearTimeout(restTimer);
      cancelAnimationFrame(rollingOn);
      renderer.stop();
    },
  };
}

// Memories drawn together around the last of them: a bad start for k-means.
const crowded = (memories) => memories.map((at) => at.map((x, i) => rounded(memories.at(-1)[i] + CROWD * (x - memories.at(-1)[i]))));

// What a link or a lesson puts on the picture: only what is known, and only as it should be.
function cleaned(values) {
  const number = (value) => typeof value === "number" && Number.isFinite(value);
  const place = (at) => Array.isArray(at) && at.length === 2 && at.every(number);
  const places = (all) => Array.isArray(all) && all.length > 0 && all.length <= 9 && all.every(place);
  const legal = {
    memories: places,
    start: places,
    shown: namesOrNull,
    beta: (value) => number(value) && value >= BETA.low && value <= SHARPEST,
    steps: (value) => Number.isInteger(value) && value >= STEPS.low && value <= STEPS.high,
    mode: (value) => ["steps", "attractor"].includes(value),
    particle: (value) => value === null || place(value),
    layers: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
  };
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => legal[name]?.(value)),
  );
}
