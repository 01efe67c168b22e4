// Each new picture is a new node, and Plotly's uirevision holds within one node only: so the part
// of the plane that the reader has zoomed to is carried over here, as long as the frame stays.
(() => {
  if (window.keptZooms) return;
  const SETTLING = 2000; // milliseconds
  window.keptZooms = new Map(); // key of the chart's container -> {home, range}
  const keyOf = (plot) =>
    [...plot.closest("[class*='st-key-']").classList].find((name) => name.startsWith("st-key-"));
  const rangesOf = (layout) => [layout.xaxis.range, layout.yaxis.range].map((range) => [...range]);
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

  const adopt = (plot) => {
    const key = keyOf(plot);
    const home = rangesOf(plot.layout);
    const kept = window.keptZooms.get(key);
    plot.on("plotly_relayout", () => {
      window.keptZooms.set(key, { home, ranges: rangesOf(plot._fullLayout) });
    });
    if (!kept || !same(kept.home, home) || !window.Plotly) return;

    const { ranges } = kept;
    const restore = () =>
      window.Plotly.relayout(plot, { "xaxis.range": ranges[0], "yaxis.range": ranges[1] });
    restore();
    // A new node is drawn once more when its size is known, and that draws its own frame again.
    const born = performance.now();
    plot.on("plotly_afterplot", () => {
      const young = performance.now() - born < SETTLING;
      if (young && !same(ranges, home) && same(rangesOf(plot._fullLayout), home)) restore();
    });
  };

  new MutationObserver(() => {
    for (const plot of document.querySelectorAll(".st-key-basins-figure .js-plotly-plot")) {
      if (plot.zoomIsKept || !plot.on || !plot._fullLayout?.xaxis) continue;
      plot.zoomIsKept = true;
      adopt(plot);
    }
  }).observe(document.body, { childList: true, subtree: true });
})();
