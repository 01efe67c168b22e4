// The live canvas: one state, moved by hands and keys, drawn at once; Python hears of it on release.

import { autoBeta, entropy, softmax } from "./field.js";
import { makeHistory } from "./history.js";
import { ARROWS, clamp } from "./keys.js";
import { read } from "./mail.js";
import {
  BETA, fieldOf, frameOf, MOST_MEMORIES, rounded, sceneOf, SHADES, WEIGHT,
} from "./model.js";
import { mounting } from "./mounting.js";
import {
  drawMarks, edgesOf, hasCells, lifted, makeOverlay, numberPlaces, pointsOf, wayOf,
} from "./overlay.js";
import { makeRenderer } from "./renderer.js";
import { screenOf, svg } from "./svg.js";
import { isDark } from "./theme.js";
import { makeTree } from "./tree.js";
import { energyNeverRises, figures, particleSentence, percent, pictureSentence } from "./words.js";

const REST = 130; // milliseconds without a change, after which the exact picture is drawn
const RELEASE = 220; // milliseconds without a key, after which Python hears of it
const DOUBLE = 400; // milliseconds within which two clicks are one double click
const NOTCH = 1 / 20; // decades of beta
const SWEEP = 0.5; // decades a second at speed 1
const CALM_SWEEP = 1 / 4; // decades of one jump a second where motion is unwelcome
const MANY = 16; // memories: above it attractors wait for rest unless they decide the picture
const VERIFIED = 400; // pixels along each side
const KEPT_FRAMES = 4000;
const LAYERS = {
  voronoi: "Voronoi edges",
  memories: "Memories",
  attractors: "Attractors",
  disagreement: "Where they differ",
  entropy: "Entropy",
  energy: "Energy",
  pull: "Pull",
  tree: "Attractor tree",
};

export const mount = mounting(start);

function start(component, addressOf) {
  const root = component.parentElement.querySelector(".live");
  const part = (id) => root.querySelector(`[data-id="${id}"]`);
  const { address, presets, colours: themes } = component.data;
  const stage = part("stage");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let tell = component;
  let [model, home, box, points, slice, factor] = [null, null, null, null, null, 1];
  let pointLabels = null; // given where a slice shows rows that do not lie in it
  let [history, revision, selected, preview, step] = [null, null, 0, null, 0];
  let [scene, found, side, colours] = [null, [], 0, themes.light];
  let [asked, playing, restTimer, releaseTimer, inputAt, leaving] = [false, false, 0, 0, 0, null];
  let hidden = new Set(); // groups of controls that a teacher's link leaves out, and their keys
  const frames = [];

  const renderer = makeRenderer(stage, addressOf("live_basins/worker.js"), globalThis.basinscopeRenderer, () => settle());
  const overlay = makeOverlay(part("overlay"));
  const tree = makeTree(part("tree"), {
    preview: (beta) => {
      if (hidden.has("beta")) return;
      preview = beta && clamp(beta, BETA);
      touch();
    },
    choose: (beta) => {
      if (hidden.has("beta")) return;
      preview = null;
      change({ beta: rounded(clamp(beta, BETA)) });
      release();
    },
    shown: (beta) => beta * factor,
  });
  let treeOf = null;

  // --- state -------------------------------------------------------------------------------------

  const shownModel = () => (preview ? { ...model, beta: preview } : model);
  const whatTreeIsOf = (m) =>
    JSON.stringify([m.memories, m.energy === "weighted" ? m.weights : null]);

  function change(values) {
    model = { ...model, ...values };
    touch();
  }

  // Python hears of it at once, before the exact picture is drawn.
  function release() {
    clearTimeout(releaseTimer);
    if (!history || !history.commit({ ...model, box })) return;
    tellPython();
    controls();
  }

  function releaseSoon() {
    clearTimeout(releaseTimer);
    releaseTimer = setTimeout(release, RELEASE);
  }

  function tellPython() {
    const { swarm, ...kept } = model;
    tell.setStateValue("release", { ...kept, revision });
  }

  function adopt({ box: frame, ...next }) {
    model = { swarm: model?.swarm ?? false, ...next };
    box = frame ?? box;
    selected = Math.min(selected, model.memories.length - 1);
  }

  function open(letter) {
    factor = letter.factor;
    part("verdict").textContent = letter.verified ?? "";
    part("verify").disabled = false;
    tree.set(letter.tree);
    treeOf = letter.tree && whatTreeIsOf(letter.tree.of);
    if (letter.revision !== revision) {
      [revision, slice] = [letter.revision, letter.slice ?? null];
      adopt(letter.model);
      home = model;
      box = slice ? frameOf(slice.shown, points ?? []) : frameOf(model.memories, points ?? []);
      if (!history) history = makeHistory({ ...model, box });
      else history.commit({ ...model, box });
      step = 0;
    }
    touch();
  }

  function openPoints(letter) {
    const same = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
    if (same(points, letter.points) && same(pointLabels, letter.labels)) return;
    [points, pointLabels] = [letter.points, letter.labels ?? null];
    if (!model) return;
    box = frameOf(slice ? slice.shown : model.memories, points ?? []);
    touch();
  }

  function travel(to) {
    adopt(to);
    tellPython();
    touch();
  }

  // --- drawing -----------------------------------------------------------------------------------

  function touch() {
    inputAt ||= performance.now();
    if (!asked) {
      asked = true;
      requestAnimationFrame(frame);
    }
    clearTimeout(restTimer);
    restTimer = setTimeout(settle, REST);
  }

  function remake(quick) {
    const now = shownModel();
    const before = scene;
    const idle = quick && now.mode === "steps" && now.memories.length > MANY && before;
    scene = sceneOf(now, { box, slice, colours, resting: idle ? before.attractors : null });
    if (pointLabels) found = pointLabels.map((label) => ({ label, leaves: false }));
    else found = points ? pointsOf(scene, points) : [];
    return now;
  }

  function paint(moving) {
    const since = inputAt || performance.now();
    inputAt = 0;
    const ratio = Math.min(2, devicePixelRatio || 1);
    renderer.draw({
      scene, side, ratio, moving,
      done: (report) => {
        const at = performance.now();
        frames.push({ ...report, at, latency: at - since });
        if (frames.length > KEPT_FRAMES) frames.shift();
        if (report.looked) leaving = report.leaving / report.looked;
        if (report.sharp) say();
      },
    });
  }

  function frame() {
    asked = false;
    if (!model || !side || !root.isConnected) return;
    const now = remake(true);
    paint(true);
    overlay.drawNumbers([]);
    marks(now);
    controls();
    part("words").classList.add("stale");
  }

  // The exact picture, and the words that go with it.
  function settle() {
    if (!model || !side || playing || !root.isConnected) return;
    clearTimeout(restTimer);
    const now = remake(false);
    paint(false);
    marks(now);
    const screen = screenOf(box, side);
    const places = slice ? slice.shown : now.memories;
    overlay.drawNumbers(numberPlaces(scene, places, edgesOf(scene, now, slice), screen, side));
    controls();
  }

  function marks(now) {
    const screen = screenOf(box, side);
    const way = now.particle && wayOf(scene, now.particle);
    if (way) step = Math.min(step, way.length - 1);
    const picture = {
      model: now, scene, screen, side, selected, way, step, slice,
      points, found, colours, edges: edgesOf(scene, now, slice),
    };
    overlay.draw(picture);
    drawMarks(part("marks"), picture);
    showParticle(way);
    showTree(now);
  }

  function showTree(now) {
    const figure = part("tree");
    const wanted = now.layers.includes("tree");
    figure.hidden = !wanted || !tree.known;
    if (figure.hidden) return;
    figure.classList.toggle("stale", treeOf !== whatTreeIsOf(now));
    tree.draw(now.beta, colours);
  }

  function showParticle(way) {
    part("particle").hidden = !way;
    if (!way) return;
    const slider = part("step");
    slider.max = String(way.length - 1);
    slider.value = String(step);
    const text = `${step} of ${way.length - 1}`;
    part("step-value").textContent = text;
    slider.setAttribute("aria-valuetext", `step ${text}`);
    part("particle-words").textContent = particleSentence(scene.field, way);
    drawEnergy(part("energy-chart"), way, step);
  }

  // --- words -------------------------------------------------------------------------------------

  function meanEntropy(n = 100) {
    const shares = new Float64Array(scene.field.k);
    let sum = 0;
    for (let row = 0; row < n; row++) {
      for (let column = 0; column < n; column++) {
        const x = box.left + ((box.right - box.left) * (column + 0.5)) / n;
        const y = box.bottom + ((box.top - box.bottom) * (row + 0.5)) / n;
        softmax(scene.field, lifted(scene, [x, y]), shares);
        sum += entropy(shares);
      }
    }
    return sum / (n * n);
  }

  // Its number; 0 where all weigh alike.
  function heaviest({ energy, weights }) {
    const most = Math.max(...weights);
    const even = energy !== "weighted" || weights.every((weight) => weight === most);
    return even ? 0 : weights.indexOf(most) + 1;
  }

  function say() {
    const now = shownModel();
    const text = pictureSentence({
      k: scene.field.k,
      shownBeta: now.beta * factor,
      steps: scene.steps,
      leaving: leaving ?? 0,
      attractors: scene.attractors.length,
      entropy: meanEntropy(),
      heaviest: heaviest(now),
      points: pointLabels ? 0 : found.length,
      pointsLeaving: found.filter(({ leaves }) => leaves).length,
    });
    const whole = tree.known && now.layers.includes("tree") ? `${text} ${tree.sentence()}` : text;
    part("words").textContent = whole;
    part("words").classList.remove("stale");
    part("said").textContent = text;
    readout();
  }

  function readout() {
    const by = renderer.kind === "shader" ? "the graphics card" : renderer.name;
    const gone = leaving === null ? "" : ` · ${percent(leaving)} leaves its Voronoi cell`;
    const count = scene.attractors.length;
    part("readout").textContent =
      `${count} attractor${count === 1 ? "" : "s"}${gone} · drawn by ${by}`;
  }

  // --- controls ----------------------------------------------------------------------------------

  const setRange = (id, value, text) => {
    const slider = part(id);
    if (Number(slider.value) !== value) slider.value = String(value);
    slider.setAttribute("aria-valuetext", text);
    part(`${id}-value`).textContent = text;
  };

  function controls() {
    const now = shownModel();
    setRange("beta", Math.log10(now.beta), figures(now.beta * factor, 4));
    setRange("steps", now.steps, String(now.steps));
    part("steps").disabled = now.mode === "attractor";
    for (const radio of root.querySelectorAll("input[name=live-mode]")) {
      radio.checked = radio.value === now.mode;
    }
    for (const radio of root.querySelectorAll("input[name=live-energy]")) {
      radio.checked = radio.value === now.energy;
    }
    for (const chip of part("layers").children) {
      chip.setAttribute("aria-pressed", String(now.layers.includes(chip.dataset.layer)));
    }
    const weighted = now.energy === "weighted" && !slice;
    part("weight-dial").hidden = !weighted;
    if (weighted) {
      const weight = now.weights[selected];
      part("weight-label").textContent = `Weight of memory ${selected + 1}`;
      setRange("weight", Math.log10(weight), figures(weight));
    }
    for (const id of ["preset", "random", "add", "remove", "fit", "energies"]) {
      part(id).hidden = slice !== null;
    }
    part("preset").closest("label").hidden = slice !== null;
    part("verify").hidden = slice !== null;
    part("layers").querySelector("[data-layer=voronoi]").hidden = !hasCells(slice);
    part("layers").querySelector("[data-layer=tree]").hidden = slice !== null;
    part("add").disabled = now.memories.length >= MOST_MEMORIES;
    part("remove").disabled = now.memories.length < 2;
    part("undo").disabled = !history?.canUndo;
    part("redo").disabled = !history?.canRedo;
    part("clear").disabled = !now.particle && !now.swarm;
    part("swarm").setAttribute("aria-pressed", String(now.swarm));
    const own = presets.find(({ memories }) => String(memories) === String(now.memories));
    const exact = presets.find(
      ({ memories, beta }) => String(memories) === String(now.memories) && beta === now.beta,
    );
    part("preset").value = (exact ?? own)?.key ?? "";
    const note = (exact ?? own)?.note ?? (slice ? slice.note : "");
    part("note").hidden = !note;
    part("note").textContent = note;
    part("play").textContent = playing ? "Pause" : "Play";
    part("play").setAttribute("aria-pressed", String(playing));
  }

  const at = (id, event, act) => part(id).addEventListener(event, act);

  at("beta", "input", () => change({ beta: rounded(10 ** Number(part("beta").value)) }));
  at("steps", "input", () => change({ steps: Number(part("steps").value) }));
  at("weight", "input", () => {
    const weight = rounded(clamp(10 ** Number(part("weight").value), WEIGHT));
    change({ weights: model.weights.map((w, mu) => (mu === selected ? weight : w)) });
  });
  for (const id of ["beta", "steps", "weight"]) at(id, "change", releaseSoon);
  at("step", "input", () => {
    step = Number(part("step").value);
    touch();
  });
  root.addEventListener("change", ({ target: { name, value } }) => {
    if (name === "live-mode") change({ mode: value });
    else if (name === "live-energy") change({ energy: value });
    else return;
    release();
  });

  const notch = (count) => {
    const power = Math.log10(model.beta) + count * NOTCH;
    change({ beta: rounded(clamp(10 ** power, BETA)) });
    releaseSoon();
  };
  at("back", "click", () => notch(-1));
  at("forth", "click", () => notch(1));
  at("auto", "click", () => {
    change({ beta: rounded(clamp(autoBeta(fieldOf(model, slice)), BETA)) });
    release();
  });

  let [upward, sweptAt] = [true, 0];
  function sweep(now) {
    if (!playing || !root.isConnected) return;
    const calm = still.matches;
    const seconds = Math.min(1.2, (now - sweptAt) / 1000);
    if (!calm || seconds >= 1) {
      const decades = calm ? CALM_SWEEP : SWEEP * seconds;
      const speed = Number(part("speed").value);
      const power = Math.log10(model.beta) + (upward ? 1 : -1) * decades * speed;
      if (power >= Math.log10(BETA.high)) upward = false;
      if (power <= Math.log10(BETA.low)) upward = true;
      sweptAt = now;
      change({ beta: clamp(10 ** power, BETA) });
    }
    requestAnimationFrame(sweep);
  }
  function play(on) {
    if (playing === on) return;
    playing = on;
    if (on) {
      sweptAt = performance.now();
      requestAnimationFrame(sweep);
    } else {
      change({ beta: rounded(model.beta) });
      release();
    }
    controls();
  }
  at("play", "click", () => play(!playing));

  for (const [layer, title] of Object.entries(LAYERS)) {
    const chip = document.createElement("button");
    Object.assign(chip, { type: "button", className: "chip", textContent: title });
    chip.dataset.layer = layer;
    chip.addEventListener("click", () => toggle(layer));
    part("layers").append(chip);
  }
  function toggle(layer) {
    const on = !model.layers.includes(layer);
    // Entropy and energy colour the same pixels: one at a time.
    const others = model.layers.filter(
      (one) => one !== layer && !(on && SHADES.includes(layer) && SHADES.includes(one)),
    );
    const layers = on ? [...others, layer] : others;
    change({ layers: Object.keys(LAYERS).filter((one) => layers.includes(one)) });
    release();
  }

  const own = document.createElement("option");
  Object.assign(own, { value: "", textContent: "My own memories" });
  part("preset").append(
    own,
    ...presets.map(({ key, title }) => Object.assign(document.createElement("option"), { value: key, textContent: title })),
  );
  at("preset", "change", () => {
    const preset = presets.find(({ key }) => key === part("preset").value);
    if (!preset) return controls();
    const { memories, beta, steps, particle } = preset;
    replace(memories, { beta, steps, mode: "steps", energy: "euclidean", particle });
  });
  at("random", "click", () => {
    const draw = () => Number((0.05 + 0.9 * Math.random()).toFixed(3));
    replace(model.memories.map(() => [draw(), draw()]), { particle: null });
  });
  function replace(memories, values) {
    selected = 0;
    step = 0;
    box = frameOf(memories, points ?? []);
    change({ memories, weights: memories.map(() => 1), ...values });
    release();
  }

  const fixed = () => slice !== null || hidden.has("memories");

  function addMemory(place) {
    if (fixed() || model.memories.length >= MOST_MEMORIES) return;
    selected = model.memories.length;
    change({ memories: [...model.memories, place.map(rounded)], weights: [...model.weights, 1] });
    release();
  }
  function addSomewhere() {
    // Where there is most room: the farthest of a few places from all memories.
    const shares = Array.from({ length: 81 }, (_, i) => [(1 + (i % 9)) / 10, (1 + Math.floor(i / 9)) / 10]);
    const places = shares.map(([x, y]) => [
      box.left + x * (box.right - box.left),
      box.bottom + y * (box.top - box.bottom),
    ]);
    const room = ([x, y]) => Math.min(...model.memories.map(([a, b]) => Math.hypot(a - x, b - y)));
    addMemory(places.reduce((best, place) => (room(place) > room(best) ? place : best)));
    // It is drawn in the next frame.
    requestAnimationFrame(() => requestAnimationFrame(() => overlay.handle(selected)?.focus()));
  }
  function removeMemory() {
    if (fixed() || model.memories.length < 2) return;
    const others = (list) => list.filter((_, mu) => mu !== selected);
    const values = { memories: others(model.memories), weights: others(model.weights) };
    selected = Math.max(0, selected - 1);
    change(values);
    release();
  }
  function reset() {
    if (!slice) box = frameOf(home.memories, points ?? []);
    [selected, step] = [0, 0];
    change({ ...home, swarm: false });
    release();
  }
  at("add", "click", addSomewhere);
  at("remove", "click", removeMemory);
  at("undo", "click", () => travel(history.undo()));
  at("redo", "click", () => travel(history.redo()));
  at("reset", "click", reset);
  at("fit", "click", () => {
    box = frameOf(model.memories, points ?? []);
    touch();
    release();
  });
  at("full", "click", fullScreen);
  function fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else root.requestFullscreen?.().catch(() => {});
  }
  document.addEventListener("fullscreenchange", nameFullScreen);
  function nameFullScreen() {
    const on = root.getRootNode().fullscreenElement === root;
    part("full").textContent = on ? "Leave full screen" : "Full screen";
  }
  at("drop", "click", () => {
    dropParticle([box.left + 0.42 * (box.right - box.left), box.bottom + 0.5 * (box.top - box.bottom)]);
  });
  at("swarm", "click", () => change({ swarm: !model.swarm }));
  at("clear", "click", () => {
    change({ particle: null, swarm: false });
    release();
  });
  at("verify", "click", verify);

  function dropParticle(place) {
    step = 0;
    change({ particle: place.map(rounded) });
    release();
  }

  // --- hands and keys ----------------------------------------------------------------------------

  const placeOf = (event) => {
    const { left, top } = stage.getBoundingClientRect();
    return screenOf(box, side).from([event.clientX - left, event.clientY - top]);
  };
  const inside = ([x, y]) => [
    clamp(x, { low: box.left, high: box.right }),
    clamp(y, { low: box.bottom, high: box.top }),
  ];
  let held = null; // {memory | particle, offset, moved}
  let [clickedAt, particleBefore] = [-Infinity, null];

  stage.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !model) return;
    const grip = event.target.closest("[data-memory], [data-particle]");
    const place = placeOf(event);
    held = { place, moved: false };
    if (grip?.dataset.memory) {
      selected = Number(grip.dataset.memory);
      if (!fixed()) held.memory = selected;
      touch();
    } else if (grip?.dataset.particle) held.particle = !hidden.has("particle");
    const at = held.particle ? model.particle : model.memories[held.memory];
    if (at) {
      held.offset = [at[0] - place[0], at[1] - place[1]];
      stage.setPointerCapture(event.pointerId);
      event.preventDefault();
      (held.particle ? grip : overlay.handle(selected)).focus({ preventScroll: true });
    }
    held.grip = Boolean(grip);
  });
  stage.addEventListener("pointermove", (event) => {
    if (!held) return;
    const place = placeOf(event);
    const far = Math.hypot(place[0] - held.place[0], place[1] - held.place[1]);
    held.moved ||= far * screenOf(box, side).scale > 3;
    if (!held.offset || !held.moved) return;
    const next = inside([place[0] + held.offset[0], place[1] + held.offset[1]]).map(rounded);
    if (held.particle) change({ particle: next });
    else change({ memories: model.memories.map((one, mu) => (mu === held.memory ? next : one)) });
  });
  stage.addEventListener("pointerup", (event) => {
    const { grip, moved } = held ?? {};
    held = null;
    if (grip) release();
    else if (grip === false && !moved && !hidden.has("particle")) {
      // Python waits a moment: a second click would make it a memory instead.
      if (performance.now() - clickedAt > DOUBLE) particleBefore = model.particle;
      clickedAt = performance.now();
      step = 0;
      change({ particle: inside(placeOf(event)).map(rounded) });
      clearTimeout(releaseTimer);
      releaseTimer = setTimeout(release, DOUBLE);
    }
  });
  stage.addEventListener("pointercancel", () => {
    held = null;
    if (model) release();
  });
  stage.addEventListener("dblclick", (event) => {
    if (fixed() || event.target.closest("[data-memory]")) return;
    model = { ...model, particle: particleBefore };
    addMemory(inside(placeOf(event)));
  });


  function moveByKey(event) {
    const grip = event.target.closest?.("[data-memory], [data-particle]");
    const way = ARROWS[event.key];
    if (!grip || !way) return false;
    const reach = (box.right - box.left) * (event.shiftKey ? 0.05 : 0.01);
    const shift = ([x, y]) => inside([x + reach * way[0], y + reach * way[1]]).map(rounded);
    if (grip.dataset.particle && !hidden.has("particle")) change({ particle: shift(model.particle) });
    else if (grip.dataset.particle || fixed()) return false;
    else {
      selected = Number(grip.dataset.memory);
      const memories = model.memories.map((one, mu) => (mu === selected ? shift(one) : one));
      change({ memories });
    }
    releaseSoon();
    return true;
  }

  function select(next) {
    const count = (slice ? slice.shown : model.memories).length;
    selected = (next + count) % count;
    touch();
    requestAnimationFrame(() => overlay.handle(selected)?.focus());
    return true;
  }

  const KEYS = {
    Delete: () => removeMemory(),
    Backspace: () => removeMemory(),
    PageUp: () => select(selected - 1),
    PageDown: () => select(selected + 1),
    a: () => addSomewhere(),
    p: () => part("drop").click(),
    f: () => fullScreen(),
    " ": () => play(!playing),
  };

  const NEEDS = { Delete: "memories", Backspace: "memories", a: "memories", p: "particle", " ": "beta" };

  root.addEventListener("keydown", (event) => {
    if (!model) return;
    const typed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const { target } = event;
    if ((event.ctrlKey || event.metaKey) && (typed === "z" || typed === "y")) {
      const again = typed === "y" || event.shiftKey;
      travel(again ? history.redo() : history.undo());
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (moveByKey(event)) {
      event.preventDefault();
      return;
    }
    // Keys of a widget are its own: space presses a button, letters choose in a list.
    const grip = target.closest("[data-memory], [data-particle]");
    const own = target.matches("select, input") || (typed === " " && target.matches("button"));
    const onlyGrips = ["Delete", "Backspace", "PageUp", "PageDown"];
    if (own || (onlyGrips.includes(typed) && !grip) || !KEYS[typed]) return;
    if (hidden.has(NEEDS[typed])) return;
    KEYS[typed](event);
    event.preventDefault();
  });
  root.addEventListener("focusin", ({ target }) => {
    const grip = target.closest("[data-memory]");
    if (grip && Number(grip.dataset.memory) !== selected) {
      selected = Number(grip.dataset.memory);
      touch();
    }
  });

  // --- the engine's word on it -------------------------------------------------------------------

  async function verify() {
    part("verify").disabled = true;
    part("verdict").textContent = "Verifying …";
    const now = remake(false);
    const { regions } = await renderer.codes(scene, VERIFIED);
    const labels = scene.steps ? regions : regions.map((r) => scene.attractors[r].label);
    const runs = [];
    for (let i = 0; i < labels.length; ) {
      let end = i + 1;
      while (end < labels.length && labels[end] === labels[i]) end++;
      runs.push(labels[i], end - i);
      i = end;
    }
    const { swarm, ...model } = now;
    tell.setTriggerValue("verify", { model: { ...model, revision }, box, size: VERIFIED, runs, by: renderer.name });
  }

  // --- its life ----------------------------------------------------------------------------------

  const sizes = new ResizeObserver(() => {
    const now = stage.clientWidth;
    if (now === side || !now) return;
    side = now;
    part("overlay").setAttribute("viewBox", `0 0 ${side} ${side}`);
    touch();
  });
  sizes.observe(stage);
  const unread = [read(`${address}/points`, openPoints), read(address, open)];

  function stop() {
    playing = false;
    unread.forEach((end) => end());
    sizes.disconnect();
    document.removeEventListener("fullscreenchange", nameFullScreen);
    clearTimeout(restTimer);
    clearTimeout(releaseTimer);
    renderer.stop();
  }

  // For tests, benchmarks and the curious: root.live in the console.
  const inspect = {
    frames,
    get renderer() {
      return { kind: renderer.kind, name: renderer.name };
    },
    get model() {
      return model;
    },
    async codes(values, size) {
      const other = { ...model, ...values };
      const asked = sceneOf(other, { box: values.box ?? box, slice, colours, resting: null });
      const { regions, cells } = await renderer.codes(asked, size);
      const labels = asked.steps ? regions : regions.map((r) => asked.attractors[r].label);
      return { labels: Array.from(labels), cells: Array.from(cells), attractors: asked.attractors.map(({ at }) => Array.from(at)) };
    },
    get energyNeverRises() {
      return !model.particle || energyNeverRises(wayOf(scene, model.particle));
    },
  };
  root.live = inspect;

  return {
    root,
    stop,
    renew(component) {
      tell = component;
      hidden = new Set(component.data.hidden);
      for (const each of root.querySelectorAll("[data-group]")) {
        each.classList.toggle("left-out", hidden.has(each.dataset.group));
      }
      const dark = isDark(root);
      root.classList.toggle("dark", dark);
      colours = dark ? themes.dark : themes.light;
      if (model) touch();
    },
  };
}

// Energy against step, and a mark that it never rises.
function drawEnergy(chart, way, step) {
  const [width, height, left, right, top, bottom] = [320, 120, 58, 12, 22, 24];
  const energies = way.map(({ energy }) => energy);
  const [low, high] = [Math.min(...energies), Math.max(...energies)];
  const x = (t) => left + ((width - left - right) * t) / Math.max(1, way.length - 1);
  const y = (e) => top + ((height - top - bottom) * (high - e)) / (high - low || 1);
  const text = (content, attributes) => {
    const made = svg("text", attributes);
    made.textContent = content;
    return made;
  };
  const never = energyNeverRises(way);
  const d = `M${energies.map((e, t) => `${x(t).toFixed(1)},${y(e).toFixed(1)}`).join("L")}`;
  chart.setAttribute("aria-label", `Energy against step: ${never ? "it never rises" : "it rises"}, from ${figures(energies[0])} to ${figures(energies.at(-1))}.`);
  chart.replaceChildren(
    text(`Energy ${never ? "✓ never rises" : "✗ rises"}`, { class: "title", x: left, y: 13 }),
    text(figures(high), { x: left - 9, y: y(high) + 4, "text-anchor": "end" }),
    text(figures(low), { x: left - 9, y: y(low) + 4, "text-anchor": "end" }),
    text("step 0", { x: left, y: height - 6 }),
    text(String(way.length - 1), { x: width - right, y: height - 6, "text-anchor": "end" }),
    svg("path", { class: "curve", d }),
    ...energies.map((e, t) => svg("circle", { class: t === step ? "now" : "dot", cx: x(t), cy: y(e), r: t === step ? 5 : 2.2 })),
  );
}
