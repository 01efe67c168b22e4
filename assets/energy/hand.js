// The hand on the Energy page's two pictures. A click in either drops the particle there, which
// Python hears of; and each new picture in space is turned as the reader had turned the last one,
// since Streamlit puts a new node in the place of the old and Plotly's uirevision ends with it.

import { mounting } from "../live_basins/mounting.js";

const STILL = 5; // pixels within which a press is a click, not a turn
const RESTORED = 5; // times at most that a new node, drawn again from its own camera, is turned back
const ALIKE = 3; // frames in a row that say where a turn has ended: Plotly's camera lags the hand

const cameras = (globalThis.basinscopeCameras ??= new Map()); // space -> camera

let tell = null; // the newest component: only it reaches Python, also from a picture that stayed
let drops = 0;

export const mount = mounting(start);

function start({ parentElement }) {
  const root = parentElement.querySelector(".hand");
  root.textContent = drawsInSpace() ? "" : root.dataset.missing;

  const drop = (at) => tell.setStateValue("drop", { at, number: ++drops, when: Date.now() });
  const look = () => {
    const { flat, space } = tell.data;
    adopt(document.querySelector(`.st-key-${flat} .js-plotly-plot`), (plot) => onFlat(plot, drop));
    adopt(document.querySelector(`.st-key-${space} .js-plotly-plot`), (plot) => {
      inSpace(plot, drop);
      keepCamera(plot, () => tell.data.camera);
    });
  };
  const watch = new MutationObserver(look);
  watch.observe(document.body, { childList: true, subtree: true });
  return {
    root,
    renew(component) {
      tell = component;
      look();
    },
    stop: () => watch.disconnect(),
  };
}

function adopt(plot, begin) {
  if (!plot?.on || !plot._fullLayout || plot.inHand) return;
  plot.inHand = true;
  begin(plot);
}

// Call at each press that ends where it began. Plotly covers the page while a button is down, so
// the end is heard by the window.
function clicks(plot, within, take) {
  const pressed = (from) => {
    if (from.button !== 0 || !from.target.closest(within)) return;
    const released = (to) => {
      const moved = Math.hypot(to.clientX - from.clientX, to.clientY - from.clientY);
      if (moved <= STILL) take(to);
    };
    window.addEventListener("pointerup", released, { capture: true, once: true });
  };
  plot.addEventListener("pointerdown", pressed, true);
}

function onFlat(plot, drop) {
  plot.style.cursor = "crosshair";
  clicks(plot, ".nsewdrag", (event) => {
    const { xaxis, yaxis } = plot._fullLayout;
    const area = plot.querySelector(".nsewdrag").getBoundingClientRect();
    // A page that is scaled has other pixels than Plotly's.
    const scale = area.width / xaxis._length || 1;
    drop([
      xaxis.p2l((event.clientX - area.left) / scale),
      yaxis.p2l((event.clientY - area.top) / scale),
    ]);
  });
}

function inSpace(plot, drop) {
  let seen = null; // the point of the surface beneath the pointer
  plot.on("plotly_hover", ({ points }) => {
    seen = points[0]?.data.type === "surface" ? points[0] : null;
  });
  plot.on("plotly_unhover", () => (seen = null));
  clicks(plot, ".gl-container, canvas, .scene", () => seen && drop([seen.x, seen.y, seen.z].map(Number)));
}

function keepCamera(plot, nameOf) {
  const name = nameOf();
  const kept = cameras.get(name);
  const cameraOf = () => plot._fullLayout.scene?._scene?.getCamera?.();
  let own = false;
  const follow = (last, alike = 0) => {
    const now = JSON.stringify(cameraOf());
    if (!now) return;
    if (now !== last) cameras.set(name, JSON.parse(now));
    const still = now === last ? alike + 1 : 0;
    if (still < ALIKE) requestAnimationFrame(() => follow(now, still));
  };
  plot.on("plotly_relayout", (changes) => {
    if (!own && Object.keys(changes).some((key) => key.startsWith("scene.camera"))) follow();
  });
  if (!kept || !window.Plotly) return;
  const same = () => {
    const eye = cameraOf()?.eye;
    return eye && ["x", "y", "z"].every((at) => Math.abs(eye[at] - kept.eye[at]) < 1e-3);
  };
  let left = RESTORED;
  const restore = async () => {
    if (own || !left || same() || cameras.get(name) !== kept) return;
    own = true;
    left -= 1;
    await window.Plotly.relayout(plot, { "scene.camera": kept });
    own = false;
  };
  restore();
  plot.on("plotly_afterplot", restore);
}

function drawsInSpace() {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2") ?? canvas.getContext("webgl");
  context?.getExtension("WEBGL_lose_context")?.loseContext(); // a page may have few of them
  return Boolean(context);
}
