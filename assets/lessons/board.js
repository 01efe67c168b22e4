// What the pictures of lessons 6 to 8 share: a square of the plane on the screen, with a canvas for
// what is many and an SVG for what is few and can be held; and what pictures are changed by.

import { ARROWS } from "../live_basins/keys.js";
import { frameOf as squareAround } from "../live_basins/model.js";
import { paintBand } from "../live_basins/raster.js";
import { screenOf, svg } from "../live_basins/svg.js";
import { button, element } from "./dom.js";

export const PLAIN = [110, 110, 110]; // of points whose colour would tell the answer
const REST = 130; // milliseconds without a change, after which the exact picture is drawn

// `draw(board, moving)` paints; `label` names the picture for those who do not see it.
export function makeBoard(stage, { label, box, draw }) {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("aria-hidden", "true");
  canvas.className = "marks";
  const marks = svg("svg", { role: "group", "aria-label": label });
  stage.append(canvas, marks);
  let [side, asked, rest] = [0, false, 0];

  const paint = (moving) => {
    if (!side || !stage.isConnected) return;
    const ratio = Math.min(2, devicePixelRatio || 1);
    const size = Math.round(side * ratio);
    if (canvas.width !== size) canvas.width = canvas.height = size;
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, side, side);
    context.lineCap = "round";
    draw({ ...board, context, side, size, screen: screenOf(board.box, side) }, moving);
  };

  // Quickly now, and exactly as soon as nothing moves.
  function touch() {
    if (!asked) {
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        paint(true);
      });
    }
    clearTimeout(rest);
    rest = setTimeout(() => paint(false), REST);
  }

  const sizes = new ResizeObserver(() => {
    if (!stage.clientWidth || stage.clientWidth === side) return;
    side = stage.clientWidth;
    marks.setAttribute("viewBox", `0 0 ${side} ${side}`);
    touch();
  });
  sizes.observe(stage);

  const board = {
    marks,
    box,
    touch,
    get side() {
      return side;
    },
    get screen() {
      return screenOf(board.box, side || 1);
    },
    // The place of the plane under a pointer.
    place(event) {
      const { left, top } = stage.getBoundingClientRect();
      return board.screen.from([event.clientX - left, event.clientY - top]);
    },
    stop() {
      sizes.disconnect();
      clearTimeout(rest);
    },
  };
  return board;
}

// What a lesson asks of a picture on a board. `own`: {state(), lock(on), renew(dark)} and what else is the
// picture's own; it may stop more than the board.
export function pictureOn(stage, board, { state, lock, renew, ...own }) {
  return {
    stage,
    get state() {
      return state();
    },
    get size() {
      return board.side;
    },
    lock(on) {
      stage.classList.toggle("locked", on);
      lock(on);
    },
    renew: ({ dark }) => renew(dark),
    toPlane: (at) => board.screen.from(at),
    toScreen: (at) => board.screen.to(at),
    stop: board.stop,
    ...own,
  };
}

// The basins of a scene, from samples: all of them, on this thread, would hold up hands and keys.
export function drawBasins(context, scene, { size, side }) {
  drawPixels(context, paintBand(scene, size, 0, size, true).pixels, size, side);
}

// Pixels [r, g, b, a], `size` along each side, stretched over the board.
export function drawPixels(context, pixels, size, side) {
  const own = document.createElement("canvas");
  own.width = own.height = size;
  own.getContext("2d").putImageData(
    new ImageData(new Uint8ClampedArray(pixels.buffer), size), 0, 0,
  );
  context.drawImage(own, 0, 0, side, side);
}

// A point as its cluster's shape, so that colour is never the only code.
export function drawPoint(context, [x, y], label, radius) {
  context.beginPath();
  if (label % 4 === 0) context.arc(x, y, radius, 0, 2 * Math.PI);
  else if (label % 4 === 1) context.rect(x - 0.9 * radius, y - 0.9 * radius, 1.8 * radius, 1.8 * radius);
  else polygon(context, x, y, 1.25 * radius, label % 4 === 2 ? 3 : 4);
  context.fill();
  context.stroke();
}

function polygon(context, x, y, radius, corners) {
  for (let i = 0; i < corners; i++) {
    const angle = (2 * Math.PI * i) / corners - Math.PI / 2;
    context.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
  }
  context.closePath();
}

const ROOM = 0.6; // of the points' extent: half a side of the square that shows them

// The square that shows some places.
export const frameOf = (places) => squareAround(places, [], ROOM);

// Two digits behind the point, and no minus before a zero.
export const short = (value) => String(Number(value.toFixed(2)) || 0);

export function nearestPoint(points, place) {
  let [best, least] = [0, Infinity];
  points.forEach(([x, y], i) => {
    const distance = Math.hypot(x - place[0], y - place[1]);
    if (distance < least) [best, least] = [i, distance];
  });
  return best;
}

// --- what can be held ---------------------------------------------------------------------------

// A round handle with a name on it. `moved(place, kind)` is told where a pointer has it, and
// `stepped(dx, dy)` which arrow was pressed.
export function handle(board, { className, text, radius = 13, moved, stepped, chosen }) {
  const mark = svg("g", { class: className, role: "button", tabindex: "0" });
  mark.append(svg("circle", { class: "grip", r: 22 }), svg("circle", { class: "disc", r: radius }));
  if (text !== undefined) {
    const name = svg("text", { dy: "0.35em" });
    name.textContent = text;
    mark.append(name);
  }
  mark.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    mark.setPointerCapture(event.pointerId);
    mark.focus({ preventScroll: true });
    chosen?.();
  });
  mark.addEventListener("pointermove", (event) => {
    if (mark.hasPointerCapture(event.pointerId)) moved(board.place(event));
  });
  mark.addEventListener("keydown", (event) => {
    const step = ARROWS[event.key];
    if (!step && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    chosen?.();
    if (step) stepped(...step.map((one) => one * (event.shiftKey ? 5 : 1)));
  });
  return mark;
}

export function put(mark, [x, y], label) {
  mark.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
  mark.setAttribute("aria-label", label);
}

// --- controls -----------------------------------------------------------------------------------

// A button that is on or off.
export function toggle(name, label, changed) {
  const root = button(label, () => changed(root.getAttribute("aria-pressed") !== "true"), {
    class: "chip", "data-control": name,
  });
  return { element: root, show: (on) => root.setAttribute("aria-pressed", String(on)) };
}

// One of several: `options` are [value, words].
export function choice(name, legend, options, changed) {
  const inputs = options.map(([value]) =>
    element("input", {
      type: "radio", name: `lesson-${name}`, value, "data-control": name, onchange: () => changed(value),
    }),
  );
  const labels = options.map(([, words], i) =>
    element("label", {}, inputs[i], element("span", {}, words)),
  );
  return {
    element: element("fieldset", { class: "choice" }, element("legend", {}, legend), element("div", {}, ...labels)),
    inputs,
    show: (value) => inputs.forEach((input) => (input.checked = input.value === value)),
  };
}

// Two buttons that go through the points, for those who do not point.
export function stepper(count, changed) {
  const name = element("span");
  let at = null;
  const go = (by) => changed(at === null ? 0 : (at + by + count) % count);
  const back = button("‹", () => go(-1), { "aria-label": "Previous point" });
  const on = button("›", () => go(1), { "aria-label": "Next point", "data-control": "point" });
  const buttons = { class: "stepper", role: "group", "aria-label": "Pick a point" };
  return {
    element: element("div", buttons, back, name, on),
    buttons: [back, on],
    show(index) {
      at = index;
      name.textContent = index === null ? "Pick a point" : `Point ${index + 1} of ${count}`;
    },
  };
}

// Controls that a screen does not speak of are left out: `shown` are names, or null for all.
export function leaveOut(controls, shown) {
  for (const [name, one] of controls) one.hidden = shown !== null && !shown.includes(name);
}

export const namesOrNull = (value) =>
  value === null || (Array.isArray(value) && value.every((name) => typeof name === "string"));
