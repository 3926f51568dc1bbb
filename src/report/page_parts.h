/* page_parts.h - style sheet and script of the report page, put into the program by the build
 * (html/embed.py); only page.c and what is generated include it. */
#ifndef CS_REPORT_PAGE_PARTS_H
#define CS_REPORT_PAGE_PARTS_H

#include <stddef.h>

struct cs_page_part {
    const char *bytes;
    size_t length;
};

extern const struct cs_page_part cs_page_style, cs_page_script;
extern const char *const cs_page_script_hash; /* "sha256-..." of exactly these bytes */

#endif
