// A teacher's link: it opens a lesson at a screen, with the picture as it stands.

const toText = (bytes) => btoa(String.fromCharCode(...bytes));

// The state of a picture as a query parameter holds it, and back; null where it is none.
export const packed = (state) =>
  toText(new TextEncoder().encode(JSON.stringify(state)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

export function unpacked(text) {
  try {
    const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const state = JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0))));
    return state && typeof state === "object" && !Array.isArray(state) ? state : null;
  } catch {
    return null;
  }
}

export function linkTo(lesson, screen, state) {
  const { origin, pathname } = globalThis.location;
  const query = new URLSearchParams({ lesson, screen: String(screen + 1) });
  if (state) query.set("at", packed(state));
  return `${origin}${pathname}?${query}`;
}
