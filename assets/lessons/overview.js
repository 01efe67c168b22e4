// All lessons at a glance: what each is about and how far one has come.

import { button, element } from "./dom.js";
import { EMBLEMS } from "./emblems.js";

export function showOverview({ lessons, progress, open }) {
  const finished = lessons.filter(({ key }) => progress.of(key).finished).length;
  const next = lessons.find(({ key }) => !progress.of(key).finished) ?? lessons[0];
  const cards = lessons.map((lesson) => {
    const { screen, finished: done, screens } = progress.of(lesson.key);
    const begun = screen > 0 || Object.keys(screens).length > 0;
    const state = done ? "Done ✓" : begun ? `Screen ${Math.min(screen + 1, lesson.screens.length)} of ${lesson.screens.length}` : "New";
    const label = done ? "Again" : begun ? "Go on" : "Begin";
    const emblem = element("div", { class: "emblem", "aria-hidden": "true" });
    emblem.innerHTML = `<svg viewBox="0 0 160 80">${EMBLEMS[lesson.key] ?? ""}</svg>`;
    return element("li", { class: done ? "card done" : "card" },
      emblem,
      element("h2", {}, `${lesson.number} ${lesson.title}`),
      element("p", {}, lesson.idea),
      element("div", { class: "card-foot" },
        button(label, () => open(lesson.key), {
          "data-open": lesson.key,
          class: lesson === next ? "primary" : null,
          "aria-label": `${label}: lesson ${lesson.number}, ${lesson.title}`,
        }),
        element("span", { class: "state" }, state)));
  });
  const count = finished
    ? `You have finished ${finished} of ${lessons.length}.`
    : `${lessons.length} lessons, a few minutes each. Predict first, then see.`;
  return element("div", { class: "overview" },
    element("h1", {}, "Lessons"),
    element("p", { class: "lead", tabindex: "-1", "data-id": "place" }, count),
    element("ol", { class: "cards" }, ...cards),
    element("p", { class: "foot" }, "Your progress stays in this browser. ",
      finished ? button("Forget it", () => { progress.forget(); open(null); }) : null));
}
