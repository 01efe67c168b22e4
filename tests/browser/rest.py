"""When a page is at rest, and where its parts then lie: what a hand must know before it acts."""

LOOKS, BETWEEN = 8, 40  # looks in a row that find nothing under way, and milliseconds between them
PATIENCE = 180_000  # milliseconds: a server that starts imports and compiles first

# The script does not run, nothing is grey or still to come, no job is at work, and the page keeps
# its height. A new document knows of no looks and begins anew.
_AT_REST = """looks => {
  const app = document.querySelector("[data-testid=stApp]");
  const coming = "[data-stale=true], [data-testid=stSkeleton], [data-testid=stAppSkeleton]";
  const jobs = [...document.querySelectorAll("[data-testid=stProgress]")];
  const height = document.querySelector("[data-testid=stMain]")?.scrollHeight;
  const busy = app?.dataset.testScriptState !== "notRunning" || document.querySelector(coming)
    || jobs.some((job) => job.checkVisibility()) || height !== globalThis.heightAtRest;
  globalThis.heightAtRest = height;
  globalThis.looksAtRest = busy ? 0 : (globalThis.looksAtRest ?? 0) + 1;
  return globalThis.looksAtRest >= looks;
}"""


def at_rest(page):
    """Wait until the server has said all it has to say, and the page shows it.

    Streamlit's own sign of a run appears half a second late, so that its absence says nothing.
    """
    page.evaluate("() => { globalThis.looksAtRest = 0; }")
    page.wait_for_function(_AT_REST, arg=LOOKS, polling=BETWEEN, timeout=PATIENCE)


def visit(page, address):
    """Open a page of the app and wait until it is at rest."""
    page.goto(address)
    at_rest(page)


def until(page, holds, seconds=60):
    """Look again until something holds."""
    for _ in range(seconds * 20):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError("It never came to hold.")


def place(target, x=0.5, y=0.5):
    """Return where on the page a share of an element lies, once it is in sight and still."""
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    return box["x"] + x * box["width"], box["y"] + y * box["height"]


def drag(page, *places, steps=8):
    """Go from place to place of the page with the button down."""
    page.mouse.move(*places[0])
    page.mouse.down()
    for at in places[1:]:
        page.mouse.move(*at, steps=steps)
    page.mouse.up()


def give_file(page, name, text):
    """Put a file of one's own in the place of the built-in table."""
    own = page.locator("input[type=file]")
    if not own.count():
        page.get_by_text("Your file").click()
    own.first.set_input_files({"name": name, "mimeType": "text/csv", "buffer": text.encode()})
