"""A score over a swept setting, a line for each T, and a map over beta and T."""

import numpy as np
import plotly.graph_objects as go

from workbench.figures import palette
from workbench.figures.clusters import SYMBOLS
from workbench.figures.style import axis, ink, layout, muted, paper, span

_APART = 0.07  # of a word's place, between the marks of two T
_LEAST_HEIGHT = 0.1  # of a score: smaller differences should look small
_WIDE_LOSSES = 30  # highest over lowest loss, from which their axis is logarithmic


def sweep_figure(
    values, steps, scores, *, scale, titles, empty, rival=None, default=None, best=None, dark=False
):
    """Draw a score over the values of one setting.

    Parameters
    ----------
    values : sequence of float or of str, length v
        Rising where they are numbers.
    steps : sequence of int, length t
        T of each line.
    scores : ndarray of shape (v, t)
        NaN where there is none.
    scale : {"log", "linear", "choice"}
        Of the values; words have places of their own and no lines.
    titles : tuple of (str, str)
        Of the two axes.
    empty : ndarray of int, shape (v, t)
        Clusters without rows: where there are any, the mark is hollow.
    rival : tuple of (str, float), optional
        Name and score of a method that none of this concerns: a dashed line.
    default : tuple of (float or str, float, float), optional
        Value, score and half a bar's length of what is used unless told otherwise.
    best : tuple of (int, int), optional
        Place of the mark that is ringed.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        A trace for each T, then k-means, the default and the ring where there are such.
    """
    places = _places(values, scale)
    shifts = np.zeros(len(steps))
    if scale == "choice":
        shifts = (np.arange(len(steps)) - (len(steps) - 1) / 2) * _APART
    traces = [
        _line(places + shift, values, n_steps, scores[:, t], empty[:, t], t, scale)
        for t, (n_steps, shift) in enumerate(zip(steps, shifts, strict=True))
    ]
    at, beside = [float(place) for place in places], [scores.ravel()]
    if default is not None and np.isfinite(default[1]):
        at.append(list(values).index(default[0]) if scale == "choice" else default[0])
        beside.append([default[1] - default[2], default[1] + default[2]])
    ends = (float(min(at)), float(max(at)))
    if rival is not None and np.isfinite(rival[1]):
        beside.append([rival[1]])
        traces.append(_rival(rival[0], rival[1], _reach(ends, scale), dark))
    if len(at) > len(places) and default is not None:
        traces.append(_default(at[-1], default[1], default[2], dark))
    if best is not None:
        traces.append(_ring(places[best[0]] + shifts[best[1]], scores[best], dark))
    return go.Figure(
        traces,
        layout(
            dark,
            height=440,
            margin={"l": 8, "r": 16, "t": 64, "b": 8},
            xaxis=_across(values, titles[0], scale, ends, dark),
            yaxis=axis(dark, titles[1], **_up(np.concatenate(beside), titles[1])),
        ),
    )


def _places(values, scale):
    return np.arange(len(values)) if scale == "choice" else np.asarray(values, float)


def _reach(ends, scale):
    """From one side of the picture to the other, a little beyond the outermost marks."""
    low, high = ends
    if scale == "log":
        part = (high / low) ** 0.03 if high > low else 1.5
        return low / part, high * part
    part = 0.04 * (high - low) if high > low else 0.1
    return (low - 0.5, high + 0.5) if scale == "choice" else (low - part, high + part)


def _across(values, title, scale, ends, dark):
    low, high = _reach(ends, scale)
    if scale == "log":
        return axis(
            dark, title, type="log", range=[float(np.log10(low)), float(np.log10(high))],
            exponentformat="power", dtick=1, minor={"ticks": "outside", "dtick": "D1"},
            ticks="outside",
        )  # fmt: skip
    if scale == "choice":
        return axis(
            dark, title, range=[low, high], tickmode="array", tickvals=list(range(len(values))),
            ticktext=[str(value) for value in values], showgrid=False,
        )  # fmt: skip
    return axis(dark, title, range=[low, high], ticks="outside")


def _up(scores, title):
    finite = scores[np.isfinite(scores)]
    if title.startswith("loss"):
        wide = len(finite) and 0 < finite.min() * _WIDE_LOSSES < finite.max()
        return {"type": "log", "exponentformat": "power"} if wide else {"tickformat": ".3~g"}
    return {"tickformat": ".2f", "nticks": 8, "range": span(scores, _LEAST_HEIGHT)}


def _line(places, values, n_steps, scores, empty, place, scale):
    symbol = SYMBOLS[place % len(SYMBOLS)]
    colour = palette.colours(place + 1)[-1]
    told = [f"{count} empty" if count else "none empty" for count in empty]
    return go.Scatter(
        x=places,
        y=scores,
        name=f"T = {n_steps}",
        mode="markers" if scale == "choice" else "lines+markers",
        connectgaps=True,
        line={"color": colour, "width": 2.5},
        marker={
            "color": colour,
            "size": 12 if scale == "choice" else 9,
            "symbol": [f"{symbol}-open" if count else symbol for count in empty],
            "line": {"color": colour, "width": 2},
        },
        customdata=[[_short(value), words] for value, words in zip(values, told, strict=True)],
        hovertemplate=f"%{{customdata[0]}}, T = {n_steps}: %{{y:.4g}}, "
        "%{customdata[1]}<extra></extra>",
    )


def _rival(name, score, ends, dark):
    return go.Scatter(
        x=list(ends),
        y=[score, score],
        name=name,
        mode="lines",
        line={"color": ink(dark), "width": 2.5, "dash": "dash"},
        hovertemplate=f"{name}: %{{y:.4g}}<extra></extra>",
    )


def _default(place, score, spread, dark):
    return go.Scatter(
        x=[place],
        y=[score],
        name="default",
        mode="markers",
        marker={
            "color": paper(dark), "size": 12, "symbol": "diamond",
            "line": {"color": ink(dark), "width": 2.5},
        },
        error_y={"array": [spread], "color": ink(dark), "thickness": 2, "width": 6},
        hovertemplate="default: %{y:.4g}<extra></extra>",
    )  # fmt: skip


def _ring(x, y, dark):
    return go.Scatter(
        x=[x],
        y=[y],
        name="best",
        mode="markers",
        marker={
            "color": "rgba(0,0,0,0)", "size": 22, "line": {"color": ink(dark), "width": 3},
        },
        cliponaxis=False,
        hoverinfo="skip",
    )  # fmt: skip


def map_figure(
    betas, steps, scores, *, title, empty, rival=None, best=None, lower=False, dark=False
):
    """Draw a score over beta and T as a map.

    Parameters
    ----------
    betas : sequence of float, length v
        Evenly spaced on a log scale.
    steps : sequence of int, length t
    scores : ndarray of shape (v, t)
        NaN where there is none: the page's own colour.
    title : str
        Of the scale.
    empty : ndarray of int, shape (v, t)
        Clusters without rows: where there are any, a small circle lies on the cell.
    rival : tuple of (str, float), optional
        Name and score of a method: amber is better than it, blue is worse.
    best : tuple of (int, int), optional
        Place of the cell that is ringed.
    lower : bool, default False
        Whether less is better; of no account beside a rival.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        The map, the circles, and the ring where there is a best.
    """
    against = rival is not None and np.isfinite(rival[1])
    heat = go.Heatmap(
        z=scores.T,
        x=list(range(len(betas))),
        y=list(range(len(steps))),
        xgap=1,
        ygap=1,
        customdata=[[[_short(beta), n_steps] for beta in betas] for n_steps in steps],
        hovertemplate="β = %{customdata[0]}, T = %{customdata[1]}: %{z:.4g}<extra></extra>",
        hoverongaps=False,
        colorbar={
            "orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "xanchor": "left",
            "len": 1, "xpad": 0, "thickness": 12, "outlinewidth": 0,
            "title": {"text": title, "side": "top", "font": {"size": 14}},
            "tickfont": {"color": muted(dark), "size": 13}, "ticklabeloverflow": "allow",
        } | _ticks(scores, rival if against else None),
        **_shades(scores, rival[1] if rival is not None and against else None, lower, dark),
    )  # fmt: skip
    hollow = np.argwhere((empty > 0) & np.isfinite(scores))
    circles = go.Scatter(
        x=hollow[:, 0],
        y=hollow[:, 1],
        mode="markers",
        marker={"color": ink(dark), "size": 7, "symbol": "circle-open", "line": {"width": 1.5}},
        hoverinfo="skip",
    )
    ring = []
    if best is not None:
        ring = [
            go.Scatter(
                x=[best[0]],
                y=[best[1]],
                mode="markers",
                marker={
                    "color": "rgba(0,0,0,0)", "size": 22, "line": {"color": ink(dark), "width": 3},
                },
                hoverinfo="skip",
            )
        ]  # fmt: skip
    every = max(1, -(-len(betas) // 7))  # as many numbers as a telephone has room for
    shown = range(len(betas) // 2 % every, len(betas), every)
    bare = {"showgrid": False, "tickmode": "array"}
    return go.Figure(
        [heat, circles, *ring],
        layout(
            dark,
            height=170 + 36 * len(steps),
            showlegend=False,
            margin={"l": 8, "r": 8, "t": 76, "b": 8},
            xaxis=axis(
                dark, "β", tickvals=list(shown), ticktext=[f"{betas[at]:.2g}" for at in shown],
                **bare,
            ),
            yaxis=axis(
                dark, "T", tickvals=list(range(len(steps))), ticktext=[str(n) for n in steps],
                **bare,
            ),
        ),
    )  # fmt: skip


def _shades(scores, rival, lower, dark):
    """Colours: of two kinds to either side of a rival, else from the page's own to amber."""
    if rival is not None:
        away = np.nanmax(np.abs(scores - rival)) if np.isfinite(scores).any() else 0.0
        away = float(away) or 1.0
        scale = palette.diverging(dark)
        return {"zmin": rival - away, "zmax": rival + away, "colorscale": scale}
    shades = palette.scale("entropy", dark)
    return {"colorscale": shades[::-1] if lower else shades}


def _ticks(scores, rival):
    """Three numbers: lowest, the rival's, highest."""
    finite = scores[np.isfinite(scores)]
    if rival is None or not len(finite):
        return {"tickformat": ".3~g", "nticks": 5}
    name, score = rival
    away = float(np.abs(finite - score).max()) or 1.0
    ends = [score - away, score, score + away]
    words = [f"{ends[0]:z.3f}", f"{name} {score:z.3f}", f"{ends[2]:z.3f}"]
    return {"tickmode": "array", "tickvals": ends, "ticktext": words}


def _short(value):
    return value if isinstance(value, str) else f"{value:.4g}"
