"""A page of HTML in one file: text, tables and figures, nothing loaded from elsewhere."""

from dataclasses import dataclass
from html import escape
from typing import Any

from workbench.figures.offline import plotly_program
from workbench.figures.palette import BACKGROUND, INK
from workbench.figures.style import FONT, faint, muted


@dataclass(frozen=True)
class Rows:
    """A small table.

    Parameters
    ----------
    head : tuple of str
        Names of the columns.
    cells : tuple of tuple of str
        One tuple for each row.
    numbers : tuple of int, default ()
        Columns of numbers, which stand to the right.
    """

    head: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True)
class Section:
    """A part of a page; every text is plain, and is escaped when it is written.

    Parameters
    ----------
    title : str
    words : tuple of str, default ()
        Paragraphs; beneath a figure, its caption.
    rows : Rows, optional
    pairs : tuple of (str, str), default ()
        Names with their values, side by side.
    figure : plotly.graph_objects.Figure, optional
    folded : str, default ""
        A recipe, to unfold.
    """

    title: str
    words: tuple[str, ...] = ()
    rows: Rows | None = None
    pairs: tuple[tuple[str, str], ...] = ()
    figure: Any = None
    folded: str = ""


def html_page(title, lead, sections):
    """Write a page.

    Parameters
    ----------
    title, lead : str
        Heading, and the paragraph beneath it.
    sections : sequence of Section

    Returns
    -------
    bytes
        UTF-8.
    """
    body = [_section(section, number) for number, section in enumerate(sections)]
    drawn = any(section.figure is not None for section in sections)
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>",
            f"<header><h1>{escape(title)}</h1>\n<p>{escape(lead)}</p></header>",
            *body,
            "</main>",
            _PROGRAM.format(plotly_program()) if drawn else "",
            "</body>\n</html>\n",
        ]
    ).encode()


def _section(section, number):
    heading = f"<h2>{escape(section.title)}</h2>"
    words = [f"<p>{escape(paragraph)}</p>" for paragraph in section.words]
    if section.figure is not None:
        caption = escape(" ".join(section.words))
        # Inside a script element only "<" could end it.
        drawing = section.figure.to_json().replace("<", "\\u003c")
        box = f"height:{section.figure.layout.height or 420:.0f}px"
        words = [
            f'<figure><div class="plot" id="plot-{number}" style="{box}" role="img" '
            f'aria-label="{caption}"></div><figcaption>{caption}</figcaption></figure>',
            f'<script type="application/json" data-plot="plot-{number}">{drawing}</script>',
        ]
    parts = [heading, *words]
    if section.rows is not None:
        parts.append(_table(section.rows))
    if section.pairs:
        told = [
            f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>"
            for name, value in section.pairs
        ]
        parts.append("<dl>" + "\n".join(told) + "</dl>")
    if section.folded:
        parts.append(
            f"<details><summary>The recipe</summary><pre>{escape(section.folded)}</pre></details>"
        )
    return "<section>\n" + "\n".join(parts) + "\n</section>"


def _table(rows):
    def line(cells, tag):
        marked = (
            f'<{tag} class="n">{escape(cell)}</{tag}>' if i in rows.numbers
            else f"<{tag}>{escape(cell)}</{tag}>"
            for i, cell in enumerate(cells)
        )  # fmt: skip
        return f"<tr>{''.join(marked)}</tr>"

    body = "\n".join(line(cells, "td") for cells in rows.cells)
    head = line(rows.head, "th")
    return f'<div class="wide"><table><thead>{head}</thead>\n<tbody>{body}</tbody></table></div>'


_STYLE = f"""
:root {{ color-scheme: light; }}
body {{ margin: 0; background: {BACKGROUND[0]}; color: {INK[0]}; font: 16px/1.55 {FONT}; }}
main {{ max-width: 58rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }}
h1, h2 {{ font-family: "Source Serif 4", Georgia, serif; font-weight: 600; line-height: 1.2; }}
h1 {{ font-size: 2rem; margin: 0 0 .6rem; overflow-wrap: anywhere; }}
h2 {{ font-size: 1.3rem; margin: 0 0 .6rem; }}
header p {{ font-size: 1.1rem; margin: 0; }}
section {{ margin-top: 2rem; padding-top: 1.4rem; border-top: 1px solid {faint(False)}; }}
p {{ margin: 0 0 .5rem; max-width: 46rem; overflow-wrap: anywhere; }}
figure {{ margin: 0; }}
figcaption {{ color: {muted(False)}; font-size: .9rem; margin-top: .4rem; max-width: 46rem; }}
.plot {{ width: 100%; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-size: .92rem; margin: .3rem 0 .6rem; }}
th, td {{ text-align: left; vertical-align: top; padding: .3rem 1.1rem .3rem 0;
  border-bottom: 1px solid {faint(False)}; white-space: pre-line; max-width: 24rem;
  overflow-wrap: break-word; }}
th {{ font-weight: 600; }}
.n {{ text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }}
dl {{ columns: 17rem auto; column-gap: 2.5rem; font-size: .92rem; margin: .3rem 0 .8rem; }}
dl div {{ display: flex; justify-content: space-between; gap: 1rem; padding: .12rem 0;
  border-bottom: 1px solid {faint(False)}; break-inside: avoid; }}
dt {{ overflow-wrap: anywhere; }}
dd {{ margin: 0; text-align: right; color: {muted(False)}; overflow-wrap: anywhere; }}
summary {{ cursor: pointer; color: #0b5cc4; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; font-size: .82rem; }}
@media print {{
  body {{ background: #fff; font-size: 10.5pt; }}
  main {{ max-width: none; padding: 0; }}
  section, figure, tr {{ break-inside: avoid; }}
  .wide {{ overflow: visible; }}
  @page {{ margin: 16mm; }}
}}
"""

# Charts come when the program is unpacked; where a browser is too old for that, words say so.
_PROGRAM = """<script id="plotly" type="text/plain">{}</script>
<script>
(async () => {{
  const places = document.querySelectorAll("script[data-plot]");
  try {{
    const text = document.getElementById("plotly").textContent;
    const packed = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const program = document.createElement("script");
    program.textContent = await new Response(stream).text();
    document.head.append(program);
    for (const place of places) {{
      const {{data, layout}} = JSON.parse(place.textContent);
      const options = {{displaylogo: false, responsive: true}};
      await Plotly.newPlot(place.dataset.plot, data, {{...layout, autosize: true}}, options);
    }}
    document.body.dataset.drawn = "yes";
    addEventListener("beforeprint", () => document.querySelectorAll(".plot").forEach(
      plot => Plotly.Plots.resize(plot)));
  }} catch (fault) {{
    for (const place of places)
      document.getElementById(place.dataset.plot).textContent =
        "This picture needs a newer browser.";
    throw fault;
  }}
}})();
</script>"""
