// A worker: one band of a picture at a time.

import { codes, paintBand } from "./raster.js";

self.onmessage = ({ data: { task, scene, size, from, to, quick } }) => {
  if (task === "codes") {
    self.postMessage(codes(scene, size, from, to));
    return;
  }
  const band = paintBand(scene, size, from, to, quick);
  self.postMessage(band, [band.pixels.buffer]);
};
