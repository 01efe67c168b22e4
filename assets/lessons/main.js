// The lessons: an overview, and one lesson at a time. All lessons are there from the start; letters
// bring the person's own points, and what Python computes for a lesson that needs it.

import { read } from "../live_basins/mail.js";
import { css } from "./board.js";
import { button, element } from "./dom.js";
import { unpacked } from "./link.js";
import { showOverview } from "./overview.js";
import { playLesson } from "./player.js";
import { makeProgress } from "./progress.js";
import { isDark } from "./theme.js";

const LINGER = 3000; // milliseconds for which lessons that left the page keep their letter
const instances = new WeakMap(); // the component's parent -> its lessons

export function mount(component, addressOf) {
  const { parentElement } = component;
  let live = instances.get(parentElement);
  if (!live?.root.isConnected) {
    const before = live;
    live = start(component, addressOf);
    before?.stop(); // after the new lessons have read the letter, which it would take along
    instances.set(parentElement, live);
  }
  live.renew(component);
  const own = live;
  // It can come late, after the same parent holds newer lessons; others may follow and want the letter.
  return () => setTimeout(() => own.root.isConnected || own.stop(), LINGER);
}

function start(component, addressOf) {
  const root = component.parentElement.querySelector(".lessons");
  const { address, lessons, colours } = component.data;
  const progress = makeProgress();
  let [tell, letter, dark, player, waiting] = [component, null, false, null, null];

  const lessonOf = (key) => lessons.find((lesson) => lesson.key === key) ?? null;

  // A letter's points and frames as one text: another text is another picture.
  const stuff = ({ own, frames }) => JSON.stringify([own?.key ?? null, frames?.key ?? null]);

  function receive(next) {
    const before = letter;
    letter = next;
    if (!before) {
      const lesson = lessonOf(next.start?.lesson);
      const at = next.start?.at ? unpacked(next.start.at) : null;
      if (lesson) open(lesson.key, { screen: (next.start.screen ?? 0) - 1, at, told: true });
      else open(null, { told: true });
      return;
    }
    if (waiting) {
      const now = waiting;
      waiting = null;
      begin(now.lesson, now.start);
    } else if (player && stuff(before) !== stuff(next)) {
      begin(lessonOf(root.dataset.open), { screen: player.screen, at: null });
    }
  }

  // Open a lesson, or with null the overview.
  function open(key, { screen = -1, at = null, told = false } = {}) {
    root.dataset.open = key ?? "";
    const lesson = lessonOf(key);
    if (!told) tell.setStateValue("open", key ?? "");
    if (!lesson) return overview(!told);
    const kept = progress.of(key);
    const from = screen >= 0 ? screen : kept.finished && kept.screen >= lesson.screens.length ? 0 : kept.screen;
    begin(lesson, { screen: from, at }, !told);
  }

  function overview(focus) {
    player?.stop();
    player = null;
    waiting = null;
    const shown = showOverview({ lessons, progress, open });
    root.replaceChildren(shown);
    if (focus) shown.querySelector("[data-id=place]").focus({ preventScroll: true });
  }

  function begin(lesson, start, focus = false) {
    player?.stop();
    player = null;
    const frames = letter.frames?.lesson === lesson.key ? letter.frames : null;
    if (lesson.needsFrames && !frames) {
      waiting = { lesson, start };
      root.replaceChildren(
        element("h1", {}, `${lesson.number} ${lesson.title}`),
        element("p", { class: "lead", role: "status" }, "The picture is being computed …"),
        button("All lessons", () => open(null), { "data-id": "leave" }),
      );
      return;
    }
    const after = lessons[lessons.indexOf(lesson) + 1];
    const next = after ? () => open(after.key) : null;
    player = playLesson({
      host: root, lesson, start, own: letter.own ?? null, frames: frames?.values ?? null, colours, dark, addressOf, progress,
      leave: () => open(null), next,
    });
    if (focus) player.focus();
  }

  const unread = read(address, receive);
  // For tests and the curious: root.lessons in the console.
  root.lessons = {
    get picture() {
      return player?.picture ?? null;
    },
    get screen() {
      return player?.screen ?? null;
    },
  };

  return {
    root,
    stop() {
      unread();
      player?.stop();
    },
    renew(component) {
      tell = component;
      dark = isDark(root);
      root.classList.toggle("dark", dark);
      const { fills, strong } = dark ? colours.dark : colours.light;
      for (const label of [0, 1, 2]) {
        root.style.setProperty(`--fill-${label}`, css(fills[label]));
        root.style.setProperty(`--strong-${label}`, css(strong[label]));
      }
      player?.renew(dark);
    },
  };
}
