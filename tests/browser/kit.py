"""A headless Chromium for tests of reports, and TAP.

    browser = kit.start()        ends the test, skipped, where Selenium or Chromium is missing
    browser.open(path)           a file; what the console said and what was asked for are forgotten
    browser.js("return ...")     in the page; arguments become arguments[0], ...
    kit.ok(condition, what)
    browser.finish()             ends browser and test

Nothing moves (prefers-reduced-motion) unless a test asks for it.
"""

import base64
import json
import os
import shutil
import socket
import sys
import tempfile
import time

FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-background-networking"
    " --disable-component-update --disable-sync --no-first-run --hide-scrollbars"
).split()
QUIET = [{"name": "prefers-reduced-motion", "value": "reduce"}]
failed = count = 0


def ok(condition, what):
    global failed, count
    count += 1
    failed += not condition
    print("%sok %d - %s" % ("" if condition else "not ", count, what), flush=True)


def close(found, wanted, what, tolerance=1e-6):
    good = abs(found - wanted) <= tolerance * max(1, abs(wanted))
    ok(good, what if good else "%s: found %.12g, expected %.12g" % (what, found, wanted))


def soon(holds):
    """True when it holds, asked up to fifty times: what one process of the browser has stored another learns a
    moment later."""
    return any(holds() for _ in range(50))


def skip(why):
    print("1..0 # SKIP %s" % why)
    sys.exit(0)


def start():
    """Chromium under its driver, on a new profile."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        skip("there is no chromium or no chromedriver here")
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        skip("python3-selenium is not installed")
    try:
        socket.gethostbyname("localhost")
    except OSError:
        skip("the name localhost, by which Selenium finds the driver, is not known here")
    profile = tempfile.mkdtemp(prefix="cosched-browser-")
    options = Options()
    options.binary_location = chromium
    for flag in FLAGS + ["--user-data-dir=" + profile]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return Browser(webdriver.Chrome(options=options, service=Service(driver)), profile)


class Browser:
    def __init__(self, driver, profile):
        self.driver, self.profile = driver, profile
        self.size(1280, 900)
        self.media()

    # The page.

    def open(self, path):
        self.logs()
        self.driver.get("file://" + os.path.abspath(path))
        self.wait("return document.documentElement.dataset.ready === 'true'")
        self.settle()

    def js(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def cdp(self, method, **arguments):
        return self.driver.execute_cdp_cmd(method, arguments)

    def wait(self, code, *arguments):
        for _ in range(500):
            if self.js(code, *arguments):
                return True
            time.sleep(0.02)
        return False

    def settle(self):
        """Until what was asked for has been drawn."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));")

    def logs(self):
        """Errors and warnings of the console, and the addresses asked for, since the last call."""
        said = [entry for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        asked = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked.append(message["params"]["request"]["url"])
        return said, asked

    # The world around it.

    def size(self, width, height, touch=False):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.cdp("Emulation.setTouchEmulationEnabled", enabled=touch)

    def media(self, *features, media=""):
        """Features such as ("prefers-color-scheme", "dark"); media "print"."""
        given = [{"name": name, "value": value} for name, value in features]
        names = [one["name"] for one in given]
        self.cdp("Emulation.setEmulatedMedia", media=media,
                 features=given + [one for one in QUIET if one["name"] not in names])

    # Pointer, wheel and keys.

    def mouse(self, kind, x, y, **more):
        self.cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def hover(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.settle()

    def drag(self, x, y, to_x, to_y):
        held = {"button": "left", "buttons": 1, "clickCount": 1}
        self.mouse("mousePressed", x, y, **held)
        for part in (0.3, 0.7, 1):
            self.mouse("mouseMoved", x + part * (to_x - x), y + part * (to_y - y), **held)
        self.mouse("mouseReleased", to_x, to_y, **held)
        self.settle()

    def press(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains
        chain = ActionChains(self.driver, duration=0)
        for key in keys:
            chain.send_keys(key)
        chain.perform()
        self.settle()

    def names(self, roles):
        """(role, name) of everything in the accessibility tree that has one of these roles."""
        nodes = self.cdp("Accessibility.getFullAXTree")["nodes"]
        found = []
        for node in nodes:
            role = node.get("role", {}).get("value")
            if not node.get("ignored") and role in roles:
                found.append((role, node.get("name", {}).get("value", "")))
        return found

    def pdf(self):
        answer = self.cdp("Page.printToPDF", printBackground=True, preferCSSPageSize=True)
        return base64.b64decode(answer["data"])

    def finish(self):
        self.driver.quit()
        shutil.rmtree(self.profile, ignore_errors=True)
        print("1..%d" % count)
        sys.exit(failed > 0)
