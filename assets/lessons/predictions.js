// The three ways of predicting. Each is made of a task and the picture, calls `ready` once there
// is something to judge, and judges itself against the truth that the picture measures:
// {said, truth, right, score, verdict}, the score from 0 to 1.

import { button, element, slider } from "./dom.js";
import { makeSketch } from "./sketch.js";

const whole = (value, step) => String(Number(value.toFixed(step < 1 ? 1 : 0)));

function choose({ question, choices }, picture, ready) {
  const names = choices.length
    ? choices
    : picture.state.memories.map((_, mu) => `Memory ${mu + 1}`);
  let said = null;
  const keys = names.map((name, index) =>
    button(name, () => pick(index), { "aria-pressed": "false", "data-choice": index }),
  );
  function pick(index) {
    if (!keys[index]) return;
    said = index;
    keys.forEach((key, i) => key.setAttribute("aria-pressed", String(i === index)));
    ready();
  }
  return {
    element: element("div", { class: "choices", role: "group", "aria-label": question }, ...keys),
    pick,
    judge(truth) {
      const right = said === truth;
      keys.forEach((key, i) => {
        key.disabled = true;
        key.classList.toggle("true", i === truth);
      });
      const verdict = right
        ? `Right: ${names[truth]}.`
        : `You said ${names[said]}; it is ${names[truth]}.`;
      return { said: names[said], truth: names[truth], right, score: Number(right), verdict };
    },
    stop() {},
  };
}

function number({ question, low, high, step, unit, tolerance }, picture, ready) {
  let said = (low + high) / 2;
  const text = (value) => (unit === "%" ? `${whole(value, step)} %` : `${whole(value, step)} ${unit}`.trim());
  const dial = slider({
    name: "guess", label: "Your guess", low, high, step,
    input(value) {
      said = value;
      dial.show(said, text(said));
      ready();
    },
  });
  dial.input.setAttribute("aria-label", `Your guess. ${question}`);
  dial.show(said, text(said));
  return {
    element: dial.element,
    judge(truth) {
      dial.input.disabled = true;
      const off = Math.abs(said - truth);
      const right = off <= tolerance;
      const score = Math.max(0, 1 - off / (high - low));
      const points = unit === "%" ? "points" : unit;
      const verdict = right
        ? `Close: you said ${text(said)}, it is ${text(truth)}.`
        : `You said ${text(said)}; it is ${text(truth)}: ${whole(off, step)} ${points} off.`;
      return { said: text(said), truth: text(truth), right, score, verdict };
    },
    stop() {},
  };
}

export const PREDICTIONS = { choose, number, sketch: makeSketch };
