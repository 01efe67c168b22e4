// The picture of lesson 8: points and the graph of their neighbours, between modes and lambda.
//
// Its state: {lam: number of a lambda, point: number | null | "contested", layers}; `shown` are the
// controls that are not left out (null: all); layers are some of
// "clusters", "edges", "density", "modes" and "changed" (rings around what differs from lambda 0).
// `frames` come from Python: {units, sigma, labels: texts, modes: numbers of points, edges: text}.

import { css, svg } from "../live_basins/svg.js";
import { figures, percent } from "../live_basins/words.js";
import {
  drawPixels, drawPoint, frameOf, leaveOut, makeBoard, namesOrNull, nearestPoint, pictureOn, stepper, toggle,
} from "./board.js";
import { slider } from "./dom.js";

const GRID = 64; // squares of the density along each side
const FAR = 4; // kernel widths: beyond it a point adds nothing to the density
const LEAST = 0.001; // kernels below it are as good as nothing
const LAYERS = ["clusters", "edges", "density", "modes", "changed"];
const FIRST = { lam: 0, point: null, layers: [], shown: null };

export function makePicture(stage, { points, frames, colours: themes, controls: wanted, changed, chose }) {
  const { units, sigma } = frames;
  const modes = frames.modes.map((rows) => rows.map((row) => points[row]));
  const labels = frames.labels.map((text) => Array.from(text, Number));
  const edges = pairsOf(frames.edges);
  const neighbours = neighboursOf(points.length, edges);
  const k = modes[0].length;
  const last = units.length - 1;
  const at = (value) => units.reduce((best, one, i) => (Math.abs(one - value) < Math.abs(units[best] - value) ? i : best), 0);
  const contested = contestedAt(labels[0], labels[at(1.25)]);
  const densities = new Map(); // number of a lambda -> {values, owners, peak}
  let [model, colours, locked, done] = [FIRST, themes.light, false, new Set()];
  const shows = (layer) => model.layers.includes(layer);
  const now = () => labels[model.lam];

  const board = makeBoard(stage, { label: "Points, their graph and the modes", box: frameOf(points), draw });
  const rings = board.marks.appendChild(svg("g", { class: "memories" }));

  // --- state -------------------------------------------------------------------------------------

  function adopt(values) {
    model = { ...model, ...values };
    show();
    board.touch();
  }

  function set(values) {
    adopt(cleaned(values));
    done = new Set();
  }

  function change(values, deed) {
    if (locked) return;
    done.add(deed);
    adopt(values);
    changed();
  }

  // lambda in a lesson is in units of c(k): `{"units": 1.25}`.
  function cleaned({ units: value, ...values }) {
    const whole = (number, high) => Number.isInteger(number) && number >= 0 && number <= high;
    const legal = {
      shown: namesOrNull,
      lam: (number) => whole(number, last),
      point: (number) => number === null || number === "contested" || whole(number, points.length - 1),
      layers: (all) => Array.isArray(all) && all.every((name) => LAYERS.includes(name)),
    };
    const known = Object.entries(values).filter(([name, one]) => legal[name]?.(one));
    const kept = Object.fromEntries(known);
    if (kept.point === "contested") kept.point = contested;
    return typeof value === "number" ? { ...kept, lam: at(value) } : kept;
  }

  function holds(until, value) {
    if (until === "lam above") return done.has("lam") && units[model.lam] >= value;
    if (until === "lam below") return done.has("lam") && units[model.lam] <= value;
    return done.has(until);
  }

  // --- measures ----------------------------------------------------------------------------------

  const differing = (one, other) => one.reduce((count, label, i) => count + (label !== other[i] ? 1 : 0), 0);
  const cutAt = (own) => edges.filter(([p, q]) => own[p] !== own[q]).length;
  const affinity = (i) =>
    modes[model.lam].map(([x, y]) => Math.exp(-((points[i][0] - x) ** 2 + (points[i][1] - y) ** 2) / (2 * sigma * sigma)));

  function contestedAt(before, after) {
    const movers = before.flatMap((label, i) => (label !== after[i] ? [i] : []));
    if (!movers.length) return Math.floor(points.length / 2);
    const support = (i) => {
      const own = neighbours[i].filter((j) => after[j] === after[i]).length;
      const late = labels.findIndex((one) => one[i] === after[i]);
      return own / neighbours[i].length + late / labels.length;
    };
    return movers.reduce((best, i) => (support(i) > support(best) ? i : best), movers[0]);
  }

  function truth(asks) {
    const of = /^(cluster of point|share changed) at ([\d.]+)$/.exec(asks);
    if (!of) throw new Error(`the graph does not measure "${asks}"`);
    const then = labels[at(Number(of[2]))];
    if (of[1] === "cluster of point") return then[model.point ?? contested];
    return (100 * differing(labels[0], then)) / points.length;
  }

  const lamWords = () => (model.lam ? `At λ = ${figures(units[model.lam])} c(${k})` : "At λ = 0");

  function sentence() {
    const graph = shows("edges") ? `, ${edges.length} edges between neighbours` : "";
    const ringed = model.point === null ? "" : `; point ${model.point + 1} is ringed`;
    if (!shows("clusters")) return `${points.length} points and ${k} modes${graph}, not clustered yet${ringed}.`;
    if (model.point !== null) return pointWords(model.point);
    const apart = cutAt(now());
    const moved = differing(labels[0], now());
    const since = model.lam
      ? `${moved} of ${points.length} points are in another cluster than at λ = 0`
      : "the modes decide alone";
    const cut = shows("edges")
      ? `; ${apart} of ${edges.length} edges (${percent(apart / edges.length)}) are cut`
      : "";
    return `${lamWords()} ${since}${cut}.`;
  }

  // What a point hears: its kernel to each mode and, where edges are shown, its neighbours.
  function pointWords(i) {
    const own = now()[i];
    const kernels = affinity(i).map((value, mu) =>
      `${value < LEAST ? `less than ${LEAST}` : figures(value, 2)} to mode ${mu + 1}`,
    );
    const votes = modes[0].map((_, mu) => {
      const count = neighbours[i].filter((j) => now()[j] === mu).length;
      return `${count} in cluster ${mu + 1}`;
    });
    const heard = shows("edges") ? `, and neighbours ${votes.join(", ")}` : "";
    return `${lamWords()} point ${i + 1} has kernels ${kernels.join(", ")}${heard}: it is in cluster ${own + 1}.`;
  }

  // --- drawing -----------------------------------------------------------------------------------

  function draw({ context, side, screen }) {
    if (shows("density")) drawDensity(context, side);
    if (shows("edges")) drawEdges(context, screen);
    if (model.point !== null) drawChosen(context, screen);
    drawPoints(context, screen);
    drawModes(screen);
  }

  // Where a cluster's points lie densest: the sum of kernels around them, by square.
  function densityOf(lam) {
    if (densities.has(lam)) return densities.get(lam);
    const { left, right, bottom } = board.box;
    const step = (right - left) / GRID;
    const sums = modes[0].map(() => new Float64Array(GRID * GRID));
    const reach = Math.ceil((FAR * sigma) / step);
    points.forEach(([x, y], i) => {
      const [column, row] = [Math.floor((x - left) / step), Math.floor((y - bottom) / step)];
      for (let r = Math.max(0, row - reach); r <= Math.min(GRID - 1, row + reach); r++) {
        for (let c = Math.max(0, column - reach); c <= Math.min(GRID - 1, column + reach); c++) {
          const [dx, dy] = [left + (c + 0.5) * step - x, bottom + (r + 0.5) * step - y];
          sums[labels[lam][i]][r * GRID + c] += Math.exp(-(dx * dx + dy * dy) / (2 * sigma * sigma));
        }
      }
    });
    const found = { sums, peak: Math.max(...sums.flatMap((one) => Math.max(...one))) };
    densities.set(lam, found);
    return found;
  }

  function drawDensity(context, side) {
    const { sums, peak } = densityOf(model.lam);
    const pixels = new Uint8ClampedArray(4 * GRID * GRID);
    for (let row = 0; row < GRID; row++) {
      for (let column = 0; column < GRID; column++) {
        const values = sums.map((one) => one[row * GRID + column]);
        const most = shows("clusters") ? Math.max(...values) : values.reduce((sum, one) => sum + one);
        const colour = shows("clusters") ? colours.strong[values.indexOf(most)] : colours.ink; // not told yet
        pixels.set([...colour, 200 * Math.min(1, most / peak)], 4 * ((GRID - 1 - row) * GRID + column));
      }
    }
    drawPixels(context, pixels, GRID, side);
  }

  // Edges within a cluster are thin; what joins two clusters is cut, and dashed.
  function drawEdges(context, screen) {
    const places = points.map(screen.to);
    for (const cut of [false, true]) {
      context.beginPath();
      for (const [p, q] of edges) {
        if ((shows("clusters") && now()[p] !== now()[q]) !== cut) continue;
        context.moveTo(...places[p]);
        context.lineTo(...places[q]);
      }
      context.setLineDash(cut ? [4, 3] : []);
      context.lineWidth = cut ? 2 : 1;
      context.strokeStyle = css(colours.ink, cut ? 0.95 : 0.28);
      context.stroke();
    }
    context.setLineDash([]);
  }

  function drawChosen(context, screen) {
    const place = screen.to(points[model.point]);
    context.strokeStyle = css(colours.ink);
    if (shows("edges")) {
      context.lineWidth = 3;
      context.beginPath();
      for (const j of neighbours[model.point]) {
        context.moveTo(...place);
        context.lineTo(...screen.to(points[j]));
      }
      context.stroke();
    }
    context.lineWidth = 3.5;
    context.beginPath();
    context.arc(...place, 11, 0, 2 * Math.PI);
    context.stroke();
  }

  function drawPoints(context, screen) {
    const radius = points.length > 600 ? 3 : 4.6;
    points.forEach((point, i) => {
      const label = shows("clusters") ? now()[i] : 0;
      context.lineWidth = 1;
      context.fillStyle = shows("clusters") ? css(colours.strong[label]) : css(colours.ink, 0.55);
      context.strokeStyle = css(colours.line);
      drawPoint(context, screen.to(point), label, radius);
      if (!shows("changed") || label === labels[0][i]) return;
      context.lineWidth = 2;
      context.strokeStyle = css(colours.ink);
      context.beginPath();
      context.arc(...screen.to(point), radius + 3.5, 0, 2 * Math.PI);
      context.stroke();
    });
  }

  function drawModes(screen) {
    const marks = (shows("modes") ? modes[model.lam] : []).map((mode, mu) => {
      const [x, y] = screen.to(mode);
      const text = svg("text", { dy: "0.35em" });
      text.textContent = String(mu + 1);
      const name = { class: "mode", role: "img", transform: `translate(${x} ${y})` };
      const mark = svg("g", { ...name, "aria-label": `Mode ${mu + 1} at (${mode.map((one) => figures(one)).join(", ")})` });
      mark.append(svg("circle", { class: "disc", r: 14 }), text);
      return mark;
    });
    rings.replaceChildren(...marks);
  }

  // --- controls ----------------------------------------------------------------------------------

  const lam = slider({
    name: "lam", label: `λ, in units of c(${k})`, low: 0, high: last, step: 1,
    input: (number) => change({ lam: number }, "lam"),
  });
  const point = stepper(points.length, (i) => change({ point: i }, "point picked"));
  const switched = (name, on) => [...model.layers.filter((one) => one !== name), ...(on ? [name] : [])];
  const switches = [["edges", "Edges"], ["density", "Density"], ["changed", "Ring what changed"]].map(([name, words]) =>
    [name, toggle(name, words, (on) => change({ layers: switched(name, on) }, on ? `${name} shown` : `${name} hidden`))],
  );
  const all = [["lam", lam], ["point", point], ...switches];
  const controls = new Map(all.filter(([name]) => wanted.includes(name)).map(([name, { element }]) => [name, element]));
  const lit = new Map([...controls, ["modes", rings]]);

  function show() {
    leaveOut(controls, model.shown);
    lam.show(model.lam, figures(units[model.lam]));
    point.show(model.point);
    for (const [name, one] of switches) one.show(shows(name));
    for (const one of [lam.input, ...point.buttons, ...switches.map(([, { element }]) => element)]) one.disabled = locked;
  }

  board.marks.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const place = board.place(event);
    if (locked) chose?.(nearestPoint(modes[model.lam], place));
    else if (wanted.includes("point")) change({ point: nearestPoint(points, place) }, "point picked");
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
      show();
    },
    truth,
    regionAt: (x, y) => now()[nearestPoint(points, [x, y])],
    nearest: (place) => nearestPoint(modes[model.lam], place),
    sentence,
    renew(dark) {
      colours = dark ? themes.dark : themes.light;
      board.touch();
    },
  });
}

// Pairs of little-endian 16-bit numbers, in base64.
function pairsOf(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Array.from({ length: bytes.length / 4 }, (_, i) => [view.getUint16(4 * i, true), view.getUint16(4 * i + 2, true)]);
}

function neighboursOf(count, edges) {
  const found = Array.from({ length: count }, () => []);
  for (const [p, q] of edges) {
    found[p].push(q);
    found[q].push(p);
  }
  return found;
}
