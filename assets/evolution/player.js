// The player: one tick for all courses, moved by the clock, by hands and by keys. It knows nothing of
// Streamlit: the same modules play in the page and in an exported file.

import { makeCharts, make } from "./charts.js";
import { makeImages } from "./images.js";
import { makePicture, sceneOf } from "./picture.js";
import { frameAt } from "./unpack.js";
import { changeWords, sentence, whereabouts } from "./words.js";

const REST = 140; // milliseconds without a change, after which the exact picture is drawn
const TELL = 600; // milliseconds at rest, after which the tick is told
const PAUSE = 900; // milliseconds at the end before a loop begins again
const LASTS = 12; // seconds that a course should take at first
const SPEEDS = [1, 2, 5, 10, 20];
const CALM_SPEED = 2; // steps a second where motion is unwelcome
const KEPT = 4000;
const VERTICAL = ["ArrowUp", "ArrowDown"];
const SHAPES = { play: "M7 4.5v15l12.5-7.5z", pause: "M6 5h4.2v14H6zM13.8 5H18v14h-4.2z" };

// `root` holds player.html; `told(step)` hears where a reader has stopped; `began` is when the data
// had come, for measurements.
export function makePlayer(root, evolution, { colours: themes, dark, opens, began = 0, told }) {
  const part = (id) => root.querySelector(`[data-id="${id}"]`);
  const { courses, ticks } = evolution;
  const last = ticks.length - 1;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let colours = dark ? themes.dark : themes.light;
  let [tick, playing, stopped, asked, since, inputAt] = [0, false, false, false, 0, 0];
  let [restTimer, tellTimer, heard] = [0, 0, null];
  const frames = [];
  const widths = new Map(); // of the stages: asking for them would lay out the page at each frame

  part("panels").replaceChildren();
  part("panels").className = `panels of-${courses.length}${evolution.side ? " with-images" : ""}`;
  const panels = courses.map((course) => panel(course));

  function panel(course) {
    const article = make("article", "panel");
    const head = make("header", "panel-head");
    const [name, at] = [make("h2", "", course.name), make("p", "at")];
    head.append(name, at);
    const stage = make("div", "stage");
    const beside = make("div", "beside");
    const changed = make("p", "changed");
    article.append(head, stage, beside);
    part("panels").append(article);
    const picture = makePicture(stage, evolution, course);
    const images = evolution.side ? makeImages(within(beside, "images"), evolution, course, go) : null;
    const charts = makeCharts(within(beside, "charts"), evolution, course, go);
    if (courses.length > 1) beside.append(changed);
    return { course, at, stage, changed, picture, images, charts };
  }

  function within(parent, name) {
    const made = make("div", name);
    parent.append(made);
    return made;
  }

  // --- the tick ----------------------------------------------------------------------------------

  function go(to) {
    const next = Math.min(last, Math.max(0, to));
    inputAt ||= performance.now();
    if (next === tick) return;
    tick = next;
    touch();
  }

  function touch() {
    if (!asked) {
      asked = true;
      requestAnimationFrame(() => draw(true));
    }
    clearTimeout(restTimer);
    clearTimeout(tellTimer);
    if (!playing) rest();
  }

  function rest() {
    restTimer = setTimeout(() => draw(false), REST);
    tellTimer = setTimeout(() => {
      if (ticks[tick] === heard) return;
      heard = ticks[tick];
      told(heard);
    }, TELL);
  }

  function draw(moving) {
    asked = false;
    if (stopped || !root.isConnected || !widths.size) return;
    const began = inputAt || performance.now();
    inputAt = 0;
    const calm = still.matches;
    for (const { course, at, stage, changed, picture, images, charts } of panels) {
      picture.draw({ tick, width: widths.get(stage) ?? 0, moving, calm, colours });
      images?.draw(tick, colours);
      charts.draw(tick);
      at.textContent = whereabouts(course, tick);
      const t = frameAt(course, tick);
      const words = t === 0 ? `${evolution.k} ${course.many} at the start` : changeWords(evolution, course, tick);
      changed.textContent = `${words[0].toUpperCase()}${words.slice(1)}.`;
      picture.label(`${course.name}, ${whereabouts(course, tick)}: ${words}. ${evolution.plane}`);
    }
    say(moving);
    const drawn = { tick, moving, began, painted: null };
    frames.push(drawn);
    if (frames.length > KEPT) frames.shift();
    setTimeout(() => (drawn.painted = performance.now()), 0); // after this frame's paint
  }

  function say(moving) {
    const text = sentence(evolution, tick);
    part("sentence").textContent = text;
    if (!moving && part("said").textContent !== text) part("said").textContent = text;
    const slider = part("slider");
    slider.value = String(tick);
    const where = `${ticks[tick]} / ${ticks[last]}`;
    slider.setAttribute("aria-valuetext", `step ${ticks[tick]} of ${ticks[last]}`);
    part("where").textContent = where;
    part("back").disabled = tick === 0;
    part("forth").disabled = tick === last;
  }

  // --- playing -----------------------------------------------------------------------------------

  const speed = () => {
    const asked = Number(part("speed").value);
    return still.matches ? Math.min(CALM_SPEED, asked) : asked;
  };

  function play(on) {
    if (playing === on) return;
    playing = on;
    if (on) {
      if (tick === last) go(0);
      clearTimeout(restTimer);
      clearTimeout(tellTimer);
      since = performance.now();
      requestAnimationFrame(step);
    } else rest();
    buttons();
  }

  function step(now) {
    if (!playing || !root.isConnected) return;
    const loops = part("loop").getAttribute("aria-pressed") === "true";
    const wait = tick === last ? PAUSE : 1000 / speed();
    if (now - since >= wait) {
      // What the machine cannot draw in time is left out, so that the pace holds.
      const steps = tick === last ? 1 : Math.min(last - tick, Math.floor((now - since) / wait));
      since = tick === last ? now : since + steps * wait;
      if (tick < last) go(tick + steps);
      else if (loops) go(0);
      if (tick === last && !loops) return play(false);
    }
    requestAnimationFrame(step);
  }

  function buttons() {
    part("play-name").textContent = playing ? "Pause" : "Play";
    part("play-shape").setAttribute("d", playing ? SHAPES.pause : SHAPES.play);
  }

  const hand = (to) => {
    play(false);
    go(to);
  };
  const undone = [];
  const listen = (target, event, act) => {
    target.addEventListener(event, act);
    undone.push(() => target.removeEventListener(event, act));
  };
  listen(part("play"), "click", () => play(!playing));
  listen(part("back"), "click", () => hand(tick - 1));
  listen(part("forth"), "click", () => hand(tick + 1));
  listen(part("slider"), "input", () => hand(Number(part("slider").value)));
  listen(part("loop"), "click", toggleLoop);
  listen(part("full"), "click", fullScreen);

  function toggleLoop() {
    const on = part("loop").getAttribute("aria-pressed") !== "true";
    part("loop").setAttribute("aria-pressed", String(on));
  }
  function fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else root.requestFullscreen?.().catch(() => {});
  }
  listen(document, "fullscreenchange", () => {
    const on = root.getRootNode().fullscreenElement === root;
    part("full").textContent = on ? "Leave full screen" : "Full screen";
  });
  function faster(by) {
    const now = SPEEDS.indexOf(Number(part("speed").value));
    part("speed").value = String(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, now + by))]);
  }

  const KEYS = {
    " ": () => play(!playing),
    ArrowRight: () => hand(tick + 1),
    ArrowLeft: () => hand(tick - 1),
    ArrowUp: () => faster(1),
    ArrowDown: () => faster(-1),
    Home: () => hand(0),
    End: () => hand(last),
    l: toggleLoop,
    f: fullScreen,
  };

  // Keys are the player's where it, or nothing, has the focus; a list keeps its own.
  listen(document, "keydown", (event) => {
    const [inner] = event.composedPath();
    const free = document.activeElement === document.body || document.activeElement === null;
    if (!event.composedPath().includes(root) && !free) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = KEYS[key];
    if (!act || inner.matches?.("select") || (key === " " && inner.matches?.("button"))) return;
    if (inner === part("slider") && VERTICAL.includes(key)) return; // they move it
    if (free && !["ArrowLeft", "ArrowRight", " "].includes(key)) return; // a page scrolls by the others
    event.preventDefault();
    act();
  });

  // --- its life ----------------------------------------------------------------------------------

  const sizes = new ResizeObserver((entries) => {
    const before = String([...widths.values()]);
    for (const { target, contentRect } of entries) widths.set(target, contentRect.width);
    if (String([...widths.values()]) === before) return; // another height shows the same squares
    clearTimeout(restTimer);
    if (!asked) {
      asked = true;
      requestAnimationFrame(() => {
        draw(true);
        if (!playing) restTimer = setTimeout(() => draw(false), REST);
      });
    }
  });
  for (const { stage } of panels) sizes.observe(stage);

  tick = Math.max(0, ticks.findLastIndex((one) => one <= opens));
  heard = ticks[tick];
  part("slider").max = String(last);
  part("note").textContent = noteWords(evolution);
  part("speed").value = String(SPEEDS.find((one) => one * LASTS >= last) ?? SPEEDS.at(-1));
  buttons();

  // For tests, benchmarks and the curious: root.evolution in the console.
  const inspect = {
    began,
    frames,
    evolution,
    get tick() {
      return tick;
    },
    get playing() {
      return playing;
    },
    go: hand,
    scene: (i, t = tick) => sceneOf(evolution, courses[i], frameAt(courses[i], t), colours),
  };
  root.evolution = inspect;

  return {
    renew({ dark: now }) {
      colours = now ? themes.dark : themes.light;
      draw(false);
    },
    stop() {
      stopped = true; // others play on the same root from now on
      playing = false;
      sizes.disconnect();
      clearTimeout(restTimer);
      clearTimeout(tellTimer);
      undone.forEach((undo) => undo());
    },
  };
}

// What the picture is, and what its colours say.
function noteWords({ plane, side, courses, shown, n }) {
  const some = shown < n ? ` ${shown.toLocaleString("en")} of ${n.toLocaleString("en")} points are shown and counted; all train.` : "";
  const recalled = courses.filter(({ regions }) => regions === "basins").map(({ name }) => name);
  const nearest = courses.filter(({ regions }) => regions === "cells").map(({ name }) => name);
  const basins = recalled.length ? ` ${recalled.join()} colours the plane by its basins: the memory that recall brings a place to.` : "";
  const cells = nearest.length ? ` ${nearest.join(", ")}: by cells, the nearest prototype.` : "";
  const graph = courses.some(({ key }) => key === "slk") ? " Points of SLK also follow their neighbours, so some lie outside their cell." : "";
  const images = side ? " Beneath each image: its number, and how many points it has." : "";
  const matched = courses.length > 1 ? ` Numbers and colours are matched to ${courses[0].name}'s over the whole course.` : "";
  return `${plane}${basins}${cells}${graph} Lines are the ways of the prototypes, from the open ring where each began. Ringed points have just changed cluster.${images}${matched}${some}`;
}
