"""The menu as a reader uses it."""


def to_page(page, group, title):
    """Open a group of the menu and choose a page in it."""
    page.get_by_role("button", name=group, exact=True).first.click()
    page.get_by_role("menuitem", name=title).click()
