// An equation whose symbols and the picture's controls light each other up.

import { element } from "./dom.js";

const markup = (name, attributes, html) => {
  const made = element(name, attributes);
  made.innerHTML = html; // MathML that Python made of our own LaTeX
  return made;
};

// `lit`: name of a control -> its element. Returns {element, stop}.
export function showEquation({ mathml, reading, symbols }, lit) {
  const drawn = markup("div", { class: "formula" }, mathml);
  drawn.querySelector("math").setAttribute("aria-label", reading);
  const legend = symbols.map(({ mathml: sign, words, control }, number) => {
    const key = markup("button", { type: "button", class: "symbol", "data-symbol": number }, sign);
    const what = element("span", {}, words);
    key.append(what);
    if (control && lit.has(control)) key.setAttribute("title", "Lights up where it is in the picture");
    return key;
  });
  const figure = element(
    "figure", { class: "equation" }, drawn, element("figcaption", {}, reading),
    element("div", { class: "legend", role: "group", "aria-label": "Symbols" }, ...legend),
  );

  function light(number, on) {
    for (const part of figure.querySelectorAll(`[data-symbol="${number}"]`)) {
      part.classList.toggle("lit", on);
    }
    lit.get(symbols[number].control)?.classList.toggle("lit", on);
  }
  const numberOf = (target) => target.closest?.("[data-symbol]")?.dataset.symbol;
  for (const [begin, end] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
    figure.addEventListener(begin, ({ target }) => numberOf(target) && light(numberOf(target), true));
    figure.addEventListener(end, ({ target }) => numberOf(target) && light(numberOf(target), false));
  }
  // And back: a control that is pointed at or focused lights its symbol.
  const life = new AbortController();
  symbols.forEach(({ control }, number) => {
    const own = lit.get(control);
    for (const [event, on] of [
      ["pointerenter", true], ["pointerleave", false], ["focusin", true], ["focusout", false],
    ]) own?.addEventListener(event, () => light(number, on), { signal: life.signal });
  });
  return {
    element: figure,
    stop() {
      life.abort();
      symbols.forEach((_, number) => light(number, false));
    },
  };
}
