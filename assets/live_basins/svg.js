// Elements of a drawing, and the screen that they lie on.

const SVG = "http://www.w3.org/2000/svg";

export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// Between the plane and the screen, a square of `side` CSS pixels.
export function screenOf(box, side) {
  const scale = side / (box.right - box.left);
  return {
    to: ([x, y]) => [(x - box.left) * scale, (box.top - y) * scale],
    from: ([x, y]) => [box.left + x / scale, box.top - y / scale],
    scale,
  };
}

// A colour of theme_colours(): [r, g, b].
export const css = ([r, g, b], alpha = 1) => `rgb(${r} ${g} ${b} / ${alpha})`;
