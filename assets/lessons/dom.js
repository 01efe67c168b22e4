// Elements in one line.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export const button = (label, press, attributes = {}) =>
  element("button", { type: "button", onclick: press, ...attributes }, label);

// A labelled slider that shows its value in words: {element, input, show(value, text)}.
export function slider({ name, label, low, high, step, input: moved }) {
  const id = `lesson-${name}`;
  const output = element("output", { for: id });
  const range = element("input", {
    type: "range", id, min: low, max: high, step, "data-control": name,
    oninput: () => moved(Number(range.value)),
  });
  const head = element("div", { class: "dial-head" }, element("label", { for: id }, label), output);
  return {
    element: element("div", { class: "dial" }, head, range),
    input: range,
    show(value, text) {
      if (Number(range.value) !== value) range.value = String(value);
      output.textContent = text;
      range.setAttribute("aria-valuetext", text);
    },
  };
}
