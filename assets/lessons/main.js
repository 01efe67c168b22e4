// The lessons: an overview, and one lesson at a time. All lessons are there from the start; letters
// bring the person's own points, and what Python computes for a lesson that needs it.

import { read } from "../live_basins/mail.js";
import { mounting } from "../live_basins/mounting.js";
import { css } from "../live_basins/svg.js";
import { isDark } from "../live_basins/theme.js";
import { button, element } from "./dom.js";
import { unpacked } from "./link.js";
import { showOverview } from "./overview.js";
import { playLesson } from "./player.js";
import { makeProgress } from "./progress.js";

const LINGER = 3000; // milliseconds for which lessons that left the page keep their letter

export const mount = mounting(start, LINGER);

function start(component, addressOf) {
  const root = component.parentElement.querySelector(".lessons");
  const { address, lessons, colours } = component.data;
  const progress = makeProgress();
  let [tell, letter, dark, player, waiting] = [component, null, false, null, null];

  const lessonOf = (key) => lessons.find((lesson) => lesson.key === key) ?? null;

  const framesOf = (lesson) => (letter.frames?.lesson === lesson.key ? letter.frames : null);
  // What the open lesson has of a letter, as one text: another text is another picture. Frames of
  // the lesson before are not its own.
  const stuff = (lesson) =>
    JSON.stringify([letter.own?.key ?? null, (lesson.needsFrames && framesOf(lesson)?.key) || null]);
  const isWhole = (lesson) => !lesson.needsFrames || framesOf(lesson) !== null;

  function receive(next) {
    const [isFirst, lessonNow] = [letter === null, lessonOf(root.dataset.open)];
    const before = isFirst || !lessonNow ? null : stuff(lessonNow);
    letter = next;
    if (isFirst) {
      const lesson = lessonOf(next.start?.lesson);
      const at = next.start?.at ? unpacked(next.start.at) : null;
      if (lesson) open(lesson.key, { screen: Math.min(next.start.screen ?? 0, lesson.screens.length) - 1, at, told: true });
      else open(null, { told: true });
      return;
    }
    if (waiting) {
      const now = waiting;
      waiting = null;
      begin(now.lesson, now.start, now.focus);
    } else if (player && stuff(lessonNow) !== before && isWhole(lessonNow)) {
      begin(lessonNow, { screen: player.screen, at: null });
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
    const frames = framesOf(lesson);
    if (!isWhole(lesson)) {
      waiting = { lesson, start, focus };
      root.replaceChildren(
        element("h1", {}, `${lesson.number} ${lesson.title}`),
        element("p", { class: "lead", role: "status", tabindex: "-1" }, "The picture is being computed …"),
        button("All lessons", () => open(null), { "data-id": "leave" }),
      );
      if (focus) root.querySelector(".lead").focus({ preventScroll: true });
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
