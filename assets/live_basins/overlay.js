// What lies on the raster: a canvas for what is many (points, arrows, swarm), an SVG for what is
// few and can be held (memories, the particle), numbered and labelled for those who do not see it.

import { voronoiEdges } from "./cells.js";
import { nearest, path, pathToRest, pulls, softmax, target } from "./field.js";
import { cellAt, liftInto, regionAt } from "./raster.js";
import { css, svg } from "./svg.js";
import { figures } from "./words.js";

const ARROWS = 17; // of the vector field, along each side
const SWARM = 60;
const COVERED = 5; // CSS pixels: memories nearer to each other than this cover each other
const FAR = 0.015; // of the box: an attractor nearer to a memory than this is hidden beneath it
const NUMBER_GRID = 48; // samples along each side for the places of basins' numbers
const ROOM = 2; // samples between a number and the next border

const line = (points) => points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" L");

// Back to the plane from the field's space: a slice shows what lies in it.
export function flatten(lift, v) {
  if (!lift) return [v[0], v[1]];
  const along = (axis) => axis.reduce((sum, x, i) => sum + x * (v[i] - lift.origin[i]), 0);
  return [along(lift.across), along(lift.up)];
}

export const lifted = ({ field, lift }, [x, y]) =>
  liftInto(new Float64Array(field.d), lift, x, y);

export function wayOf(scene, start) {
  const { field, steps, size } = scene;
  const from = lifted(scene, start);
  return steps ? path(field, from, steps, size) : pathToRest(field, from);
}

// Voronoi edges where they are shown; where memories lie off a slice, its cells are not those of
// what it shows.
export const hasCells = (slice) => !slice || slice.held.every(Boolean);
export const edgesOf = ({ box }, { layers, memories }, slice) =>
  layers.includes("voronoi") && hasCells(slice) ? voronoiEdges(memories, box) : [];

// The region of each point, and whether it leaves its Voronoi cell.
export function pointsOf(scene, points) {
  const region = regionAt(scene);
  const cell = cellAt(scene);
  const label = (r) => (scene.steps === 0 ? scene.attractors[r].label : r);
  return points.map(([x, y]) => {
    const own = label(region(x, y));
    return { label: own, leaves: own !== cell(x, y) };
  });
}

// --- the canvas of marks ------------------------------------------------------------------------

export function drawMarks(canvas, { scene, model, points, found, screen, side, colours }) {
  const ratio = devicePixelRatio || 1;
  const size = Math.round(side * ratio);
  if (canvas.width !== size) canvas.width = canvas.height = size;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, side, side);
  context.lineCap = "round";
  if (model.layers.includes("pull")) drawPulls(context, scene, screen, side, colours);
  if (points) drawPoints(context, points, found, screen, colours);
  if (model.swarm) drawSwarm(context, scene, screen, colours);
}

const colourOf = (colours, label) => css(colours.strong[label % colours.strong.length]);

function drawPoints(context, points, found, screen, colours) {
  points.forEach((at, i) => {
    const [x, y] = screen.to(at);
    const { label, leaves } = found[i];
    context.beginPath();
    context.arc(x, y, 3.4, 0, 2 * Math.PI);
    context.fillStyle = colourOf(colours, label);
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = css(colours.line);
    context.stroke();
    if (!leaves) return;
    context.beginPath();
    context.arc(x, y, 6.5, 0, 2 * Math.PI);
    context.lineWidth = 2;
    context.strokeStyle = css(colours.ink);
    context.stroke();
  });
}

// The velocity of equation 2 on a grid; the longest arrow spans a cell of it.
function drawPulls(context, scene, screen, side, colours) {
  const { field, lift } = scene;
  const shares = new Float64Array(field.k);
  const cell = side / ARROWS;
  const arrows = [];
  let longest = 0;
  for (let row = 0; row < ARROWS; row++) {
    for (let column = 0; column < ARROWS; column++) {
      const place = [(column + 0.5) * cell, (row + 0.5) * cell];
      const v = lifted(scene, screen.from(place));
      softmax(field, v, shares);
      const ahead = target(field, shares);
      const [from, to] = [flatten(lift, v), flatten(lift, ahead)];
      const step = [to[0] - from[0], from[1] - to[1]];
      longest = Math.max(longest, Math.hypot(...step));
      arrows.push([place, step]);
    }
  }
  context.strokeStyle = css(colours.ink);
  context.globalAlpha = 0.75;
  context.lineWidth = 1.4;
  for (const [[x, y], step] of arrows) {
    const share = Math.hypot(...step) / (longest || 1);
    const long = cell * (0.25 + 0.65 * share);
    const angle = Math.atan2(step[1], step[0]);
    if (share < 1e-3) continue;
    const tip = [x + (long / 2) * Math.cos(angle), y + (long / 2) * Math.sin(angle)];
    context.beginPath();
    context.moveTo(x - (long / 2) * Math.cos(angle), y - (long / 2) * Math.sin(angle));
    context.lineTo(...tip);
    for (const side of [-1, 1]) {
      context.moveTo(...tip);
      const back = angle + Math.PI + side * 0.5;
      context.lineTo(tip[0] + 5 * Math.cos(back), tip[1] + 5 * Math.sin(back));
    }
    context.stroke();
  }
  context.globalAlpha = 1;
}

function drawSwarm(context, scene, screen, colours) {
  const { box } = scene;
  for (let i = 1; i <= SWARM; i++) {
    // Evenly spread, the same each time: multiples of the plastic number's powers.
    const share = [(0.7548776662 * i) % 1, (0.569840291 * i) % 1];
    const start = [
      box.left + share[0] * (box.right - box.left),
      box.bottom + share[1] * (box.top - box.bottom),
    ];
    const way = wayOf(scene, start);
    const places = way.map(({ v }) => screen.to(flatten(scene.lift, v)));
    const end = nearest(scene.field, way.at(-1).v);
    for (const [width, colour] of [
      [4, css(colours.line)],
      [2, colourOf(colours, end)],
    ]) {
      context.beginPath();
      places.forEach(([x, y], t) => (t ? context.lineTo(x, y) : context.moveTo(x, y)));
      context.lineWidth = width;
      context.strokeStyle = colour;
      context.stroke();
    }
    const [x, y] = places.at(-1);
    context.beginPath();
    context.arc(x, y, 4, 0, 2 * Math.PI);
    context.fillStyle = colourOf(colours, end);
    context.fill();
  }
}

// --- the SVG ------------------------------------------------------------------------------------

export function makeOverlay(root) {
  const layer = (name) => root.appendChild(svg("g", { class: name }));
  const layers = Object.fromEntries(
    ["edges", "numbers", "rests", "way", "memories"].map((name) => [name, layer(name)]),
  );
  const handles = [];

  function handle(i) {
    const mark = svg("g", { class: "memory", role: "button", tabindex: "-1" });
    mark.append(
      svg("circle", { class: "grip", r: 22 }),
      svg("circle", { class: "disc", r: 13 }),
      svg("text", { dy: "0.35em" }),
    );
    mark.dataset.memory = String(i);
    return layers.memories.appendChild(mark);
  }

  function drawMemories({ model, screen, selected, slice }) {
    const shown = model.layers.includes("memories");
    const places = slice ? slice.shown : model.memories;
    while (handles.length < places.length) handles.push(handle(handles.length));
    while (handles.length > places.length) handles.pop().remove();
    const onScreen = places.map(screen.to);
    // Those that cover each other share a disc that bears all their numbers.
    const together = ([x, y]) =>
      onScreen.flatMap(([a, b], mu) => (Math.hypot(a - x, b - y) < COVERED ? [mu + 1] : []));
    handles.forEach((mark, i) => {
      const [x, y] = onScreen[i];
      const weight = model.energy === "weighted" ? model.weights[i] : 1;
      mark.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
      mark.classList.toggle("selected", i === selected);
      const off = slice && !slice.held[i];
      mark.classList.toggle("faint", off || (!shown && i !== selected));
      mark.classList.toggle("fixed", slice !== null);
      mark.setAttribute("tabindex", i === (selected ?? 0) ? "0" : "-1");
      mark.setAttribute("aria-pressed", String(i === selected));
      const at = places[i].map((value) => figures(value)).join(", ");
      const heavy = model.energy === "weighted" ? `, weight ${figures(weight)}` : "";
      const where = off ? "outside the plane, seen" : "at";
      mark.setAttribute("aria-label", `Memory ${i + 1} ${where} (${at})${heavy}`);
      mark.querySelector(".disc").setAttribute("r", String(13 * Math.min(1.6, Math.max(0.8, weight ** 0.15))));
      mark.querySelector("text").textContent = together(onScreen[i]).join(",");
    });
  }

  function drawEdges({ screen, edges }) {
    const d = edges.map(([a, b, c, e]) => `M${line([screen.to([a, b]), screen.to([c, e])])}`).join("");
    layers.edges.replaceChildren(
      ...(d ? [svg("path", { class: "halo", d }), svg("path", { class: "dashes", d })] : []),
    );
  }

  function drawRests({ model, screen, scene }) {
    if (!model.layers.includes("attractors")) return layers.rests.replaceChildren();
    const { box, field, lift } = scene;
    const far = scene.attractors.filter(({ at }) => {
      const own = nearest(field, at);
      const key = field.keys.subarray(own * field.d, (own + 1) * field.d);
      return Math.hypot(...at.map((x, i) => x - key[i])) > FAR * (box.right - box.left);
    });
    const stars = far.map(({ at }) => {
      const place = flatten(lift, at);
      const [x, y] = screen.to(place);
      const title = svg("title");
      title.textContent = `attractor (${place.map((value) => figures(value)).join(", ")})`;
      return svg("path", { d: STAR, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` }, title);
    });
    layers.rests.replaceChildren(...stars);
  }

  // The way, its steps, and at one of them the pull of each memory as an arrow.
  function drawWay({ way, step, screen, scene, model }) {
    if (!way) return layers.way.replaceChildren();
    const places = way.map(({ v }) => screen.to(flatten(scene.lift, v)));
    const now = places[step];
    const start = svg("g", { class: "start", role: "button", tabindex: "0" });
    start.dataset.particle = "start";
    start.setAttribute("transform", `translate(${places[0][0]} ${places[0][1]})`);
    const at = model.particle.map((value) => figures(value)).join(", ");
    start.setAttribute("aria-label", `Particle, dropped at (${at}); arrows move it`);
    start.append(svg("circle", { class: "grip", r: 20 }), svg("circle", { class: "ring", r: 9 }));
    const d = `M${line(places)}`;
    const arrows = pulls(scene.field, way[step]).map((pull, mu) => {
      const tip = way[step].v.map((x, i) => x + pull[i]);
      return arrow(now, screen.to(flatten(scene.lift, tip)), `pull pull-${mu}`, mu);
    });
    const net = screen.to(flatten(scene.lift, target(scene.field, way[step].shares)));
    const focused = layers.way.querySelector(".start") === root.getRootNode().activeElement;
    layers.way.replaceChildren(
      svg("path", { class: "halo", d }),
      svg("path", { class: "track", d }),
      ...places.map(([x, y]) => svg("circle", { class: "dot", cx: x, cy: y, r: 3 })),
      ...arrows.filter(Boolean),
      ...[arrow(now, net, "pull net", null)].filter(Boolean),
      svg("circle", { class: "now", cx: now[0], cy: now[1], r: 7 }),
      start,
    );
    if (focused) start.focus();
  }

  return {
    draw(picture) {
      drawEdges(picture);
      drawRests(picture);
      drawWay(picture);
      drawMemories(picture);
    },
    drawNumbers(places) {
      const texts = places.map(({ at: [x, y], name }) => {
        const text = svg("text", { x: x.toFixed(1), y: y.toFixed(1), dy: "0.35em" });
        text.textContent = name;
        return text;
      });
      layers.numbers.replaceChildren(...texts);
    },
    handle: (i) => handles[i],
  };
}

const STAR = Array.from({ length: 10 }, (_, i) => {
  const angle = (Math.PI * i) / 5 - Math.PI / 2;
  const radius = i % 2 ? 4.5 : 11;
  return `${i ? "L" : "M"}${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
})
  .join("")
  .concat("Z");

function arrow(from, to, kind, mu) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const long = Math.hypot(dx, dy);
  if (long < 3) return null;
  const head = Math.min(10, long / 2);
  const [ux, uy] = [dx / long, dy / long];
  const wing = (side) => [
    to[0] - head * (ux - side * 0.45 * uy),
    to[1] - head * (uy + side * 0.45 * ux),
  ];
  const group = svg("g", { class: kind });
  group.append(svg("path", { d: `M${line([from, to])} M${line([wing(1), to, wing(-1)])}` }));
  if (mu !== null && long > 14) {
    const text = svg("text", { x: to[0] + 9 * ux, y: to[1] + 9 * uy, dy: "0.35em" });
    text.textContent = String(mu + 1);
    group.append(text);
  }
  return group;
}

// --- where the numbers of the basins go ---------------------------------------------------------

// The place of each region that is farthest from its borders, clear of memories and edges.
export function numberPlaces(scene, memories, edges, screen, side) {
  const region = regionAt(scene);
  const { box } = scene;
  const n = NUMBER_GRID;
  const step = (box.right - box.left) / n;
  const regions = new Uint8Array(n * n);
  for (let row = 0, at = 0; row < n; row++) {
    for (let column = 0; column < n; column++, at++) {
      regions[at] = region(box.left + (column + 0.5) * step, box.top - (row + 0.5) * step);
    }
  }
  const depth = depths(regions, n);
  const share = (at) => screen.to(at).map((x) => (x / side) * n);
  const clear = memories.map(share);
  const walls = edges.map(([a, b, c, d]) => [...share([a, b]), ...share([c, d])]);
  const best = new Map();
  regions.forEach((own, at) => {
    const [x, y] = [(at % n) + 0.5, Math.floor(at / n) + 0.5];
    const room = Math.min(
      depth[at],
      ...clear.map(([cx, cy]) => Math.hypot(cx - x, cy - y) - 1.5),
      ...walls.map((wall) => distanceTo(wall, x, y)),
    );
    if (room >= ROOM && room > (best.get(own)?.room ?? 0)) best.set(own, { room, x, y });
  });
  const names = namesOf(scene);
  return [...best].map(([own, { x, y }]) => ({
    name: names[own],
    at: [(x / n) * side, (y / n) * side],
  }));
}

function distanceTo([ax, ay, bx, by], x, y) {
  const [dx, dy] = [bx - ax, by - ay];
  const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(ax + t * dx - x, ay + t * dy - y);
}

// Steps to the nearest sample of another region or beyond the picture.
function depths(regions, n) {
  const depth = new Float32Array(n * n).fill(n);
  const at = (row, column) => row * n + column;
  const relax = (row, column, neighbours) => {
    const own = at(row, column);
    for (const [r, c] of neighbours) {
      const outside = r < 0 || c < 0 || r >= n || c >= n;
      const step = outside || regions[at(r, c)] !== regions[own] ? 1 : depth[at(r, c)] + 1;
      depth[own] = Math.min(depth[own], step);
    }
  };
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < n; column++) {
      relax(row, column, [[row - 1, column], [row, column - 1], [row - 1, column - 1]]);
    }
  }
  for (let row = n - 1; row >= 0; row--) {
    for (let column = n - 1; column >= 0; column--) {
      relax(row, column, [[row + 1, column], [row, column + 1], [row + 1, column + 1]]);
    }
  }
  return depth;
}

// Regions by memory; those of one memory get letters: 1, 2a, 2b.
function namesOf({ field, steps, attractors }) {
  if (steps) return Array.from({ length: field.k }, (_, mu) => String(mu + 1));
  return attractors.map(({ label }, i) => {
    const alike = attractors.map((one, at) => [one.label, at]).filter(([own]) => own === label);
    const letter = alike.findIndex(([, at]) => at === i);
    return `${label + 1}${alike.length > 1 ? "abcdefghijklmnopqrstuvwxyz"[letter % 26] : ""}`;
  });
}
