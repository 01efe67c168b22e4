// Streamlit calls a component's module at first, and again for other data and whenever its theme
// changes, with the same parent; what it made lives as long as its root stands in the page.

// Returns a module's `mount`. `start(component, addressOf)` makes {root, renew(component), stop()}; what left
// the page is stopped after `linger` milliseconds: until then one that follows finds its letter.
export function mounting(start, linger = 0) {
  const instances = new WeakMap(); // the component's parent -> what lives in it
  return (component, addressOf) => {
    const { parentElement } = component;
    let live = instances.get(parentElement);
    if (!live?.root.isConnected) {
      const before = live;
      live = start(component, addressOf);
      before?.stop(); // after the new one has read the letter, which it would take along
      instances.set(parentElement, live);
    }
    live.renew(component);
    const own = live;
    // It can come late, after the same parent holds a newer one.
    return () => setTimeout(() => own.root.isConnected || own.stop(), linger);
  };
}
