"""How a learner walks through a lesson, by pointer or by keyboard: any lesson of the registry."""

from tests.browser.rest import drag, place
from workbench.lessons.lesson import Prediction, Touch

LESSON = ".lesson"
SECONDS = 10
# Where a mark of the picture lies once it stands still; while it moves it is drawn anew.
_STILL = """async (root, mark) => {
  for (let last = null, frame = 0; frame < 600; frame += 1) {
    const box = JSON.stringify(root.querySelector(mark)?.getBoundingClientRect() ?? null);
    if (box === last && last !== "null") return JSON.parse(box);
    last = box;
    await new Promise(requestAnimationFrame);
  }
  throw new Error(`${mark} never stood still`);
}"""


def opened(page, address, key, query=""):
    """Open a lesson by its link."""
    page.goto(f"{address}/lessons?lesson={key}{query}")
    page.locator(f"{LESSON}[data-lesson={key}]").wait_for()
    return page.locator(LESSON)


def part(page, name):
    return page.locator(f"{LESSON} [data-id={name}]")


class Pointer:
    """Clicks and drags."""

    def __init__(self, page):
        self.page = page

    def press(self, target):
        target.click()

    def choose(self, index):
        self.page.locator(f"[data-choice='{index}']").click()

    def guess(self):
        self._click(self.page.locator("[data-control=guess]"), 0.3, 0.5)

    def sketch(self):
        sketching = self.page.locator("svg.sketching")
        sketching.evaluate("drawn => drawn.scrollIntoView({ block: 'center' })")
        along = [place(sketching, 0.45 + 0.1 * t, t) for t in (0.02, 0.3, 0.6, 0.98)]
        drag(self.page, *along, steps=4)

    def slide(self, name, up):
        self._click(self.page.locator(f"[data-control={name}]"), 0.99 if up else 0.01, 0.5)

    def drop(self):
        self._click(self.page.locator(f"{LESSON} .stage"), 0.35, 0.8)

    def pick(self):
        self._click(self.page.locator(f"{LESSON} .stage"), 0.2, 0.3)

    def _click(self, target, across, down):
        """Click at a share of the target's width and height, once it stands still."""
        box = target.bounding_box()
        target.click(position={"x": across * box["width"], "y": down * box["height"]})

    def turn(self, name, value):
        self.page.locator(f"[data-control={name}][value={value}] + span").click()

    def move(self, mark, way):
        """Drag a memory or the ball by a share of the picture."""
        grip = self.page.locator(".lessons").evaluate(_STILL, f"{mark} .grip")
        x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
        stage = self.page.locator(f"{LESSON} .stage").bounding_box()
        to = [x + way[0] * stage["width"], y + way[1] * stage["height"]]
        to[0] = min(max(to[0], stage["x"] + 5), stage["x"] + stage["width"] - 5)
        to[1] = min(max(to[1], stage["y"] + 5), stage["y"] + stage["height"] - 5)
        drag(self.page, (x, y), to, steps=6)


class Keyboard:
    """Tab's reach, arrows and Enter."""

    def __init__(self, page):
        self.page = page

    def press(self, target):
        target.focus()
        self.page.keyboard.press("Enter")

    def choose(self, index):
        self.press(self.page.locator(f"[data-choice='{index}']"))

    def guess(self):
        for _ in range(3):
            self.page.locator("[data-control=guess]").press("ArrowLeft")

    def sketch(self):
        for handle in self.page.locator("svg.sketching [role=slider]").all():
            handle.press("ArrowRight")

    def slide(self, name, up):
        self.page.locator(f"[data-control={name}]").press("End" if up else "Home")

    def drop(self):
        self.press(self.page.locator("button[data-control=particle]"))

    def pick(self):
        self.press(self.page.locator("button[data-control=point]"))

    def turn(self, name, value):
        chosen = self.page.locator(f"[data-control={name}]:checked")
        wanted = self.page.locator(f"[data-control={name}][value={value}]")
        chosen.focus()
        for _ in range(self.page.locator(f"[data-control={name}]").count()):
            if wanted.is_checked():
                break
            self.page.keyboard.press("ArrowRight")

    def move(self, mark, way):
        self.page.locator(mark).first.focus()
        across = "ArrowRight" if way[0] > 0 else "ArrowLeft"
        along = "ArrowDown" if way[1] > 0 else "ArrowUp"
        for key, share in ((across, way[0]), (along, way[1])):
            for _ in range(round(abs(share) / 0.05)):
                self.page.keyboard.press(f"Shift+{key}")


WAYS = [(0.3, 0.0), (-0.6, 0.0), (0.3, 0.4), (0.0, -0.8), (0.4, 0.2), (-0.7, 0.5)]


def do(page, hand, task):
    """Do a Touch; any picture that names its controls as the others do can be touched."""
    name, how = (task.until.split(" ") + [""])[:2]
    done = page.locator(f"{LESSON} .task.ticked")
    if how in ("above", "below", "at", "splits"):
        hand.slide(name, up=how != "below")
        if how == "at":  # from its end, step by step
            slider = page.locator(f"[data-control={name}]")
            while float(slider.input_value()) > task.value:
                slider.press("ArrowLeft")
    elif how in ("pressed", "settled"):
        for _ in range(1 if how == "pressed" else 30):
            hand.press(page.locator(f"button[data-control={name}]"))
            if done.count() or page.locator(f"button[data-control={name}]").is_disabled():
                break
    elif how == "shown":
        hand.press(page.locator(f"button[data-control={name}]"))
    elif name == "hide":
        hand.turn(name, how)
    elif task.until == "point picked":
        hand.pick()
    elif task.until == "particle dropped":
        hand.drop()
    else:
        mark = "[data-memory='0']" if name == "memory" else "[data-particle]"
        for way in WAYS:
            hand.move(mark, way)
            page.wait_for_timeout(60)
            if done.count():
                break


def predict(page, hand, task):
    if task.kind == "choose":
        hand.choose(1)
    elif task.kind == "number":
        hand.guess()
    else:
        hand.sketch()
    hand.press(part(page, "check"))
    page.locator(f"{LESSON} .verdict").wait_for()


def drawn(page):
    """Wait for a frame: the controls of a picture show its state when it is drawn."""
    page.evaluate(
        "() => new Promise((on) => requestAnimationFrame(() => requestAnimationFrame(on)))"
    )


def walk(page, hand, lesson):
    """Walk to the lesson's end, doing all that it asks."""
    for number, screen in enumerate(lesson.screens):
        page.locator(f"{LESSON}[data-screen='{number}']").wait_for()
        drawn(page)
        following = part(page, "next")
        if screen.task:
            assert following.is_disabled(), f"screen {number + 1} asks for nothing"
        if isinstance(screen.task, Touch):
            do(page, hand, screen.task)
            page.locator(f"{LESSON} .task.ticked").wait_for(timeout=1000 * SECONDS)
        elif isinstance(screen.task, Prediction):
            predict(page, hand, screen.task)
        if screen.reveal:
            assert screen.reveal in page.locator(f"{LESSON} .body").inner_text()
        hand.press(following)
    page.locator(f"{LESSON} .summary").wait_for()
