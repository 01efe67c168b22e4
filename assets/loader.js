// How modules reach the page: a component is given one text, so `SOURCES` (path beneath assets/ ->
// text, put before this by ui/browser_modules.py) become modules, each at an address of its own.

const addresses = new Map();

function addressOf(path) {
  if (!addresses.has(path)) {
    const text = SOURCES[path].replace(
      /(\bfrom\s+)"(\.{1,2}\/[\w./]+)"/g,
      (_, from, other) => `${from}"${addressOf(beside(path, other))}"`,
    );
    const named = `${text}\n//# sourceURL=basinscope/${path}`;
    addresses.set(path, URL.createObjectURL(new Blob([named], { type: "text/javascript" })));
  }
  return addresses.get(path);
}

const beside = (path, other) => new URL(other, `file:///${path}`).pathname.slice(1);

const { mount } = await import(addressOf(ENTRY));

export default (component) => mount(component, addressOf);
