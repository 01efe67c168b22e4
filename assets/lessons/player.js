// A lesson, screen by screen: words, a picture to touch, a prediction, its truth.

import { button, element } from "./dom.js";
import { showEquation } from "./equation.js";
import { linkTo } from "./link.js";
import { PICTURES } from "./pictures.js";
import { PREDICTIONS } from "./predictions.js";
import { showSummary } from "./summary.js";

const HEADER = 60; // CSS pixels at the top of the window that the menu covers

// `given`: {host, lesson, start: {screen, at}, own: {points, centres} or null, frames, colours, dark, addressOf, progress,
// leave(), next() or null}. Returns {focus(), renew(dark), stop(), picture, screen}.
export function playLesson(given) {
  const { host, lesson, start, own, frames, colours, addressOf, progress, leave, next } = given;
  const { screens, key } = lesson;
  let [screen, done, widget, equation, dark] = [0, false, null, null, given.dark];

  // --- what stands there for the whole lesson -----------------------------------------------------

  const stage = element("div", { class: "stage" });
  const sentence = element("p", { class: "sentence" });
  const dials = element("div", { class: "dials" });
  const place = element("p", { class: "place", tabindex: "-1", "data-id": "place" });
  const dots = element("div", { class: "dots", role: "group", "aria-label": "Screens" });
  const body = element("div", { class: "body" });
  const said = element("p", { class: "hidden-text", role: "status", "aria-live": "polite" });
  const back = button("Back", () => show(screen - 1), { "data-id": "back" });
  const skip = button("Skip", () => show(screen + 1), { "data-id": "skip", class: "quiet" });
  const on = button("Next", () => show(screen + 1), { "data-id": "next", class: "primary" });
  const copied = element("span", { role: "status" });
  const foot = element("p", { class: "foot" },
    button("Restart lesson", restart, { "data-id": "restart", class: "quiet" }),
    button("Copy link to this screen", copy, { "data-id": "copy", class: "quiet" }), copied);
  const nav = element("div", { class: "bar nav" }, back, on, skip);
  const desk = element("div", { class: "desk" },
    element("div", { class: "picture-side" }, stage, dials, sentence),
    element("div", { class: "words-side" }, place, body, nav, dots, foot, said));
  const root = element("article", { class: "lesson", "data-lesson": key, "aria-labelledby": "lesson-title" },
    element("header", { class: "lesson-head" },
      button("All lessons", leave, { "data-id": "leave", class: "quiet" }),
      element("h1", { id: "lesson-title" }, `${lesson.number} ${lesson.title}`)),
    desk);
  host.replaceChildren(root); // before the picture, which measures its stage

  const picture = PICTURES[lesson.picture](stage, {
    points: own?.points ?? lesson.points,
    own: own !== null,
    centres: own?.centres ?? null,
    frames,
    colours,
    controls: lesson.controls,
    changed,
    chose: (index) => widget?.pick?.(index),
    addressOf,
  });
  picture.renew({ dark });
  dials.append(...picture.controls.values());
  const lit = picture.lit ?? picture.controls;

  // --- one screen ---------------------------------------------------------------------------------

  const stateOf = (number) => Object.assign({}, ...screens.slice(0, number + 1).map((one) => one.set));

  function show(number, at = null, focus = true) {
    clear();
    screen = Math.max(0, Math.min(screens.length, number));
    progress.visit(key, screen);
    root.dataset.screen = String(screen);
    const ended = screen === screens.length;
    desk.classList.toggle("ended", ended);
    if (ended) showEnd();
    else showScreen(at);
    marks();
    if (!focus) return;
    place.focus({ preventScroll: true });
    if (root.getBoundingClientRect().top < HEADER) root.scrollIntoView({ block: "start" });
  }

  function clear() {
    widget?.stop();
    equation?.stop();
    [widget, equation] = [null, null];
    said.textContent = "";
    copied.textContent = "";
  }

  function showScreen(at) {
    const { words, task, equation: formula } = screens[screen];
    const before = progress.at(key, screen);
    done = false;
    place.textContent = `Screen ${screen + 1} of ${screens.length}`;
    picture.lock(false);
    picture.set(stateOf(screen));
    if (at) picture.set(at); // before a prediction is made of it
    body.replaceChildren(element("p", { class: "told" }, words));
    if (formula) {
      equation = showEquation(formula, lit);
      body.append(equation.element);
    }
    if (!task) finish(null);
    else if (before?.done) showDone(before.answer);
    else if (task.kind === "touch") showTouch(task);
    else showPrediction(task);
    if (at && done) picture.set(at); // what the reveal shows is not what the link asks for
    tell();
  }

  function showTouch(task) {
    body.append(element("p", { class: "task" }, task.words));
    changed();
  }

  function showPrediction(task) {
    picture.lock(true);
    const check = button("Show me", () => judge(task), { disabled: true, "data-id": "check", class: "primary" });
    widget = PREDICTIONS[task.kind](task, picture, () => (check.disabled = false));
    body.append(element("p", { class: "task" }, task.question), widget.element, check);
  }

  function judge(task) {
    const answer = { question: task.question, ...widget.judge(picture.truth(task.asks)) };
    progress.done(key, screen, answer);
    body.querySelector("[data-id=check]").remove();
    picture.lock(false);
    finish(answer);
    body.querySelector(".verdict").focus({ preventScroll: true });
  }

  // The screen has been done in an earlier visit.
  function showDone(answer) {
    const { task } = screens[screen];
    body.append(element("p", { class: "task" }, task.words ?? task.question));
    finish(answer);
    body.append(button("Do it again", () => {
      progress.undo(key, screen);
      show(screen);
    }, { "data-id": "again", class: "quiet" }));
  }

  // What follows the task: verdict, reveal, the picture's answer.
  function finish(answer) {
    const { task, reveal, then } = screens[screen];
    done = true;
    body.querySelector(".task")?.classList.add("ticked");
    if (answer) {
      const mark = answer.right ? "✓" : "✗";
      body.append(element("p", { class: answer.right ? "verdict right" : "verdict", tabindex: "-1" },
        element("span", { "aria-hidden": "true" }, `${mark} `), answer.verdict));
    }
    if (reveal) body.append(element("p", { class: "reveal" }, reveal));
    if (Object.keys(then).length) picture.set(then);
    if (!task || task.kind === "touch") progress.done(key, screen);
    said.textContent = task ? reveal : ""; // a verdict has the focus, and is read for it
    tell();
    marks();
  }

  function showEnd() {
    progress.finish(key);
    done = true;
    place.textContent = "The end";
    const answers = screens.map((_, number) => progress.at(key, number)?.answer).filter(Boolean);
    body.replaceChildren(showSummary(lesson, answers, { restart, leave, next }));
  }

  function restart() {
    progress.restart(key);
    show(0);
  }

  // --- what follows the hand ------------------------------------------------------------------------

  function changed() {
    const task = screens[screen]?.task;
    if (!done && task?.kind === "touch" && picture.holds(task.until, task.value)) finish(null);
    else tell();
  }

  let telling = 0;
  function tell() {
    clearTimeout(telling);
    telling = setTimeout(() => (sentence.textContent = picture.sentence().replaceAll(" %", "\u00a0%")), 120);
  }

  function marks() {
    const ended = screen === screens.length;
    nav.hidden = ended;
    back.disabled = screen === 0;
    on.disabled = !done;
    skip.hidden = done;
    foot.hidden = ended;
    on.textContent = screen === screens.length - 1 ? "Finish" : "Next";
    dots.replaceChildren(...screens.map((_, number) => {
      const known = progress.at(key, number)?.done;
      return button("", () => show(number), {
        class: known ? "dot known" : "dot",
        "aria-current": number === screen ? "step" : null,
        "aria-label": `Screen ${number + 1}${known ? ", done" : ""}`,
      });
    }));
  }

  async function copy() {
    const address = linkTo(key, screen, picture.state);
    try {
      await navigator.clipboard.writeText(address);
      copied.textContent = own ? "Copied. It opens with the toy: your points stay here." : "Copied.";
    } catch {
      const field = element("input", { readonly: true, "aria-label": "Link to this screen", value: address });
      copied.replaceChildren(field);
      field.select();
    }
  }

  show(start.screen, start.at, false);
  return {
    focus: () => place.focus({ preventScroll: true }),
    renew(now) {
      dark = now;
      picture.renew({ dark });
    },
    stop() {
      clear();
      clearTimeout(telling);
      picture.stop();
    },
    get picture() {
      return picture;
    },
    get screen() {
      return screen;
    },
  };
}
