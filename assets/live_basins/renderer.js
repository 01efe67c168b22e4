// Which painter draws: the shader on a graphics card; workers without WebGL2, on a software
// renderer (slower than plain JavaScript), while a lost context is away, or when asked.

import { workerPainter } from "./pool.js";
import { graphics, isSoftware, shaderPainter } from "./shader.js";

// `asked` is "shader", "workers" or undefined; `changed` is called when another painter takes over.
export function makeRenderer(stage, workerUrl, asked, changed) {
  const surface = () => {
    const canvas = document.createElement("canvas");
    canvas.setAttribute("aria-hidden", "true");
    stage.prepend(canvas);
    return canvas;
  };
  let painters = [];
  const drop = (painter) => {
    painters = painters.filter((one) => one !== painter);
    painter.canvas.remove();
    painter.stop();
  };
  const add = (canvas, painter) => {
    const whole = { ...painter, canvas };
    painters.unshift(whole);
    return whole;
  };
  const withWorkers = () => {
    const canvas = surface();
    return add(canvas, workerPainter(canvas, workerUrl));
  };

  const tryShader = () => {
    if (asked === "workers") return false;
    const canvas = surface();
    const found = graphics(canvas);
    if (!found || (isSoftware(found.name) && asked !== "shader")) {
      canvas.remove();
      found?.gl.getExtension("WEBGL_lose_context")?.loseContext();
      return false;
    }
    let painter;
    try {
      painter = add(canvas, shaderPainter(canvas, found));
    } catch (error) {
      console.warn("The shader could not be built; workers draw instead.", error);
      canvas.remove();
      return false;
    }
    let standIn = null;
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault(); // else it never comes back
      if (!canvas.isConnected) return;
      painter.lost();
      canvas.hidden = true;
      standIn ??= withWorkers();
      changed();
    });
    canvas.addEventListener("webglcontextrestored", () => {
      if (standIn) drop(standIn);
      standIn = null;
      canvas.hidden = false;
      changed();
    });
    return true;
  };

  if (!tryShader()) withWorkers();
  return {
    get kind() {
      return painters[0].kind;
    },
    get name() {
      return painters[0].name;
    },
    draw: (request) => painters[0].draw(request),
    codes: (scene, size) => painters[0].codes(scene, size),
    stop: () => [...painters].forEach(drop),
  };
}
