// The attractor tree: how many attractors there are at each beta, and where they lie.
//
// `tree` comes from the engine: {betas: [low, high], critical: [beta], widest: {low, high, count} or
// null, branches: [{betas, heights, labels}], counts: [[beta, count]]}; heights from 0 to 1 are
// positions along the memories' longest direction.

import { svg } from "./svg.js";
import { figures } from "./words.js";

const [WIDTH, HEIGHT] = [1000, 210];
const NARROW = 14; // an interval narrower than this has no room for its number
const FEW = 6; // critical betas that are told one by one
const WIDE = 1.25; // a gap whose ends are nearer than this is told, but not as a k of its own
const PAD = { left: 16, right: 16, top: 34, bottom: 34 };

const isWide = (plateau) => plateau !== null && plateau.high >= WIDE * plateau.low;

export function makeTree(figure, { preview, choose, shown }) {
  let tree = null;
  const x = (beta) => {
    const [low, high] = tree.betas.map(Math.log);
    const share = (Math.log(beta) - low) / (high - low);
    return PAD.left + share * (WIDTH - PAD.left - PAD.right);
  };
  const y = (height) => HEIGHT - PAD.bottom - height * (HEIGHT - PAD.top - PAD.bottom);
  const betaAt = (event) => {
    const { left, width } = figure.firstChild.getBoundingClientRect();
    const share = ((event.clientX - left) / width) * WIDTH;
    const inside = (share - PAD.left) / (WIDTH - PAD.left - PAD.right);
    const [low, high] = tree.betas.map(Math.log);
    return Math.exp(low + Math.min(1, Math.max(0, inside)) * (high - low));
  };

  function ticks() {
    const [low, high] = tree.betas.map(Math.log10);
    const marks = [];
    for (let power = Math.ceil(low); power <= high; power++) marks.push(10 ** power);
    if (marks.length < 2) marks.unshift(...tree.betas);
    return [...new Set(marks)];
  }

  function draw(beta, colours) {
    if (!tree) return;
    const strong = (label) => `rgb(${colours.strong[label % colours.strong.length].join(" ")})`;
    const picture = svg("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      preserveAspectRatio: "none",
    });
    const text = (content, attributes) => {
      const made = svg("text", attributes);
      made.textContent = content;
      return made;
    };
    const { widest } = tree;
    if (isWide(widest)) {
      const [from, to] = [x(widest.low), x(widest.high)];
      picture.append(
        svg("rect", { class: "widest", x: from, y: PAD.top, width: to - from, height: HEIGHT - PAD.top - PAD.bottom }),
      );
    }
    for (const at of tree.critical) {
      const place = x(at);
      picture.append(svg("line", { class: "critical", x1: place, x2: place, y1: PAD.top, y2: HEIGHT - PAD.bottom }));
    }
    for (const { betas, heights, labels } of tree.branches) {
      // A branch changes colour where another memory comes to be the nearest.
      for (let from = 0; from < betas.length; ) {
        let to = from + 1;
        while (to < betas.length && labels[to] === labels[from]) to++;
        const part = [];
        for (let i = from; i < Math.min(to + 1, betas.length); i++) part.push([x(betas[i]), y(heights[i])]);
        if (part.length === 1) part.push([part[0][0] + 2, part[0][1]]);
        const d = `M${part.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join("L")}`;
        picture.append(svg("path", { class: "branch", d, style: `stroke: ${strong(labels[from])}` }));
        from = to;
      }
    }
    const inside = beta >= tree.betas[0] && beta <= tree.betas[1];
    if (inside) picture.append(svg("line", { class: "now", x1: x(beta), x2: x(beta), y1: PAD.top - 6, y2: HEIGHT - PAD.bottom }));
    figure.replaceChildren(picture, labelsOf());
    picture.setAttribute("aria-label", sentence());
  }

  // Words are HTML over the stretched picture, so that they keep their shape.
  function labelsOf() {
    const box = document.createElement("div");
    box.className = "tree-labels";
    const put = (content, place, className) => {
      const label = document.createElement("span");
      label.textContent = content;
      label.className = className;
      label.style.left = `${(100 * place) / WIDTH}%`;
      box.append(label);
    };
    for (const beta of ticks()) {
      const end = x(beta) < 50 ? " first" : x(beta) > WIDTH - 50 ? " last" : "";
      put(`β ${figures(shown(beta))}`, x(beta), `tick${end}`);
    }
    tree.counts.forEach(([beta, count], i) => {
      const until = tree.counts[i + 1]?.[0] ?? tree.betas[1];
      if (x(until) - x(beta) >= NARROW) put(String(count), (x(beta) + x(until)) / 2, "count");
    });
    return box;
  }

  function sentence() {
    const { widest, critical } = tree;
    const most = Math.max(...tree.counts.map(([, count]) => count));
    const values = critical.length <= FEW ? ` (${critical.map((beta) => figures(shown(beta))).join(", ")})` : "";
    const grow = critical.length
      ? `The number of attractors changes at ${critical.length} critical β${values}, up to ${most}. `
      : `There ${most === 1 ? "is one attractor" : `are ${most} attractors`} at every β shown. `;
    if (critical.length < 2) return grow.trim();
    if (!widest) return `${grow}No gap between critical β stands out as the memories' own k.`;
    const ends = `from β ${figures(shown(widest.low))} to ${figures(shown(widest.high))}`;
    const own = isWide(widest)
      ? `The widest gap between critical β holds ${widest.count} attractors, ${ends}: the memories' own k.`
      : `The widest gap between critical β, ${ends}, is too narrow to call its ${widest.count} attractors the memories' own k.`;
    return grow + own;
  }

  figure.addEventListener("pointermove", (event) => tree && preview(betaAt(event)));
  figure.addEventListener("pointerleave", () => tree && preview(null));
  figure.addEventListener("click", (event) => tree && choose(betaAt(event)));
  return {
    set(next) {
      tree = next;
      if (!tree) figure.replaceChildren();
    },
    draw,
    sentence: () => (tree ? sentence() : ""),
    get known() {
      return tree !== null;
    },
  };
}
