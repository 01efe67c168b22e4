// A lesson's end: what was predicted beside what was true.

import { button, element } from "./dom.js";

export function showSummary({ idea }, answers, { restart, leave, next }) {
  const cell = (text, name = "td", attributes = {}) => element(name, attributes, text);
  const rows = answers.map(({ question, said, truth, right, score }) =>
    element("tr", {}, cell(question, "th", { scope: "row" }), cell(said), cell(truth),
      cell(`${right ? "✓" : "✗"} ${Math.round(100 * score)}`)));
  const heads = ["Question", "You", "Truth", "Score"].map((text) => cell(text, "th", { scope: "col" }));
  const table = element("table", {},
    element("caption", {}, "Your predictions; a score of 100 is perfect"),
    element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
  return element("div", { class: "summary" },
    element("p", { class: "told" }, idea),
    rows.length ? element("div", { class: "wide" }, table) : element("p", {}, "You skipped every prediction."),
    element("div", { class: "bar" },
      next ? button("Next lesson", next, { "data-id": "next-lesson", class: "primary" }) : null,
      button("Again", restart, { "data-id": "again" }),
      button("All lessons", leave, { "data-id": "leave-end" })));
}
