// The player as a page of its own: the same modules, the data in the page, the system's theme.

import { makePlayer } from "./player.js";
import { unpack } from "./unpack.js";

const text = document.getElementById("packed").textContent.trim();
const evolution = unpack(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
const system = matchMedia("(prefers-color-scheme: dark)");
const { colours, opens } = evolution;
const player = makePlayer(document.querySelector(".evolution"), evolution, {
  colours, opens, dark: system.matches, told: () => {},
});
system.addEventListener("change", () => player.renew({ dark: system.matches }));

export const mount = () => {};
