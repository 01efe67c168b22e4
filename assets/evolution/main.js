// The player as a component of the page.

import { isDark } from "../live_basins/theme.js";
import { makePlayer } from "./player.js";
import { unpack } from "./unpack.js";

const instances = new WeakMap(); // the component's parent -> what plays in it

// Called by Streamlit at first, and again for other data and whenever its theme changes.
export function mount(component) {
  const { parentElement, data } = component;
  const root = parentElement.querySelector(".evolution");
  const dark = isDark(root);
  let live = instances.get(parentElement);
  if (live?.root !== root || !same(live.data, data)) {
    live?.player.stop();
    const began = performance.now();
    const evolution = unpack(data);
    const tell = { component };
    const told = (step) => tell.component.setStateValue("epoch", step);
    const { colours, opens } = evolution;
    const player = makePlayer(root, evolution, { colours, opens, dark, began, told });
    live = { root, data, tell, player };
    instances.set(parentElement, live);
  } else live.player.renew({ dark });
  live.tell.component = component;
  const own = live;
  return () => setTimeout(() => own.root.isConnected || own.player.stop(), 0);
}

const same = (one, other) =>
  one === other || (one.length === other.length && one.every((byte, i) => byte === other[i]));
