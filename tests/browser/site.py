#!/usr/bin/env python3
"""The site of the documentation (script/site) in a browser: content first on a phone, dark mode, search, accessibility.

usage: site.py SITE

axe-core judges pages too, if COSCHED_AXE names its axe.min.js (npm install axe-core).
"""

import os
import sys

import kit
from kit import ok

SITE = sys.argv[1]
PAGES = ["index.html", "README.html", "docs/index.html", "docs/plan.html", "docs/replays.html", "docs/python.html",
         "reference/commands/index.html", "reference/c/case.html", "search.html"]
AXE = os.environ.get("COSCHED_AXE")
RUN_AXE = """const done = arguments[0];
axe.run({resultTypes: ["violations"]}).then((r) => done(r.violations.map((v) => v.id + " " + v.nodes[0].html)));"""
BRIGHTNESS = """const rgb = getComputedStyle(arguments[0] ? document.querySelector(arguments[0]) : document.body).backgroundColor;
return Math.max(...rgb.match(/[0-9]+/g).slice(0, 3).map(Number));"""
UNNAMED = """return [...document.querySelectorAll("aside, form[role=search], nav")]
    .map((e) => e.tagName + " " + (e.getAttribute("aria-label") || "")).filter((n, i, all) => all.indexOf(n) !== i);"""


def visit(browser, page):
    browser.driver.get("file://" + os.path.abspath(os.path.join(SITE, page)))
    browser.settle()


def check_page(browser, page, width):
    what = "%s at %d pixels" % (page, width)
    visit(browser, page)
    ok(browser.js("return document.documentElement.scrollWidth") <= width, what + ": no wider than the window")
    ok(browser.js("return document.querySelectorAll('h1').length") == 1, what + ": one heading of level 1")
    ok(browser.js(UNNAMED) == [], what + ": landmarks have different names")
    ok(browser.js("return [...document.querySelectorAll('pre')].every((e) => e.tabIndex === 0)"),
       what + ": blocks that scroll are reached by keys")
    top = browser.js("return document.querySelector('article h1').getBoundingClientRect().top")
    ok(0 <= top < 160, what + ": the first screen is content (%d)" % top)


def check_axe(browser, page):
    with open(AXE, encoding="utf-8") as file:
        browser.js(file.read())
    found = browser.driver.execute_async_script(RUN_AXE)
    ok(found == [], "%s: axe finds no violation %s" % (page, "; ".join(found)))


def check_schemes(browser):
    browser.media(("prefers-color-scheme", "dark"))
    visit(browser, "index.html")
    ok(browser.js(BRIGHTNESS) < 60, "dark when the system is dark")
    browser.js("document.querySelector('.theme-toggle-content button').click()")
    ok(browser.js(BRIGHTNESS) > 200, "the switch makes it light")
    visit(browser, "README.html")
    ok(browser.js(BRIGHTNESS) > 200, "the next page remembers that")
    browser.js("localStorage.clear()")
    browser.media(("prefers-color-scheme", "light"))
    visit(browser, "index.html")
    ok(browser.js(BRIGHTNESS) > 200, "light when the system is light")


def check_search(browser):
    visit(browser, "index.html")
    box = browser.js("const r = document.querySelector('.front-search input').getBoundingClientRect(); return [r.width, r.bottom];")
    ok(box[0] > 150 and box[1] < 844, "the search is on the first screen of a phone")
    visit(browser, "search.html?q=backfilling")
    ok(browser.wait("return document.querySelectorAll('#search-results li a').length > 3"), "a search finds pages")


def main():
    if not os.path.isfile(os.path.join(SITE, "index.html")):
        kit.skip("there is no site: script/site makes it")
    browser = kit.start()
    visit(browser, "index.html")
    browser.logs()  # those of the browser's own first page
    for width, height in ((1366, 768), (390, 844)):
        browser.size(width, height)
        for page in PAGES:
            check_page(browser, page, width)
            if AXE:
                for scheme in "light", "dark":
                    browser.media(("prefers-color-scheme", scheme))
                    check_axe(browser, page)
                browser.media()
    check_search(browser)
    browser.size(1366, 768)
    check_schemes(browser)
    foreign = {url for url in browser.logs()[1] if not url.startswith(("file:", "data:", "blob:"))}
    ok(not foreign, "no page asks the network for anything %s" % sorted(foreign))
    browser.finish()


main()
