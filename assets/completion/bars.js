// A row that is no image: one line per feature, from its lowest to its highest value.

import { svg } from "../live_basins/svg.js";
import { figures } from "../live_basins/words.js";
import { own } from "./recall.js";

const WIDTH = 300; // units of the picture across; it is stretched to its place

// One line for each feature; `toggle(column)` is told when a box is ticked.
export function makeBars(place, features, columns, toggle) {
  const lines = features.map((feature) => {
    const line = document.createElement("div");
    line.className = "bar";
    const column = columns[feature.column];
    const first = column.features[0] === features.indexOf(feature);
    const label = document.createElement("label");
    const box = document.createElement("input");
    box.type = "checkbox";
    box.setAttribute("aria-label", `Hide ${column.name}`);
    box.addEventListener("change", () => toggle(feature.column, box.checked));
    label.className = first ? "" : "more"; // a category has one box and a line for each word
    if (first) label.append(box);
    label.append(feature.name);
    const picture = svg("svg", { role: "img", preserveAspectRatio: "none" });
    const value = document.createElement("span");
    value.className = "value";
    line.append(label, picture, value);
    place.append(line);
    return { feature, box, picture, value };
  });
  return (state) =>
    lines.forEach((line, i) => {
      line.box.disabled = state.locked || state.truth[i] === null; // a gap is always hidden
      draw(line, i, state);
    });
}

function draw({ feature, box, picture, value }, i, { truth, start, now, memory, hidden }) {
  box.checked = Boolean(hidden[i]);
  const width = picture.clientWidth || WIDTH;
  const at = (x) => 8 + ((width - 16) * (x - feature.low)) / (feature.high - feature.low || 1);
  const marks = [svg("line", { class: "track", x1: 8, x2: width - 8, y1: 15, y2: 15 })];
  const line = (x) => svg("path", { class: "truth", d: `M${at(x).toFixed(1)},5V25` });
  if (hidden[i]) {
    const tip = at(memory[i]);
    marks.push(
      svg("line", { class: "way", x1: at(start[i]), x2: at(now[i]), y1: 15, y2: 15 }),
      svg("path", { class: "memory", d: `M${tip},9L${tip - 5},0H${tip + 5}Z` }),
      svg("circle", { class: "start", cx: at(start[i]), cy: 15, r: 5 }),
    );
  }
  if (truth[i] !== null) marks.push(line(truth[i]));
  if (hidden[i]) marks.push(svg("circle", { class: "now", cx: at(now[i]), cy: 15, r: 6.5 }));
  picture.setAttribute("viewBox", `0 0 ${width} 30`);
  picture.replaceChildren(...marks);
  const known = truth[i] === null ? "not known" : written(feature, truth[i]);
  const filled = written(feature, now[i]);
  picture.setAttribute(
    "aria-label",
    hidden[i] ? `${feature.name}: hidden, recall now ${filled}, truth ${known}.` : `${feature.name}: visible, ${known}.`,
  );
  const strong = document.createElement("b");
  strong.textContent = hidden[i] ? filled : known;
  value.replaceChildren(strong, hidden[i] ? ` · truth ${known}` : " · visible");
}

// A prepared value as the table would write it.
export function written(feature, value) {
  const raw = own(feature, value);
  if (feature.kind === "date") return new Date(Math.round(raw * 864e5)).toISOString().slice(0, 10);
  if (feature.kind === "order") {
    return feature.words[Math.min(feature.words.length - 1, Math.max(0, Math.round(raw)))];
  }
  if (feature.kind === "share") return `${Math.round(100 * raw)} %`;
  return figures(raw, 4);
}
