"""The mathematics of the lessons' pictures in real Chromium: the same numbers as the engines'."""

import base64
import re

import numpy as np
import pytest
import torch

from clam_core import make_energy, recall, recall_path
from workbench.lessons import LESSONS
from workbench.lessons.clouds import rays, three_groups, two_moons
from workbench.lessons.frames import frames
from workbench.lessons.lesson import Prediction
from workbench.lessons.own import centres

pytestmark = pytest.mark.browser
COLOURS = {"fills": [[9, 9, 9]] * 9, "strong": [[9, 9, 9]] * 9, "line": [0] * 3, "ink": [0] * 3}
COLOURS["energy"] = COLOURS["entropy"] = [[0, 0, 0], [9, 9, 9]]


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("beta", [0.1, 2.0, 60.0])
def test_recall_on_the_sphere_is_the_engines(modules, d, beta):
    rng = np.random.default_rng(d)
    memories, starts = rng.normal(size=(4, d)), rng.normal(size=(40, d))
    found = modules.evaluate(
        """async ([keys, starts, beta, d]) => {
          const { makeSphere, path, nearest } = await import("/lessons/sphere.js");
          const sphere = makeSphere({ keys, beta, d });
          return starts.map((start) => {
            const way = path(sphere, start, 10, 0.1);
            return {
              places: way.map(({ v }) => Array.from(v)),
              energies: way.map(({ energy }) => energy),
              label: nearest(sphere, way.at(-1).v),
            };
          });
        }""",
        [memories.ravel().tolist(), starts.tolist(), beta, d],
    )
    energy, keys = make_energy("spherical"), torch.from_numpy(memories)
    ways = recall_path(torch.from_numpy(starts), keys, energy=energy, beta=beta, n_steps=10)
    places = np.array([one["places"] for one in found]).transpose(1, 0, 2)
    np.testing.assert_allclose(places, ways.numpy(), atol=1e-12)
    values = np.stack([energy.value(each, keys, beta).numpy() for each in ways])
    np.testing.assert_allclose(np.array([one["energies"] for one in found]).T, values, atol=1e-9)
    nearest = (ways[-1] @ energy.keys(keys).mT).argmax(-1).tolist()
    assert [one["label"] for one in found] == nearest


@pytest.mark.parametrize("beta", [1.0, 20.0])
def test_arcs_end_where_the_engines_labels_change(modules, beta):
    angles = [30, 120, 165]
    arcs, border = modules.evaluate(
        """async ([angles, beta]) => {
          const { makeSphere, arcs, atAngle, borderBetween } = await import("/lessons/sphere.js");
          const sphere = makeSphere({ keys: angles.flatMap(atAngle), beta });
          return [arcs(sphere, 10), borderBetween(sphere, 0, 1, 10)];
        }""",
        [angles, beta],
    )

    def unit(degrees):
        angle = np.deg2rad(np.asarray(degrees, float))
        return torch.from_numpy(np.column_stack([np.cos(angle), np.sin(angle)]))

    def labels(degrees):
        energy = make_energy("spherical")
        ends = recall(unit(degrees), unit(angles), energy=energy, beta=beta, n_steps=10)
        return (ends @ unit(angles).mT).argmax(-1).tolist()

    assert sum(arc["to"] - arc["from"] for arc in arcs) == pytest.approx(360)
    assert sorted(arc["label"] for arc in arcs) == [0, 1, 2]
    assert labels([arc["from"] + 1e-4 for arc in arcs]) == [arc["label"] for arc in arcs]
    assert labels([arc["to"] - 1e-4 for arc in arcs]) == [arc["label"] for arc in arcs]
    assert any(arc["to"] % 360 == pytest.approx(border) for arc in arcs)
    halfway = 75
    assert (border < halfway - 5) if beta == 1 else border == pytest.approx(halfway, abs=0.1)


def picture(page, name, asked, **given):
    """Make a picture and return what a function finds of it."""
    return page.evaluate(
        f"""async (given) => {{
          const {{ makePicture }} = await import("/lessons/{name}.js");
          const all = {{ own: false, centres: null, controls: [], changed() {{}}, chose() {{}} }};
          all.addressOf = (path) => `/${{path}}`;
          const picture = makePicture(document.querySelector("#stage"), {{ ...all, ...given }});
          const found = await ({asked})(picture);
          picture.stop();
          return found;
        }}""",
        given | {"colours": {"light": COLOURS, "dark": COLOURS}},
    )


def test_completion_is_the_engines(modules):
    points = np.array(three_groups())
    made = frames("training", points)
    for epoch in (0, 7, 60):
        asked = f"(one) => {{ one.set({{ epoch: {epoch} }}); return one.measured(); }}"
        found = picture(modules, "training", asked, points=points.tolist(), frames=made)
        assert found["loss"] == pytest.approx(made["losses"][epoch], abs=1e-5)
        memories = torch.tensor(made["memories"][epoch], dtype=torch.float64)
        ends = recall(
            torch.from_numpy(points), memories, energy=make_energy("euclidean"),
            beta=made["beta"], n_steps=made["steps"],
        )  # fmt: skip
        assert found["labels"] == torch.cdist(ends, memories).argmin(1).tolist()


def test_what_the_training_asks(modules):
    points, made = three_groups(), frames("training", three_groups())
    asked = """(one) => {
      one.set({ epoch: "last", hide: "y", layers: ["pair", "misses"] });
      const answers = ["where memories end", "better completed"].map(one.truth);
      return [one.state.epoch, ...answers, one.sentence()];
    }"""
    *found, said = picture(modules, "training", asked, points=points, frames=made)
    assert found == [60, 2, 0]
    a, b = map(float, re.findall(r"by ([\d.]+\d)", said))
    assert a < b


def test_the_graph_is_pythons(modules):
    points, made = two_moons(), frames("graph", two_moons())
    asked = """(one) => {
      one.set({ units: 0, layers: ["clusters", "edges"] });
      const said = one.sentence();
      one.set({ point: "contested" });
      const asks = ["share changed at 1.25", "cluster of point at 0", "cluster of point at 1.25"];
      return [said, one.sentence(), one.state.point, ...asks.map(one.truth)];
    }"""
    said, heard, point, share, before, after = picture(
        modules, "graph", asked, points=points, frames=made
    )
    edges = np.frombuffer(base64.b64decode(made["edges"]), "<u2").reshape(-1, 2)
    labels = np.array([list(map(int, each)) for each in made["labels"]])
    late = made["units"].index(1.25)
    cut = (labels[0][edges[:, 0]] != labels[0][edges[:, 1]]).sum()
    assert f"; {cut} of {len(edges)} edges" in said
    assert share == pytest.approx(100 * (labels[0] != labels[late]).mean())
    assert [before, after] == [labels[0][point], labels[late][point]]
    assert before != after
    assert f"point {point + 1} has kernels" in heard


@pytest.mark.parametrize("key", ["completion", "weights", "graphs"])
def test_each_screen_holds_on_points_of_ones_own(modules, key):
    lesson, rng = LESSONS[key], np.random.default_rng(4)
    points = rng.normal(size=(40, 2)) * [1.0, 0.6]
    screens = [
        {"set": dict(one.set), "then": dict(one.then), "asks": getattr(one.task, "asks", None)}
        for one in lesson.screens
    ]
    asked = """(one) => given.screens.map(({ set, then, asks }) => {
      one.set(set);
      const [said, truth] = [one.sentence(), asks && one.truth(asks)];
      one.set(then);
      return { said: said + one.sentence(), truth };
    })"""
    found = picture(
        modules, lesson.picture, asked, points=points.tolist(), own=True, screens=screens,
        centres=centres(points), frames=frames(lesson.picture, points),
    )  # fmt: skip
    for screen, one in zip(lesson.screens, found, strict=True):
        assert not re.search("NaN|undefined|Infinity", one["said"])
        if isinstance(screen.task, Prediction):
            assert 0 <= one["truth"] <= (len(screen.task.choices) or 101) - 1


def test_k_means_has_to_work_on_points_of_ones_own_too(modules):
    points = np.random.default_rng(4).normal(size=(60, 2)) * [1.0, 0.6]
    screens = LESSONS["voronoi"].screens
    state = {name: value for screen in screens[:5] for name, value in screen.set.items()}
    asked = """(one) => {
      one.set(given.state);
      return [one.truth("rounds"), one.controls.get("lloyd").hidden];
    }"""
    rounds, left_out = picture(
        modules, "plane", asked, points=points.tolist(), own=True, state=state,
        centres=centres(points), controls=["lloyd"],
    )  # fmt: skip
    assert 3 <= rounds <= 20, "as far as the guess reaches"
    assert not left_out
    asked = """(one) => { one.set(given.state); return one.controls.get("lloyd").hidden; }"""
    first = dict(screens[0].set)
    assert picture(modules, "plane", asked, points=[], state=first, controls=["lloyd"])


def test_every_place_is_the_nearest_memorys_in_the_lesson_on_cells(modules):
    points = LESSONS["voronoi"].points
    state = {
        name: value for one in LESSONS["voronoi"].screens[:4] for name, value in one.set.items()
    }
    asked = """(one) => {
      one.set(given.state);
      return given.points.map((at) => one.regionAt(...at));
    }"""
    found = picture(modules, "plane", asked, points=points, state=state)
    gaps = np.square(np.array(points)[:, None] - np.array(state["start"])).sum(2)
    assert found == gaps.argmin(1).tolist()


def test_a_weight_moves_the_border_of_the_plane(modules):
    memories = np.array([[-1.0, 0.0], [1.0, 0.0]])
    asked = """(one) => {
      const memories = [[-1, 0], [1, 0]];
      one.set({ space: "plane", memories, weights: [1, 1], beta: 1, between: [0, 1, 0.43] });
      const asks = ["memory of particle", "memory of particle if weight 2 is 3"];
      return [one.state.particle, ...asks.map(one.truth)];
    }"""
    particle, before, after = picture(modules, "circle", asked, points=rays(), frames=None)

    def engine(weights):
        ends = recall(
            torch.tensor([particle], dtype=torch.float64), torch.from_numpy(memories),
            energy=make_energy("weighted", weights), beta=1.0, n_steps=10,
        )  # fmt: skip
        return torch.cdist(ends, torch.from_numpy(memories)).argmin().item()

    assert [before, after] == [engine([1, 1]), engine([1, 3])] == [0, 1]
