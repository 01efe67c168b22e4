// What a frame shows, in sentences made from its numbers.

import { figures, list, percent } from "../live_basins/words.js";
import { frameAt } from "./unpack.js";

const NAMED = 5; // rows: more are only counted
const ALIKE = 0.0005; // of a loss: a smaller change is none
const NUMBERS = ["no", "one", "two", "three", "four"];

const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
const capital = (text) => text[0].toUpperCase() + text.slice(1);

// Where a course is: "epoch 12 of 100", or since when it stands.
export function whereabouts(course, tick) {
  const t = frameAt(course, tick);
  const last = course.steps.at(-1);
  if (t === 0) return "start";
  if (tick > t) return `ended after ${count(last, course.unit)}`;
  return `${course.unit} ${course.steps[t]} of ${last}`;
}

// The frame from which on no point changes its cluster any more.
const settledAt = ({ changes }) => changes.findLastIndex(({ length }) => length > 0);

// How many points change and which: the commonest way, and the rows where they are few.
export function changeWords(evolution, course, tick) {
  const t = frameAt(course, tick);
  const changed = course.changes[t];
  const since = course.steps[t] - course.steps[t - 1] > 1 ? ` since ${course.unit} ${course.steps[t - 1]}` : "";
  if (tick > t || !changed.length) {
    const settled = settledAt(course);
    if (settled < t || tick > t) {
      return settled < 1
        ? "no point has changed its cluster"
        : `no point has changed its cluster since ${course.unit} ${course.steps[settled]}`;
    }
    return `no point changes its cluster${since}`;
  }
  const [before, now] = [course.labels[t - 1], course.labels[t]];
  const ways = new Map();
  for (const point of changed) {
    const way = `${before[point] + 1} to ${now[point] + 1}`;
    ways.set(way, (ways.get(way) ?? 0) + 1);
  }
  const [[way, most]] = [...ways].sort((one, other) => other[1] - one[1]);
  const share = percent(changed.length / evolution.shown);
  const verb = changed.length === 1 ? "changes its cluster" : "change cluster";
  const which =
    changed.length === 1
      ? `row ${evolution.rows[changed[0]]}, from ${way}`
      : ways.size === 1 ? `all from ${way}` : `${most} of them from ${way}`;
  const rows =
    changed.length > 1 && changed.length <= NAMED
      ? `: rows ${list(Array.from(changed, (point) => evolution.rows[point]))}`
      : "";
  return `${count(changed.length, "point")} of ${evolution.shown.toLocaleString("en")} (${share}) ${verb}${since}, ${which}${rows}`;
}

function lossWords({ loss, losses }, t) {
  const [before, now] = [losses[t - 1], losses[t]];
  const scale = Math.max(...losses.map(Math.abs)) || 1;
  if (Math.abs(now - before) < ALIKE * scale) return `the ${loss} stays at ${figures(now)}`;
  return `the ${loss} ${now < before ? "falls" : "rises"} from ${figures(before)} to ${figures(now)}`;
}

function farthest({ box, k, span }, course, t) {
  const [before, now] = [course.keys(t - 1), course.keys(t)];
  const ways = Array.from({ length: k }, (_, mu) => {
    let sum = 0;
    for (let i = mu * span; i < (mu + 1) * span; i++) sum += (now[i] - before[i]) ** 2;
    return Math.sqrt(sum);
  });
  const most = Math.max(...ways);
  if (most < 0.002 * (box.right - box.left)) return `the ${course.many} hardly move`;
  return `${course.one} ${ways.indexOf(most) + 1} moves farthest`;
}

// The whole picture at a tick.
export function sentence(evolution, tick) {
  const { courses, k } = evolution;
  return courses.length === 1 ? alone(evolution, courses[0], tick) : together(evolution, tick, k);
}

function alone(evolution, course, tick) {
  const { k } = evolution;
  const t = frameAt(course, tick);
  if (t === 0) {
    const [one, many] = [course.one, course.many];
    return `The start: ${k === 1 ? `1 ${one}` : `${k} ${many}`}, not trained yet. The ${course.loss} is ${figures(course.losses[0])}.`;
  }
  const text =
    `${capital(course.unit)} ${course.steps[t]}: ${changeWords(evolution, course, tick)}; ` +
    `${farthest(evolution, course, t)}; ${lossWords(course, t)}.`;
  return t === course.frames - 1 ? `${text} ${endWords(evolution, course)}` : text;
}

function endWords({ cancelled }, course) {
  const ends = cancelled ? "Here it was stopped." : "Here the training ends.";
  if (course.key !== "clam") return ends;
  const best = course.losses.indexOf(Math.min(...course.losses));
  const whose = best === course.frames - 1 ? "this one's" : `that of epoch ${course.steps[best]}`;
  return `${ends} ClAM keeps the epoch of the lowest loss: ${whose}.`;
}

function together({ courses, shown }, tick, k) {
  const [first, ...others] = courses;
  const own = first.labels[frameAt(first, tick)];
  const shares = others.map((course) => {
    const labels = course.labels[frameAt(course, tick)];
    const same = own.reduce((sum, label, i) => sum + (label === labels[i]), 0);
    return [course.name, percent(same / shown)];
  });
  const [[name, most], ...rest] = shares;
  const more = rest.map(([other, share]) => `${other} ${share}`);
  const agree = `${list([`${name} puts ${most} of the points where ${first.name} does`, ...more])}.`;
  if (tick === 0) {
    return `The start: ${NUMBERS[courses.length]} methods begin from the same ${count(k, "place")}. ${agree}`;
  }
  const ended = courses.filter((course) => tick > course.frames - 1).map(({ name }) => name);
  const going = courses.filter((course) => tick <= course.frames - 1);
  const moves = going.map((course) => {
    const moved = course.changes[tick].length;
    return `${course.name} moves ${moved ? count(moved, "point") : "none"}`;
  });
  const done = ended.length ? [`${list(ended)} ${ended.length === 1 ? "has" : "have"} ended`] : [];
  return `Step ${stepOf(courses, tick)}: ${[...moves, ...done].join("; ")}. ${agree}`;
}

const stepOf = (courses, tick) =>
  Math.max(...courses.map((course) => course.steps[frameAt(course, tick)]));
