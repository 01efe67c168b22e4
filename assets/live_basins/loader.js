// How modules reach the page: a component is given one text, so `SOURCES` (file name -> text, put
// before this by ui/live_basins.py) become modules of their own, each at an address of its own.

const addresses = new Map();

function addressOf(name) {
  if (!addresses.has(name)) {
    const text = SOURCES[name].replace(
      /(\bfrom\s+)"\.\/([\w.]+)"/g,
      (_, from, other) => `${from}"${addressOf(other)}"`,
    );
    const named = `${text}\n//# sourceURL=live_basins/${name}`;
    addresses.set(name, URL.createObjectURL(new Blob([named], { type: "text/javascript" })));
  }
  return addresses.get(name);
}

const { mount } = await import(addressOf(ENTRY));

export default (component) => mount(component, SOURCES["worker.js"] && addressOf("worker.js"));
