// Whether this browser has taken the tour, or declined it.

const KEY = "basinscope.tour"; // in localStorage

export function seen() {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false; // storage is refused: the offer stays
  }
}

export function remember() {
  try {
    localStorage.setItem(KEY, "seen");
  } catch {
    // The offer comes again next time.
  }
}
