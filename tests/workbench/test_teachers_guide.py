"""The teacher's guide covers every lesson, and its links open what they say."""

import base64
import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest

from workbench.lessons import LESSONS

GUIDE = (Path(__file__).parents[2] / "docs" / "teachers-guide.md").read_text(encoding="utf-8")
LINKS = re.findall(r"\]\((/lessons\?[^)]*)\)", GUIDE)
PARTS = ("Idea", "Minutes", "Ask before", "What goes wrong", "Show elsewhere", "Links", "Ask after")


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_each_lesson_has_its_section(lesson):
    section = GUIDE.split(f"## {lesson.number} {lesson.title}\n")[1].split("\n## ")[0]
    assert lesson.idea in section
    assert all(f"**{part}.**" in section for part in PARTS)
    assert f"/lessons?lesson={lesson.key}&" in section


def unpacked(text):
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


@pytest.mark.parametrize("link", LINKS)
def test_each_link_opens_a_screen(link):
    told = parse_qs(urlparse(link).query)
    lesson = LESSONS[told["lesson"][0]]
    screen = lesson.screens[int(told["screen"][0]) - 1]
    for text in told.get("at", ()):
        known = {key for one in lesson.screens for key in (*one.set, *one.then)}
        assert set(unpacked(text)) <= known
    assert screen.words


def test_links_without_a_name_lead_to_lessons_and_pages():
    root = Path(__file__).parents[2]
    for address in re.findall(r"`/(\w+)", GUIDE):
        assert (root / "pages" / f"{address}.py").is_file()
