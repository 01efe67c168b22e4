// The painter: points under hand and keys. The browser keeps the drawing; Python hears of it when
// the reader uses it.

import { makeHistory } from "../live_basins/history.js";
import { ARROWS, clamp } from "../live_basins/keys.js";
import { read } from "../live_basins/mail.js";
import { mounting } from "../live_basins/mounting.js";
import { isDark } from "../live_basins/theme.js";
import { between, countSentence, dab, isDrawing, sketch, without } from "./drawing.js";
import { drawPoints, swatch } from "./marks.js";

const KEPT = "basinscope.painting"; // in the browser's own storage
const EVERY = 80; // milliseconds between the dabs of a hand that rests
const SPACED = 0.35; // radii between the dabs of a hand that moves
const STEP = { near: 0.02, far: 0.1 }; // of the side, of the crosshair
const WIDE = 640; // pixels: from here on the controls stand beside the canvas

export const mount = mounting(start);

// The drawing outlives the page that it is on, and, where the browser allows it, a reload.
function keptDrawing(limits) {
  if (globalThis.basinscopePainting) return globalThis.basinscopePainting;
  let found = null;
  try {
    found = JSON.parse(localStorage.getItem(KEPT));
  } catch {
    // Storage is refused, or what lies there is not ours.
  }
  const points = isDrawing(found?.points, limits) ? found.points : [];
  const used = isDrawing(found?.used, limits) && found.used.length ? found.used : null;
  globalThis.basinscopePainting = { history: makeHistory(points), used, told: undefined };
  return globalThis.basinscopePainting;
}

function keep({ history, used }) {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ points: history.now, used }));
  } catch {
    // It lasts as long as this page, then.
  }
}

function start(component) {
  const root = component.parentElement.querySelector(".painter");
  const part = (id) => root.querySelector(`[data-id="${id}"]`);
  const { address, colours: themes, inks, most, side } = component.data;
  const kept = keptDrawing({ side, most, inks: inks.length });
  const stage = part("stage");
  let tell = component;
  let [colours, pixels, asked] = [themes.light, 0, false];
  let [points, stroke] = [kept.history.now, null]; // as they are while a stroke lasts
  let [cross, hover, ink] = [[side / 2, side / 2], null, 0];

  const tool = () => root.querySelector("input[name=paint-tool]:checked").value;
  const brush = () => ({
    radius: (Number(part("radius").value) * side) / 1000,
    density: Number(part("density").value),
    side,
  });
  const equal = (one, other) => JSON.stringify(one) === JSON.stringify(other);

  // --- painting ----------------------------------------------------------------------------------

  function apply(at) {
    if (tool() === "eraser") points = without(points, at, brush().radius);
    else {
      const fresh = tool() === "spray" ? dab(at, ink, brush()) : [[...at.map(Math.round), ink]];
      points = [...points, ...fresh.slice(0, most - points.length)];
    }
    touch();
  }

  function commit() {
    if (kept.history.commit(points)) keep(kept);
    settle();
  }

  function travel(next) {
    points = next;
    keep(kept);
    settle();
  }

  // What Python has in use: of this browser, or of another time that it was asked to show again.
  function open({ used }) {
    const told = JSON.stringify(used);
    if (told === kept.told) return settle(); // an answer that was under way before the last use
    kept.told = told;
    if (used) {
      if (equal(used, kept.used)) return settle();
      kept.used = used;
      kept.history.commit(used);
      travel(used);
    } else if (kept.used) use(kept.used, true);
  }

  function use(chosen, restored) {
    kept.used = chosen;
    keep(kept);
    tell.setTriggerValue("use", { points: chosen, restored });
    settle();
  }

  // --- drawing -----------------------------------------------------------------------------------

  function touch() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(draw);
  }

  function draw() {
    asked = false;
    if (!pixels || !root.isConnected) return;
    const focused = stage.matches(":focus-visible");
    const at = focused ? cross : hover;
    const radius = tool() === "point" ? 0 : brush().radius;
    drawPoints(part("canvas"), points, {
      side, pixels, colours, brush: at && { at, radius, cross: focused },
    });
    part("empty").hidden = points.length > 0;
  }

  function said(id, text) {
    part(`${id}-value`).textContent = text;
    part(id).setAttribute("aria-valuetext", text);
  }

  function settle() {
    const inUse = kept.used !== null && equal(points, kept.used);
    const state = inUse ? " In use." : points.length ? " Not in use yet." : "";
    const words = countSentence(points, most) + state;
    if (part("words").textContent !== words) part("words").textContent = words;
    part("undo").disabled = !kept.history.canUndo;
    part("redo").disabled = !kept.history.canRedo;
    part("clear").disabled = !points.length;
    part("use").disabled = !points.length;
    part("use").classList.toggle("done", inUse); // nothing to do, yet another page may want them
    said("radius", `${Number(part("radius").value) / 10} %`);
    said("density", part("density").value);
    part("density").disabled = tool() !== "spray";
    part("radius").disabled = tool() === "point";
    touch();
  }

  // --- controls ----------------------------------------------------------------------------------

  inks.forEach((name, number) => {
    const [label, input, text] = ["label", "input", "span"].map((tag) => document.createElement(tag));
    Object.assign(input, { type: "radio", name: "paint-ink", value: number, ariaLabel: `Ink ${name}` });
    Object.assign(text, { textContent: name, ariaHidden: "true" });
    label.append(input, text);
    part("inks").append(label);
  });

  function chooseInk(number) {
    if (number >= inks.length) return false;
    ink = number;
    root.querySelector(`input[name=paint-ink][value="${number}"]`).checked = true;
    if (tool() === "eraser") root.querySelector("input[value=spray]").checked = true;
    settle();
    return true;
  }

  const at = (id, event, act) => part(id).addEventListener(event, act);
  root.addEventListener("change", ({ target: { name, value } }) => {
    if (name === "paint-ink") chooseInk(Number(value));
    if (name === "paint-tool") settle();
  });
  for (const id of ["radius", "density"]) at(id, "input", settle);
  at("undo", "click", () => travel(kept.history.undo()));
  at("redo", "click", () => travel(kept.history.redo()));
  at("clear", "click", () => {
    points = [];
    commit();
  });
  at("sketch", "change", () => {
    points = sketch(part("sketch").value, side);
    part("sketch").value = "";
    commit();
  });
  at("use", "click", () => {
    if (root.getRootNode().fullscreenElement === root) document.exitFullscreen();
    use(points, false);
  });
  at("full", "click", () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else root.requestFullscreen?.().catch(() => {});
  });
  document.addEventListener("fullscreenchange", nameFullScreen);
  function nameFullScreen() {
    const on = root.getRootNode().fullscreenElement === root;
    part("full").textContent = on ? "Leave full screen" : "Full screen";
  }

  // --- hands -------------------------------------------------------------------------------------

  const placeOf = (event) => {
    const { left, bottom } = stage.getBoundingClientRect();
    const scale = side / pixels;
    return [(event.clientX - left) * scale, (bottom - event.clientY) * scale].map((value) =>
      clamp(value, { low: 0, high: side }),
    );
  };

  stage.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !pixels) return;
    event.preventDefault();
    stage.setPointerCapture(event.pointerId);
    stage.focus({ preventScroll: true, focusVisible: false });
    hover = placeOf(event);
    cross = hover.map(Math.round);
    stroke = { pointer: event.pointerId, at: hover, dabbed: performance.now() };
    apply(hover);
    requestAnimationFrame(rest);
  });
  stage.addEventListener("pointermove", (event) => {
    hover = placeOf(event);
    touch();
    if (stroke?.pointer !== event.pointerId || tool() === "point") return;
    const step = SPACED * brush().radius;
    if (Math.hypot(hover[0] - stroke.at[0], hover[1] - stroke.at[1]) < step) return;
    between(stroke.at, hover, step).forEach(apply);
    [stroke.at, stroke.dabbed] = [hover, performance.now()];
  });
  for (const name of ["pointerup", "pointercancel"]) {
    stage.addEventListener(name, (event) => {
      if (stroke?.pointer !== event.pointerId) return;
      stroke = null;
      if (event.pointerType !== "mouse") hover = null;
      commit();
    });
  }
  stage.addEventListener("pointerleave", () => {
    hover = null;
    touch();
  });

  // A spray can that is held still goes on.
  function rest(now) {
    if (!stroke || tool() !== "spray" || !root.isConnected) return;
    if (now - stroke.dabbed >= EVERY) {
      apply(hover ?? stroke.at);
      stroke.dabbed = now;
    }
    requestAnimationFrame(rest);
  }

  // --- keys --------------------------------------------------------------------------------------


  function moveCross(way, far) {
    const reach = side * (far ? STEP.far : STEP.near);
    const range = { low: 0, high: side };
    cross = cross.map((value, axis) => clamp(Math.round(value + reach * way[axis]), range));
    const shown = cross.map((value) => (value / side).toFixed(2));
    part("place").textContent = `x ${shown[0]}, y ${shown[1]}`;
    touch();
  }

  root.addEventListener("keydown", (event) => {
    const typed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if ((event.ctrlKey || event.metaKey) && (typed === "z" || typed === "y")) {
      const again = typed === "y" || event.shiftKey;
      travel(again ? kept.history.redo() : kept.history.undo());
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== stage) return;
    if (ARROWS[event.key]) moveCross(ARROWS[event.key], event.shiftKey);
    else if (typed === " " || typed === "Enter") {
      apply(cross);
      commit();
    } else if (!(/^[1-9]$/.test(typed) && chooseInk(Number(typed) - 1))) return;
    event.preventDefault();
  });
  for (const name of ["focus", "blur"]) stage.addEventListener(name, touch);

  // --- its life ----------------------------------------------------------------------------------

  const sizes = new ResizeObserver(() => {
    root.classList.toggle("wide", root.clientWidth >= WIDE);
    pixels = stage.clientWidth;
    touch();
  });
  sizes.observe(root);
  sizes.observe(stage);

  // For tests and the curious: root.painter in the console.
  root.painter = {
    get points() {
      return points;
    },
  };

  function renew(next) {
    tell = next;
    colours = isDark(root) ? themes.dark : themes.light;
    root.querySelectorAll(".inks label > span").forEach((span, number) => {
      span.querySelector("canvas")?.remove();
      span.prepend(swatch(number, colours));
    });
    settle();
  }

  chooseInk(0);
  const unread = read(address, open);
  return {
    root,
    renew,
    stop() {
      unread();
      sizes.disconnect();
      document.removeEventListener("fullscreenchange", nameFullScreen);
    },
  };
}
