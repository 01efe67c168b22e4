// Whether a component stands on a dark page: by the luminance of its background, which Streamlit
// writes as #rrggbb or rgb(r, g, b).

export function isDark(root) {
  const colour = getComputedStyle(root).getPropertyValue("--st-background-color").trim();
  const hex = colour.match(/^#(..)(..)(..)/);
  const parts = hex ? hex.slice(1).map((x) => parseInt(x, 16)) : (colour.match(/\d+/g) ?? [255]).map(Number);
  const [r, g, b] = [parts[0], parts[1] ?? parts[0], parts[2] ?? parts[0]];
  return 0.3 * r + 0.6 * g + 0.1 * b < 128;
}
