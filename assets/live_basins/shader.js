// The picture on a graphics card, WebGL2, in two passes: the first runs the recursion of every
// pixel and writes its region, its Voronoi cell and its shade into a texture; the second paints.

import { LEVELS, MOST_FULL_STEPS } from "./raster.js";

const VERTICES = `#version 300 es
void main() {
  gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}`;

// code = (region, cell, shade in 16 bits); distances are of centred coordinates, in single precision.
const RECALL = (d) => `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
const int D = ${d};
uniform sampler2D keys;       // one memory a row: D coordinates, then log weight
uniform sampler2D rests;      // one attractor a row: D coordinates, then radius^2
uniform float lift[3 * D];    // origin, across, up
uniform vec2 corner;
uniform float pixel;
uniform int k;
uniform int restCount;        // 0: T steps; else attractor mode
uniform int steps;
uniform float size;           // of a step
uniform float beta;
uniform int shade;            // 0 none, 1 entropy, 2 energy
uniform vec2 range;
out vec4 code;

float v[D];

float gapTo(sampler2D points, int row) {
  float sum = 0.0;
  for (int i = 0; i < D; i++) {
    float gap = v[i] - texelFetch(points, ivec2(i, row), 0).r;
    sum += gap * gap;
  }
  return sum;
}

int nearestOf(sampler2D points, int count) {
  int best = 0;
  float least = gapTo(points, 0);
  for (int row = 1; row < count; row++) {
    float distance = gapTo(points, row);
    if (distance < least) { least = distance; best = row; }
  }
  return best;
}

float logit(int mu) {
  return texelFetch(keys, ivec2(D, mu), 0).r - beta * gapTo(keys, mu);
}

float highest() {
  float peak = logit(0);
  for (int mu = 1; mu < k; mu++) peak = max(peak, logit(mu));
  return peak;
}

void stepBy(float share) {
  float peak = highest();
  float total = 0.0;
  float ahead[D];
  for (int i = 0; i < D; i++) ahead[i] = 0.0;
  for (int mu = 0; mu < k; mu++) {
    float weight = exp(logit(mu) - peak);
    total += weight;
    for (int i = 0; i < D; i++) ahead[i] += weight * texelFetch(keys, ivec2(i, mu), 0).r;
  }
  for (int i = 0; i < D; i++) v[i] += share * (ahead[i] / total - v[i]);
}

float shadeOf() {
  float peak = highest();
  float total = 0.0;
  float weighed = 0.0;
  for (int mu = 0; mu < k; mu++) {
    float z = logit(mu) - peak;
    float share = exp(z);
    total += share;
    weighed += share * z;
  }
  if (shade == 2) return -(peak + log(total)) / beta;
  return max(0.0, log(total) - weighed / total);
}

void main() {
  vec2 at = corner + pixel * gl_FragCoord.xy;
  for (int i = 0; i < D; i++) v[i] = lift[i] + at.x * lift[D + i] + at.y * lift[2 * D + i];
  float value = shade == 0 ? 0.0 : clamp((shadeOf() - range.x) / (range.y - range.x), 0.0, 1.0);
  int cell = nearestOf(keys, k);
  int region = -1;
  if (restCount > 0) {
    for (int t = 0; t < ${MOST_FULL_STEPS} && region < 0; t++) {
      for (int a = 0; a < restCount; a++) {
        if (gapTo(rests, a) < texelFetch(rests, ivec2(D, a), 0).r) { region = a; break; }
      }
      stepBy(1.0);
    }
    if (region < 0) region = nearestOf(rests, restCount);
  } else {
    for (int t = 0; t < steps; t++) stepBy(size);
    region = nearestOf(keys, k);
  }
  float level = floor(value * 65535.0 + 0.5);
  float high = floor(level / 256.0);
  code = vec4(float(region), float(cell), high, level - 256.0 * high) / 255.0;
}`;

const PAINT = `#version 300 es
precision highp float;
precision highp int;
uniform sampler2D codes;
uniform sampler2D colours;    // row 0: fill of each region; row 1: strong colour of each memory
uniform sampler2D scale;      // colours of the shade
uniform int labels[128];
uniform int shade;
uniform bool hatch;
uniform vec4 line;
uniform vec4 ink;
uniform float dots;           // screen pixels in a unit of hatching
out vec4 colour;

ivec2 size;
vec4 codeAt(ivec2 at) { return texelFetch(codes, clamp(at, ivec2(0), size - 1), 0) * 255.0; }
float valueOf(vec4 code) { return (code.z * 256.0 + code.w) / 65535.0; }

void main() {
  size = textureSize(codes, 0);
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec4 own = codeAt(at), right = codeAt(at + ivec2(1, 0)), up = codeAt(at + ivec2(0, 1));
  int region = int(own.x + 0.5);
  int label = labels[region];
  if (shade == 0) colour = texelFetch(colours, ivec2(label, 0), 0);
  else {
    int last = textureSize(scale, 0).x - 1;
    colour = texelFetch(scale, ivec2(int(valueOf(own) * float(last) + 0.5), 0), 0);
    if (shade == 2) {
      vec3 levels = floor(vec3(valueOf(own), valueOf(right), valueOf(up)) * ${LEVELS}.0);
      if (levels.x != levels.y || levels.x != levels.z) colour = mix(colour, ink, 0.5);
    }
  }
  int cell = int(own.y + 0.5);
  if (hatch && cell != label && mod(gl_FragCoord.x + gl_FragCoord.y, 14.0 * dots) < 4.0 * dots) {
    colour = texelFetch(colours, ivec2(cell, 1), 0);
  }
  if (int(right.x + 0.5) != region || int(up.x + 0.5) != region) colour = line;
}`;

const SLOW = 24; // milliseconds between frames: above it the next ones are coarser,
const QUICK = 18; // and finer after so many in a row below it
const CALM = 45;
const SCALES = [1, 1.5, 2, 3, 4, 6];

export function graphics(canvas) {
  const options = { alpha: false, antialias: false, preserveDrawingBuffer: true };
  const gl = canvas.getContext("webgl2", options);
  if (!gl) return null;
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  return { gl, name: String(name) };
}

export const isSoftware = (name) => /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);

export function shaderPainter(canvas, { gl, name }) {
  let kit = null; // what a lost context takes with it
  let [coarse, average, before, calm] = [0, 16, 0, 0];

  const compile = (kind, text) => {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    return shader;
  };
  const link = (fragment) => {
    const program = gl.createProgram();
    gl.attachShader(program, compile(gl.VERTEX_SHADER, VERTICES));
    const shader = compile(gl.FRAGMENT_SHADER, fragment);
    gl.attachShader(program, shader);
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(gl.getShaderInfoLog(shader) || gl.getProgramInfoLog(program));
    }
    const places = new Map();
    return {
      use: () => gl.useProgram(program),
      at: (uniform) => {
        if (!places.has(uniform)) places.set(uniform, gl.getUniformLocation(program, uniform));
        return places.get(uniform);
      },
    };
  };
  const texture = () => {
    const made = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, made);
    for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) {
      gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
    }
    for (const way of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) {
      gl.texParameteri(gl.TEXTURE_2D, way, gl.CLAMP_TO_EDGE);
    }
    return made;
  };
  const prepare = () => {
    kit = {
      recall: new Map(), // by dimension
      paint: link(PAINT),
      frame: gl.createFramebuffer(),
      codes: texture(),
      keys: texture(),
      rests: texture(),
      colours: texture(),
      scale: texture(),
    };
    gl.bindVertexArray(gl.createVertexArray());
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  };
  const put = (unit, target, width, height, kind, values) => {
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, target);
    const [inner, format, type] =
      kind === "number" ? [gl.R32F, gl.RED, gl.FLOAT] : [gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE];
    gl.texImage2D(gl.TEXTURE_2D, 0, inner, width, height, 0, format, type, values);
  };

  function recall(scene, size) {
    const { field, lift, box, attractors, steps } = scene;
    const { d, k } = field;
    if (!kit.recall.has(d)) kit.recall.set(d, link(RECALL(d)));
    const program = kit.recall.get(d);
    program.use();
    // The plane is centred on the box: single precision then serves any offset of the data.
    const centre = [(box.left + box.right) / 2, (box.bottom + box.top) / 2];
    const origin = lift ? new Float64Array(d) : centre;
    const rows = new Float32Array(k * (d + 1));
    for (let mu = 0; mu < k; mu++) {
      for (let i = 0; i < d; i++) rows[mu * (d + 1) + i] = field.keys[mu * d + i] - origin[i];
      rows[mu * (d + 1) + d] = field.logWeights[mu];
    }
    put(0, kit.keys, d + 1, k, "number", rows);
    const rests = steps === 0 ? attractors : [];
    const places = new Float32Array(Math.max(1, rests.length) * (d + 1));
    rests.forEach(({ at, radius }, row) => {
      for (let i = 0; i < d; i++) places[row * (d + 1) + i] = at[i] - origin[i];
      places[row * (d + 1) + d] = radius * radius;
    });
    put(1, kit.rests, d + 1, Math.max(1, rests.length), "number", places);
    const { origin: from, across, up } = lift ?? { origin: [0, 0], across: [1, 0], up: [0, 1] };
    const corner = lift ? [box.left, box.bottom] : [box.left - centre[0], box.bottom - centre[1]];
    gl.uniform1i(program.at("keys"), 0);
    gl.uniform1i(program.at("rests"), 1);
    gl.uniform1fv(program.at("lift"), [...from, ...across, ...up]);
    gl.uniform2fv(program.at("corner"), corner);
    gl.uniform1f(program.at("pixel"), (box.right - box.left) / size);
    gl.uniform1i(program.at("k"), k);
    gl.uniform1i(program.at("restCount"), rests.length);
    gl.uniform1i(program.at("steps"), steps);
    gl.uniform1f(program.at("size"), scene.size);
    gl.uniform1f(program.at("beta"), field.beta);
    gl.uniform1i(program.at("shade"), ["basins", "entropy", "energy"].indexOf(scene.shade));
    gl.uniform2fv(program.at("range"), scene.range ?? [0, 1]);
    put(2, kit.codes, size, size, "colour", null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, kit.frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, kit.codes, 0);
    gl.viewport(0, 0, size, size);
    gl.activeTexture(gl.TEXTURE2);
    gl.bindTexture(gl.TEXTURE_2D, null); // never read and written at once
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  function paint(scene, size, dots) {
    const { paint: look, field, attractors, steps } = scene;
    const { use, at } = kit.paint;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, size, size);
    use();
    const opaque = (rgb) => [...rgb, 255];
    const { k } = field;
    const bytes = Uint8Array.from([...look.fills, ...look.strong].flatMap(opaque));
    gl.activeTexture(gl.TEXTURE2);
    gl.bindTexture(gl.TEXTURE_2D, kit.codes);
    put(3, kit.colours, k, 2, "colour", bytes);
    put(4, kit.scale, look.scale.length, 1, "colour", Uint8Array.from(look.scale.flatMap(opaque)));
    const labels = new Int32Array(128).map((_, region) => region);
    if (steps === 0) attractors.slice(0, 128).forEach(({ label }, i) => (labels[i] = label));
    const line = scene.shade === "basins" ? look.line : look.ink;
    gl.uniform1i(at("codes"), 2);
    gl.uniform1i(at("colours"), 3);
    gl.uniform1i(at("scale"), 4);
    gl.uniform1iv(at("labels"), labels);
    gl.uniform1i(at("shade"), ["basins", "entropy", "energy"].indexOf(scene.shade));
    gl.uniform1i(at("hatch"), Number(scene.hatch));
    gl.uniform4fv(at("line"), opaque(line).map((x) => x / 255));
    gl.uniform4fv(at("ink"), opaque(look.ink).map((x) => x / 255));
    gl.uniform1f(at("dots"), dots);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  const read = (size) => {
    const bytes = new Uint8Array(4 * size * size);
    gl.bindFramebuffer(gl.FRAMEBUFFER, kit.frame);
    gl.readPixels(0, 0, size, size, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    const channel = (i) => new Uint8Array(size * size).map((_, at) => bytes[4 * at + i]);
    return { regions: channel(0), cells: channel(1) };
  };

  prepare();
  return {
    kind: "shader",
    name,
    draw({ scene, side, ratio, moving, done }) {
      if (gl.isContextLost()) return;
      kit ?? prepare();
      const now = performance.now();
      if (moving && now - before < 200) {
        average += 0.2 * (now - before - average);
        calm = average < QUICK ? calm + 1 : 0;
        if (average > SLOW && coarse < SCALES.length - 1) [coarse, average] = [coarse + 1, 16];
        else if (calm > CALM && coarse > 0) [coarse, calm] = [coarse - 1, 0];
      }
      before = now;
      const scale = moving ? ratio / SCALES[coarse] : ratio;
      const size = Math.max(60, Math.round(side * scale));
      if (canvas.width !== size) canvas.width = canvas.height = size;
      recall(scene, size);
      paint(scene, size, Math.max(1, scale));
      let [leaving, looked] = [0, 0];
      if (!moving) {
        const { regions, cells } = read(size);
        looked = size * size;
        const labels = scene.attractors.map(({ label }) => label);
        regions.forEach((region, at) => {
          if ((scene.steps === 0 ? labels[region] : region) !== cells[at]) leaving++;
        });
      }
      done({ sharp: !moving, size, took: performance.now() - now, leaving, looked });
    },
    async codes(scene, size) {
      kit ?? prepare();
      recall(scene, size);
      return read(size);
    },
    lost: () => (kit = null),
    stop: () => gl.getExtension("WEBGL_lose_context")?.loseContext(),
  };
}
