// The tour: a small card beside what it speaks of, on one page after another. It lives beside the
// app, not in it, so that a change of page leaves it standing.

import { remember } from "./seen.js";
import { STYLE } from "./style.js";

const PATIENCE = 20_000; // milliseconds that a page may take to show what a stop speaks of
const GAP = 14; // CSS pixels between card and target, and to the window's edge
const HEADER = 64; // CSS pixels that Streamlit's header covers

let tell = null; // the newest component: only it reaches Python
let tour = null;

// Called by Streamlit once for each page, and again whenever its theme changes.
export function mount(component) {
  tell = component;
  tour ??= makeTour(component.data.stops);
  tour.renew(component.parentElement.host ?? component.parentElement);
  globalThis.basinscopeTour = tour;
}

function makeTour(stops) {
  const host = document.createElement("div");
  host.dataset.tour = "";
  const root = host.attachShadow({ mode: "open" });
  root.innerHTML = `<style>${STYLE}</style>
    <div class="ring" hidden></div>
    <div class="card" role="dialog" aria-labelledby="title" aria-describedby="words" tabindex="-1" hidden>
      <p class="count"></p><h2 id="title"></h2><p id="words"></p>
      <div class="bar">
        <button type="button" class="skip">Skip the tour</button>
        <button type="button" class="back">Back</button>
        <button type="button" class="next primary">Next</button>
      </div>
    </div>`;
  const part = (name) => root.querySelector(name);
  const [card, ring] = [part(".card"), part(".ring")];
  let [at, since, shown, opener, watch] = [null, 0, false, null, 0];

  function start() {
    document.body.append(host);
    opener = deepFocus();
    go(0);
  }

  function go(next) {
    [at, since, shown] = [next, performance.now(), false];
    const { page, title, words } = stops[at];
    part(".count").textContent = `Tour, ${at + 1} of ${stops.length}`;
    part("h2").textContent = title;
    part("#words").textContent = words;
    part(".back").hidden = at === 0;
    part(".skip").hidden = at === stops.length - 1;
    part(".next").textContent = at === stops.length - 1 ? "Done" : "Next";
    ring.hidden = true;
    if (pageNow() !== page) tell.setTriggerValue("go", page);
    clearInterval(watch);
    watch = setInterval(place, 120);
    place();
  }

  // Follow the target: pages grow while they run, and readers scroll.
  function place() {
    const { page, target } = stops[at];
    const found = pageNow() === page ? findDeep(target) : null;
    if (!found && !shown && performance.now() - since < PATIENCE) return;
    if (!shown) {
      shown = true;
      card.hidden = false;
      if (found) bringIntoSight(found);
      card.focus({ preventScroll: true });
    }
    const box = found?.getBoundingClientRect();
    ring.hidden = !box;
    if (box) Object.assign(ring.style, pixels({ left: box.left - 6, top: box.top - 6, width: box.width + 12, height: box.height + 12 }));
    Object.assign(card.style, pixels(placeBeside(box, card.getBoundingClientRect())));
  }

  function bringIntoSight(target) {
    const { top, bottom, height } = target.getBoundingClientRect();
    const room = innerHeight - card.offsetHeight - 2 * GAP;
    const fits = top > HEADER && bottom < (innerWidth < 700 ? room : innerHeight - GAP);
    if (fits) return;
    const scroller = document.querySelector("[data-testid=stMain]") ?? document.scrollingElement;
    const aim = HEADER + GAP + Math.max(0, (Math.min(room, innerHeight) - HEADER - height) / 3);
    scroller.scrollBy({ top: top - aim, behavior: "instant" });
  }

  function end() {
    clearInterval(watch);
    remember();
    [card.hidden, ring.hidden] = [true, true];
    host.remove();
    (opener?.isConnected ? opener : document.querySelector("[data-testid=stMain]"))?.focus?.();
    document.dispatchEvent(new CustomEvent("basinscope-tour"));
  }

  part(".skip").addEventListener("click", end);
  part(".back").addEventListener("click", () => go(at - 1));
  part(".next").addEventListener("click", () => (at + 1 < stops.length ? go(at + 1) : end()));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && host.isConnected && !document.fullscreenElement) end();
  });

  return {
    start,
    renew(parent) {
      const style = getComputedStyle(parent);
      for (const name of ["text-color", "background-color", "primary-color", "border-color", "font", "heading-font"]) {
        host.style.setProperty(`--${name}`, style.getPropertyValue(`--st-${name}`));
      }
    },
  };
}

// --- where things are ------------------------------------------------------------------------------

const pixels = (box) => Object.fromEntries(Object.entries(box).map(([name, x]) => [name, `${Math.round(x)}px`]));

const pageNow = () => location.pathname.replace(/\/$/, "").split("/").at(-1);

// An element that is to be seen, in the page or in a component's own tree.
function findDeep(selector, from = document) {
  for (const one of from.querySelectorAll(selector)) if (one.checkVisibility() && one.getBoundingClientRect().height) return one;
  for (const { shadowRoot } of from.querySelectorAll("*")) {
    const found = shadowRoot && findDeep(selector, shadowRoot);
    if (found) return found;
  }
  return null;
}

function deepFocus() {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}

// Left and top of a card that does not cover the target: to its right or left, below or above it,
// and where no side has room, along the edge of the window that is farther from its middle.
function placeBeside(target, { width, height }) {
  const [most, least] = [{ left: innerWidth - width - GAP, top: innerHeight - height - GAP }, { left: GAP, top: HEADER }];
  const within = (x, side) => Math.max(least[side], Math.min(most[side], x));
  if (!target) return { left: most.left, top: most.top };
  const [beside, under] = [within(target.top, "top"), within(target.left, "left")];
  if (target.right + 2 * GAP + width <= innerWidth) return { left: target.right + GAP, top: beside };
  if (target.bottom + 2 * GAP + height <= innerHeight) return { left: under, top: target.bottom + GAP };
  if (target.left - 2 * GAP - width >= 0) return { left: target.left - GAP - width, top: beside };
  if (target.top - GAP - height >= HEADER) return { left: under, top: target.top - GAP - height };
  const below = innerHeight - target.bottom > target.top - HEADER;
  return { left: under, top: below ? most.top : least.top };
}
