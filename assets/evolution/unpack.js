// Bytes of workbench/evolution_pack.py as an evolution: plain values and typed arrays, read once.

const KINDS = {
  uint8: Uint8Array, int8: Int8Array, uint16: Uint16Array, uint32: Uint32Array, float32: Float32Array,
};

// Returns the head, with `points`, `rows` and, of each course, besides what the head says of it:
//   frames     how many: where a course has ended, its last one stands
//   labels[t]  of each point; changes[t] the points whose label is another than at t - 1
//   keys(t), weights(t), images(t)   views of what is drawn at a frame
export function unpack(bytes) {
  const content = bytes.byteOffset % 4 ? bytes.slice() : bytes;
  const view = new DataView(content.buffer, content.byteOffset);
  const size = view.getUint32(0, true);
  const text = new TextDecoder().decode(content.subarray(4, 4 + size));
  const { arrays, courses, ...head } = JSON.parse(text);
  const body = content.byteOffset + 4 + size;
  const array = (name) => {
    if (!arrays[name]) return null;
    const [kind, begin, shape] = arrays[name];
    return new KINDS[kind](content.buffer, body + begin, shape.reduce((one, other) => one * other, 1));
  };
  const { k, span, side } = head;
  return {
    ...head,
    points: array("points"),
    rows: array("rows"),
    courses: courses.map((course, i) => {
      const slices = (name, length) => {
        const whole = array(`${name}${i}`);
        return (t) => whole?.subarray(t * length, (t + 1) * length) ?? null;
      };
      return {
        ...course,
        ...labelled(array(`first${i}`), array(`counts${i}`), array(`which${i}`), array(`to${i}`)),
        frames: course.steps.length,
        keys: slices("keys", k * span),
        weights: slices("weights", k),
        images: slices("images", k * side * side),
      };
    }),
  };
}

function labelled(first, counts, which, to) {
  const [labels, changes] = [[first], [which.subarray(0, 0)]];
  let at = 0;
  for (const count of counts) {
    const now = labels.at(-1).slice();
    const changed = which.subarray(at, at + count);
    changed.forEach((point, i) => (now[point] = to[at + i]));
    labels.push(now);
    changes.push(changed);
    at += count;
  }
  return { labels, changes };
}

// The frame of a course at a tick of all.
export const frameAt = (course, tick) => Math.min(tick, course.frames - 1);
