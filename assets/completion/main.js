// Masked completion under the hand: hide values and watch recall fill them, computed here at once;
// Python hears of it on release.

import { makeField } from "../live_basins/field.js";
import { read } from "../live_basins/mail.js";
import { mounting } from "../live_basins/mounting.js";
import { isDark } from "../live_basins/theme.js";
import { figures } from "../live_basins/words.js";
import { makeBars } from "./bars.js";
import { paint } from "./image.js";
import { completion, squaredError } from "./recall.js";

const RELEASE = 350; // milliseconds without a key, after which Python hears of it
const SAID = 700; // milliseconds at rest, after which the sentence is read aloud
const PACE = 420; // milliseconds that a step is shown
const CALM_PACE = 900;

export const mount = mounting(start);

function start(component) {
  const root = component.parentElement.querySelector(".completion");
  const part = (id) => root.querySelector(`[data-id="${id}"]`);
  const { address, colours: themes } = component.data;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let tell = component;
  let [model, field, row, columns, bars] = [null, null, null, [], null];
  let [way, step, sent, cursor, stroke, late] = [[], 0, 0, null, null, null];
  let [colours, timer, releaseTimer, sayTimer, asked] = [themes.light, 0, 0, 0, false];
  const thumbs = [];

  // --- state -------------------------------------------------------------------------------------

  const isReady = () => Boolean(model && row && row.model === model.key);
  const hiddenFeatures = () => model.features.map((f, i) => columns[f.column] || row.truth[i] === null);
  const last = () => way.length - 1;

  function compute() {
    const { steps, stepSize } = model;
    const hidden = hiddenFeatures();
    way = completion(field, { truth: row.truth, start: row.start, hidden, steps, stepSize });
    way.forEach((each) => (each.loss = squaredError(row.truth, each.v, hidden)));
    way.hidden = hidden;
    touch();
  }

  function openModel(letter) {
    if (letter.key === model?.key) return;
    model = letter;
    const { keys, logWeights, beta } = letter;
    field = makeField({ keys, logWeights, beta, d: letter.features.length });
    bars = null;
    lay();
    if (isReady()) adopt();
  }

  function openRow(letter) {
    const before = row;
    const same = before?.model === letter.model && before.row === letter.row;
    if (same && stroke) {
      late = letter; // not from under the hand
      return;
    }
    // A letter written before the latest stroke must not undo it.
    if (same && (releaseTimer || letter.answered < sent)) return;
    row = letter;
    if (isReady()) adopt(before);
  }

  function adopt(before) {
    columns = row.hidden.map(Boolean);
    root.classList.toggle("locked", row.locked); // a teacher's link: nothing is hidden by hand
    part("tools").hidden = row.locked;
    part("seen").tabIndex = row.locked ? -1 : 0;
    if (before?.row !== row.row || before?.model !== row.model || step > model.steps) step = model.steps;
    compute();
  }

  function hide(column, value) {
    if (column === undefined || columns[column] === value) return false;
    columns[column] = value;
    return true;
  }

  function changed(wait = 0) {
    step = model.steps;
    compute();
    clearTimeout(releaseTimer);
    releaseTimer = setTimeout(release, wait);
  }

  function release() {
    [sent, releaseTimer] = [Date.now(), 0];
    const cells = columns.flatMap((value, at) => (value ? [at] : []));
    tell.setStateValue("release", { serial: sent, row: row.row, cells });
  }

  // --- what stands where -------------------------------------------------------------------------

  function lay() {
    const isImage = Boolean(model.image);
    part("pictures").hidden = part("thumbs").hidden = part("brush-label").hidden = !isImage;
    part("bars").hidden = part("legend").hidden = isImage;
    part("keys").textContent = isImage
      ? "Drag over the picture, or move by arrow keys; Space hides or shows, Shift and arrows go on with it."
      : "Tick what recall must fill.";
    part("bars").replaceChildren();
    if (!isImage) {
      bars = makeBars(part("bars"), model.features, model.columns, (column, value) => {
        if (hide(column, value)) changed();
      });
    }
    part("step").max = model.steps;
    thumbs.length = 0;
    part("thumbs").replaceChildren();
    if (isImage) for (let t = 0; t <= model.steps; t++) addThumb(t);
    cursor = isImage ? Math.floor((model.image.side * (model.image.side + 1)) / 2) : null;
  }

  function addThumb(t) {
    const button = document.createElement("button");
    const canvas = document.createElement("canvas");
    button.type = "button";
    button.append(canvas, t === 0 ? "start" : `step ${t}`);
    button.addEventListener("click", () => go(t));
    thumbs.push({ button, canvas });
    part("thumbs").append(button);
  }

  // --- drawing -----------------------------------------------------------------------------------

  function touch() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      if (isReady() && way.length && root.isConnected) draw();
    });
  }

  function draw() {
    const { v, label, loss } = way[step];
    const memory = field.keys.subarray(label * field.d, (label + 1) * field.d);
    const { hidden } = way;
    if (model.image) drawImages(v, memory, hidden, label);
    else bars({ truth: row.truth, start: row.start, now: v, memory, hidden, locked: row.locked });
    part("step").value = step;
    part("step").setAttribute("aria-valuetext", `step ${step} of ${model.steps}`);
    part("step-words").textContent = `step ${step} of ${model.steps} · error ${figures(loss)}`;
    say(sentence());
  }

  // Shown at once; aloud only at rest, not at each step nor at each stroke of a brush.
  function say(text) {
    part("words").textContent = text;
    clearTimeout(sayTimer);
    if (!timer) sayTimer = setTimeout(() => (part("said").textContent = text), SAID);
  }

  function drawImages(v, memory, hidden, label) {
    const looks = { ink: colours.ink, paper: colours.line, accent: getComputedStyle(root).getPropertyValue("--accent") };
    const picture = (id, values, more) => paint(part(id), model.image, model.features, values, { ...looks, ...more });
    const focused = root.getRootNode().activeElement === part("seen");
    const nHidden = hidden.filter(Boolean).length;
    picture("truth", row.truth, {});
    picture("seen", row.truth, { hidden, cursor: focused ? cursor : null });
    picture("now", v, { hidden, outlined: true });
    picture("memory", memory, {});
    thumbs.forEach(({ button, canvas }, t) => {
      paint(canvas, model.image, model.features, way[t].v, looks);
      button.setAttribute("aria-pressed", String(t === step));
    });
    part("seen-words").textContent = `What the memory sees: ${nHidden} of ${hidden.length} values are hidden`;
    part("now-words").textContent = step === 0 ? "Hidden values at their start" : `Recall after step ${step}`;
    part("memory-words").textContent = `Memory ${label + 1}, the nearest now`;
    part("truth").setAttribute("aria-label", `Row ${row.row} as the table has it`);
    part("seen").setAttribute("aria-label", `Row ${row.row} with ${nHidden} of ${hidden.length} pixels hidden. Arrow keys move, Space hides or shows.`);
    part("now").setAttribute("aria-label", `Row ${row.row} after step ${step} of recall`);
    part("memory").setAttribute("aria-label", `Memory ${label + 1}`);
  }

  function sentence() {
    const scored = way.hidden.filter((is, i) => is && row.truth[i] !== null).length;
    const nHidden = way.hidden.filter(Boolean).length;
    if (!nHidden) return `Row ${row.row}: nothing is hidden, so nothing moves. Hide some values.`;
    const near = way[step].label;
    const whose = near === row.own ? "the memory of the row's own cluster" : `not that of the row's own cluster, ${row.own + 1}`;
    const visible = nHidden === way.hidden.length ? " Nothing is visible: recall has only the start to go by." : "";
    const error = scored
      ? `the squared error on ${scored} hidden value${scored === 1 ? "" : "s"} is ${figures(way[step].loss)} ` +
        `(${figures(way[0].loss)} at the start, ${figures(way[last()].loss)} at the end)`
      : "no hidden value is known, so there is no error to measure";
    return `Row ${row.row}, step ${step} of ${model.steps}: ${error}. The nearest memory is ${near + 1}, ${whose}.${visible}`;
  }

  // --- steps -------------------------------------------------------------------------------------

  function go(t) {
    step = Math.min(model.steps, Math.max(0, t));
    touch();
  }

  function play(on) {
    clearInterval(timer);
    timer = 0;
    if (on) {
      if (step === model.steps) go(0);
      timer = setInterval(() => {
        if (!root.isConnected || step >= model.steps) play(false);
        else go(step + 1);
      }, still.matches ? CALM_PACE : PACE);
    }
    part("play").textContent = on ? "Pause" : "Play";
    part("play").setAttribute("aria-pressed", String(on));
    if (!on) touch();
  }

  part("play").addEventListener("click", () => isReady() && play(!timer));
  part("back").addEventListener("click", () => (play(false), go(step - 1)));
  part("forth").addEventListener("click", () => (play(false), go(step + 1)));
  part("step").addEventListener("input", () => (play(false), go(Number(part("step").value))));

  // --- hiding by hand ----------------------------------------------------------------------------

  const columnAt = (pixel) => model.features[model.image.places[pixel]]?.column;

  function pixelOf(event) {
    const box = part("seen").getBoundingClientRect();
    const { side } = model.image;
    const place = (x, length) => Math.min(side - 1, Math.max(0, Math.floor((x / length) * side)));
    return place(event.clientY - box.top, box.height) * side + place(event.clientX - box.left, box.width);
  }

  // Hides or shows a square as wide as the brush.
  function brush(pixel, value) {
    const { side } = model.image;
    const width = Number(part("brush").value);
    const [x, y] = [pixel % side, Math.floor(pixel / side)];
    let any = false;
    for (let i = 0; i < width; i++) {
      for (let j = 0; j < width; j++) {
        const [across, down] = [x + i - ((width - 1) >> 1), y + j - ((width - 1) >> 1)];
        if (across < 0 || down < 0 || across >= side || down >= side) continue;
        any = hide(columnAt(down * side + across), value) || any;
      }
    }
    return any;
  }

  const seen = part("seen");
  seen.addEventListener("pointerdown", (event) => {
    if (!isReady() || row.locked || event.button) return;
    seen.setPointerCapture(event.pointerId);
    cursor = pixelOf(event);
    stroke = { value: !columns[columnAt(cursor)], any: false };
    move();
  });
  seen.addEventListener("pointermove", (event) => {
    if (!stroke) return;
    cursor = pixelOf(event);
    move();
  });
  function move() {
    if (!brush(cursor, stroke.value)) return;
    stroke.any = true;
    step = model.steps;
    compute();
  }
  function lift() {
    const [own, letter] = [stroke, late];
    [stroke, late] = [null, null];
    if (own?.any) changed();
    else if (letter) openRow(letter);
  }
  seen.addEventListener("pointerup", lift);
  seen.addEventListener("pointercancel", lift);
  seen.addEventListener("focus", touch);
  seen.addEventListener("blur", touch);

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  let painting = true; // what Shift and an arrow do: as Space did last
  seen.addEventListener("keydown", (event) => {
    if (!isReady() || row.locked || event.ctrlKey || event.metaKey || event.altKey) return;
    const { side } = model.image;
    const arrow = ARROWS[event.key];
    if (arrow) {
      const [x, y] = [(cursor % side) + arrow[0], Math.floor(cursor / side) + arrow[1]];
      if (x >= 0 && y >= 0 && x < side && y < side) cursor = y * side + x;
      if (event.shiftKey && brush(cursor, painting)) changed(RELEASE);
      else touch();
    } else if (event.key === " " || event.key === "Enter") {
      painting = !columns[columnAt(cursor)];
      if (brush(cursor, painting)) changed(RELEASE);
    } else return;
    event.preventDefault();
    const is = columns[columnAt(cursor)] ? "hidden" : "visible";
    part("spoken").textContent = `Line ${Math.floor(cursor / side) + 1}, column ${(cursor % side) + 1}: ${is}`;
  });

  function everywhere(next) {
    if (!isReady()) return;
    columns = columns.map(next);
    changed();
  }
  part("none").addEventListener("click", () => everywhere(() => false));
  part("all").addEventListener("click", () => everywhere(() => true));
  part("invert").addEventListener("click", () => everywhere((is) => !is));

  // --- its life ----------------------------------------------------------------------------------

  const sizes = new ResizeObserver(touch);
  sizes.observe(root);
  const unread = [read(`${address}/model`, openModel), read(address, openRow)];

  function stop() {
    play(false);
    unread.forEach((end) => end());
    sizes.disconnect();
    clearTimeout(releaseTimer);
    clearTimeout(sayTimer);
  }

  // For tests and the curious.
  root.live = {
    get state() {
      return isReady() && { step, row: row.row, columns: [...columns], path: way.map(({ v }) => Array.from(v)), losses: way.map(({ loss }) => loss) };
    },
  };

  return {
    root,
    stop,
    renew(next) {
      tell = next;
      colours = isDark(root) ? themes.dark : themes.light;
      touch();
    },
  };
}
