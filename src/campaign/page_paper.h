/* page_paper.h - a paper's results as JSON for the report page: the document (page_document.h), and
 *
 *   { "claims": [{ "text", "reading", "unchecked", "remark", "verdict", "checks": [{ "label",
 * "ours", "relation", "wanted", "high", "verdict" }] }], "tables": [{ "title", "digits", "printed":
 * does the paper print numbers, "columns": [panel], "rows": [{ "label", "cells": [{ "ours", "paper"
 * }] }] }], "notes": [text] }
 */
#ifndef CS_CAMPAIGN_PAGE_PAPER_H
#define CS_CAMPAIGN_PAGE_PAPER_H

#include "base/strbuf.h"
#include "campaign/results.h"

/* Append the JSON.  Runs that are not done are left out of all numbers. */
void cs_page_paper_put(const struct cs_results *results, const char *command,
                       struct cs_strbuf *out);

#endif
