"""Eight short lessons: one idea each, a picture to touch, a prediction before the reveal."""

from collections.abc import Mapping
from types import MappingProxyType

from workbench.lessons import (
    basin,
    completion,
    graphs,
    pulls,
    temperature,
    unfinished,
    voronoi,
    weights,
)
from workbench.lessons.lesson import Lesson

_IN_ORDER = (basin, voronoi, temperature, unfinished, pulls, completion, weights, graphs)

LESSONS: Mapping[str, Lesson] = MappingProxyType(
    {module.LESSON.key: module.LESSON for module in _IN_ORDER}
)
"""Key -> lesson, in the order in which they are to be taken."""
