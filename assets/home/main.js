// The front page's picture: a small landscape of memories, one slider and one particle.

import { path, pathToRest } from "../live_basins/field.js";
import { ARROWS, clamp } from "../live_basins/keys.js";
import { rounded, sceneOf } from "../live_basins/model.js";
import { mounting } from "../live_basins/mounting.js";
import { regionAt } from "../live_basins/raster.js";
import { makeRenderer } from "../live_basins/renderer.js";
import { screenOf, svg } from "../live_basins/svg.js";
import { isDark } from "../live_basins/theme.js";
import { figures } from "../live_basins/words.js";
import { bordersOf } from "./borders.js";

const MEMORIES = [
  [0.1, 0.62], [0.27, 0.36], [0.4, 0.68], [0.52, 0.47], [0.68, 0.34], [0.75, 0.66], [0.91, 0.5],
];
const BOX = { left: 0, right: 1, bottom: 0, top: 1 };
const SEEN = 11 / 20; // of the square's height, see hero.css
const SHOWN = { ...BOX, bottom: 0.5 - SEEN / 2, top: 0.5 + SEEN / 2 };
const REST = 130; // milliseconds without a change, after which the exact picture is drawn
const OPENING = { from: 0.55, to: Math.log10(40), seconds: 3.2 }; // decades of beta; short: nobody must stop it
const LATTICE = [60, 33]; // cells of what is seen, in which borders are found
const NOTHING = { look: [], moving: true };
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven"];

const FLOW = { steps: 70, size: 0.09 }; // of recall: small steps, so that a way looks like one
const TRAILS = 80;

export const mount = mounting(start);

function start({ parentElement, data }, addressOf) {
  const root = parentElement.querySelector(".hero");
  const part = (id) => root.querySelector(`[data-id="${id}"]`);
  const [stage, slider] = [part("stage"), part("beta")];
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let [power, particle, colours] = [calm ? OPENING.to : OPENING.from, [0.56, 0.6], data.colours.light];
  let [side, asked, opening, rest] = [0, false, calm ? null : performance.now(), 0];
  // What rests on beta alone, and of which look it is painted: a particle that moves changes neither.
  let [landscape, painted] = [null, NOTHING];
  const renderer = makeRenderer(stage, addressOf("live_basins/worker.js"), globalThis.basinscopeRenderer, () => {
    painted = NOTHING; // another painter takes over
    touch();
  });
  const marks = makeMarks(part("overlay"));

  const model = () => ({
    memories: MEMORIES, weights: MEMORIES.map(() => 1), energy: "euclidean", stepSize: null, steps: 1,
    beta: rounded(10 ** power), mode: "attractor", layers: [], particle,
  });
  const wayFrom = ({ field }, place) => {
    const way = path(field, Float64Array.from(place), FLOW.steps, FLOW.size);
    return [...way, ...pathToRest(field, way.at(-1).v)];
  };

  function landscapeNow() {
    const now = model();
    if (landscape?.beta !== now.beta || landscape.colours !== colours) {
      const scene = sceneOf(now, { box: BOX, slice: null, colours, resting: null });
      const ways = STARTS.map((start) => wayFrom(scene, start));
      landscape = { beta: now.beta, colours, scene, ways, borders: null };
    }
    return landscape;
  }

  function touch() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(frame);
  }

  function frame(now) {
    asked = false;
    if (!side || !root.isConnected) return;
    if (opening !== null) open(now);
    draw(true);
    clearTimeout(rest);
    if (opening === null) rest = setTimeout(() => root.isConnected && draw(false), REST);
    else touch();
  }

  // Beta rises once, and basins part before the eye.
  function open(now) {
    const share = clamp((now - opening) / (1000 * OPENING.seconds), { low: 0, high: 1 });
    power = OPENING.from + (OPENING.to - OPENING.from) * (1 - (1 - share) ** 2);
    if (share === 1) opening = null;
  }

  function draw(moving) {
    const own = landscapeNow();
    const { scene, beta } = own;
    const screen = screenOf(BOX, side);
    paint(own, screen, moving);
    const way = wayFrom(scene, particle);
    marks.draw(way.map(({ v }) => screen.to(v)), MEMORIES.map(screen.to), particle);
    const text = figures(beta, beta < 10 ? 2 : 3);
    slider.value = String(power);
    slider.setAttribute("aria-valuetext", text);
    part("value").textContent = text;
    if (!moving) part("words").textContent = sentence(text, scene, way.at(-1).v);
  }

  // Basins and trails, where they are not as they were; borders as lines as soon as they stand.
  function paint(own, screen, moving) {
    const ratio = Math.min(2, devicePixelRatio || 1);
    const look = [own, side, ratio];
    const same = look.every((part, i) => part === painted.look[i]);
    if (same && (moving || !painted.moving)) return;
    painted = { look, moving };
    renderer.draw({ scene: own.scene, side, ratio, moving, sampled: true, done: () => {} });
    drawTrails(part("marks"), { ...own, screen, side, ratio });
    if (!moving) own.borders ??= bordersOf(regionAt(own.scene), SHOWN, ...LATTICE);
    marks.drawBorders(moving ? [] : own.borders.map(([a, b, c, d]) => [screen.to([a, b]), screen.to([c, d])]));
  }

  slider.addEventListener("input", () => {
    [opening, power] = [null, Number(slider.value)];
    touch();
  });

  const put = ([x, y]) => {
    opening = null;
    const middle = { low: 0.5 - SEEN / 2 + 0.02, high: 0.5 + SEEN / 2 - 0.02 };
    particle = [clamp(x, { low: 0.02, high: 0.98 }), clamp(y, middle)].map(rounded);
    touch();
  };
  const putAt = (event) => {
    const { left, top } = stage.getBoundingClientRect();
    put(screenOf(BOX, side).from([event.clientX - left, event.clientY - top]));
  };
  stage.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (event.pointerType === "mouse" || event.target.closest(".particle")) stage.setPointerCapture(event.pointerId);
    putAt(event);
  });
  stage.addEventListener("pointermove", (event) => stage.hasPointerCapture(event.pointerId) && putAt(event));
  marks.particle.addEventListener("keydown", (event) => {
    const way = ARROWS[event.key];
    if (!way) return;
    put(particle.map((x, i) => x + 0.02 * way[i]));
    event.preventDefault();
  });

  const sizes = new ResizeObserver(() => {
    if (!stage.clientWidth || stage.clientWidth === side) return;
    side = stage.clientWidth;
    part("overlay").setAttribute("viewBox", `0 0 ${side} ${side}`);
    touch();
  });
  sizes.observe(stage);

  return {
    root,
    stop() {
      sizes.disconnect();
      clearTimeout(rest);
      renderer.stop();
    },
    renew() {
      colours = isDark(root) ? data.colours.dark : data.colours.light;
      touch();
    },
  };
}

// What the picture shows; `end` is where the particle came to rest.
function sentence(beta, { attractors }, end) {
  const gap = ({ at }) => Math.hypot(at[0] - end[0], at[1] - end[1]);
  const own = attractors.reduce((best, one) => (gap(one) < gap(best) ? one : best));
  const count = attractors.length;
  const place = 1 + attractors.filter(({ at }) => at[0] < own.at[0]).length;
  const memories = NUMBERS[MEMORIES.length];
  if (count === 1) return `At β = ${beta} these ${memories} memories make one basin: all roll to one place. Slide β up, and it parts.`;
  const advice = count < MEMORIES.length ? "Slide β, and basins part or merge." : "Slide β down, and basins merge.";
  return `At β = ${beta} these ${memories} memories make ${NUMBERS[count] ?? count} basins; the particle rolls into number ${place} from the left. ${advice}`;
}

// Evenly spread over what is seen, the same each time: multiples of the plastic number's powers.
const STARTS = Array.from({ length: TRAILS }, (_, i) => [
  (0.7548776662 * (i + 1)) % 1,
  0.5 + SEEN * (((0.569840291 * (i + 1)) % 1) - 0.5),
]);

// Where points roll: each trail grows stronger on its way, and ends in its attractor.
function drawTrails(canvas, { ways, scene, screen, side, ratio, colours }) {
  const size = Math.round(side * ratio);
  if (canvas.width !== size) canvas.width = canvas.height = size;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, side, side);
  context.lineCap = context.lineJoin = "round";
  context.strokeStyle = context.fillStyle = `rgb(${colours.ink.join(" ")})`;
  for (const way of ways) {
    const places = way.map(({ v }) => screen.to(v));
    for (const [from, alpha, width] of [[0, 0.16, 1.2], [4, 0.2, 1.6], [9, 0.24, 2]]) {
      context.globalAlpha = alpha;
      context.lineWidth = width;
      context.beginPath();
      places.slice(from).forEach(([x, y], t) => (t ? context.lineTo(x, y) : context.moveTo(x, y)));
      context.stroke();
    }
  }
  context.globalAlpha = 1;
  for (const { at } of scene.attractors) {
    context.beginPath();
    context.arc(...screen.to(at), 4.5, 0, 2 * Math.PI);
    context.fill();
  }
}

function makeMarks(root) {
  const memories = MEMORIES.map(() => svg("circle", { class: "memory", r: 6 }));
  const [border, halo, track] = ["border", "halo", "track"].map((name) => svg("path", { class: name }));
  const particle = svg(
    "g", { class: "particle", role: "button", tabindex: "0" },
    svg("circle", { class: "grip", r: 20 }), svg("circle", { class: "ball", r: 9 }),
  );
  root.append(border, halo, track, ...memories, particle);
  return {
    particle,
    drawBorders(segments) {
      const d = segments.map((ends) => `M${ends.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join("L")}`);
      border.setAttribute("d", d.join(""));
    },
    draw(way, places, at) {
      const d = `M${way.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L")}`;
      halo.setAttribute("d", d);
      track.setAttribute("d", d);
      memories.forEach((mark, mu) => {
        mark.setAttribute("cx", places[mu][0].toFixed(1));
        mark.setAttribute("cy", places[mu][1].toFixed(1));
      });
      particle.setAttribute("transform", `translate(${way[0][0].toFixed(1)} ${way[0][1].toFixed(1)})`);
      particle.setAttribute("aria-label", `Particle at (${at.map((x) => figures(x, 2)).join(", ")}); arrows move it`);
    },
  };
}
