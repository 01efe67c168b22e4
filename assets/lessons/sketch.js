// A border drawn by hand: with the pointer, or by seven handles that arrow keys move.
//
// Where memory 1 lies beside the others the border runs from top to bottom, else from left to
// right: one position for each of ROWS lines across the picture. It is judged by the share of the
// picture that lies on its right side, and stays on it when the truth is drawn.

import { svg } from "../live_basins/svg.js";
import { element } from "./dom.js";

const ROWS = 49;
const [FIRST, EVERY] = [3, 7]; // the first handle's row, and rows between handles
const GRID = 120; // samples along each side for the score
const KEY = 0.02; // of the picture: how far an arrow key moves a handle
const GOOD = 0.95;

const clip = (share) => Math.min(1, Math.max(0, share));

export function makeSketch(task, picture, ready) {
  const { memories } = picture.state;
  const others = memories.slice(1);
  const rest = [0, 1].map((i) => others.reduce((sum, at) => sum + at[i], 0) / others.length);
  const away = [memories[0][0] - rest[0], memories[0][1] - rest[1]];
  const upright = Math.abs(away[0]) >= Math.abs(away[1]);
  // Position 0 is left, or at the top; memory 1 lies before the border or behind it.
  const before = upright ? away[0] < 0 : away[1] > 0;
  const line = new Array(ROWS).fill(0.5);
  const drawn = new Set(); // rows that the pointer has passed
  let [drawing, last] = [false, null];

  const stage = picture.stage;
  const path = svg("path", { class: "sketch" });
  const halo = svg("path", { class: "sketch-halo" });
  const root = svg("svg", { class: "sketching", role: "group", "aria-label": "Your border" }, halo, path);
  const handles = [];
  for (let row = FIRST; row < ROWS; row += EVERY) {
    const mark = svg("g", {
      class: "handle", tabindex: "0", role: "slider", "data-row": row,
      "aria-orientation": upright ? "horizontal" : "vertical", "aria-valuemin": 0, "aria-valuemax": 100,
      "aria-label": `Border, handle ${handles.length + 1} of 7, ${upright ? "from the top" : "from the left"}`,
    }, svg("circle", { class: "grip", r: 16 }), svg("circle", { class: "knob", r: 6 }));
    handles.push(root.appendChild(mark));
  }
  stage.append(root);

  const at = (row) => {
    const [along, across] = [(row / (ROWS - 1)) * picture.size, line[row] * picture.size];
    return upright ? [across, along] : [along, across];
  };
  function draw() {
    root.setAttribute("viewBox", `0 0 ${picture.size} ${picture.size}`);
    const d = `M${line.map((_, row) => at(row).map((x) => x.toFixed(1)).join(",")).join(" L")}`;
    path.setAttribute("d", d);
    halo.setAttribute("d", d);
    for (const mark of handles) {
      const row = Number(mark.dataset.row);
      mark.setAttribute("transform", `translate(${at(row).map((x) => x.toFixed(1)).join(" ")})`);
      mark.setAttribute("aria-valuenow", String(Math.round(100 * line[row])));
    }
  }

  const placeOf = (event) => {
    const box = root.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    const [along, across] = upright ? [y, x] : [x, y];
    return { row: Math.round(clip(along) * (ROWS - 1)), share: clip(across) };
  };
  function stroke({ row, share }) {
    const from = last ?? { row, share };
    const gap = Math.abs(row - from.row) || 1;
    for (let i = 0; i <= gap; i++) {
      const now = Math.round(from.row + ((row - from.row) * i) / gap);
      line[now] = from.share + ((share - from.share) * i) / gap;
      drawn.add(now);
    }
    last = { row, share };
    // What is not drawn yet goes on from what is.
    const rows = [...drawn].sort((one, other) => one - other);
    for (let other = 0; other < ROWS; other++) {
      if (other < rows[0]) line[other] = line[rows[0]];
      if (other > rows.at(-1)) line[other] = line[rows.at(-1)];
    }
    draw();
    ready();
  }
  const life = new AbortController();
  const on = (event, act) => root.addEventListener(event, act, { signal: life.signal });
  on("pointerdown", (event) => {
    if (event.button !== 0) return;
    [drawing, last] = [true, null];
    root.setPointerCapture(event.pointerId);
    event.preventDefault();
    stroke(placeOf(event));
  });
  on("pointermove", (event) => drawing && stroke(placeOf(event)));
  for (const end of ["pointerup", "pointercancel"]) on(end, () => (drawing = false));
  on("keydown", (event) => {
    const row = Number(event.target.closest?.("[data-row]")?.dataset.row);
    const way = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!way || Number.isNaN(row)) return;
    event.preventDefault();
    // The line follows between this handle and its neighbours, and beyond the first and last.
    for (let other = 0; other < ROWS; other++) {
      const inside = Math.min(ROWS - 1 - FIRST, Math.max(FIRST, other));
      const share = Math.max(0, 1 - Math.abs(inside - row) / EVERY);
      line[other] = clip(line[other] + way * share * (event.shiftKey ? 4 : 1) * KEY);
    }
    draw();
    ready();
  });
  const sizes = new ResizeObserver(draw);
  sizes.observe(stage);
  draw();

  function score() {
    let right = 0;
    for (let i = 0; i < GRID; i++) {
      for (let j = 0; j < GRID; j++) {
        const [x, y] = [(i + 0.5) / GRID, (j + 0.5) / GRID];
        const [along, across] = upright ? [y, x] : [x, y];
        const own = across < line[Math.round(along * (ROWS - 1))] === before;
        const [px, py] = picture.toPlane([x * picture.size, y * picture.size]);
        if (own === (picture.regionAt(px, py) === 0)) right += 1;
      }
    }
    return right / GRID ** 2;
  }

  return {
    element: element("p", { class: "hint" },
      "Draw in the picture, or Tab to the handles and move them by arrow keys."),
    judge() {
      life.abort();
      root.classList.add("judged");
      handles.forEach((mark) => mark.remove());
      const share = score();
      const said = `${(100 * share).toFixed(1)} %`;
      const right = share >= GOOD;
      const verdict = `${said} of the picture lies on the right side of your line${right ? ": well drawn" : ""}.`;
      return { said: "a line", truth: `${said} on the right side`, right, score: share, verdict };
    },
    stop() {
      life.abort();
      sizes.disconnect();
      root.remove();
    },
  };
}
