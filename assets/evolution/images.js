// Prototypes as images, in the manner of ClAM's Figure 6: what lies above the mean of its pixel in
// one colour, what lies below in another; the epoch of now in large, some others as rows beneath.

import { make } from "./charts.js";
import { frameAt } from "./unpack.js";

const ROWS = 6;
const WIDE = 3.2; // rem of an image in the film, at most

export function makeImages(root, evolution, course, choose) {
  const { k, side, ticks } = evolution;
  const large = make("div", "tiles");
  const tiles = Array.from({ length: k }, (_, mu) => {
    const [tile, canvas, name] = [make("figure", "tile"), make("canvas"), make("figcaption")];
    canvas.width = canvas.height = side;
    canvas.setAttribute("role", "img");
    const [number, size] = [make("b", "number", String(mu + 1)), make("span")];
    name.append(number, size);
    tile.append(canvas, name);
    large.append(tile);
    return { canvas, number, size };
  });
  const film = make("div", "film");
  const rows = chosen(course.frames).map((t) => {
    const row = make("button", "film-row");
    row.type = "button";
    row.title = `Go to ${course.unit} ${course.steps[t]}`;
    const canvas = make("canvas");
    [canvas.width, canvas.height] = [k * (side + 1) - 1, side];
    canvas.setAttribute("aria-hidden", "true");
    canvas.style.setProperty("--wide", `${k * WIDE}rem`);
    row.append(make("span", "", `${course.unit} ${course.steps[t]}`), canvas);
    row.addEventListener("click", () => choose(t));
    film.append(row);
    return { t, row, canvas };
  });
  const legend = make("p", "legend");
  const bar = make("i");
  legend.append(make("span", "", "below the mean of its pixel"), bar, make("span", "", "above it"));
  root.append(large, film, legend);
  let theme = null;

  function paint(canvas, t, mu, left, scale) {
    const values = course.images(t).subarray(mu * side * side, (mu + 1) * side * side);
    const context = canvas.getContext("2d");
    const image = context.createImageData(side, side);
    values.forEach((value, i) => {
      const [r, g, b] = scale[Math.round(((value + 127) / 254) * (scale.length - 1))];
      image.data.set([r, g, b, 255], 4 * i);
    });
    context.putImageData(image, left, 0);
  }

  return {
    draw(tick, colours) {
      const t = frameAt(course, tick);
      const { diverging } = colours;
      const sizes = new Array(k).fill(0);
      for (const label of course.labels[t]) sizes[label]++;
      tiles.forEach(({ canvas, number, size }, mu) => {
        paint(canvas, t, mu, 0, diverging);
        const many = sizes[mu].toLocaleString("en");
        size.textContent = many;
        number.style.borderColor = `rgb(${colours.strong[mu % colours.strong.length].join(" ")})`;
        canvas.setAttribute("aria-label", `${course.one} ${mu + 1} as an image; it has ${many} points`);
      });
      for (const { t: own, row } of rows) {
        const next = rows.find((other) => other.t > own)?.t ?? Infinity;
        row.setAttribute("aria-current", String(own <= t && t < next));
      }
      if (theme === colours) return;
      theme = colours;
      const stops = [0, 0.25, 0.5, 0.75, 1].map((s) => diverging[Math.round(s * (diverging.length - 1))]);
      bar.style.background = `linear-gradient(90deg, ${stops.map((c) => `rgb(${c.join(" ")})`).join(", ")})`;
      for (const row of rows) {
        for (let mu = 0; mu < k; mu++) paint(row.canvas, row.t, mu, mu * (side + 1), diverging);
      }
    },
  };
}

// Frames of the film: as in the paper early ones lie close together, for most happens there.
function chosen(frames) {
  const shares = [0, 0.05, 0.1, 0.2, 0.5, 1];
  const all = shares.slice(0, ROWS).map((share) => Math.round(share * (frames - 1)));
  return [...new Set(all)];
}
