// Where the tour begins: an offer on the front page until it was taken or declined, else a button.

import { remember, seen } from "./seen.js";

export function mount({ parentElement, data }) {
  const root = parentElement.querySelector(".tour-button");
  const show = () => {
    const first = data.offers && !seen();
    root.classList.toggle("first", first);
    root.querySelector("[data-id=start]").textContent = first ? "Take the tour" : "Tour";
    root.querySelector("[data-id=later]").hidden = !first;
    root.querySelector("[data-id=length]").hidden = !first;
  };
  show();
  if (root.dataset.live) return;
  root.dataset.live = "yes";
  root.querySelector("[data-id=start]").addEventListener("click", () => globalThis.basinscopeTour?.start());
  root.querySelector("[data-id=later]").addEventListener("click", () => {
    remember();
    show();
    root.querySelector("[data-id=start]").focus();
  });
  document.addEventListener("basinscope-tour", function ended() {
    if (root.isConnected) show();
    else document.removeEventListener("basinscope-tour", ended); // of a page that was left
  });
}
