// A course in numbers: its objective, its learning rate and how many points change cluster, each as
// a small chart with the value of now in large figures and a line that moves with the ticks.

import { svg } from "../live_basins/svg.js";
import { figures } from "../live_basins/words.js";
import { frameAt } from "./unpack.js";

const [WIDTH, HEIGHT] = [400, 100]; // of a chart's own coordinates, stretched to its box

// `choose(tick)` is called where a chart is pressed or dragged along.
export function makeCharts(root, evolution, course, choose) {
  const capital = (text) => text[0].toUpperCase() + text.slice(1);
  const charts = [
    { title: capital(course.loss), values: course.losses, text: (value) => figures(value, 4) },
    ...(course.rates.some((rate) => rate !== null)
      ? [{ title: "Learning rate", values: course.rates, text: (value) => figures(value, 2), zero: true }]
      : []),
    {
      title: "Points that change cluster", values: course.changes.map(({ length }) => length),
      text: (value) => value.toLocaleString("en"), zero: true, bars: true,
    },
  ].map((chart) => ({ ...chart, ...element(root, chart, evolution, course) }));
  for (const { box } of charts) {
    const at = (event) => {
      const { left, width } = box.getBoundingClientRect();
      const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
      choose(Math.round(share * (evolution.ticks.length - 1)));
    };
    box.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      box.setPointerCapture(event.pointerId);
      at(event);
    });
    box.addEventListener("pointermove", (event) => box.hasPointerCapture(event.pointerId) && at(event));
  }
  return {
    draw(tick) {
      const t = frameAt(course, tick);
      for (const { values, text, value, line, dot, place } of charts) {
        value.textContent = tick > t && values[t] === values.at(-1) && dot === null ? "0" : text(values[t]);
        const [x, y] = place(tick, values[t]);
        line.style.left = `${x}%`;
        if (dot) [dot.style.left, dot.style.top] = [`${x}%`, `${y}%`];
      }
    },
  };
}

function element(root, { title, values, bars, zero, text }, evolution, course) {
  const last = Math.max(1, evolution.ticks.length - 1);
  const known = values.filter((value) => value !== null);
  const high = Math.max(...known);
  const low = zero ? 0 : Math.min(...known);
  const place = (tick, value) => [(100 * tick) / last, 4 + (92 * (high - value)) / (high - low || 1)];
  const spot = (t, value) => {
    const [x, y] = place(t, value);
    return [(x / 100) * WIDTH, (y / 100) * HEIGHT];
  };
  const picture = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
  });
  picture.setAttribute(
    "aria-label",
    `${title} at each ${course.unit}: from ${text(known[0])} at the start to ${text(known.at(-1))} at the end.`,
  );
  const path = bars
    ? values.map((value, t) => `M${spot(t, 0).map(short).join(",")}V${short(spot(t, value)[1])}`).join("")
    : `M${values.map((value, t) => spot(t, value).map(short).join(",")).join("L")}H${WIDTH}`;
  const drawn = svg("path", { d: path, class: bars ? "bars" : "curve" });
  if (bars) drawn.style.strokeWidth = `${Math.max(1, Math.min(9, 340 / (last + 1)))}px`;
  picture.append(drawn);
  const figure = make("figure", "chart");
  const head = make("figcaption", "chart-head");
  const [name, value] = [make("span", "", title), make("output", "")];
  head.append(name, value);
  const box = make("div", "chart-box");
  const line = make("i", "cursor");
  const dot = bars ? null : make("i", "dot");
  box.append(picture, line, ...(dot ? [dot] : []));
  figure.append(head, box);
  root.append(figure);
  return { value, box, line, dot, place };
}

const short = (value) => value.toFixed(1);

export function make(tag, name, text) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text) made.textContent = text;
  return made;
}
