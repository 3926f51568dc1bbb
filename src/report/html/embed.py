#!/usr/bin/env python3
"""Turn the parts of the report page into C: one style sheet, one script, and the script's hash.

usage: embed.py OUTPUT.c FILE.css... FILE.js...

Files of one kind are joined in the order of the command line.  The hash goes into the page's
Content-Security-Policy, so that no other script can ever run in it.
"""

import base64
import hashlib
import sys


def joined(paths, ending):
    text = "".join(open(path, encoding="utf-8").read() for path in paths if path.endswith(ending))
    for forbidden in ("</script", "<!--", "</style"):
        if forbidden in text.lower():
            sys.exit("embed.py: a part of the page holds %s" % forbidden)
    return text.encode("utf-8")


def array(name, data):
    rows = [data[i:i + 24] for i in range(0, len(data), 24)]
    body = "".join("    " + ",".join(str(byte) for byte in row) + ",\n" for row in rows)
    return "static const unsigned char %s[] = {\n%s    0};\n" % (name, body)


def main():
    output, paths = sys.argv[1], sys.argv[2:]
    style, script = joined(paths, ".css"), joined(paths, ".js")
    digest = base64.b64encode(hashlib.sha256(script).digest()).decode("ascii")
    with open(output, "w", encoding="utf-8") as file:
        file.write("/* Made by embed.py: the parts of the report page. */\n"
                   '#include "report/page_parts.h"\n\n')
        file.write(array("style", style) + array("script", script))
        file.write("const struct cs_page_part cs_page_style = {(const char *)style, %d};\n"
                   "const struct cs_page_part cs_page_script = {(const char *)script, %d};\n"
                   'const char *const cs_page_script_hash = "sha256-%s";\n'
                   % (len(style), len(script), digest))


main()
