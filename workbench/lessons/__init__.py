"""Eight short lessons: one idea each, a picture to touch, a prediction before the reveal."""

from collections.abc import Mapping
from types import MappingProxyType

from workbench.lessons import basin, completion, graphs, weights
from workbench.lessons.lesson import Lesson

LESSONS: Mapping[str, Lesson] = MappingProxyType(
    {lesson.key: lesson for lesson in (basin.LESSON, completion.LESSON, weights.LESSON, graphs.LESSON)}
)
"""Key -> lesson, in the order in which they are to be taken."""
