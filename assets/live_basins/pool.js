// The picture without a graphics card: bands of rows, computed by workers, drawn on a 2-D canvas.
//
// One frame is under way at a time. While the picture moves, a newer scene replaces the one that
// waits; at rest the exact picture follows, band by band, and is dropped as soon as a scene moves.

const MOST_WORKERS = 8;
const BANDS_PER_WORKER = 2;
const SHARP_BANDS = 16;
const SLOW = 24; // milliseconds of a frame: above it the next ones are coarser,
const QUICK = 9; // below it finer
const SCALES = [1, 1.5, 2, 3, 4, 6]; // CSS pixels of a picture's pixel while it moves

function makePool(workerUrl) {
  const count = Math.max(1, Math.min(MOST_WORKERS, navigator.hardwareConcurrency || 2));
  const idle = [];
  const waiting = [];
  const workers = Array.from({ length: count }, () => {
    const worker = new Worker(workerUrl, { type: "module" });
    idle.push(worker);
    return worker;
  });
  const next = () => {
    while (idle.length && waiting.length) {
      const { message, resolve, reject } = waiting.shift();
      const worker = idle.pop();
      const free = () => {
        idle.push(worker);
        next();
      };
      worker.onmessage = ({ data }) => {
        free();
        resolve(data);
      };
      worker.onerror = (event) => {
        free();
        reject(new Error(event.message));
      };
      worker.postMessage(message);
    }
  };
  return {
    count,
    run: (message) =>
      new Promise((resolve, reject) => {
        waiting.push({ message, resolve, reject });
        next();
      }),
    // Forget the bands of a picture at rest that nobody waits for any more.
    drop: () => {
      const [stale, kept] = [[], []];
      for (const one of waiting) (one.message.rest ? stale : kept).push(one);
      waiting.splice(0, waiting.length, ...kept);
      stale.forEach(({ resolve }) => resolve(null));
    },
    stop: () => workers.forEach((worker) => worker.terminate()),
  };
}

function bands(size, count) {
  const edge = (i) => Math.round((size * i) / count);
  return Array.from({ length: count }, (_, i) => [edge(i), edge(i + 1)]);
}

export function workerPainter(canvas, workerUrl) {
  const context = canvas.getContext("2d", { alpha: false });
  const pool = makePool(workerUrl);
  let [pending, busy, coarse, serial, average] = [null, false, 2, 0, 16];

  const show = (found, parts, size) => {
    if (canvas.width !== size) canvas.width = canvas.height = size;
    found.forEach(({ pixels }, i) => {
      const image = new ImageData(new Uint8ClampedArray(pixels.buffer), size);
      context.putImageData(image, 0, size - parts[i][1]);
    });
  };

  async function frame({ scene, side, done }) {
    const began = performance.now();
    const size = Math.max(60, Math.round(side / SCALES[coarse]));
    const parts = bands(size, pool.count * BANDS_PER_WORKER);
    const found = await Promise.all(
      parts.map(([from, to]) => pool.run({ task: "paint", scene, size, from, to, quick: true })),
    );
    show(found, parts, size);
    const took = performance.now() - began;
    average += 0.3 * (took - average);
    if (average > SLOW && coarse < SCALES.length - 1) [coarse, average] = [coarse + 1, 16];
    else if (average < QUICK && coarse > 0) [coarse, average] = [coarse - 1, 16];
    done({ sharp: false, size, took, ...sum(found) });
  }

  // Drawn when all of it is there, so that nothing flickers.
  async function sharp({ scene, side, ratio, sampled = false, done }) {
    const began = performance.now();
    const own = serial;
    const size = Math.round(side * ratio);
    const parts = bands(size, SHARP_BANDS);
    const found = await Promise.all(
      parts.map(([from, to]) =>
        pool.run({ task: "paint", scene, size, from, to, quick: sampled, rest: true }),
      ),
    );
    if (own !== serial || found.includes(null)) return;
    show(found, parts, size);
    done({ sharp: true, size, took: performance.now() - began, ...sum(found) });
  }

  const sum = (found) => ({
    leaving: found.reduce((total, band) => total + band.leaving, 0),
    looked: found.reduce((total, band) => total + band.looked, 0),
  });

  async function work() {
    if (busy) return;
    busy = true;
    try {
      while (pending) {
        const now = pending;
        pending = null;
        await (now.moving ? frame(now) : sharp(now));
      }
    } finally {
      busy = false; // a worker's fault costs one picture, not all that follow
    }
  }

  return {
    kind: "workers",
    name: `${pool.count} web worker${pool.count > 1 ? "s" : ""}`,
    // Paint a scene; `done` is told {sharp, size, took, leaving, looked}. A scene that is `sampled`
    // has no region thinner than a few pixels, so that few of them tell the others at rest too.
    draw(request) {
      serial++;
      pool.drop();
      pending = request;
      work();
    },
    async codes(scene, size) {
      const parts = bands(size, pool.count);
      const found = await Promise.all(
        parts.map(([from, to]) => pool.run({ task: "codes", scene, size, from, to })),
      );
      const join = (name) => {
        const whole = new Uint8Array(size * size);
        found.forEach((band, i) => whole.set(band[name], parts[i][0] * size));
        return whole;
      };
      return { regions: join("regions"), cells: join("cells") };
    },
    stop: pool.stop,
  };
}
