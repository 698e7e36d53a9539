"""Opens reports in Chromium and checks what a reader depends on. See README.md beside this file.

    python check.py REPORT.html [REPORT.html ...] [--screenshots DIR]
"""

import argparse
import os
import re
import sys
import xml.etree.ElementTree as xml
from collections import Counter
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ARGUMENTS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]
PROBES = Path(__file__).with_name("probes.js").read_text()
WIDTHS = [400, 768, 1400]
SCHEMES = ["light", "dark"]
STEP = 200  # so many rows of a table are shown at first
CONTRAST = 4.5


class Checks:
    """Named checks, each reported as it is made."""

    def __init__(self):
        self.passed = self.failed = 0

    def expect(self, name, fine, detail=""):
        if fine:
            self.passed += 1
            print(f"  ok    {name}")
        else:
            self.failed += 1
            print(f"  FAIL  {name}{f': {detail}' if detail else ''}")

    def none(self, name, found):
        """Nothing may be found; what was is told, up to ten."""
        more = f"; {len(found) - 10} more" if len(found) > 10 else ""
        self.expect(name, not found, "; ".join(map(str, found[:10])) + more)


class Opened:
    """A report in a window of its own, with everything it said and asked for."""

    def __init__(self, browser, path, width=1400, scheme="light", scripts=True):
        self.context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=scripts,
            reduced_motion="reduce",
        )
        self.page = self.context.new_page()
        self.address = path.resolve().as_uri()
        self.complaints, self.requests = [], []
        self.page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.set_default_timeout(10_000)
        self.page.goto(self.address)
        self.page.evaluate(PROBES)

    def ask(self, question):
        return self.page.evaluate(f"probe.{question}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()


def check(browser, path, checks, screenshots):
    with Opened(browser, path) as report:
        attempt(structure, report, checks)
        attempt(keyboard, report, checks)
        for index, table in enumerate(report.ask("contents()")):
            attempt(sorting, report, checks, index, table)
            attempt(filtering, report, checks, index, table)
            attempt(showing_more, report, checks, index, table)
        attempt(saving, report, checks)
        attempt(copying, report, checks)
        quiet(report, checks)
    layout(browser, path, checks, screenshots)
    without_scripts(browser, path, checks)
    printing(browser, path, checks)
    timing(browser, path, checks)


def attempt(step, report, checks, *rest):
    """A page that is too broken for a step fails it, and the next one is tried."""
    try:
        step(report, checks, *rest)
    except Error as error:
        checks.expect(f"{step.__name__.replace('_', ' ')} can be tried", False, str(error).splitlines()[0])


def quiet(report, checks):
    checks.none("no console message and no error", report.complaints)
    outside = [url for url in report.requests if url != report.address and not url.startswith(("data:", "blob:"))]
    checks.none("no request but for the page itself", outside)


def structure(report, checks):
    page = report.page
    checks.expect("html has lang", page.evaluate("document.documentElement.lang !== ''"))
    checks.expect("one h1, one main, a title", page.evaluate(
        "['h1', 'main'].every(name => document.querySelectorAll(name).length === 1) && document.title !== ''"))
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    checks.none("ids are unique", sorted({i for i in ids if ids.count(i) > 1}))
    targets = page.evaluate("[...document.querySelectorAll('a[href^=\"#\"]')].map(a => a.hash.slice(1))")
    checks.none("links within the page lead somewhere", [t for t in targets if t not in ids])
    levels = page.evaluate(
        "[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(e => [+e.localName[1], e.textContent])"
    )
    skipped = [after[1] for before, after in zip([[0, ""], *levels], levels) if after[0] > before[0] + 1]
    checks.none("heading levels do not skip", skipped)
    checks.none("every th has a scope", page.evaluate(
        "[...document.querySelectorAll('th')].filter(e => !['col', 'row'].includes(e.scope)).map(e => e.textContent)"))


def keyboard(report, checks):
    page = report.page
    controls = report.ask("focusable()")
    page.evaluate("document.activeElement.blur()")
    reached, blind = set(), []
    for _ in range(len(controls)):
        page.keyboard.press("Tab")
        stop = report.ask("focused()")
        reached.add(stop["index"])
        if not stop["ring"]:
            blind.append(stop["name"])
    checks.none("every control is reached by Tab", [name for i, name in enumerate(controls) if i not in reached])
    checks.none("the focus can be seen", blind)

    # Names as the browser tells them to a screen reader.
    tree = report.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    nameless = [
        node["role"]["value"] for node in tree
        if not node["ignored"] and not node.get("name", {}).get("value", "").strip()
        and any(p["name"] == "focusable" and p["value"].get("value") for p in node.get("properties", []))
    ]
    checks.none("every control has an accessible name", [role for role in nameless if role != "RootWebArea"])


# What page.js should do, worked out here from the texts of the cells alone.

def number(text):
    found = re.search(r"([-+]?)(\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+)?)", text.replace("\u2212", "-"))
    return None if found is None else float(found[1] + found[2].replace(",", ""))


def words(text):
    if text.strip() in ("", "-", "\u2013", "\u2014", "\u2212"):
        return None
    parts = re.split(r"(\d+(?:\.\d+)?)", text.lower())
    return tuple(float(part) if i % 2 else part for i, part in enumerate(parts))


def expected_order(rows, column, word, direction):
    keys = [(words if word else number)(row[column]) for row in rows]
    present = [i for i, key in enumerate(keys) if key is not None]
    missing = [i for i, key in enumerate(keys) if key is None]
    return sorted(present, key=lambda i: keys[i], reverse=direction == "descending") + missing


def sorting(report, checks, index, table):
    section = report.page.locator("section.results").nth(index)
    heads = section.locator("thead button")
    name = f"table {table['title']}: sorting"
    checks.expect(f"{name}: a button in every head", heads.count() == len(table["heads"]))
    start = list(range(len(table["rows"])))
    wrong = []
    for column, head in enumerate(table["heads"]):
        turns = ["ascending", "descending"] if head["word"] else ["descending", "ascending"]
        for direction in [*turns, None]:
            heads.nth(column).focus()
            report.page.keyboard.press("Enter")
            state = report.ask(f"table({index})")
            order = start if direction is None else expected_order(table["rows"], column, head["word"], direction)
            sorts = [direction if i == column else None for i in range(len(table["heads"]))]
            where = f"{head['text']}, {direction or 'third click'}"
            wrong += misplaced(where, state["shown"], order[:STEP], table["rows"], column)
            if state["sorts"] != sorts:
                wrong.append(f"{where}: aria-sort is {state['sorts']}")
            # To lay out all of a large table takes a second, so that its whole order is looked at for two columns.
            if len(start) > STEP and direction and column in (0, len(table["heads"]) - 1):
                section.locator(".scroll ~ .controls button").last.click()
                wrong += misplaced(f"{where}, all rows", report.ask(f"table({index})")["shown"], order, table["rows"], column)
    checks.none(f"{name}: each head by Enter, down, up and back, with aria-sort", wrong)


def misplaced(where, shown, order, rows, column):
    """Where two orders part, as a list of one complaint or none."""
    if shown == order:
        return []
    if len(shown) != len(order):
        return [f"{where}: {len(shown)} rows are shown, not {len(order)}"]
    place = next(i for i, (one, other) in enumerate(zip(shown, order)) if one != other)
    return [f"{where}: row {place + 1} has {rows[shown[place]][column]!r}, not {rows[order[place]][column]!r}"]


def filtering(report, checks, index, table):
    name = f"table {table['title']}: filter"
    rows = table["rows"]
    section = report.page.locator("section.results").nth(index)
    box = section.locator("input")
    lower = [[cell.lower() for cell in row] for row in rows]
    total = f"{len(rows):,} {'row' if len(rows) == 1 else 'rows'}"

    def try_filter(what, text, order=range(len(rows))):
        box.fill(text)
        state = report.ask(f"table({index})")
        asked = text.lower().split()
        found = [i for i in order if all(any(word in cell for cell in lower[i]) for word in asked)]
        count = f"{len(found):,} of {total}" if asked else total
        if len(found) > STEP:
            count += f", the first {STEP} shown"
        checks.expect(f"{name}: {what} leaves the rows that have it", state["shown"] == found[:STEP],
                      f"{text!r} shows {len(state['shown'])} rows, not {len(found[:STEP])}, or in another order")
        checks.expect(f"{name}: {what} is counted", state["count"] == count, f"{state['count']!r} for {count!r}")

    if rows:
        row = rows[len(rows) // 2]
        tokens = [word for cell in row for word in cell.split()]
        try_filter("a word of a row", max(tokens, key=len))
        everywhere = Counter(word for row in rows for word in {word for cell in row for word in cell.split()})
        try_filter("the most frequent word", everywhere.most_common(1)[0][0])
        try_filter("two words in capitals", f"  {tokens[-1]} {tokens[0]} ".upper())
        button = section.locator("thead button").last
        button.click()
        head = table["heads"][-1]
        direction = "ascending" if head["word"] else "descending"
        try_filter("a word, when sorted,", tokens[0], expected_order(rows, len(table["heads"]) - 1, head["word"], direction))
        button.click()
        button.click()
    try_filter("a word of no row", "zqx-nowhere")
    try_filter("clearing", "")


def showing_more(report, checks, index, table):
    name = f"table {table['title']}: showing more"
    rows = len(table["rows"])
    buttons = report.page.locator("section.results").nth(index).locator(".scroll ~ .controls button")
    state = report.ask(f"table({index})")
    if rows <= STEP:
        checks.expect(f"{name}: no button where all rows are shown", state["buttons"] == [], state["buttons"])
        return
    more = f"Show {min(STEP, rows - STEP)} more"
    checks.expect(f"{name}: the buttons", state["buttons"] == [more, f"Show all {rows:,}"], state["buttons"])
    buttons.first.click()
    checks.expect(f"{name}: {more}", report.ask(f"table({index})")["shown"] == list(range(min(2 * STEP, rows))))
    if rows > 2 * STEP:
        buttons.last.focus()
        report.page.keyboard.press("Enter")
    state = report.ask(f"table({index})")
    checks.expect(f"{name}: all rows", state["shown"] == list(range(rows)) and state["buttons"] == [])
    checks.expect(f"{name}: the focus is kept", report.page.evaluate("document.activeElement !== document.body"))


def saving(report, checks):
    # Chromium asks before it saves many files of one page; a few figures are as good as all, for one button makes them.
    for figure in report.page.locator("figure").all()[:6]:
        name = figure.get_attribute("data-name")
        with report.page.expect_download() as download:
            figure.locator("button").click()
        file = download.value
        try:
            root = xml.parse(file.path()).getroot()
            parts = figure.locator("svg").evaluate("e => e.children.length")
            fine = root.tag == "{http://www.w3.org/2000/svg}svg" and len(root) == parts
        except xml.ParseError:
            fine = False
        checks.expect(f"figure {name}: is saved whole as {name}.svg", fine and file.suggested_filename == f"{name}.svg")


def copying(report, checks):
    report.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for place, command in enumerate(report.page.locator(".command").all(), start=1):
        command.locator("button").click()
        command.get_by_text("Copied").wait_for(timeout=2000)
        copied = report.page.evaluate("navigator.clipboard.readText()")
        checks.expect(f"command {place}: is copied", copied == command.locator("pre").text_content())


def layout(browser, path, checks, screenshots):
    for scheme in SCHEMES:
        with Opened(browser, path, scheme=scheme) as report:
            for width in WIDTHS:
                at = f"at {width} px, {scheme}"
                report.page.set_viewport_size({"width": width, "height": 900})
                if screenshots and width in (WIDTHS[0], WIDTHS[-1]):
                    report.page.screenshot(path=screenshots / f"{path.resolve().parent.name}-{width}-{scheme}.png", full_page=True)
                report.page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
                across = report.page.evaluate("[document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]")
                checks.expect(f"{at}: the page is not wider than the window", across[0] <= across[1], across)
                checks.none(f"{at}: no text sticks out of the window", report.ask("stickingOut()"))
                drawings = report.ask("drawings()")
                checks.none(f"{at}: no texts of a figure overlap", drawings["overlapping"])
                checks.none(f"{at}: no text leaves its figure", drawings["outside"])
                report.page.evaluate("for (const details of document.querySelectorAll('details')) details.open = false")
            poor = [f"{pair['name']} {pair['ratio']:.2f}" for pair in report.ask("contrasts()") if pair["ratio"] < CONTRAST]
            checks.none(f"{scheme}: text has a contrast of at least {CONTRAST}", poor)
            quiet(report, checks)


def without_scripts(browser, path, checks):
    with Opened(browser, path, scripts=False) as report:
        hidden = [
            table["title"] for i, table in enumerate(report.ask("contents()"))
            if len(report.ask(f"table({i})")["shown"]) != len(table["rows"])
        ]
        checks.none("without JavaScript: all rows are shown", hidden)
        checks.none("without JavaScript: no controls", report.ask("controls()"))


def printing(browser, path, checks):
    with Opened(browser, path) as report:
        report.page.emulate_media(media="print")
        checks.none("in print: no controls", report.ask("controls()"))
        checks.none("in print: heads of tables stay", report.ask("headsWithoutText()"))
        folded = report.page.evaluate("[...document.querySelectorAll('details > pre')].filter(e => !e.checkVisibility()).length")
        checks.expect("in print: nothing is folded", folded == 0)
        pages = len(re.findall(rb"/Type\s*/Page\b", report.page.pdf()))
        checks.expect("in print: a PDF has pages", pages >= 1)
        print(f"        {pages} pages")


def timing(browser, path, checks):
    with Opened(browser, path) as report:
        attempt(tell_times, report, checks)


def tell_times(report, _):
    load = report.page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    print(f"  time  load {load:.0f} ms")
    sizes = [len(table["rows"]) for table in report.ask("contents()")]
    if not any(sizes):
        return
    largest = sizes.index(max(sizes))
    for shown, times in report.ask(f"timings({largest})").items():
        print(f"  time  {max(sizes):,} rows, {shown} shown: " + ", ".join(f"{k} {v:.0f} ms" for k, v in times.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="+", type=Path, metavar="REPORT.html")
    parser.add_argument("--screenshots", type=Path, metavar="DIR")
    options = parser.parse_args()
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    checks = Checks()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for path in options.reports:
            print(path)
            check(browser, path, checks, options.screenshots)
        browser.close()
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
