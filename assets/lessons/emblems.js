// A small drawing for each lesson, by its key: what its picture is like. Colours are those of clusters.

const around = (count, place) => Array.from({ length: count }, (_, i) => place(i / (count - 1)));
const disc = (x, y) => `<circle class="disc" cx="${x}" cy="${y}" r="5"/>`;
const ring = (x, y) => `<circle class="ring" cx="${x}" cy="${y}" r="5"/>`;
const dot = ([x, y], kind) => `<circle class="${kind}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="2.6"/>`;
const line = (d, kind = "line") => `<path class="${kind}" d="${d}"/>`;
const area = (d, label) => `<path class="fill-${label}" d="${d}"/>`;
const arrow = ([x, y], [dx, dy], kind) => {
  const long = Math.hypot(dx, dy);
  const [ux, uy] = [(6 * dx) / long, (6 * dy) / long];
  const [ex, ey] = [x + dx, y + dy];
  return line(`M${x},${y}L${ex},${ey}M${ex - ux - 0.6 * uy},${ey - uy + 0.6 * ux}L${ex},${ey}L${ex - ux + 0.6 * uy},${ey - uy - 0.6 * ux}`, kind);
};

const VORONOI =
  area("M0,0H80V31.3L21.6,80H0Z", 0) + area("M80,31.3L138.4,80H21.6Z", 1) + area("M80,0H160V80H138.4L80,31.3Z", 2) +
  disc(40, 24) + disc(80, 72) + disc(120, 24);

function unfinished() {
  const places = around(11, (t) => 1 - 0.9 ** (10 * t)).map((t) => [22 + 116 * t, 62 - 44 * t]);
  const [x, y] = places.at(-1);
  return line(`M${x},${y}L138,18`, "dashes") + line(`M22,62L${x},${y}`) + places.map((at) => dot(at, "ink")).join("") +
    ring(22, 62) + ring(x, y) + disc(138, 18);
}

function moons() {
  const upper = around(11, (t) => [64 - 34 * Math.cos(Math.PI * t), 50 - 36 * Math.sin(Math.PI * t)]);
  const lower = upper.map(([x, y]) => [160 - x, 80 - y]);
  return [upper, lower].map((all, label) =>
    line(`M${all.map((at) => at.map((one) => one.toFixed(1)).join(",")).join("L")}`, "faint") +
    all.map((at) => dot(at, `strong-${label}`)).join("")).join("");
}

const GROUP = [[34, 22], [44, 16], [40, 28], [52, 24], [46, 34], [112, 56], [122, 50], [118, 62], [130, 58], [108, 66]];

const arc = (from, long, label) =>
  `<circle class="arc-${label}" cx="80" cy="40" r="31" pathLength="100" stroke-dasharray="${long} ${100 - long}" stroke-dashoffset="${-from}"/>`;

export const EMBLEMS = {
  basin:
    area("M0,0H160V80H0Z", 1) + area("M0,0H90C88,22 84,30 70,38C48,50 22,58 0,68Z", 0) +
    area("M90,0H160V74C140,62 112,48 78,34C87,26 89,14 90,0Z", 2) +
    line("M92,48C98,54 92,60 84,66") + disc(38, 24) + disc(126, 28) + disc(82, 68) + ring(92, 48),
  voronoi: VORONOI,
  temperature:
    area("M0,0H48V80H0Z", 1) + area("M56,0H104V80H56Z", 1) + area("M92,0H104V80H74C82,56 88,30 92,0Z", 2) +
    area("M112,0H148L132,44L112,54Z", 0) + area("M112,54L132,44L128,80H112Z", 1) + area("M148,0H160V80H128L132,44Z", 2) +
    [0, 56, 112].map((x) => disc(x + 12, 26) + disc(x + 18, 64) + disc(x + 40, 46)).join(""),
  unfinished: unfinished(),
  pulls:
    arrow([72, 40], [40, -17]) + arrow([72, 40], [40, 17]) + arrow([72, 40], [-36, 0]) + arrow([72, 40], [46, 0], "sum") +
    disc(136, 13) + disc(136, 67) + disc(16, 40) + ring(72, 40),
  completion:
    line("M44,0V80", "dashes") + GROUP.map((at) => dot(at, "grey")).join("") + line("M50,16V36", "miss") + ring(44, 16) +
    `<circle class="open" cx="44" cy="36" r="4.5"/>` + disc(28, 12) + disc(136, 68),
  weights: arc(0, 40, 0) + arc(40, 24, 2) + arc(64, 36, 1) + line("M106,40A26,26 0 1 0 54,40A26,26 0 1 0 106,40Z") + disc(93, 62) + disc(54, 40) + disc(90, 16),
  graphs: moons(),
};
