"""What the browser's modules share, alone on an empty page."""

import numpy as np
import pytest

pytestmark = pytest.mark.browser
COLOURS = {"fills": [[9, 9, 9]] * 9, "strong": [[9, 9, 9]] * 9, "line": [0] * 3, "ink": [0] * 3}
COLOURS |= {"energy": [[0] * 3, [9] * 3], "entropy": [[0] * 3, [9] * 3]}


def test_what_is_mounted_lives_as_long_as_its_root(modules):
    told = modules.evaluate(
        """async () => {
          const { mounting } = await import("/live_basins/mounting.js");
          const told = [];
          let born = 0;
          const mount = mounting(({ parentElement }) => {
            const own = ++born;
            const root = parentElement.firstElementChild;
            const tell = (what) => () => told.push(`${what} ${own}`);
            return { root, renew: tell("renew"), stop: tell("stop") };
          });
          const parentElement = document.body.appendChild(document.createElement("div"));
          parentElement.append(document.createElement("p"));
          mount({ parentElement });
          const leave = mount({ parentElement });
          leave(); // late, while its root still stands
          await new Promise((done) => setTimeout(done, 5));
          parentElement.replaceChildren(document.createElement("p"));
          const last = mount({ parentElement });
          parentElement.remove();
          last();
          await new Promise((done) => setTimeout(done, 5));
          return told;
        }"""
    )
    assert told == ["renew 1", "renew 1", "stop 1", "renew 2", "stop 2"]


def test_borders_lie_where_regions_meet(modules):
    """Three sectors about a place that is no corner of the lattice."""
    found = modules.evaluate(
        """async () => {
          const { bordersOf } = await import("/home/borders.js");
          const region = (x, y) => {
            const angle = (Math.atan2(y - 0.013, x - 0.007) * 180) / Math.PI + 180;
            return angle < 75 ? 0 : angle < 200 ? 1 : 2;
          };
          return bordersOf(region, { left: -1, right: 1, bottom: -1, top: 1 }, 20, 20);
        }"""
    )
    segments = np.array(found)
    middles = segments.reshape(-1, 2, 2).mean(axis=1) - [0.007, 0.013]
    angles = np.degrees(np.arctan2(middles[:, 1], middles[:, 0])) + 180
    far = np.linalg.norm(middles, axis=1) > 0.1
    gaps = np.abs(angles[:, None] - [0, 75, 200, 360]).min(axis=1)
    assert gaps[far].max() < 0.5
    assert np.linalg.norm(np.diff(segments.reshape(-1, 2, 2), axis=1), axis=2).sum() > 3


def test_own_points_in_one_place_are_put_there(modules):
    found = modules.evaluate(
        """async () => {
          const { placed } = await import("/lessons/own.js");
          const same = [[3, 3], [3, 3]];
          return placed(same, { 2: same }, [[-1, 0], [1, 0]]);
        }"""
    )
    assert found == {"points": [[0, 0]] * 2, "memories": [[0, 0]] * 2}


@pytest.mark.parametrize(
    "forged",
    [
        {"memories": [[0, 0], [1, 0], [0, 1]]},
        {"memories": "x", "weights": [1], "beta": -1, "particle": [1]},
        {"between": [7, 8, 0.5]},
        {"memories": [[0, 0], [0, 0]], "layers": ["basins", "points"]},
    ],
)
def test_a_forged_link_does_not_break_the_circle(modules, forged):
    said = modules.evaluate(
        """async ([forged, colours]) => {
          const { makePicture } = await import("/lessons/circle.js");
          const stage = document.getElementById("stage");
          const one = makePicture(stage, {
            points: [[0, 0], [1, 1]], own: false, centres: null,
            colours: { light: colours, dark: colours },
            controls: ["weight", "beta"], changed() {}, addressOf: () => "",
          });
          one.renew({ dark: false });
          one.set({ layers: ["basins"] });
          one.set(forged);
          await new Promise((done) => setTimeout(done, 300));
          return one.sentence();
        }""",
        [forged, COLOURS],
    )
    assert "memory 2 of weight 1" in said


def test_a_lesson_goes_on_when_frames_of_the_one_before_are_gone(modules):
    same = modules.evaluate(
        """async ([colours]) => {
          const { mount } = await import("/lessons/main.js");
          const { post } = await import("/live_basins/mail.js");
          const screen = { words: "w", set: {}, task: null, reveal: "", then: {}, equation: null };
          const lesson = (key) => ({
            key, number: 1, title: key, idea: "", picture: "circle", controls: ["beta"],
            points: [[0, 0], [1, 1]], needsFrames: false, screens: [screen, screen],
          });
          const parentElement = document.body.appendChild(document.createElement("div"));
          parentElement.innerHTML = "<section class='lessons'></section>";
          const lessons = [lesson("one"), lesson("two")];
          const data = { address: "test", lessons, colours: { light: colours, dark: colours } };
          post("test", { start: {}, own: null, frames: { lesson: "one", key: "1", values: {} } });
          mount({ parentElement, data, setStateValue() {} }, () => "");
          parentElement.querySelector("[data-open=two]").click();
          const [before, own] = [parentElement.querySelector("article"), { key: "2", centres: {} }];
          post("test", { start: {}, own: null, frames: null });
          const kept = parentElement.querySelector("article") === before;
          post("test", { start: {}, own: { ...own, points: [[0, 0]] }, frames: null });
          return [before.dataset.lesson, kept, parentElement.querySelector("article") === before];
        }""",
        [COLOURS],
    )
    assert same == ["two", True, False]
