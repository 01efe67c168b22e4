// What changes travels on a component of its own, a few lines long: were it data of the canvas,
// each change would bring all of the canvas's HTML, CSS and JavaScript along once more.

const boxes = (globalThis.basinscopeMail ??= new Map()); // address -> {letter, open}

// Deliver a letter; it waits where nobody reads yet.
export function post(address, letter) {
  const box = boxes.get(address) ?? {};
  boxes.set(address, { ...box, letter });
  box.open?.(letter);
}

// Read what comes to an address, the letter that waits first. Returns how to stop.
export function read(address, open) {
  const { letter } = boxes.get(address) ?? {};
  boxes.set(address, { letter, open });
  if (letter) open(letter);
  return () => {
    if (boxes.get(address)?.open === open) boxes.delete(address);
  };
}
